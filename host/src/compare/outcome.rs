//! What a comparison comes to, as scripts see it. What is not known is `null`.

use serde::Serialize;

use super::strength::Strength;
use crate::projection::HostCost;

/// A whole comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Of the engine.
    pub version: &'static str,
    /// `projected`, `hypothetical` (projected for a board that was never routed so) or `measured`.
    pub accelerated_is: &'static str,
    /// `measured`, or `fixed cost` if nothing here depends on this machine.
    pub software_is: &'static str,
    /// The board, if it is not a real one.
    pub board: Option<BoardFigures>,
    /// What both searches were asked for.
    pub asked: Asked,
    /// What the host's own work was charged with; `None` if it is measured.
    pub host_cost: Option<CostFigures>,
    /// Position by position.
    pub positions: Vec<Row>,
    /// All of them.
    pub total: Total,
    /// Wanted moves by the clock, as long as both searches go on.
    pub by_clock: Vec<ClockRow>,
    /// What matches at several odds say, by the time of a move.
    pub strength: Vec<Strength>,
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
    /// Bytes a second of the line.
    pub bytes_per_second: f64,
    /// From the end of a byte on the line to whoever waits for it.
    pub latency_us: f64,
    /// The line in words, and where its figures are from.
    pub line: String,
    /// Slots a second of all cores.
    pub slots_per_second: f64,
}

/// What both searches were asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Asked {
    /// Plies, instead of time.
    pub depth: Option<u32>,
    /// Seconds for each position and each search.
    pub time: Option<f64>,
    /// The real accelerators, as they were named.
    pub accelerators: Option<String>,
    /// Threads of the host of the accelerated search.
    pub threads: usize,
    /// Threads of the software search.
    pub software_threads: usize,
    /// Mebibytes for each transposition table.
    pub hash: usize,
    /// Of everything that is drawn at random.
    pub seed: Option<u64>,
}

/// Nanoseconds for each piece of the host's work.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CostFigures {
    /// A node of the search.
    pub node: f64,
    /// A job: to ask for it, and to hear its result.
    pub job: f64,
    /// To write a job to a line, or to read a result.
    pub carried: f64,
}

impl CostFigures {
    /// `None` if the cost is what it happens to be.
    pub fn of(cost: HostCost) -> Option<CostFigures> {
        let HostCost::Fixed { node, job, carried } = cost else {
            return None;
        };
        let [node, job, carried] = [node, job, carried].map(|time| time.as_secs_f64() * 1e9);
        Some(CostFigures { node, job, carried })
    }
}

/// One position.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The position.
    pub fen: String,
    /// Whether the file says which move to find or to avoid.
    pub wants_a_move: bool,
    /// Software alone.
    pub software: Column,
    /// With hardware.
    pub accelerated: Column,
    /// What the hardware did.
    pub hardware: Hardware,
    /// Other engines, in the order of the command line.
    pub engines: Vec<EngineColumn>,
    /// What boards had to say.
    pub warnings: Vec<String>,
}

/// One search of one position.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Plies of the last iteration.
    pub depth: i32,
    /// The best move.
    pub best: String,
    /// Its score, in centipawns for the side to move.
    pub score: i32,
    /// Seconds.
    pub time: f64,
    /// Nodes.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: f64,
    /// When the wanted move was found and kept, in seconds; `None` if it is not the best move at
    /// the end, or none is wanted.
    pub found: Option<f64>,
}

/// What the hardware did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Hardware {
    /// Jobs whose results were of use.
    pub jobs: u64,
    /// Their nodes.
    pub job_nodes: u64,
    /// The share of the time that the host's first thread had something to do.
    pub host_busy: Option<f64>,
    /// The share of the time that the busier direction of the lines had bytes.
    pub line_busy: Option<f64>,
    /// The share of the cores' slots that jobs had.
    pub chip_busy: Option<f64>,
}

impl Hardware {
    /// Nodes of a job; `None` if there was none.
    pub fn nodes_per_job(&self) -> Option<f64> {
        (self.jobs > 0).then(|| self.job_nodes as f64 / self.jobs as f64)
    }
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
    /// Positions that want a move.
    pub wanting: usize,
    /// Positions in which both play the same move.
    pub same_move: usize,
    /// Software alone.
    pub software: SearchTotal,
    /// With hardware.
    pub accelerated: SearchTotal,
    /// What the hardware did; shares are those of the whole time.
    pub hardware: Hardware,
}

/// One search of all positions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SearchTotal {
    /// Seconds.
    pub time: f64,
    /// Nodes.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: f64,
    /// Positions whose wanted move is the best one at the end.
    pub found: usize,
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
