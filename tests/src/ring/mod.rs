//! The slot rule as a machine: one thread of the chip, one slot after the other, without recursion and without lists.
//!
//! A slot does one thing to the board, makes one pass and takes one decision: which slot is next. What it knows is the
//! board, one `Frame` for each ply, and what the position just left says (`Child`). A frame holds the last move tried,
//! two killers and a few flags; what else was tried follows from the order of the passes.

mod board;
mod frame;
mod order;
mod passes;
mod pruning;

use bluebelle_spec::leaf::{Ending, Job, MATE, MAX_NODES, MAX_PLY, Outcome, Slots, Task};
use bluebelle_spec::{Move, Piece, Square, Weights};

use self::board::{Board, Hop};
use self::frame::{Child, Frame};
use self::order::{PROMOTIONS, Stage, Victim};
use self::passes::{Found, find_attacker, find_killer, find_piece, find_push, find_square, find_victim, push_from};
pub use self::pruning::Pruned;
use crate::naive;

/// Runs a job slot by slot.
pub fn run(job: &Job, weights: &Weights) -> Run {
    let mut thread = Thread::new(job, weights);
    let mut next = Next::Slot(Slot::Load(0));
    loop {
        next = match next {
            Next::Slot(slot) => thread.take(slot),
            Next::End(ending) => return thread.result(ending),
        };
    }
}

/// What a job found, and how.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// As the golden model has it.
    pub outcome: Outcome,
    /// The slots by kind.
    pub slots: Slots,
    /// The deepest ply reached.
    pub deepest: usize,
    /// How many killers were tried.
    pub killers: u32,
    /// How often pruning did something.
    pub pruned: Pruned,
}

/// One slot, by what it does to the board and which pass it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// Place a piece of the job's position. No pass.
    Load(usize),
    /// Move the castling rook, or take the passed pawn, of a move about to be made. No pass.
    Hop,
    /// Make a move. Find victim.
    Enter,
    /// Find the victim's first attacker.
    Attacker,
    /// Find the next victim.
    Victim,
    /// Find quiet: the first move of the next quiet pass.
    Quiet,
    /// Put the castling rook or the passed pawn back. No pass.
    HopBack,
    /// Unmake a move. Find attacker, victim or quiet, or nothing.
    Retract,
}

/// A slot's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Slot(Slot),
    End(Ending),
}

struct Thread<'a> {
    job: &'a Job,
    weights: &'a Weights,
    board: Board,
    /// The ply on the board; none before the root is entered.
    ply: Option<usize>,
    frames: [Frame; MAX_PLY as usize + 1],
    child: Child,
    /// The move about to be made.
    next_move: Move,
    best: Move,
    nodes: u32,
    slots: Slots,
    deepest: usize,
    killers: u32,
    pruned: Pruned,
}

impl<'a> Thread<'a> {
    fn new(job: &'a Job, weights: &'a Weights) -> Thread<'a> {
        Thread {
            job,
            weights,
            board: Board::cleared(&job.position),
            ply: None,
            frames: [Frame::entered(0, false, Move::NONE); MAX_PLY as usize + 1],
            child: Child::ILLEGAL,
            next_move: job.first,
            best: Move::NONE,
            nodes: 0,
            slots: Slots::default(),
            deepest: 0,
            killers: 0,
            pruned: Pruned::default(),
        }
    }

    fn take(&mut self, slot: Slot) -> Next {
        match slot {
            Slot::Load(index) => self.load(index),
            Slot::Hop => self.hop(),
            Slot::Enter => self.enter(),
            Slot::Attacker => self.first_attacker(),
            Slot::Victim => {
                self.slots.victim += 1;
                self.next_victim(self.victim_on(self.frame().to))
            }
            Slot::Quiet => {
                self.slots.quiet += 1;
                self.next_quiet_pass()
            }
            Slot::HopBack => self.hop_back(),
            Slot::Retract => self.retract(),
        }
    }

    fn load(&mut self, index: usize) -> Next {
        self.slots.load += 1;
        let position = &self.job.position;
        let mut occupied = Square::all().filter(|&square| position.at(square).is_some());
        if let Some(square) = occupied.nth(index) {
            self.board.pieces.set(square, position.at(square));
        }
        match occupied.next() {
            Some(_) => Next::Slot(Slot::Load(index + 1)),
            None => self.go(self.job.first),
        }
    }

    fn hop(&mut self) -> Next {
        self.slots.hop += 1;
        let hop = self.board.hop_of(self.next_move).expect("a move with a hop");
        self.board.hop(hop);
        Next::Slot(Slot::Enter)
    }

    fn enter(&mut self) -> Next {
        // Board.
        self.slots.enter += 1;
        let passes = self.ply.is_some() && self.frame().passed;
        if passes || !self.next_move.is_none() {
            let lost = match passes {
                true => self.board.pass(),
                false => self.board.make(self.next_move),
            };
            if let Some(ply) = self.ply {
                self.frames[ply].lost = Some(lost);
            }
        }
        let killer = self.ply.map_or(Move::NONE, |ply| self.frames[ply].child_killer);
        let depth = self.depth_below();
        let ply = self.ply.map_or(0, |ply| ply + 1);
        self.ply = Some(ply);
        self.deepest = self.deepest.max(ply);

        // Pass.
        self.frames[ply] = Frame::entered(depth, self.board.in_check(), killer);
        let found = find_victim(&self.board, None);

        // Decision.
        if self.board.is_illegal() {
            self.slots.illegal += 1;
            self.child = Child::ILLEGAL;
            return self.leave(Ending::Illegal);
        }
        let perft = matches!(self.job.task, Task::Perft { .. });
        if !perft || self.depth() == 0 {
            self.nodes += 1;
            if self.nodes >= self.node_limit() {
                return Next::End(Ending::Limit);
            }
        }
        if perft && self.depth() == 0 {
            return self.complete(true, Move::NONE);
        }
        if !self.is_full_width() {
            let value = naive::evaluate(&self.board.pieces, self.board.mover, self.weights);
            if value >= self.bound() {
                return self.complete(true, Move::NONE);
            }
            if ply == MAX_PLY as usize {
                return self.complete(false, Move::NONE);
            }
        }
        if let Some(next) = self.is_good_enough(passes) {
            return next;
        }
        self.found_first_victim(found)
    }

    /// Decides after the first find victim.
    fn found_first_victim(&mut self, found: Option<Found<Square>>) -> Next {
        match found {
            Some(found) => self.found_victim(found),
            None if !self.is_full_width() => self.exhausted(),
            None if self.quiet_is_futile() => self.complete(false, Move::NONE),
            None => Next::Slot(Slot::Quiet),
        }
    }

    fn first_attacker(&mut self) -> Next {
        self.slots.attacker += 1;
        let found = find_attacker(&self.board, self.frame().to, None);
        self.found_attacker(found)
    }

    fn hop_back(&mut self) -> Next {
        self.slots.hop += 1;
        let hop = self.hop_of_last().expect("a move with a hop");
        self.board.hop_back(hop);
        Next::Slot(Slot::Retract)
    }

    fn retract(&mut self) -> Next {
        // Board.
        self.slots.retract += 1;
        self.ply = self.parent();
        if self.frame().passed {
            return self.retract_pass();
        }
        let child = self.child;
        let frame = self.frame_mut();
        frame.found_legal |= child.legal;
        if !child.killer.is_none() {
            frame.child_killer = child.killer;
        }
        let lost = frame.lost.take().expect("a move was made here");
        let (frame, last) = (*frame, frame.last());
        self.board.unmake(last, &lost);

        // The same move again, as deep as any other: no pass.
        if child.legal && !child.holds && frame.reduction > 0 {
            self.pruned.again += 1;
            self.frame_mut().reduction = 0;
            return self.go(last);
        }
        // A cut-off: no pass.
        if child.legal && !child.holds {
            if self.ply == Some(0) {
                self.best = last;
            }
            let is_killer = frame.stage == Stage::Pieces;
            return self.complete(true, if is_killer { last } else { Move::NONE });
        }
        // The next piece that the pawn can become: no pass.
        let full_width = self.is_full_width();
        if let Some(promotion) = frame.promotion.filter(|_| full_width).and_then(promotion_after) {
            return self.go(Move::promoting(frame.from, frame.to, promotion));
        }
        // The pass that the flags ask for.
        match frame.stage {
            Stage::Victims if !frame.last_member => {
                self.found_attacker(find_attacker(&self.board, frame.to, Some(frame.from)))
            }
            Stage::Victims if !frame.last_group => {
                self.next_victim(lost.captured.map_or(Victim::QueenOrPromotion, Victim::capturing))
            }
            Stage::Victims if !full_width => self.exhausted(),
            Stage::Victims if self.weighs_quiet() => {
                let class = lost.captured.map_or(Victim::QueenOrPromotion, Victim::capturing);
                let found = find_victim(&self.board, Some((class, frame.to)));
                self.found_first_victim(found)
            }
            Stage::Pieces if !frame.last_member => {
                self.found_square(find_square(&self.board, frame.from, Some(frame.to), frame.killer))
            }
            Stage::Pushes if !frame.last_member => self.found_push(find_push(&self.board, Some(frame.to))),
            _ => self.next_quiet_pass(),
        }
    }

    /// Makes the pass after a victim of this class, which was not the last, and decides.
    fn next_victim(&mut self, class: Victim) -> Next {
        let found = find_victim(&self.board, Some((class, self.frame().to)));
        self.found_victim(found.expect("the last pass promised another victim"))
    }

    /// Decides after find victim.
    fn found_victim(&mut self, found: Found<Square>) -> Next {
        if self.gains_too_little(found.item) {
            return self.complete(false, Move::NONE);
        }
        let frame = self.frame_mut();
        frame.last_group = found.last;
        frame.to = found.item;
        Next::Slot(Slot::Attacker)
    }

    /// Decides after find attacker.
    fn found_attacker(&mut self, found: Option<Found<Square>>) -> Next {
        let found = found.expect("the last pass promised another attacker");
        if self.loses(found.item) {
            return match self.frame().last_group {
                true => self.exhausted(),
                false => Next::Slot(Slot::Victim),
            };
        }
        self.frame_mut().last_member = found.last;
        let (from, to) = (found.item, self.frame().to);
        let promotes = self.board.is_own(from, Piece::Pawn) && matches!(to.rank(), 0 | 7);
        self.go(match promotes {
            true => Move::promoting(from, to, PROMOTIONS[0]),
            false => Move::new(from, to),
        })
    }

    /// Makes the quiet pass after the last one, and decides.
    fn next_quiet_pass(&mut self) -> Next {
        let frame = *self.frame();
        let (stage, after) = match (frame.stage, frame.last_group) {
            (Stage::Pieces, false) => (Some(Stage::Pieces), Some(frame.from)),
            (stage, _) => (self.next_stage(stage), None),
        };
        let Some(stage) = stage else { return self.exhausted() };
        self.frame_mut().stage = stage;
        match stage {
            Stage::Victims => Next::Slot(Slot::Enter), // never after another stage
            Stage::Killer if find_killer(&self.board, frame.killer) => {
                self.killers += 1;
                self.frame_mut().last_member = true;
                self.go_quietly(frame.killer)
            }
            Stage::Killer => self.found_nothing(),
            Stage::Pieces => {
                let piece = find_piece(&self.board, after).expect("the last pass promised another piece");
                self.frame_mut().last_group = piece.last;
                self.frame_mut().from = piece.item;
                self.found_square(find_square(&self.board, piece.item, None, frame.killer))
            }
            Stage::Pushes => self.found_push(find_push(&self.board, None)),
        }
    }

    /// Whether there is a killer is known without a pass.
    fn next_stage(&self, stage: Stage) -> Option<Stage> {
        match stage.next() {
            Some(Stage::Killer) if self.frame().killer.is_none() => Stage::Killer.next(),
            next => next,
        }
    }

    /// Decides after find quiet for a piece.
    fn found_square(&mut self, found: Option<Found<Square>>) -> Next {
        let Some(found) = found else {
            return self.found_nothing();
        };
        let frame = self.frame_mut();
        frame.last_member = found.last;
        let mv = Move::new(frame.from, found.item);
        self.go_quietly(mv)
    }

    /// Decides after find quiet for pushes.
    fn found_push(&mut self, found: Option<Found<Square>>) -> Next {
        let Some(found) = found else {
            return self.found_nothing();
        };
        self.frame_mut().last_member = found.last;
        let from = push_from(&self.board, found.item).expect("a pawn behind the square");
        self.go_quietly(Move::new(from, found.item))
    }

    /// Decides after a quiet pass that found nothing.
    fn found_nothing(&mut self) -> Next {
        let frame = self.frame();
        let more_pieces = frame.stage == Stage::Pieces && !frame.last_group;
        match more_pieces || self.next_stage(frame.stage).is_some() {
            true => Next::Slot(Slot::Quiet),
            false => self.exhausted(),
        }
    }

    /// To make a move.
    fn go(&mut self, mv: Move) -> Next {
        if self.ply.is_some() {
            let frame = self.frame_mut();
            (frame.from, frame.to, frame.promotion) = (mv.from(), mv.to(), mv.promotion());
        }
        self.next_move = mv;
        match self.board.hop_of(mv) {
            Some(_) => Next::Slot(Slot::Hop),
            None => Next::Slot(Slot::Enter),
        }
    }

    /// No move of this position is left to try.
    fn exhausted(&mut self) -> Next {
        let ply = self.ply.unwrap_or(0) as i32;
        let frame = self.frame();
        if frame.found_legal || !self.is_full_width() {
            return self.complete(false, Move::NONE);
        }
        let value = if frame.in_check { ply - i32::from(MATE) } else { 0 };
        self.complete(value >= self.bound(), Move::NONE)
    }

    /// This position is answered.
    fn complete(&mut self, holds: bool, killer: Move) -> Next {
        let perft = matches!(self.job.task, Task::Perft { .. });
        self.child = Child {
            legal: true,
            holds: holds || perft,
            killer,
        };
        self.leave(match (perft, holds) {
            (true, _) => Ending::Counted,
            (false, true) => Ending::Lower,
            (false, false) => Ending::Upper,
        })
    }

    /// Back to the position before, or to the end of the job.
    fn leave(&mut self, ending: Ending) -> Next {
        match (self.parent(), self.hop_of_last()) {
            (None, _) => Next::End(ending),
            (Some(_), Some(_)) => Next::Slot(Slot::HopBack),
            (Some(_), None) => Next::Slot(Slot::Retract),
        }
    }

    /// The hop of the move that led to the position on the board.
    fn hop_of_last(&self) -> Option<Hop> {
        let frame = &self.frames[self.parent()?];
        if frame.passed {
            return None;
        }
        self.board.hop_of_last(frame.last(), frame.lost.as_ref()?)
    }

    /// The ply above the one on the board.
    fn parent(&self) -> Option<usize> {
        self.ply.and_then(|ply| ply.checked_sub(1))
    }

    fn depth(&self) -> i32 {
        self.frame().depth
    }

    /// The depth of the position that the next move leads to.
    fn depth_below(&self) -> i32 {
        let (Task::Search { depth, .. } | Task::Perft { depth }) = self.job.task;
        match self.ply {
            None => i32::from(depth),
            Some(_) if self.frame().passed => pruning::depth_after_pass(self.depth()),
            Some(_) => (self.depth() - 1 - self.frame().reduction).max(-1),
        }
    }

    fn is_full_width(&self) -> bool {
        self.depth() > 0 || self.depth() == 0 && self.frame().in_check
    }

    fn bound(&self) -> i32 {
        let Task::Search { beta, .. } = self.job.task else {
            return 0;
        };
        match self.ply.unwrap_or(0) % 2 {
            0 => i32::from(beta),
            _ => 1 - i32::from(beta),
        }
    }

    fn node_limit(&self) -> u32 {
        match self.job.node_limit {
            0 => MAX_NODES,
            limit => limit.min(MAX_NODES),
        }
    }

    fn frame(&self) -> &Frame {
        &self.frames[self.ply.unwrap_or(0)]
    }

    fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frames[self.ply.unwrap_or(0)]
    }

    fn result(&self, ending: Ending) -> Run {
        let beta = match self.job.task {
            Task::Search { beta, .. } => beta,
            Task::Perft { .. } => 0,
        };
        let outcome = Outcome {
            ending,
            score: match ending {
                Ending::Lower => beta,
                Ending::Upper => beta - 1,
                _ => 0,
            },
            best: match ending {
                Ending::Lower => self.best,
                _ => Move::NONE,
            },
            nodes: self.nodes,
            slots: self.slots.total(),
        };
        Run {
            outcome,
            slots: self.slots,
            deepest: self.deepest,
            killers: self.killers,
            pruned: self.pruned,
        }
    }
}

fn promotion_after(piece: Piece) -> Option<Piece> {
    let tried = PROMOTIONS.iter().position(|&promotion| promotion == piece)?;
    PROMOTIONS.get(tried + 1).copied()
}
