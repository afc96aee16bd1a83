//! Tuning the weights of the evaluation, after Texel's method.
//!
//! 1. [`selfplay`] plays short games against itself and writes down quiet positions, the search's score and the result.
//! 2. [`fit`] moves the weights so that the evaluation, through a logistic curve, foretells both as well as it can.
//!
//! The evaluation is linear in its weights (but for rounding), so the gradient is exact and cheap.

pub mod fit;
pub mod selfplay;
