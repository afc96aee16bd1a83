use std::ops::RangeInclusive;

use super::job::{Ending, MATE, Outcome};
use crate::types::Move;

/// The value of a position inside a window, found with null windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The value, or the end of the window that it lies beyond.
    pub score: i16,
    /// What the score means.
    pub bound: Bound,
    /// The move that proves the score, if it took one.
    pub best: Move,
    /// Nodes of all probes.
    pub nodes: u64,
    /// Slots of all probes.
    pub slots: u64,
    /// How many probes there were.
    pub probes: u32,
    /// How many rounds they came in.
    pub rounds: u32,
}

/// What a resolved score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value is the score.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// Finds the value of a position between `alpha` and `beta` by asking, `width` questions at a time, whether it is at least
/// some score. A value at or below `alpha`, or at or above `beta`, is only bounded.
///
/// The first round looks around `guess`, the next ones further away until the value is caught between two answers, and the
/// rest divide what is left evenly. A chip with idle threads answers a whole round in the time of one job.
///
/// `ask` answers one round: an outcome for each score, in order. `None`, if any of the jobs could not be finished.
pub fn resolve(
    alpha: i16,
    beta: i16,
    guess: i16,
    width: usize,
    mut ask: impl FnMut(&[i16]) -> Option<Vec<Outcome>>,
) -> Option<Resolved> {
    let mut probing = Probing::new(alpha, beta, guess, width);
    while let Some(questions) = probing.questions() {
        let outcomes = ask(&questions)?;
        probing.hear(&questions, &outcomes)?;
    }
    Some(probing.found())
}

/// [`resolve`], for those who cannot answer at once.
pub struct Probing {
    alpha: i16,
    beta: i16,
    guess: i16,
    width: usize,
    step: i32,
    bracket: Bracket,
    resolved: Resolved,
}

impl Probing {
    /// Before the first round.
    pub fn new(alpha: i16, beta: i16, guess: i16, width: usize) -> Probing {
        Probing {
            alpha,
            beta,
            guess,
            width: width.max(1),
            step: 8,
            bracket: Bracket {
                low: i32::from(alpha),
                high: i32::from(beta),
                low_proven: false,
                high_proven: false,
            },
            resolved: Resolved {
                score: 0,
                bound: Bound::Exact,
                best: Move::NONE,
                nodes: 0,
                slots: 0,
                probes: 0,
                rounds: 0,
            },
        }
    }

    /// The scores to ask about next, ascending; `None` when the value is found.
    pub fn questions(&mut self) -> Option<Vec<i16>> {
        let open = self.bracket.low < self.bracket.high;
        open.then(|| {
            self.bracket
                .questions(i32::from(self.guess), self.width, &mut self.step)
        })
    }

    /// The answers to a round. `None`, if any of the jobs could not be finished.
    pub fn hear(&mut self, questions: &[i16], outcomes: &[Outcome]) -> Option<()> {
        let (bracket, resolved) = (&mut self.bracket, &mut self.resolved);
        resolved.rounds += 1;
        for (&question, outcome) in questions.iter().zip(outcomes) {
            let question = i32::from(question);
            resolved.probes += 1;
            resolved.nodes += u64::from(outcome.nodes);
            resolved.slots += u64::from(outcome.slots);
            match outcome.ending {
                Ending::Lower if question > bracket.low => {
                    bracket.low = question;
                    bracket.low_proven = true;
                    resolved.best = outcome.best;
                }
                Ending::Upper => {
                    bracket.high = bracket.high.min(question - 1);
                    bracket.high_proven = true;
                }
                Ending::Lower => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// What was found, once there are no more [questions](Probing::questions).
    pub fn found(self) -> Resolved {
        let score = self.bracket.low;
        Resolved {
            score: score as i16,
            bound: match score {
                // Nothing lies beyond a mate on the spot.
                _ if score.abs() == i32::from(MATE) => Bound::Exact,
                _ if score == i32::from(self.beta) => Bound::Lower,
                _ if score == i32::from(self.alpha) => Bound::Upper,
                _ => Bound::Exact,
            },
            ..self.resolved
        }
    }
}

/// The value is at least `low` and at most `high`: by an answer if proven, else by the caller's window.
struct Bracket {
    low: i32,
    high: i32,
    low_proven: bool,
    high_proven: bool,
}

impl Bracket {
    /// The next scores to ask about, ascending. Asking `low` would tell nothing.
    fn questions(&self, guess: i32, width: usize, step: &mut i32) -> Vec<i16> {
        let open = self.low + 1..=self.high;
        let mut questions = match (self.low_proven, self.high_proven) {
            (false, false) => around(guess.clamp(*open.start(), *open.end()), width, step),
            (true, false) => gallop(self.low, width, 1, step),
            (false, true) => gallop(self.high + 1, width, -1, step),
            (true, true) => evenly(&open, width),
        };
        for question in &mut questions {
            *question = (*question).clamp(*open.start(), *open.end());
        }
        questions.sort_unstable();
        questions.dedup();
        questions.into_iter().map(|question| question as i16).collect()
    }
}

/// Scores on both sides of a guess, further apart the further away.
fn around(guess: i32, width: usize, step: &mut i32) -> Vec<i32> {
    let mut questions = vec![guess];
    while questions.len() < width {
        questions.extend([guess - *step, guess + *step]);
        *step = (*step * 3 / 2).min(i32::from(MATE));
    }
    questions
}

/// Scores further and further to one side.
fn gallop(from: i32, width: usize, direction: i32, step: &mut i32) -> Vec<i32> {
    let mut question = from;
    let next = |_| {
        question += direction * *step;
        *step = (*step * 2).min(2 * i32::from(MATE));
        question
    };
    (0..width).map(next).collect()
}

/// Scores that divide a range evenly.
fn evenly(open: &RangeInclusive<i32>, width: usize) -> Vec<i32> {
    let count = open.end() - open.start() + 1;
    let width = (width as i32).clamp(1, count);
    (1..=width)
        .map(|index| open.start() + index * (count + 1) / (width + 1) - 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position of a known value, which costs a node a question.
    fn ask(value: i16) -> impl FnMut(&[i16]) -> Option<Vec<Outcome>> {
        move |questions| {
            let answer = |&question: &i16| Outcome {
                ending: if value >= question {
                    Ending::Lower
                } else {
                    Ending::Upper
                },
                score: if value >= question { question } else { question - 1 },
                best: Move::NONE,
                nodes: 1,
                slots: 2,
            };
            Some(questions.iter().map(answer).collect())
        }
    }

    #[test]
    fn every_value_is_found_in_every_window() {
        for (alpha, beta) in [(-MATE, MATE), (-50, 50), (0, 1), (10, 12), (-MATE, -MATE + 9)] {
            for value in [-MATE, -MATE + 4, -200, -51, -50, -49, 0, 1, 11, 50, 300, MATE - 3] {
                for width in [1, 2, 7, 32] {
                    let found = resolve(alpha, beta, 17, width, ask(value)).expect("an answer");
                    let expected = match value {
                        _ if value >= beta => (beta, Bound::Lower),
                        _ if value <= alpha && alpha > -MATE => (alpha, Bound::Upper),
                        _ => (value, Bound::Exact),
                    };
                    assert_eq!(
                        (found.score, found.bound),
                        expected,
                        "{value} in {alpha}..{beta} by {width}"
                    );
                }
            }
        }
    }

    #[test]
    fn two_rounds_of_32_resolve_a_thousand_scores() {
        for value in -500..500 {
            let found = resolve(-500, 500, 0, 32, ask(value)).expect("an answer");
            assert!(found.rounds <= 3, "{value} took {} rounds", found.rounds);
        }
    }
}
