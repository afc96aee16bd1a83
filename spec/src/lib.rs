//! The executable contract of Bluebelle.
//!
//! What the chip computes, and what both sides of the wire must agree on, is written here once: positions and their packed
//! form, wire frames, the evaluation and its weights, and the golden leaf search that the chip must equal bit for bit and
//! slot for slot.
//!
//! ```
//! use bluebelle_spec::leaf::{self, Ending, Job, Task};
//! use bluebelle_spec::{Evaluator, Fen, Weights};
//!
//! let fen: Fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
//! let evaluator = Evaluator::new(Weights::standard());
//! let job = Job::new(fen.position, Task::Search { depth: 2, beta: leaf::MATE - 1 });
//! let outcome = leaf::run(&job, &evaluator);
//! assert_eq!(outcome.ending, Ending::Lower); // at least a mate in one:
//! assert_eq!(outcome.best.to_string(), "a1a8");
//! # Ok::<(), bluebelle_spec::FenError>(())
//! ```

pub mod attacks;
pub mod eval;
mod fen;
pub mod leaf;
pub mod packed;
mod position;
pub mod rings;
pub mod rng;
mod sets;
pub mod suite;
pub mod types;
mod weights;
pub mod wire;

pub use eval::{Evaluator, evaluate};
pub use fen::{Fen, FenError};
pub use packed::{PackedPosition, UnpackError};
pub use position::{Planes, Position, PositionError, Undo};
pub use sets::{AttackSets, SideAttacks};
pub use types::{Bitboard, Castling, CastlingSide, Color, Move, Piece, Square};
pub use weights::{EVALUATION_LIMIT, PLACEMENT_LIMIT, Term, Weights, WeightsError, WeightsFileError};
