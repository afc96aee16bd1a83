use std::sync::atomic::AtomicBool;

use super::gang::{self, THREADS};
use super::job::{Ending, Job, Outcome, Task};
use super::moves::Node;
use super::slots::Slots;
use super::visit::Visitor;
use crate::eval::Evaluator;
use crate::types::Move;

/// Runs a job as the chip would.
pub fn run(job: &Job, evaluator: &Evaluator) -> Outcome {
    run_measured(job, evaluator).0
}

/// The same, and how many slots the chip's threads are busy for it: those of the outcome, unless a gang searches it.
pub fn run_measured(job: &Job, evaluator: &Evaluator) -> (Outcome, u32) {
    match job.gang {
        true => gang::run(job, evaluator, THREADS),
        false => {
            let outcome = Search::new(job, evaluator).run();
            (outcome, outcome.slots)
        }
    }
}

/// A job under way.
pub struct Search<'a> {
    job: &'a Job,
    evaluator: &'a Evaluator,
    beta: i32,
    visitor: Visitor<'a, &'a Evaluator, Slots>,
}

impl<'a> Search<'a> {
    /// Prepares a job.
    pub fn new(job: &'a Job, evaluator: &'a Evaluator) -> Search<'a> {
        let beta = match job.task {
            Task::Search { beta, .. } => i32::from(beta),
            Task::Perft { .. } => 0,
        };
        let mut visitor = Visitor::new(evaluator, beta, job.pruning, Slots::default());
        visitor.limit_to(job.most_nodes());
        Search {
            job,
            evaluator,
            beta,
            visitor,
        }
    }

    /// The job ends as [`Ending::Aborted`], some nodes after `stop` is set.
    #[must_use]
    pub fn stop_when(mut self, stop: &'a AtomicBool) -> Search<'a> {
        self.visitor.stop_when(stop);
        self
    }

    /// Runs the job.
    pub fn run(mut self) -> Outcome {
        self.run_counting().0
    }

    /// Runs the job, and tells the slots by kind.
    pub fn run_counting(&mut self) -> (Outcome, Slots) {
        let (start, first) = (&self.job.position, self.job.first);
        self.visitor.slots.load = start.occupied().count_ones();
        self.visitor.slots.enter = 1;
        let position = match first.is_none() {
            true => *start,
            false => {
                let piece = start.at(first.from()).map(|(_, piece)| piece);
                self.visitor.slots.hop += u32::from(piece.is_some_and(|piece| start.hops(piece, first)));
                start.after(first)
            }
        };
        let placement = self.evaluator.placement(&position);
        let (ending, score) = if Node::new(&position).is_illegal() {
            self.visitor.slots.illegal += 1;
            (Ending::Illegal, 0)
        } else {
            match self.job.task {
                Task::Search { depth, .. } => {
                    let killer = &mut { Move::NONE };
                    let holds = self
                        .visitor
                        .visit::<false>(&position, placement, depth as i8, 0, killer, false);
                    match (self.visitor.limit_reached, holds) {
                        (true, _) => (self.early_ending(), 0),
                        (false, true) => (Ending::Lower, self.beta),
                        (false, false) => (Ending::Upper, self.beta - 1),
                    }
                }
                Task::Perft { depth } => {
                    let killer = &mut { Move::NONE };
                    self.visitor
                        .visit::<true>(&position, placement, depth as i8, 0, killer, false);
                    match self.visitor.limit_reached {
                        true => (self.early_ending(), 0),
                        false => (Ending::Counted, 0),
                    }
                }
            }
        };
        let outcome = Outcome {
            ending,
            score: score as i16,
            best: match ending {
                Ending::Lower => self.visitor.best,
                _ => Move::NONE,
            },
            nodes: self.visitor.nodes,
            slots: self.visitor.slots.total(),
        };
        (outcome, self.visitor.slots)
    }

    const fn early_ending(&self) -> Ending {
        match self.visitor.aborted {
            true => Ending::Aborted,
            false => Ending::Limit,
        }
    }
}
