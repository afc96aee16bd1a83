//! The evaluation, beside the ring from stage 3 on: counts, weights, taper.

pub mod count;
pub mod mobility;
pub mod officers;
pub mod popcount;
pub mod scale;
pub mod side;
pub mod weigh;
