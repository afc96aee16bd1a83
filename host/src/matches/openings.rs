//! Positions that games begin from.

use std::collections::HashMap;

use bluebelle_spec::Fen;
use bluebelle_spec::rng::SplitMix64;

use crate::epd::{self, EpdError};
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::report::Silent;
use crate::search::{Settings, Software};

/// The openings of the project's own.
const BUILT_IN: &str = include_str!("../../data/openings.epd");

/// A position to begin from.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its name, or its line.
    pub id: String,
    /// The position.
    pub fen: Fen,
}

/// Why a text is not a list of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// A line is no position.
    #[error(transparent)]
    Position(#[from] EpdError),
    /// There is nothing to play.
    #[error("{id}: found a position in which the game is over, expected one with moves to play; remove it")]
    Over {
        /// The opening.
        id: String,
    },
    /// The games would be the same ones.
    #[error("{second}: found the position of '{first}' again, expected each position once; remove one of them")]
    Twice {
        /// Where the position is first.
        first: String,
        /// Where it is again.
        second: String,
    },
    /// Nothing but comments.
    #[error("found no position, expected one in EPD or FEN on each line")]
    Empty,
}

/// A list of distinct openings.
#[derive(Clone, Debug)]
pub struct Openings {
    list: Vec<Opening>,
}

impl Openings {
    /// Reads a file of openings, a position in EPD or FEN on each line; empty lines and `#`
    /// comments are skipped.
    ///
    /// # Errors
    /// Names the first opening that is wrong.
    pub fn parse(text: &str, evaluator: &Evaluator) -> Result<Openings, OpeningsError> {
        let mut seen: HashMap<u64, String> = HashMap::new();
        let mut list = Vec::new();
        for problem in epd::parse_positions(text, evaluator)? {
            let game = Game::new(&problem.fen, evaluator);
            let (id, fen) = (problem.id, problem.fen);
            if game.ending().is_some() {
                return Err(OpeningsError::Over { id });
            }
            if let Some(first) = seen.insert(game.board().hash(), id.clone()) {
                return Err(OpeningsError::Twice { first, second: id });
            }
            list.push(Opening { id, fen });
        }
        match list.is_empty() {
            true => Err(OpeningsError::Empty),
            false => Ok(Openings { list }),
        }
    }

    /// The openings that come with the engine.
    ///
    /// # Errors
    /// None: the tests read them.
    pub fn built_in(evaluator: &Evaluator) -> Result<Openings, OpeningsError> {
        Openings::parse(BUILT_IN, evaluator)
    }

    /// The same openings in an order that the seed draws, so that a short match has openings from
    /// all over the file.
    pub fn shuffled(mut self, seed: u64) -> Openings {
        let mut random = SplitMix64::new(seed);
        for index in (1..self.list.len()).rev() {
            self.list.swap(index, random.below(index as u64 + 1) as usize);
        }
        self
    }

    /// How many openings there are.
    #[expect(clippy::len_without_is_empty, reason = "a list of openings is never empty")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The opening of a pair of games.
    pub fn of_pair(&self, pair: usize) -> &Opening {
        &self.list[pair % self.list.len()]
    }

    /// A number that is another one for other positions or another order (FNV-1a).
    pub fn fingerprint(&self) -> u64 {
        let text = self
            .list
            .iter()
            .map(|opening| format!("{} {}\n", opening.fen, opening.id));
        text.fold(0xcbf2_9ce4_8422_2325, |hash, line| {
            let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            line.bytes().fold(hash, step)
        })
    }
}

/// Plies from the start of the game in openings that [`generate`] makes.
const PLIES: (u64, u64) = (8, 12);

/// The most centipawns that a made opening has for either side, by the engine's search.
const BALANCE: i32 = 60;

/// Nodes of that search; a first one of few nodes throws away what is far off.
const NODES: [(u64, i32); 2] = [(2_000, 2 * BALANCE), (100_000, BALANCE)];

/// Makes balanced openings: random legal moves from the start of the game, 8 to 12 plies, kept if
/// the side to move is not in check and the search sees at most 60 centipawns for either side.
/// Writes EPD with the score as `ce`.
pub fn generate(count: usize, seed: u64) -> Vec<String> {
    let mut software = Software::new(16);
    let evaluator = software.evaluator();
    let mut random = SplitMix64::new(seed);
    let mut seen = std::collections::HashSet::new();
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut game = Game::initial(&evaluator);
        let plies = PLIES.0 + random.below(PLIES.1 - PLIES.0 + 1);
        for _ in 0..plies {
            let moves = game.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len() as u64) as usize].mv, &evaluator);
        }
        if game.ending().is_some() || game.board().in_check() {
            continue;
        }
        let mut balanced = |&(nodes, most): &(u64, i32)| {
            software.clear();
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let settings = Settings::default();
            let outcome = software.search(&game, &limits, &settings, &Control::new(false), &Silent);
            Some(outcome.score()).filter(|score| score.abs() <= most)
        };
        let scores: Option<Vec<i32>> = NODES.iter().map(&mut balanced).collect();
        let (Some(scores), Ok(fen)) = (scores, game.board().fen()) else {
            continue;
        };
        if !seen.insert(game.board().hash()) {
            continue;
        }
        let (fen, number) = (fen.to_string(), lines.len() + 1);
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        lines.push(format!(
            "{} ce {}; id \"opening {number}\";",
            fields.join(" "),
            scores[NODES.len() - 1]
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Weights;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn parsed(text: &str) -> Result<Openings, OpeningsError> {
        Openings::parse(text, &Evaluator::new(Weights::standard()))
    }

    #[test]
    fn the_built_in_openings_are_many_and_distinct() {
        let openings = Openings::built_in(&Evaluator::new(Weights::standard())).expect("openings");
        assert!(openings.len() >= 300, "{}", openings.len());
        let again = openings.clone().shuffled(1);
        assert_ne!(again.fingerprint(), openings.fingerprint());
        assert_eq!(again.fingerprint(), openings.clone().shuffled(1).fingerprint());
        let mut names: Vec<&str> = (0..again.len()).map(|pair| again.of_pair(pair).id.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), openings.len(), "an order loses none");
    }

    #[test]
    fn made_openings_are_openings_and_the_same_for_a_seed() {
        let made = generate(3, 5);
        assert_eq!(parsed(&made.join("\n")).expect("openings").len(), 3);
        assert_eq!(made, generate(3, 5));
    }

    #[test]
    fn epd_and_fen_are_read() {
        let openings = parsed(&format!(
            "# two\n{START} id \"start\";\n\n8/8/4k3/8/8/4K3/4P3/8 b - - 12 60\n"
        ));
        let openings = openings.expect("openings");
        assert_eq!(openings.len(), 2);
        assert_eq!(
            (openings.of_pair(2).id.as_str(), openings.of_pair(1).id.as_str()),
            ("start", "line 4")
        );
        assert_eq!(openings.of_pair(1).fen.halfmoves, 12);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| parsed(text).expect_err(text).to_string();
        assert!(error("\n8/8/8 w - -").starts_with("line 2: "));
        assert!(
            error(&format!("{START} id \"a\";\n{START} 3 9")).starts_with("line 2: found the position of 'a' again")
        );
        assert!(error("7k/5Q2/6K1/8/8/8/8/8 b - -").starts_with("line 1: found a position in which the game is over"));
        assert!(error("# nothing\n\n").starts_with("found no position"));
    }
}
