//! The value of a position: who wins if both sides play without errors.

use std::fmt;
use std::ops::Neg;

use bluebelle_spec::Color;

/// Won, drawn or lost with perfect play. Which side the value is seen from is the user's to say:
/// trees and papers see it from White's side, comments from the mover's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i8)]
pub enum Value {
    /// The side loses.
    Loss = -1,
    /// Neither side wins.
    Draw = 0,
    /// The side wins.
    Win = 1,
}

impl Value {
    /// All values, the worst first.
    pub const ALL: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

    /// −1, 0 or 1.
    pub const fn sign(self) -> i8 {
        self as i8
    }

    /// The value with this sign.
    pub const fn of_sign(sign: i8) -> Value {
        match sign {
            i8::MIN..0 => Value::Loss,
            0 => Value::Draw,
            1.. => Value::Win,
        }
    }

    /// A value seen from White's side as `side` sees it; its own inverse.
    #[must_use]
    pub fn seen_by(self, side: Color) -> Value {
        match side {
            Color::White => self,
            Color::Black => -self,
        }
    }
}

/// The value as the other side sees it.
impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value::of_sign(-self.sign())
    }
}

/// `+1`, `0` or `-1`, as papers write it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Value::Loss => "-1",
            Value::Draw => "0",
            Value::Win => "+1",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_sees_the_opposite() {
        for value in Value::ALL {
            assert_eq!(-(-value), value);
            assert_eq!(value.seen_by(Color::Black), -value);
            assert_eq!(value.seen_by(Color::White), value);
            assert_eq!(value.to_string().parse::<i8>().map(Value::of_sign), Ok(value));
        }
        assert!(Value::Loss < Value::Draw && Value::Draw < Value::Win);
    }
}
