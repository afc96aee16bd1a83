use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use super::job::{MATE, MAX_PLY};
use super::moves::Node;
use super::pruning::{self, NULL_MOVE_DEPTH, WORTH};
use super::slots::Record;
use crate::eval::{Evaluator, Placement};
use crate::position::Position;
use crate::types::{Move, Piece};

/// Nodes between two looks at whether to stop.
const STOP_INTERVAL: u32 = 1024;

/// Visits the nodes of a tree, one thread's way.
pub(super) struct Visitor<'a, E, R> {
    evaluator: E,
    beta: i32,
    pruning: bool,
    node_limit: u32,
    stop: Option<&'a AtomicBool>,
    /// The number of nodes at which the limit or `stop` is looked at next.
    look_at: u32,
    pub(super) nodes: u32,
    pub(super) slots: R,
    /// The last move of the root that reached its bound.
    pub(super) best: Move,
    pub(super) limit_reached: bool,
    pub(super) aborted: bool,
}

impl<'a, E: Deref<Target = Evaluator>, R: Record> Visitor<'a, E, R> {
    pub(super) fn new(evaluator: E, beta: i32, pruning: bool, slots: R) -> Visitor<'a, E, R> {
        Visitor {
            evaluator,
            beta,
            pruning,
            node_limit: u32::MAX,
            stop: None,
            look_at: u32::MAX,
            nodes: 0,
            slots,
            best: Move::NONE,
            limit_reached: false,
            aborted: false,
        }
    }

    /// Counts from 0, up to a limit.
    pub(super) fn limit_to(&mut self, nodes: u32) {
        self.node_limit = nodes;
        self.nodes = 0;
        self.limit_reached = false;
        self.look_at = nodes;
    }

    /// Stops some nodes after `stop` is set.
    pub(super) fn stop_when(&mut self, stop: &'a AtomicBool) {
        self.stop = Some(stop);
        self.look_at = 1;
    }

    /// Sees whether the search must end here.
    #[cold]
    fn look_up(&mut self) {
        self.aborted |= self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.limit_reached |= self.aborted || self.nodes >= self.node_limit;
        self.look_at = match self.stop {
            Some(_) => self.node_limit.min(self.nodes.saturating_add(STOP_INTERVAL)),
            None => self.node_limit,
        };
    }

    /// Whether the value of a position is at least the bound of its ply, for the side to move. Perft always says yes, so
    /// that no move cuts off. `killer` is the quiet move that refuted a sibling, and `after_null` says that the other side has
    /// just passed.
    pub(super) fn visit<const PERFT: bool>(
        &mut self,
        position: &Position,
        placement: Placement,
        depth: i8,
        ply: u8,
        killer: &mut Move,
        after_null: bool,
    ) -> bool {
        // Step 1. Count the node, and stop at the limit.
        if !PERFT || depth == 0 {
            self.nodes += 1;
            if self.nodes >= self.look_at {
                self.look_up();
            }
            if PERFT || self.limit_reached {
                return true;
            }
        }
        let node = Node::new(position);
        let bound = match ply % 2 {
            0 => self.beta,
            _ => 1 - self.beta,
        };

        // Step 2. Below the depth, stand pat, unless this is the first ply of quiescence and in check.
        let full_width = depth > 0 || depth == 0 && node.in_check;
        let prunes = !PERFT && self.pruning && !(full_width && node.in_check);
        let value = match !full_width || prunes {
            true => i32::from(self.evaluator.value(position, placement, &node.sets)),
            false => 0,
        };
        if !full_width {
            if value >= bound {
                return true;
            }
            if ply == MAX_PLY || !node.has_victims() {
                return false;
            }
        }

        // Step 3. With pruning: a value that is high enough, also after a null move, will do.
        if full_width && prunes {
            if pruning::reverse_futility(depth, ply).is_some_and(|margin| value - margin >= bound) {
                return true;
            }
            let more_than_king = node.quiet_pieces().count_ones() > 1;
            if depth >= NULL_MOVE_DEPTH && value >= bound && more_than_king && !after_null {
                self.slots.enter(true);
                let (next, depth) = (position.after_null(), pruning::null_move_depth(depth));
                let refuted = self.visit::<PERFT>(&next, placement, depth, ply + 1, &mut { Move::NONE }, true);
                if self.limit_reached {
                    return true;
                }
                self.slots.retract();
                if !refuted {
                    return true;
                }
            }
        }

        let mut walk = Walk {
            node,
            placement,
            depth: (depth - 1).max(-1),
            reduction: 0,
            ply,
            found_legal: false,
            rides: false,
            child_killer: Move::NONE,
        };

        // Step 4. Victims, and the attackers of each. With pruning, not those that gain too little.
        let delta = prunes.then(|| pruning::delta(depth)).flatten();
        let mut lost_on_last = false;
        for (class, worth) in WORTH.into_iter().enumerate() {
            for victim in walk.node.in_order(walk.node.victims(class)) {
                self.slots.victim_if(lost_on_last);
                if delta.is_some_and(|margin| value + worth + margin < bound) {
                    return false;
                }
                let captured = walk.node.captured(class, victim);
                let shuns_loss = prunes && !full_width && walk.node.is_protected(victim);
                lost_on_last = false;
                self.slots.attacker();
                for (attacker, squares) in walk.node.attackers(victim, captured).into_iter().enumerate() {
                    if shuns_loss && pruning::loses(attacker, class) {
                        lost_on_last |= squares != 0;
                        continue;
                    }
                    for from in walk.node.in_order(squares) {
                        let piece = walk.node.attacker_at(attacker, from);
                        for mv in walk.node.capture_moves(from, victim, piece, full_width) {
                            if self.try_move::<PERFT>(&mut walk, mv, piece, captured) {
                                return true;
                            }
                        }
                    }
                }
            }
        }
        if !full_width {
            return false;
        }

        // Step 5. With pruning: quiet moves that gain too little are not looked at.
        if prunes && pruning::futility(depth).is_some_and(|margin| value + margin < bound) {
            return false;
        }
        // The pass that was last has found no further victim, and so is not yet the next one's.
        walk.rides &= PERFT || !self.pruning;

        if prunes {
            walk.reduction = pruning::reduction(depth);
        }

        // Step 6. The killer, if it is a quiet move here too.
        let killer_move = *killer;
        if !PERFT && !killer_move.is_none() {
            self.slots.quiet_if(!walk.rides);
            walk.rides = false;
            let (from, to) = (killer_move.from(), killer_move.to());
            if walk.node.quiet_pieces() & from.bit() != 0 {
                let piece = walk.node.officer_at(from);
                let reached = walk.node.quiet_squares(from, piece) & to.bit() != 0;
                if reached && self.try_move::<PERFT>(&mut walk, killer_move, piece, None) {
                    return true;
                }
            }
        }

        // Step 7. Quiet moves, piece by piece, without the killer.
        for from in walk.node.in_order(walk.node.quiet_pieces()) {
            let piece = walk.node.officer_at(from);
            self.slots.quiet_if(!walk.rides);
            walk.rides = false;
            let mut squares = walk.node.quiet_squares(from, piece);
            if from == killer_move.from() {
                squares &= !killer_move.to().bit();
            }
            for to in walk.node.in_order(squares) {
                let mv = Move::new(from, to);
                if self.try_move::<PERFT>(&mut walk, mv, piece, None) {
                    *killer = mv;
                    return true;
                }
            }
        }

        // Step 8. Pawn pushes, which need no search for the attacker.
        self.slots.quiet_if(!walk.rides);
        for to in walk.node.in_order(walk.node.pushes()) {
            let mv = Move::new(walk.node.push_from(to), to);
            if self.try_move::<PERFT>(&mut walk, mv, Piece::Pawn, None) {
                return true;
            }
        }

        // Step 9. Without a legal move: mate or stalemate.
        if PERFT {
            return true;
        }
        let value = match (walk.found_legal, walk.node.in_check) {
            (true, _) => return false,
            (false, true) => i32::from(ply) - i32::from(MATE),
            (false, false) => 0,
        };
        value >= bound
    }

    /// Makes a move, visits the position, takes it back; whether that cuts off. A reduced move may take two visits.
    #[inline]
    fn try_move<const PERFT: bool>(
        &mut self,
        walk: &mut Walk<'_>,
        mv: Move,
        piece: Piece,
        captured: Option<Piece>,
    ) -> bool {
        let position = walk.node.position;
        let hops = position.hops(piece, mv);
        walk.rides = true;
        if !walk.node.is_legal(mv, piece, captured) {
            self.slots.hop_if(hops);
            self.slots.enter(false);
            self.slots.hop_if(hops);
            self.slots.retract();
            return false;
        }
        walk.found_legal = true;
        let placement = self
            .evaluator
            .placement_after(walk.placement, position, mv, piece, captured);
        let mut next = *position;
        next.make_known(mv, piece, captured);
        let mut reduction = walk.reduction;
        loop {
            self.slots.hop_if(hops);
            self.slots.enter(true);
            let (depth, ply) = (walk.depth - reduction, walk.ply + 1);
            let refuted = self.visit::<PERFT>(&next, placement, depth, ply, &mut walk.child_killer, false);
            if self.limit_reached {
                return true;
            }
            self.slots.hop_if(hops);
            self.slots.retract();
            if refuted {
                return false;
            }
            if reduction == 0 {
                break;
            }
            reduction = 0;
        }
        if walk.ply == 0 {
            self.best = mv;
        }
        true
    }
}

/// What a visit knows while it walks through its moves.
struct Walk<'p> {
    node: Node<'p>,
    placement: Placement,
    /// The depth of the positions after the moves.
    depth: i8,
    /// How many plies less than that a move is searched first.
    reduction: i8,
    ply: u8,
    found_legal: bool,
    /// Whether the next pass goes with the unmake of the move before.
    rides: bool,
    /// The last quiet move of a piece, not a pawn, that refuted one of the moves here.
    child_killer: Move,
}
