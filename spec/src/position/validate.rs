use super::Position;
use crate::attacks;
use crate::types::{Castling, CastlingSide, Color, Piece, Square};

/// Why a set of pieces is not a chess position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Two pieces share a square, or a square has a side without a piece.
    #[error("the piece planes contradict each other on {0}")]
    PlanesDisagree(Square),
    /// A side has no king.
    #[error("{0:?} has no king: each side needs exactly one")]
    MissingKing(Color),
    /// A side has two kings or more.
    #[error("{0:?} has {1} kings: each side needs exactly one")]
    ExtraKing(Color, u32),
    /// A pawn where none can stand.
    #[error("a pawn stands on {0}: pawns live on ranks 2 to 7")]
    PawnOnLastRank(Square),
    /// More than 16 pieces, or more than 8 pawns, or more promoted pieces than pawns have gone.
    #[error(
        "{color:?} has too many pieces: {pawns} pawns and {promoted} promoted pieces out of 8 pawns, {total} of 16 in all"
    )]
    TooManyPieces {
        /// Whose pieces.
        color: Color,
        /// How many pawns.
        pawns: u32,
        /// How many pieces beyond the initial set, counted kind by kind.
        promoted: u32,
        /// How many pieces in all.
        total: u32,
    },
    /// The side that has just moved left its king attacked.
    #[error("{0:?} is in check, but it is the other side's move")]
    OpponentInCheck(Color),
    /// A castling right whose king or rook is not at home.
    #[error("{color:?} cannot castle {way}: that needs its king on {king} and a rook on {rook}")]
    CastlingWithoutRook {
        /// Whose right.
        color: Color,
        /// `king side` or `queen side`.
        way: &'static str,
        /// Where the king must stand.
        king: Square,
        /// Where the rook must stand.
        rook: Square,
    },
    /// No pawn can have just skipped this square.
    #[error(
        "no pawn can have just passed {0}: en passant needs it and the square behind it empty, and a pawn of the other side in front"
    )]
    ImpossibleEnPassant(Square),
}

impl Position {
    pub(super) fn validate(&self) -> Result<(), PositionError> {
        self.check_planes()?;
        for color in Color::ALL {
            self.check_army(color)?;
        }
        let last_ranks = attacks::RANK_1 | attacks::RANK_1 << 56;
        let pawns = self.planes.pieces[Piece::Pawn.index()] & last_ranks;
        if pawns != 0 {
            let square = Square::new(pawns.trailing_zeros() as u8);
            return Err(PositionError::PawnOnLastRank(square));
        }
        let waiting = !self.turn;
        if self.attackers(self.king(waiting), self.turn, self.occupied()) != 0 {
            return Err(PositionError::OpponentInCheck(waiting));
        }
        self.check_castling(self.castling)?;
        self.en_passant.map_or(Ok(()), |square| self.check_en_passant(square))
    }

    fn check_planes(&self) -> Result<(), PositionError> {
        let [white, black] = self.planes.colors;
        let mut seen = 0;
        let mut twice = white & black;
        for plane in self.planes.pieces {
            twice |= seen & plane;
            seen |= plane;
        }
        let wrong = twice | seen ^ (white | black);
        match wrong {
            0 => Ok(()),
            _ => Err(PositionError::PlanesDisagree(Square::new(wrong.trailing_zeros() as u8))),
        }
    }

    fn check_army(&self, color: Color) -> Result<(), PositionError> {
        let count = |piece| self.pieces(color, piece).count_ones();
        match count(Piece::King) {
            0 => return Err(PositionError::MissingKing(color)),
            1 => {}
            kings => return Err(PositionError::ExtraKing(color, kings)),
        }
        let pawns = count(Piece::Pawn);
        let promoted = [
            (Piece::Knight, 2),
            (Piece::Bishop, 2),
            (Piece::Rook, 2),
            (Piece::Queen, 1),
        ]
        .into_iter()
        .map(|(piece, initial)| count(piece).saturating_sub(initial))
        .sum::<u32>();
        let total = self.side(color).count_ones();
        if pawns + promoted > 8 || total > 16 {
            return Err(PositionError::TooManyPieces {
                color,
                pawns,
                promoted,
                total,
            });
        }
        Ok(())
    }

    fn check_castling(&self, rights: Castling) -> Result<(), PositionError> {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let king = Square::at(4, 0).relative_to(color);
                let rook = side.rook_from(color);
                let at_home = self.king(color) == king && self.pieces(color, Piece::Rook) & rook.bit() != 0;
                if rights.has(color, side) && !at_home {
                    let way = match side {
                        CastlingSide::King => "king side",
                        CastlingSide::Queen => "queen side",
                    };
                    return Err(PositionError::CastlingWithoutRook { color, way, king, rook });
                }
            }
        }
        Ok(())
    }

    fn check_en_passant(&self, square: Square) -> Result<(), PositionError> {
        let possible = square.relative_to(self.turn).rank() == 5 && {
            let behind = attacks::forward(square.bit(), self.turn);
            let in_front = attacks::forward(square.bit(), !self.turn);
            self.occupied() & (square.bit() | behind) == 0 && self.pieces(!self.turn, Piece::Pawn) & in_front != 0
        };
        match possible {
            true => Ok(()),
            false => Err(PositionError::ImpossibleEnPassant(square)),
        }
    }
}
