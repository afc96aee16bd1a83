//! What a thread leaves out when its job says so.

use std::ops::AddAssign;

use bluebelle_spec::leaf::pruning::{
    DELTA_DEPTH, DELTA_MARGIN, FUTILITY_DEPTH, FUTILITY_MARGIN, NULL_MOVE_DEPTH, REDUCTION_DEPTH,
    REVERSE_FUTILITY_MARGIN, WORTH,
};
use bluebelle_spec::leaf::{MAX_PLY, Task};
use bluebelle_spec::{Move, Piece, Square};

use super::order::{Victim, attacker_class};
use super::passes::{find_piece, find_victim};
use super::{Next, Slot, Thread};
use crate::naive;

/// How often each rule did something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Positions that were good enough as they were.
    pub reverse: u32,
    /// Null moves made.
    pub passes: u32,
    /// Of these, those that settled the position.
    pub passes_held: u32,
    /// Positions that failed for want of a victim worth taking.
    pub delta: u32,
    /// Victims left for the next because the attacker would lose by taking them.
    pub losing: u32,
    /// Positions whose quiet moves were left out.
    pub futile: u32,
    /// Moves searched less deep.
    pub reduced: u32,
    /// Of these, those that were searched again.
    pub again: u32,
}

impl AddAssign for Pruned {
    fn add_assign(&mut self, other: Pruned) {
        self.reverse += other.reverse;
        self.passes += other.passes;
        self.passes_held += other.passes_held;
        self.delta += other.delta;
        self.losing += other.losing;
        self.futile += other.futile;
        self.reduced += other.reduced;
        self.again += other.again;
    }
}

impl Thread<'_> {
    /// What follows if the position needs none of its moves, or tries a null move first.
    pub(super) fn is_good_enough(&mut self, after_pass: bool) -> Option<Next> {
        if !self.prunes_here() || self.depth() < 1 {
            return None;
        }
        let spare = self.value() - self.bound();
        let near = self.depth() <= i32::from(FUTILITY_DEPTH);
        if near && self.ply != Some(0) && spare >= REVERSE_FUTILITY_MARGIN * self.depth() {
            self.pruned.reverse += 1;
            return Some(self.complete(true, Move::NONE));
        }
        let only_king = find_piece(&self.board, None).is_none_or(|found| found.last);
        if self.depth() < i32::from(NULL_MOVE_DEPTH) || spare < 0 || after_pass || only_king {
            return None;
        }
        self.pruned.passes += 1;
        self.frame_mut().passed = true;
        Some(Next::Slot(Slot::Enter))
    }

    /// Comes back from a null move.
    pub(super) fn retract_pass(&mut self) -> Next {
        let frame = self.frame_mut();
        frame.passed = false;
        let lost = frame.lost.take().expect("a null move was made here");
        self.board.take_pass_back(&lost);
        if !self.child.holds {
            self.pruned.passes_held += 1;
            return self.complete(true, Move::NONE);
        }
        let found = find_victim(&self.board, None);
        self.found_first_victim(found)
    }

    /// Whether a victim, and so all that come after it, are not worth taking.
    pub(super) fn gains_too_little(&mut self, victim: Square) -> bool {
        if !self.prunes_here() || self.depth() > i32::from(DELTA_DEPTH) {
            return false;
        }
        let worth = WORTH[self.victim_on(victim).place()];
        let pruned = self.value() + worth + DELTA_MARGIN < self.bound();
        self.pruned.delta += u32::from(pruned);
        pruned
    }

    /// Whether an attacker of the victim, and so all that come after it, are worth more than they take.
    pub(super) fn loses(&mut self, attacker: Square) -> bool {
        if !self.prunes_here() || self.is_full_width() {
            return false;
        }
        let victim = self.frame().to;
        let class = self.board.moving(attacker).map_or(0, attacker_class);
        // Classes count from opposite ends: like for like add up to 3.
        let loses = self.board.is_attacked(victim) && class + self.victim_on(victim).place() > 3;
        self.pruned.losing += u32::from(loses);
        loses
    }

    /// The class of what a pass has found to take.
    pub(super) fn victim_on(&self, square: Square) -> Victim {
        match self.board.moving(square) {
            Some(piece) => Victim::capturing(piece),
            None if matches!(square.rank(), 0 | 7) => Victim::QueenOrPromotion,
            None => Victim::capturing(Piece::Pawn),
        }
    }

    /// Whether no quiet move is worth trying.
    pub(super) fn quiet_is_futile(&mut self) -> bool {
        let near = self.prunes_here() && (1..=i32::from(FUTILITY_DEPTH)).contains(&self.depth());
        let futile = near && self.value() + FUTILITY_MARGIN * self.depth() < self.bound();
        self.pruned.futile += u32::from(futile);
        futile
    }

    /// To make a quiet move, at first less deep.
    pub(super) fn go_quietly(&mut self, mv: Move) -> Next {
        let depth = self.depth();
        let reduction = match self.prunes_here() && depth >= i32::from(REDUCTION_DEPTH) {
            true => depth >> 1,
            false => 0,
        };
        self.pruned.reduced += u32::from(reduction > 0);
        self.frame_mut().reduction = reduction;
        self.go(mv)
    }

    /// Whether the quiet passes are weighed, in a pass of their own, after the last victim.
    pub(super) fn weighs_quiet(&self) -> bool {
        self.job.pruning && matches!(self.job.task, Task::Search { .. })
    }

    fn prunes_here(&self) -> bool {
        let evades = self.is_full_width() && self.frame().in_check;
        self.weighs_quiet() && !evades && self.ply < Some(usize::from(MAX_PLY))
    }

    fn value(&self) -> i32 {
        naive::evaluate(&self.board.pieces, self.board.mover, self.weights)
    }
}

/// The depth of the position that a null move leads to.
pub(super) fn depth_after_pass(depth: i32) -> i32 {
    (((depth + 1) >> 1) - 3).max(0)
}
