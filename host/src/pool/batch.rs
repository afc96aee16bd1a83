use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bluebelle_spec::leaf::{Job, Outcome, Task};
use bluebelle_spec::{Move, Position};
use tokio::sync::mpsc;

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
        }
    }
}

/// A batch on its way, as the pool knows it.
pub(super) struct Order {
    pub(super) batch: Batch,
    pub(super) cancelled: Arc<AtomicBool>,
    answers: mpsc::UnboundedSender<(usize, Outcome)>,
}

impl Order {
    pub(super) fn new(batch: Batch, shared: &Arc<Shared>) -> (Arc<Order>, Answers) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let answers = Answers {
            receiver,
            left: batch.children.len(),
            cancelled: Arc::clone(&cancelled),
            shared: Arc::clone(shared),
        };
        let order = Order {
            batch,
            cancelled,
            answers: sender,
        };
        (Arc::new(order), answers)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn answer(&self, index: usize, outcome: Outcome) {
        // Whoever asked may have gone.
        let _ = self.answers.send((index, outcome));
    }
}

/// The answers to a batch, as they come. Whoever drops it before the last one no longer wants the rest: waiting jobs are
/// forgotten, and running ones aborted.
pub struct Answers {
    receiver: mpsc::UnboundedReceiver<(usize, Outcome)>,
    left: usize,
    cancelled: Arc<AtomicBool>,
    shared: Arc<Shared>,
}

impl Answers {
    /// The next answer, with the index of its child; `None` after the last one, or if the pool is gone.
    pub async fn next(&mut self) -> Option<(usize, Outcome)> {
        if self.left == 0 {
            return None;
        }
        let answer = self.receiver.recv().await;
        self.left = if answer.is_some() { self.left - 1 } else { 0 };
        answer
    }

    /// All answers, in the order of the children; `None` if the pool is gone.
    pub async fn all(mut self) -> Option<Vec<Outcome>> {
        let mut outcomes = vec![None; self.left];
        while let Some((index, outcome)) = self.next().await {
            *outcomes.get_mut(index)? = Some(outcome);
        }
        outcomes.into_iter().collect()
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        if self.left > 0 {
            self.cancelled.store(true, Ordering::Relaxed);
            self.shared.forget_cancelled();
        }
    }
}
