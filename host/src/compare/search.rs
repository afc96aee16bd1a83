//! Both searches of one position, with empty tables.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bluebelle_spec::Move;
use bluebelle_spec::wire::Status;

use super::outcome::{Column, Hardware};
use crate::backend::Backend;
use crate::epd::Problem;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::pool::Pool;
use crate::projection::{CpuTime, Diary, Iteration, Projection, share};
use crate::report::{Line, Listener, Outcome};
use crate::search::{Settings, Software};

/// How the software search is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoftwareClock {
    /// The clock on the wall.
    Wall,
    /// The processor time of its one thread, as a projection charges its host where nothing is
    /// fixed.
    Processor,
    /// A fixed time for a node. The time of a move is then a number of nodes, whatever this machine
    /// is.
    Fixed(Duration),
}

/// A search of one position.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Depth by depth.
    pub iterations: Vec<Iteration>,
    /// How it ended: the last depth, the whole time and all nodes, and the move that is played.
    pub end: Iteration,
    /// What the hardware did: nothing, for software.
    pub hardware: Hardware,
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
    let limits = match (clock, limits.movetime) {
        (SoftwareClock::Fixed(node), Some(time)) => Limits {
            nodes: u64::try_from(time.as_nanos() / node.as_nanos().max(1)).ok(),
            movetime: None,
            ..limits.clone()
        },
        _ => limits.clone(),
    };
    software.clear();
    let diary = TimedDiary::new(match clock {
        SoftwareClock::Fixed(node) => DiaryClock::Nodes(node),
        SoftwareClock::Processor => DiaryClock::Processor(CpuTime::now()),
        SoftwareClock::Wall => DiaryClock::Wall,
    });
    let outcome = software.search(game, &limits, &settings(threads), &Control::new(false), &diary);
    let time = diary.clock.time(outcome.nodes, outcome.time);
    Searched::new(diary.diary.iterations(), &outcome, time)
}

/// Searches a position with real accelerators.
pub fn search_measured(backend: &mut dyn Backend, game: &Game, limits: &Limits, threads: usize) -> Searched {
    backend.clear();
    let before = Counted::by(backend);
    let diary = TimedDiary::new(DiaryClock::Wall);
    let outcome = backend.search(game, limits, &settings(threads), &Control::new(false), &diary);
    let after = Counted::by(backend);
    let has_model = backend.pool().is_some_and(Pool::has_model);
    let boards = after.board_jobs - before.board_jobs;
    let workers = after.worker_jobs - before.worker_jobs;
    let mut warnings = std::mem::take(&mut *diary.messages.lock().unwrap_or_else(PoisonError::into_inner));
    if workers > 0 && !has_model {
        warnings.push(format!(
            "{workers} of {} jobs were done by this machine, because no board did them",
            boards + workers
        ));
    }
    Searched {
        hardware: Hardware {
            jobs: boards + if has_model { workers } else { 0 },
            job_nodes: if has_model {
                after.nodes - before.nodes
            } else {
                after.board_nodes - before.board_nodes
            },
            chip_busy: busy(&before.boards, &after.boards),
            ..Hardware::default()
        },
        warnings,
        ..Searched::new(diary.diary.iterations(), &outcome, outcome.time)
    }
}

/// How long boards may take to tell their counters.
const COUNTERS: Duration = Duration::from_millis(500);

/// What a pool and its boards have counted.
#[derive(Default)]
struct Counted {
    board_jobs: u64,
    worker_jobs: u64,
    nodes: u64,
    board_nodes: u64,
    boards: Vec<Option<Status>>,
}

impl Counted {
    fn by(backend: &dyn Backend) -> Counted {
        let Some(pool) = backend.pool() else {
            return Counted::default();
        };
        let (board_jobs, worker_jobs) = pool.jobs_done();
        Counted {
            board_jobs,
            worker_jobs,
            nodes: pool.nodes(),
            board_nodes: pool.board_nodes(),
            boards: pool.counters(COUNTERS),
        }
    }
}

/// The share of the boards' slots that jobs had in between, from the chips' own counters. `None` if
/// there is no board, or one did not tell or has begun to count anew.
fn busy(before: &[Option<Status>], after: &[Option<Status>]) -> Option<f64> {
    let between = |(before, after): (&Option<Status>, &Option<Status>)| {
        let (before, after) = (before.as_ref()?, after.as_ref()?);
        let busy = after.slots_busy.checked_sub(before.slots_busy)?;
        let total = after.slots_total.checked_sub(before.slots_total)?;
        Some((busy, total))
    };
    let slots: Vec<(u64, u64)> = before.iter().zip(after).map(between).collect::<Option<_>>()?;
    let (busy, total) = slots
        .iter()
        .fold((0, 0), |sum: (u64, u64), one| (sum.0 + one.0, sum.1 + one.1));
    (total > 0).then(|| busy as f64 / total as f64)
}

/// Searches a position in virtual time.
///
/// # Errors
/// If the system gives no runtime.
pub fn search_projected(projection: &mut Projection, game: &Game, limits: &Limits) -> std::io::Result<Searched> {
    projection.clear();
    let projected = projection.search(game, limits)?;
    let setup = projection.setup();
    let (line_out, line_in) = projected.link_busy(setup);
    // What is not there is not idle.
    let of_boards = |share: f64| (setup.boards > 0).then_some(share);
    let hardware = Hardware {
        jobs: projected.results,
        job_nodes: projected.result_nodes,
        host_busy: Some(projected.host_busy()),
        // Bytes count when they are handed over: a slow line may still have them when the search
        // ends.
        line_busy: of_boards(line_out.max(line_in).min(1.0)),
        chip_busy: of_boards(projected.hardware_busy(setup)),
    };
    Ok(Searched {
        hardware,
        warnings: projected.warnings,
        ..Searched::new(projected.iterations, &projected.outcome, projected.outcome.time)
    })
}

fn settings(threads: usize) -> Settings {
    Settings {
        threads,
        overhead: Duration::ZERO,
        ..Settings::default()
    }
}

impl Searched {
    fn new(iterations: Vec<Iteration>, outcome: &Outcome, time: Duration) -> Searched {
        let end = Iteration {
            depth: outcome.lines.first().map_or(0, |line| line.depth),
            time,
            nodes: outcome.nodes,
            best: outcome.best(),
            score: outcome.score(),
        };
        Searched {
            iterations,
            end,
            hardware: Hardware::default(),
            warnings: Vec::new(),
        }
    }

    /// A search that ends with its last iteration.
    #[cfg(test)]
    pub(super) fn of(iterations: Vec<Iteration>) -> Searched {
        let end = *iterations.last().expect("an iteration");
        Searched {
            iterations,
            end,
            hardware: Hardware::default(),
            warnings: Vec::new(),
        }
    }

    /// When the wanted move was found and kept.
    fn found(&self, problem: &Problem) -> Option<Duration> {
        if !problem.wants_a_move() || !problem.is_solved_by(self.end.best) {
            return None;
        }
        let is_wrong = |iteration: &Iteration| !problem.is_solved_by(iteration.best);
        let first_right = self.iterations.iter().rposition(is_wrong).map_or(0, |wrong| wrong + 1);
        // The last iteration may have ended before its time, and still have changed the move.
        Some(self.iterations.get(first_right).unwrap_or(&self.end).time)
    }

    pub(super) fn column(&self, problem: &Problem) -> Column {
        let Iteration {
            depth,
            time,
            nodes,
            best,
            score,
        } = self.end;
        Column {
            depth,
            best: if best == Move::NONE {
                "none".to_owned()
            } else {
                best.to_string()
            },
            score,
            time: time.as_secs_f64(),
            nodes,
            nps: share(nodes as f64, time.as_secs_f64()),
            found: self.found(problem).map(|time| time.as_secs_f64()),
        }
    }
}

/// A diary by another clock, which keeps messages too.
struct TimedDiary {
    diary: Diary,
    clock: DiaryClock,
    messages: Mutex<Vec<String>>,
}

enum DiaryClock {
    Wall,
    Processor(CpuTime),
    Nodes(Duration),
}

impl DiaryClock {
    /// The time after some nodes; `wall` is that of the clock on the wall.
    fn time(&self, nodes: u64, wall: Duration) -> Duration {
        match self {
            DiaryClock::Wall => wall,
            DiaryClock::Processor(began) => began.elapsed(),
            DiaryClock::Nodes(node) => Duration::from_nanos(nodes.saturating_mul(node.as_nanos() as u64)),
        }
    }
}

impl TimedDiary {
    fn new(clock: DiaryClock) -> TimedDiary {
        TimedDiary {
            diary: Diary::default(),
            clock,
            messages: Mutex::default(),
        }
    }
}

impl Listener for TimedDiary {
    fn line(&self, line: &Line) {
        let time = self.clock.time(line.nodes, line.time);
        self.diary.line(&Line { time, ..line.clone() });
    }

    fn message(&self, text: &str) {
        self.messages
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(text.to_owned());
    }
}
