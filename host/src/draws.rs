//! Strong and weak draws: which of the positions that tables call drawn are worth playing for.
//!
//! A table says of a drawn position only that neither side can force a win. Against an opponent who
//! errs some draws are strong: this side presses and cannot lose by it. So a draw is scored from
//! −10 centipawns to +33 by what the evaluation says without tables, always as the side at the root
//! sees the draw: that side prefers a draw in which it presses to one in which it is pressed.

use crate::score::DRAW;

/// What draws are worth, by the UCI option `Draws`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draws {
    /// All the same: 0.
    #[default]
    Plain,
    /// From −10 to +33 centipawns.
    Shaded,
}

/// The best draw, in centipawns.
pub const STRONGEST: i32 = 33;

/// The worst draw, in centipawns.
pub const WEAKEST: i32 = -10;

/// The evaluation that takes a draw half of the way to its limit, in centipawns.
const HALFWAY: i32 = 200;

/// The score of a draw whose evaluation without tables is `evaluation`, both as the side at the root
/// sees them. Better evaluations never have worse scores.
pub fn shade(evaluation: i32) -> i32 {
    // Beyond this the shade is at its limit already, and the product stays small.
    let evaluation = evaluation.clamp(-20_000, 20_000);
    DRAW + limit(evaluation) * evaluation / (HALFWAY + evaluation.abs())
}

/// The same without rounding, for comparisons of moves.
pub fn finely(evaluation: i32) -> f64 {
    let [limit, halfway, evaluation] = [limit(evaluation), HALFWAY, evaluation].map(f64::from);
    f64::from(DRAW) + limit * evaluation / (halfway + evaluation.abs())
}

const fn limit(evaluation: i32) -> i32 {
    if evaluation < 0 { -WEAKEST } else { STRONGEST }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_rise_with_the_evaluation_and_keep_their_limits() {
        let all: Vec<i32> = (-40_000..=40_000).map(shade).collect();
        assert!(all.is_sorted());
        assert!(all.iter().all(|shade| (WEAKEST..=STRONGEST).contains(shade)));
        assert_eq!((shade(0), shade(200), shade(-200)), (0, 16, -5));
        assert!((-3_000..=3_000).all(|evaluation| (finely(evaluation) - f64::from(shade(evaluation))).abs() < 1.0));
        assert!(shade(20_000) >= STRONGEST - 1 && shade(i32::MIN) <= WEAKEST + 1);
    }
}
