//! The queues between the link and the cores, and what counts and stops jobs.
//!
//! ```text
//! Request → JobQueue → Dispatch → Dock → core → Dock → ResultQueue → Reply
//!                         └────── aborted ────────────────┘
//! ```

mod control;
mod counters;
mod dispatch;
mod dock;
mod feeder;
mod job_queue;
mod memory;
mod result_queue;

pub use control::Control;
pub use counters::Counters;
pub use dispatch::Dispatch;
pub use dock::Dock;
pub use feeder::Feeder;
pub use job_queue::JobQueue;
pub use memory::Memory;
pub use result_queue::ResultQueue;

use rust_hdl::prelude::{Direction, Signal, Synth};

/// A signal for each core.
pub(crate) fn signals<D: Direction, T: Synth>(cores: usize) -> Vec<Signal<D, T>> {
    (0..cores).map(|_| Signal::default()).collect()
}
