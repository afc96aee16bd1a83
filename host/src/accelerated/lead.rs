//! Who leads: with accelerators the engine's move is the software search's, for which the tree with hardware at its leaves scouts.
//!
//! Both have one transposition table. The scout is some plies ahead, and asks what the leader will ask: whether anything is better than
//! its last score. What it finds, the leader meets in the table, and believes as it believes itself.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bluebelle_spec::Move;

use super::{Memory, Style, Task, Timekeeper, run};
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::pool::Pool;
use crate::report::{Line, Listener, Outcome, Silent};
use crate::search::{Settings, Software};
use crate::table::Bound;

/// What leader and scout know of each other, besides the table.
#[derive(Debug, Default)]
pub(crate) struct Lead {
    /// The leader's last iteration; 0 before the first.
    depth: AtomicI32,
    /// And its score.
    score: AtomicI32,
    /// The scout's nodes.
    scouted: AtomicU64,
    /// The leader has its move.
    over: AtomicBool,
}

impl Lead {
    /// The leader's last iteration, 0 before the first.
    pub(super) fn depth(&self) -> i32 {
        self.depth.load(Relaxed)
    }

    /// The leader's last score, if it has one.
    pub(super) fn score(&self) -> Option<i32> {
        (self.depth() > 0).then(|| self.score.load(Relaxed))
    }

    /// The scout has had so many nodes.
    pub(super) fn scouted(&self, nodes: u64) {
        self.scouted.store(nodes, Relaxed);
    }

    /// The scout's nodes, a little behind.
    pub(crate) fn scouted_nodes(&self) -> u64 {
        self.scouted.load(Relaxed)
    }
}

/// Tells the scout that the leader is done, however that came.
struct End<'a>(&'a Lead);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Relaxed);
    }
}

/// Hears what the leader finds, for the scout too.
pub(crate) struct Leading<'a> {
    pub(crate) lead: &'a Lead,
    pub(crate) listener: &'a dyn Listener,
}

impl Listener for Leading<'_> {
    fn line(&self, line: &Line) {
        if line.multipv.is_none_or(|place| place == 1) && line.bound == Bound::Exact {
            self.lead.score.store(line.score, Relaxed);
            self.lead.depth.store(line.depth, Relaxed);
        }
        self.listener.line(&Line {
            nodes: line.nodes + self.lead.scouted_nodes(),
            ..line.clone()
        });
    }

    fn current_move(&self, depth: i32, mv: Move, number: usize) {
        self.listener.current_move(depth, mv, number);
    }

    fn message(&self, text: &str) {
        self.listener.message(text);
    }
}

/// The leader's search, in a thread of its own; this one has its scout.
pub(super) fn search(
    leader: &mut Software,
    task: Task<'_>,
    control: &Control,
    listener: &dyn Listener,
    scout: impl FnOnce(&Lead),
) -> Outcome {
    let lead = &Lead::default();
    let mut outcome = std::thread::scope(|scope| {
        let leading = scope.spawn(|| {
            let _end = End(lead);
            let listener = Leading { lead, listener };
            leader.search(task.game, task.limits, task.settings, control, &listener)
        });
        scout(lead);
        match leading.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    outcome.nodes += lead.scouted_nodes();
    outcome
}

/// The scout's time: it ends with the leader.
pub(super) struct Scouting<'a> {
    pub(super) lead: &'a Lead,
    pub(super) control: &'a Control,
}

impl Timekeeper for Scouting<'_> {
    fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }

    fn is_stopped(&self) -> bool {
        self.lead.over.load(Relaxed) || self.control.is_stopped()
    }

    fn is_pondering(&self) -> bool {
        self.control.is_pondering()
    }
}

/// Searches ahead of the leader until `time` says that it is over.
pub(crate) async fn scout(
    pool: &Pool,
    memory: &mut Memory,
    game: &Game,
    style: Style,
    lead: &Lead,
    time: &dyn Timekeeper,
) {
    let task = Task {
        game,
        limits: &Limits {
            infinite: true,
            ..Limits::default()
        },
        settings: &Settings::default(),
        style,
    };
    run(pool, memory, task, time, &Silent, Some(lead)).await;
}
