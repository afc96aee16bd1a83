//! The Bluebelle chess engine as a library.
//!
//! | module | what it holds |
//! |---|---|
//! | [`link`] | lines to boards |
//! | [`pool`] | all accelerators as one |

pub mod link;
pub mod pool;
