//! Positions as other programs write them: what is harmless in a FEN is mended, and said.
//!
//! The contract of [`bluebelle_spec`] is strict. A game that comes from a GUI or a database is
//! better played with a counter that is clamped than not at all.

use std::fmt;

use bluebelle_spec::{Color, Fen, FenError, PositionError};

/// A position, and what had to be changed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The position.
    pub fen: Fen,
    /// What was changed, in the order of the fields.
    pub changes: Vec<Change>,
}

/// What was changed in a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A counter is larger than any game makes it.
    Counter {
        /// Which counter.
        name: &'static str,
        /// Its text.
        found: String,
        /// Its value now.
        taken: u16,
    },
    /// The last field is missing.
    NoMoveNumber,
    /// A castling right or an en passant square that the pieces do not allow is gone.
    Dropped(PositionError),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Counter { name, found, taken } => write!(f, "the {name} {found} is taken as {taken}"),
            Change::NoMoveNumber => f.write_str("the move number is missing, and is taken as 1"),
            Change::Dropped(problem @ PositionError::CastlingWithoutRook { .. }) => {
                write!(f, "{problem}; this right is dropped")
            }
            Change::Dropped(problem) => write!(f, "{problem}; the square is dropped"),
        }
    }
}

/// The counters: field, name and most.
const COUNTERS: [(usize, &str, u16); 2] = [(4, "half-move counter", 150), (5, "move number", 9999)];

/// Castling rights and en passant: there is no more to drop.
const MOST_DROPS: usize = 5;

/// Reads a FEN, and mends faults that leave the game what it is.
///
/// # Errors
/// If the position is not known or is none.
pub fn parse(text: &str) -> Result<Given, FenError> {
    let mut fields: Vec<String> = text.split_ascii_whitespace().take(7).map(str::to_owned).collect();
    let mut changes = Vec::new();
    if fields.len() == 5 {
        fields.push("1".to_owned());
        changes.push(Change::NoMoveNumber);
    }
    for (field, name, most) in COUNTERS {
        if let Some(text) = fields.get_mut(field).filter(|text| is_above(text, most)) {
            let found = std::mem::replace(text, most.to_string());
            changes.push(Change::Counter {
                name,
                found: found.chars().take(20).collect(),
                taken: most,
            });
        }
    }
    for _ in 0..MOST_DROPS {
        match fields.join(" ").parse() {
            Err(FenError::Position(problem)) if drop_field(&mut fields, &problem) => {
                changes.push(Change::Dropped(problem));
            }
            parsed => return parsed.map(|fen| Given { fen, changes }),
        }
    }
    fields.join(" ").parse().map(|fen| Given { fen, changes })
}

/// Whether a text is a number, and larger than this.
fn is_above(text: &str, most: u16) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && text.parse::<u16>().map_or(true, |number| number > most)
}

/// Takes what the pieces do not allow out of its field; whether there was such a thing.
fn drop_field(fields: &mut [String], problem: &PositionError) -> bool {
    match problem {
        PositionError::CastlingWithoutRook { color, way, .. } => {
            let letter = if way.starts_with('k') { 'k' } else { 'q' };
            let letter = match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            };
            let before = fields[2].len();
            fields[2].retain(|other| other != letter);
            let dropped = fields[2].len() < before;
            if fields[2].is_empty() {
                fields[2].push('-');
            }
            dropped
        }
        PositionError::ImpossibleEnPassant(_) => {
            fields[3].replace_range(.., "-");
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The FEN that comes of a text, and what is said about it.
    fn mended(text: &str) -> (String, String) {
        let given = parse(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        let changes: Vec<String> = given.changes.iter().map(Change::to_string).collect();
        (given.fen.to_string(), changes.join("; "))
    }

    #[test]
    fn what_is_right_stays_as_it_is() {
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 150 9999";
        assert_eq!(mended(text), (text.to_owned(), String::new()));
        assert_eq!(mended("8/8/8/8/8/k7/8/K7 w - -").1, "");
    }

    #[test]
    fn counters_are_clamped() {
        let (fen, said) = mended("8/8/8/8/8/k7/8/K6R w - - 151 123456789012345678901234");
        assert_eq!(fen, "8/8/8/8/8/k7/8/K6R w - - 150 9999");
        assert!(
            said.starts_with("the half-move counter 151 is taken as 150; the move number 12345"),
            "{said}"
        );
        assert_eq!(mended("8/8/8/8/8/k7/8/K6R w - - 3").0, "8/8/8/8/8/k7/8/K6R w - - 3 1");
    }

    #[test]
    fn rights_without_rook_or_king_are_dropped() {
        let (fen, said) = mended("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1");
        assert_eq!(fen, "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
        assert!(said.starts_with("White cannot castle queen side"), "{said}");
        assert!(said.contains("Black cannot castle king side"), "{said}");
        assert_eq!(said.matches("this right is dropped").count(), 2);
        assert_eq!(
            mended("4k3/8/8/8/8/8/8/3K4 b KQkq e3 0 1").0,
            "4k3/8/8/8/8/8/8/3K4 b - - 0 1"
        );
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/3K4 b KQkx - 0 1",
            "4k3/8/8/8/8/8/8/3K4 b - - -1 1",
            "4k3/8/8/8/8/8/8/3K4 b - - 0 1 more",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
