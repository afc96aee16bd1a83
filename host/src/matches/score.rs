//! Points, and what they say about strength.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// Standard errors to each side of the estimate in which the truth lies 95 times of 100.
pub(super) const WIDTH_95: f64 = 1.96;

/// One side of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side whose strength is asked for: the one with boards, if there are any.
    First,
    /// The side that it plays.
    Opponent,
}

impl Side {
    /// The place of the side in a pair.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a match stands, from the first side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Score {
    /// Adds a game that the first side won, lost, or drew (`None`).
    pub fn add(&mut self, won: Option<bool>) {
        match won {
            None => self.draws += 1,
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
        }
    }

    /// Games played.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The points of a game on average, 0 to 1.
    pub fn share(&self) -> f64 {
        self.points() / f64::from(self.games().max(1))
    }

    /// The strength that games which do not belong together show.
    pub fn elo(&self) -> Elo {
        let outcomes = [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)];
        Elo::new(self.share(), standard_error(&outcomes))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", Counts(*self), self.elo())
    }
}

/// `10 games: +5 =3 -2, 65.0 %`.
struct Counts(Score);

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { wins, draws, losses } = self.0;
        let (games, share) = (self.0.games(), 100.0 * self.0.share());
        let games = match games {
            1 => "1 game".to_owned(),
            games => format!("{games} games"),
        };
        write!(f, "{games}: +{wins} ={draws} -{losses}, {share:.1} %")
    }
}

/// The score of a match whose openings are played with both colours.
///
/// Both games of a pair begin in the same position, so that their results are not independent. The
/// error is that of the pairs' points (the pentanomial model), not of the games'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// All games.
    pub score: Score,
    /// How many complete pairs have given 0, ½, 1, 1½ and 2 points.
    pub pairs: [u32; 5],
}

impl Standing {
    /// The standing after games in the order of their numbers, so that two neighbours are a pair.
    /// `true`: the first side won; `None`: drawn.
    pub fn of(results: impl IntoIterator<Item = Option<bool>>) -> Standing {
        let mut standing = Standing::default();
        let mut waiting = None;
        for won in results {
            standing.score.add(won);
            let half_points = match won {
                Some(true) => 2,
                None => 1,
                Some(false) => 0,
            };
            match waiting.take() {
                None => waiting = Some(half_points),
                Some(before) => standing.pairs[before + half_points] += 1,
            }
        }
        standing
    }

    /// The standard error of the share; `None` if fewer than two kinds of pairs have been seen.
    pub fn standard_error(&self) -> Option<f64> {
        let mut outcomes = [(0.0, 0); 5];
        for (index, (outcome, &count)) in outcomes.iter_mut().zip(&self.pairs).enumerate() {
            *outcome = (index as f64 / 4.0, count);
        }
        standard_error(&outcomes)
    }

    /// The strength that the match shows.
    pub fn elo(&self) -> Elo {
        Elo::new(self.score.share(), self.standard_error())
    }

    /// The likelihood of superiority: how probable it is that the first side is the stronger one.
    pub fn superiority(&self) -> Option<f64> {
        let error = self.standard_error()?;
        Some(normal_distribution((self.score.share() - 0.5) / error))
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", Counts(self.score), self.elo())
    }
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The estimate; infinite (`null` in JSON) for a side that has won or lost all games.
    #[serde(rename = "elo", serialize_with = "finite")]
    pub estimate: f64,
    /// The 95 % interval, whose ends may be infinite (`null` in JSON); `None` if the error is not
    /// known.
    #[serde(rename = "elo_interval", serialize_with = "finite_pair")]
    pub interval: Option<(f64, f64)>,
}

impl Elo {
    fn new(share: f64, error: Option<f64>) -> Elo {
        let ends = |error: f64| {
            let margin = WIDTH_95 * error;
            (elo_of_share(share - margin), elo_of_share(share + margin))
        };
        Elo {
            estimate: elo_of_share(share),
            interval: error.map(ends),
        }
    }

    /// Half the interval's width, if it has two ends.
    pub fn margin(&self) -> Option<f64> {
        let (low, high) = self.interval?;
        Some((high - low) / 2.0).filter(|margin| margin.is_finite())
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: f64| match number {
            f64::INFINITY => "+∞".to_owned(),
            f64::NEG_INFINITY => "-∞".to_owned(),
            number => format!("{:+}", number.round() + 0.0),
        };
        write!(f, "Elo {}", number(self.estimate))?;
        match (self.margin(), self.interval) {
            (Some(margin), _) => write!(f, " ± {margin:.0}"),
            (None, Some((low, high))) => write!(f, ", 95 % from {} to {}", number(low), number(high)),
            (None, None) => f.write_str(", error not known"),
        }
    }
}

/// The difference in Elo at which a side makes this share of the points.
pub fn elo_of_share(share: f64) -> f64 {
    match share {
        share if share <= 0.0 => f64::NEG_INFINITY,
        share if share >= 1.0 => f64::INFINITY,
        share => 400.0 * (share / (1.0 - share)).log10(),
    }
}

/// The share of the points that a side with this advantage in Elo makes.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The standard error of the mean of outcomes (what each is worth, and how often it was seen), from
/// the unbiased variance. `None` if fewer than two kinds have been seen: equal outcomes say nothing
/// about their spread.
fn standard_error(outcomes: &[(f64, u32)]) -> Option<f64> {
    if outcomes.iter().filter(|(_, count)| *count > 0).count() < 2 {
        return None;
    }
    let count: f64 = outcomes.iter().map(|&(_, count)| f64::from(count)).sum();
    let sum: f64 = outcomes.iter().map(|&(worth, count)| worth * f64::from(count)).sum();
    let mean = sum / count;
    let square = |&(worth, count): &(f64, u32)| f64::from(count) * (worth - mean).powi(2);
    let variance = outcomes.iter().map(square).sum::<f64>() / (count - 1.0);
    Some((variance / count).sqrt())
}

/// How probable a value below `x` is, for a normal distribution (Abramowitz and Stegun 26.2.17, to
/// 7.5e-8).
fn normal_distribution(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [
        0.319_381_530,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let polynomial = series.iter().rev().fold(0.0, |sum, factor| t * (factor + sum));
    let above = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial;
    if x < 0.0 { above } else { 1.0 - above }
}

fn finite<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    number.is_finite().then_some(number).serialize(serializer)
}

fn finite_pair<S: Serializer>(pair: &Option<(f64, f64)>, serializer: S) -> Result<S::Ok, S::Error> {
    let end = |number: f64| number.is_finite().then_some(number);
    pair.map(|(low, high)| (end(low), end(high))).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.05, "{found}, expected {expected}");
    }

    #[test]
    fn the_error_of_games_is_that_of_hand() {
        let score = Score {
            wins: 75,
            draws: 0,
            losses: 25,
        };
        // Variance .1875 · 100 / 99, standard error .043519, share .75 ± .085297.
        let elo = score.elo();
        near(elo.estimate, 190.85);
        let (low, high) = elo.interval.expect("an interval");
        near(low, 118.88);
        near(high, 282.06);
        near(elo.margin().expect("two ends"), 81.59);
        assert_eq!(score.to_string(), "100 games: +75 =0 -25, 75.0 %, Elo +191 ± 82");
    }

    #[test]
    fn the_error_of_a_match_is_that_of_its_pairs() {
        // Pairs of 2, 1, 1, ½ points: shares 1, ½, ½, ¼; mean .5625, variance .296875 / 3 =
        // .098958, error .157288.
        let results = [
            Some(true),
            Some(true),
            Some(true),
            Some(false),
            None,
            None,
            None,
            Some(false),
        ];
        let standing = Standing::of(results);
        assert_eq!(standing.pairs, [0, 1, 2, 0, 1]);
        assert!((standing.standard_error().expect("an error") - 0.157_288).abs() < 1e-6);
        near(standing.elo().estimate, 43.66);
        // Φ(.0625 / .157288) = Φ(.39736) = .65445.
        assert!((standing.superiority().expect("known") - 0.654_45).abs() < 1e-4);
        // White wins always: as games they look uncertain, as pairs they are all alike.
        let white = Standing::of([Some(true), Some(false), Some(true), Some(false)]);
        assert_eq!((white.pairs, white.standard_error()), ([0, 0, 2, 0, 0], None));
        assert!(white.score.elo().interval.is_some());
    }

    #[test]
    fn without_two_kinds_of_pairs_the_error_is_not_known() {
        let lost = Standing::of([Some(false), Some(false), Some(false), Some(false)]);
        assert_eq!(lost.to_string(), "4 games: +0 =0 -4, 0.0 %, Elo -∞, error not known");
        assert_eq!(lost.superiority(), None);
        let json = serde_json::to_string(&lost.elo()).expect("JSON");
        assert_eq!(json, r#"{"elo":null,"elo_interval":null}"#);
        // 7 of 8 points: the interval has no upper end.
        let most = Standing::of([Some(true), Some(true), Some(true), Some(false), Some(true), Some(true)]);
        assert!(most.to_string().ends_with(" to +∞"), "{most}");
        let one = Standing::of([None]);
        assert_eq!(one.to_string(), "1 game: +0 =1 -0, 50.0 %, Elo +0, error not known");
    }

    #[test]
    fn a_single_game_belongs_to_no_pair() {
        let standing = Standing::of([Some(true), None, Some(false)]);
        assert_eq!((standing.score.games(), standing.pairs), (3, [0, 0, 0, 1, 0]));
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.96, 0.024_997_9), (3.0, 0.998_650_1)] {
            assert!((normal_distribution(x) - expected).abs() < 1e-6, "{x}");
        }
    }
}
