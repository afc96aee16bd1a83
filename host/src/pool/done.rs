use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::dispatch::Shared;

/// What boards and the golden search in this process have done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Results of boards.
    pub jobs: u64,
    /// Nodes of these results.
    pub nodes: u64,
    /// Results of the golden search in this process.
    pub software_jobs: u64,
    /// Nodes of these results.
    pub software_nodes: u64,
    /// Slots in which boards were busy, as far as they were measured.
    pub slots_busy: u64,
    /// Slots that were measured.
    pub slots_total: u64,
    /// Bytes to all boards.
    pub bytes_sent: u64,
    /// Bytes from all boards.
    pub bytes_received: u64,
}

impl Done {
    pub(super) fn read(shared: &Shared) -> Done {
        let read = |counter: &AtomicU64| counter.load(Relaxed);
        let nodes = read(&shared.board_nodes);
        Done {
            jobs: read(&shared.board_jobs),
            nodes,
            software_jobs: read(&shared.worker_jobs),
            software_nodes: read(&shared.nodes).saturating_sub(nodes),
            slots_busy: read(&shared.slots_busy),
            slots_total: read(&shared.slots_total),
            bytes_sent: read(&shared.bytes_sent),
            bytes_received: read(&shared.bytes_received),
        }
    }

    /// What was done after another reading.
    #[must_use]
    pub fn since(&self, before: &Done) -> Done {
        Done {
            jobs: self.jobs.saturating_sub(before.jobs),
            nodes: self.nodes.saturating_sub(before.nodes),
            software_jobs: self.software_jobs.saturating_sub(before.software_jobs),
            software_nodes: self.software_nodes.saturating_sub(before.software_nodes),
            slots_busy: self.slots_busy.saturating_sub(before.slots_busy),
            slots_total: self.slots_total.saturating_sub(before.slots_total),
            bytes_sent: self.bytes_sent.saturating_sub(before.bytes_sent),
            bytes_received: self.bytes_received.saturating_sub(before.bytes_received),
        }
    }

    /// The share of the slots in which boards were busy; `None` if no board has told its slots
    /// twice.
    pub fn busy(&self) -> Option<f64> {
        (self.slots_total > 0).then(|| self.slots_busy as f64 / self.slots_total as f64)
    }
}

/// In the words of an `info string`.
impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} jobs, {} nodes, busy ", self.jobs, self.nodes)?;
        match self.busy() {
            Some(share) => write!(f, "{:.0} %", 100.0 * share)?,
            None => f.write_str("not measured")?,
        }
        match self.software_jobs {
            0 => Ok(()),
            jobs => write!(f, "; in software {jobs} jobs, {} nodes", self.software_nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_told_as_a_number() {
        let before = Done {
            jobs: 10,
            nodes: 500,
            slots_busy: 100,
            slots_total: 1000,
            ..Done::default()
        };
        let mut done = Done {
            jobs: 13,
            nodes: 800,
            ..before
        };
        assert_eq!(done.since(&before).to_string(), "3 jobs, 300 nodes, busy not measured");
        (done.slots_busy, done.slots_total, done.software_jobs) = (600, 2000, 1);
        assert_eq!(
            done.since(&before).to_string(),
            "3 jobs, 300 nodes, busy 50 %; in software 1 jobs, 0 nodes"
        );
    }
}
