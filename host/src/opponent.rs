//! Play for the opponent's errors: among moves that are about as good, the one after which a
//! fallible opponent is expected to do worst.
//!
//! The expected utility of a move is the mean result of the opponent's replies, each with the
//! probability that the fitted model of a player gives it. Replies are worth what endgame tables
//! say, and otherwise what a small search says. See [`bluebelle_knowledge::utility`].

use std::sync::Arc;

use bluebelle_knowledge::utility::{Fitted, Opponent, Prospect};
use bluebelle_knowledge::vocabulary::{Merit, Utility, Value};
use bluebelle_spec::Move;

use crate::board::Board;
use crate::commentary::{Model, Surveyor};
use crate::draws::{self, Draws, STRONGEST, WEAKEST};
use crate::endgame::Tables;
use crate::evaluation::{Evaluator, PawnTable};
use crate::game::{Ending, Game};
use crate::limits::Limits;
use crate::report::Outcome;
use crate::score::{DRAW, is_mate_or_table};
use crate::search::Settings;

/// How to play for errors, by the UCI options `Opponent Merit`, `Complexity` and `Draws`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aims {
    /// How strong the opponent is.
    pub merit: Merit,
    /// A move that is played for errors is worse than the best by at most this, in centipawns; 0 if only
    /// the best will do.
    pub complexity: i32,
    /// What draws are worth.
    pub draws: Draws,
}

/// What is aimed at in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// The best move.
    Best,
    /// A strong draw, where tables say that there is nothing but draws.
    Draw,
    /// A good move that is hard to answer.
    Complexity,
}

/// How many draws are compared.
const DRAWS: usize = 6;

/// How many moves are compared for their complexity.
const CANDIDATES: usize = 4;

/// Chooses moves by what a fallible opponent makes of the replies.
pub struct Chooser {
    aims: Aims,
    aim: Aim,
    model: Model,
    tables: Option<Arc<Tables>>,
}

impl Chooser {
    /// Prepares a search whose move is to be chosen: more lines than one, and a fifth of the limits
    /// left for the choice. `None` if the best move will do.
    pub fn prepare(aims: Aims, game: &Game, limits: &mut Limits, settings: &mut Settings) -> Option<Chooser> {
        let tables = settings.tables.clone();
        let board = game.board();
        let is_drawn = |tables: &Arc<Tables>| tables.is_drawn(board);
        let aim = if aims.draws == Draws::Shaded && tables.as_ref().is_some_and(is_drawn) {
            Aim::Draw
        } else if aims.complexity > 0 {
            Aim::Complexity
        } else {
            Aim::Best
        };
        let lines = match aim {
            Aim::Best => return None,
            Aim::Draw => DRAWS,
            Aim::Complexity => CANDIDATES,
        };
        settings.multipv = settings.multipv.max(lines);
        limits.nodes = limits.nodes.map(|nodes| (nodes - nodes / 5).max(1));
        limits.movetime = limits.movetime.map(|time| time - time / 5);
        let model = Model::default();
        Some(Chooser {
            aims,
            aim,
            model,
            tables,
        })
    }

    /// Puts the line to be played first. Whether that changed the move.
    pub fn choose(&self, game: &Game, outcome: &mut Outcome) -> bool {
        let best = outcome.score();
        // What is proved to be won stays won.
        if self.aim == Aim::Complexity && best > DRAW && is_mate_or_table(best) {
            return false;
        }
        let lines = &mut outcome.lines;
        if self.aim == Aim::Complexity {
            lines.retain(|line| line.score >= best - self.aims.complexity);
        }
        if lines.len() < 2 {
            return false;
        }
        // A fifth of the search is spent on all replies together, some 24 to each move.
        let each = outcome.nodes / (5 * 24 * lines.len() as u64);
        let mut surveyor = Surveyor::new(each.clamp(LEAST_NODES, MOST_NODES));
        let mut worth = Vec::new();
        for line in lines.iter_mut() {
            let Some(&mv) = line.moves.first() else { return false };
            let utility = self.utility(&mut surveyor, game, mv).number();
            worth.push(match self.aim {
                Aim::Draw => {
                    let improved = draws::finely(line.searched) + FOR_UTILITY * utility;
                    line.score = improved.clamp(f64::from(WEAKEST), f64::from(STRONGEST)).round() as i32;
                    improved
                }
                Aim::Best | Aim::Complexity => utility,
            });
        }
        let better = |&a: &usize, &b: &usize| worth[a].total_cmp(&worth[b]).then(b.cmp(&a));
        let chosen = (0..worth.len()).max_by(better).unwrap_or(0);
        lines.swap(0, chosen);
        chosen != 0
    }

    /// What a move is worth to its mover if the opponent errs as the model says.
    fn utility(&self, surveyor: &mut Surveyor, game: &Game, mv: Move) -> Utility {
        let evaluator = surveyor.evaluator();
        let mut next = game.weighed(&evaluator);
        next.play(mv, &evaluator);
        if let Some(ending) = next.ending() {
            return Utility::from(match ending {
                Ending::Checkmate => Value::Win,
                _ => Value::Draw,
            });
        }
        let survey = surveyor.survey(&next, &self.model);
        let prospects = survey.prospects(&self.model);
        let opponent = Fitted {
            merit: self.aims.merit,
            curve: self.model.curve,
        };
        let probabilities = opponent.probabilities(&prospects);
        let mut sum = 0.0;
        for ((surveyed, prospect), p) in survey.moves.iter().zip(&prospects).zip(probabilities) {
            let reply = next.board().after(surveyed.mv, &evaluator);
            let known = self.tables.as_ref().and_then(|tables| tables.value(&reply));
            let mut ours = known.map_or(-prospect.utility, Utility::from).number();
            if self.aim == Aim::Draw && known == Some(Value::Draw) && p >= PROBABLE {
                ours += LATER * self.hope(&reply, &evaluator);
            }
            sum += p * ours;
        }
        Utility::new(sum)
    }

    /// The chance that the opponent errs after the best of our moves that keep the draw, without any
    /// search: the opponent goes by the evaluation, and sees whether a man can be taken at once.
    fn hope(&self, board: &Board, evaluator: &Evaluator) -> f64 {
        let Some(tables) = &self.tables else { return 0.0 };
        let pawns = PawnTable::new();
        let opponent = Fitted {
            merit: self.aims.merit,
            curve: self.model.curve,
        };
        let after = |mv| {
            let next = board.after(mv, evaluator);
            if !tables.is_drawn(&next) {
                return 0.0;
            }
            let mut prospects = Vec::new();
            let mut lost = Vec::new();
            for reply in next.legal_moves().iter() {
                let position = next.after(reply.mv, evaluator);
                let ours = position.legal_moves();
                let takes = |mv| position.captured(mv).is_some() && position.see_at_least(mv, 1);
                let visible = ours.iter().any(|scored| takes(scored.mv));
                let score = -evaluator.evaluate(&position, &pawns) - if visible { TAKEN } else { 0 };
                prospects.push(Prospect {
                    utility: self.model.utility(score),
                    delay: 1,
                });
                lost.push(tables.value(&position) == Some(Value::Win));
            }
            let probabilities = opponent.probabilities(&prospects);
            let errs = probabilities.iter().zip(&lost).filter(|&(_, &lost)| lost);
            errs.map(|(p, _)| p).sum::<f64>()
        };
        let moves = board.legal_moves();
        moves.iter().map(|scored| after(scored.mv)).fold(0.0, f64::max)
    }
}

/// Replies that are at least so probable are looked beyond.
const PROBABLE: f64 = 0.1;

/// What a chance counts that comes a move later.
const LATER: f64 = 0.7;

/// Centipawns that a player sees lost where a man can be taken at once.
const TAKEN: i32 = 300;

/// Nodes for each reply.
const LEAST_NODES: u64 = 16;
const MOST_NODES: u64 = 400;

/// Centipawns that the chance of an error adds to a draw if the error is sure: a chance of a tenth
/// weighs as much as some 40 centipawns of evaluation where White is a rook for a knight up.
const FOR_UTILITY: f64 = 10.0;
