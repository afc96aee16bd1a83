//! The search of a searcher that remembers: [`super::super::visit`], with the rules under study.

mod quiets;

use arrayvec::ArrayVec;

use super::Question;
use super::exchange;
use super::history::Past;
use super::rules::{History, Reductions, Repetition, Rules};
use super::table::{Busy, Table, key, key_after};
use super::walk::{Later, Place, Walk, table_move};
use crate::eval::Evaluator;
use crate::leaf::job::{MATE, MAX_PLY};
use crate::leaf::moves::Node;
use crate::leaf::pruning::{self, NULL_MOVE_DEPTH, WORTH};
use crate::position::Position;
use crate::types::{Move, Piece};

/// The greatest depth at which late moves are left out.
const LATE_DEPTH: i8 = 6;

/// When a search goes on.
pub trait Turns {
    /// Whether other threads search the same question, so that what they search is left to them.
    const SHARES: bool;

    /// A node is visited. Whether the search is to end.
    fn node(&mut self) -> bool;
}

/// A search that goes on and on.
pub(super) struct Alone;

impl Turns for Alone {
    const SHARES: bool = false;

    #[inline]
    fn node(&mut self) -> bool {
        false
    }
}

/// Whether a score tells of a mate.
fn is_mate(score: i32) -> bool {
    score.abs() >= i32::from(MATE) - i32::from(MAX_PLY)
}

/// The least depth of a node whose moves are left to other threads while these search them.
const SHARE_DEPTH: i8 = 2;

/// One question.
pub(super) struct Search<'a, T> {
    evaluator: &'a Evaluator,
    rules: &'a Rules,
    table: &'a Table,
    past: &'a Past,
    busy: &'a Busy,
    turns: &'a mut T,
    beta: i32,
    node_limit: u32,
    pub(super) nodes: u32,
    /// The last move of the root that reached its bound.
    pub(super) best: Move,
    spent: bool,
    /// The keys of the positions on the way from the root.
    way: Vec<u64>,
}

impl<'a, T: Turns> Search<'a, T> {
    pub(super) fn new(
        evaluator: &'a Evaluator,
        rules: &'a Rules,
        (table, past, busy): (&'a Table, &'a Past, &'a Busy),
        question: &Question,
        turns: &'a mut T,
    ) -> Search<'a, T> {
        Search {
            evaluator,
            rules,
            table,
            past,
            busy,
            turns,
            beta: i32::from(question.beta),
            node_limit: match question.node_limit {
                0 => u32::MAX,
                limit => limit,
            },
            nodes: 0,
            best: Move::NONE,
            spent: false,
            way: Vec::with_capacity(usize::from(MAX_PLY) + 1),
        }
    }

    /// The positions before the root count as repeated too.
    pub(super) fn begin_after(&mut self, game: &[u64]) {
        self.way.extend_from_slice(game);
    }

    pub(super) fn run(&mut self, position: &Position, depth: i8, wants_move: bool) -> Option<bool> {
        let root = Place {
            position,
            placement: self.evaluator.placement(position),
            key: key(position),
            depth,
            ply: 0,
            after_null: wants_move,
            cut: true,
        };
        let score = self.visit(&root, &mut { Move::NONE });
        (!self.spent).then_some(score >= self.beta)
    }

    /// The value of a position for the side to move, or one on the same side of the bound of its ply.
    fn visit(&mut self, place: &Place<'_>, killer: &mut Move) -> i32 {
        let &Place {
            position,
            placement,
            key,
            ply,
            ..
        } = place;
        self.nodes += 1;
        if self.turns.node() || self.nodes >= self.node_limit {
            self.spent = true;
            return 0;
        }
        let rules = *self.rules;
        let bound = match ply % 2 {
            0 => self.beta,
            _ => 1 - self.beta,
        };
        if ply > 0 && self.was_there(key) {
            return 0;
        }
        let node = Node::new(position);
        let mut depth = place.depth;
        if rules.checks && depth > 0 && node.in_check && ply < MAX_PLY / 2 {
            depth += 1;
        }
        let full_width = depth > 0 || depth == 0 && node.in_check;

        // What the table knows.
        let looks_up = self.table.is_there() && full_width && depth >= rules.table_from;
        let known = if looks_up { self.table.find(key) } else { None };
        if let Some(entry) = known
            && entry.depth >= depth
            && ply > 0
        {
            let score = i32::from(entry.score);
            match entry.at_least {
                true if score >= bound => return score,
                false if score < bound => return score,
                _ => {}
            }
        }
        let table_move = known.map_or(Move::NONE, |entry| entry.best);

        let internal = rules.internal && full_width && depth >= 4 && table_move.is_none() && place.cut;
        depth -= i8::from(internal);
        let prunes = !(full_width && node.in_check);
        let value = match prunes {
            true => i32::from(self.evaluator.value(position, placement, &node.sets)),
            false => 0,
        };
        if !full_width {
            if value >= bound || ply == MAX_PLY || !node.has_victims() {
                return value;
            }
        } else if ply == MAX_PLY {
            return value;
        }

        if full_width && prunes {
            let margin = pruning::REVERSE_FUTILITY_MARGIN * i32::from(depth);
            if rules.futility && ply > 0 && depth <= rules.reverse_depth && value - margin >= bound {
                return value - margin;
            }
            let more_than_king = node.quiet_pieces().count_ones() > 1;
            let passes = depth >= NULL_MOVE_DEPTH && value >= bound && more_than_king && !place.after_null;
            if rules.null_move && passes {
                let next = position.after_null();
                self.way.push(key);
                let below = Place {
                    position: &next,
                    placement,
                    key: key_after(key, position, &next),
                    depth: match rules.reductions {
                        Reductions::Halving => pruning::null_move_depth(depth),
                        _ => (depth - 4 - depth / 4).max(0),
                    },
                    ply: ply + 1,
                    after_null: true,
                    cut: !place.cut,
                };
                let score = -self.visit(&below, &mut { Move::NONE });
                self.way.pop();
                if self.spent || score >= bound {
                    // A mate that is found while passing is not proved.
                    return if is_mate(score) { bound } else { score };
                }
            }
        }

        let mut walk = Walk {
            node,
            placement,
            key,
            depth: if full_width { depth } else { 0 },
            ply,
            cut: place.cut,
            table_move,
            found_legal: false,
            quiets: 0,
            failed: ArrayVec::new(),
            deferred: ArrayVec::new(),
            child_killer: Move::NONE,
            best: Move::NONE,
            bound,
            score: if full_width { -i32::from(MATE) } else { value },
        };
        let holds = self.try_all(&mut walk, killer, value, bound, full_width, prunes);
        let mut score = walk.score;
        if holds != (score >= bound) || !rules.soft || is_mate(score) {
            score = if holds { bound } else { bound - 1 };
        }
        if looks_up && !self.spent {
            let best = if walk.best.is_none() { table_move } else { walk.best };
            self.table.store(key, best, score as i16, holds, depth);
        }
        score
    }

    /// Whether one of the moves reaches the bound.
    fn try_all(
        &mut self,
        walk: &mut Walk<'_>,
        killer: &mut Move,
        value: i32,
        bound: i32,
        full_width: bool,
        prunes: bool,
    ) -> bool {
        let rules = *self.rules;
        let depth = walk.depth;
        // The table's move, if it is one here.
        if let Some((mv, piece, captured)) = table_move(walk) {
            let quiet = captured.is_none() && mv.promotion().is_none();
            if self.try_move(walk, mv, piece, captured, 0) {
                if quiet {
                    self.reward(walk, mv, piece);
                }
                return true;
            }
        }

        // Victims, and the attackers of each.
        let delta_depth = if full_width { depth } else { 0 };
        let delta = if prunes { pruning::delta(delta_depth) } else { None };
        let mut later: ArrayVec<Later, 64> = ArrayVec::new();
        for (class, worth) in WORTH.into_iter().enumerate() {
            for victim in walk.node.in_order(walk.node.victims(class)) {
                if let Some(margin) = delta
                    && value + worth + margin < bound
                {
                    walk.score = walk.score.max(value + worth + margin);
                    return false;
                }
                let captured = walk.node.captured(class, victim);
                let protected = walk.node.is_protected(victim);
                for (attacker, squares) in walk.node.attackers(victim, captured).into_iter().enumerate() {
                    let by_class = protected && pruning::loses(attacker, class);
                    if by_class && prunes && !full_width && !rules.exchanges {
                        continue;
                    }
                    for from in walk.node.in_order(squares) {
                        let piece = walk.node.attacker_at(attacker, from);
                        let loses = by_class
                            && (!rules.exchanges || exchange::loses(walk.node.position, from, victim, piece, captured));
                        if loses && prunes && !full_width {
                            continue;
                        }
                        for mv in walk.node.capture_moves(from, victim, piece, full_width) {
                            if mv == walk.table_move {
                                continue;
                            }
                            if loses && prunes && walk.found_legal && depth <= rules.losing_depth {
                                continue;
                            }
                            if loses && rules.losing_last && full_width && later.try_push((mv, piece, captured)).is_ok()
                            {
                                continue;
                            }
                            if self.try_move(walk, mv, piece, captured, 0) {
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

        let futile = rules.futility && prunes && !rules.late_futility;
        if futile
            && let Some(margin) = pruning::futility(depth)
            && value + margin < bound
        {
            // Whether there is a legal move is not asked.
            walk.score = walk.score.max(value + margin);
            return false;
        }

        let mut left_out = false;
        for (mv, piece) in self.quiet_moves(walk, *killer) {
            if prunes && rules.late_moves && depth <= LATE_DEPTH && walk.quiets >= 3 + i32::from(depth).pow(2) {
                left_out = true;
                break;
            }
            let is_killer = mv == *killer;
            let reduction = if prunes {
                self.reduction(walk, (mv, piece), is_killer)
            } else {
                0
            };
            if prunes && walk.found_legal {
                let reduced = depth - reduction;
                let margin = pruning::FUTILITY_MARGIN * i32::from(reduced);
                if rules.late_futility && reduced <= 6 && value + margin + 90 < bound {
                    walk.score = walk.score.max(value + margin + 90);
                    left_out = true;
                    break;
                }
                if reduced <= rules.safe_depth && piece != Piece::King {
                    let unsafe_there = match rules.exchanges {
                        true => {
                            walk.node.is_protected(mv.to())
                                && exchange::loses(walk.node.position, mv.from(), mv.to(), piece, None)
                        }
                        false => piece != Piece::Pawn && walk.node.sets.enemy.pawn & mv.to().bit() != 0,
                    };
                    if unsafe_there {
                        continue;
                    }
                }
            }
            if self.try_move(walk, mv, piece, None, reduction) {
                if self.spent {
                    return true;
                }
                if piece != Piece::Pawn {
                    *killer = mv;
                }
                self.reward(walk, mv, piece);
                return true;
            }
        }
        for (mv, piece, captured) in later {
            if self.try_move(walk, mv, piece, captured, 0) {
                return true;
            }
        }
        for ((mv, piece, captured), reduction) in std::mem::take(&mut walk.deferred) {
            if self.search_move(walk, mv, piece, captured, reduction) {
                if captured.is_none() && mv.promotion().is_none() {
                    self.reward(walk, mv, piece);
                }
                return true;
            }
        }
        if walk.found_legal || left_out {
            return false;
        }
        let value = match walk.node.in_check {
            true => i32::from(walk.ply) - i32::from(MATE),
            false => 0,
        };
        walk.score = value;
        value >= bound
    }

    /// Makes a move, visits the position, takes it back; whether that cuts off. A reduced move may take two visits.
    fn try_move(
        &mut self,
        walk: &mut Walk<'_>,
        mv: Move,
        piece: Piece,
        captured: Option<Piece>,
        reduction: i8,
    ) -> bool {
        if !walk.node.is_legal(mv, piece, captured) {
            return false;
        }
        if T::SHARES && self.rules.defers && walk.found_legal && walk.depth >= SHARE_DEPTH {
            let position = walk.node.position;
            let mut next = *position;
            next.make_known(mv, piece, captured);
            let busy = self.busy.has(key_after(walk.key, position, &next));
            if busy && walk.deferred.try_push(((mv, piece, captured), reduction)).is_ok() {
                return false;
            }
        }
        walk.found_legal = true;
        self.search_move(walk, mv, piece, captured, reduction)
    }

    /// The same with a move that is legal, whoever else searches it.
    fn search_move(
        &mut self,
        walk: &mut Walk<'_>,
        mv: Move,
        piece: Piece,
        captured: Option<Piece>,
        mut reduction: i8,
    ) -> bool {
        let position = walk.node.position;
        let placement = self
            .evaluator
            .placement_after(walk.placement, position, mv, piece, captured);
        let mut next = *position;
        next.make_known(mv, piece, captured);
        let key = key_after(walk.key, position, &next);
        self.way.push(walk.key);
        let shares = T::SHARES && self.rules.defers && walk.depth >= SHARE_DEPTH;
        if shares {
            self.busy.begin(key);
        }
        // A reduced move is expected to fail; so is any but the first of a node that should be refuted by it.
        let mut cut = reduction > 0 || !walk.cut;
        let refuted = loop {
            let below = Place {
                position: &next,
                placement,
                key,
                depth: (walk.depth - 1 - reduction).max(-1),
                ply: walk.ply + 1,
                after_null: false,
                cut,
            };
            let score = -self.visit(&below, &mut walk.child_killer);
            let refuted = score < walk.bound;
            if self.spent || refuted || reduction == 0 {
                walk.score = walk.score.max(score);
                break refuted;
            }
            reduction = 0;
            cut = !walk.cut;
        };
        self.way.pop();
        if shares {
            self.busy.end(key);
        }
        if self.spent {
            return true;
        }
        if refuted {
            if captured.is_none() && mv.promotion().is_none() && walk.depth > 0 {
                walk.quiets += 1;
                match self.rules.history {
                    History::Sorted | History::Classes(_) => {
                        let _ = walk.failed.try_push((piece, mv));
                    }
                    _ => self.past.learn(position.turn(), piece, mv.to(), false, walk.depth),
                }
            }
            return false;
        }
        walk.best = mv;
        if walk.ply == 0 {
            self.best = mv;
        }
        true
    }

    /// Whether the position is one of those on the way, with the same side to move.
    fn was_there(&self, key: u64) -> bool {
        let mut earlier = self.way.iter().rev().skip(3).step_by(2);
        match self.rules.repetition {
            Repetition::None => false,
            Repetition::Four => earlier.next() == Some(&key),
            Repetition::All => earlier.any(|&other| other == key),
        }
    }
}
