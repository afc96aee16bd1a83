use std::fmt;
use std::str::FromStr;

use super::{Piece, Square};

/// A move in 16 bits, as it travels on the wire: `from` in bits 0–5, `to` in 6–11, the promotion's piece code in 12–14
/// (0 for none), bit 15 zero. Castling is the king's two-square step; en passant is the pawn's step to the empty square.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// No move: a1a1, which no piece can make.
    pub const NONE: Move = Move(0);

    /// A move that promotes nothing.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.byte() as u16 | (to.byte() as u16) << 6)
    }

    /// A pawn's move to the last rank.
    #[inline]
    pub const fn promoting(from: Square, to: Square, piece: Piece) -> Move {
        Move(Move::new(from, to).0 | (piece.code() as u16) << 12)
    }

    /// The 16 bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move with these bits; `None` if bit 15 is set or the promotion is not to a queen, rook, bishop or knight.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match bits >> 12 {
            0 | 2 | 5..=7 => Some(Move(bits)),
            _ => None,
        }
    }

    /// Where the piece stands.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// Where it goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Piece> {
        Piece::from_code((self.0 >> 12) as u8)
    }

    /// Whether this is [`Move::NONE`].
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// UCI notation: `e2e4`, `e7e8q`; `0000` for no move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", piece.letter(super::Color::Black)),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move in UCI notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a move: expected UCI notation such as e2e4 or e7e8q")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let error = || ParseMoveError(text.to_owned());
        if text == "0000" {
            return Ok(Move::NONE);
        }
        let (from, rest) = text.split_at_checked(2).ok_or_else(error)?;
        let (to, promotion) = rest.split_at_checked(2).ok_or_else(error)?;
        let from = from.parse().map_err(|_| error())?;
        let to = to.parse().map_err(|_| error())?;
        match promotion {
            "" => Ok(Move::new(from, to)),
            "q" => Ok(Move::promoting(from, to, Piece::Queen)),
            "r" => Ok(Move::promoting(from, to, Piece::Rook)),
            "b" => Ok(Move::promoting(from, to, Piece::Bishop)),
            "n" => Ok(Move::promoting(from, to, Piece::Knight)),
            _ => Err(error()),
        }
    }
}
