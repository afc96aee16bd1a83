//! What a comparison comes to, as scripts see it.

use std::time::Duration;

use serde::Serialize;

use crate::projection::HostCost;

/// A whole comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// `projected`, `hypothetical` (projected for a board that was never routed so) or `measured`.
    pub accelerated_is: &'static str,
    /// `measured`, or `fixed cost` if nothing here depends on this machine.
    pub software_is: &'static str,
    /// The board, if it is not a real one.
    pub board: Option<BoardFigures>,
    /// What both searches were asked for.
    pub asked: Asked,
    /// What the host's own work was charged with, in nanoseconds.
    pub host_cost: Option<CostFigures>,
    /// Position by position.
    pub positions: Vec<Row>,
    /// All of them.
    pub total: Total,
    /// Depth by depth, over the positions that both have reached.
    pub by_depth: Vec<DepthRow>,
    /// Wanted moves after so many seconds, as long as both searches go on.
    pub by_clock: Vec<ClockRow>,
    /// The same search on other boards, if that was asked for.
    pub sweeps: Vec<SweepRow>,
    /// In words.
    pub verdict: String,
}

/// The board that the projection is for.
#[derive(Clone, Debug, Serialize)]
pub struct BoardFigures {
    /// Its name.
    pub name: String,
    /// How many of them.
    pub boards: usize,
    /// Cores of each.
    pub cores: usize,
    /// Threads of a core.
    pub threads: u8,
    /// Cycles of a slot.
    pub stages: u8,
    /// The clock.
    pub mhz: f64,
    /// Where cores and clock are from.
    pub source: String,
    /// The line.
    pub bytes_per_second: f64,
    /// From the end of a byte on the line to whoever waits for it.
    pub latency_us: f64,
    /// The line in words, and where its figures are from.
    pub line: String,
    /// Slots a second of all cores.
    pub slots_per_second: f64,
}

/// What both searches were asked for.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Asked {
    /// Plies.
    pub depth: Option<u32>,
    /// Seconds for each position.
    pub time: Option<f64>,
    /// Threads of the software search.
    pub software_threads: usize,
    /// Plies of a leaf; 0 adapts.
    pub leaf_depth: u8,
    /// Whether the software search leads, and the tree with hardware scouts for it.
    pub led: bool,
    /// Mebibytes for each transposition table.
    pub hash: usize,
    /// Of everything that is drawn at random.
    pub seed: Option<u64>,
}

/// Nanoseconds for each piece of the host's work.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CostFigures {
    /// A node of the upper tree.
    pub node: f64,
    /// A leaf that the host tries itself.
    pub leaf: f64,
    /// Each of its nodes.
    pub leaf_node: f64,
    /// A job.
    pub job: f64,
    /// A job or a result, for the thread of the lines.
    pub carried: f64,
    /// A node of the software search, if it leads.
    pub software_node: f64,
}

impl CostFigures {
    /// `None` if the cost is what it happens to be.
    pub fn of(cost: HostCost) -> Option<CostFigures> {
        let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9;
        match cost {
            HostCost::Measured => None,
            HostCost::Fixed {
                node,
                leaf,
                leaf_node,
                job,
                carried,
                software_node,
            } => Some(CostFigures {
                node: nanoseconds(node),
                leaf: nanoseconds(leaf),
                leaf_node: nanoseconds(leaf_node),
                job: nanoseconds(job),
                carried: nanoseconds(carried),
                software_node: nanoseconds(software_node),
            }),
        }
    }
}

/// One position.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The position.
    pub fen: String,
    /// Plies that both have reached: times and nodes are those to this depth.
    pub depth: i32,
    /// Software alone.
    pub software: Column,
    /// With hardware at the leaves.
    pub accelerated: Column,
    /// How many times sooner that was done.
    pub speedup: f64,
    /// Seconds that the accelerated search's tree takes without a board, all leaves on the host; `None` if it was not projected.
    pub host_alone: Option<f64>,
    /// What the hardware did, if it is known.
    pub hardware: Option<Hardware>,
    /// Other engines, in the order of the command line.
    pub engines: Vec<EngineColumn>,
}

/// One search of one position.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Seconds.
    pub time: f64,
    /// Nodes.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: f64,
    /// The best move.
    pub best: String,
    /// Its score, in centipawns for the side to move.
    pub score: i32,
    /// When the move that the suite wants was found and kept, in seconds; `None` if it was not, or none is wanted.
    pub found: Option<f64>,
}

/// What the hardware did for a position.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Hardware {
    /// The share of the cores' slots that jobs had.
    pub busy: f64,
    /// The share of the line's time, to the board.
    pub link_out: f64,
    /// And from it.
    pub link_in: f64,
    /// The share of the time of the host's thread that has the tree.
    pub host_busy: f64,
    /// The share of the time of its thread that writes jobs to the lines, and reads and checks results.
    pub lines_busy: f64,
    /// Slots of all leaves: of jobs that were abandoned too, and of leaves that the host searched.
    pub slots: u64,
    /// These, compared with the same search with one job at a time.
    pub overhead: f64,
    /// Jobs that the boards had.
    pub jobs: u64,
    /// Of these, those whose results were of use.
    pub used: u64,
    /// Nodes of a result.
    pub nodes_per_job: f64,
}

/// Another engine on one position.
#[derive(Clone, Debug, Serialize)]
pub struct EngineColumn {
    /// Its name.
    pub name: String,
    /// Nodes a second, as it says.
    pub nps: f64,
    /// The depth it says that it has reached.
    pub depth: u32,
    /// The best move.
    pub best: String,
    /// When the move that the suite wants was found and kept, in seconds.
    pub found: Option<f64>,
}

/// All positions together.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Total {
    /// Positions.
    pub positions: usize,
    /// Seconds to the common depths.
    pub software_time: f64,
    /// Seconds to the common depths.
    pub accelerated_time: f64,
    /// How many times sooner the accelerated search was done.
    pub speedup: f64,
    /// Seconds of the same tree without a board; NaN if it was not projected.
    pub host_alone_time: f64,
    /// How many times sooner the board has it done than the host alone.
    pub board_gain: f64,
    /// The share of the cores' slots that jobs had.
    pub hardware_busy: f64,
    /// The busier direction of the link.
    pub link_busy: f64,
    /// To the board.
    pub link_busy_out: f64,
    /// From the board.
    pub link_busy_in: f64,
    /// The host's thread that has the tree.
    pub host_busy: f64,
    /// The host's thread that writes jobs and reads results.
    pub lines_busy: f64,
    /// Slots of all leaves, also of those that were abandoned, compared with the same search with one job at a time.
    pub overhead: f64,
    /// Nodes of the accelerated search, compared with the software search to the same depth.
    pub node_factor: f64,
    /// Nodes a second.
    pub software_nps: f64,
    /// Nodes a second.
    pub accelerated_nps: f64,
    /// Jobs that the boards had.
    pub jobs: u64,
    /// Nodes of a result.
    pub nodes_per_job: f64,
    /// Positions in which both play the same move.
    pub same_move: usize,
    /// Positions whose wanted move the software plays.
    pub software_solved: usize,
    /// Positions whose wanted move the accelerated search plays.
    pub accelerated_solved: usize,
}

/// One depth, over the positions that both have reached.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DepthRow {
    /// Plies.
    pub depth: i32,
    /// How many positions.
    pub positions: usize,
    /// Seconds, of all of them.
    pub software_time: f64,
    /// Seconds, of all of them.
    pub accelerated_time: f64,
    /// The quotient.
    pub speedup: f64,
}

/// What both searches would have played after some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockRow {
    /// Seconds for each position.
    pub seconds: f64,
    /// How many positions want a move.
    pub positions: usize,
    /// How many of them the software would have played.
    pub software_solved: usize,
    /// And the accelerated search.
    pub accelerated_solved: usize,
}

/// The same search on another board.
#[derive(Clone, Debug, Serialize)]
pub struct SweepRow {
    /// What is varied: `cores`, `boards`, `leaf depth` or `link`.
    pub kind: &'static str,
    /// The value that it has here, in words.
    pub label: String,
    /// The value that it has here.
    pub value: f64,
    /// Plies of a leaf; 0 adapts.
    pub leaf_depth: u8,
    /// Against the software search of the same positions.
    pub speedup: f64,
    /// Nodes a second.
    pub nps: f64,
    /// The share of the cores' slots that jobs had.
    pub hardware_busy: f64,
    /// To the board.
    pub link_out: f64,
    /// From the board.
    pub link_in: f64,
    /// The host's thread.
    pub host_busy: f64,
    /// What is the limit.
    pub limit: &'static str,
}
