//! Merit: how strong a player is, in thousands of rating points.

use std::fmt;
use std::str::FromStr;

/// The strength of a player in kilopoints: 0 for random moves, 2 for a rating of 2000, and
/// [`Merit::PERFECT`] for play without errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Merit(f64);

/// Why a number is no merit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "merit '{0}': expected thousands of rating points from 0 to {most}, such as 1.4 for a rating of 1400, or 'perfect'",
    most = Merit::MOST
)]
pub struct BadMerit(pub String);

impl Merit {
    /// Play without errors.
    pub const PERFECT: Merit = Merit(f64::INFINITY);

    /// The highest merit short of perfection: whoever writes more means rating points.
    pub const MOST: f64 = 5.0;

    /// The merit with so many kilopoints.
    ///
    /// # Errors
    /// If the number is negative, not a number, or above [`Merit::MOST`] and finite.
    pub fn new(kilopoints: f64) -> Result<Merit, BadMerit> {
        if (0.0..=Merit::MOST).contains(&kilopoints) || kilopoints == f64::INFINITY {
            // Adding 0 turns −0 into 0.
            Ok(Merit(kilopoints + 0.0))
        } else {
            Err(BadMerit(kilopoints.to_string()))
        }
    }

    /// The merit nearest to so many kilopoints, from 0 to [`Merit::MOST`]; 0 for not-a-number.
    pub fn nearest(kilopoints: f64) -> Merit {
        let kilopoints = if kilopoints.is_nan() { 0.0 } else { kilopoints };
        Merit(kilopoints.clamp(0.0, Merit::MOST))
    }

    /// Thousands of rating points; infinite for [`Merit::PERFECT`].
    pub const fn kilopoints(self) -> f64 {
        self.0
    }

    /// Whether the player never errs.
    pub const fn is_perfect(self) -> bool {
        self.0 == f64::INFINITY
    }
}

impl FromStr for Merit {
    type Err = BadMerit;

    fn from_str(text: &str) -> Result<Merit, BadMerit> {
        if text == "perfect" {
            return Ok(Merit::PERFECT);
        }
        let kilopoints: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
        let merit = kilopoints.and_then(|kilopoints| Merit::new(kilopoints).ok());
        merit.ok_or_else(|| BadMerit(text.to_owned()))
    }
}

impl fmt::Display for Merit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_perfect() {
            f.pad("perfect")
        } else {
            fmt::Display::fmt(&self.0, f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merits_are_read_as_they_are_written() {
        for text in ["0", "0.2", "1.4", "2", "perfect"] {
            assert_eq!(
                text.parse::<Merit>().map(|merit| merit.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["", "-1", "1400", "NaN", "inf", "1,4", "5.01", "perfectly"] {
            let error = text.parse::<Merit>().expect_err(text);
            assert!(
                error.to_string().contains("expected thousands of rating points"),
                "{error}"
            );
        }
        assert_eq!(Merit::nearest(f64::NAN), Merit(0.0));
        assert_eq!(Merit::nearest(9.0).kilopoints(), Merit::MOST);
    }
}
