//! The position: bitboard planes, make and unmake.

mod validate;

pub use validate::PositionError;

use crate::attacks;
use crate::types::{Bitboard, Castling, CastlingSide, Color, Move, Piece, Square};

/// The squares of every piece and side, without regard to whether chess allows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Planes {
    /// The squares of each side, by [`Color::index`].
    pub colors: [Bitboard; 2],
    /// The squares of each kind of piece, of both sides, by [`Piece::index`].
    pub pieces: [Bitboard; 6],
}

impl Planes {
    /// Puts a piece on a square, or takes it away again: placing is its own inverse, on the chip as here.
    #[inline]
    pub const fn toggle(&mut self, color: Color, piece: Piece, squares: Bitboard) {
        self.colors[color.index()] ^= squares;
        self.pieces[piece.index()] ^= squares;
    }

    /// What stands on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        let bit = square.bit();
        let color = match (self.colors[0] & bit != 0, self.colors[1] & bit != 0) {
            (true, _) => Color::White,
            (_, true) => Color::Black,
            _ => return None,
        };
        let piece = Piece::ALL
            .into_iter()
            .find(|piece| self.pieces[piece.index()] & bit != 0)?;
        Some((color, piece))
    }
}

/// A legal chess position, as far as the chip needs to know it: no move counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    planes: Planes,
    turn: Color,
    castling: Castling,
    en_passant: Option<Square>,
}

/// What [`Position::unmake`] needs besides the position: what the chip keeps on its stack for each ply.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    piece: Piece,
    captured: Option<Piece>,
    castling: Castling,
    en_passant: Option<Square>,
}

impl Position {
    /// The initial position.
    pub fn initial() -> Position {
        let mut planes = Planes::default();
        let back = [
            Piece::Rook,
            Piece::Knight,
            Piece::Bishop,
            Piece::Queen,
            Piece::King,
            Piece::Bishop,
            Piece::Knight,
            Piece::Rook,
        ];
        for (file, piece) in back.into_iter().enumerate() {
            planes.toggle(Color::White, piece, 1 << file);
            planes.toggle(Color::Black, piece, 1 << (56 + file));
        }
        planes.toggle(Color::White, Piece::Pawn, attacks::RANK_1 << 8);
        planes.toggle(Color::Black, Piece::Pawn, attacks::RANK_1 << 48);
        Position {
            planes,
            turn: Color::White,
            castling: Castling::ALL,
            en_passant: None,
        }
    }

    /// A position from its parts, if chess allows it.
    ///
    /// # Errors
    /// Says which rule the parts break.
    pub fn new(
        planes: Planes,
        turn: Color,
        castling: Castling,
        en_passant: Option<Square>,
    ) -> Result<Position, PositionError> {
        let position = Position {
            planes,
            turn,
            castling,
            en_passant,
        };
        position.validate().map(|()| position)
    }

    /// The squares of every piece and side.
    #[inline]
    pub const fn planes(&self) -> &Planes {
        &self.planes
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The castling rights left.
    #[inline]
    pub const fn castling(&self) -> Castling {
        self.castling
    }

    /// The square that a pawn has just skipped, whether or not a pawn can capture there.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// What stands on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        self.planes.at(square)
    }

    /// Every occupied square.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        self.planes.colors[0] | self.planes.colors[1]
    }

    /// The squares of one side.
    #[inline]
    pub const fn side(&self, color: Color) -> Bitboard {
        self.planes.colors[color.index()]
    }

    /// The squares of one kind of piece of one side.
    #[inline]
    pub const fn pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.planes.colors[color.index()] & self.planes.pieces[piece.index()]
    }

    /// The king's square.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        Square::new(self.pieces(color, Piece::King).trailing_zeros() as u8 & 63)
    }

    /// The pieces of `color` that attack `square`, with this occupancy.
    #[inline(always)]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.planes.pieces;
        let hits = attacks::pawn(square, !color) & pawns
            | attacks::knight(square) & knights
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens)
            | attacks::king(square) & kings;
        hits & self.planes.colors[color.index()]
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.attackers(self.king(self.turn), !self.turn, self.occupied()) != 0
    }

    /// Makes a move of the side to move. The move must be pseudo-legal: a piece of that side stands on `from`, and moves
    /// as it may; it may leave its king attacked.
    ///
    /// # Panics
    /// If there is no piece on `from`. Moves from outside go through [`crate::leaf::legal_moves`] first.
    pub fn make(&mut self, mv: Move) -> Undo {
        let (_, piece) = self.at(mv.from()).expect("a piece on the move's first square");
        let captured = if self.captures_en_passant(piece, mv) {
            Some(Piece::Pawn)
        } else {
            self.at(mv.to()).map(|(_, piece)| piece)
        };
        self.make_known(mv, piece, captured)
    }

    /// Takes back the last move made.
    pub fn unmake(&mut self, undo: Undo) {
        self.turn = !self.turn;
        self.en_passant = undo.en_passant;
        self.castling = undo.castling;
        self.toggle_move(undo.mv, undo.piece, undo.captured);
    }

    /// The position after a move; see [`Position::make`].
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// The position after a null move: the other side moves, and en passant is gone.
    pub fn after_null(&self) -> Position {
        Position {
            turn: !self.turn,
            en_passant: None,
            ..*self
        }
    }

    /// Makes a move whose pieces the caller knows.
    #[inline(always)]
    pub(crate) fn make_known(&mut self, mv: Move, piece: Piece, captured: Option<Piece>) -> Undo {
        let undo = Undo {
            mv,
            piece,
            captured,
            castling: self.castling,
            en_passant: self.en_passant,
        };
        self.toggle_move(mv, piece, captured);
        let touched = mv.from().bit() | mv.to().bit();
        self.castling = self.castling.after(touched);
        let skipped = (mv.from().byte() + mv.to().byte()) / 2;
        let double_push = piece == Piece::Pawn && mv.from().byte().abs_diff(mv.to().byte()) == 16;
        self.en_passant = double_push.then(|| Square::new(skipped));
        self.turn = !self.turn;
        undo
    }

    /// The king's side-step with its rook, if that is what this move is.
    #[inline]
    pub(crate) fn castles(piece: Piece, mv: Move) -> Option<CastlingSide> {
        if piece != Piece::King {
            return None;
        }
        match mv.to().byte().wrapping_sub(mv.from().byte()) as i8 {
            2 => Some(CastlingSide::King),
            -2 => Some(CastlingSide::Queen),
            _ => None,
        }
    }

    /// Whether `piece` moving so takes the pawn that has just passed.
    #[inline]
    pub(crate) fn captures_en_passant(&self, piece: Piece, mv: Move) -> bool {
        piece == Piece::Pawn && self.en_passant == Some(mv.to())
    }

    /// Whether a move changes more than its two squares, so that the chip takes a slot more for it: castling, en passant.
    #[inline]
    pub(crate) fn hops(&self, piece: Piece, mv: Move) -> bool {
        Position::castles(piece, mv).is_some() || self.captures_en_passant(piece, mv)
    }

    /// The board's share of a move. It only toggles, so that making and unmaking are the same.
    #[inline(always)]
    fn toggle_move(&mut self, mv: Move, piece: Piece, captured: Option<Piece>) {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        if let Some(captured) = captured {
            let square = if self.captures_en_passant(piece, mv) {
                to.byte() ^ 8
            } else {
                to.byte()
            };
            self.planes.toggle(!us, captured, 1 << square);
        }
        self.planes.toggle(us, piece, from.bit());
        self.planes.toggle(us, mv.promotion().unwrap_or(piece), to.bit());
        if let Some(side) = Position::castles(piece, mv) {
            let rook = side.rook_from(us).bit() | side.rook_to(us).bit();
            self.planes.toggle(us, Piece::Rook, rook);
        }
    }

    /// The same position with the sides exchanged: ranks mirrored, colours swapped. Its own inverse.
    pub fn mirrored(&self) -> Position {
        let [white, black] = self.planes.colors;
        let rights = self.castling.bits();
        Position {
            planes: Planes {
                colors: [black.swap_bytes(), white.swap_bytes()],
                pieces: self.planes.pieces.map(u64::swap_bytes),
            },
            turn: !self.turn,
            castling: Castling::from_bits(rights >> 2 | rights << 2),
            en_passant: self.en_passant.map(|square| square.relative_to(Color::Black)),
        }
    }
}
