//! What the host's threads do for a search, counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a thread of the host did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes of the search.
    pub nodes: u64,
    /// Jobs asked for.
    pub jobs: u64,
    /// Jobs and results that were written to lines and read from them.
    pub carried: u64,
}

impl Work {
    pub(crate) fn since(&self, before: &Work) -> Work {
        Work {
            nodes: self.nodes - before.nodes,
            jobs: self.jobs - before.jobs,
            carried: self.carried - before.carried,
        }
    }
}

/// Counts [`Work`].
#[derive(Clone, Debug, Default)]
pub struct WorkMeter(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    nodes: AtomicU64,
    jobs: AtomicU64,
    carried: AtomicU64,
}

impl WorkMeter {
    /// So far.
    pub fn read(&self) -> Work {
        Work {
            nodes: self.0.nodes.load(Relaxed),
            jobs: self.0.jobs.load(Relaxed),
            carried: self.0.carried.load(Relaxed),
        }
    }

    pub(crate) fn count(&self, work: Work) {
        let Counters { nodes, jobs, carried } = &*self.0;
        for (counter, more) in [(nodes, work.nodes), (jobs, work.jobs), (carried, work.carried)] {
            if more > 0 {
                counter.fetch_add(more, Relaxed);
            }
        }
    }
}
