//! Move generation, legal from the start: checks and pins are known before the first move is written.

use bluebelle_spec::{Bitboard, CastlingSide, Color, Move, Piece, Square, attacks};

use super::geometry::{between, line};
use super::{Board, Squares};

/// A move and its place in the order, the greater the sooner.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Its score, 0 until somebody gives it one.
    pub score: i32,
}

/// No position has more legal moves than 218.
const MOST_MOVES: usize = 224;

/// The moves of one position, on the stack.
#[derive(Clone)]
pub struct MoveList {
    moves: arrayvec::ArrayVec<ScoredMove, MOST_MOVES>,
}

impl MoveList {
    /// No moves.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList {
            moves: arrayvec::ArrayVec::new_const(),
        }
    }

    /// Forgets the moves.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves.push(ScoredMove { mv, score: 0 });
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [ScoredMove];

    #[inline]
    fn deref(&self) -> &[ScoredMove] {
        &self.moves
    }
}

impl std::ops::DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [ScoredMove] {
        &mut self.moves
    }
}

const RANK_3: Bitboard = 0xff << 16;
const RANK_7: Bitboard = 0xff << 48;

impl Board {
    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.noisy_moves(&mut list);
        self.quiet_moves(&mut list);
        list
    }

    /// Adds the captures and all promotions.
    pub fn noisy_moves(&self, list: &mut MoveList) {
        let us = self.turn;
        let allowed = self.allowed();
        let enemy = self.side(!us);
        if allowed != 0 {
            self.officer_moves(list, enemy & allowed);
            self.pawn_captures(list, enemy, allowed);
            self.promotion_pushes(list, allowed);
        }
        self.king_moves(list, enemy);
    }

    /// Adds all other moves.
    pub fn quiet_moves(&self, list: &mut MoveList) {
        let allowed = self.allowed();
        let empty = !self.occupied();
        if allowed != 0 {
            self.officer_moves(list, empty & allowed);
            self.quiet_pushes(list, allowed);
            if !self.in_check() {
                self.castling_moves(list);
            }
        }
        self.king_moves(list, empty);
    }

    /// Where a piece other than the king may go: anywhere, or in check only where that ends it; nowhere in double check.
    #[inline]
    fn allowed(&self) -> Bitboard {
        match self.checkers {
            0 => !0,
            checker if checker & (checker - 1) == 0 => {
                let square = Square::new(checker.trailing_zeros() as u8);
                checker | between(self.king(self.turn), square)
            }
            _ => 0,
        }
    }

    /// Where a piece on `from` may go without exposing its king.
    #[inline]
    fn unpinned(&self, from: Square) -> Bitboard {
        match self.pinned & from.bit() {
            0 => !0,
            _ => line(self.king(self.turn), from),
        }
    }

    fn officer_moves(&self, list: &mut MoveList, targets: Bitboard) {
        let own = self.side(self.turn);
        let occupied = self.occupied();
        let [_, knights, bishops, rooks, queens, _] = self.pieces;
        for from in Squares(own & knights & !self.pinned) {
            self.push_all(list, from, attacks::knight(from) & targets);
        }
        for from in Squares(own & (bishops | queens)) {
            let to = attacks::bishop(from, occupied) & targets & self.unpinned(from);
            self.push_all(list, from, to);
        }
        for from in Squares(own & (rooks | queens)) {
            let to = attacks::rook(from, occupied) & targets & self.unpinned(from);
            self.push_all(list, from, to);
        }
    }

    #[inline]
    fn push_all(&self, list: &mut MoveList, from: Square, targets: Bitboard) {
        for to in Squares(targets) {
            list.push(Move::new(from, to));
        }
    }

    fn king_moves(&self, list: &mut MoveList, targets: Bitboard) {
        let from = self.king(self.turn);
        // The king does not hide behind itself.
        let without = self.occupied() & !from.bit();
        for to in Squares(attacks::king(from) & targets) {
            if !self.is_attacked(to, !self.turn, without) {
                list.push(Move::new(from, to));
            }
        }
    }

    fn castling_moves(&self, list: &mut MoveList) {
        for side in CastlingSide::ALL {
            if self.may_castle(side) {
                list.push(Move::new(self.king(self.turn), side.king_to(self.turn)));
            }
        }
    }

    /// Whether castling is legal now; the king is not in check.
    pub(super) fn may_castle(&self, side: CastlingSide) -> bool {
        let us = self.turn;
        if !self.castling.has(us, side) {
            return false;
        }
        let (king, to) = (self.king(us), side.king_to(us));
        let occupied = self.occupied();
        between(king, side.rook_from(us)) & occupied == 0
            && !self.is_attacked(side.rook_to(us), !us, occupied)
            && !self.is_attacked(to, !us, occupied)
    }

    fn pawn_captures(&self, list: &mut MoveList, enemy: Bitboard, allowed: Bitboard) {
        let us = self.turn;
        let pawns = self.pieces(us, Piece::Pawn);
        let seventh = attacks::relative(RANK_7, us);
        for from in Squares(pawns & !seventh) {
            self.push_all(
                list,
                from,
                attacks::pawn(from, us) & enemy & allowed & self.unpinned(from),
            );
        }
        for from in Squares(pawns & seventh) {
            for to in Squares(attacks::pawn(from, us) & enemy & allowed & self.unpinned(from)) {
                push_promotions(list, from, to);
            }
        }
        if let Some(to) = self.en_passant {
            for from in Squares(attacks::pawn(to, !us) & pawns) {
                if self.may_capture_en_passant(from, to) {
                    list.push(Move::new(from, to));
                }
            }
        }
    }

    /// Two pawns leave their rank at once, which no pin foresees: the king is looked at as it will stand.
    pub(super) fn may_capture_en_passant(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        let taken = Square::new(to.byte() ^ 8).bit();
        let occupied = self.occupied() ^ from.bit() ^ taken ^ to.bit();
        let king = self.king(us);
        let [pawns, knights, bishops, rooks, queens, _] = self.pieces;
        let enemy = self.side(!us) & !taken;
        attacks::bishop(king, occupied) & (bishops | queens) & enemy == 0
            && attacks::rook(king, occupied) & (rooks | queens) & enemy == 0
            && (attacks::pawn(king, us) & pawns | attacks::knight(king) & knights) & enemy == 0
    }

    fn promotion_pushes(&self, list: &mut MoveList, allowed: Bitboard) {
        let us = self.turn;
        let pawns = self.pieces(us, Piece::Pawn) & attacks::relative(RANK_7, us);
        for from in Squares(pawns) {
            let ahead = attacks::forward(from.bit(), us);
            for to in Squares(ahead & !self.occupied() & allowed & self.unpinned(from)) {
                push_promotions(list, from, to);
            }
        }
    }

    fn quiet_pushes(&self, list: &mut MoveList, allowed: Bitboard) {
        let us = self.turn;
        let empty = !self.occupied();
        let pawns = self.pieces(us, Piece::Pawn) & !attacks::relative(RANK_7, us);
        let single = attacks::forward(pawns, us) & empty;
        let double = attacks::forward(single & attacks::relative(RANK_3, us), us) & empty;
        for (targets, steps) in [(single, 8), (double, 16)] {
            for to in Squares(targets & allowed) {
                let from = match us {
                    Color::White => Square::new(to.byte() - steps),
                    Color::Black => Square::new(to.byte() + steps),
                };
                if self.unpinned(from) & to.bit() != 0 {
                    list.push(Move::new(from, to));
                }
            }
        }
    }
}

fn push_promotions(list: &mut MoveList, from: Square, to: Square) {
    for piece in Piece::PROMOTIONS {
        list.push(Move::promoting(from, to, piece));
    }
}
