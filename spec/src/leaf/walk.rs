//! A node whose moves are tried one by one, from slot to slot: what [`super::search`] does in one call, so that somebody else can go on with it.

use super::job::{MATE, MAX_PLY};
use super::moves::{Node, VICTIM_CLASSES};
use super::pruning::{self, NULL_MOVE_DEPTH, WORTH};
use crate::attacks::relative;
use crate::eval::{Evaluator, Placement};
use crate::position::Position;
use crate::sets::AttackSets;
use crate::types::{Bitboard, Move, Piece, Square};

/// A node of a job that prunes, and how far its moves are tried.
#[derive(Clone)]
pub(super) struct Walk {
    position: Position,
    placement: Placement,
    sets: AttackSets,
    in_check: bool,
    value: i32,
    /// What the value must reach.
    bound: i32,
    pub(super) depth: i8,
    ply: u8,
    pub(super) full_width: bool,
    prunes: bool,
    after_null: bool,
    /// The quiet move that refuted a sibling.
    pub(super) killer: Move,
    /// The same, for the nodes below.
    pub(super) child_killer: Move,
    pub(super) found_legal: bool,
    /// The move that is being tried is the null move.
    pub(super) passed: bool,
    /// What is being tried.
    pub(super) tried: Tried,
    /// Whether the next pass goes with the unmake of the move before.
    rides: bool,
    stage: Stage,
    class: usize,
    /// Victims of the class that are left, seen from the mover's side like all sets here.
    victims: Bitboard,
    victim: Option<Victim>,
    /// The piece whose moves are tried, and where they go.
    from: Square,
    piece: Piece,
    promotions: &'static [Piece],
    pieces: Bitboard,
    squares: Bitboard,
}

/// A move that is being tried.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) mv: Move,
    piece: Piece,
    captured: Option<Piece>,
    pub(super) legal: bool,
    /// It takes a slot more each way.
    pub(super) hops: bool,
    /// How many plies less than others it is searched.
    pub(super) reduction: i8,
    /// It is a piece's quiet move, and not the killer.
    sets_killer: bool,
}

#[derive(Clone, Copy)]
struct Victim {
    square: Square,
    captured: Option<Piece>,
    attackers: [Bitboard; 4],
    /// Classes of attackers that were looked at.
    looked: usize,
    /// Those left of the last one.
    squares: Bitboard,
    shuns_loss: bool,
    /// One was left out because it loses.
    lost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Victims,
    Killer,
    Pieces,
    Pushes,
    End,
}

/// What entering a node says about it.
pub(super) enum Entered {
    /// It reaches its bound, or does not.
    Settled(bool),
    /// A null move is tried first.
    Passes,
    /// Its moves are tried.
    Walks,
}

/// What follows in a node, after so many passes of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Following {
    /// A move is tried.
    Move,
    /// There is no other.
    End,
}

/// What stands before a job's search.
pub(super) struct Start {
    pub(super) position: Position,
    pub(super) placement: Placement,
    pub(super) depth: i8,
    pub(super) ply: u8,
    pub(super) killer: Move,
    pub(super) after_null: bool,
}

impl Walk {
    pub(super) fn enter(start: Start, beta: i32, evaluator: &Evaluator) -> (Walk, Entered) {
        let Start {
            position,
            placement,
            depth,
            ply,
            killer,
            after_null,
        } = start;
        let sets = AttackSets::of(&position);
        let in_check = sets.in_check(&position);
        let full_width = depth > 0 || depth == 0 && in_check;
        let prunes = !(full_width && in_check);
        let mut walk = Walk {
            position,
            placement,
            sets,
            in_check,
            value: match prunes {
                true => i32::from(evaluator.value(&position, placement, &sets)),
                false => 0,
            },
            bound: if ply.is_multiple_of(2) { beta } else { 1 - beta },
            depth,
            ply,
            full_width,
            prunes,
            after_null,
            killer,
            child_killer: Move::NONE,
            found_legal: false,
            passed: false,
            tried: Tried::NONE,
            rides: false,
            stage: Stage::Victims,
            class: 0,
            victims: 0,
            victim: None,
            from: Square::new(0),
            piece: Piece::Pawn,
            promotions: &[],
            pieces: 0,
            squares: 0,
        };
        walk.victims = relative(walk.node().victims(0), position.turn());
        let entered = walk.entered();
        (walk, entered)
    }

    fn entered(&self) -> Entered {
        let node = self.node();
        if !self.full_width {
            return match self.value >= self.bound {
                true => Entered::Settled(true),
                false if self.ply == MAX_PLY || !node.has_victims() => Entered::Settled(false),
                false => Entered::Walks,
            };
        }
        if !self.prunes {
            return Entered::Walks;
        }
        if pruning::reverse_futility(self.depth, self.ply).is_some_and(|margin| self.value - margin >= self.bound) {
            return Entered::Settled(true);
        }
        let more_than_king = node.quiet_pieces().count_ones() > 1;
        match self.depth >= NULL_MOVE_DEPTH && self.value >= self.bound && more_than_king && !self.after_null {
            true => Entered::Passes,
            false => Entered::Walks,
        }
    }

    /// Whether the position is one that chess does not allow.
    pub(super) fn is_illegal(&self) -> bool {
        self.node().is_illegal()
    }

    /// The next move, as `tried`, and how many slots of their own the passes take that find it.
    pub(super) fn advance(&mut self) -> (u32, Following) {
        let mut passes = 0;
        loop {
            if let Some(following) = match self.stage {
                Stage::Victims => self.next_capture(&mut passes),
                Stage::Killer => self.try_killer(&mut passes),
                Stage::Pieces => self.next_quiet(&mut passes),
                Stage::Pushes => self.next_push(),
                Stage::End => Some(Following::End),
            } {
                return (passes, following);
            }
        }
    }

    fn next_capture(&mut self, passes: &mut u32) -> Option<Following> {
        let us = self.position.turn();
        if let Some((&piece, rest)) = self.promotions.split_first() {
            self.promotions = rest;
            let to = self.victim.as_ref()?.square;
            return self.take(Move::promoting(self.from, to, piece));
        }
        if let Some(victim) = &mut self.victim {
            if victim.squares != 0 {
                self.from = pop(&mut victim.squares, us.flip());
                let (class, to) = (victim.looked - 1, victim.square);
                self.piece = self.node().attacker_at(class, self.from);
                let promotes = self.piece == Piece::Pawn && matches!(to.rank(), 0 | 7);
                match (promotes, self.full_width) {
                    (false, _) => return self.take(Move::new(self.from, to)),
                    (true, full_width) => self.promotions = &Piece::PROMOTIONS[..if full_width { 4 } else { 1 }],
                }
                return None;
            }
            if let Some(&squares) = victim.attackers.get(victim.looked) {
                match victim.shuns_loss && pruning::loses(victim.looked, self.class) {
                    true => victim.lost |= squares != 0,
                    false => victim.squares = relative(squares, us),
                }
                victim.looked += 1;
                return None;
            }
        }
        if self.victims != 0 {
            *passes += u32::from(self.victim.as_ref().is_some_and(|victim| victim.lost));
            let square = pop(&mut self.victims, us.flip());
            let gain = WORTH[self.class];
            let delta = pruning::delta(self.depth).filter(|_| self.prunes);
            if delta.is_some_and(|margin| self.value + gain + margin < self.bound) {
                return self.end(true);
            }
            *passes += 1;
            let node = self.node();
            let captured = node.captured(self.class, square);
            self.victim = Some(Victim {
                square,
                captured,
                attackers: node.attackers(square, captured),
                looked: 0,
                squares: 0,
                shuns_loss: self.prunes && !self.full_width && node.is_protected(square),
                lost: false,
            });
            return None;
        }
        self.class += 1;
        if self.class < VICTIM_CLASSES {
            self.victims = relative(self.node().victims(self.class), us);
            return None;
        }
        let futility = pruning::futility(self.depth).filter(|_| self.prunes);
        if !self.full_width || futility.is_some_and(|margin| self.value + margin < self.bound) {
            return self.end(true);
        }
        self.rides = false;
        self.stage = Stage::Killer;
        None
    }

    fn try_killer(&mut self, passes: &mut u32) -> Option<Following> {
        self.stage = Stage::Pieces;
        self.pieces = relative(self.node().quiet_pieces(), self.position.turn());
        if self.killer.is_none() {
            return None;
        }
        *passes += 1;
        let node = self.node();
        let (from, to) = (self.killer.from(), self.killer.to());
        if node.quiet_pieces() & from.bit() == 0 {
            return None;
        }
        let piece = node.officer_at(from);
        match node.quiet_squares(from, piece) & to.bit() {
            0 => None,
            _ => self.try_quiet(self.killer, piece, false),
        }
    }

    fn next_quiet(&mut self, passes: &mut u32) -> Option<Following> {
        let us = self.position.turn();
        if self.squares != 0 {
            let to = pop(&mut self.squares, us.flip());
            return self.try_quiet(Move::new(self.from, to), self.piece, true);
        }
        *passes += u32::from(!self.rides);
        self.rides = false;
        if self.pieces == 0 {
            self.stage = Stage::Pushes;
            self.squares = relative(self.node().pushes(), us);
            return None;
        }
        self.from = pop(&mut self.pieces, us.flip());
        let node = self.node();
        let piece = node.officer_at(self.from);
        let mut squares = node.quiet_squares(self.from, piece);
        if self.from == self.killer.from() {
            squares &= !self.killer.to().bit();
        }
        self.piece = piece;
        self.squares = relative(squares, us);
        None
    }

    fn next_push(&mut self) -> Option<Following> {
        if self.squares == 0 {
            return self.end(false);
        }
        let to = pop(&mut self.squares, self.position.turn().flip());
        let from = self.node().push_from(to);
        self.try_quiet(Move::new(from, to), Piece::Pawn, false)
    }

    fn take(&mut self, mv: Move) -> Option<Following> {
        let captured = self.victim.as_ref()?.captured;
        self.try_move(mv, self.piece, captured, 0, false)
    }

    fn try_quiet(&mut self, mv: Move, piece: Piece, sets_killer: bool) -> Option<Following> {
        let reduction = match self.prunes {
            true => pruning::reduction(self.depth),
            false => 0,
        };
        self.try_move(mv, piece, None, reduction, sets_killer)
    }

    fn try_move(
        &mut self,
        mv: Move,
        piece: Piece,
        captured: Option<Piece>,
        reduction: i8,
        sets_killer: bool,
    ) -> Option<Following> {
        self.tried = Tried {
            mv,
            piece,
            captured,
            legal: self.node().is_legal(mv, piece, captured),
            hops: self.position.hops(piece, mv),
            reduction,
            sets_killer,
        };
        self.rides = true;
        Some(Following::Move)
    }

    /// No move is left. If some were left out, nobody asks whether there is a legal one.
    fn end(&mut self, left_out: bool) -> Option<Following> {
        self.stage = Stage::End;
        self.found_legal |= left_out;
        Some(Following::End)
    }

    /// Whether the node reaches its bound without a move that does.
    pub(super) fn holds_without(&self) -> bool {
        let value = match (self.found_legal, self.in_check) {
            (true, _) => return false,
            (false, true) => i32::from(self.ply) - i32::from(MATE),
            (false, false) => 0,
        };
        value >= self.bound
    }

    /// The position after the move that is being tried.
    pub(super) fn below(&self, evaluator: &Evaluator) -> Start {
        let Tried {
            mv, piece, captured, ..
        } = self.tried;
        let mut position = self.position;
        position.make_known(mv, piece, captured);
        Start {
            position,
            placement: evaluator.placement_after(self.placement, &self.position, mv, piece, captured),
            depth: (self.depth - 1).max(-1) - self.tried.reduction,
            ply: self.ply + 1,
            killer: self.child_killer,
            after_null: false,
        }
    }

    /// The position after the null move.
    pub(super) fn below_null(&self) -> Start {
        Start {
            position: self.position.after_null(),
            placement: self.placement,
            depth: pruning::null_move_depth(self.depth),
            ply: self.ply + 1,
            killer: Move::NONE,
            after_null: true,
        }
    }

    /// The move that is being tried refutes: siblings try it too.
    pub(super) fn note_killer(&mut self) {
        if self.tried.sets_killer {
            self.killer = self.tried.mv;
        }
    }

    #[inline]
    fn node(&self) -> Node<'_> {
        Node::with(&self.position, self.sets, self.in_check)
    }
}

impl Tried {
    const NONE: Tried = Tried {
        mv: Move::NONE,
        piece: Piece::Pawn,
        captured: None,
        legal: false,
        hops: false,
        reduction: 0,
        sets_killer: false,
    };
}

/// The first square of a set that is seen from the mover's side.
fn pop(set: &mut Bitboard, flip: u8) -> Square {
    let index = set.trailing_zeros() as u8;
    *set &= *set - 1;
    Square::new(index ^ flip)
}
