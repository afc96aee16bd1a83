//! Quiet moves: their order, how much less deep they are searched, and what is learned of them.

use arrayvec::ArrayVec;

use super::{Search, Turns};
use crate::leaf::pruning::{self, REDUCTION_DEPTH};
use crate::leaf::remember::rules::{History, Reductions};
use crate::leaf::remember::walk::{LOGARITHMS, Walk};
use crate::types::{Move, Piece};

impl<T: Turns> Search<'_, T> {
    /// The quiet moves in the order in which they are tried, without the table's.
    pub(super) fn quiet_moves(&self, walk: &Walk<'_>, killer: Move) -> ArrayVec<(Move, Piece), 256> {
        let node = &walk.node;
        let mut moves: ArrayVec<(Move, Piece), 256> = ArrayVec::new();
        let mut ranks: ArrayVec<i16, 256> = ArrayVec::new();
        let us = node.position.turn();
        let mut add = |mv: Move, piece: Piece| {
            if mv == walk.table_move {
                return;
            }
            let rank = if mv == killer {
                i16::MAX
            } else {
                self.past.rank(us, piece, mv.to())
            };
            // Behind those of the same rank.
            let at = ranks
                .iter()
                .rposition(|&other| other >= rank)
                .map_or(0, |index| index + 1);
            ranks.insert(at, rank);
            moves.insert(at, (mv, piece));
        };
        for from in node.in_order(node.quiet_pieces()) {
            let piece = node.officer_at(from);
            for to in node.in_order(node.quiet_squares(from, piece)) {
                add(Move::new(from, to), piece);
            }
        }
        for to in node.in_order(node.pushes()) {
            add(Move::new(node.push_from(to), to), Piece::Pawn);
        }
        moves
    }

    pub(super) fn reduction(&self, walk: &Walk<'_>, (mv, piece): (Move, Piece), is_killer: bool) -> i8 {
        let (depth, number) = (walk.depth, walk.quiets);
        if depth < REDUCTION_DEPTH {
            return 0;
        }
        let log = |number: i32| LOGARITHMS[(number.clamp(1, 31)) as usize];
        let reduction = match self.rules.reductions {
            Reductions::Halving => return pruning::reduction(depth),
            Reductions::None => return 0,
            Reductions::Light => match number {
                ..4 => 0,
                4..8 => 1,
                8..16 => 2,
                _ => 3,
            },
            Reductions::Logarithmic => {
                // Half of the product, rounded.
                (log(i32::from(depth)) * log(number + 1) + (1 << 20)) >> 21
            }
            Reductions::Strong => {
                let product = (log(i32::from(depth)) * log(number + 2)) >> 10;
                let good = self.past.rank(walk.node.position.turn(), piece, mv.to()) > 0;
                let mut reduction = 800 + 455 * product / 1024;
                reduction -= 1024 * i32::from(is_killer) + 512 * i32::from(good);
                reduction += 1536 * i32::from(self.rules.expected && walk.cut);
                reduction / 1024
            }
        };
        (reduction as i8).min(depth - 2).max(0)
    }

    /// A quiet move refuted: it is tried sooner elsewhere, and those before it later.
    pub(super) fn reward(&mut self, walk: &Walk<'_>, mv: Move, piece: Piece) {
        if self.spent {
            return;
        }
        let us = walk.node.position.turn();
        self.past.learn(us, piece, mv.to(), true, walk.depth);
        if matches!(self.rules.history, History::Sorted | History::Classes(_)) {
            for &(piece, mv) in &walk.failed {
                self.past.learn(us, piece, mv.to(), false, walk.depth);
            }
        }
    }
}
