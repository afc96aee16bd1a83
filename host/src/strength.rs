//! Playing weaker, on request: fewer nodes, and the errors of a player of that rating.
//!
//! A small search scores all moves, and the fitted model of fallible players
//! ([`bluebelle_knowledge::utility::Fitted`]) says how probable each move is for a player of this
//! merit; the move is drawn by these probabilities.

use bluebelle_knowledge::utility::{Fitted, Opponent};
use bluebelle_knowledge::vocabulary::Merit;
use bluebelle_spec::Move;
use bluebelle_spec::rng::SplitMix64;

use crate::commentary::{Model, Surveyor};
use crate::game::Game;
use crate::limits::Limits;
use crate::report::{Line, Outcome};
use crate::search::Settings;
use crate::table::Bound;

/// A strength in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    elo: u32,
}

impl Strength {
    /// The weakest.
    pub const LEAST_ELO: u32 = 800;
    /// The strongest that is still held back.
    pub const MOST_ELO: u32 = 2600;

    /// Nodes for each move of a position: those of the surveys that the model was fitted to.
    pub const SURVEY: u64 = 200;

    /// A strength, brought into the range.
    pub fn new(elo: u32) -> Strength {
        Strength {
            elo: elo.clamp(Strength::LEAST_ELO, Strength::MOST_ELO),
        }
    }

    /// Fewer nodes: a doubling for each 120 Elo, from 60 nodes on.
    pub fn nodes(self) -> u64 {
        let steps = f64::from(self.elo - Strength::LEAST_ELO) / 120.0;
        (60.0 * steps.exp2()) as u64
    }

    /// The player who is imitated.
    pub fn player(self) -> Fitted {
        Fitted {
            merit: Merit::nearest(f64::from(self.elo) / 1000.0),
            curve: Model::default().curve,
        }
    }

    /// The limits and settings of a search at this strength.
    pub fn restrain(self, limits: &mut Limits, settings: &mut Settings) {
        limits.nodes = Some(limits.nodes.map_or(self.nodes(), |nodes| nodes.min(self.nodes())));
        settings.threads = 1;
    }

    /// Draws the move to play and puts the line that begins with it first. Moves that the search was
    /// not to look at are not played.
    pub fn choose(self, game: &Game, limits: &Limits, outcome: &mut Outcome, seed: u64) {
        let mut surveyor = Surveyor::new(Strength::SURVEY);
        let game = game.weighed(&surveyor.evaluator());
        let model = Model::default();
        let mut survey = surveyor.survey(&game, &model);
        if !limits.searchmoves.is_empty() {
            survey
                .moves
                .retain(|surveyed| limits.searchmoves.contains(&surveyed.mv));
        }
        let probabilities = self.player().probabilities(&survey.prospects(&model));
        let Some(first) = outcome.lines.first().cloned() else {
            return;
        };
        let mut left = SplitMix64::new(seed).next_u64() as f64 / 2f64.powi(64);
        let drawn = survey.moves.iter().zip(probabilities).find(|(_, p)| {
            left -= p;
            left < 0.0
        });
        let Some((drawn, _)) = drawn else { return };
        if first.moves.first() == Some(&drawn.mv) {
            return;
        }
        let lines = &mut outcome.lines;
        lines.retain(|line| line.moves.first() != Some(&drawn.mv));
        let line = Line {
            depth: survey.depth.max(1),
            score: drawn.score,
            searched: drawn.score,
            bound: Bound::Exact,
            moves: vec![drawn.mv],
            ..first
        };
        lines.insert(0, line);
    }
}

/// A number that differs from game to game and from move to move.
pub fn seed(nodes: u64, mv: Move) -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64) ^ nodes << 20 ^ u64::from(mv.bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Control;
    use crate::report::Silent;
    use crate::search::Software;

    #[test]
    fn stronger_is_more_nodes() {
        let all: Vec<Strength> = (800..=2600).step_by(100).map(Strength::new).collect();
        assert!(all.is_sorted_by_key(|strength| strength.nodes()));
        assert_eq!(Strength::new(100), Strength::new(800));
    }

    /// White can take a queen that stands for nothing. How often that is missed falls with strength.
    #[test]
    fn the_weaker_the_player_the_more_errors() {
        let mut software = Software::new(1);
        let fen = "r1b1kbnr/pppp1ppp/2n5/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
        let game = Game::new(&fen.parse().expect("a position"), &software.evaluator());
        let mut missed = |elo: u32| {
            let strength = Strength::new(elo);
            let (mut limits, mut settings) = (Limits::default(), Settings::default());
            strength.restrain(&mut limits, &mut settings);
            let outcome = software.search(&game, &limits, &settings, &Control::new(false), &Silent);
            let misses = (0..60).filter(|&seed| {
                let mut outcome = outcome.clone();
                strength.choose(&game, &limits, &mut outcome, seed);
                outcome.best().to_string() != "f3h4"
            });
            misses.count()
        };
        let (weak, strong) = (missed(800), missed(2600));
        assert!(weak > strong && strong <= 2, "{weak} of 60 at 800, {strong} at 2600");
        // A user's choice of moves is kept.
        let limits = Limits {
            searchmoves: game.board().parse_move("a2a3").into_iter().collect(),
            nodes: Some(100),
            ..Limits::default()
        };
        let mut outcome = software.search(&game, &limits, &Settings::default(), &Control::new(false), &Silent);
        Strength::new(800).choose(&game, &limits, &mut outcome, 3);
        assert_eq!(outcome.best().to_string(), "a2a3");
    }
}
