//! A study: all threads of a chip search the whole iteration, and the host does nothing but ask.
//!
//! The host deepens, and finds the value of the root by null-window questions, each of which
//! [all threads search together](super::together). The table of the chip has what earlier questions found.

use std::rc::Rc;

use bluebelle_spec::leaf::MATE;
use bluebelle_spec::leaf::remember::{Question, Remembering};
use bluebelle_spec::{Move, Position};
use corosensei::stack::DefaultStack;

use super::ideal::IdealWork;
use super::together::{Ring, search_together};

/// What a question costs and how much time there is, in nodes of the software.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Nodes of a thread in the time of one node of the software.
    pub(crate) rate: f64,
    /// What a question costs besides.
    pub(crate) cost: f64,
    /// What there is.
    pub(crate) budget: f64,
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) best: Move,
    pub(crate) score: i16,
    /// The last depth that was searched to its end.
    pub(crate) depth: u8,
}

/// How far apart the bounds of the root's value may stay.
const GRAIN: i32 = 10;

/// How far from the last value the second question of an iteration is.
const STEP: i32 = 12;

/// The deepest iteration.
const DEEPEST: u8 = 60;

/// Has a position searched by a ring of threads until the budget is spent.
pub(crate) fn search_whole(
    board: &Rc<Remembering>,
    position: &Position,
    (ring, pace, deepest): (Ring, Pace, Option<u8>),
    work: &mut IdealWork,
) -> Found {
    board.begin_search();
    let mut stacks = Vec::new();
    let mut found = Found {
        best: Move::NONE,
        score: 0,
        depth: 0,
    };
    for depth in 1..=deepest.unwrap_or(DEEPEST) {
        let mut ask = |beta: i32| ask(board, position, (depth, beta), (ring, pace), (&mut stacks, work));
        let Some(score) = narrow(i32::from(found.score), &mut found.best, &mut ask) else {
            break;
        };
        found.score = score as i16;
        found.depth = depth;
    }
    found
}

/// The value of the root, by questions that begin at a guess. `None` if there is no time left.
fn narrow(guess: i32, best: &mut Move, ask: &mut impl FnMut(i32) -> Option<(bool, Move)>) -> Option<i32> {
    let most = i32::from(MATE);
    let (mut lower, mut upper) = (-most, most);
    let mut step = STEP;
    let mut beta = guess.clamp(1 - most, most);
    while upper - lower > GRAIN {
        let (holds, mv) = ask(beta)?;
        if holds {
            lower = beta;
            *best = mv;
        } else {
            upper = beta - 1;
        }
        beta = match (lower == -most, upper == most) {
            (true, _) => (beta - step).max(1 - most),
            (_, true) => (beta + step).min(most),
            _ => (lower + upper + 1) / 2 + 1,
        };
        beta = beta.clamp(lower + 1, upper.max(lower + 1));
        step *= 2;
    }
    Some(lower.max(1 - most))
}

fn ask(
    board: &Rc<Remembering>,
    position: &Position,
    (depth, beta): (u8, i32),
    (ring, pace): (Ring, Pace),
    (stacks, work): (&mut Vec<DefaultStack>, &mut IdealWork),
) -> Option<(bool, Move)> {
    let left = pace.budget - work.waited - pace.cost;
    if left <= 1.0 {
        work.waited = pace.budget;
        return None;
    }
    let question = Question {
        position: *position,
        beta: beta as i16,
        depth,
        node_limit: (left * pace.rate).clamp(1.0, 1e9) as u32,
    };
    let together = search_together(board, &question, ring, stacks);
    work.questions += 1;
    work.nodes += together.nodes;
    work.waited += pace.cost + together.rounds as f64 / pace.rate;
    let holds = together.answer.holds?;
    Some((holds, together.answer.best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_is_found_by_questions_wherever_the_guess_was() {
        for value in [-31_000, -500, -3, 0, 7, 250, 31_500] {
            for guess in [0, value, value - 100, value + 5_000] {
                let mut best = Move::NONE;
                let score = narrow(guess, &mut best, &mut |beta| Some((value >= beta, Move::NONE)));
                let score = score.expect("a value");
                assert!(
                    (score..=score + GRAIN).contains(&value),
                    "{value} from {guess}: {score}"
                );
            }
        }
    }
}
