use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// What the host's thread did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes of the upper tree.
    pub nodes: u64,
    /// Leaves that it tried itself, and their nodes, by the golden search.
    pub leaves: u64,
    /// See `leaves`.
    pub leaf_nodes: u64,
    /// The slots that a chip would take for them.
    pub leaf_slots: u64,
    /// Jobs asked for.
    pub jobs: u64,
    /// Jobs and results that the thread of the lines has written and read.
    pub carried: u64,
}

impl Work {
    pub(super) fn since(&self, before: &Work) -> Work {
        Work {
            nodes: self.nodes - before.nodes,
            leaves: self.leaves - before.leaves,
            leaf_nodes: self.leaf_nodes - before.leaf_nodes,
            leaf_slots: self.leaf_slots - before.leaf_slots,
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
    leaves: AtomicU64,
    leaf_nodes: AtomicU64,
    leaf_slots: AtomicU64,
    jobs: AtomicU64,
    carried: AtomicU64,
}

impl WorkMeter {
    /// So far.
    pub fn read(&self) -> Work {
        Work {
            nodes: self.0.nodes.load(Relaxed),
            leaves: self.0.leaves.load(Relaxed),
            leaf_nodes: self.0.leaf_nodes.load(Relaxed),
            leaf_slots: self.0.leaf_slots.load(Relaxed),
            jobs: self.0.jobs.load(Relaxed),
            carried: self.0.carried.load(Relaxed),
        }
    }

    pub(crate) fn count(&self, work: Work) {
        let Counters {
            nodes,
            leaves,
            leaf_nodes,
            leaf_slots,
            jobs,
            carried,
        } = &*self.0;
        for (counter, more) in [
            (nodes, work.nodes),
            (leaves, work.leaves),
            (leaf_nodes, work.leaf_nodes),
            (leaf_slots, work.leaf_slots),
            (jobs, work.jobs),
            (carried, work.carried),
        ] {
            if more > 0 {
                counter.fetch_add(more, Relaxed);
            }
        }
    }
}

/// What the host's work costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HostCost {
    /// What it takes on this machine, turn by turn.
    Measured,
    /// So much for each piece of work.
    Fixed {
        /// For a node of the upper tree.
        node: Duration,
        /// For a leaf that the host tries itself.
        leaf: Duration,
        /// For each of its nodes.
        leaf_node: Duration,
        /// For a job: to ask for it and to hear its result.
        job: Duration,
        /// For the thread of the lines: to write a job, or to read and check a result.
        carried: Duration,
        /// For a node of the software search, if it leads.
        software_node: Duration,
    },
}

impl HostCost {
    /// What nodes of the software search cost.
    pub(super) fn of_software(&self, nodes: u64, measured: Duration) -> Duration {
        match *self {
            HostCost::Measured => measured,
            HostCost::Fixed { software_node, .. } => times(software_node, nodes),
        }
    }

    pub(super) fn of(&self, work: &Work, measured: Duration) -> Duration {
        match *self {
            HostCost::Measured => measured,
            HostCost::Fixed {
                node,
                leaf,
                leaf_node,
                job,
                carried,
                ..
            } => {
                times(node, work.nodes)
                    + times(leaf, work.leaves)
                    + times(leaf_node, work.leaf_nodes)
                    + times(job, work.jobs)
                    + times(carried, work.carried)
            }
        }
    }
}

fn times(each: Duration, count: u64) -> Duration {
    Duration::from_nanos(each.as_nanos() as u64 * count)
}

/// The host's thread from one wait to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What it did.
    pub work: Work,
    /// The processor time that this took here, whatever was charged for it.
    pub measured: Duration,
}

/// Time that this thread has spent on a processor: on a machine with much else to do, less than has passed.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime(Duration);

impl CpuTime {
    /// Now.
    pub fn now() -> CpuTime {
        CpuTime(thread_time())
    }

    /// Since then.
    pub fn elapsed(&self) -> Duration {
        thread_time().saturating_sub(self.0)
    }

    /// Since then, without the time that looking at the clock takes: a call of the system, which counts if turns are short.
    pub fn elapsed_but_for_clock(&self) -> Duration {
        self.elapsed().saturating_sub(*CLOCK)
    }
}

/// What is seen between two looks at the clock with nothing in between, at least.
static CLOCK: LazyLock<Duration> = LazyLock::new(|| {
    let looks = (0..1000).map(|_| CpuTime::now().elapsed());
    looks.min().unwrap_or_default()
});

#[cfg(unix)]
fn thread_time() -> Duration {
    let time = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID);
    time.map_or(Duration::ZERO, Duration::from)
}

/// Where the system does not tell, the time that has passed.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    use std::time::Instant;
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed()
}
