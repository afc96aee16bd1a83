use std::sync::LazyLock;
use std::time::Duration;

use crate::meter::Work;

/// What the host's work costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HostCost {
    /// What it takes on this machine, turn by turn.
    Measured,
    /// A price for each piece of work.
    Fixed {
        /// For a node of the search.
        node: Duration,
        /// For a job: to ask for it and to hear its result.
        job: Duration,
        /// To write a job to a line, or to read and check a result.
        carried: Duration,
    },
}

/// What a node of the search takes one core of a server.
pub const FIXED_NODE: Duration = Duration::from_nanos(430);

/// What the host's work costs where nothing may depend on the machine: what one core of a server took for it, by `cargo bench
/// --bench host_cost`.
pub const FIXED_COST: HostCost = HostCost::Fixed {
    node: FIXED_NODE,
    job: Duration::from_nanos(1_000),
    carried: Duration::from_nanos(1_000),
};

impl HostCost {
    pub(super) fn of(&self, work: &Work, measured: Duration) -> Duration {
        match *self {
            HostCost::Measured => measured,
            HostCost::Fixed { node, job, carried } => {
                times(node, work.nodes) + times(job, work.jobs) + times(carried, work.carried)
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
