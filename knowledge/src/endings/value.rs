//! What an ending's table says of a position: win, draw or loss for the side to move, and how far
//! it is.

use std::fmt;

/// What a table's numbers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Nothing: win, draw or loss only.
    Wdl,
    /// Moves of the winner to conversion: until either side captures or promotes, or mate. The
    /// winner hurries and the loser delays. The move that converts or mates is counted if the
    /// winner makes that move; a loser whose every move converts is at distance 0. Pawn moves that
    /// promote nothing are no conversion.
    Conversion,
    /// Moves of the winner to mate, the last one included; 0 for a mated side.
    Mate,
}

impl Kind {
    /// Every kind, in the order in which a build makes their files.
    pub const ALL: [Kind; 3] = [Kind::Mate, Kind::Conversion, Kind::Wdl];

    /// The ending of the names of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => "wdl",
            Kind::Conversion => "dtc",
            Kind::Mate => "dtm",
        }
    }

    pub(super) const fn byte(self) -> u8 {
        match self {
            Kind::Wdl => 0,
            Kind::Conversion => 1,
            Kind::Mate => 2,
        }
    }
}

/// Win, draw or loss for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// The side to move is lost.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

/// Win, draw or loss for the side to move, and how many moves the winner needs; see [`Kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins.
    Win(u16),
    /// Neither side can win.
    Draw,
    /// The side to move is lost.
    Loss(u16),
}

impl Value {
    /// The value without its distance.
    pub const fn wdl(self) -> Wdl {
        match self {
            Value::Win(_) => Wdl::Win,
            Value::Draw => Wdl::Draw,
            Value::Loss(_) => Wdl::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(moves) => write!(f, "win in {moves}"),
            Value::Draw => f.write_str("draw"),
            Value::Loss(moves) => write!(f, "loss in {moves}"),
        }
    }
}

/// A value as the arrays of a build have it: 0 for no position, `DRAW`, or a key plus one. The key
/// is odd for a win, `2 × moves − 1`, and even for a loss, `2 × moves`. So a value before another
/// has the smaller code.
pub(super) mod code {
    use super::{Value, Wdl};

    /// No position: two men on a square, or the side that has moved is in check.
    pub(in crate::endings) const BROKEN: u16 = 0;
    /// A draw; during a build, also what is not known yet.
    pub(in crate::endings) const DRAW: u16 = u16::MAX;

    #[inline]
    pub(in crate::endings) const fn of_key(key: u16) -> u16 {
        key + 1
    }

    /// The key of a win or a loss.
    #[inline]
    pub(in crate::endings) const fn key(code: u16) -> u16 {
        code - 1
    }

    #[inline]
    pub(in crate::endings) const fn wdl(code: u16) -> Wdl {
        match code {
            DRAW => Wdl::Draw,
            _ if code.is_multiple_of(2) => Wdl::Win,
            _ => Wdl::Loss,
        }
    }

    /// The value of a code that is not `BROKEN`.
    pub(in crate::endings) const fn value(code: u16) -> Value {
        match wdl(code) {
            Wdl::Draw => Value::Draw,
            Wdl::Win => Value::Win(key(code).div_ceil(2)),
            Wdl::Loss => Value::Loss(key(code) / 2),
        }
    }
}
