//! Exact scores out of questions: every question halves the range in which a score can be.

use bluebelle_spec::leaf::MATE;
use bluebelle_spec::{EVALUATION_LIMIT, Position};

use super::{Oracle, OracleError, Question};

/// The scores of positions for their sides to move, by one question for each position and round.
/// The questions of a round go out together. A score that is no mate takes some 13 rounds.
///
/// # Errors
/// Those of the oracle.
pub fn scores(oracle: &mut dyn Oracle, positions: &[Position], depth: u8) -> Result<Vec<i16>, OracleError> {
    let mut ranges = vec![Range::default(); positions.len()];
    loop {
        let open: Vec<usize> = (0..ranges.len()).filter(|&at| !ranges[at].is_closed()).collect();
        if open.is_empty() {
            return Ok(ranges.into_iter().map(|range| range.low).collect());
        }
        let questions: Vec<Question> = open
            .iter()
            .map(|&at| Question {
                position: positions[at],
                depth,
                at_least: ranges[at].middle(),
            })
            .collect();
        let answers = oracle.ask(&questions)?;
        if answers.len() != questions.len() {
            return Err(OracleError::Unanswered {
                oracle: "oracle".to_owned(),
                reason: format!("{} answers to {} questions", answers.len(), questions.len()),
            });
        }
        for ((at, question), answer) in open.into_iter().zip(&questions).zip(answers) {
            let range = &mut ranges[at];
            if answer.holds {
                range.low = question.at_least;
            } else {
                range.high = question.at_least - 1;
            }
        }
    }
}

/// A score is at least `low` and at most `high`.
#[derive(Clone, Copy)]
struct Range {
    low: i16,
    high: i16,
}

impl Default for Range {
    fn default() -> Range {
        Range { low: -MATE, high: MATE }
    }
}

impl Range {
    const fn is_closed(self) -> bool {
        self.low >= self.high
    }

    /// What to ask next: whether the score is a mate, then the middle.
    fn middle(self) -> i16 {
        let limit = EVALUATION_LIMIT as i16;
        if self.high > limit && self.low <= limit {
            return limit + 1;
        }
        if self.low < -limit && self.high >= -limit {
            return -limit;
        }
        let sum = i32::from(self.low) + i32::from(self.high);
        // Rounded up, so that the middle is above `low`.
        (sum + 1).div_euclid(2) as i16
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Weights;

    use super::super::{Answer, Minimax};
    use super::*;

    /// Answers as if the position's score were this one.
    struct Known(i16);

    impl Oracle for Known {
        fn ask(&mut self, questions: &[Question]) -> Result<Vec<Answer>, OracleError> {
            let answer = |question: &Question| {
                let question = question.checked()?;
                let holds = self.0 >= question.at_least;
                Ok(Answer { holds, nodes: 1 })
            };
            questions.iter().map(answer).collect()
        }
    }

    #[test]
    fn every_score_is_found() {
        let near = [0, 1, 2]
            .into_iter()
            .flat_map(|off| [MATE - off, off, EVALUATION_LIMIT as i16 + off]);
        for score in near.chain((0..MATE).step_by(997)) {
            for score in [score, -score] {
                assert_eq!(scores(&mut Known(score), &[Position::initial()], 0), Ok(vec![score]));
            }
        }
    }

    #[test]
    fn a_mate_is_counted_in_plies() {
        let fen: bluebelle_spec::Fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse().expect("a position");
        let found = scores(&mut Minimax::default(), &[fen.position, Position::initial()], 1);
        let initial = bluebelle_spec::evaluate(&Position::initial(), Weights::standard());
        assert_eq!(found.as_ref().map(|found| found[0]), Ok(MATE - 1));
        assert!(found.is_ok_and(|found| found[1] > initial));
    }
}
