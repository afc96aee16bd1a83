use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bluebelle_spec::leaf::{Job, Outcome, Task};
use bluebelle_spec::{Move, Position};

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
    /// Whether each of those is searched by all threads of a core, on boards that can.
    pub gang: bool,
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
            gang: false,
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
            gang: self.gang && self.pruning,
        }
    }
}

/// A batch on its way, as the pool knows it. When the last of the pool's hands lets go of it, whoever still waits hears so.
pub(super) struct Order {
    pub(super) batch: Batch,
    places: Arc<[Place]>,
}

/// Where the answer for a child is left, and whether it is still wanted.
#[derive(Default)]
struct Place {
    cancelled: AtomicBool,
    state: Mutex<Expected>,
}

#[derive(Default)]
enum Expected {
    /// Nobody has looked yet.
    #[default]
    Ahead,
    /// Somebody waits.
    Awaited(Waker),
    /// It is there.
    Arrived(Outcome),
    /// It will never be, or was taken.
    Gone,
}

impl Place {
    fn state(&self) -> MutexGuard<'_, Expected> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Only the first answer counts.
    fn settle(&self, settled: Expected) {
        let mut state = self.state();
        let waker = match &*state {
            Expected::Ahead | Expected::Awaited(_) => std::mem::replace(&mut *state, settled),
            Expected::Arrived(_) | Expected::Gone => return,
        };
        drop(state);
        if let Expected::Awaited(waker) = waker {
            waker.wake();
        }
    }
}

impl Order {
    pub(super) fn new(batch: Batch, shared: &Arc<Shared>) -> (Arc<Order>, Vec<Answer>) {
        let places: Arc<[Place]> = batch.children.iter().map(|_| Place::default()).collect();
        let answer = |child| Answer {
            places: Arc::clone(&places),
            child,
            arrived: false,
            shared: Arc::clone(shared),
        };
        let answers = (0..places.len()).map(answer).collect();
        (Arc::new(Order { batch, places }), answers)
    }

    /// Set when nobody waits for this child any more.
    pub(super) fn cancelled(&self, child: usize) -> &AtomicBool {
        &self.places[child].cancelled
    }

    pub(super) fn is_cancelled(&self, child: usize) -> bool {
        self.cancelled(child).load(Ordering::Relaxed)
    }

    pub(super) fn answer(&self, child: usize, outcome: Outcome) {
        self.places[child].settle(Expected::Arrived(outcome));
    }
}

impl Drop for Order {
    fn drop(&mut self) {
        for place in &*self.places {
            place.settle(Expected::Gone);
        }
    }
}

/// The answer for one child, to be awaited; `None` if the pool is gone. Whoever drops it before it has come no longer wants
/// it: a waiting job is forgotten, and a running one aborted.
pub struct Answer {
    places: Arc<[Place]>,
    child: usize,
    arrived: bool,
    shared: Arc<Shared>,
}

impl Future for Answer {
    type Output = Option<Outcome>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outcome>> {
        let answer = {
            let mut state = self.places[self.child].state();
            match std::mem::replace(&mut *state, Expected::Gone) {
                Expected::Arrived(outcome) => Some(outcome),
                Expected::Gone => None,
                Expected::Awaited(waker) if waker.will_wake(context.waker()) => {
                    *state = Expected::Awaited(waker);
                    return Poll::Pending;
                }
                Expected::Ahead | Expected::Awaited(_) => {
                    *state = Expected::Awaited(context.waker().clone());
                    return Poll::Pending;
                }
            }
        };
        self.arrived = true;
        Poll::Ready(answer)
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if !self.arrived {
            let place = &self.places[self.child];
            place.cancelled.store(true, Ordering::Relaxed);
            *place.state() = Expected::Gone;
            self.shared.forget_cancelled();
        }
    }
}
