use bluebelle_sim::{LeafCache, ModelConfig};

use super::{DILATION, HostCost};
use crate::link::{HostClock, LineModel, Timed};
use crate::search::crew::Asking;

/// The chip of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardModel {
    /// How many cores.
    pub cores: usize,
    /// Threads of a core.
    pub threads: u8,
    /// Cycles of a slot.
    pub stages: u8,
    /// Whether a core searches a job by all threads if asked to.
    pub gangs: bool,
    /// Jobs that can wait.
    pub queue: u16,
    /// The clock.
    pub mhz: f64,
}

/// Everything that a projection depends on, besides the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// How many such boards; without any, the software searches alone.
    pub boards: usize,
    /// Each of them.
    pub board: BoardModel,
    /// The line to each of them.
    pub line: LineModel,
    /// What the host's work costs.
    pub host: HostCost,
    /// Threads of the host that search; the first of them has the boards.
    pub threads: usize,
    /// Without boards: questions that a crew has out at once, which the host then answers itself; 0 for no crew. It shows what to
    /// share a tree costs.
    pub crew: usize,
    /// What is asked.
    pub asking: Asking,
    /// Mebibytes for the transposition table.
    pub hash: usize,
}

impl Setup {
    /// The software alone, on one thread.
    pub const fn software(host: HostCost) -> Setup {
        Setup {
            boards: 0,
            board: BoardModel {
                cores: 1,
                threads: 1,
                stages: 1,
                gangs: false,
                queue: 1,
                mhz: 1.0,
            },
            line: LineModel::of_rate(1.0),
            host,
            threads: 1,
            crew: 0,
            asking: Asking {
                from: None,
                races: true,
            },
            hash: 16,
        }
    }

    /// What all cores can do.
    pub fn slots_per_second(&self) -> f64 {
        self.boards.max(1) as f64 * self.board.cores as f64 * self.board.mhz * 1e6
    }

    pub(super) fn board(&self, index: usize, threads: &[&HostClock], cache: &LeafCache) -> Timed {
        let config = ModelConfig {
            cores: self.board.cores as u8,
            threads: self.board.threads,
            stages: self.board.stages,
            gangs: self.board.gangs,
            queue: self.board.queue,
            clock_khz: (self.board.mhz * 1000.0).round() as u32,
        };
        let line = LineModel {
            seed: self.line.seed.wrapping_add(index as u64),
            ..self.line
        };
        let board = Timed::new(&format!("board {}", index + 1), config, self.line.bytes_per_second)
            .behind(line)
            .dilated(DILATION)
            .with_cache(cache.clone());
        threads
            .iter()
            .fold(board, |board, &thread| board.with_host(thread.clone()))
    }
}
