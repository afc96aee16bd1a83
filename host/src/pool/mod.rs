//! All accelerators as one: jobs go in, results come out, whatever happens to the boards.
//!
//! ```text
//! submit ─▶ waiting ─▶ seat with the most credits ─▶ board's task ─▶ line ─▶ chip
//!              ▲                │                         │
//!              └── lost, late, refused, damaged ◀─────────┘
//! ```
//!
//! Every board has a task that owns it (`board`); every job is in one place at a time: waiting, with a seat, or in a
//! table of what is in flight (`flight`). The first seat is the golden search in this process (`workers`): if `model` is one
//! of the accelerators it takes its share, otherwise it takes what no board can. So every job is answered.
//!
//! # What is promised
//! - A result is used only if its frame arrived whole, somebody waits for its id, and [it makes sense](check).
//! - A board that says nothing, nonsense, or nothing about its jobs is noticed in a time that [`Timing`] bounds. Its jobs
//!   go elsewhere, it is opened again, and there is one warning line.
//! - All waiting is in tokio's time, and with workers on no thread of their own nothing here depends on the machine: the
//!   same links give the same results in the same order.

mod batch;
mod board;
mod check;
mod dispatch;
mod done;
mod flight;
mod monitor;
mod reporter;
mod resources;
mod session;
mod settings;
mod workers;

pub use batch::{Answer, Batch};
pub use check::{Lie, check};
pub use done::Done;
pub use monitor::{Monitor, Sight};
pub use resources::Resources;
pub use settings::{Audit, BoardTask, Place, Report, Settings, Timing};

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

use bluebelle_spec::wire::{Identity, Status};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::link::Link;
use dispatch::Shared;

/// All accelerators as one. Its tasks run on the runtime it was started on, and end with it.
pub struct Pool {
    shared: Arc<Shared>,
    /// Dropped with the pool, which ends them.
    _boards: JoinSet<()>,
    threads: Vec<JoinHandle<()>>,
}

/// What is known of one board.
#[derive(Clone, Debug)]
pub struct BoardState {
    /// What a person calls it.
    pub name: String,
    /// What it said about itself, if it is there.
    pub identity: Option<Identity>,
}

impl Pool {
    /// Starts a task for each link. To be called on a tokio runtime with time and io.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn start(links: Vec<Box<dyn Link>>, settings: Settings) -> std::io::Result<Pool> {
        let names = links.iter().map(|link| link.name().to_owned()).collect();
        let shared = Arc::new(Shared::new(names, settings));
        let mut boards = JoinSet::new();
        for (index, link) in links.into_iter().enumerate() {
            let task: BoardTask = Box::pin(board::keep(Arc::clone(&shared), index + 1, link));
            boards.spawn(match &shared.settings.place {
                Some(place) => place(task),
                None => task,
            });
        }
        let threads = match shared.settings.threads {
            0 => {
                boards.spawn(workers::inline(Arc::clone(&shared)));
                Vec::new()
            }
            count => workers::start(&shared, count)?,
        };
        Ok(Pool {
            shared,
            _boards: boards,
            threads,
        })
    }

    /// Asks for the values of some positions. Each child has an answer to await; dropping it takes its job back.
    pub fn submit(&self, batch: Batch) -> Vec<Answer> {
        self.shared.submit(batch)
    }

    /// Waits until each board has answered or failed once, but no longer than `patience` in milliseconds.
    pub async fn settled(&self, patience: u64) {
        let end = Instant::now() + std::time::Duration::from_millis(patience);
        let _ = timeout_at(end, async {
            while !self.shared.all_tried() {
                sleep(std::time::Duration::from_millis(2)).await;
            }
        })
        .await;
    }

    /// The jobs that can be worked on at once, by whoever is there.
    pub fn threads(&self) -> usize {
        self.shared.threads.load(Ordering::Relaxed)
    }

    /// The deepest job that whoever is there takes.
    pub fn max_depth(&self) -> u8 {
        self.shared.max_depth()
    }

    /// Whether a board is there.
    pub fn has_boards(&self) -> bool {
        self.shared.has_boards()
    }

    /// Whether the golden search in this process is an accelerator like the others.
    pub fn has_model(&self) -> bool {
        self.shared.settings.model
    }

    /// The evaluation that all jobs use.
    pub fn evaluator(&self) -> Arc<bluebelle_spec::Evaluator> {
        Arc::clone(&self.shared.settings.evaluator)
    }

    /// Jobs that are waiting or being worked on.
    pub fn outstanding(&self) -> usize {
        self.shared.outstanding.load(Ordering::Relaxed)
    }

    /// Nodes of all results so far.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Results so far, of boards and of workers.
    pub fn jobs_done(&self) -> (u64, u64) {
        let boards = self.shared.board_jobs.load(Ordering::Relaxed);
        (boards, self.shared.worker_jobs.load(Ordering::Relaxed))
    }

    /// What has been done so far.
    pub fn done(&self) -> Done {
        Done::read(&self.shared)
    }

    /// The same when a search begins: the boards' load is measured from now on.
    pub fn begin_search(&self) -> Done {
        self.shared.measured.fetch_add(1, Ordering::Relaxed);
        self.done()
    }

    /// Nodes of the results of boards.
    pub fn board_nodes(&self) -> u64 {
        self.shared.board_nodes.load(Ordering::Relaxed)
    }

    /// Asks the boards for their counters and waits for them, no longer than `patience` by the clock on the wall: for
    /// threads that are not on tokio. `None` for a board that is not there or does not answer.
    pub fn counters(&self, patience: std::time::Duration) -> Vec<Option<Status>> {
        let look = self.shared.look();
        let end = std::time::Instant::now() + patience;
        loop {
            let counters = self.shared.counters(look);
            if counters.iter().all(Option::is_some) || std::time::Instant::now() >= end {
                return counters;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// A look at the pool that others may keep while a search has the pool.
    pub fn monitor(&self) -> Monitor {
        Monitor::new(&self.shared)
    }

    /// The boards, and which of them are there.
    pub fn boards(&self) -> Vec<BoardState> {
        self.shared.boards()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.close();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
