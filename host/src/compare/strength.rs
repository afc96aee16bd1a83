//! The effective speed-up: what matches at several odds of time say, played here or read from
//! files.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::matches::{Elo, EvenOdds, Score, Standing, Summary, even_odds};

/// Matches of the accelerated search against the software, at one time for a move and several odds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// Seconds of virtual time that the accelerated search has for a move.
    pub time: f64,
    /// A match for each odds.
    pub matches: Vec<AtOdds>,
    /// How many times its time the software needs to be as strong; `None` if the matches do not
    /// say.
    pub even_odds: Option<EvenOdds>,
    /// Whether all games were played.
    pub finished: bool,
    /// The boards, line and host of the accelerated search.
    pub boards: String,
    /// The file that the matches are from; `None` if they were played now.
    pub file: Option<String>,
}

/// A match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtOdds {
    /// How many times the accelerated search's time the software has.
    pub odds: f64,
    /// From the accelerated search.
    pub score: Score,
    /// What the score shows, with the error of the pairs.
    #[serde(flatten)]
    pub elo: Elo,
}

/// Why a file says nothing about strength.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GainError {
    /// The system does not give it.
    #[error("{path} cannot be read: {error}", path = path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is something else.
    #[error("{path} has no result of a match: {error}; expected what `bluebelle match --accelerated --json` prints",
        path = path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The match is of no use here.
    #[error("{path}: found {found}, expected {expected}", path = path.display())]
    Match {
        /// The file.
        path: PathBuf,
        /// What it has.
        found: String,
        /// What it should have.
        expected: &'static str,
    },
}

/// The result of `bluebelle match`, as far as it is needed.
#[derive(Deserialize)]
struct MatchFile {
    conditions: FileConditions,
    finished: bool,
    matches: Vec<FileMatch>,
}

#[derive(Deserialize)]
struct FileConditions {
    time: Option<f64>,
    first: FileSide,
}

#[derive(Deserialize)]
struct FileSide {
    boards: Option<String>,
}

#[derive(Deserialize)]
struct FileMatch {
    odds: f64,
    score: FileScore,
    pairs: [u32; 5],
}

#[derive(Deserialize)]
struct FileScore {
    wins: u32,
    draws: u32,
    losses: u32,
}

/// More games than are ever played: sums of them do not overflow.
const MOST_GAMES: u32 = 100_000_000;

impl Strength {
    /// What matches say that were played now.
    pub fn of(summary: &Summary) -> Strength {
        let matches = summary.matches.iter().map(|played| (played.odds, played.standing()));
        Strength {
            finished: summary.finished,
            boards: summary.conditions.first.boards.clone().unwrap_or_default(),
            ..Strength::new(summary.conditions.time.unwrap_or_default(), matches)
        }
    }

    /// What the JSON of `bluebelle match --accelerated` says.
    ///
    /// # Errors
    /// If the file is none, or has a match without boards or at a fixed depth.
    pub fn read(path: &Path) -> Result<Strength, GainError> {
        let text = std::fs::read(path).map_err(|error| GainError::System {
            path: path.to_owned(),
            error,
        })?;
        let file: MatchFile = serde_json::from_slice(&text).map_err(|error| GainError::Form {
            path: path.to_owned(),
            error,
        })?;
        let refuse = |found: String, expected| GainError::Match {
            path: path.to_owned(),
            found,
            expected,
        };
        let Some(boards) = file.conditions.first.boards else {
            let found = "a first side without boards".to_owned();
            return Err(refuse(found, "a match with --accelerated"));
        };
        let time = file.conditions.time.filter(|time| time.is_finite() && *time > 0.0);
        let Some(time) = time else {
            return Err(refuse("no time for a move".to_owned(), "a match with --time"));
        };
        let is_match = |one: &FileMatch| {
            let FileScore { wins, draws, losses } = one.score;
            let counts = [wins, draws, losses].into_iter().chain(one.pairs);
            one.odds.is_finite() && one.odds > 0.0 && counts.max() <= Some(MOST_GAMES)
        };
        if let Some(wrong) = file.matches.iter().find(|one| !is_match(one)) {
            let found = format!("a match at odds {} with more games than can be, or no odds", wrong.odds);
            return Err(refuse(found, "odds above 0, and games that were played"));
        }
        let standing = |one: &FileMatch| {
            let FileScore { wins, draws, losses } = one.score;
            let score = Score { wins, draws, losses };
            let pairs = one.pairs;
            (one.odds, Standing { score, pairs })
        };
        Ok(Strength {
            finished: file.finished,
            boards,
            file: Some(path.display().to_string()),
            ..Strength::new(time, file.matches.iter().map(standing))
        })
    }

    fn new(time: f64, matches: impl Iterator<Item = (f64, Standing)>) -> Strength {
        let at_odds = |(odds, standing): (f64, Standing)| AtOdds {
            odds,
            score: standing.score,
            elo: standing.elo(),
        };
        let matches: Vec<AtOdds> = matches.map(at_odds).collect();
        let points: Vec<(f64, Score)> = matches.iter().map(|one| (one.odds, one.score)).collect();
        Strength {
            time,
            matches,
            even_odds: even_odds(&points).map(|(odds, low, high)| EvenOdds { odds, low, high }),
            finished: true,
            boards: String::new(),
            file: None,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.matches.iter().map(|one| u64::from(one.score.games())).sum()
    }

    /// The match at equal time, if there is one.
    pub fn at_equal_time(&self) -> Option<&AtOdds> {
        self.matches.iter().find(|one| one.odds == 1.0)
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {} s a move ", self.time)?;
        match self.even_odds {
            Some(EvenOdds { odds, low, high }) => write!(
                f,
                "as strong as the software with {odds:.2} times the time (95 % from {low:.2} to {high:.2})"
            )?,
            None => f.write_str("the odds at which a match would be even are not known")?,
        }
        let games = self.games();
        write!(f, ", {games} game{}", if games == 1 { "" } else { "s" })?;
        if !self.finished {
            f.write_str(", ended before all were played")?;
        }
        Ok(())
    }
}

/// `against the software with 2 times the time: +5 =3 -2, 65.0 %, Elo +108 ± 60`.
impl fmt::Display for AtOdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.odds == 1.0 {
            f.write_str("against the software with the same time: ")?;
        } else {
            write!(f, "against the software with {} times the time: ", self.odds)?;
        }
        let Score { wins, draws, losses } = self.score;
        let share = 100.0 * self.score.share();
        write!(f, "+{wins} ={draws} -{losses}, {share:.1} %, {}", self.elo)
    }
}
