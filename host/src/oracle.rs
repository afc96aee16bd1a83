//! Oracles for `bluebelle-knowledge`: the software search and the pool of boards answer whether
//! positions are worth at least so much.

use bluebelle_knowledge::oracle::{Answer, Oracle, OracleError, Question};
use bluebelle_spec::leaf::Ending;
use bluebelle_spec::{Fen, Position, Weights};
use futures_util::future::join_all;
use tokio::runtime::{Builder, Runtime};

use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::link::Link;
use crate::pool::{Batch, Pool, Settings};
use crate::search::below;

/// How long boards may take to answer for the first time, in milliseconds.
const SETTLE: u64 = 2000;

/// The software search, which answers one question after the other, each with an empty
/// transposition table: the answers depend on no order.
pub struct SoftwareOracle {
    evaluator: Evaluator,
}

impl SoftwareOracle {
    /// The search with these weights.
    pub fn new(weights: &Weights) -> SoftwareOracle {
        SoftwareOracle {
            evaluator: Evaluator::new(weights),
        }
    }
}

impl Oracle for SoftwareOracle {
    fn ask(&mut self, questions: &[Question]) -> Result<Vec<Answer>, OracleError> {
        let answer = |question: &Question| {
            let game = Game::new(&fen(question.checked()?.position), &self.evaluator);
            let at_least = i32::from(question.at_least);
            let asked = below::Question {
                game: &game,
                beta: at_least,
                depth: question.depth.into(),
            };
            let (bound, nodes) = asked.ask(&self.evaluator);
            let holds = bound >= at_least;
            Ok(Answer { holds, nodes })
        };
        questions.iter().map(answer).collect()
    }
}

/// A question has no history: the clock of fifty moves begins with the position.
fn fen(position: Position) -> Fen {
    Fen {
        position,
        halfmoves: 0,
        fullmoves: 1,
    }
}

/// A pool of boards, which work on all questions of a call at once. Without any board, or when all
/// are gone, the golden search in this process answers.
pub struct PoolOracle {
    /// Dropped before the runtime that its tasks run on.
    pool: Pool,
    runtime: Runtime,
    pruning: bool,
}

impl PoolOracle {
    /// Starts a pool on these links. With `pruning`, boards search by the rules of the contract's
    /// pruning, which answer sooner, and not always as minimax would.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    pub fn start(links: Vec<Box<dyn Link>>, settings: Settings, pruning: bool) -> std::io::Result<PoolOracle> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let pool = {
            let _inside = runtime.enter();
            Pool::start(links, settings)?
        };
        runtime.block_on(pool.settled(SETTLE));
        Ok(PoolOracle { pool, runtime, pruning })
    }
}

impl Oracle for PoolOracle {
    fn ask(&mut self, questions: &[Question]) -> Result<Vec<Answer>, OracleError> {
        let mut batches = Vec::new();
        for question in questions {
            let question = question.checked()?;
            batches.push(Batch {
                pruning: self.pruning,
                ..Batch::one(question.position, question.depth, question.at_least, 0)
            });
        }
        let waiting: Vec<_> = batches.into_iter().flat_map(|batch| self.pool.submit(batch)).collect();
        let outcomes = self.runtime.block_on(join_all(waiting));
        let unanswered = |reason: &str| OracleError::Unanswered {
            oracle: "pool of boards".to_owned(),
            reason: reason.to_owned(),
        };
        let answers = outcomes.into_iter().map(|outcome| {
            let outcome = outcome.ok_or_else(|| unanswered("the pool is closed"))?;
            let holds = match outcome.ending {
                Ending::Lower => true,
                Ending::Upper => false,
                Ending::Limit => return Err(unanswered("the search took too many nodes; ask for less depth")),
                Ending::Counted | Ending::Aborted | Ending::Illegal => {
                    return Err(unanswered("the search ended without a result"));
                }
            };
            let nodes = outcome.nodes.into();
            Ok(Answer { holds, nodes })
        });
        answers.collect()
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_knowledge::oracle::{Minimax, scores};
    use bluebelle_sim::ModelConfig;
    use bluebelle_spec::leaf::{MATE, legal_moves};
    use bluebelle_spec::rng::SplitMix64;

    use super::*;
    use crate::link::Timed;

    /// Positions of random games, and a mate in one.
    fn questions(count: usize, depth: u8) -> Vec<Question> {
        let mut random = SplitMix64::new(28);
        let mut found = Vec::new();
        while found.len() < count {
            let mut position = Position::initial();
            for _ in 0..random.below(40) {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position = position.after(moves[random.below(moves.len() as u64) as usize]);
            }
            let at_least = random.below(600) as i16 - 300;
            found.push(Question {
                position,
                depth,
                at_least,
            });
        }
        let mate: Fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse().expect("a position");
        let position = mate.position;
        for at_least in [MATE - 1, MATE] {
            found.push(Question {
                position,
                depth: depth.max(1),
                at_least,
            });
        }
        found
    }

    fn hold(oracle: &mut dyn Oracle, questions: &[Question]) -> Vec<bool> {
        let answers = oracle.ask(questions).expect("answers");
        answers.into_iter().map(|answer| answer.holds).collect()
    }

    fn pool(links: Vec<Box<dyn Link>>) -> PoolOracle {
        let settings = Settings {
            model: false,
            ..Settings::default()
        };
        PoolOracle::start(links, settings, false).expect("a pool")
    }

    #[test]
    fn a_board_answers_as_minimax_does() {
        let questions = questions(40, 1);
        let expected = hold(&mut Minimax::default(), &questions);
        let board = Timed::new("timed", ModelConfig::default(), 300_000.0);
        let mut boards = pool(vec![Box::new(board)]);
        assert_eq!(hold(&mut boards, &questions), expected);
        let (by_boards, _) = boards.pool.jobs_done();
        assert!(by_boards > 0, "no job went to the board");
        assert_eq!(hold(&mut pool(Vec::new()), &questions), expected, "without a board");
        assert!(expected.contains(&true) && expected.contains(&false));
    }

    /// The software prunes and extends: its answers agree with minimax in most positions. Near mates
    /// it wants more depth, because it razors what is far below a window.
    #[test]
    fn the_software_answers_comparably() {
        let questions = questions(60, 2);
        let expected = hold(&mut Minimax::default(), &questions);
        let mut software = SoftwareOracle::new(Weights::standard());
        let found = hold(&mut software, &questions);
        let same = expected.iter().zip(&found).filter(|(a, b)| a == b).count();
        assert!(same * 10 >= questions.len() * 8, "{same} of {} agree", questions.len());
        assert_eq!(
            hold(&mut software, &questions),
            found,
            "the same questions, the same answers"
        );
    }

    #[test]
    fn exact_scores_come_from_any_oracle() {
        let positions: Vec<Position> = questions(4, 1).iter().map(|question| question.position).collect();
        let expected = scores(&mut Minimax::default(), &positions, 1);
        assert_eq!(scores(&mut pool(Vec::new()), &positions, 1), expected);
        assert_eq!(expected.as_ref().map(|scores| scores[4]), Ok(MATE - 1));
    }

    #[test]
    fn impossible_questions_are_refused() {
        let question = Question {
            position: Position::initial(),
            depth: u8::MAX,
            at_least: 0,
        };
        let oracles: [&mut dyn Oracle; 2] = [&mut SoftwareOracle::new(Weights::standard()), &mut pool(Vec::new())];
        for oracle in oracles {
            assert!(matches!(oracle.ask(&[question]), Err(OracleError::Impossible { .. })));
        }
    }
}
