use std::collections::BTreeMap;

use bluebelle_spec::leaf::{MAX_DEPTH, Outcome};

/// What jobs of each depth cost, and how many of them boards and lines can take: enough to choose the depth of leaves.
///
/// A leaf wants to be shallow: the tree above it has a transposition table, null moves and reductions, and the chip has not.
/// But a shallow leaf is soon done, and then the line cannot bring jobs and take results fast enough.
#[derive(Clone, Debug)]
pub struct JobRates {
    /// Slots of a job of each depth, a running mean.
    slots: [f64; MAX_DEPTH as usize + 1],
    boards: BTreeMap<usize, Capacity>,
    /// What the workers in this process can do, as if they were a board.
    workers: Capacity,
}

#[derive(Clone, Copy, Debug)]
struct Capacity {
    /// What the line takes; infinite if nobody knows.
    line_jobs_per_second: f64,
    jobs_per_second: f64,
    slots_per_second: f64,
}

/// The shallowest leaf.
const LEAST_DEPTH: u8 = 2;

/// The deepest leaf that is chosen by itself.
const MOST_DEPTH: u8 = 8;

/// Slots of a job of depth 4, and how many times more a ply takes, before any was measured.
const SLOTS_AT_4: f64 = 350.0;
const SLOTS_A_PLY: f64 = 1.75;

/// How much one job moves the mean.
const WEIGHT: f64 = 1.0 / 64.0;

/// Bytes of a result on the wire, which are more than those of a job in a batch.
const BYTES_A_RESULT: f64 = 17.0;

/// What of a line's rate is used: aborts and second thoughts travel too.
const SHARE_OF_LINE: f64 = 0.7;

/// Jobs a second that the search itself keeps up with; `cargo bench --bench host_cost` has what a job takes it.
const HOST_JOBS_PER_SECOND: f64 = 150_000.0;

/// Jobs a second that find their way to workers and back: threads have to be woken.
const WORKER_JOBS_PER_SECOND: f64 = 40_000.0;

/// What a job takes the search itself, in seconds, however fast the line.
const HOST_SECONDS_A_JOB: f64 = 2e-6;

/// Jobs that a search has under way on average, however many threads there are for them: `bluebelle compare` shows it.
pub(super) const JOBS_AT_ONCE: f64 = 8.0;

/// Slots a second of the golden search on one thread: 8 million nodes of 2.8 slots.
const WORKER_SLOTS_PER_SECOND: f64 = 22e6;

impl JobRates {
    /// Nothing has been measured.
    pub fn new(worker_threads: usize) -> JobRates {
        let mut slots = [0.0; MAX_DEPTH as usize + 1];
        for (depth, slots) in slots.iter_mut().enumerate() {
            *slots = SLOTS_AT_4 * SLOTS_A_PLY.powi(depth as i32 - 4);
        }
        JobRates {
            slots,
            boards: BTreeMap::new(),
            workers: Capacity {
                line_jobs_per_second: f64::INFINITY,
                jobs_per_second: WORKER_JOBS_PER_SECOND,
                slots_per_second: WORKER_SLOTS_PER_SECOND * worker_threads.max(1) as f64,
            },
        }
    }

    /// A job was done.
    pub fn count(&mut self, depth: u8, outcome: &Outcome) {
        if let Some(mean) = self.slots.get_mut(usize::from(depth)) {
            *mean += (f64::from(outcome.slots) - *mean) * WEIGHT;
        }
    }

    /// A board works off so many slots a second, and its line takes so many bytes.
    pub fn board(&mut self, seat: usize, bytes_per_second: Option<f64>, slots_per_second: f64) {
        let line = bytes_per_second.map_or(f64::INFINITY, |bytes| bytes / BYTES_A_RESULT * SHARE_OF_LINE);
        self.boards.insert(
            seat,
            Capacity {
                line_jobs_per_second: line,
                jobs_per_second: line.min(HOST_JOBS_PER_SECOND),
                slots_per_second,
            },
        );
    }

    /// The shallowest depth at which the boards, and not their lines, are the limit; at most `most`.
    pub fn leaf_depth(&self, most: u8) -> u8 {
        let most = most.clamp(LEAST_DEPTH, MOST_DEPTH);
        let (mut jobs, mut slots) = (0.0, 0.0);
        let capacities = match self.boards.is_empty() {
            true => vec![self.workers],
            false => self.boards.values().copied().collect(),
        };
        for capacity in capacities {
            jobs += capacity.jobs_per_second;
            slots += capacity.slots_per_second;
        }
        let jobs = jobs.min(HOST_JOBS_PER_SECOND);
        (LEAST_DEPTH..most)
            .find(|&depth| slots / self.slots[usize::from(depth)].max(1.0) <= jobs)
            .unwrap_or(most)
    }

    /// Leaves of so few plies are sooner done by the host than asked for: what the golden search takes for one is less than
    /// the line does, or the host itself, for a job. If no line is known, only those of one ply are.
    pub fn host_depth(&self) -> u8 {
        let lines = self.boards.values().map(|board| board.line_jobs_per_second);
        let slowest = lines.fold(f64::INFINITY, f64::min);
        if !slowest.is_finite() {
            return 1;
        }
        let slots = WORKER_SLOTS_PER_SECOND * slowest.recip().max(HOST_SECONDS_A_JOB);
        (0..MOST_DEPTH)
            .rev()
            .find(|&depth| self.slots[usize::from(depth)] <= slots)
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Move;
    use bluebelle_spec::leaf::Ending;

    use super::*;

    #[test]
    fn faster_chips_and_slower_lines_want_deeper_leaves() {
        let depth = |baud: f64, cores: f64| {
            let mut rates = JobRates::new(1);
            rates.board(1, Some(baud / 10.0), cores * 25e6);
            rates.leaf_depth(12)
        };
        assert!(depth(12e6, 1.0) < depth(12e6, 12.0));
        assert!(depth(12e6, 1.0) < depth(115_200.0, 1.0));
        // 12 cores: 300 million slots a second, 12,000 results a second, so 25,000 slots a job: more than the deepest has.
        assert_eq!(depth(3e6, 12.0), MOST_DEPTH);
    }

    #[test]
    fn small_leaves_go_over_fast_lines_only() {
        let mut rates = JobRates::new(1);
        assert_eq!(rates.host_depth(), 1, "without boards");
        rates.board(1, Some(1e8), 25e6);
        assert_eq!(rates.host_depth(), 0);
        rates.board(2, Some(1_200_000.0), 25e6);
        // Some 50,000 jobs a second, and so 20 µs or 440 slots for each.
        assert_eq!(rates.host_depth(), 4, "if one of them is slow");
        rates.board(2, Some(11_520.0), 25e6);
        assert_eq!(rates.host_depth(), MOST_DEPTH - 1, "if it is very slow");
        let mut rates = JobRates::new(1);
        rates.board(1, None, 25e6);
        assert_eq!(rates.host_depth(), 1, "if nobody knows");
    }

    #[test]
    fn what_is_measured_counts() {
        let mut rates = JobRates::new(1);
        rates.board(1, Some(1_200_000.0), 25e6);
        let before = rates.leaf_depth(12);
        let tiny = Outcome {
            ending: Ending::Upper,
            score: 0,
            best: Move::NONE,
            nodes: 10,
            slots: 30,
        };
        for _ in 0..1000 {
            rates.count(before, &tiny);
        }
        assert!(rates.leaf_depth(12) > before);
        assert_eq!(rates.leaf_depth(before), before);
    }
}
