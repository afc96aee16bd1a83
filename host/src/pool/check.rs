use bluebelle_spec::Move;
use bluebelle_spec::leaf::{Ending, Job, Outcome, Task, is_legal_move};

/// How a result contradicts its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Lie {
    /// Not an ending that a search can have.
    #[error("a search that ended as {0:?}")]
    Ending(Ending),
    /// Not the score that this ending has.
    #[error("score {found} for a search that ended as {ending:?} with beta {beta}")]
    Score {
        /// How it ended.
        ending: Ending,
        /// What was asked.
        beta: i16,
        /// What it scored.
        found: i16,
    },
    /// A best move where there is none.
    #[error("{0} as the best move, which is not legal")]
    Move(Move),
    /// The node limit is said to be reached, and is not.
    #[error("the node limit reached after {0} nodes")]
    Limit(u32),
}

/// Whether a result can be that of its job, which was not aborted.
///
/// # Errors
/// Says how it cannot.
pub fn check(job: &Job, outcome: &Outcome) -> Result<(), Lie> {
    let Task::Search { beta, .. } = job.task else {
        return Ok(());
    };
    let (ending, found) = (outcome.ending, outcome.score);
    let expected = match ending {
        Ending::Lower => beta,
        Ending::Upper => beta - 1,
        Ending::Limit if job.node_limit > 0 && outcome.nodes < job.node_limit => return Err(Lie::Limit(outcome.nodes)),
        Ending::Limit => 0,
        Ending::Counted | Ending::Illegal | Ending::Aborted => return Err(Lie::Ending(ending)),
    };
    if found != expected {
        return Err(Lie::Score { ending, beta, found });
    }
    if outcome.best.is_none() {
        return Ok(());
    }
    let position = match job.first.is_none() {
        true => job.position,
        false => job.position.after(job.first),
    };
    match ending == Ending::Lower && is_legal_move(&position, outcome.best) {
        true => Ok(()),
        false => Err(Lie::Move(outcome.best)),
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::leaf;
    use bluebelle_spec::{Evaluator, Position, Weights};

    use super::*;

    #[test]
    fn the_golden_search_does_not_lie_and_what_is_changed_does() {
        let evaluator = Evaluator::new(Weights::standard());
        for beta in [-300, 0, 300] {
            for node_limit in [0, 50] {
                let mut job = Job::new(Position::initial(), Task::Search { depth: 3, beta });
                job.node_limit = node_limit;
                job.first = "e2e4".parse().expect("a move");
                let outcome = leaf::run(&job, &evaluator);
                assert_eq!(check(&job, &outcome), Ok(()));
                let other = |change: fn(&mut Outcome)| {
                    let mut outcome = outcome;
                    change(&mut outcome);
                    check(&job, &outcome)
                };
                assert!(other(|outcome| outcome.score += 1).is_err());
                assert!(other(|outcome| outcome.best = "e2e4".parse().expect("a move")).is_err());
                assert!(other(|outcome| outcome.ending = Ending::Counted).is_err());
                assert!(other(|outcome| outcome.ending = Ending::Aborted).is_err());
                assert!(
                    other(|outcome| {
                        outcome.ending = Ending::Limit;
                        outcome.nodes = 49;
                    })
                    .is_err()
                        || node_limit == 0
                );
            }
        }
    }
}
