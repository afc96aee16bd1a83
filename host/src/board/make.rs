//! Making moves.

use bluebelle_spec::{Color, Move, Piece, Square};

use super::zobrist::KEYS;
use super::{Board, EMPTY};
use crate::evaluation::Evaluator;

impl Board {
    /// The board after a legal move.
    #[inline]
    pub fn after(&self, mv: Move, evaluator: &Evaluator) -> Board {
        let mut next = self.clone();
        next.make(mv, evaluator);
        next
    }

    /// The board after the side to move has passed. It must not be in check.
    pub fn after_null(&self) -> Board {
        let mut next = self.clone();
        next.hash ^= KEYS.black_to_move ^ KEYS.en_passant(next.en_passant);
        next.en_passant = None;
        next.turn = !next.turn;
        // No line that goes through a pass repeats a position.
        next.halfmoves = 0;
        next.find_checks_and_pins();
        next
    }

    /// Makes a legal move.
    pub fn make(&mut self, mv: Move, evaluator: &Evaluator) {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "no piece on {from}");
            return;
        };
        self.hash ^= KEYS.black_to_move ^ KEYS.castling(self.castling) ^ KEYS.en_passant(self.en_passant);
        self.halfmoves = self.halfmoves.saturating_add(1);

        if self.captures_en_passant(mv) {
            self.remove(!us, Piece::Pawn, Square::new(to.byte() ^ 8), evaluator);
        } else if let Some(captured) = self.piece_on(to) {
            self.remove(!us, captured, to, evaluator);
            self.halfmoves = 0;
        }
        self.remove(us, piece, from, evaluator);
        self.put(us, mv.promotion().unwrap_or(piece), to, evaluator);

        let mut skipped = None;
        match piece {
            Piece::Pawn => {
                self.halfmoves = 0;
                if from.byte().abs_diff(to.byte()) == 16 {
                    skipped = Some(Square::new((from.byte() + to.byte()) / 2));
                }
            }
            Piece::King if from.byte().abs_diff(to.byte()) == 2 => {
                let (rook_from, rook_to) = Board::castling_rook(mv, us);
                self.remove(us, Piece::Rook, rook_from, evaluator);
                self.put(us, Piece::Rook, rook_to, evaluator);
            }
            _ => {}
        }
        self.castling = self.castling.after(from.bit() | to.bit());
        self.fullmoves = self.fullmoves.saturating_add(u16::from(us == Color::Black));
        self.turn = !us;
        self.set_en_passant(skipped);
        self.hash ^= KEYS.castling(self.castling) ^ KEYS.en_passant(self.en_passant);
        self.find_checks_and_pins();
    }

    #[inline]
    fn put(&mut self, color: Color, piece: Piece, square: Square, evaluator: &Evaluator) {
        self.mailbox[square.index()] = piece as u8;
        self.placement.add(evaluator.placed(color, piece, square));
        self.toggle(color, piece, square);
    }

    #[inline]
    fn remove(&mut self, color: Color, piece: Piece, square: Square, evaluator: &Evaluator) {
        self.mailbox[square.index()] = EMPTY;
        self.placement.subtract(evaluator.placed(color, piece, square));
        self.toggle(color, piece, square);
    }

    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        self.colors[color.index()] ^= square.bit();
        self.pieces[piece.index()] ^= square.bit();
        let key = KEYS.piece(color, piece, square);
        self.hash ^= key;
        if piece == Piece::Pawn {
            self.pawn_hash ^= key;
        }
    }
}
