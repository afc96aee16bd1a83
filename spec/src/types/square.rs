use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// A square, 0 to 63: a1 = 0, b1 = 1, a2 = 8, h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with an index below 64.
    ///
    /// # Panics
    /// If `index` is 64 or more: indices from outside go through [`Square::try_new`].
    #[inline]
    pub const fn new(index: u8) -> Square {
        assert!(index < 64);
        Square(index)
    }

    /// The square with this index, if there is one.
    #[inline]
    pub const fn try_new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square on a file and a rank, each 0 to 7.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square::new(rank * 8 + file)
    }

    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index as a byte.
    #[inline]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for rank 1 to 7 for rank 8.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The same square seen from `color`'s side of the board; its own inverse.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        Square(self.0 ^ color.flip())
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        1 << self.0
    }

    /// Every square, a1 first.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// The squares of a set, in the same order.
    pub fn all_of(mut set: Bitboard) -> impl Iterator<Item = Square> {
        std::iter::from_fn(move || {
            let square = Square::try_new(set.trailing_zeros() as u8)?;
            set &= set - 1;
            Some(square)
        })
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square: expected a file a to h and a rank 1 to 8, such as e4")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}
