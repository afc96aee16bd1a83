//! Step N, dispatch the leaf: what is asked of accelerators, and what their answers mean here.

use bluebelle_spec::Move;
use bluebelle_spec::leaf::{self, Ending, Job, Outcome, Probing, Task};
use futures_util::future::join_all;

use super::tree::{Found, Tree, Visit};
use crate::board::Board;
use crate::pool::{Answer, Batch};
use crate::projection::Work;
use crate::score::{LEAST_MATE, MATE};
use crate::table::{Bound, Entry, NO_EVALUATION};

/// Leaves of so few plies are searched here: they are done before a frame could be written.
const HOST_DEPTH: i32 = 1;

/// Null windows asked at once where a value is wanted.
const PROBES: usize = 16;

/// Questions about more than this are answered by jobs that do not prune.
const MATE_HUNT: i16 = 1000;

/// A score of this tree, as a job at this ply counts it: a job's mates count from its own root.
pub(super) fn for_job(score: i32, ply: usize) -> i16 {
    let shifted = match score {
        LEAST_MATE.. => (score + ply as i32).min(MATE),
        score if score <= -LEAST_MATE => (score - ply as i32).max(-MATE),
        score => score,
    };
    shifted as i16
}

/// The inverse of [`for_job`].
fn from_job(score: i16, ply: usize) -> i32 {
    match i32::from(score) {
        score @ LEAST_MATE.. => score - ply as i32,
        score if score <= -LEAST_MATE => score + ply as i32,
        score => score,
    }
}

impl Tree<'_> {
    /// Whether a position is searched by a job.
    pub(super) fn is_leaf(&self, depth: i32) -> bool {
        depth <= self.leaf_depth.get()
    }

    /// The value of a leaf within its window; `None` if it is too large for a job.
    pub(super) async fn leaf(&self, visit: &Visit<'_>, alpha: i32, beta: i32, guess: i32) -> Option<Found> {
        let (depth, ply) = (visit.depth.max(0), visit.ply);
        // A board that came from a legal position by legal moves is one.
        let position = visit.board.position().ok()?;
        let here = depth <= HOST_DEPTH;
        let run = |beta: i16| {
            let task = Task::Search {
                depth: depth as u8,
                beta,
            };
            let job = Job {
                pruning: self.prunes(beta),
                ..Job::new(position, task)
            };
            let outcome = leaf::run(&job, &self.golden);
            self.work.count(Work {
                leaf_nodes: outcome.nodes.into(),
                ..Work::default()
            });
            outcome
        };
        if beta - alpha == 1 {
            let question = for_job(beta, ply);
            let outcome = match here {
                true => run(question),
                false => {
                    let batch = Batch::one(position, depth as u8, question, self.style.node_limit);
                    self.ask(batch).pop()?.await?
                }
            };
            return self
                .judge(visit.board, depth, ply, question, &outcome)
                .map(Found::score);
        }
        let mut probing = Probing::new(for_job(alpha, ply), for_job(beta, ply), for_job(guess, ply), PROBES);
        if here {
            probing = Probing::new(for_job(alpha, ply), for_job(beta, ply), for_job(guess, ply), 1);
        }
        while let Some(questions) = probing.questions() {
            let outcomes: Vec<Outcome> = match here {
                true => questions.iter().map(|&question| run(question)).collect(),
                false => {
                    let ask = |&question: &i16| {
                        let batch = Batch::one(position, depth as u8, question, self.style.node_limit);
                        self.ask(batch)
                    };
                    let answers: Vec<Answer> = questions.iter().flat_map(ask).collect();
                    join_all(answers).await.into_iter().collect::<Option<_>>()?
                }
            };
            self.count(outcomes.iter().map(|outcome| u64::from(outcome.nodes)).sum());
            probing.hear(&questions, &outcomes)?;
        }
        let resolved = probing.found();
        let score = from_job(resolved.score, ply);
        let entry = Entry {
            best: resolved.best,
            score,
            evaluation: NO_EVALUATION,
            depth,
            bound: match resolved.bound {
                leaf::Bound::Exact => Bound::Exact,
                leaf::Bound::Lower => Bound::Lower,
                leaf::Bound::Upper => Bound::Upper,
            },
            principal: true,
        };
        self.store(visit.board, entry, ply);
        let line = Some(resolved.best).filter(|best| !best.is_none()).into_iter().collect();
        Some(Found { score, line })
    }

    /// Asks one question about several children of a position; an answer for each.
    pub(super) fn submit(&self, board: &Board, children: Vec<Move>, depth: i32, question: i16) -> Vec<Option<Answer>> {
        let none = || children.iter().map(|_| None).collect();
        let (Ok(parent), true) = (board.position(), depth > HOST_DEPTH) else {
            return none();
        };
        let batch = Batch {
            parent,
            children: children.clone(),
            depth: depth as u8,
            beta: question,
            step: 0,
            node_limit: self.style.node_limit,
            pruning: false,
        };
        self.ask(batch).into_iter().map(Some).collect()
    }

    fn ask(&self, batch: Batch) -> Vec<Answer> {
        self.work.count(Work {
            jobs: batch.children.len() as u64,
            ..Work::default()
        });
        self.pool.submit(Batch {
            pruning: self.prunes(batch.beta),
            ..batch
        })
    }

    /// Whether a job with this question prunes. Mate scores know no margins; and with so much to win, it is a mate that is
    /// looked for, by quiet checks that the chip's futility leaves out.
    fn prunes(&self, question: i16) -> bool {
        self.style.selective && question.abs() < MATE_HUNT
    }

    /// What the answer to a null-window question says about a leaf; `None` if it has too many nodes.
    pub(super) fn judge(&self, board: &Board, depth: i32, ply: usize, question: i16, outcome: &Outcome) -> Option<i32> {
        self.count(outcome.nodes.into());
        let (score, bound) = match outcome.ending {
            Ending::Lower => (question, Bound::Lower),
            Ending::Upper => (question - 1, Bound::Upper),
            _ => return None,
        };
        let score = from_job(score, ply);
        let entry = Entry {
            best: outcome.best,
            score,
            evaluation: NO_EVALUATION,
            depth,
            bound,
            principal: false,
        };
        self.store(board, entry, ply);
        Some(score)
    }
}
