//! The plain minimax oracle equals the golden leaf search of the contract.

use bluebelle_knowledge::oracle::{Minimax, Oracle, OracleError, Question, scores};
use bluebelle_spec::leaf::{self, Ending, Job, Task, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Position, Weights};

fn walk(random: &mut SplitMix64) -> Position {
    let mut position = Position::initial();
    for _ in 0..random.below(60) {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position = position.after(moves[random.below(moves.len() as u64) as usize]);
    }
    position
}

#[test]
fn minimax_answers_as_the_golden_search() {
    let evaluator = Evaluator::new(Weights::standard());
    let mut random = SplitMix64::new(4);
    let mut held = 0;
    for _ in 0..150 {
        let position = walk(&mut random);
        let depth = random.below(3) as u8;
        let beta = random.below(800) as i16 - 400;
        let outcome = leaf::run(&Job::new(position, Task::Search { depth, beta }), &evaluator);
        let answers = Minimax::default().ask(&[Question {
            position,
            depth,
            at_least: beta,
        }]);
        let holds = answers.expect("an answer")[0].holds;
        assert_eq!(
            holds,
            outcome.ending == Ending::Lower,
            "{position} depth {depth} beta {beta}"
        );
        held += u32::from(holds);
    }
    assert!((20..130).contains(&held), "{held} of 150 hold");
}

#[test]
fn questions_out_of_range_are_refused() {
    for (depth, at_least) in [(leaf::MAX_DEPTH + 1, 0), (1, i16::MIN), (1, i16::MAX)] {
        let question = Question {
            position: Position::initial(),
            depth,
            at_least,
        };
        let refused = Minimax::default().ask(&[question]);
        assert_eq!(refused, Err(OracleError::Impossible { depth, at_least }));
    }
    assert_eq!(scores(&mut Minimax::default(), &[], 3), Ok(Vec::new()));
    assert!(scores(&mut Minimax::default(), &[Position::initial()], leaf::MAX_DEPTH + 1).is_err());
}
