//! How fast would it be? The real search and dispatcher in virtual time, with boards that exist in [`Timed`] only.
//!
//! Tokio's clock is paused: it jumps to whatever comes next once nobody has anything left to do. A job takes its slots ×
//! stages / clock on a hardware thread, bytes take their time on the line, and the host's two threads, that of the tree and that of
//! the lines, are charged for what they do. So a projection takes the same course on every machine, however slow, as long as its costs are given.

mod charge;
mod cost;
mod leader;
mod setup;

pub use cost::{CpuTime, HostCost, Turn, Work, WorkMeter};
pub use setup::{BoardModel, Setup};

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bluebelle_sim::LeafCache;
use bluebelle_spec::Move;
use tokio::runtime::Builder;
use tokio::time::Instant;

use crate::accelerated::{self, Lead, Memory, Task, Timekeeper};
use crate::game::Game;
use crate::limits::Limits;
use crate::link::{HostClock, Link, Metered, Timed};
use crate::pool::{self, Audit, BoardTask, Pool, Timing};
use crate::report::{Line, Listener, Outcome};
use crate::search::Settings;
use charge::{Charged, SharedBill};
use leader::Leader;

/// Seconds of tokio's time for one of the board's: its timers know milliseconds, and a line's latency is microseconds.
pub const DILATION: u32 = 10_000;

/// What became of a search in virtual time.
#[derive(Clone, Debug)]
pub struct Projected {
    /// What it found, in how many nodes and in what time.
    pub outcome: Outcome,
    /// When each depth was done.
    pub iterations: Vec<Iteration>,
    /// What the host's thread did.
    pub work: Work,
    /// How long that took.
    pub host_time: Duration,
    /// The same turn by turn.
    pub turns: Vec<Turn>,
    /// Jobs and results that the thread of the lines wrote and read.
    pub carried: u64,
    /// How long that took it.
    pub carriage: Duration,
    /// What the boards and their lines did, together.
    pub metered: Metered,
    /// Jobs whose results were used, and their nodes.
    pub results: u64,
    /// Their nodes.
    pub result_nodes: u64,
    /// What the boards' tasks had to say: nothing, if all went well.
    pub warnings: Vec<String>,
}

/// A depth that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies.
    pub depth: i32,
    /// Since the search began.
    pub time: Duration,
    /// Since the search began.
    pub nodes: u64,
    /// The best move.
    pub best: Move,
    /// Its score.
    pub score: i32,
}

/// Searches a position in virtual time.
///
/// # Errors
/// If the system gives no runtime.
pub fn project(setup: &Setup, game: &Game, limits: &Limits, cache: &LeafCache) -> std::io::Result<Projected> {
    project_with(setup, game, limits, cache, None)
}

/// The same, and somebody hears of every job whose result is used.
pub(crate) fn project_with(
    setup: &Setup,
    game: &Game,
    limits: &Limits,
    cache: &LeafCache,
    audit: Option<Audit>,
) -> std::io::Result<Projected> {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
    runtime.block_on(search(setup, game, limits, cache, audit))
}

async fn search(
    setup: &Setup,
    game: &Game,
    limits: &Limits,
    cache: &LeafCache,
    audit: Option<Audit>,
) -> std::io::Result<Projected> {
    let (host, lines) = (HostClock::default(), HostClock::default());
    let boards: Vec<Timed> = (0..setup.boards.max(1))
        .map(|index| setup.board(index, &[&host, &lines], cache))
        .collect();
    let meters: Vec<_> = boards.iter().map(Timed::meter).collect();
    let read = || {
        let each = meters.iter().map(|meter| meter.read());
        each.fold(Metered::default(), |sum, board| Metered {
            slots: sum.slots + board.slots,
            jobs: sum.jobs + board.jobs,
            bytes_out: sum.bytes_out + board.bytes_out,
            bytes_in: sum.bytes_in + board.bytes_in,
        })
    };
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&warnings);
    let (carried, carriage) = (WorkMeter::default(), SharedBill::default());
    let settings = pool::Settings {
        work: carried.clone(),
        place: {
            let (cost, work, bill) = (setup.host, carried.clone(), carriage.clone());
            let charge =
                move |task| Box::pin(Charged::new(task, cost, &work, lines.clone(), bill.clone())) as BoardTask;
            Some(Arc::new(charge))
        },
        threads: 0,
        model: false,
        timing: Timing::default().dilated(DILATION),
        report: Arc::new(move |line| lock(&heard).push(line.to_owned())),
        audit,
        ..pool::Settings::default()
    };
    let links = boards
        .into_iter()
        .map(|board| Box::new(board) as Box<dyn Link>)
        .collect();
    let pool = Pool::start(links, settings)?;
    pool.settled(u64::from(DILATION) * 1_000).await;

    let before = read();
    let carried_before = carried.read().carried;
    carriage.take();
    let mut memory = Memory::new(setup.hash);
    let work = memory.work();
    let time = VirtualTime(Instant::now());
    let diary = Arc::new(Diary::default());
    let bill = SharedBill::default();
    let task = Task {
        game,
        limits,
        settings: &Settings {
            overhead: Duration::ZERO,
            ..Settings::default()
        },
        style: setup.style,
    };
    let outcome = match setup.led {
        false => {
            let searching = accelerated::search(&pool, &mut memory, task, &time, &*diary);
            Charged::new(searching, setup.host, &work, host, bill.clone()).await
        }
        true => {
            let lead = Arc::new(Lead::default());
            let leader = Leader::new(game, limits, memory.table(), &lead, &diary);
            let scouting = accelerated::scout(&pool, &mut memory, game, setup.style, &lead, &time);
            let scout = Charged::new(scouting, setup.host, &work, host, bill.clone());
            let led = tokio::select! {
                biased;
                outcome = leader.search(&time, setup.host) => outcome,
                // It has seen all that there is to see; the leader has not.
                () = async { scout.await; std::future::pending().await } => None,
            };
            let mut outcome = led.ok_or_else(|| std::io::Error::other("the leading search has ended early"))?;
            outcome.nodes += lead.scouted_nodes();
            outcome
        }
    };
    let bill = bill.take();
    let after = read();
    let (results, _) = pool.jobs_done();
    let projected = Projected {
        outcome: Outcome {
            time: time.elapsed(),
            ..outcome
        },
        iterations: diary.iterations(),
        work: work.read(),
        // A scout's last turn may still go on when its leader is done.
        host_time: bill.charged.min(time.elapsed()),
        turns: bill.turns,
        carried: carried.read().carried - carried_before,
        carriage: carriage.take().charged,
        metered: Metered {
            slots: after.slots - before.slots,
            jobs: after.jobs - before.jobs,
            bytes_out: after.bytes_out - before.bytes_out,
            bytes_in: after.bytes_in - before.bytes_in,
        },
        results,
        result_nodes: pool.nodes(),
        warnings: lock(&warnings).clone(),
    };
    Ok(projected)
}

impl Projected {
    /// The share of the cores' slots that jobs had.
    pub fn hardware_busy(&self, setup: &Setup) -> f64 {
        share(self.metered.slots as f64, setup.slots_per_second() * self.seconds())
    }

    /// The share of the time that the lines to and from the boards had bytes.
    pub fn link_busy(&self, setup: &Setup) -> (f64, f64) {
        let bytes = setup.line.bytes_per_second * self.seconds() * setup.boards.max(1) as f64;
        (
            share(self.metered.bytes_out as f64, bytes),
            share(self.metered.bytes_in as f64, bytes),
        )
    }

    /// The slots of all leaves, whoever searched them and whether they were of use or not.
    pub fn slots(&self) -> u64 {
        self.metered.slots + self.work.leaf_slots
    }

    /// The share of the time that the host's thread had something to do.
    pub fn host_busy(&self) -> f64 {
        share(self.host_time.as_secs_f64(), self.seconds())
    }

    /// The same for the thread that writes jobs to the lines, and reads and checks results.
    pub fn lines_busy(&self) -> f64 {
        share(self.carriage.as_secs_f64(), self.seconds())
    }

    fn seconds(&self) -> f64 {
        self.outcome.time.as_secs_f64()
    }
}

/// A part of a whole; nothing of nothing is nothing.
pub fn share(part: f64, whole: f64) -> f64 {
    match whole > 0.0 {
        true => part / whole,
        false => 0.0,
    }
}

/// The board's time.
struct VirtualTime(Instant);

impl Timekeeper for VirtualTime {
    fn elapsed(&self) -> Duration {
        self.0.elapsed() / DILATION
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn is_pondering(&self) -> bool {
        false
    }

    fn look_again(&self) -> Duration {
        Duration::from_millis(1) * DILATION
    }
}

/// Writes down when each depth was done.
#[derive(Default)]
pub struct Diary(Mutex<Vec<Iteration>>);

impl Diary {
    /// The depths that were done, in order.
    pub fn iterations(&self) -> Vec<Iteration> {
        lock(&self.0).clone()
    }
}

impl Listener for Diary {
    fn line(&self, line: &Line) {
        let mut iterations = lock(&self.0);
        iterations.retain(|iteration| iteration.depth < line.depth);
        iterations.push(Iteration {
            depth: line.depth,
            time: line.time,
            nodes: line.nodes,
            best: line.moves.first().copied().unwrap_or(Move::NONE),
            score: line.score,
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
