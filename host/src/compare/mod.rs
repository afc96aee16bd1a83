//! Accelerated against software, honestly: the same positions to the same depth, and what stands in the way.

mod clock;
mod engine;
mod html;
mod leaves;
mod outcome;
mod plot;
mod sweep;
mod verdict;

pub use clock::by_clock;
pub use engine::{Engine, EngineError};
pub use html::page;
pub use leaves::{LeafFactors, LeafRow, leaf_factors};
pub use outcome::{
    Asked, BoardFigures, ClockRow, Column, Comparison, CostFigures, DepthRow, EngineColumn, Hardware, Row, SweepRow,
    Total,
};
pub use sweep::{Sweep, sweeps};
pub use verdict::{limit, verdict};

use std::time::Duration;

use bluebelle_sim::LeafCache;
use bluebelle_spec::Move;

use crate::accelerated::Style;
use crate::backend::Backend;
use crate::epd::Problem;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::projection::{CpuTime, Diary, HostCost, Iteration, Projected, Setup, project, share};
use crate::report::{Line, Listener};
use crate::search::{Settings, Software};

/// What the host's work costs where nothing may depend on the machine: what one core of a server took for it, by `cargo bench
/// --bench host_cost`.
pub const FIXED_COST: HostCost = HostCost::Fixed {
    node: Duration::from_nanos(1_500),
    leaf: Duration::from_nanos(600),
    leaf_node: Duration::from_nanos(110),
    job: Duration::from_nanos(1_000),
    carried: Duration::from_nanos(1_000),
    software_node: Duration::from_nanos(FIXED_SOFTWARE_NODE as u64),
};

/// Nanoseconds for a node of the software search, on the same core in the same hour.
pub const FIXED_SOFTWARE_NODE: f64 = 420.0;

/// How the software search is timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoftwareClock {
    /// By the processor time of its one thread; by the clock on the wall for several.
    Measured,
    /// So many nanoseconds a node.
    Fixed(f64),
}

/// A search of one position: its iterations, and what the hardware did if that is known.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// Depth by depth.
    pub iterations: Vec<Iteration>,
    /// What the hardware did; its overhead is not known yet.
    pub hardware: Option<Hardware>,
    /// Seconds that the whole search took.
    pub time: f64,
    /// Warnings of boards.
    pub warnings: Vec<String>,
}

/// Searches a position in software.
pub fn search_software(
    software: &mut Software,
    game: &Game,
    limits: &Limits,
    threads: usize,
    clock: SoftwareClock,
) -> Searched {
    let settings = Settings {
        threads,
        overhead: Duration::ZERO,
        ..Settings::default()
    };
    software.clear();
    let diary = TimedDiary {
        diary: Diary::default(),
        began: CpuTime::now(),
        clock: match (clock, threads) {
            (SoftwareClock::Fixed(nanoseconds), _) => DiaryClock::Nodes(nanoseconds),
            (SoftwareClock::Measured, 1) => DiaryClock::Processor,
            (SoftwareClock::Measured, _) => DiaryClock::Wall,
        },
    };
    software.search(game, limits, &settings, &Control::new(false), &diary);
    Searched::of(diary.diary.iterations())
}

/// Searches a position with real accelerators.
pub fn search_measured(backend: &mut dyn Backend, game: &Game, limits: &Limits) -> Searched {
    backend.clear();
    let diary = Diary::default();
    let settings = Settings {
        overhead: Duration::ZERO,
        ..Settings::default()
    };
    backend.search(game, limits, &settings, &Control::new(false), &diary);
    Searched::of(diary.iterations())
}

/// Searches a position in virtual time.
///
/// # Errors
/// If the system gives no runtime.
pub fn search_projected(setup: &Setup, game: &Game, limits: &Limits, cache: &LeafCache) -> std::io::Result<Searched> {
    let projected = project(setup, game, limits, cache)?;
    Ok(Searched {
        hardware: Some(hardware(&projected, setup)),
        time: projected.outcome.time.as_secs_f64(),
        warnings: projected.warnings,
        iterations: projected.iterations,
    })
}

/// The slots of the same search with one job at a time, to a depth.
///
/// # Errors
/// If the system gives no runtime.
pub fn serial_slots(setup: &Setup, game: &Game, depth: i32, cache: &LeafCache) -> std::io::Result<u64> {
    let serial = Setup {
        boards: 1,
        style: Style {
            concurrent: false,
            ..setup.style
        },
        ..*setup
    };
    let limits = Limits {
        depth: u32::try_from(depth).ok(),
        ..Limits::default()
    };
    Ok(project(&serial, game, &limits, cache)?.slots())
}

/// Seconds to a depth of the same tree without a board: what of the speed-up is not the board's.
///
/// # Errors
/// If the system gives no runtime.
pub fn alone_time(setup: &Setup, game: &Game, depth: i32, cache: &LeafCache) -> std::io::Result<f64> {
    let alone = Setup {
        boards: 1,
        style: Style::without_boards(),
        ..*setup
    };
    let limits = Limits {
        depth: u32::try_from(depth).ok(),
        ..Limits::default()
    };
    let projected = project(&alone, game, &limits, cache)?;
    let last = projected.iterations.last();
    Ok(last.map_or(0.0, |iteration| iteration.time.as_secs_f64()))
}

fn hardware(projected: &Projected, setup: &Setup) -> Hardware {
    let (link_out, link_in) = projected.link_busy(setup);
    Hardware {
        busy: projected.hardware_busy(setup),
        link_out,
        link_in,
        host_busy: projected.host_busy(),
        lines_busy: projected.lines_busy(),
        slots: projected.slots(),
        overhead: f64::NAN,
        jobs: projected.metered.jobs,
        used: projected.results,
        nodes_per_job: share(projected.result_nodes as f64, projected.results as f64),
    }
}

impl Searched {
    fn of(iterations: Vec<Iteration>) -> Searched {
        Searched {
            time: iterations.last().map_or(0.0, |last| last.time.as_secs_f64()),
            iterations,
            ..Searched::default()
        }
    }

    fn last_depth(&self) -> i32 {
        self.iterations.last().map_or(0, |last| last.depth)
    }

    fn at(&self, depth: i32) -> Option<&Iteration> {
        self.iterations.iter().find(|iteration| iteration.depth == depth)
    }

    /// When the wanted move was found and kept.
    fn found(&self, problem: &Problem) -> Option<f64> {
        if !problem.wants_a_move() {
            return None;
        }
        let wrong = self
            .iterations
            .iter()
            .rposition(|iteration| !problem.is_solved_by(iteration.best));
        let first_right = wrong.map_or(0, |wrong| wrong + 1);
        self.iterations
            .get(first_right)
            .map(|iteration| iteration.time.as_secs_f64())
    }

    fn column(&self, problem: &Problem, depth: i32) -> Column {
        let none = Iteration {
            depth: 0,
            time: Duration::ZERO,
            nodes: 0,
            best: Move::NONE,
            score: 0,
        };
        let iteration = self.at(depth).unwrap_or(&none);
        let time = iteration.time.as_secs_f64();
        Column {
            time,
            nodes: iteration.nodes,
            nps: share(iteration.nodes as f64, time),
            best: iteration.best.to_string(),
            score: iteration.score,
            found: self.found(problem),
        }
    }
}

/// One position's row: both to the depth that both have reached.
pub fn row(problem: &Problem, software: &Searched, accelerated: &Searched) -> Row {
    let depth = software.last_depth().min(accelerated.last_depth());
    let (ours, theirs) = (accelerated.column(problem, depth), software.column(problem, depth));
    Row {
        id: problem.id.clone(),
        fen: problem.fen.to_string(),
        depth,
        speedup: share(theirs.time, ours.time),
        software: theirs,
        accelerated: ours,
        host_alone: None,
        hardware: accelerated.hardware,
        engines: Vec::new(),
    }
}

/// The total of all rows, whose searches took so many seconds with hardware.
pub fn total(rows: &[Row], problems: &[Problem], whole_times: &[f64]) -> Total {
    let sum = |each: &dyn Fn(&Row) -> f64| rows.iter().map(each).sum::<f64>();
    // Shares of time weigh as much as the time does.
    let whole: f64 = whole_times.iter().sum();
    let weighed = |each: &dyn Fn(&Hardware) -> f64| {
        let known = rows.iter().all(|row| row.hardware.is_some());
        let shares = rows
            .iter()
            .zip(whole_times)
            .filter_map(|(row, time)| Some(each(row.hardware.as_ref()?) * time));
        match known {
            true => share(shares.sum(), whole),
            false => f64::NAN,
        }
    };
    let hardware = |each: &dyn Fn(&Hardware) -> f64| sum(&|row| row.hardware.as_ref().map_or(0.0, each));
    let software_time = sum(&|row| row.software.time);
    let accelerated_time = sum(&|row| row.accelerated.time);
    let host_alone_time = sum(&|row| row.host_alone.unwrap_or(f64::NAN));
    let software_nodes = sum(&|row| row.software.nodes as f64);
    let accelerated_nodes = sum(&|row| row.accelerated.nodes as f64);
    let (slots, serial_slots) = (
        hardware(&|hardware| hardware.slots as f64),
        hardware(&|hardware| hardware.slots as f64 / hardware.overhead),
    );
    let solved = |best: &dyn Fn(&Row) -> &str| {
        let pairs = rows.iter().zip(problems);
        let is_solved = |(row, problem): &(&Row, &Problem)| {
            let wanted = problem.best.iter().any(|mv| mv.to_string() == best(row));
            let avoided = !problem.avoid.iter().any(|mv| mv.to_string() == best(row));
            (wanted || problem.best.is_empty()) && avoided && problem.wants_a_move()
        };
        pairs.filter(is_solved).count()
    };
    let (link_busy_out, link_busy_in) = (
        weighed(&|hardware| hardware.link_out),
        weighed(&|hardware| hardware.link_in),
    );
    Total {
        positions: rows.len(),
        software_time,
        accelerated_time,
        speedup: share(software_time, accelerated_time),
        host_alone_time,
        board_gain: share(host_alone_time, accelerated_time),
        hardware_busy: weighed(&|hardware| hardware.busy),
        link_busy: link_busy_out.max(link_busy_in),
        link_busy_out,
        link_busy_in,
        host_busy: weighed(&|hardware| hardware.host_busy),
        lines_busy: weighed(&|hardware| hardware.lines_busy),
        overhead: share(slots, serial_slots),
        node_factor: share(accelerated_nodes, software_nodes),
        software_nps: share(software_nodes, software_time),
        accelerated_nps: share(accelerated_nodes, accelerated_time),
        jobs: hardware(&|hardware| hardware.jobs as f64) as u64,
        nodes_per_job: share(
            hardware(&|hardware| hardware.nodes_per_job * hardware.used as f64),
            hardware(&|hardware| hardware.used as f64),
        ),
        same_move: rows
            .iter()
            .filter(|row| row.software.best == row.accelerated.best)
            .count(),
        software_solved: solved(&|row| &row.software.best),
        accelerated_solved: solved(&|row| &row.accelerated.best),
    }
}

/// Depth by depth, as far as all have come.
pub fn by_depth(pairs: &[(Searched, Searched)]) -> Vec<DepthRow> {
    let deepest = pairs
        .iter()
        .map(|(software, accelerated)| software.last_depth().min(accelerated.last_depth()));
    let deepest = deepest.max().unwrap_or(0);
    let at = |depth| {
        let both = pairs
            .iter()
            .filter_map(|(software, accelerated)| Some((software.at(depth)?, accelerated.at(depth)?)));
        let (mut positions, mut software_time, mut accelerated_time) = (0, 0.0, 0.0);
        for (software, accelerated) in both {
            positions += 1;
            software_time += software.time.as_secs_f64();
            accelerated_time += accelerated.time.as_secs_f64();
        }
        DepthRow {
            depth,
            positions,
            software_time,
            accelerated_time,
            speedup: share(software_time, accelerated_time),
        }
    };
    (1..=deepest).map(at).filter(|row| row.positions > 0).collect()
}

/// A diary by another clock.
struct TimedDiary {
    diary: Diary,
    began: CpuTime,
    clock: DiaryClock,
}

enum DiaryClock {
    Wall,
    Processor,
    Nodes(f64),
}

impl Listener for TimedDiary {
    fn line(&self, line: &Line) {
        let time = match self.clock {
            DiaryClock::Wall => line.time,
            DiaryClock::Processor => self.began.elapsed(),
            DiaryClock::Nodes(nanoseconds) => Duration::from_secs_f64(line.nodes as f64 * nanoseconds / 1e9),
        };
        self.diary.line(&Line { time, ..line.clone() });
    }
}
