//! A survey: all moves of a position, each with its score at every depth that a search reached.

use std::sync::{Mutex, PoisonError};

use bluebelle_knowledge::utility::Prospect;
use bluebelle_spec::Move;

use super::Model;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::report::{Line, Listener};
use crate::search::{Settings, Software};

/// Two scores of a move whose utilities differ by no more than this are the same.
const MARGIN: f64 = 0.06;

/// Mebibytes for the transposition table of surveys.
const HASH: usize = 16;

/// A move of a position and what the search says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surveyed {
    /// The move.
    pub mv: Move,
    /// The score for the mover at the greatest depth.
    pub score: i32,
    /// The smallest depth from which the score stays about the same: Michie's *r*.
    pub delay: u32,
}

/// All legal moves of a position, the best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The moves.
    pub moves: Vec<Surveyed>,
    /// The depth of their scores.
    pub depth: i32,
}

impl Survey {
    /// What the moves lead to, for a model of the mover.
    pub fn prospects(&self, model: &Model) -> Vec<Prospect> {
        let prospect = |surveyed: &Surveyed| Prospect {
            utility: model.utility(surveyed.score),
            delay: surveyed.delay,
        };
        self.moves.iter().map(prospect).collect()
    }

    /// The place of a move.
    pub fn find(&self, mv: Move) -> Option<usize> {
        self.moves.iter().position(|surveyed| surveyed.mv == mv)
    }
}

/// Surveys positions with the software search, on one thread and by a count of nodes, so that the
/// same positions in the same order have the same surveys on every machine.
pub struct Surveyor {
    software: Software,
    nodes: u64,
}

impl Surveyor {
    /// Surveys that visit so many nodes for each legal move.
    pub fn new(nodes: u64) -> Surveyor {
        Surveyor {
            software: Software::new(HASH),
            nodes,
        }
    }

    /// The evaluation that games for this surveyor are made with.
    pub fn evaluator(&self) -> std::sync::Arc<crate::evaluation::Evaluator> {
        self.software.evaluator()
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.software.clear();
    }

    /// The survey of a position; without moves if there are none.
    pub fn survey(&mut self, game: &Game, model: &Model) -> Survey {
        let count = game.board().legal_moves().len();
        let limits = Limits {
            nodes: Some(self.nodes * count as u64),
            // A search of a single move may otherwise go on to the greatest depth.
            depth: Some(MOST_DEPTH),
            ..Limits::default()
        };
        let settings = Settings {
            multipv: count.max(1),
            all_replies: true,
            ..Settings::default()
        };
        let history = History::default();
        let outcome = self
            .software
            .search(game, &limits, &settings, &Control::new(false), &history);
        let lines = history.lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        summary(&lines, &outcome.lines, count, model)
    }
}

const MOST_DEPTH: u32 = 40;

/// All lines of all iterations: depth, move, score.
#[derive(Default)]
struct History {
    lines: Mutex<Vec<(i32, Move, i32)>>,
}

impl Listener for History {
    fn line(&self, line: &Line) {
        if let Some(&mv) = line.moves.first() {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push((line.depth, mv, line.score));
        }
    }
}

/// The survey that a search's lines amount to. Only iterations that scored all moves count; a search
/// that finished none has its last lines.
fn summary(lines: &[(i32, Move, i32)], last: &[Line], count: usize, model: &Model) -> Survey {
    let at = |depth: i32| lines.iter().filter(move |line| line.0 == depth);
    let deepest = lines.iter().map(|line| line.0).max().unwrap_or(0);
    let whole = (1..=deepest).rev().find(|&depth| at(depth).count() >= count);
    let Some(depth) = whole else {
        let moves = last.iter().filter_map(|line| {
            let (mv, score) = (*line.moves.first()?, line.score);
            Some(Surveyed { mv, score, delay: 1 })
        });
        return Survey {
            moves: moves.collect(),
            depth: 1,
        };
    };
    let mut moves: Vec<Surveyed> = at(depth)
        .take(count)
        .map(|&(_, mv, score)| {
            let final_utility = model.utility(score).number();
            let differs = |line: &&(i32, Move, i32)| {
                line.1 == mv && line.0 < depth && (model.utility(line.2).number() - final_utility).abs() > MARGIN
            };
            let unsettled = lines.iter().filter(differs).map(|line| line.0).max().unwrap_or(0);
            let delay = (unsettled + 1).unsigned_abs();
            Surveyed { mv, score, delay }
        })
        .collect();
    moves.sort_by_key(|surveyed| -surveyed.score);
    Survey { moves, depth }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Fen;

    use super::*;

    fn game(fen: &str, surveyor: &Surveyor) -> Game {
        let fen: Fen = fen.parse().expect("a position");
        Game::new(&fen, &surveyor.evaluator())
    }

    #[test]
    fn all_moves_are_surveyed_the_same_each_time() {
        let model = Model::default();
        let mut surveyor = Surveyor::new(300);
        let game = game(
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            &surveyor,
        );
        let survey = surveyor.survey(&game, &model);
        assert_eq!(survey.moves.len(), game.board().legal_moves().len());
        assert_eq!(survey.moves[0].mv.to_string(), "f3f7");
        assert_eq!(survey.moves[0].delay, 1, "a mate in one shows at once");
        assert!(survey.depth > 1);
        surveyor.clear();
        assert_eq!(surveyor.survey(&game, &model), survey);
    }

    #[test]
    fn the_delay_is_the_depth_from_which_a_score_stays() {
        let model = Model::default();
        let mv: Move = "e2e4".parse().expect("a move");
        let other: Move = "d2d4".parse().expect("a move");
        let scores = [(1, 0, 0), (2, 300, 5), (3, 5, 300), (4, 300, 310), (5, 305, 300)];
        let lines: Vec<(i32, Move, i32)> = scores
            .iter()
            .flat_map(|&(depth, a, b)| [(depth, mv, a), (depth, other, b)])
            .collect();
        let survey = summary(&lines, &[], 2, &model);
        let delays = [mv, other].map(|mv| survey.find(mv).map(|at| survey.moves[at].delay));
        assert_eq!(delays, [Some(4), Some(3)]);
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        let mut surveyor = Surveyor::new(100);
        let mated = game("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", &surveyor);
        assert_eq!(surveyor.survey(&mated, &Model::default()).moves, []);
    }
}
