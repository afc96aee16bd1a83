use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bluebelle_spec::leaf::{Job, Outcome, Task};
use bluebelle_spec::{Move, Position};
use tokio::sync::oneshot;

use super::dispatch::Shared;

/// Null-window questions around one position: is the value of this child at least beta?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The position that all have in common.
    pub parent: Position,
    /// The legal moves that lead to the children; [`Move::NONE`] for the parent itself.
    pub children: Vec<Move>,
    /// Plies before quiescence, below the children.
    pub depth: u8,
    /// The first child's question, seen by the side to move in the child.
    pub beta: i16,
    /// Child *i* is asked about `beta + i * step`.
    pub step: i16,
    /// The most nodes of each job; 0 for as many as a job may have.
    pub node_limit: u32,
    /// Whether the jobs prune, on boards that can.
    pub pruning: bool,
}

impl Batch {
    /// One position and one question.
    pub fn one(position: Position, depth: u8, beta: i16, node_limit: u32) -> Batch {
        Batch {
            parent: position,
            children: vec![Move::NONE],
            depth,
            beta,
            step: 0,
            node_limit,
            pruning: false,
        }
    }

    pub(super) fn beta_of(&self, index: usize) -> i16 {
        let beta = i32::from(self.beta) + i32::from(self.step) * index as i32;
        beta.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }

    /// The job of a child.
    pub(super) fn job(&self, index: usize) -> Job {
        Job {
            position: self.parent,
            first: self.children[index],
            task: Task::Search {
                depth: self.depth,
                beta: self.beta_of(index),
            },
            node_limit: self.node_limit,
            pruning: self.pruning,
        }
    }
}

/// A batch on its way, as the pool knows it.
pub(super) struct Order {
    pub(super) batch: Batch,
    cancelled: Arc<[AtomicBool]>,
    waiting: Mutex<Vec<Option<oneshot::Sender<Outcome>>>>,
}

impl Order {
    pub(super) fn new(batch: Batch, shared: &Arc<Shared>) -> (Arc<Order>, Vec<Answer>) {
        let count = batch.children.len();
        let cancelled: Arc<[AtomicBool]> = (0..count).map(|_| AtomicBool::new(false)).collect();
        let answer = |child| {
            let (sender, receiver) = oneshot::channel();
            let answer = Answer {
                receiver,
                child,
                arrived: false,
                cancelled: Arc::clone(&cancelled),
                shared: Arc::clone(shared),
            };
            (Some(sender), answer)
        };
        let (waiting, answers) = (0..count).map(answer).unzip();
        let order = Order {
            batch,
            cancelled,
            waiting: Mutex::new(waiting),
        };
        (Arc::new(order), answers)
    }

    /// Set when nobody waits for this child any more.
    pub(super) fn cancelled(&self, child: usize) -> &AtomicBool {
        &self.cancelled[child]
    }

    pub(super) fn is_cancelled(&self, child: usize) -> bool {
        self.cancelled[child].load(Ordering::Relaxed)
    }

    pub(super) fn answer(&self, child: usize, outcome: Outcome) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = waiting[child].take() {
            // Whoever asked may have gone.
            let _ = sender.send(outcome);
        }
    }
}

/// The answer for one child, to be awaited; `None` if the pool is gone. Whoever drops it before it has come no longer wants
/// it: a waiting job is forgotten, and a running one aborted.
pub struct Answer {
    receiver: oneshot::Receiver<Outcome>,
    child: usize,
    arrived: bool,
    cancelled: Arc<[AtomicBool]>,
    shared: Arc<Shared>,
}

impl Future for Answer {
    type Output = Option<Outcome>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outcome>> {
        let polled = Pin::new(&mut self.receiver).poll(context);
        self.arrived |= polled.is_ready();
        polled.map(Result::ok)
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if !self.arrived {
            self.cancelled[self.child].store(true, Ordering::Relaxed);
            self.shared.forget_cancelled();
        }
    }
}
