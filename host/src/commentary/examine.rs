//! A position examined for players of given merits: value, expected utility and tension, two plies
//! deep in errors.

use bluebelle_knowledge::utility::comment::{Figures, Outlook, Remark, on_choice, on_move, on_position};
use bluebelle_knowledge::utility::theory::entropy;
use bluebelle_knowledge::utility::{Fitted, Opponent, Prospect};
use bluebelle_knowledge::vocabulary::{Merit, Utility, Value};
use bluebelle_spec::{Color, Move};

use super::{Model, Survey, Surveyor};
use crate::game::{Ending, Game};

/// The moves whose replies are surveyed too: together they have at least this probability …
const COVER: f64 = 0.9;

/// … or there are so many of them.
const MOST_CANDIDATES: usize = 4;

/// What positions are worth between two players.
pub struct Examiner {
    /// Scores moves.
    pub surveyor: Surveyor,
    /// The fitted numbers.
    pub model: Model,
    /// The merits of White and Black.
    pub merits: [Merit; 2],
}

/// A move, seen from its mover.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The score in centipawns by the survey of the position, or of the position after the move.
    pub score: i32,
    /// The depth from which the score shows.
    pub delay: u32,
    /// How probable the move is for this player.
    pub probability: f64,
    /// The figures after the move.
    pub after: Figures,
    /// Whether the replies were surveyed, and so the opponent's errors counted.
    pub deep: bool,
}

/// A position and all its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Examination {
    /// Who moves.
    pub mover: Color,
    /// The figures, seen from the mover.
    pub figures: Figures,
    /// The moves, the best score of the survey first.
    pub moves: Vec<Candidate>,
    /// Plies that the survey reached.
    pub depth: i32,
}

/// The figures of a single survey: errors of its mover only.
struct Look {
    probabilities: Vec<f64>,
    prospects: Vec<Prospect>,
    entropy: f64,
}

impl Look {
    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        let each = self.prospects.iter().zip(&self.probabilities);
        each.map(|(prospect, p)| p * of(prospect.utility.number())).sum()
    }
}

impl Examiner {
    fn look(&self, survey: &Survey, mover: Color) -> Look {
        let player = Fitted {
            merit: self.merits[mover.index()],
            curve: self.model.curve,
        };
        let prospects = survey.prospects(&self.model);
        let probabilities = player.probabilities(&prospects);
        Look {
            entropy: entropy(&probabilities),
            probabilities,
            prospects,
        }
    }

    /// Examines a position. The move that was played is looked at as closely as the probable ones.
    /// `None` if there are no moves.
    pub fn examine(&mut self, game: &Game, played: Option<Move>) -> Option<Examination> {
        let mover = game.board().turn();
        let survey = self.surveyor.survey(game, &self.model);
        let look = self.look(&survey, mover);
        let mut order: Vec<usize> = (0..survey.moves.len()).collect();
        order.sort_by(|&a, &b| look.probabilities[b].total_cmp(&look.probabilities[a]));
        let mut covered = 0.0;
        let mut wanted = vec![false; order.len()];
        for &at in order.iter().take(MOST_CANDIDATES) {
            if covered >= COVER {
                break;
            }
            covered += look.probabilities[at];
            wanted[at] = true;
        }
        // The best score decides the value, however improbable the move is.
        *wanted.first_mut()? = true;
        if let Some(at) = played.and_then(|mv| survey.find(mv)) {
            wanted[at] = true;
        }
        let mut moves = Vec::new();
        let mut entropies = look.entropy;
        for (at, surveyed) in survey.moves.iter().enumerate() {
            let utility = look.prospects[at].utility;
            let mut candidate = Candidate {
                mv: surveyed.mv,
                score: surveyed.score,
                delay: surveyed.delay,
                probability: look.probabilities[at],
                after: Figures {
                    value: self.model.value(surveyed.score),
                    utility,
                    tension: utility.number().powi(2),
                    dead: false,
                    branching: 1.0,
                },
                deep: false,
            };
            if wanted[at] {
                entropies += self.deepen(game, &mut candidate);
            }
            moves.push(candidate);
        }
        let mean = |of: &dyn Fn(&Candidate) -> f64| -> f64 {
            moves
                .iter()
                .map(|candidate| candidate.probability * of(candidate))
                .sum()
        };
        let figures = Figures {
            value: best_value(&moves),
            utility: Utility::new(mean(&|candidate| candidate.after.utility.number())),
            tension: mean(&|candidate| candidate.after.tension),
            dead: false,
            // Two levels: the mover's choice, and the replies to the candidates.
            branching: (entropies / 2.0).exp(),
        };
        Some(Examination {
            mover,
            figures,
            moves,
            depth: survey.depth,
        })
    }

    /// Looks at the replies to a move; returns what they add to the entropy of two levels.
    fn deepen(&mut self, game: &Game, candidate: &mut Candidate) -> f64 {
        let mut next = game.clone();
        next.play(candidate.mv, &self.surveyor.evaluator());
        candidate.deep = true;
        if let Some(ending) = next.ending() {
            let value = if ending == Ending::Checkmate {
                Value::Win
            } else {
                Value::Draw
            };
            candidate.after = Figures {
                value: Some(value),
                utility: value.into(),
                tension: f64::from(value.sign()),
                dead: value == Value::Draw,
                branching: 1.0,
            };
            return 0.0;
        }
        let survey = self.surveyor.survey(&next, &self.model);
        let look = self.look(&survey, next.board().turn());
        if let Some(best) = survey.moves.first() {
            candidate.score = -best.score;
        }
        candidate.after = Figures {
            value: self.model.value(candidate.score),
            utility: -Utility::new(look.mean(|utility| utility)),
            tension: look.mean(|utility| utility * utility),
            dead: false,
            branching: look.entropy.exp(),
        };
        candidate.probability * look.entropy
    }
}

/// The value of a position: that of its best move, by the scores that looked deepest.
fn best_value(moves: &[Candidate]) -> Option<Value> {
    let best = moves.iter().max_by_key(|candidate| (candidate.score, candidate.deep));
    best.and_then(|candidate| candidate.after.value)
}

impl Examination {
    /// The candidate for a move.
    pub fn find(&self, mv: Move) -> Option<&Candidate> {
        self.moves.iter().find(|candidate| candidate.mv == mv)
    }

    /// What is true of the position, from both sides.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut remarks = on_position(self.mover, &self.figures);
        remarks.extend(on_position(!self.mover, &self.figures.seen_by(Color::Black)));
        let outlook = |candidate: &Candidate| Outlook {
            value: candidate.after.value,
            utility: candidate.after.utility,
            delay: candidate.delay,
        };
        let deep = self.moves.iter().filter(|candidate| candidate.deep);
        let outlooks: Vec<Outlook> = deep.map(outlook).collect();
        remarks.extend(on_choice(self.mover, &self.figures, &outlooks));
        remarks
    }

    /// What is true of a move, from its mover's side; nothing of a move that is the only one.
    pub fn remarks_on(&self, mv: Move) -> Vec<Remark> {
        let Some(played) = self.find(mv).filter(|_| self.moves.len() > 1) else {
            return Vec::new();
        };
        let utility = |candidate: &Candidate| candidate.after.utility.number();
        let most = self.moves.iter().map(utility).fold(f64::NEG_INFINITY, f64::max);
        // A value that a score leaves open is taken to be the other one: nothing shows a change.
        let (mut before, mut after) = (self.figures, played.after);
        before.value = before.value.or(after.value);
        after.value = after.value.or(before.value);
        on_move(self.mover, &before, &after, utility(played) >= most)
    }
}
