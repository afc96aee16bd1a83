//! The Bluebelle chip, in rust-hdl.
//!
//! Here so far: the [`core`], which equals the golden search of `bluebelle-spec` slot for slot, and the [`harness`] that
//! tests every block. Link, queues and the chip around the cores are behind the feature `chip`: they take minutes to
//! compile.

#[allow(
    missing_docs,
    reason = "ports are documented in groups, with their handshake; the rest are wires"
)]
pub mod core;
pub mod harness;
pub mod job_words;

#[cfg(feature = "chip")]
pub mod chip;
#[cfg(feature = "chip")]
pub mod config;
#[cfg(feature = "chip")]
pub mod link;
#[cfg(feature = "chip")]
pub mod queue;
