//! From a search's score to the chances of win, draw and loss.
//!
//! A search says centipawns. What a game from there comes to is a matter of experience: the model
//! has two numbers, fitted to games whose results are known. The utility of a score is the
//! probability of a win less that of a loss, and the value that a score stands for is a win where
//! the win is nearly sure.

use super::fit::highest;
use crate::vocabulary::{Utility, Value};

/// The chances of a score s: a win has the probability 1 / (1 + e^−((s − margin) / scale)), a loss
/// that of a win with −s, and a draw has the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Centipawns by which the odds of a win grow e-fold.
    pub scale: f64,
    /// The score in centipawns that wins every other game.
    pub margin: f64,
}

/// The probability of a win from which a position counts as won.
const SURE: f64 = 0.8;

/// The probabilities of a win and of a loss up to which a position counts as drawn.
const OPEN: f64 = 0.5;

impl Chances {
    /// The probability of a win.
    pub fn win(&self, centipawns: f64) -> f64 {
        1.0 / (1.0 + ((self.margin - centipawns) / self.scale).exp())
    }

    /// The probability of a loss.
    pub fn loss(&self, centipawns: f64) -> f64 {
        self.win(-centipawns)
    }

    /// The probability of a win less that of a loss.
    pub fn utility(&self, centipawns: f64) -> Utility {
        Utility::new(self.win(centipawns) - self.loss(centipawns))
    }

    /// The value that a deep search's score stands for; `None` between a draw and a win, where the
    /// score does not tell.
    pub fn value(&self, centipawns: f64) -> Option<Value> {
        let (win, loss) = (self.win(centipawns), self.loss(centipawns));
        if win >= SURE {
            Some(Value::Win)
        } else if loss >= SURE {
            Some(Value::Loss)
        } else {
            (win <= OPEN && loss <= OPEN).then_some(Value::Draw)
        }
    }

    /// The chances under which these results, each with the score of a position before, are most
    /// probable; `None` without both decided and drawn games.
    pub fn fit(games: &[(f64, Value)]) -> Option<Chances> {
        let drawn = games.iter().filter(|(_, value)| *value == Value::Draw).count();
        if drawn == 0 || drawn == games.len() {
            return None;
        }
        let likelihood = |chances: Chances| -> f64 {
            let of = |&(score, value): &(f64, Value)| {
                let probability = match value {
                    Value::Win => chances.win(score),
                    Value::Loss => chances.loss(score),
                    Value::Draw => 1.0 - chances.win(score) - chances.loss(score),
                };
                probability.max(f64::MIN_POSITIVE).ln()
            };
            games.iter().map(of).sum()
        };
        let best_margin = |scale: f64| {
            let of = |log_margin: f64| {
                likelihood(Chances {
                    scale,
                    margin: log_margin.exp(),
                })
            };
            highest(LEAST.ln(), MOST.ln(), &of).exp()
        };
        let of = |log_scale: f64| {
            let scale = log_scale.exp();
            likelihood(Chances {
                scale,
                margin: best_margin(scale),
            })
        };
        let scale = highest(LEAST.ln(), MOST.ln(), &of).exp();
        Some(Chances {
            scale,
            margin: best_margin(scale),
        })
    }
}

/// The least and the most centipawns that either number can be.
const LEAST: f64 = 1.0;
const MOST: f64 = 5000.0;

#[cfg(test)]
mod tests {
    use bluebelle_spec::rng::SplitMix64;

    use super::*;

    #[test]
    fn chances_mirror_and_values_have_gaps() {
        let chances = Chances {
            scale: 110.0,
            margin: 100.0,
        };
        for score in (-2000..=2000).step_by(50).map(f64::from) {
            assert!(chances.win(score) + chances.loss(score) <= 1.0);
            assert_eq!(chances.utility(score), -chances.utility(-score));
            assert_eq!(chances.value(score), chances.value(-score).map(|value| -value));
        }
        let values = [0.0, 99.0, 150.0, 260.0].map(|score| chances.value(score));
        assert_eq!(values, [Some(Value::Draw), Some(Value::Draw), None, Some(Value::Win)]);
    }

    #[test]
    fn the_fit_finds_what_made_the_results() {
        let truth = Chances {
            scale: 130.0,
            margin: 90.0,
        };
        let mut random = SplitMix64::new(7);
        let mut games = Vec::new();
        for _ in 0..4000 {
            let score = random.below(1200) as f64 - 600.0;
            let luck = random.below(1 << 30) as f64 / f64::from(1 << 30);
            let value = if luck < truth.win(score) {
                Value::Win
            } else if luck > 1.0 - truth.loss(score) {
                Value::Loss
            } else {
                Value::Draw
            };
            games.push((score, value));
        }
        let found = Chances::fit(&games).expect("a fit");
        assert!((found.scale - truth.scale).abs() < 12.0, "{found:?}");
        assert!((found.margin - truth.margin).abs() < 12.0, "{found:?}");
        assert_eq!(Chances::fit(&games[..0]), None);
    }
}
