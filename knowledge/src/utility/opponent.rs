//! Models of fallible players: which move does a player of a given merit choose?
//!
//! A model sees a position as a list of prospects, one for each move, and says how probable each
//! move is. [`Michie`] is formula (1) of Michie's paper, taken literally: right for his figures,
//! and a poor player, because all moves of a long game look alike to the model. [`Fitted`] is a
//! model whose numbers come from games.

use crate::vocabulary::{Merit, Utility};

/// What a move leads to, as its mover sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The expected utility of the position after the move, for the mover.
    pub utility: Utility,
    /// How hard the utility is to see: the moves that it was backed up in a tree, or the depth from
    /// which a search sees it. Michie's *r*.
    pub delay: u32,
}

/// A model of a player.
pub trait Opponent {
    /// The probability of each move, in the order of the prospects. The probabilities of at least
    /// one prospect add up to 1.
    fn probabilities(&self, prospects: &[Prospect]) -> Vec<f64>;
}

/// Michie's model: p ∝ d^u with d = (M + 1)^(3 (r + 3) / (r + ε)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Michie {
    /// The player's merit M.
    pub merit: Merit,
}

/// Formula (1): the factor and the summand beside *r*.
const FACTOR: f64 = 3.0;
const SUMMAND: f64 = 3.0;

/// Formula (1): ε, which keeps the exponent finite where the game ends at once.
const EPSILON: f64 = 1e-9;

impl Michie {
    /// The natural logarithm of the discernibility d of a prospect.
    fn log_discernibility(self, delay: u32) -> f64 {
        let delay = f64::from(delay);
        self.merit.kilopoints().ln_1p() * FACTOR * (delay + SUMMAND) / (delay + EPSILON)
    }
}

impl Opponent for Michie {
    fn probabilities(&self, prospects: &[Prospect]) -> Vec<f64> {
        if self.merit.is_perfect() {
            return best_only(prospects);
        }
        let exponent = |prospect: &Prospect| prospect.utility.number() * self.log_discernibility(prospect.delay);
        normalised(prospects.iter().map(exponent).collect())
    }
}

/// The fitted model: p ∝ exp(−loss / scale(M)), where a move's loss is the utility that it gives
/// away against the best move, weighted by how early the difference shows: see [`losses`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The player's merit.
    pub merit: Merit,
    /// How the scale depends on the merit.
    pub curve: Curve,
}

/// A player who knows how far each win is: a move after which the win takes longer than after the
/// quickest counts less, and at most half. Without that, all won moves of an ending look alike, and
/// a player walks about in a won position until the clock ends the game. The side that loses delays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hasty<P> {
    /// The player who chooses by what is left of the utilities.
    pub player: P,
    /// What a ply more takes off a won position's utility.
    pub haste: f64,
}

/// The most that a slow win loses: any win is better than a draw.
const MOST_LOST: f64 = 0.5;

impl<P: Opponent> Opponent for Hasty<P> {
    fn probabilities(&self, prospects: &[Prospect]) -> Vec<f64> {
        let delays = |wins: bool| {
            let counted = prospects.iter().filter(move |prospect| {
                let utility = prospect.utility.number();
                if wins { utility > 0.0 } else { utility < 0.0 }
            });
            counted.map(|prospect| prospect.delay)
        };
        let quickest = delays(true).min().unwrap_or(0);
        let slowest = delays(false).max().unwrap_or(0);
        let left = |prospect: &Prospect| {
            let utility = prospect.utility.number();
            let lost = |plies: u32| (self.haste * f64::from(plies)).min(MOST_LOST);
            let share = if utility < 0.0 {
                1.0 - MOST_LOST + lost(slowest - prospect.delay)
            } else {
                1.0 - lost(prospect.delay.saturating_sub(quickest))
            };
            Prospect {
                utility: Utility::new(utility * share),
                ..*prospect
            }
        };
        let left: Vec<Prospect> = prospects.iter().map(left).collect();
        self.player.probabilities(&left)
    }
}

/// How large errors are by merit: scale(M) = exp(`at_zero` + `slope` · M), in units of loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The logarithm of the scale of a player without merit.
    pub at_zero: f64,
    /// What a kilopoint adds to the logarithm; negative, because better players err less.
    pub slope: f64,
    /// How much more the differences count that show early: 0 if all count alike.
    pub sight: f64,
}

impl Curve {
    /// The loss that a player of this merit gives away with a probability of 1/e, relative to
    /// the best move.
    pub fn scale(&self, merit: Merit) -> f64 {
        (self.at_zero + self.slope * merit.kilopoints()).exp()
    }

    /// The merit whose scale this is, from 0 to [`Merit::MOST`].
    pub fn merit(&self, scale: f64) -> Merit {
        Merit::nearest((scale.ln() - self.at_zero) / self.slope)
    }
}

impl Opponent for Fitted {
    fn probabilities(&self, prospects: &[Prospect]) -> Vec<f64> {
        let scale = self.curve.scale(self.merit);
        if self.merit.is_perfect() || scale == 0.0 {
            return best_only(prospects);
        }
        let exponents = losses(prospects, self.curve.sight)
            .into_iter()
            .map(|loss| -loss / scale);
        normalised(exponents.collect())
    }
}

/// The loss of each move, as far as a player sees losses.
///
/// A difference between two moves shows once the utilities of both do, at the later of their two
/// delays r. The difference then counts 1 + `sight` / r times: to leave a queen hanging is easier to
/// see than to miss a combination of five moves.
pub fn losses(prospects: &[Prospect], sight: f64) -> Vec<f64> {
    let utility = |prospect: &Prospect| prospect.utility.number();
    let better = |a: &&Prospect, b: &&Prospect| utility(a).total_cmp(&utility(b)).then(b.delay.cmp(&a.delay));
    let Some(best) = prospects.iter().max_by(better) else {
        return Vec::new();
    };
    let loss = |prospect: &Prospect| {
        let delay = prospect.delay.max(best.delay).max(1);
        (utility(best) - utility(prospect)) * (1.0 + sight / f64::from(delay))
    };
    prospects.iter().map(loss).collect()
}

/// Numbers proportional to e^exponent that add up to 1.
fn normalised(mut exponents: Vec<f64>) -> Vec<f64> {
    let most = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for exponent in &mut exponents {
        *exponent = (*exponent - most).exp();
        sum += *exponent;
    }
    exponents.iter_mut().for_each(|weight| *weight /= sum);
    exponents
}

/// A player without errors: any of the best moves, with equal probability.
fn best_only(prospects: &[Prospect]) -> Vec<f64> {
    let utility = |prospect: &Prospect| prospect.utility.number();
    let most = prospects.iter().map(utility).fold(f64::NEG_INFINITY, f64::max);
    let is_best = |prospect: &Prospect| {
        if utility(prospect) >= most - SAME {
            0.0
        } else {
            f64::NEG_INFINITY
        }
    };
    normalised(prospects.iter().map(is_best).collect())
}

/// Utilities that differ by less differ by rounding.
pub(super) const SAME: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn prospects(list: &[(f64, u32)]) -> Vec<Prospect> {
        let prospect = |&(utility, delay)| Prospect {
            utility: Utility::new(utility),
            delay,
        };
        list.iter().map(prospect).collect()
    }

    #[test]
    fn probabilities_add_up_and_follow_utility() {
        let prospects = prospects(&[(1.0, 0), (0.4, 3), (0.0, 7), (-0.9, 1), (-1.0, 0)]);
        let curve = Curve {
            at_zero: 0.0,
            slope: -1.0,
            sight: 0.0,
        };
        for merit in [0.0, 0.3, 1.4, 5.0, f64::INFINITY] {
            let merit = Merit::new(merit).expect("a merit");
            let models: [&dyn Opponent; 2] = [&Michie { merit }, &Fitted { merit, curve }];
            for model in models {
                let found = model.probabilities(&prospects);
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
                assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
            }
        }
    }

    #[test]
    fn what_shows_early_counts_more() {
        let list = prospects(&[(0.5, 6), (0.1, 1), (0.1, 12)]);
        let found = losses(&list, 3.0);
        assert_eq!(found[0], 0.0);
        assert!(
            (found[1] - 0.4 * 1.5).abs() < 1e-12 && (found[2] - 0.4 * 1.25).abs() < 1e-12,
            "{found:?}"
        );
        assert_eq!(losses(&[], 3.0), []);
    }

    #[test]
    fn a_hasty_player_wins_soon_and_loses_late() {
        let merit = Merit::new(2.0).expect("a merit");
        let curve = Curve {
            at_zero: 0.0,
            slope: -1.0,
            sight: 0.0,
        };
        let player = Hasty {
            player: Fitted { merit, curve },
            haste: 0.05,
        };
        let won = player.probabilities(&prospects(&[(1.0, 3), (1.0, 9)]));
        let lost = player.probabilities(&prospects(&[(-1.0, 3), (-1.0, 9)]));
        assert!(won[0] > 0.8 && lost[1] > 0.8, "{won:?} {lost:?}");
        // Any win is better than a draw.
        let slow = player.probabilities(&prospects(&[(1.0, 1), (1.0, 90), (0.0, 1)]));
        assert!(slow[1] > 5.0 * slow[2], "{slow:?}");
    }

    #[test]
    fn players_without_merit_move_at_random_and_all_see_a_mate() {
        let mate = prospects(&[(1.0, 0), (0.9, 1)]);
        assert_eq!(
            Michie {
                merit: Merit::default()
            }
            .probabilities(&mate),
            [0.5, 0.5]
        );
        let beginner = Merit::new(0.1).expect("a merit");
        assert!(Michie { merit: beginner }.probabilities(&mate)[0] > 0.999_999);
        assert_eq!(Michie { merit: Merit::PERFECT }.probabilities(&mate), [1.0, 0.0]);
    }
}
