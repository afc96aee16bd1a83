//! The board that the search walks on: bitboards, a mailbox, and what make keeps up to date.
//!
//! A node copies its board and makes a move on the copy; nothing is taken back. 160 bytes copy in a few instructions, and a
//! board in hand can go to another thread or to a leaf job as it is.

mod geometry;
mod legal;
mod make;
mod moves;
mod see;
mod zobrist;

pub use geometry::{between, line};
pub use legal::{perft, perft_until};
pub use moves::{MoveList, ScoredMove};
pub use see::EXCHANGE_VALUES;

use std::fmt;

use bluebelle_spec::{
    Bitboard, Castling, CastlingSide, Color, Fen, Move, Piece, Planes, Position, PositionError, Square, attacks,
};

use crate::evaluation::{Evaluator, PackedPlacement};

/// A position on its way through the search.
#[derive(Clone)]
pub struct Board {
    colors: [Bitboard; 2],
    pieces: [Bitboard; 6],
    /// The piece on each square by [`Piece::index`], or [`EMPTY`].
    mailbox: [u8; 64],
    hash: u64,
    pawn_hash: u64,
    checkers: Bitboard,
    /// Own pieces that may leave the line to their king only by exposing it.
    pinned: Bitboard,
    placement: PackedPlacement,
    turn: Color,
    castling: Castling,
    /// Only if an enemy pawn stands ready to capture there.
    en_passant: Option<Square>,
    halfmoves: u8,
    fullmoves: u16,
}

const EMPTY: u8 = 6;

impl Board {
    /// The board of a FEN.
    pub fn new(fen: &Fen, evaluator: &Evaluator) -> Board {
        let position = &fen.position;
        let planes = position.planes();
        let mut board = Board {
            colors: planes.colors,
            pieces: planes.pieces,
            mailbox: [EMPTY; 64],
            hash: 0,
            pawn_hash: 0,
            checkers: 0,
            pinned: 0,
            placement: PackedPlacement::default(),
            turn: position.turn(),
            castling: position.castling(),
            en_passant: None,
            halfmoves: fen.halfmoves.min(200) as u8,
            fullmoves: fen.fullmoves,
        };
        for square in Square::all() {
            if let Some((color, piece)) = position.at(square) {
                board.mailbox[square.index()] = piece.index() as u8;
                board.placement.add(evaluator.placed(color, piece, square));
            }
        }
        board.set_en_passant(position.en_passant());
        (board.hash, board.pawn_hash) = board.hashes();
        board.find_checks_and_pins();
        board
    }

    /// The same board for another evaluation.
    #[must_use]
    pub(crate) fn weighed(mut self, evaluator: &Evaluator) -> Board {
        self.placement = PackedPlacement::default();
        for square in Square::all() {
            for color in Color::ALL {
                for piece in Piece::ALL {
                    if self.side(color) & self.kind(piece) & square.bit() != 0 {
                        self.placement.add(evaluator.placed(color, piece, square));
                    }
                }
            }
        }
        self
    }

    /// The initial position.
    pub fn initial(evaluator: &Evaluator) -> Board {
        let fen = Fen {
            position: Position::initial(),
            halfmoves: 0,
            fullmoves: 1,
        };
        Board::new(&fen, evaluator)
    }

    /// The same position as the chip knows it.
    ///
    /// # Errors
    /// Never for a board that came from a legal position by legal moves.
    pub fn position(&self) -> Result<Position, PositionError> {
        let planes = Planes {
            colors: self.colors,
            pieces: self.pieces,
        };
        Position::new(planes, self.turn, self.castling, self.en_passant)
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Names the position: pieces, side to move, castling rights, and en passant if it can be captured.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Names the pawns alone.
    #[inline]
    pub const fn pawn_hash(&self) -> u64 {
        self.pawn_hash
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u8 {
        self.halfmoves
    }

    /// The number of the move.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The castling rights left.
    #[inline]
    pub const fn castling(&self) -> Castling {
        self.castling
    }

    /// The square where a pawn can be captured in passing.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The sum of the placement weights.
    #[inline]
    pub const fn placement(&self) -> PackedPlacement {
        self.placement
    }

    /// Every occupied square.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side.
    #[inline]
    pub const fn side(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of one kind of piece, of both sides.
    #[inline]
    pub const fn kind(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index()]
    }

    /// The squares of one kind of piece of one side.
    #[inline]
    pub const fn pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.colors[color.index()] & self.pieces[piece.index()]
    }

    /// The king's square.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        Square::new(self.pieces(color, Piece::King).trailing_zeros() as u8 & 63)
    }

    /// The kind of piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.get(usize::from(self.mailbox[square.index()])).copied()
    }

    /// The enemy pieces that give check.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.checkers != 0
    }

    /// Whether a move takes a pawn in passing.
    #[inline]
    pub fn captures_en_passant(&self, mv: Move) -> bool {
        self.en_passant == Some(mv.to()) && self.mailbox[mv.from().index()] == Piece::Pawn as u8
    }

    /// What a move captures.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        match self.captures_en_passant(mv) {
            true => Some(Piece::Pawn),
            false => self.piece_on(mv.to()),
        }
    }

    /// Whether a move changes the material: a capture or a promotion.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.occupied() & mv.to().bit() != 0 || mv.promotion().is_some() || self.captures_en_passant(mv)
    }

    /// Whether the side to move has anything but pawns and its king.
    #[inline]
    pub const fn has_officers(&self) -> bool {
        let humble = self.pieces[Piece::Pawn.index()] | self.pieces[Piece::King.index()];
        self.colors[self.turn.index()] & !humble != 0
    }

    /// Whether the side to move has exactly one piece besides pawns and its king.
    #[inline]
    pub const fn has_one_officer(&self) -> bool {
        let humble = self.pieces[Piece::Pawn.index()] | self.pieces[Piece::King.index()];
        (self.colors[self.turn.index()] & !humble).count_ones() == 1
    }

    /// Every piece of both sides that attacks a square, with this occupancy.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.pieces;
        attacks::pawn(square, Color::White) & pawns & self.colors[1]
            | attacks::pawn(square, Color::Black) & pawns & self.colors[0]
            | attacks::knight(square) & knights
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens)
            | attacks::king(square) & kings
    }

    /// Whether `color` attacks a square, with this occupancy.
    #[inline]
    pub fn is_attacked(&self, square: Square, color: Color, occupied: Bitboard) -> bool {
        let [pawns, knights, bishops, rooks, queens, kings] = self.pieces;
        let side = self.colors[color.index()];
        let leaps =
            attacks::pawn(square, !color) & pawns | attacks::knight(square) & knights | attacks::king(square) & kings;
        leaps & side != 0
            || attacks::bishop(square, occupied) & (bishops | queens) & side != 0
            || attacks::rook(square, occupied) & (rooks | queens) & side != 0
    }

    /// Whether the piece that moves gives check from where it goes. Discovered checks are not seen.
    pub fn gives_direct_check(&self, mv: Move) -> bool {
        let us = self.turn;
        let king = self.king(!us);
        let occupied = self.occupied() & !mv.from().bit() | mv.to().bit();
        let reach = match mv.promotion().or(self.piece_on(mv.from())) {
            Some(Piece::Pawn) => attacks::pawn(mv.to(), us),
            Some(Piece::Knight) => attacks::knight(mv.to()),
            Some(Piece::Bishop) => attacks::bishop(mv.to(), occupied),
            Some(Piece::Rook) => attacks::rook(mv.to(), occupied),
            Some(Piece::Queen) => attacks::bishop(mv.to(), occupied) | attacks::rook(mv.to(), occupied),
            Some(Piece::King) | None => 0,
        };
        reach & king.bit() != 0
    }

    /// Whether neither side can ever give mate: bare kings, one minor piece, or bishops all on one colour.
    pub fn is_insufficient(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] = self.pieces;
        if pawns | rooks | queens != 0 {
            return false;
        }
        if knights == 0 {
            return bishops & attacks::LIGHT == 0 || bishops & !attacks::LIGHT == 0;
        }
        bishops == 0 && knights.count_ones() == 1
    }

    /// The FEN fields with this board's counters.
    ///
    /// # Errors
    /// See [`Board::position`].
    pub fn fen(&self) -> Result<Fen, PositionError> {
        Ok(Fen {
            position: self.position()?,
            halfmoves: u16::from(self.halfmoves).min(150),
            fullmoves: self.fullmoves,
        })
    }

    fn set_en_passant(&mut self, skipped: Option<Square>) {
        self.en_passant = skipped.filter(|&square| {
            let takers = self.pieces(self.turn, Piece::Pawn);
            attacks::pawn(square, !self.turn) & takers != 0
        });
    }

    /// Works out who checks the king of the side to move and which of its pieces are pinned.
    fn find_checks_and_pins(&mut self) {
        let us = self.turn;
        let king = self.king(us);
        let enemy = self.side(!us);
        let occupied = self.occupied();
        let [pawns, knights, bishops, rooks, queens, _] = self.pieces;
        self.checkers = (attacks::pawn(king, us) & pawns | attacks::knight(king) & knights) & enemy;
        self.pinned = 0;
        let aligned =
            attacks::diagonal_lines(king) & (bishops | queens) | attacks::straight_lines(king) & (rooks | queens);
        for slider in Squares(aligned & enemy) {
            let blockers = between(king, slider) & occupied;
            if blockers == 0 {
                self.checkers |= slider.bit();
            } else if blockers & (blockers - 1) == 0 {
                self.pinned |= blockers & self.side(us);
            }
        }
    }

    /// The squares of a castling move's rook, before and after.
    #[inline]
    fn castling_rook(mv: Move, us: Color) -> (Square, Square) {
        let side = match mv.to().file() > mv.from().file() {
            true => CastlingSide::King,
            false => CastlingSide::Queen,
        };
        (side.rook_from(us), side.rook_to(us))
    }
}

/// A board as text, White below.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "{} ", rank + 1)?;
            for file in 0..8 {
                let square = Square::at(file, rank);
                let color = match self.side(Color::White) & square.bit() != 0 {
                    true => Color::White,
                    false => Color::Black,
                };
                write!(f, " {}", self.piece_on(square).map_or('.', |piece| piece.letter(color)))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "   a b c d e f g h   {:?} to move", self.turn)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fen() {
            Ok(fen) => write!(f, "{fen}"),
            Err(_) => fmt::Display::fmt(self, f),
        }
    }
}

/// The squares of a set, the lowest first.
#[derive(Clone, Copy)]
pub struct Squares(pub Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Square::try_new(self.0.trailing_zeros() as u8)?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

#[cfg(test)]
mod tests;
