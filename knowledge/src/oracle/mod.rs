//! Oracles: whoever can say whether a chess position is worth at least so much.
//!
//! An idea of this crate that wants to know something about positions asks an [`Oracle`], and does
//! not care who answers: a search in software, hardware boards, or in tests a [plain
//! minimax](Minimax). All questions of one call are independent of each other, so that an oracle
//! with many searchers works on all of them at once. [`scores`] finds exact scores that way.

mod minimax;
mod scores;

pub use minimax::Minimax;
pub use scores::scores;

use bluebelle_spec::Position;
use bluebelle_spec::leaf;

/// Is this position worth at least so much?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position. Its moves must not be able to take a king.
    pub position: Position,
    /// Plies of all moves before quiescence.
    pub depth: u8,
    /// Centipawns for the side to move, from `1 - MATE` to `MATE` (see [`leaf::MATE`]).
    pub at_least: i16,
}

/// What an oracle says to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the position is worth at least what the question says.
    pub holds: bool,
    /// The positions that were visited for the answer.
    pub nodes: u64,
}

/// Why an oracle gives no answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// A question that no oracle can answer.
    #[error(
        "a question asks for depth {depth} and {at_least} centipawns: expected a depth up to {most} and centipawns \
         within ±{mate}", most = leaf::MAX_DEPTH, mate = leaf::MATE
    )]
    Impossible {
        /// The question's depth.
        depth: u8,
        /// The question's centipawns.
        at_least: i16,
    },
    /// The oracle could not finish a question.
    #[error("the {oracle} gave no answer: {reason}")]
    Unanswered {
        /// Who was asked.
        oracle: String,
        /// What happened.
        reason: String,
    },
}

/// Whoever can say whether positions are worth at least so much: software, or any boards.
pub trait Oracle {
    /// One answer for each question, in the order of the questions.
    ///
    /// # Errors
    /// If a question is impossible, or the oracle is gone. Then there are no answers at all.
    fn ask(&mut self, questions: &[Question]) -> Result<Vec<Answer>, OracleError>;
}

impl Question {
    /// The question itself, if an oracle can answer it.
    ///
    /// # Errors
    /// If the depth or the centipawns are out of range.
    pub fn checked(&self) -> Result<&Question, OracleError> {
        let possible = (1 - leaf::MATE..=leaf::MATE).contains(&self.at_least) && self.depth <= leaf::MAX_DEPTH;
        possible.then_some(self).ok_or(OracleError::Impossible {
            depth: self.depth,
            at_least: self.at_least,
        })
    }
}
