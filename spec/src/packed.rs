//! The packed position: what travels on the wire, 26 bytes.
//!
//! | bytes | field | meaning |
//! |---|---|---|
//! | 0–7 | occupied | bit *n* is the square with index *n* (a1 = 0, h8 = 63), little-endian |
//! | 8–23 | pieces | a nibble for each occupied square in ascending order, low nibble first: bit 3 Black, bits 0–2 the piece code of [`Piece`]; the rest zero |
//! | 24 | state | bit 0 Black to move, bits 1–4 castling rights K Q k q, bits 5–7 zero |
//! | 25 | en passant | bits 0–2 the file of the pawn that has just made a double step, bit 3 whether there is one; the rest zero |
//!
//! 8 + 16 + 1 + 1 = 26. One position has one packing: whatever is not listed is an error, so `unpack` and `pack` are
//! inverse to each other. The layout is part of [wire version](crate::wire::VERSION) 1 and will not change within it.

use bytemuck::{Pod, Zeroable};

use crate::position::{Planes, Position, PositionError};
use crate::types::{Castling, Color, Piece, Square};

/// A position in 26 bytes; see the [module](self) for the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct PackedPosition {
    occupied: [u8; 8],
    pieces: [u8; 16],
    state: u8,
    en_passant: u8,
}

const _: () = assert!(size_of::<PackedPosition>() == 26);

/// Why 26 bytes are not a packed position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// More occupied squares than chess has pieces.
    #[error("{0} occupied squares: at most 32 fit")]
    TooManySquares(u32),
    /// A nibble that is no piece.
    #[error("nibble {nibble:#x} on {square} is no piece")]
    BadPiece {
        /// The square.
        square: Square,
        /// The nibble.
        nibble: u8,
    },
    /// A bit that must be zero is not.
    #[error("byte {0} has bits set that must be zero")]
    ReservedBits(usize),
    /// Well packed, but not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl PackedPosition {
    /// Packs a position.
    pub fn pack(position: &Position) -> PackedPosition {
        let occupied = position.occupied();
        let mut pieces = [0; 16];
        for (index, square) in Square::all_of(occupied).enumerate() {
            if let Some((color, piece)) = position.at(square) {
                let nibble = (color as u8) << 3 | piece.code();
                pieces[index / 2] |= nibble << (index % 2 * 4);
            }
        }
        PackedPosition {
            occupied: occupied.to_le_bytes(),
            pieces,
            state: position.turn() as u8 | position.castling().bits() << 1,
            en_passant: position.en_passant().map_or(0, |square| 8 | square.file()),
        }
    }

    /// The position that was packed.
    ///
    /// # Errors
    /// Says what is wrong with bytes that [`PackedPosition::pack`] cannot have made.
    pub fn unpack(&self) -> Result<Position, UnpackError> {
        let occupied = u64::from_le_bytes(self.occupied);
        let count = occupied.count_ones();
        if count > 32 {
            return Err(UnpackError::TooManySquares(count));
        }
        let mut planes = Planes::default();
        for (index, square) in Square::all_of(occupied).enumerate() {
            let nibble = self.nibble(index);
            let piece = Piece::from_code(nibble & 7).ok_or(UnpackError::BadPiece { square, nibble })?;
            let color = Color::ALL[usize::from(nibble >> 3)];
            planes.toggle(color, piece, square.bit());
        }
        if let Some(index) = (count as usize..32).find(|&index| self.nibble(index) != 0) {
            return Err(UnpackError::ReservedBits(8 + index / 2));
        }
        if self.state >> 5 != 0 {
            return Err(UnpackError::ReservedBits(24));
        }
        let turn = Color::ALL[usize::from(self.state & 1)];
        let en_passant = match self.en_passant {
            0 => None,
            byte @ 8..=15 => Some(Square::at(byte & 7, 5).relative_to(turn)),
            _ => return Err(UnpackError::ReservedBits(25)),
        };
        let castling = Castling::from_bits(self.state >> 1);
        Ok(Position::new(planes, turn, castling, en_passant)?)
    }

    fn nibble(&self, index: usize) -> u8 {
        self.pieces[index / 2] >> (index % 2 * 4) & 15
    }
}
