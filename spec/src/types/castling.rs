use super::{Bitboard, Color, Square};

/// Which way the king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// To the g-file.
    King,
    /// To the c-file.
    Queen,
}

impl CastlingSide {
    /// Both ways, king side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The rook's square before castling, for `color`.
    #[inline]
    pub const fn rook_from(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 7,
            CastlingSide::Queen => 0,
        };
        Square::at(file, 0).relative_to(color)
    }

    /// The rook's square after castling, for `color`.
    #[inline]
    pub const fn rook_to(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 5,
            CastlingSide::Queen => 3,
        };
        Square::at(file, 0).relative_to(color)
    }

    /// The king's square after castling, for `color`.
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 6,
            CastlingSide::Queen => 2,
        };
        Square::at(file, 0).relative_to(color)
    }
}

/// The castling rights left: bit 0 White king side, 1 White queen side, 2 Black king side, 3 Black queen side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Castling(u8);

impl Castling {
    /// No rights.
    pub const NONE: Castling = Castling(0);
    /// All four rights.
    pub const ALL: Castling = Castling(15);

    /// The rights in the low four bits.
    #[inline]
    pub const fn from_bits(bits: u8) -> Castling {
        Castling(bits & 15)
    }

    /// The rights as four bits.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether `color` may still castle to `side`.
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & Self::bit(color, side) != 0
    }

    /// Adds a right.
    #[inline]
    pub const fn insert(&mut self, color: Color, side: CastlingSide) {
        self.0 |= Self::bit(color, side);
    }

    /// The rights left after something left or reached these squares.
    #[inline]
    pub const fn after(self, touched: Bitboard) -> Castling {
        const A1: Bitboard = 1;
        const E1: Bitboard = 1 << 4;
        const H1: Bitboard = 1 << 7;
        let white = ((touched & (E1 | H1) != 0) as u8) | (((touched & (E1 | A1) != 0) as u8) << 1);
        let home = touched >> 56;
        let black = ((home & (E1 | H1) != 0) as u8) | (((home & (E1 | A1) != 0) as u8) << 1);
        Castling(self.0 & !(white | black << 2))
    }

    const fn bit(color: Color, side: CastlingSide) -> u8 {
        1 << (color as u8 * 2 + side as u8)
    }
}
