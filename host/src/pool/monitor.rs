//! A look at a pool from the outside, while a search has the pool.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};

use super::dispatch::Shared;
use super::{BoardState, Done, Resources};

/// A look at a pool. It does not keep the pool alive.
#[derive(Clone)]
pub struct Monitor(Weak<Shared>);

/// What there is to see of a pool at one moment.
#[derive(Clone, Debug)]
pub struct Sight {
    /// What was done so far.
    pub done: Done,
    /// The boards, and which of them are there.
    pub boards: Vec<BoardState>,
    /// Whether the golden search in this process is an accelerator like the others.
    pub model: bool,
    /// Jobs that are waiting or being worked on.
    pub outstanding: usize,
    /// What there is to ask.
    pub resources: Resources,
}

impl Monitor {
    pub(super) fn new(shared: &Arc<Shared>) -> Monitor {
        Monitor(Arc::downgrade(shared))
    }

    /// What there is to see now; `None` when the pool is gone.
    pub fn look(&self) -> Option<Sight> {
        let shared = self.0.upgrade()?;
        Some(Sight {
            done: Done::read(&shared),
            boards: shared.boards(),
            model: shared.settings.model,
            outstanding: shared.outstanding.load(Relaxed),
            resources: Resources::of(&shared),
        })
    }
}
