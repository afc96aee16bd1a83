//! Endgame tables: what every position with up to five men is worth, computed once and kept in
//! files.
//!
//! [`Builder`] makes the tables of a material and of all that its captures and promotions lead to,
//! backwards from mate. [`Tables`] looks positions up, and [`verify()`] checks that every value
//! follows from the values after the legal moves. A table has the value of each position without
//! castling rights: win, draw or loss for the side to move, the winner's moves to mate, and those
//! to conversion ([`Kind`]).
//!
//! ```no_run
//! use bluebelle_knowledge::endings::{Builder, Kind, Tables, Value};
//! use bluebelle_spec::Fen;
//!
//! Builder::new("endings").build(&["KRvK".parse()?], |_| ())?;
//! let tables = Tables::open("endings")?;
//! let fen: Fen = "8/8/8/8/8/1k6/8/K6r w - - 0 1".parse()?;
//! assert_eq!(tables.probe(&fen.position, Kind::Mate)?, Value::Loss(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod codec;
mod file;
mod generate;
mod index;
mod material;
mod tables;
#[cfg(test)]
mod tests;
mod value;
mod verify;

pub use build::{Builder, Progress};
pub use file::FileError;
pub use material::{MOST_MEN, Material, MaterialError};
pub use tables::{ProbeError, Survey, Tables};
pub use value::{Kind, Value, Wdl};
pub use verify::{Verified, Wrong, each_position, verify};
