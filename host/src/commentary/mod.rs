//! Games annotated as a chess commentator would, by Michie's theory of evaluative comments.
//!
//! Every position of a game is *surveyed*: a search scores all its moves at every depth. From the
//! scores come a value v (with perfect play), the probability of each move for a player of a given
//! merit, and so the expected utility u. [`bluebelle_knowledge::utility::comment`] says which of the
//! 21 comments are then true; [`select`] chooses what to print, as a commentator leaves most
//! unsaid; [`mod@annotate`] goes through a game; [`pgn`] writes it.

pub mod annotate;
pub mod choices;
pub mod examine;
pub mod pgn;
pub mod select;
pub mod survey;

use bluebelle_knowledge::utility::{Chances, Curve};
use bluebelle_knowledge::vocabulary::{Utility, Value};

use crate::score::is_mate_or_table;

pub use annotate::{Annotated, Ply, annotate};
pub use examine::{Examination, Examiner};
pub use survey::{Survey, Surveyed, Surveyor};

/// The numbers between a search's scores and a player's errors.
///
/// The standard ones are chosen by hand: `utility::fit` and `Chances::fit` find others from games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// From scores to chances.
    pub chances: Chances,
    /// From merit to the size of errors.
    pub curve: Curve,
}

impl Default for Model {
    fn default() -> Model {
        Model {
            chances: Chances {
                scale: 150.0,
                margin: 80.0,
            },
            curve: Curve {
                at_zero: 0.3,
                slope: -1.0,
                sight: 3.0,
            },
        }
    }
}

impl Model {
    /// What a score is worth to its side.
    pub fn utility(&self, score: i32) -> Utility {
        if is_mate_or_table(score) {
            Utility::from(Value::of_sign(score.signum() as i8))
        } else {
            self.chances.utility(f64::from(score))
        }
    }

    /// The value that a score stands for; `None` where the score does not tell.
    pub fn value(&self, score: i32) -> Option<Value> {
        if is_mate_or_table(score) {
            Some(Value::of_sign(score.signum() as i8))
        } else {
            self.chances.value(f64::from(score))
        }
    }
}
