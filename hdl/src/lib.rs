//! The Bluebelle chip, in rust-hdl.
//!
//! A job comes in over the [`link`], waits in a [`queue`], and is searched by a [`core`], which equals the golden search of
//! `bluebelle-spec` slot for slot; [`chip`] is the top, [`config`] what can be chosen about it. The [`harness`] tests every
//! block.

#[allow(
    missing_docs,
    reason = "ports are documented in groups, with their handshake; the rest are wires"
)]
pub mod core;
pub mod harness;
pub mod job_words;

pub mod chip;
pub mod config;
pub mod link;
pub mod queue;
pub mod table_memory;
