//! What is to be played.

use std::time::Duration;

use bluebelle_spec::Color;
use bluebelle_spec::rng::SplitMix64;

use super::openings::{Opening, Openings};
use super::player::PlayerSpec;
use super::score::Side;
use super::sprt::Sprt;

/// A match, or several of them at different odds.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Games at each odds; with a sequential test, the most. `None`: each opening with both
    /// colours.
    pub games: Option<u32>,
    /// End as soon as this test has a verdict.
    pub sprt: Option<Sprt>,
    /// Virtual time of the first side for a move.
    pub time: Duration,
    /// How many times the first side's time the opponent has, a match for each.
    pub odds: Vec<f64>,
    /// Draws the order of the openings, and the luck of each game.
    pub seed: u64,
    /// How many games to play at once. No result depends on this number.
    pub jobs: usize,
    /// What games begin from, in the order in which they are played.
    pub openings: Openings,
    /// The first side and its opponent.
    pub sides: [PlayerSpec; 2],
}

/// Why a match cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct PlanError {
    found: String,
    expected: String,
}

/// The largest difference in Elo that a sequential test may ask about.
const MOST_ELO: f64 = 1000.0;

/// The largest odds, either way.
const MOST_ODDS: f64 = 10_000.0;

impl Plan {
    /// Whether the match can be played.
    ///
    /// # Errors
    /// Says what cannot, and what could.
    pub fn check(&self) -> Result<(), PlanError> {
        let most = 2 * self.openings.len();
        let refuse = |found: String, expected: &str| {
            let expected = expected.to_owned();
            Err(PlanError { found, expected })
        };
        if self.games_each() == 0 {
            return refuse("0 games".to_owned(), "at least one");
        }
        if self.games_each() > most {
            let expected = format!(
                "at most {most}, two for each of {} openings: the sides play the same game again from the same \
                 opening; give more with --openings",
                self.openings.len()
            );
            return refuse(format!("{} games", self.games_each()), &expected);
        }
        let is_odds = |odds: &f64| (1.0 / MOST_ODDS..=MOST_ODDS).contains(odds);
        if let Some(odds) = self.odds.iter().find(|odds| !is_odds(odds)) {
            return refuse(format!("odds of {odds}"), "0.0001 to 10000");
        }
        let again = |(index, odds): (usize, &f64)| self.odds[..index].contains(odds);
        if self.odds.is_empty() || self.odds.iter().enumerate().any(again) {
            return refuse(format!("the odds {:?}", self.odds), "one or several, each of them once");
        }
        if self.sides[0].depth.is_some() && self.odds != [1.0] {
            return refuse(
                format!("the odds {:?} with a depth", self.odds),
                "odds of time, or a depth without odds",
            );
        }
        if let Some(Sprt { elo0, elo1 }) = self.sprt {
            if !(elo0 < elo1 && elo0 >= -MOST_ELO && elo1 <= MOST_ELO) {
                let expected = "two differences between -1000 and 1000, the lower one first";
                return refuse(format!("a test of {elo0} against {elo1} Elo"), expected);
            }
            if self.odds.len() > 1 {
                return refuse(
                    format!("a sequential test of {} matches", self.odds.len()),
                    "one odds only",
                );
            }
        }
        Ok(())
    }

    /// Games at each odds, at most.
    pub fn games_each(&self) -> usize {
        self.games.map_or(2 * self.openings.len(), |games| games as usize)
    }

    /// What a game begins from; games are numbered from 1.
    pub fn opening(&self, game: u32) -> &Opening {
        self.openings.of_pair(Plan::index(game) / 2)
    }

    /// Who has White in a game.
    pub const fn white(game: u32) -> Side {
        match game % 2 {
            1 => Side::First,
            _ => Side::Opponent,
        }
    }

    /// Whose turn it is in a game.
    pub fn side(game: u32, turn: Color) -> Side {
        match (Plan::white(game), turn) {
            (white, Color::White) => white,
            (Side::First, Color::Black) => Side::Opponent,
            (Side::Opponent, Color::Black) => Side::First,
        }
    }

    /// How to build a side for a game.
    pub fn spec(&self, side: Side, game: u32) -> PlayerSpec {
        let mut spec = self.sides[side.index()].clone();
        spec.seed = SplitMix64::new(self.seed ^ u64::from(game) << 32).next_u64();
        if let Some(setup) = &mut spec.setup {
            setup.line.seed = spec.seed;
        }
        spec
    }

    /// The time of a side for a move.
    pub fn time(&self, side: Side, odds: f64) -> Duration {
        match side {
            Side::First => self.time,
            Side::Opponent => self.time.mul_f64(odds),
        }
    }

    fn index(game: u32) -> usize {
        game.saturating_sub(1) as usize
    }
}
