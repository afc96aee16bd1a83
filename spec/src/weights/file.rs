//! The weights file: lines of text that a person can edit.
//!
//! ```text
//! bluebelle-weights 1
//! # a comment
//! bishop-pair 28
//! placement pawn mg
//! 0 0 0 0 0 0 0 0        (rank 8, from the a-file to the h-file; then rank 7 and so on: 64 numbers)
//! ```
//!
//! Every term and every table appears exactly once, in any order.

use std::fmt;
use std::str::FromStr;

use super::{Term, Weights, WeightsError};
use crate::types::Piece;

/// The first line of a weights file.
const HEADER: &str = "bluebelle-weights 1";

/// The longest file that is read: a few times what 785 numbers need.
const MOST_BYTES: usize = 1 << 16;

/// Why a text is not a weights file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsFileError {
    /// Not a weights file at all.
    #[error("not a weights file: the first line must be '{HEADER}'")]
    Header,
    /// Too long to be one.
    #[error("{0} bytes are too long for a weights file: at most {MOST_BYTES}")]
    TooLong(usize),
    /// A line that starts with something unknown.
    #[error("line {line}: '{word}' is neither a term nor 'placement'")]
    UnknownWord {
        /// The line, from 1.
        line: usize,
        /// Its first word.
        word: String,
    },
    /// A `placement` line without piece and phase.
    #[error("line {0}: expected 'placement', a piece (pawn to king) and a phase (mg or eg)")]
    BadTable(usize),
    /// Not a number.
    #[error("line {line}: '{word}' is not a number from -32768 to 32767")]
    BadNumber {
        /// The line, from 1.
        line: usize,
        /// The text.
        word: String,
    },
    /// A term without a number, or a table without all of its 64.
    #[error("{0} is not complete: a term has 1 number, a table 64")]
    Incomplete(String),
    /// Something given twice.
    #[error("line {line}: {name} is given twice")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// Which term or table.
        name: String,
    },
    /// Something not given.
    #[error("{0} is missing")]
    Missing(String),
    /// Well written, but the chip cannot hold it.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

const PIECE_NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
const PHASE_NAMES: [&str; 2] = ["mg", "eg"];

/// What a number in the file belongs to: a term, or a table by phase and piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Term(Term),
    Table(usize, Piece),
}

impl Section {
    fn length(self) -> usize {
        match self {
            Section::Term(_) => 1,
            Section::Table(..) => 64,
        }
    }

    fn all() -> impl Iterator<Item = Section> {
        let tables = (0..2).flat_map(|phase| Piece::ALL.map(|piece| Section::Table(phase, piece)));
        Term::ALL.into_iter().map(Section::Term).chain(tables)
    }

    /// Where this section's number `index` lives. Tables are written with rank 8 first.
    fn slot(self, weights: &mut Weights, index: usize) -> &mut i16 {
        match self {
            Section::Term(term) => &mut weights.structure[term as usize],
            Section::Table(0, piece) => &mut weights.placement_mg[piece.index()][index ^ 56],
            Section::Table(_, piece) => &mut weights.placement_eg[piece.index()][index ^ 56],
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Section::Term(term) => f.write_str(term.name()),
            Section::Table(phase, piece) => {
                write!(f, "placement {} {}", PIECE_NAMES[piece.index()], PHASE_NAMES[phase])
            }
        }
    }
}

impl FromStr for Weights {
    type Err = WeightsFileError;

    fn from_str(text: &str) -> Result<Weights, WeightsFileError> {
        if text.len() > MOST_BYTES {
            return Err(WeightsFileError::TooLong(text.len()));
        }
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(HEADER) {
            return Err(WeightsFileError::Header);
        }
        let mut weights = Weights {
            placement_mg: [[0; 64]; 6],
            placement_eg: [[0; 64]; 6],
            structure: [0; Term::COUNT],
        };
        let mut seen: Vec<Section> = Vec::new();
        let mut open: Option<(Section, usize)> = None;
        for (index, line) in lines.enumerate() {
            let line_number = index + 2;
            let content = line.split('#').next().unwrap_or_default();
            let mut words = content.split_ascii_whitespace().peekable();
            if words
                .peek()
                .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
            {
                if let Some((section, _)) = open {
                    return Err(WeightsFileError::Incomplete(section.to_string()));
                }
                let section = parse_section(&mut words, line_number)?;
                if seen.contains(&section) {
                    return Err(WeightsFileError::Twice {
                        line: line_number,
                        name: section.to_string(),
                    });
                }
                seen.push(section);
                open = Some((section, 0));
            }
            for word in words {
                let bad_number = || WeightsFileError::BadNumber {
                    line: line_number,
                    word: word.to_owned(),
                };
                let (section, filled) = open.ok_or_else(bad_number)?;
                *section.slot(&mut weights, filled) = word.parse().map_err(|_| bad_number())?;
                open = Some((section, filled + 1)).filter(|(section, filled)| *filled < section.length());
            }
        }
        if let Some((section, _)) = open {
            return Err(WeightsFileError::Incomplete(section.to_string()));
        }
        if let Some(section) = Section::all().find(|section| !seen.contains(section)) {
            return Err(WeightsFileError::Missing(section.to_string()));
        }
        weights.validate()?;
        Ok(weights)
    }
}

fn parse_section<'a>(words: &mut impl Iterator<Item = &'a str>, line: usize) -> Result<Section, WeightsFileError> {
    let word = words.next().unwrap_or_default();
    if let Some(term) = Term::ALL.into_iter().find(|term| term.name() == word) {
        return Ok(Section::Term(term));
    }
    if word != "placement" {
        return Err(WeightsFileError::UnknownWord {
            line,
            word: word.to_owned(),
        });
    }
    let place = |names: &[&str], word: Option<&str>| names.iter().position(|name| Some(*name) == word);
    let piece = place(&PIECE_NAMES, words.next()).ok_or(WeightsFileError::BadTable(line))?;
    let phase = place(&PHASE_NAMES, words.next()).ok_or(WeightsFileError::BadTable(line))?;
    Ok(Section::Table(phase, Piece::ALL[piece]))
}

/// The weights file.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut weights = self.clone();
        writeln!(f, "{HEADER}")?;
        for section in Section::all() {
            write!(f, "{section}")?;
            for index in 0..section.length() {
                let value = *section.slot(&mut weights, index);
                match section {
                    Section::Term(_) => write!(f, " {value}")?,
                    Section::Table(..) if index % 8 == 0 => write!(f, "\n {value:4}")?,
                    Section::Table(..) => write!(f, " {value:4}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
