use crate::position::Position;
use crate::types::Move;

/// The score of a mate on the spot. Being mated *n* plies below the root of a job scores `-(MATE - n)`.
pub const MATE: i16 = 30_000;

/// The deepest search that a job may ask for. Five bits can say more, but the chip's stack ends at [`MAX_PLY`], and quiescence wants plies too.
pub const MAX_DEPTH: u8 = 24;

/// The deepest perft that a job may ask for.
pub const MAX_PERFT_DEPTH: u8 = 6;

/// A node at this distance from the root is not searched further: the chip's stack ends here.
pub const MAX_PLY: u8 = 31;

/// The most nodes that a job visits, and what a limit of 0 means.
pub const MAX_NODES: u32 = 1 << 28;

/// What a job asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// Is the value of the position at least `beta`? Alpha-beta to `depth`, then quiescence.
    Search {
        /// Plies before quiescence, at most [`MAX_DEPTH`].
        depth: u8,
        /// The null window is from `beta - 1` to `beta`; from `1 - MATE` to `MATE`.
        beta: i16,
    },
    /// How many legal sequences of `depth` moves are there?
    Perft {
        /// Their length, at most [`MAX_PERFT_DEPTH`].
        depth: u8,
    },
}

/// One piece of work for one hardware thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Where to start.
    pub position: Position,
    /// A move to make first, as in a batch of siblings; [`Move::NONE`] to start from the position itself.
    pub first: Move,
    /// What to do there.
    pub task: Task,
    /// Stop after this many nodes; 0 for [`MAX_NODES`].
    pub node_limit: u32,
    /// Search by the rules of [`crate::leaf::pruning`] too. Without it, the answer is that of minimax. Perft knows no pruning.
    pub pruning: bool,
    /// A job that prunes may be searched by all threads of a core together, by the rules of [`crate::leaf::gang`]. The answer is the same,
    /// sooner, but for the move that proves it.
    pub gang: bool,
}

impl Job {
    /// A job without a first move, without a node limit and without pruning.
    pub const fn new(position: Position, task: Task) -> Job {
        Job {
            position,
            first: Move::NONE,
            task,
            node_limit: 0,
            pruning: false,
            gang: false,
        }
    }

    /// The most nodes that it visits.
    pub fn most_nodes(&self) -> u32 {
        match self.node_limit {
            0 => MAX_NODES,
            limit => limit.min(MAX_NODES),
        }
    }
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ending {
    /// The value is at least the score.
    Lower = 1,
    /// The value is at most the score.
    Upper = 2,
    /// All sequences are counted.
    Counted = 3,
    /// The node limit was reached: nothing is known.
    Limit = 4,
    /// The job was aborted: nothing is known.
    Aborted = 5,
    /// The side that has just moved can lose its king: the first move was not legal.
    Illegal = 6,
}

/// What a job found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended, and so what the score means.
    pub ending: Ending,
    /// `beta` for [`Ending::Lower`], `beta - 1` for [`Ending::Upper`], else 0.
    pub score: i16,
    /// The move that proves [`Ending::Lower`]; [`Move::NONE`] if none was needed, or for any other ending.
    pub best: Move,
    /// Positions visited; for perft, sequences counted.
    pub nodes: u32,
    /// Trips round the ring; see [`crate::leaf::slots`]. Of a gang, those of the thread that took the job, from its first piece to the end.
    pub slots: u32,
}
