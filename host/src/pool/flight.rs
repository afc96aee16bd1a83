use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bluebelle_spec::leaf::{Job, MAX_NODES, Task};
use bluebelle_spec::wire::{self, Child, Features, NO_JOB, Request};
use tokio::time::Instant;

use super::batch::Order;
use super::dispatch::Piece;

/// The jobs that a board has.
#[derive(Default)]
pub(super) struct Flights {
    jobs: BTreeMap<u16, Flight>,
    /// Jobs that were given up while the board may still have them: their results mean nothing, but hold credits.
    given_up: BTreeSet<u16>,
    /// Whether some have a deadline: few do, and rarely.
    pub(super) are_suspect: bool,
    next_id: u16,
    frames: u64,
}

/// A job that a board has.
pub(super) struct Flight {
    pub(super) order: Arc<Order>,
    pub(super) child: usize,
    pub(super) failures: u32,
    /// The frame that it went with.
    pub(super) frame: u64,
    pub(super) sent: Instant,
    /// It is given up then: for jobs that may have been hit by damage on the line.
    pub(super) deadline: Option<Instant>,
    /// It is given up when the chip has counted so many slots.
    pub(super) slots_deadline: Option<u64>,
    /// Its order was cancelled, and the chip told so.
    pub(super) aborted: bool,
}

impl Flights {
    /// Forgets all jobs, but not which ids were used last.
    pub(super) fn clear(&mut self) -> Vec<Flight> {
        self.given_up.clear();
        std::mem::take(&mut self.jobs).into_values().collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Whether the board has, or may have, any job.
    pub(super) fn holds_credits(&self) -> bool {
        !self.jobs.is_empty() || !self.given_up.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (u16, &mut Flight)> {
        self.jobs.iter_mut().map(|(&id, flight)| (id, flight))
    }

    /// The job with this id; `None` if nobody waits for it.
    pub(super) fn land(&mut self, id: u16) -> Option<Flight> {
        self.jobs.remove(&id)
    }

    /// Whether this was a job given up, which holds a credit until now.
    pub(super) fn is_late(&mut self, id: u16) -> bool {
        self.given_up.remove(&id)
    }

    /// No longer waits for the jobs that are told so. The board may still have them.
    pub(super) fn give_up(&mut self, mut which: impl FnMut(u16, &Flight) -> bool) -> Vec<(u16, Flight)> {
        let gone: Vec<(u16, Flight)> = self.jobs.extract_if(.., |&id, flight| which(id, flight)).collect();
        self.given_up.extend(gone.iter().map(|&(id, _)| id));
        gone
    }

    /// The board has none of the jobs given up; how many credits that frees.
    pub(super) fn none_given_up(&mut self) -> usize {
        std::mem::take(&mut self.given_up).len()
    }

    pub(super) fn next_deadline(&mut self) -> Option<Instant> {
        if !self.are_suspect {
            return None;
        }
        let deadline = self.jobs.values().filter_map(|flight| flight.deadline).min();
        self.are_suspect = deadline.is_some();
        deadline
    }

    /// Writes down a piece as frames. Ids go round all numbers, so that one is not soon used again.
    ///
    /// # Errors
    /// The jobs that cannot be said on the wire.
    pub(super) fn send(&mut self, piece: Piece, features: Features, out: &mut Vec<u8>) -> Result<(), Piece> {
        let batches = features.has(Features::BATCH);
        let mut refused = Vec::new();
        let step = piece.order.batch.step;
        let mut left = &piece.children[..];
        while let Some(&first) = left.first() {
            // Windows a step apart need children that are next to each other.
            let together = match (batches, step) {
                (false, _) => 1,
                (true, 0) => left.len(),
                (true, _) => left
                    .iter()
                    .zip(first..)
                    .take_while(|&(&child, next)| child == next)
                    .count(),
            };
            let (children, rest) = left.split_at(together);
            left = rest;
            let ids: Vec<u16> = children.iter().map(|_| self.new_id()).collect();
            if encode(&piece.order, children, &ids, features, out).is_err() {
                refused.extend(children);
                continue;
            }
            self.frames += 1;
            for (&child, &id) in children.iter().zip(&ids) {
                let flight = Flight {
                    order: Arc::clone(&piece.order),
                    child,
                    failures: piece.failures,
                    frame: self.frames,
                    sent: Instant::now(),
                    deadline: None,
                    slots_deadline: None,
                    aborted: false,
                };
                self.jobs.insert(id, flight);
            }
        }
        match refused.is_empty() {
            true => Ok(()),
            false => Err(Piece {
                children: refused,
                ..piece
            }),
        }
    }

    fn new_id(&mut self) -> u16 {
        loop {
            let id = self.next_id;
            self.next_id = (id + 1) % NO_JOB;
            if !self.jobs.contains_key(&id) && !self.given_up.contains(&id) {
                return id;
            }
        }
    }
}

impl Flight {
    pub(super) fn is_cancelled(&self) -> bool {
        self.order.is_cancelled(self.child)
    }

    /// The most nodes that it visits.
    pub(super) fn most_nodes(&self) -> u64 {
        match self.order.batch.node_limit {
            0 => MAX_NODES.into(),
            limit => limit.into(),
        }
    }

    /// For others to do, after this seat could not.
    pub(super) fn into_piece(self, seat: usize) -> Piece {
        Piece {
            order: self.order,
            children: vec![self.child],
            failures: self.failures + 1,
            failed_by: Some(seat),
        }
    }
}

/// A board that cannot prune is not asked to: it searches more, and is no less right. Nor is one without gangs, which takes longer.
fn encode(
    order: &Order,
    children: &[usize],
    ids: &[u16],
    features: Features,
    out: &mut Vec<u8>,
) -> Result<(), wire::ContentError> {
    use wire::Message;
    let pruning = order.batch.pruning && features.has(Features::PRUNING);
    let gang = order.batch.gang && pruning && features.has(Features::GANG);
    if let ([child], [id]) = (children, ids) {
        let job = Job {
            pruning,
            gang,
            ..order.batch.job(*child)
        };
        return Request::Job { id: *id, job }.encode_to(out);
    }
    let batch = &order.batch;
    let child = |(&index, &id): (&usize, &u16)| Child {
        id,
        first: batch.children[index],
    };
    let request = wire::Batch {
        parent: batch.parent,
        task: Task::Search {
            depth: batch.depth,
            beta: batch.beta_of(children[0]),
        },
        step: batch.step,
        node_limit: batch.node_limit,
        pruning,
        gang,
        children: children.iter().zip(ids).map(child).collect(),
    };
    Request::Batch(request).encode_to(out)
}
