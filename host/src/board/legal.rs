//! Whether a move from outside (the transposition table, a killer, a player) is legal here, without a list.

use bluebelle_spec::{CastlingSide, Move, Piece, Square, attacks};

use super::Board;
use super::geometry::{between, line};
use crate::evaluation::Evaluator;

impl Board {
    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_none() || self.side(us) & from.bit() == 0 || self.side(us) & to.bit() != 0 {
            return false;
        }
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        if piece == Piece::King {
            return mv.promotion().is_none() && self.king_may_go(to, from);
        }
        if piece != Piece::Pawn {
            let reach = match piece {
                Piece::Knight => attacks::knight(from),
                Piece::Bishop => attacks::bishop(from, self.occupied()),
                Piece::Rook => attacks::rook(from, self.occupied()),
                _ => attacks::bishop(from, self.occupied()) | attacks::rook(from, self.occupied()),
            };
            return mv.promotion().is_none() && reach & to.bit() != 0 && self.keeps_king_safe(from, to);
        }
        let last_rank = to.relative_to(us).rank() == 7;
        if last_rank != mv.promotion().is_some() {
            return false;
        }
        if self.en_passant == Some(to) && attacks::pawn(from, us) & to.bit() != 0 {
            return self.may_capture_en_passant(from, to);
        }
        self.pawn_reaches(from, to) && self.keeps_king_safe(from, to)
    }

    /// The legal move that UCI text stands for.
    pub fn parse_move(&self, text: &str) -> Option<Move> {
        text.parse().ok().filter(|&mv| self.is_legal(mv))
    }

    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        let occupied = self.occupied();
        if attacks::pawn(from, us) & to.bit() != 0 {
            return self.side(!us) & to.bit() != 0;
        }
        let single = attacks::forward(from.bit(), us) & !occupied;
        let home = from.relative_to(us).rank() == 1;
        let double = if home {
            attacks::forward(single, us) & !occupied
        } else {
            0
        };
        (single | double) & to.bit() != 0
    }

    fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.turn);
        if self.pinned & from.bit() != 0 && line(king, from) & to.bit() == 0 {
            return false;
        }
        match self.checkers {
            0 => true,
            checker if checker & (checker - 1) == 0 => {
                let square = Square::new(checker.trailing_zeros() as u8);
                (checker | between(king, square)) & to.bit() != 0
            }
            _ => false,
        }
    }

    fn king_may_go(&self, to: Square, from: Square) -> bool {
        if attacks::king(from) & to.bit() != 0 {
            return !self.is_attacked(to, !self.turn, self.occupied() & !from.bit());
        }
        let mut ways = CastlingSide::ALL.into_iter();
        !self.in_check() && ways.any(|side| side.king_to(self.turn) == to && self.may_castle(side))
    }
}

/// Counts the legal sequences of moves.
pub fn perft(board: &Board, depth: u32, evaluator: &Evaluator) -> u64 {
    perft_until(board, depth, evaluator, &|| false).unwrap_or_default()
}

/// The same, until the count is to end: then there is no result.
pub fn perft_until(board: &Board, depth: u32, evaluator: &Evaluator, is_over: &dyn Fn() -> bool) -> Option<u64> {
    let moves = board.legal_moves();
    match depth {
        0 => Some(1),
        1 => Some(moves.len() as u64),
        _ if is_over() => None,
        _ => moves
            .iter()
            .map(|scored| perft_until(&board.after(scored.mv, evaluator), depth - 1, evaluator, is_over))
            .sum(),
    }
}
