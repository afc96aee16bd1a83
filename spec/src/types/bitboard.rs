/// A set of squares: bit *n* is the square with index *n*.
pub type Bitboard = u64;
