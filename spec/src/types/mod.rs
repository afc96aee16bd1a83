//! The vocabulary: one type a file, the same words on both sides of the wire.

mod bitboard;
mod castling;
mod color;
mod mv;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use castling::{Castling, CastlingSide};
pub use color::Color;
pub use mv::{Move, ParseMoveError};
pub use piece::Piece;
pub use square::{ParseSquareError, Square};
