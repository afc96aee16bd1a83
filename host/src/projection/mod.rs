//! The engine in virtual time: the real search and dispatcher, with boards that exist in [`Timed`] only.
//!
//! Tokio's clock is paused: it jumps to whatever comes next once nothing is left to do. A job takes its slots × stages / clock on a
//! hardware thread, bytes take their time on the line, and each thread of the host is charged for what it does. So a search takes
//! the same course on every machine, however slow, as long as its costs are given.

mod charge;
mod cost;
mod setup;

pub use cost::{CpuTime, FIXED_COST, FIXED_NODE, HostCost, Turn};
pub use setup::{BoardModel, Setup};

pub use crate::search::crew::Asking;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bluebelle_sim::LeafCache;
use bluebelle_spec::{Move, Weights};
use futures_util::future::{join, join_all};
use tokio::runtime::Builder;
use tokio::time::Instant;

use crate::accelerated::PoolQuestions;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::Limits;
use crate::link::{HostClock, Link, Metered, Timed};
use crate::memory::MemoryError;
use crate::meter::{Work, WorkMeter};
use crate::pool::{self, Audit, BoardTask, Pool, Resources, Timing};
use crate::report::{Line, Listener, Outcome, Silent};
use crate::search::crew::{Drive, NoQuestions, Questions, Role, Task};
use crate::search::{Memory, Settings, Signals, Timekeeper};
use crate::table::Table;
use charge::{Charged, SharedBill};

/// Seconds of tokio's time for one of the board's: its timers know milliseconds, and a line's latency is microseconds.
pub const DILATION: u32 = 10_000;

/// What became of a search in virtual time.
#[derive(Clone, Debug)]
pub struct Projected {
    /// What it found, in how many nodes and in what time.
    pub outcome: Outcome,
    /// When each depth was done.
    pub iterations: Vec<Iteration>,
    /// What the host's threads did.
    pub work: Work,
    /// How long the first of them was at work.
    pub host_time: Duration,
    /// The same turn by turn.
    pub turns: Vec<Turn>,
    /// What the boards and their lines did, together.
    pub metered: Metered,
    /// Jobs whose results were used.
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

/// An engine in virtual time, with what it remembers from move to move.
pub struct Projection {
    setup: Setup,
    table: Arc<Table>,
    evaluator: Arc<Evaluator>,
    memories: Vec<Memory>,
    cache: LeafCache,
}

impl Projection {
    /// An engine that remembers nothing yet.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn try_new(setup: Setup) -> Result<Projection, MemoryError> {
        Ok(Projection {
            table: Arc::new(Table::try_new(setup.hash)?),
            evaluator: Arc::new(Evaluator::new(Weights::standard())),
            memories: Vec::new(),
            cache: LeafCache::default(),
            setup,
        })
    }

    /// The same with a table whose size was checked, or is small.
    ///
    /// # Panics
    /// If there is no memory for the table.
    pub fn new(setup: Setup) -> Projection {
        Projection::try_new(setup).unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// Outcomes of jobs that it has in common with other projections.
    #[must_use]
    pub fn with_cache(mut self, cache: LeafCache) -> Projection {
        self.cache = cache;
        self
    }

    /// What is projected.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.clear();
    }

    /// Searches a position.
    ///
    /// # Errors
    /// If the system gives no runtime.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> std::io::Result<Projected> {
        self.search_with(game, limits, None)
    }

    /// The same, and `audit` hears of every job whose result is used.
    pub(crate) fn search_with(
        &mut self,
        game: &Game,
        limits: &Limits,
        audit: Option<Audit>,
    ) -> std::io::Result<Projected> {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
        runtime.block_on(self.run(game, limits, audit))
    }

    async fn run(&mut self, game: &Game, limits: &Limits, audit: Option<Audit>) -> std::io::Result<Projected> {
        let setup = self.setup;
        let threads = setup.threads.max(1);
        let host = HostClock::default();
        let boards: Vec<Timed> = (0..setup.boards)
            .map(|index| setup.board(index, &[&host], &self.cache))
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
        let (work, bill) = (WorkMeter::default(), SharedBill::default());
        let settings = pool::Settings {
            work: work.clone(),
            // The host that is compared has no other thread for lines, so the first thread of this one writes and reads.
            place: {
                let (cost, work, bill, host) = (setup.host, work.clone(), bill.clone(), host.clone());
                let charge =
                    move |task| Box::pin(Charged::new(task, cost, &work, host.clone(), bill.clone())) as BoardTask;
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
        let work_before = work.read();
        bill.take();
        self.table.begin_search();
        self.memories.resize_with(threads, Memory::default);
        let time = VirtualTime(Instant::now());
        let diary = Arc::new(Diary::default());
        let signals = Arc::new(Signals::new(threads));
        let questions = PoolQuestions::new(&pool);
        let mut drives = Vec::new();
        for (thread, memory) in std::mem::take(&mut self.memories).into_iter().enumerate() {
            let task = Task {
                game: game.clone(),
                limits: limits.clone(),
                settings: Settings {
                    overhead: Duration::ZERO,
                    ..Settings::default()
                },
                table: Arc::clone(&self.table),
                evaluator: Arc::clone(&self.evaluator),
                memory,
                signals: Arc::clone(&signals),
                time: Arc::new(time),
                listener: match thread {
                    0 => Arc::clone(&diary) as Arc<dyn Listener>,
                    _ => Arc::new(Silent),
                },
                thread,
                known: None,
            };
            let look = Duration::from_millis(1) * DILATION;
            let (role, resources, questions): (_, _, &dyn Questions) = match thread {
                0 if setup.boards > 0 => (Role::Leads, pool.resources(), &questions),
                0 => (Role::Leads, Resources::of_crew(setup.crew), &NoQuestions),
                _ => (Role::Helps, Resources::default(), &NoQuestions),
            };
            // What each thread does is charged to it alone.
            let meter = if thread == 0 {
                work.clone()
            } else {
                WorkMeter::default()
            };
            drives.push((
                Drive::new(task, role, (resources, setup.asking), questions, &meter, look),
                meter,
            ));
        }
        let mut charged = drives.iter_mut().enumerate().map(|(thread, (drive, meter))| {
            let (clock, bill) = match thread {
                0 => (host.clone(), bill.clone()),
                _ => (HostClock::default(), SharedBill::default()),
            };
            Charged::new(drive, setup.host, meter, clock, bill)
        });
        let Some(leader) = charged.next() else {
            return Err(std::io::Error::other("no thread searches"));
        };
        let helpers = join_all(charged);
        let ended = async {
            let lines = leader.await;
            (lines, time.elapsed())
        };
        let ((lines, elapsed), _) = join(ended, helpers).await;
        let bill = bill.take();
        let after = read();
        let (results, _) = pool.jobs_done();
        let memories = drives.into_iter().map(|(drive, _)| drive.into_memory());
        self.memories = memories.map(Option::unwrap_or_default).collect();
        Ok(Projected {
            outcome: Outcome {
                lines,
                nodes: signals.all_nodes(),
                time: elapsed,
            },
            iterations: diary.iterations(),
            work: work.read().since(&work_before),
            host_time: bill.charged.min(elapsed),
            turns: bill.turns,
            metered: Metered {
                slots: after.slots - before.slots,
                jobs: after.jobs - before.jobs,
                bytes_out: after.bytes_out - before.bytes_out,
                bytes_in: after.bytes_in - before.bytes_in,
            },
            results,
            result_nodes: pool.nodes(),
            warnings: lock(&warnings).clone(),
        })
    }
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

    /// The share of the time that the host's first thread had something to do.
    pub fn host_busy(&self) -> f64 {
        share(self.host_time.as_secs_f64(), self.seconds())
    }

    fn seconds(&self) -> f64 {
        self.outcome.time.as_secs_f64()
    }
}

/// A part of a whole; nothing of nothing is nothing.
pub fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The board's time.
#[derive(Clone, Copy)]
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
