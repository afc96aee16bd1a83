use std::collections::BTreeMap;

/// How many nodes a leaf must have to be worth a job.
///
/// To ask for a job takes the host and the line some time, in which the golden search does some nodes on the host itself. Few
/// leaves have as many, and those have most of the nodes; which ones, nobody knows before. So the host tries each leaf
/// for so many nodes, and only those that are not done then are jobs.
#[derive(Clone, Debug, Default)]
pub struct JobWorth {
    /// What a job takes the line of each board, in seconds.
    lines: BTreeMap<usize, f64>,
}

/// Bytes of a result among others on the wire. A job alone has more, but to try leaves for as long as that takes was no faster.
const BYTES_A_RESULT: f64 = 17.0;

/// What of a line's rate is used: aborts and second thoughts travel too.
const SHARE_OF_LINE: f64 = 0.7;

/// What a job takes the search itself, in seconds, however fast the line; `cargo bench --bench host_cost` measures it.
const HOST_SECONDS_A_JOB: f64 = 2e-6;

/// What a job takes to find its way to a worker and back: threads have to be woken.
const WORKER_SECONDS_A_JOB: f64 = 25e-6;

/// Nodes a second of the golden search on one thread.
const HOST_NODES_PER_SECOND: f64 = 8e6;

impl JobWorth {
    /// A board is there. Its line takes so many bytes a second, if anybody knows.
    pub fn board(&mut self, seat: usize, bytes_per_second: Option<f64>) {
        let seconds = bytes_per_second.map_or(0.0, |bytes| BYTES_A_RESULT / SHARE_OF_LINE / bytes);
        self.lines.insert(seat, seconds);
    }

    /// For the slowest of the boards, or for workers if there is none.
    pub fn nodes(&self) -> u32 {
        let slowest = self.lines.values().copied().reduce(f64::max);
        let seconds = slowest.unwrap_or(WORKER_SECONDS_A_JOB).max(HOST_SECONDS_A_JOB);
        // Rounded towards zero; a line that takes minutes for a byte gets no jobs.
        (seconds * HOST_NODES_PER_SECOND) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_lines_want_larger_jobs() {
        let mut worth = JobWorth::default();
        assert_eq!(worth.nodes(), 200, "without boards");
        worth.board(1, Some(1e8));
        assert_eq!(worth.nodes(), 16, "the host is slower than the line");
        worth.board(1, None);
        assert_eq!(worth.nodes(), 16, "nobody knows the line");
        // 3 Mbaud: some 12,400 jobs a second.
        worth.board(2, Some(300_000.0));
        assert_eq!(worth.nodes(), 647, "one of two lines is slow");
        worth.board(2, Some(1.0));
        assert!(worth.nodes() > 100_000_000);
        worth.board(2, Some(0.0));
        assert_eq!(worth.nodes(), u32::MAX);
    }
}
