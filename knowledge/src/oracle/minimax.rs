//! Minimax by its definition: the referee that the fast oracles are compared with.

use bluebelle_spec::leaf::{self, legal_moves};
use bluebelle_spec::{Piece, Position, Weights, evaluate};

use super::{Answer, Oracle, OracleError, Question};

/// An oracle without any pruning but one: a position has been answered once a move reaches what
/// the question asks for.
pub struct Minimax {
    weights: Weights,
}

impl Minimax {
    /// A minimax with these weights.
    pub fn new(weights: &Weights) -> Minimax {
        Minimax {
            weights: weights.clone(),
        }
    }
}

impl Default for Minimax {
    fn default() -> Minimax {
        Minimax::new(Weights::standard())
    }
}

impl Oracle for Minimax {
    fn ask(&mut self, questions: &[Question]) -> Result<Vec<Answer>, OracleError> {
        let answer = |question: &Question| {
            let mut visit = Visit {
                weights: &self.weights,
                nodes: 0,
            };
            let (depth, at_least) = (i32::from(question.depth), i32::from(question.at_least));
            let holds = visit.reaches(&question.position, depth, 0, at_least);
            let nodes = visit.nodes;
            Answer { holds, nodes }
        };
        questions
            .iter()
            .map(|question| question.checked().map(answer))
            .collect()
    }
}

struct Visit<'w> {
    weights: &'w Weights,
    nodes: u64,
}

impl Visit<'_> {
    /// Whether the position, `ply` moves below the question, is worth `at_least` to its mover.
    fn reaches(&mut self, position: &Position, depth: i32, ply: u8, at_least: i32) -> bool {
        self.nodes += 1;
        if ply >= leaf::MAX_PLY {
            return self.stand_pat(position) >= at_least;
        }
        let in_check = position.in_check();
        let all_moves = depth > 0 || depth == 0 && in_check;
        if !all_moves && self.stand_pat(position) >= at_least {
            return true;
        }
        let legal = legal_moves(position);
        if all_moves && legal.is_empty() {
            let mated = i32::from(ply) - i32::from(leaf::MATE);
            return if in_check { mated } else { 0 } >= at_least;
        }
        // Quiescence looks at captures and new queens only, and once below depth 0 stays there.
        let below = (depth - 1).max(-1);
        legal.into_iter().any(|mv| {
            let passing = position.en_passant() == Some(mv.to());
            let pawn = position.at(mv.from()).is_some_and(|(_, piece)| piece == Piece::Pawn);
            let captures = position.at(mv.to()).is_some() || passing && pawn;
            let forcing = match mv.promotion() {
                Some(piece) => piece == Piece::Queen,
                None => captures,
            };
            (all_moves || forcing) && !self.reaches(&position.after(mv), below, ply + 1, 1 - at_least)
        })
    }

    fn stand_pat(&self, position: &Position) -> i32 {
        i32::from(evaluate(position, self.weights))
    }
}
