//! Expected utility: what a game between fallible players is worth on average, for a unit stake.

use std::fmt;
use std::ops::Neg;

use bluebelle_spec::Color;

use super::Value;

/// A number from −1 (the side always loses) through 0 to +1 (the side always wins).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Utility(f64);

impl Utility {
    /// Neither side gains.
    pub const ZERO: Utility = Utility(0.0);

    /// The utility with this number; a number beyond ±1 becomes ±1, and not-a-number becomes 0.
    pub fn new(number: f64) -> Utility {
        Utility(if number.is_nan() { 0.0 } else { number.clamp(-1.0, 1.0) })
    }

    /// The number, from −1 to 1.
    pub const fn number(self) -> f64 {
        self.0
    }

    /// A utility seen from White's side as `side` sees it; its own inverse.
    #[must_use]
    pub fn seen_by(self, side: Color) -> Utility {
        match side {
            Color::White => self,
            Color::Black => -self,
        }
    }
}

/// The utility as the other side sees it.
impl Neg for Utility {
    type Output = Utility;

    fn neg(self) -> Utility {
        // 0 − 0 is 0: no utility is printed as −0.
        Utility(0.0 - self.0)
    }
}

/// A game that is over is worth its value.
impl From<Value> for Utility {
    fn from(value: Value) -> Utility {
        Utility(f64::from(value.sign()))
    }
}

/// Three digits and a sign, as in `+0.757`.
impl fmt::Display for Utility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_beyond_the_stake() {
        assert_eq!(Utility::new(7.0).number(), 1.0);
        assert_eq!(Utility::new(f64::NEG_INFINITY).number(), -1.0);
        assert_eq!(Utility::new(f64::NAN), Utility::ZERO);
        assert_eq!((-Utility::ZERO).to_string(), "+0.000");
        assert_eq!(Utility::from(Value::Loss).seen_by(Color::Black).number(), 1.0);
    }
}
