//! Step N, dispatch the leaf: what is asked of accelerators, and what their answers mean here.

use std::pin::pin;

use bluebelle_spec::leaf::{self, Ending, Job, Outcome, Probing, Resolved, Task};
use bluebelle_spec::{Move, Position};
use futures_util::future::{Either, join_all, select};

use super::tree::{Tree, Tries};
use super::turn::Help;
use super::visit::{Found, Open, Visit};
use crate::board::Board;
use crate::pool::{Answer, Batch};
use crate::projection::Work;
use crate::score::{LEAST_MATE, MATE, is_mate_or_table};
use crate::table::{Bound, Entry, NO_EVALUATION};

/// Null windows asked at once where a value is wanted.
const PROBES: usize = 16;

/// Leaves have such a share of the plies of an iteration, in percent, and at least so many plies.
const LEAF_SHARE: i32 = 67;
const LEAST_LEAF_DEPTH: u8 = 4;

/// A single thread's leaves have at most so many plies: what everybody waits for in the end is the longest job.
const MOST_LEAF_DEPTH: u8 = 15;

/// The same for those that a gang searches: it is several times sooner done with them, and so can have more.
const GANG_LEAF_SHARE: i32 = 85;

/// A gang's jobs may have so many times the nodes of others.
const GANG_NODES: u32 = 32;

/// The least depth of a gang's leaf that is split if a core has nothing to do, in general and where jobs are cheap.
const GANG_SPLIT_DEPTH: i32 = 12;
const CHEAP_GANG_SPLIT_DEPTH: i32 = 8;

/// How many jobs may be out or wait for each gang: enough for the time that the next one would be on the line.
const JOBS_A_GANG: usize = 6;
const CHEAP_JOBS_A_GANG: usize = 2;

/// The depth of a scout's leaves. A leader believes what it meets in the table, and plies of the chip are worth less than its own.
const SCOUT_LEAF_DEPTH: u8 = 4;

/// The depth of leaves that serves best without a board, with the golden search in threads of its own and in this one.
const WORKER_LEAF_DEPTH: u8 = 6;
const HOST_LEAF_DEPTH: u8 = 4;

/// And if jobs do not prune: every ply makes those several times larger.
const WHOLE_LEAF_DEPTH: i32 = 4;

/// Jobs that take the line or the host no longer than so many nodes take the golden search here are cheap: then leaves are split if there is
/// nothing else to do.
const CHEAP_JOB: u32 = 32;

/// Of such leaves, those of so many plies are tried here for so many nodes first: most have no more, and the threads of the host are the limit.
const CHEAP_TRIED_DEPTH: u8 = 3;
const CHEAP_TRIED_NODES: u32 = 24;

/// The least depth of a leaf that is split. A scout's are all too small for that.
const SPLIT_DEPTH: i32 = 4;
const SCOUT_SPLIT_DEPTH: i32 = SCOUT_LEAF_DEPTH as i32 + 1;

/// How many jobs may be out or wait for each thread of the boards, in general and where leaves are split.
const JOBS_A_THREAD: usize = 2;
const SPLIT_JOBS_A_THREAD: usize = 4;

/// For how many nodes a leaf is tried at least while there is nothing else to do than to wait for its job: what a fast line takes for one.
const IDLE_NODES: u32 = 256;

/// Questions about more than this are answered by jobs that do not prune.
const MATE_HUNT: i16 = 1000;

/// A null-window question about a leaf that is on its way.
pub(super) struct Asked {
    answer: Answer,
    question: i16,
    open: Open,
}

impl Asked {
    pub(super) fn new(answer: Option<Answer>, question: i16, open: Option<Open>) -> Option<Asked> {
        let (answer, open) = answer.zip(open)?;
        Some(Asked { answer, question, open })
    }
}

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
    /// Which positions of an iteration are leaves, and which of those are tried here, by whom the pool has now. Whoever chooses the
    /// depth of leaves wants them to be jobs.
    pub(super) fn choose_leaves(&self, iteration: i32, scouts: bool) {
        let most_nodes = self.style.most_nodes();
        let worth = self.pool.nodes_worth_a_job().min(most_nodes);
        let cheap = !self.style.host_alone && worth <= CHEAP_JOB;
        // Where jobs are dear there are few, and each is waited for: then all threads of a core are better used for one. Where they are cheap,
        // that is so for leaves that are too large for a single thread.
        let too_large = iteration * LEAF_SHARE / 100 > MOST_LEAF_DEPTH.into();
        let gangs = match cheap && !too_large || scouts || self.style.host_alone || self.style.leaf_depth > 0 {
            true => 0,
            false => self.pool.gangs(),
        };
        let deepest = match gangs > 0 || self.style.leaf_depth > 0 {
            true => self.pool.max_depth(),
            false => self.pool.max_depth().min(MOST_LEAF_DEPTH),
        };
        self.gangs.set(gangs);
        self.gang_jobs
            .set(gangs * if cheap { CHEAP_JOBS_A_GANG } else { JOBS_A_GANG });
        let percent = if gangs > 0 { GANG_LEAF_SHARE } else { LEAF_SHARE };
        let share = match scouts {
            true => SCOUT_LEAF_DEPTH,
            false => u8::try_from(iteration * percent / 100)
                .unwrap_or(u8::MAX)
                .max(LEAST_LEAF_DEPTH),
        };
        let (leaf_depth, tried_depth, nodes) = match (self.style.host_alone, self.style.leaf_depth) {
            (true, _) => (HOST_LEAF_DEPTH, HOST_LEAF_DEPTH, most_nodes),
            (false, 0) if cheap => (share, CHEAP_TRIED_DEPTH, CHEAP_TRIED_NODES.min(most_nodes)),
            (false, 0) if self.pool.has_boards() => (share, share, worth),
            (false, 0) => (WORKER_LEAF_DEPTH, WORKER_LEAF_DEPTH, worth),
            (false, depth) => (depth, 1, most_nodes),
        };
        self.leaf_depth.set(leaf_depth.clamp(1, deepest.max(1)).into());
        let split_depth = match (scouts, gangs) {
            (true, _) => SCOUT_SPLIT_DEPTH,
            (false, 0) => SPLIT_DEPTH,
            (false, _) if cheap => CHEAP_GANG_SPLIT_DEPTH,
            (false, _) => GANG_SPLIT_DEPTH,
        };
        let splits = (cheap || gangs > 0) && self.style.selective && self.style.concurrent;
        self.split_depth.set(splits.then_some(split_depth));
        self.tries.set(Tries {
            depth: tried_depth,
            nodes,
            idle_nodes: match self.style.leaf_depth {
                0 => nodes.saturating_mul(2).saturating_add(IDLE_NODES),
                _ => 0,
            },
        });
        self.turn.set_patience(nodes);
    }

    /// Whether a position is searched by a job.
    pub(super) fn is_leaf(&self, depth: i32, question: i16) -> bool {
        let deepest = match self.prunes(question) || self.style.leaf_depth > 0 {
            true => self.leaf_depth.get(),
            false => self.leaf_depth.get().min(WHOLE_LEAF_DEPTH),
        };
        depth <= deepest
    }

    /// Whether a leaf is searched by smaller jobs if there is nothing else to do than to wait for it.
    fn is_split(&self, depth: i32) -> bool {
        self.split_depth.get().is_some_and(|least| depth >= least)
    }

    /// Whether it is time for that. Jobs of single threads are many and cheap; but a gang has a core to itself, and must not wait for one that
    /// searches a part of what another does already.
    pub(super) fn may_split(&self) -> bool {
        let gangs = self.gangs.get();
        gangs == 0 || self.pool.outstanding() < gangs
    }

    /// The most jobs that may be out or wait at once.
    pub(super) fn most_jobs(&self) -> usize {
        match (self.gangs.get(), self.split_depth.get()) {
            (0, None) => JOBS_A_THREAD * self.pool.threads(),
            (0, Some(_)) => SPLIT_JOBS_A_THREAD * self.pool.threads(),
            (_, _) => self.gang_jobs.get(),
        }
    }

    /// Whether a leaf is tried here first. Without pruning it is likely to be large, whatever its depth.
    pub(super) fn is_tried(&self, depth: i32, question: i16) -> bool {
        depth <= self.tries.get().depth.into() && (depth <= 1 || self.prunes(question) || self.style.host_alone)
    }

    /// Whether it would be tried for as long as a job may take: then nobody need be asked.
    pub(super) fn is_tried_out(&self, depth: i32, question: i16) -> bool {
        self.is_tried(depth, question) && self.tries.get().nodes >= self.style.most_nodes()
    }

    /// On which side of its bound a leaf is; `None` if it has too many nodes to find out here.
    pub(super) fn try_leaf(&self, visit: &Visit<'_>, beta: i32) -> Option<i32> {
        let question = for_job(beta, visit.ply);
        let outcome = self.run_here(visit, question, self.tries.get().nodes)?;
        self.judge(visit.board, visit.depth.max(0), visit.ply, question, &outcome)
    }

    /// The golden search in this thread.
    fn run_here(&self, visit: &Visit<'_>, beta: i16, node_limit: u32) -> Option<Outcome> {
        let task = Task::Search {
            depth: visit.depth.max(0) as u8,
            beta,
        };
        let job = Job {
            pruning: self.prunes(beta),
            node_limit,
            // A board that came from a legal position by legal moves is one.
            ..Job::new(visit.board.position().ok()?, task)
        };
        let outcome = leaf::run(&job, &self.golden);
        self.turn.count(outcome.nodes);
        self.work.count(Work {
            leaves: 1,
            leaf_nodes: outcome.nodes.into(),
            leaf_slots: outcome.slots.into(),
            ..Work::default()
        });
        Some(outcome)
    }

    /// Asks on which side of its bound a leaf is; `None` if it is too large for a job.
    pub(super) fn ask_leaf(&self, visit: &Visit<'_>, open: Open) -> Option<Asked> {
        let (depth, question) = (visit.depth.max(0), for_job(open.beta, visit.ply));
        if self.is_tried_out(depth, question) {
            return None;
        }
        let position = visit.board.position().ok()?;
        let batch = Batch::one(position, depth as u8, question, self.job_nodes());
        Asked::new(self.ask(batch).pop(), question, Some(open))
    }

    /// The value of a leaf that a board was asked about. A leaf that is too large for a job is searched here, by smaller jobs; and so
    /// is one whose answer is still out when there is nothing else to do, as long as that is out.
    pub(super) async fn hear_or_split(&self, asked: Asked, visit: Visit<'_>) -> Found {
        let Asked { answer, question, open } = asked;
        let judge = |outcome: Option<Outcome>| {
            let depth = visit.depth.max(0);
            outcome.and_then(|outcome| self.judge(visit.board, depth, visit.ply, question, &outcome))
        };
        let node = || Box::pin(self.node(visit.no_leaf(), open));
        if !self.is_split(visit.depth) {
            return match judge(self.hear(answer, &visit, question).await) {
                Some(score) => Found::score(score),
                None => node().await,
            };
        }
        let (outcome, node) = match select(answer, pin!(self.turn.idle(Help::Split))).await {
            Either::Left((outcome, _)) => (outcome, node()),
            Either::Right(((), answer)) => match select(answer, node()).await {
                Either::Left(answered) => answered,
                Either::Right((found, _)) => return found,
            },
        };
        match judge(outcome) {
            Some(score) => Found::score(score),
            None => node.await,
        }
    }

    /// The value of a leaf within its window; `None` if it is too large for a job.
    pub(super) async fn leaf(&self, visit: &Visit<'_>, open: &Open) -> Option<Found> {
        let (depth, ply) = (visit.depth.max(0), visit.ply);
        let Open { alpha, beta, entry, .. } = *open;
        let position = visit.board.position().ok()?;
        let guess = match entry {
            Some(entry) if is_mate_or_table(entry.score) || visit.principal => entry.score,
            _ => self.evaluate(visit.board),
        };
        let guess = guess.clamp(alpha, beta);
        let window = |width| Probing::new(for_job(alpha, ply), for_job(beta, ply), for_job(guess, ply), width);
        let question = for_job(beta, ply);
        let tried = match self.is_tried(depth, question) {
            true => self.probe_here(visit, window(1)),
            false => None,
        };
        let resolved = match tried {
            Some(resolved) => resolved,
            None if self.is_tried_out(depth, question) => return None,
            None => self.probe_boards(position, depth, window(PROBES)).await?,
        };
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

    /// The answer of a board; or that of this thread, if it has nothing else to do and is sooner.
    async fn hear(&self, answer: Answer, visit: &Visit<'_>, question: i16) -> Option<Outcome> {
        let idle_nodes = self.tries.get().idle_nodes;
        if idle_nodes == 0 || !self.prunes(question) {
            return answer.await;
        }
        match select(answer, pin!(self.turn.idle(Help::Search))).await {
            Either::Left((outcome, _)) => outcome,
            Either::Right(((), answer)) => match self.run_here(visit, question, idle_nodes) {
                Some(outcome) if matches!(outcome.ending, Ending::Lower | Ending::Upper) => Some(outcome),
                _ => answer.await,
            },
        }
    }

    /// Asks the golden search in this thread, one question after the other.
    fn probe_here(&self, visit: &Visit<'_>, mut probing: Probing) -> Option<Resolved> {
        while let Some(questions) = probing.questions() {
            let run = |&question: &i16| self.run_here(visit, question, self.tries.get().nodes);
            let outcomes: Vec<Outcome> = questions.iter().map(run).collect::<Option<_>>()?;
            self.count(outcomes.iter().map(|outcome| u64::from(outcome.nodes)).sum());
            probing.hear(&questions, &outcomes)?;
        }
        Some(probing.found())
    }

    /// Asks the boards, several questions at once.
    async fn probe_boards(&self, position: Position, depth: i32, mut probing: Probing) -> Option<Resolved> {
        while let Some(questions) = probing.questions() {
            let ask = |&question: &i16| self.ask(Batch::one(position, depth as u8, question, self.job_nodes()));
            let answers: Vec<Answer> = questions.iter().flat_map(ask).collect();
            let outcomes: Vec<Outcome> = join_all(answers).await.into_iter().collect::<Option<_>>()?;
            self.count(outcomes.iter().map(|outcome| u64::from(outcome.nodes)).sum());
            probing.hear(&questions, &outcomes)?;
        }
        Some(probing.found())
    }

    /// Asks one question about several children of a position; an answer for each.
    pub(super) fn submit(&self, board: &Board, children: Vec<Move>, depth: i32, question: i16) -> Vec<Answer> {
        let (Ok(parent), false) = (board.position(), children.is_empty()) else {
            return Vec::new();
        };
        self.ask(Batch {
            parent,
            children,
            depth: depth as u8,
            beta: question,
            step: 0,
            node_limit: self.job_nodes(),
            pruning: false,
            gang: false,
        })
    }

    fn ask(&self, batch: Batch) -> Vec<Answer> {
        self.work.count(Work {
            jobs: batch.children.len() as u64,
            ..Work::default()
        });
        self.pool.submit(Batch {
            pruning: self.prunes(batch.beta),
            gang: self.gangs.get() > 0,
            ..batch
        })
    }

    /// The most nodes of a job.
    fn job_nodes(&self) -> u32 {
        match self.gangs.get() > 0 {
            true => self.style.node_limit.saturating_mul(GANG_NODES),
            false => self.style.node_limit,
        }
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
