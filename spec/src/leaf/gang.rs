//! A gang: all threads of a core search one job, by taking over nodes from each other.
//!
//! The job begins on one thread, its *leader*, as any job that prunes. A node of full width with [`SPLIT_DEPTH`] plies left or more, one of whose
//! moves was legal and not enough, is *open* while another of its moves is searched, but for castling and captures en passant. A thread without work takes over an open node: it goes
//! on with all moves after the one that its *boss*, whose node it is, is searching, and the boss has only that left to do. Answers of a search
//! that prunes do not hang on the order of moves, so the gang's is that of a single thread; where many moves are tried at once, the one
//! that refutes is found sooner.
//!
//! # The rules
//! Threads pass the stage that decides one after the other, a cycle each, so that each knows what those before it have decided:
//! - A thread has at most one node given away. Of its open nodes it offers the one nearest to the root, of at most [`OPEN_PLIES`] plies. There is one
//!   offer at a time: the first, or whichever is nearer to the root. It is there two cycles after its thread has passed, and not for the next one that passes.
//! - A thread without work takes it. A trip later it has the position below the node, another one later it has taken back the boss's move, and looks for
//!   the next.
//! - A thread that has searched its move of a node that it has given away, and has not refuted it, waits for its helper; but if it has
//!   that node from another thread itself, it is free, and its helper helps that thread.
//! - If a move refutes a node, all others who search it stop, and who has given it away comes back to it. Each thread tells only the one
//!   that it has given something away to, so that takes a trip for each.
//! - When all moves are searched, the node has failed.
//!
//! Slots are those of the leader: trips from its first piece to the end, whether it searches or waits. Nodes are those of all. The gang ends with
//! [`Ending::Limit`] some cycles after it has had its limit of nodes.

mod sharing;
mod tape;
mod thread;

use std::mem;
use std::ops::Deref;

use super::job::{Ending, Job, Outcome, Task};
use super::visit::Visitor;
use super::walk::{Entered, Following, Start, Walk};
use crate::eval::Evaluator;
use crate::types::Move;
use sharing::Offer;
use tape::Tape;
use thread::{Act, Child, Doing, Fork, Thread, bit};

/// The threads of a gang: those of a core.
pub const THREADS: usize = 13;

/// The least depth of a node that is shared out.
pub const SPLIT_DEPTH: i8 = 2;

/// The nodes that are shared out are less than so many plies from the root.
pub const OPEN_PLIES: u32 = 16;

/// More trips than it takes from the limit to the end.
const TRIPS_TO_END: u32 = 8;

/// Runs a job as a core with so many threads would, if all were free. Tells how many slots they were busy for it, together.
pub fn run(job: &Job, evaluator: &Evaluator, threads: usize) -> (Outcome, u32) {
    Gang::new(*job, evaluator, threads).run()
}

/// A job under way, by the evaluator that `E` leads to.
pub struct Gang<E> {
    job: Job,
    evaluator: E,
    /// Searches what no other thread can help with.
    visitor: Visitor<'static, E, Tape>,
    beta: i32,
    limit: u32,
    threads: Vec<Thread>,
    offer: Offer,
    /// The thread that has just passed, and the nodes that it can give away.
    passed: (usize, u32),
    nodes: u32,
    spent: bool,
    best: Move,
    slots: u32,
    /// Slots of all threads, but for those in which they wait.
    busy: u32,
    ended: Option<Ending>,
}

impl<E: Deref<Target = Evaluator> + Clone> Gang<E> {
    /// A job that is about to begin on a core with so many threads.
    pub fn new(job: Job, evaluator: E, threads: usize) -> Gang<E> {
        let beta = match job.task {
            Task::Search { beta, .. } => i32::from(beta),
            Task::Perft { .. } => 0,
        };
        let (start, first) = (&job.position, job.first);
        let moving = start.at(first.from()).map(|(_, piece)| piece);
        let hops = !first.is_none() && moving.is_some_and(|piece| start.hops(piece, first));
        let loading = start.occupied().count_ones() + u32::from(hops);
        let mut threads: Vec<Thread> = (0..threads.max(1)).map(|_| Thread::default()).collect();
        threads[LEADER].doing = Doing::Act(Act::Enter);
        Gang {
            visitor: Visitor::new(evaluator.clone(), beta, true, Tape::default()),
            limit: job.most_nodes(),
            job,
            evaluator,
            beta,
            threads,
            offer: Offer::NONE,
            passed: (LEADER, 0),
            nodes: 0,
            spent: false,
            best: Move::NONE,
            slots: loading,
            busy: loading,
            ended: None,
        }
    }

    fn run(mut self) -> (Outcome, u32) {
        loop {
            if let Some(found) = self.run_to(u32::MAX) {
                return found;
            }
        }
    }

    /// Goes on until the job ends, or has had so many slots. What it found, and the slots that its threads were busy for it.
    pub fn run_to(&mut self, slots: u32) -> Option<(Outcome, u32)> {
        while self.ended.is_none() && self.slots < slots {
            self.slots += 1;
            for index in 0..self.threads.len() {
                self.decide(index);
                if self.ended.is_some() {
                    break;
                }
            }
        }
        let ending = self.ended?;
        let outcome = Outcome {
            ending,
            score: match ending {
                Ending::Lower => self.beta as i16,
                Ending::Upper => (self.beta - 1) as i16,
                _ => 0,
            },
            best: match ending {
                Ending::Lower => self.best,
                _ => Move::NONE,
            },
            nodes: self.nodes,
            slots: self.slots,
        };
        // The others hear of it when they pass the next time.
        let others = self.threads[1..].iter().filter(|thread| thread.is_busy()).count();
        Some((outcome, self.busy + others as u32))
    }

    /// The slots of the job so far, and of all threads for it.
    pub fn slots(&self) -> (u32, u32) {
        (self.slots, self.busy)
    }

    /// A thread passes the stage that decides.
    fn decide(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        let may_claim = thread.doing == Doing::Nothing && !self.offer.is_none();
        if thread.is_steady() && self.nodes < self.limit && !may_claim {
            self.nodes += thread.play();
            self.busy += u32::from(thread.doing == Doing::Play);
            let offers = thread.offers;
            return self.pass(index, offers, false);
        }
        self.decide_anew(index);
    }

    fn decide_anew(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        let ply = thread.ply();
        let stopped = mem::take(&mut thread.stopped) && thread.boss.is_some();
        let is_in_gang = thread.doing != Doing::Nothing;
        self.busy += u32::from(thread.is_busy());
        let over = self.spent && index == LEADER && !thread.hops();
        self.spent |= is_in_gang && self.nodes == self.limit;
        let waits = thread.doing == Doing::Act(Act::Wait);
        if let Some(Fork {
            ply,
            found: Some(false),
            ..
        }) = thread.fork
            && !waits
        {
            thread.closed |= bit(ply);
            thread.fork = None;
        }
        let step = match thread.fork {
            _ if stopped => self.leave_gang(index),
            Some(Fork {
                ply, found: Some(true), ..
            }) if !waits => {
                thread.nodes.truncate(ply + 1 - thread.base);
                thread.doing = Doing::Act(Act::Wait);
                Step::Halt
            }
            _ => self.take_slot(index),
        };
        if over {
            self.ended = Some(Ending::Limit);
        }
        let thread = &mut self.threads[index];
        thread.open_by(ply, step);
        thread.look_ahead();
        let offers = thread.offers;
        self.pass(index, offers, step == Step::Claim);
    }

    /// What comes of the slot that a thread has done.
    fn take_slot(&mut self, index: usize) -> Step {
        let thread = &mut self.threads[index];
        match thread.doing {
            Doing::Nothing => self.claim(index),
            Doing::Pass(1, following) => self.follow(index, following),
            Doing::Pass(passes, following) => {
                thread.doing = Doing::Pass(passes - 1, following);
                Step::Stay
            }
            Doing::Play => {
                thread.look_ahead();
                self.nodes += thread.play();
                match thread.has_played() {
                    true => self.leave_tape(index),
                    false => Step::Stay,
                }
            }
            Doing::Hop(act) => {
                thread.doing = Doing::Act(act);
                Step::Stay
            }
            Doing::Act(Act::Enter) => match thread.nodes.last() {
                None => self.enter_root(),
                Some(node) if !node.tried.legal => self.rise(index, Child::Refutes),
                Some(node) => {
                    let start = node.below(&self.evaluator);
                    self.visit(index, start)
                }
            },
            Doing::Act(Act::EnterNull) => match thread.nodes.last() {
                Some(node) => {
                    let start = node.below_null();
                    self.visit(index, start)
                }
                None => Step::Halt,
            },
            Doing::Act(Act::Retract) => self.retract(index),
            Doing::Act(Act::Join) => thread.go_up(Child::Refutes),
            Doing::Act(Act::Wait) => match thread.found() {
                None => Step::Halt,
                Some(found) => {
                    thread.fork = None;
                    thread.go_up(if found { Child::Helped } else { Child::Last })
                }
            },
        }
    }

    fn enter_root(&mut self) -> Step {
        let (start, first) = (&self.job.position, self.job.first);
        let position = match first.is_none() {
            true => *start,
            false => start.after(first),
        };
        let (Task::Search { depth, .. } | Task::Perft { depth }) = self.job.task;
        let root = Start {
            position,
            placement: self.evaluator.placement(&position),
            depth: depth as i8,
            ply: 0,
            killer: Move::NONE,
            after_null: false,
        };
        self.visit(LEADER, root)
    }

    fn visit(&mut self, index: usize, start: Start) -> Step {
        if start.depth < SPLIT_DEPTH && start.ply > 0 {
            return self.visit_alone(index, start);
        }
        let (node, entered) = Walk::enter(start, self.beta, &self.evaluator);
        let thread = &mut self.threads[index];
        if thread.ply() == 0 && node.is_illegal() {
            self.ended = Some(Ending::Illegal);
            return Step::Halt;
        }
        self.nodes += 1;
        thread.nodes.push(node);
        match entered {
            Entered::Settled(holds) => self.leave(index, holds),
            Entered::Walks => self.advance(index),
            Entered::Passes => {
                thread.top().passed = true;
                thread.doing = Doing::Act(Act::EnterNull);
                Step::Stay
            }
        }
    }

    /// Visits a node below which nothing can be given away.
    fn visit_alone(&mut self, index: usize, start: Start) -> Step {
        self.nodes += 1;
        let left = self.limit.saturating_sub(self.nodes);
        self.visitor.limit_to(left + TRIPS_TO_END);
        self.visitor.slots.clear();
        let mut killer = start.killer;
        let (position, placement) = (&start.position, start.placement);
        let holds = (self.visitor).visit::<false>(
            position,
            placement,
            start.depth,
            start.ply,
            &mut killer,
            start.after_null,
        );
        let thread = &mut self.threads[index];
        mem::swap(&mut self.visitor.slots, &mut thread.tape);
        (thread.tape.holds, thread.tape.killer) = (holds, killer);
        if thread.tape.slots == 0 {
            return self.leave_tape(index);
        }
        thread.rewind();
        Step::Stay
    }

    fn leave_tape(&mut self, index: usize) -> Step {
        let Tape { holds, killer, .. } = self.threads[index].tape;
        self.leave_below(index, holds, killer)
    }

    /// Goes on with the last node.
    fn advance(&mut self, index: usize) -> Step {
        let thread = &mut self.threads[index];
        match thread.top().advance() {
            (0, following) => self.follow(index, following),
            (passes, following) => {
                thread.doing = Doing::Pass(passes, following);
                Step::Stay
            }
        }
    }

    fn follow(&mut self, index: usize, following: Following) -> Step {
        let thread = &mut self.threads[index];
        let node = thread.top();
        match following {
            Following::End => {
                let holds = node.holds_without();
                self.leave(index, holds)
            }
            Following::Move => {
                let opens = node.full_width && node.found_legal && node.depth >= SPLIT_DEPTH && !node.tried.hops;
                thread.doing = match node.tried.hops {
                    true => Doing::Hop(Act::Enter),
                    false => Doing::Act(Act::Enter),
                };
                if opens { Step::Open } else { Step::Stay }
            }
        }
    }

    /// A move was taken back.
    fn retract(&mut self, index: usize) -> Step {
        let thread = &mut self.threads[index];
        let child = thread.child;
        let node = thread.top();
        if node.passed {
            node.passed = false;
            return match child {
                Child::Fails => self.leave(index, true),
                _ => self.advance(index),
            };
        }
        node.found_legal |= node.tried.legal;
        match child {
            Child::Refutes => self.advance(index),
            Child::Last => self.leave(index, false),
            Child::Helped => self.leave(index, true),
            Child::Fails if node.tried.reduction > 0 => {
                node.tried.reduction = 0;
                self.follow(index, Following::Move)
            }
            Child::Fails => {
                node.note_killer();
                self.leave(index, true)
            }
        }
    }

    /// The last node is done: whether it reaches its bound.
    fn leave(&mut self, index: usize, holds: bool) -> Step {
        let thread = &mut self.threads[index];
        if thread.nodes.len() == 1 {
            if thread.boss.is_some() {
                return self.report(index, holds);
            }
            self.ended = Some(if holds { Ending::Lower } else { Ending::Upper });
            return Step::Halt;
        }
        let killer = thread.nodes.pop().map_or(Move::NONE, |node| node.killer);
        self.leave_below(index, holds, killer)
    }

    /// A node below the last one is done, and has this killer for its siblings.
    fn leave_below(&mut self, index: usize, holds: bool, killer: Move) -> Step {
        let above = self.threads[index].top();
        if !above.passed {
            above.child_killer = killer;
        }
        self.rise(index, if holds { Child::Refutes } else { Child::Fails })
    }

    /// Back to the node above one that is done, or not even legal.
    fn rise(&mut self, index: usize, child: Child) -> Step {
        let thread = &mut self.threads[index];
        let ply = thread.base + thread.nodes.len() - 1;
        let refutes = matches!(child, Child::Fails);
        let (reduced, passed, mv) = {
            let above = thread.top();
            (above.tried.reduction > 0, above.passed, above.tried.mv)
        };
        let fork = thread.fork.filter(|fork| fork.ply == ply);
        match fork {
            None if !refutes && thread.closed & bit(ply) != 0 => return thread.go_up(Child::Last),
            Some(fork) if !refutes && thread.boss.is_some() && fork.ply == thread.base => {
                return self.hand_on(index, fork);
            }
            Some(_) if !refutes => {
                thread.doing = Doing::Act(Act::Wait);
                return Step::Halt;
            }
            Some(_) if !reduced => self.release(index),
            _ => {}
        }
        if refutes && !passed && !reduced && ply == 0 {
            self.best = mv;
        }
        self.threads[index].go_up(child)
    }
}

/// The thread that takes the job.
const LEADER: usize = 0;

/// What a slot comes to, for those who would take over nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The thread goes on.
    Stay,
    /// It makes a move in an open node.
    Open,
    /// It goes back to the node above.
    Up,
    /// It takes over a node.
    Claim,
    /// It does not search.
    Halt,
}
