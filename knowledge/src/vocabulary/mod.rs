//! The words that all ideas of this crate share.
//!
//! A chess position has a *value*: won, drawn or lost with perfect play. Between players who err,
//! the position also has an expected *utility*, which depends on the *merit* of both players. What
//! a program learns about such things it writes into a *ledger*, a file that only grows.

pub mod ledger;
mod merit;
mod utility;
mod value;

pub use merit::{BadMerit, Merit};
pub use utility::Utility;
pub use value::Value;
