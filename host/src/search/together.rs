//! A study: all threads of a chip search one question, and share nothing but a table.
//!
//! Each thread walks the whole tree by the [rules under study](bluebelle_spec::leaf::remember), leaves moves to threads
//! that search them at this moment, and finds in the table what these have found. The threads of a ring go on one after
//! the other, so that each visits a node in the same time; the first one that is done answers.

use std::rc::Rc;
use std::sync::Arc;

use bluebelle_spec::leaf::remember::{Answer, Question, Remembering, Rules, Turns};
use bluebelle_spec::{Evaluator, Weights};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::below;
use crate::evaluation;
use crate::game::Game;

/// The threads that search together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Cores, each with a history of its own.
    pub cores: usize,
    /// Threads of each core.
    pub threads: usize,
}

/// What a question took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Together {
    /// What the first thread that was done has found.
    pub answer: Answer,
    /// Nodes that this thread visited: how long all were at work, in nodes of one thread.
    pub rounds: u64,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// A thread's turns: a node each.
struct Member<'y>(&'y Yielder<bool, ()>);

impl Turns for Member<'_> {
    const SHARES: bool = true;

    fn node(&mut self) -> bool {
        self.0.suspend(())
    }
}

/// Bytes of a thread's stack.
const STACK: usize = 1 << 20;

/// A stack for a thread.
///
/// # Panics
/// If the system has no memory for one; then it has none for anything else.
pub(super) fn new_stack() -> DefaultStack {
    DefaultStack::new(STACK).expect("memory for a stack")
}

/// Has a question searched by all threads of a ring together. Stacks are taken from `stacks`, and left there.
pub fn search_together(
    searcher: &Rc<Remembering>,
    question: &Question,
    ring: Ring,
    stacks: &mut Vec<DefaultStack>,
) -> Together {
    let count = ring.cores * ring.threads;
    let mut threads: Vec<_> = (0..count)
        .map(|index| {
            let (searcher, question) = (Rc::clone(searcher), *question);
            let life = move |yielder: &Yielder<bool, ()>, _: bool| {
                // Threads that ask for different depths stay apart.
                let asked = Question {
                    depth: question.depth + (index % 2) as u8,
                    ..question
                };
                searcher.ask_in_turns(&asked, index % ring.cores, &mut Member(yielder))
            };
            let stack = stacks.pop().unwrap_or_else(new_stack);
            Coroutine::with_stack(stack, life)
        })
        .collect();
    let mut rounds = 0;
    let answer = 'search: loop {
        rounds += 1;
        for thread in &mut threads {
            if let CoroutineResult::Return(answer) = thread.resume(false) {
                break 'search answer;
            }
        }
    };
    let nodes = rounds * count as u64;
    for mut thread in threads {
        while !thread.done() {
            thread.resume(true);
        }
        stacks.push(thread.into_stack());
    }
    Together { answer, rounds, nodes }
}

/// The same question to the software and to rings of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Nodes of the software.
    pub software: u64,
    /// Whether the software says that the position is worth the bound.
    pub holds: bool,
    /// What each ring took.
    pub rings: Vec<Together>,
}

/// Asks the software and each ring, all with empty tables.
pub fn ask_all(game: &Game, (beta, depth): (i16, u8), rules: Rules, rings: &[Ring]) -> Option<Row> {
    let evaluator = evaluation::Evaluator::new(Weights::standard());
    let question = below::Question {
        game,
        beta: beta.into(),
        depth: depth.into(),
    };
    let (score, software) = question.ask(&evaluator);
    let golden = Arc::new(Evaluator::new(Weights::standard()));
    let question = Question {
        position: game.board().position().ok()?,
        beta,
        depth,
        node_limit: 0,
        wants_move: false,
    };
    let rings = rings.iter().map(|&ring| {
        let searcher = Rc::new(Remembering::with_cores(Arc::clone(&golden), rules, ring.cores));
        search_together(&searcher, &question, ring, &mut Vec::new())
    });
    Some(Row {
        software,
        holds: score >= i32::from(beta),
        rings: rings.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_threads_answer_sooner_than_one() {
        let evaluator = evaluation::Evaluator::new(Weights::standard());
        let game = Game::initial(&evaluator);
        let rings = [1, 13].map(|threads| Ring { cores: 1, threads });
        let row = ask_all(&game, (20, 10), Rules::ALL, &rings).expect("a position");
        let [one, many] = &row.rings[..] else { panic!("{row:?}") };
        assert_eq!(one.answer.holds, many.answer.holds);
        assert_eq!((one.nodes, many.nodes), (one.rounds, 13 * many.rounds));
        assert!(2 * many.rounds < one.rounds, "{row:?}");
    }

    #[test]
    fn the_same_question_takes_the_same_course() {
        let evaluator = evaluation::Evaluator::new(Weights::standard());
        let game = Game::initial(&evaluator);
        let ring = [Ring { cores: 2, threads: 13 }];
        let ask = || ask_all(&game, (-30, 9), Rules::ALL, &ring);
        assert_eq!(ask(), ask());
    }
}
