use std::sync::atomic::{AtomicBool, Ordering};

use super::gang::{self, THREADS};
use super::job::{Ending, Job, MATE, MAX_PLY, Outcome, Task};
use super::moves::Node;
use super::pruning::{self, NULL_MOVE_DEPTH, WORTH};
use super::slots::Slots;
use crate::eval::{Evaluator, Placement};
use crate::position::Position;
use crate::types::{Move, Piece};

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

/// Nodes between two looks at whether to stop.
const STOP_INTERVAL: u32 = 1024;

/// A job under way.
pub struct Search<'a> {
    job: &'a Job,
    evaluator: &'a Evaluator,
    beta: i32,
    node_limit: u32,
    stop: Option<&'a AtomicBool>,
    /// The number of nodes at which the limit or `stop` is looked at next.
    look_at: u32,
    nodes: u32,
    slots: Slots,
    best: Move,
    limit_reached: bool,
    aborted: bool,
}

impl<'a> Search<'a> {
    /// Prepares a job.
    pub fn new(job: &'a Job, evaluator: &'a Evaluator) -> Search<'a> {
        let node_limit = job.most_nodes();
        Search {
            job,
            evaluator,
            beta: match job.task {
                Task::Search { beta, .. } => i32::from(beta),
                Task::Perft { .. } => 0,
            },
            node_limit,
            stop: None,
            look_at: node_limit,
            nodes: 0,
            slots: Slots::default(),
            best: Move::NONE,
            limit_reached: false,
            aborted: false,
        }
    }

    /// The job ends as [`Ending::Aborted`], some nodes after `stop` is set.
    #[must_use]
    pub fn stop_when(mut self, stop: &'a AtomicBool) -> Search<'a> {
        self.stop = Some(stop);
        self.look_at = 1;
        self
    }

    /// Runs the job.
    pub fn run(mut self) -> Outcome {
        self.run_counting().0
    }

    /// Runs the job, and tells the slots by kind.
    pub fn run_counting(&mut self) -> (Outcome, Slots) {
        let (start, first) = (&self.job.position, self.job.first);
        self.slots.load = start.occupied().count_ones();
        self.slots.enter = 1;
        let position = match first.is_none() {
            true => *start,
            false => {
                let piece = start.at(first.from()).map(|(_, piece)| piece);
                self.slots.hop += u32::from(piece.is_some_and(|piece| start.hops(piece, first)));
                start.after(first)
            }
        };
        let placement = self.evaluator.placement(&position);
        let (ending, score) = if Node::new(&position).is_illegal() {
            self.slots.illegal += 1;
            (Ending::Illegal, 0)
        } else {
            match self.job.task {
                Task::Search { depth, .. } => {
                    let holds = self.visit::<false>(&position, placement, depth as i8, 0, &mut { Move::NONE }, false);
                    match (self.limit_reached, holds) {
                        (true, _) => (self.early_ending(), 0),
                        (false, true) => (Ending::Lower, self.beta),
                        (false, false) => (Ending::Upper, self.beta - 1),
                    }
                }
                Task::Perft { depth } => {
                    self.visit::<true>(&position, placement, depth as i8, 0, &mut { Move::NONE }, false);
                    match self.limit_reached {
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
                Ending::Lower => self.best,
                _ => Move::NONE,
            },
            nodes: self.nodes,
            slots: self.slots.total(),
        };
        (outcome, self.slots)
    }

    /// Sees whether the job must end here.
    #[cold]
    fn look_up(&mut self) {
        self.aborted |= self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.limit_reached |= self.aborted || self.nodes >= self.node_limit;
        self.look_at = match self.stop {
            Some(_) => self.node_limit.min(self.nodes.saturating_add(STOP_INTERVAL)),
            None => self.node_limit,
        };
    }

    const fn early_ending(&self) -> Ending {
        match self.aborted {
            true => Ending::Aborted,
            false => Ending::Limit,
        }
    }

    /// Whether the value of a position is at least the bound of its ply, for the side to move. Perft always says yes, so
    /// that no move cuts off. `killer` is the quiet move that refuted a sibling, and `after_null` says that the other side has
    /// just passed.
    fn visit<const PERFT: bool>(
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
        let prunes = !PERFT && self.job.pruning && !(full_width && node.in_check);
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
                self.slots.enter += 1;
                let (next, depth) = (position.after_null(), pruning::null_move_depth(depth));
                let refuted = self.visit::<PERFT>(&next, placement, depth, ply + 1, &mut { Move::NONE }, true);
                if self.limit_reached {
                    return true;
                }
                self.slots.retract += 1;
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
                self.slots.victim += u32::from(lost_on_last);
                if delta.is_some_and(|margin| value + worth + margin < bound) {
                    return false;
                }
                let captured = walk.node.captured(class, victim);
                let shuns_loss = prunes && !full_width && walk.node.is_protected(victim);
                lost_on_last = false;
                self.slots.attacker += 1;
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
        walk.rides &= PERFT || !self.job.pruning;

        if prunes {
            walk.reduction = pruning::reduction(depth);
        }

        // Step 6. The killer, if it is a quiet move here too.
        let killer_move = *killer;
        if !PERFT && !killer_move.is_none() {
            self.slots.quiet += u32::from(!walk.rides);
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
            self.slots.quiet += u32::from(!walk.rides);
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
        self.slots.quiet += u32::from(!walk.rides);
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
        let hops = u32::from(position.hops(piece, mv));
        walk.rides = true;
        if !walk.node.is_legal(mv, piece, captured) {
            self.slots.enter += 1;
            self.slots.illegal += 1;
            self.slots.retract += 1;
            self.slots.hop += 2 * hops;
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
            self.slots.enter += 1;
            self.slots.hop += hops;
            let (depth, ply) = (walk.depth - reduction, walk.ply + 1);
            let refuted = self.visit::<PERFT>(&next, placement, depth, ply, &mut walk.child_killer, false);
            if self.limit_reached {
                return true;
            }
            self.slots.retract += 1;
            self.slots.hop += hops;
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
