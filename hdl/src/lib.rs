//! The Bluebelle chip, in rust-hdl.
//!
//! Here so far: the [`core`], which equals the golden search of `bluebelle-spec` slot for slot, and the [`harness`] that
//! tests every block. To come: link, queues, the chip around the cores.

#[allow(
    missing_docs,
    reason = "ports are documented in groups, with their handshake; the rest are wires"
)]
pub mod core;
pub mod harness;
pub mod job_words;
