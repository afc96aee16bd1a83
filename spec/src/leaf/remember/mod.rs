//! A study: what a chip would search that remembers, with a table and a history.
//!
//! Today's chip ([`super::pruning`]) knows nothing but its stack, and needs some twelve nodes for one of the
//! software's. The rules below are candidates for the next chip. Each of them can be left out, so that games tell what
//! the rule is worth before hardware is built for it: `bluebelle match --ideal` plays them. The order of moves, the
//! evaluation and quiescence are today's; [`Rules`] says what differs.
//!
//! The search is not the contract of any chip. It counts nodes, and no slots.

mod exchange;
mod history;
mod rules;
mod search;
mod table;
mod walk;

use std::cell::RefCell;
use std::sync::Arc;

use super::job::MAX_DEPTH;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::types::Move;

use history::Past;
pub use rules::{History, Reductions, Repetition, Rules};
pub use search::Turns;
use search::{Alone, Search};
pub use table::key;
use table::{Busy, Table};

/// A searcher and what it remembers from question to question.
pub struct Remembering {
    evaluator: Arc<Evaluator>,
    rules: Rules,
    table: Table,
    /// One for each core.
    pasts: Vec<Past>,
    busy: Busy,
    /// The keys of the positions on the way to the root of the next questions, the last one last.
    game: RefCell<Vec<u64>>,
}

/// Is a position worth at least so much?
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Where to start.
    pub position: Position,
    /// The bound.
    pub beta: i16,
    /// Plies before quiescence.
    pub depth: u8,
    /// Nodes after which there is no answer; 0 for no limit.
    pub node_limit: u32,
    /// Whether a move is asked for that proves the answer, so that no null move may.
    pub wants_move: bool,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The position is worth at least this, or at most.
    pub score: i16,
    /// Which of both.
    pub at_least: bool,
    /// To what depth.
    pub depth: i8,
    /// The move that proves it, or [`Move::NONE`].
    pub best: Move,
}

/// What a question came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the position is worth the bound; `None` if the node limit was reached.
    pub holds: Option<bool>,
    /// The move that proves it, or [`Move::NONE`].
    pub best: Move,
    /// Positions visited.
    pub nodes: u32,
}

impl Remembering {
    /// A searcher that remembers nothing yet.
    pub fn new(evaluator: Arc<Evaluator>, rules: Rules) -> Remembering {
        Remembering::with_cores(evaluator, rules, 1)
    }

    /// A searcher whose threads are those of several cores: each core has a history of its own.
    pub fn with_cores(evaluator: Arc<Evaluator>, rules: Rules, cores: usize) -> Remembering {
        Remembering {
            evaluator,
            table: Table::new(rules.table_bits),
            pasts: (0..cores).map(|_| Past::new(rules.history)).collect(),
            busy: Busy::new(),
            game: RefCell::default(),
            rules,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        for past in &mut self.pasts {
            *past = Past::new(self.rules.history);
        }
    }

    /// A new search begins: what the table has is older now.
    pub fn begin_search(&self) {
        self.table.age();
    }

    /// Tells what the game has been before the next questions: the keys of its positions, the last one last.
    pub fn set_game(&self, keys: &[u64]) {
        keys.clone_into(&mut self.game.borrow_mut());
    }

    /// The move that the table has for a position, or [`Move::NONE`].
    pub fn best_move(&self, position: &Position) -> Move {
        let known = self.table.is_there().then(|| self.table.find(key(position)));
        known.flatten().map_or(Move::NONE, |entry| entry.best)
    }

    /// What the table knows of a position.
    pub fn probe(&self, position: &Position) -> Option<Known> {
        let entry = self.table.is_there().then(|| self.table.find(key(position)))??;
        Some(Known {
            score: entry.score,
            at_least: entry.at_least,
            depth: entry.depth,
            best: entry.best,
        })
    }

    /// Is the position worth at least `beta`?
    pub fn ask(&self, position: &Position, beta: i16, depth: u8, node_limit: u32) -> Answer {
        let question = Question {
            position: *position,
            beta,
            depth,
            node_limit,
            wants_move: false,
        };
        self.ask_in_turns(&question, 0, &mut Alone)
    }

    /// The same by one of several threads that search it together, each in its turns, and share the table: a thread of
    /// a core.
    pub fn ask_in_turns(&self, question: &Question, core: usize, turns: &mut impl Turns) -> Answer {
        let mut search = Search::new(
            &self.evaluator,
            &self.rules,
            (&self.table, &self.pasts[core], &self.busy),
            question,
            turns,
        );
        search.begin_after(&self.game.borrow());
        let holds = search.run(
            &question.position,
            question.depth.min(MAX_DEPTH) as i8,
            question.wants_move,
        );
        Answer {
            holds,
            best: match holds {
                Some(true) => search.best,
                _ => Move::NONE,
            },
            nodes: search.nodes,
        }
    }
}

#[cfg(test)]
mod tests;
