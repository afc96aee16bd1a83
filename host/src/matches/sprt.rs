//! The sequential test: a match ends as soon as it says enough.

use serde::{Deserialize, Serialize};

use super::score::share_of_elo;

/// How often the test may say the wrong thing, either way.
const ERROR: f64 = 0.05;

/// What an outcome that has not been seen counts, so that a match of equal pairs has a likelihood.
const UNSEEN: f64 = 1e-3;

/// Two differences in Elo to decide between.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The first side is only so much stronger (H0).
    pub elo0: f64,
    /// The first side is so much stronger (H1).
    pub elo1: f64,
}

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// H0: the lower difference fits the games better.
    Rejected,
    /// H1: the higher difference fits the games better.
    Accepted,
}

impl Sprt {
    /// The log-likelihood ratio beyond which the test ends: below minus this H0 holds, above it H1.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// The log-likelihood ratio of H1 against H0, for numbers of pairs with 0, ½, 1, 1½ and 2
    /// points.
    ///
    /// This is the generalized ratio of fishtest's pentanomial test: the likeliest distribution of
    /// pairs whose mean is the share under H1, against the likeliest under H0.
    pub fn log_likelihood_ratio(&self, pairs: &[u32; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let likeliest = [self.elo0, self.elo1].map(|elo| likeliest_with_mean(&shares, share_of_elo(elo)));
        let ratios = counts.iter().zip(likeliest[0].iter().zip(&likeliest[1]));
        ratios
            .map(|(count, (under0, under1))| count * (under1 / under0).ln())
            .sum()
    }

    /// What the test says of these pairs.
    pub fn verdict(&self, pairs: &[u32; 5]) -> Verdict {
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio >= Sprt::bound() => Verdict::Accepted,
            ratio if ratio <= -Sprt::bound() => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }
}

/// Steps of a bisection: more than a number's bits.
const STEPS: usize = 200;

/// The distribution over 0, ¼, ½, ¾ and 1 that has this mean and makes the observed shares
/// likeliest.
///
/// The method of Lagrange gives p / (1 + x (a − mean)) for an observed share p of outcome a, where
/// x is the root of Σ p (a − mean) / (1 + x (a − mean)), which falls from +∞ to −∞ between the two
/// x that make a denominator 0.
fn likeliest_with_mean(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    let distance = |index: usize| index as f64 / 4.0 - mean;
    let slope = |x: f64| {
        let terms = observed.iter().enumerate();
        terms
            .map(|(index, share)| share * distance(index) / (1.0 + x * distance(index)))
            .sum::<f64>()
    };
    let (mut low, mut high) = (-1.0 / distance(4), -1.0 / distance(0));
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|index| observed[index] / (1.0 + x * distance(index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(elo0: f64, elo1: f64, pairs: [u32; 5]) -> f64 {
        Sprt { elo0, elo1 }.log_likelihood_ratio(&pairs)
    }

    /// The values are those of a program in another language, which solves the same equations.
    #[test]
    fn ratios_are_the_known_ones() {
        let cases = [
            (0.0, 10.0, [10, 20, 40, 20, 10], -0.137_899_22),
            (-5.0, 5.0, [10, 20, 40, 20, 10], 0.0),
            (0.0, 100.0, [10, 20, 40, 20, 10], -12.481_371_92),
            (0.0, 10.0, [3, 10, 30, 25, 8], 1.217_738_45),
            (-5.0, 5.0, [3, 10, 30, 25, 8], 1.309_702_24),
            (0.0, 10.0, [0, 3, 4, 9, 2], 0.509_961_81),
            (0.0, 100.0, [0, 0, 5, 0, 0], -1.636_569_40),
        ];
        for (elo0, elo1, pairs, expected) in cases {
            let found = ratio(elo0, elo1, pairs);
            assert!(
                (found - expected).abs() < 1e-6,
                "{pairs:?}: {found}, expected {expected}"
            );
        }
        assert_eq!(ratio(0.0, 10.0, [0; 5]), 0.0);
    }

    /// With two outcomes a mean leaves no choice: 30 ln(s1 / s0) + 20 ln((1 − s1) / (1 − s0)).
    #[test]
    fn won_or_lost_pairs_make_the_binomial_test() {
        let (before, after) = (share_of_elo(0.0), share_of_elo(100.0));
        let by_hand = 30.0 * (after / before).ln() + 20.0 * ((1.0 - after) / (1.0 - before)).ln();
        let found = ratio(0.0, 100.0, [20, 0, 0, 0, 30]);
        assert!((found - by_hand).abs() < 0.01, "{found}, by hand {by_hand}");
    }

    #[test]
    fn verdicts_are_at_the_bounds() {
        assert!((Sprt::bound() - 2.944_44).abs() < 1e-5);
        let sprt = Sprt { elo0: 0.0, elo1: 100.0 };
        assert_eq!(sprt.verdict(&[0, 3, 4, 9, 2]), Verdict::Accepted);
        assert_eq!(sprt.verdict(&[0, 3, 4, 8, 2]), Verdict::Open);
        assert_eq!(sprt.verdict(&[10, 20, 40, 20, 10]), Verdict::Rejected);
    }
}
