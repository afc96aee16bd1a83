//! The search with hardware at its leaves: an upper tree of waiting nodes, and jobs below it.
//!
//! `node` has the steps of a node, `moves` what is done about each move, `leaf` the step that asks an accelerator, `root` the
//! iterations; order, table, history and numbers are those of the software search. A leaf is an `.await`: once a node's first move is back its brothers are
//! searched beside each other, and a cut-off drops them, which aborts their jobs.
//!
//! All nodes live on one thread and all waiting is in tokio's time, so the search is as deterministic as its links are.

mod lead;
mod leaf;
mod moves;
mod node;
mod pacing;
mod root;
mod singular;
mod tree;
mod turn;
mod visit;

pub(crate) use lead::{Lead, Leading, scout};
pub use tree::Style;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bluebelle_spec::Weights;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, sleep};

use crate::backend::{Backend, BackendError, Request};
use crate::evaluation::{Evaluator, PawnTable};
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::link::{Source, parse_sources};
use crate::pool::{self, Pool};
use crate::projection::WorkMeter;
use crate::report::{Listener, Outcome};
use crate::search::history::History;
use crate::search::{Settings, Software};
use crate::table::Table;

use lead::Scouting;
use root::Deepening;
use tree::Tree;

/// Tells a search how late it is.
pub trait Timekeeper {
    /// How long our clock has been running.
    fn elapsed(&self) -> Duration;
    /// Whether the search is to end.
    fn is_stopped(&self) -> bool;
    /// Whether the opponent is still thinking.
    fn is_pondering(&self) -> bool;
    /// How often a search looks whether it is to end, in tokio's time.
    fn look_again(&self) -> Duration {
        Duration::from_millis(1)
    }
}

impl Timekeeper for Control {
    fn elapsed(&self) -> Duration {
        Control::elapsed(self)
    }

    fn is_stopped(&self) -> bool {
        Control::is_stopped(self)
    }

    fn is_pondering(&self) -> bool {
        Control::is_pondering(self)
    }
}

/// Time as tokio has it, which may be paused: for searches that nobody stops.
#[derive(Clone, Copy, Debug)]
pub struct TokioTime(Instant);

impl TokioTime {
    /// A clock that runs from now on.
    pub fn start() -> TokioTime {
        TokioTime(Instant::now())
    }
}

impl Timekeeper for TokioTime {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn is_pondering(&self) -> bool {
        false
    }
}

/// What the search remembers from move to move.
pub struct Memory {
    table: Arc<Table>,
    evaluator: Evaluator,
    history: History,
    pawn_table: PawnTable,
    work: WorkMeter,
}

impl Memory {
    /// With a transposition table of so many mebibytes.
    pub fn new(megabytes: usize) -> Memory {
        Memory {
            table: Arc::new(Table::new(megabytes)),
            evaluator: Evaluator::new(Weights::standard()),
            history: History::new(),
            pawn_table: PawnTable::new(),
            work: WorkMeter::default(),
        }
    }

    /// Shows what the search's own thread does.
    pub(crate) fn work(&self) -> WorkMeter {
        self.work.clone()
    }

    fn clear(&mut self) {
        self.table.clear();
        self.history = History::new();
    }

    /// The table, for whoever searches the same.
    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }
}

/// What to search, and until when.
pub struct Task<'a> {
    /// The position, and what came before.
    pub game: &'a Game,
    /// What ends the search.
    pub limits: &'a Limits,
    /// How to search and what to tell.
    pub settings: &'a Settings,
    /// How the tree is searched.
    pub style: Style,
}

/// Searches a position, on whatever runtime this is polled. It ends in time whatever happens to the boards.
pub async fn search(
    pool: &Pool,
    memory: &mut Memory,
    task: Task<'_>,
    time: &dyn Timekeeper,
    listener: &dyn Listener,
) -> Outcome {
    memory.table.begin_search();
    run(pool, memory, task, time, listener, None).await
}

/// The same, alone or for a leader.
async fn run(
    pool: &Pool,
    memory: &mut Memory,
    task: Task<'_>,
    time: &dyn Timekeeper,
    listener: &dyn Listener,
    lead: Option<&Lead>,
) -> Outcome {
    let Memory {
        table,
        evaluator,
        history,
        pawn_table,
        work,
    } = memory;
    let (limits, hashes) = (task.limits, task.game.hashes());
    let tree = Tree::new(
        pool,
        table,
        evaluator,
        history,
        pawn_table,
        hashes,
        task.style,
        limits.nodes,
        work,
    );
    let deepening = Deepening::new(tree, task.game.board(), limits, task.settings, time, listener, lead);
    let tree = &deepening.tree;
    let over = async {
        while !tree.has_rung() {
            sleep(time.look_again()).await;
        }
    };
    let interrupted = tokio::select! {
        biased;
        () = over => true,
        () = tree.nodes_spent.notified() => true,
        run = tree.turn.each(deepening.run(), || !tree.has_rung(), || tree.may_split()) => run.is_none(),
    };
    Outcome {
        lines: deepening.lines(interrupted),
        nodes: deepening.tree.nodes.get(),
        time: time.elapsed(),
    }
}

/// The search with accelerators as the engine knows it.
pub struct Accelerated {
    name: String,
    pool: Option<Pool>,
    /// Where the boards' tasks live, also between searches.
    boards: Option<Runtime>,
    /// Where the tree lives.
    runtime: Runtime,
    memory: Memory,
    /// The search that leads, if any does; it has the memory's table.
    leader: Option<Software>,
    style: Style,
    /// What the boards' tasks have to say.
    messages: Arc<Mutex<Vec<String>>>,
}

/// How long boards have to say who they are before the first search, in milliseconds. Those that come later join in.
const SETTLE: u64 = 1_500;

/// How long boards have to let go of their ports.
const CLOSE: Duration = Duration::from_millis(500);

impl Accelerated {
    /// Opens the accelerators that the options name.
    ///
    /// # Errors
    /// If a name is none, or the system gives no threads. A board that is not there is no error: it is tried again and again,
    /// and the golden search takes its place.
    pub fn open(request: &Request) -> Result<Accelerated, BackendError> {
        let sources = parse_sources(&request.accelerator)?;
        let messages = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&messages);
        let settings = pool::Settings {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            model: sources.contains(&Source::Model),
            report: Arc::new(move |line| {
                heard
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(line.to_owned())
            }),
            ..pool::Settings::default()
        };
        let failed = |error: std::io::Error| BackendError::System(error.to_string());
        let boards = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(failed)?;
        let runtime = Builder::new_current_thread().enable_time().build().map_err(failed)?;
        let links = sources.iter().filter_map(Source::link).collect();
        let pool = {
            let _guard = boards.enter();
            Pool::start(links, settings).map_err(failed)?
        };
        runtime.block_on(pool.settled(SETTLE));
        let memory = Memory::new(request.hash);
        Ok(Accelerated {
            name: request.accelerator.clone(),
            pool: Some(pool),
            boards: Some(boards),
            runtime,
            leader: request.led.then(|| Software::sharing(memory.table())),
            memory,
            style: Style {
                leaf_depth: u8::try_from(request.leaf_depth).unwrap_or(0),
                ..Style::default()
            },
            messages,
        })
    }

    fn tell_messages(&self, listener: &dyn Listener) {
        let messages = std::mem::take(&mut *self.messages.lock().unwrap_or_else(PoisonError::into_inner));
        for message in messages {
            listener.message(&format!("warning {message}"));
        }
    }
}

impl Backend for Accelerated {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        listener: &dyn Listener,
    ) -> Outcome {
        self.tell_messages(listener);
        let (runtime, memory, style) = (&self.runtime, &mut self.memory, self.style);
        let task = Task {
            game,
            limits,
            settings,
            style,
        };
        let outcome = match (&self.pool, &mut self.leader) {
            (Some(pool), Some(leader)) => lead::search(leader, task, control, listener, |lead| {
                let time = Scouting { lead, control };
                runtime.block_on(scout(pool, memory, game, style, lead, &time));
            }),
            (Some(pool), None) => runtime.block_on(search(pool, memory, task, control, listener)),
            (None, _) => Outcome {
                lines: Vec::new(),
                nodes: 0,
                time: Duration::ZERO,
            },
        };
        self.tell_messages(listener);
        outcome
    }

    fn clear(&mut self) {
        self.memory.clear();
        if let Some(leader) = &mut self.leader {
            leader.forget();
        }
    }

    fn resize(&mut self, megabytes: usize) {
        // The old one goes before the new one comes: both may not fit.
        for megabytes in [1, megabytes] {
            self.memory.table = Arc::new(Table::new(megabytes));
            if let Some(leader) = &mut self.leader {
                leader.share(self.memory.table());
            }
        }
    }
}

impl Drop for Accelerated {
    fn drop(&mut self) {
        self.pool = None;
        if let Some(boards) = self.boards.take() {
            // Ports are free again when their tasks are gone. What hangs in the system is not waited for.
            boards.shutdown_timeout(CLOSE);
        }
    }
}

#[cfg(test)]
mod tests;
