//! Test positions in EPD: four fields, then operations such as `bm Nf3; id "one";`.

use bluebelle_spec::{Fen, FenError, Move};

use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::notation;

/// A position with moves to find or to avoid.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name, or its line.
    pub id: String,
    /// The position.
    pub fen: Fen,
    /// Any of these is right.
    pub best: Vec<Move>,
    /// Any of these is wrong.
    pub avoid: Vec<Move>,
}

impl Problem {
    /// Whether there is a move to find or to avoid.
    pub fn wants_a_move(&self) -> bool {
        !(self.best.is_empty() && self.avoid.is_empty())
    }

    /// Whether a move solves it.
    pub fn is_solved_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}

/// Why a text is not a list of problems.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// Not a position.
    #[error("line {line}: {problem}")]
    Fen {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: FenError,
    },
    /// Not a legal move.
    #[error("line {line}: '{mv}' is not a legal move there")]
    Move {
        /// The line, from 1.
        line: usize,
        /// The text.
        mv: String,
    },
    /// Nothing to find.
    #[error("line {line}: neither 'bm' nor 'am' says what to find")]
    NothingToFind {
        /// The line, from 1.
        line: usize,
    },
}

/// Reads a file of problems: one a line; empty lines and `#` comments are skipped.
///
/// # Errors
/// Names the first line that is wrong.
pub fn parse(text: &str, evaluator: &Evaluator) -> Result<Vec<Problem>, EpdError> {
    let to_solve = |(number, line)| match parse_line(number, line, evaluator)? {
        problem if !problem.wants_a_move() => Err(EpdError::NothingToFind { line: number }),
        problem => Ok(problem),
    };
    lines(text).map(to_solve).collect()
}

/// Reads a file of positions, whether they have something to find or not.
///
/// # Errors
/// Names the first line that is wrong.
pub fn parse_positions(text: &str, evaluator: &Evaluator) -> Result<Vec<Problem>, EpdError> {
    lines(text)
        .map(|(number, line)| parse_line(number, line, evaluator))
        .collect()
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// What follows the first words.
fn skip_words(text: &str, count: usize) -> &str {
    (0..count).fold(text, |rest, _| {
        rest.trim_start().trim_start_matches(|c: char| !c.is_whitespace())
    })
}

fn parse_line(number: usize, text: &str, evaluator: &Evaluator) -> Result<Problem, EpdError> {
    // The fields end where the fourth word does, or the sixth of a FEN, whose last two are counters.
    let mut rest = skip_words(text, 4);
    let mut words = rest.split_whitespace();
    let mut is_counter = || {
        words
            .next()
            .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if is_counter() && is_counter() {
        rest = skip_words(rest, 2);
    }
    let fields = &text[..text.len() - rest.len()];
    let fen: Fen = fields
        .parse()
        .map_err(|problem| EpdError::Fen { line: number, problem })?;
    let board = Board::new(&fen, evaluator);
    let mut problem = Problem {
        id: format!("line {number}"),
        fen,
        best: Vec::new(),
        avoid: Vec::new(),
    };
    for operation in rest.split(';') {
        let (code, operands) = operation.trim().split_once(char::is_whitespace).unwrap_or_default();
        match code {
            "id" => problem.id = operands.trim().trim_matches('"').to_owned(),
            "bm" | "am" => {
                for text in operands.split_whitespace() {
                    let illegal = || EpdError::Move {
                        line: number,
                        mv: text.to_owned(),
                    };
                    let mv = notation::parse(&board, text).ok_or_else(illegal)?;
                    let list = if code == "bm" {
                        &mut problem.best
                    } else {
                        &mut problem.avoid
                    };
                    list.push(mv);
                }
            }
            _ => {}
        }
    }
    Ok(problem)
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Weights;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn parsed(text: &str) -> Result<Vec<Problem>, EpdError> {
        parse(text, &Evaluator::new(Weights::standard()))
    }

    #[test]
    fn operations_are_read() {
        let text = format!("# two\n{START} bm Nf3 e4; id \"the start\"; c0 \"x\";\n\n{START} am f3;\n");
        let problems = parsed(&text).expect("two problems");
        assert_eq!(problems[0].id, "the start");
        assert_eq!(problems[1].id, "line 4");
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        assert!(problems[0].is_solved_by(mv("g1f3")) && problems[0].is_solved_by(mv("e2e4")));
        assert!(!problems[0].is_solved_by(mv("d2d4")));
        assert!(problems[1].is_solved_by(mv("d2d4")) && !problems[1].is_solved_by(mv("f2f3")));
    }

    #[test]
    fn counters_of_a_fen_are_read() {
        let text = "8/8/4k3/8/8/4K3/4P3/8 w - - 12 60 am Kd4;\n8/8/4k3/8/8/4K3/4P3/8 w - - 12; am Kd4;";
        let problems = parsed(text).expect("two problems");
        assert_eq!((problems[0].fen.halfmoves, problems[0].fen.fullmoves), (12, 60));
        assert!(problems[0].wants_a_move());
        assert_eq!(problems[1].fen.halfmoves, 0, "a single number is no counter");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| parsed(text).expect_err(text).to_string();
        assert!(error("8/8 w - - bm e4;").starts_with("line 1: "));
        assert_eq!(
            error(&format!("{START} bm e5;")),
            "line 1: 'e5' is not a legal move there"
        );
        assert_eq!(
            error(&format!("\n{START} id \"x\";")),
            "line 2: neither 'bm' nor 'am' says what to find"
        );
        assert!(error("x").starts_with("line 1: "));
        assert!(error("8/8/4k3/8/8/4K3/4P3/8 w - - 200 60").contains("half-move counter"));
    }
}
