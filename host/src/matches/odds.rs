//! Effective speed-up: the time odds at which a match is even.

use super::score::{Score, WIDTH_95};

/// Steps of the fit; it settles in fewer than ten.
const STEPS: usize = 100;

/// The largest change of a coefficient in a step, so that a match without a loss does not throw the
/// fit off.
const LARGEST_STEP: f64 = 2.0;

/// The time odds at which a match is even, and the ends of their 95 % interval. `points` has scores
/// of the first side by how many times its time the opponent had.
///
/// The share of points is fitted as logistic in the logarithm of the odds (Elo falls by the same
/// number with every doubling of the opponent's time), each match weighted by the error of its
/// games, whose variance is less than that of wins and losses alone because there are draws. The
/// interval is Fieller's. `None` if the matches do not say: fewer than two odds, or scores that do
/// not fall clearly as odds grow.
pub fn even_odds(points: &[(f64, Score)]) -> Option<(f64, f64, f64)> {
    let matches: Vec<Match> = points.iter().filter_map(Match::new).collect();
    let fit = Fit::new(&matches)?;
    let (low, high) = fit.fieller()?;
    let even = -fit.level / fit.slope;
    Some((even.exp2(), low.exp2(), high.exp2()))
}

/// A match at some odds.
struct Match {
    doublings: f64,
    games: f64,
    share: f64,
    /// Of a game's points about a share.
    score: Score,
}

impl Match {
    fn new(&(odds, score): &(f64, Score)) -> Option<Match> {
        let games = f64::from(score.games());
        if score.games() == 0 || !(odds > 0.0 && odds.is_finite()) {
            return None;
        }
        // Half a win and half a loss more where one of them is missing, or the fit has no end.
        let whole = score.points() == 0.0 || score.points() == games;
        let (games, points) = match whole {
            true => (games + 1.0, score.points() + 0.5),
            false => (games, score.points()),
        };
        Some(Match {
            doublings: odds.log2(),
            games,
            share: points / games,
            score,
        })
    }

    /// The sum of squared distances of the games' points from a share.
    fn spread(&self, share: f64) -> f64 {
        let Score { wins, draws, losses } = self.score;
        let square = |points: f64, count: u32| f64::from(count) * (points - share).powi(2);
        square(1.0, wins) + square(0.5, draws) + square(0.0, losses)
    }
}

/// The logit of the share: `level` + `slope` × doublings.
struct Fit {
    level: f64,
    slope: f64,
    /// Variance of the level, covariance, variance of the slope.
    covariance: [f64; 3],
}

impl Fit {
    fn new(matches: &[Match]) -> Option<Fit> {
        let (mut level, mut slope) = (0.0, 0.0);
        let mut information = [0.0; 3];
        let expected = |level: f64, slope: f64, doublings: f64| 1.0 / (1.0 + (-level - slope * doublings).exp());
        for _ in 0..STEPS {
            information = [0.0; 3];
            let mut gradient = [0.0; 2];
            for one in matches {
                let share = expected(level, slope, one.doublings);
                let weight = one.games * share * (1.0 - share);
                information[0] += weight;
                information[1] += weight * one.doublings;
                information[2] += weight * one.doublings.powi(2);
                let residual = one.games * (one.share - share);
                gradient[0] += residual;
                gradient[1] += residual * one.doublings;
            }
            let inverse = inverse(information)?;
            let steps = [
                inverse[0] * gradient[0] + inverse[1] * gradient[1],
                inverse[1] * gradient[0] + inverse[2] * gradient[1],
            ];
            let most = steps[0].abs().max(steps[1].abs());
            let scale = (LARGEST_STEP / most.max(f64::MIN_POSITIVE)).min(1.0);
            level += scale * steps[0];
            slope += scale * steps[1];
            if most < 1e-12 {
                break;
            }
        }
        let (mut spread, mut binomial) = (0.0, 0.0);
        for one in matches {
            let share = expected(level, slope, one.doublings);
            spread += one.spread(share);
            binomial += f64::from(one.score.games()) * share * (1.0 - share);
        }
        let dispersion = spread / binomial;
        let covariance = inverse(information)?.map(|entry| entry * dispersion);
        Some(Fit {
            level,
            slope,
            covariance,
        })
    }

    /// All doublings at which an even match would be within 1.96 standard errors; `None` if they
    /// have no ends.
    fn fieller(&self) -> Option<(f64, f64)> {
        let [of_level, both, of_slope] = self.covariance;
        let z = WIDTH_95.powi(2);
        // (level + slope x)² = z (of_level + 2 both x + of_slope x²)
        let square = self.slope.powi(2) - z * of_slope;
        let half = self.level * self.slope - z * both;
        let rest = self.level.powi(2) - z * of_level;
        let root = half.powi(2) - square * rest;
        if self.slope >= 0.0 || !(square > 0.0 && root >= 0.0) {
            return None;
        }
        let root = root.sqrt();
        Some(((-half - root) / square, (-half + root) / square))
    }
}

/// The inverse of a symmetric matrix; `None` if there is none to speak of.
fn inverse([a, b, c]: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = a * c - b * b;
    let known = determinant > 1e-9 * a * c;
    known.then(|| [c / determinant, -b / determinant, a / determinant])
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::rng::SplitMix64;

    use super::*;
    use crate::matches::score::share_of_elo;

    /// Games of a side that is even at some odds and loses so much Elo with each doubling; a third
    /// of them drawn.
    fn simulate(random: &mut SplitMix64, even: f64, per_doubling: f64, odds: f64, games: u32) -> (f64, Score) {
        let share = share_of_elo(per_doubling * (even / odds).log2());
        let mut score = Score::default();
        let drawn = (2.0 * share.min(1.0 - share)).min(1.0 / 3.0);
        for _ in 0..games {
            let at = random.below(1 << 52) as f64 / f64::from(1 << 26) / f64::from(1 << 26);
            score.add(match at {
                at if at < drawn => None,
                at => Some(at < share + drawn / 2.0),
            });
        }
        (odds, score)
    }

    #[test]
    fn simulated_matches_give_the_odds_they_were_made_with() {
        let mut random = SplitMix64::new(11);
        let (mut inside, rounds) = (0, 400);
        let mut sum = 0.0;
        for _ in 0..rounds {
            let points = [1.0, 2.0, 4.0].map(|odds| simulate(&mut random, 1.7, 120.0, odds, 200));
            let (even, low, high) = even_odds(&points).expect("they say");
            assert!(low < even && even < high, "{low} {even} {high}");
            sum += even.log2();
            inside += u32::from((low..=high).contains(&1.7));
        }
        let mean = (sum / f64::from(rounds)).exp2();
        assert!((mean - 1.7).abs() < 0.03, "{mean}");
        // 95 of 100, and luck: 3 standard errors are 3.3 of 100.
        assert!((367..=393).contains(&inside), "{inside} of {rounds} intervals have it");
    }

    #[test]
    fn matches_that_do_not_say_give_nothing() {
        let score = |wins, draws, losses| Score { wins, draws, losses };
        assert_eq!(even_odds(&[]), None);
        assert_eq!(
            even_odds(&[(1.0, score(10, 0, 10)), (1.0, score(12, 0, 8))]),
            None,
            "one point"
        );
        assert_eq!(
            even_odds(&[(1.0, score(3, 0, 3)), (2.0, score(3, 1, 3))]),
            None,
            "level"
        );
        assert_eq!(
            even_odds(&[(1.0, score(10, 0, 90)), (4.0, score(90, 0, 10))]),
            None,
            "rising"
        );
        assert_eq!(even_odds(&[(0.0, score(1, 0, 1)), (f64::NAN, score(1, 0, 1))]), None);
    }

    #[test]
    fn a_match_without_a_loss_counts_too() {
        let score = |wins, draws, losses| Score { wins, draws, losses };
        let points = [(1.0, score(40, 0, 0)), (4.0, score(0, 0, 40))];
        let (even, low, high) = even_odds(&points).expect("they say");
        assert!(
            (even - 2.0).abs() < 1e-6 && low > 1.0 && high < 4.0,
            "{low} {even} {high}"
        );
    }
}
