//! A study: a board that answers at once, to learn what a chip's rules are worth before the chip is built.
//!
//! One thread of the software searches, and has null-window questions answered by the
//! [rules under study](bluebelle_spec::leaf::remember), one after the other. A question costs the search as many nodes
//! as it could have visited meanwhile. No line, no queue and no hardware thread is in the way: what such a board does
//! not win, no board with these rules wins.

use std::rc::Rc;

use bluebelle_spec::Move;
use bluebelle_spec::leaf::remember::{Question, Remembering, Rules};
use corosensei::stack::DefaultStack;

use super::team::{Answered, Asked, Heard, Team};
use super::together::{Ring, search_together};
use crate::board::Board;

/// How an ideal board is asked, and what its answers cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ideal {
    /// Nodes of the board in the time of one node of the software; with a ring, those of each of its threads.
    pub rate: f64,
    /// The threads that search each question together; without one, the board searches as one thread would.
    pub ring: Option<Ring>,
    /// What a question costs besides, in nodes of the software.
    pub cost: f64,
    /// Nodes of at least so many plies are asked.
    pub least: i32,
    /// And of at most so many.
    pub most: Most,
    /// By what rules the board searches.
    pub rules: Rules,
    /// Plies that what the ring finds ahead of the host must be deeper than the host's node; `None` if the host asks.
    pub scouts: Option<i32>,
}

/// The deepest nodes that are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Most {
    /// In plies.
    Plies(i32),
    /// In hundredths of the iteration's plies.
    Share(i32),
}

/// What an ideal board has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct IdealWork {
    pub(crate) questions: u64,
    pub(crate) nodes: u64,
    /// Nodes of the software that it could have visited meanwhile.
    pub(crate) waited: f64,
}

/// The nodes after which a board gives up.
const NODE_LIMIT: u32 = 1 << 20;

/// The team of a search with an ideal board.
pub(crate) struct IdealTeam<'b> {
    ideal: Ideal,
    board: Rc<Remembering>,
    stacks: Vec<DefaultStack>,
    work: &'b mut IdealWork,
    most: i32,
    /// Nodes that the search is still to be charged for.
    owed: f64,
}

impl<'b> IdealTeam<'b> {
    pub(crate) fn new(ideal: Ideal, board: Rc<Remembering>, work: &'b mut IdealWork) -> IdealTeam<'b> {
        board.begin_search();
        IdealTeam {
            ideal,
            board,
            stacks: Vec::new(),
            work,
            most: 0,
            owed: 0.0,
        }
    }
}

impl Team for IdealTeam<'_> {
    const SHARES: bool = true;
    const NODES_A_TURN: u64 = 256;

    fn begin_iteration(&mut self, depth: i32) {
        self.most = match self.ideal.most {
            Most::Plies(plies) => plies,
            Most::Share(share) => depth * share / 100,
        };
    }

    #[inline]
    fn may_ask(&self, depth: i32) -> bool {
        (self.ideal.least..=self.most).contains(&depth)
    }

    fn ask(&mut self, asked: Asked<'_>) -> Heard {
        let (Ok(position), Ok(beta)) = (asked.board.position(), i16::try_from(asked.beta)) else {
            return Heard::Nothing;
        };
        let depth = asked.depth.clamp(0, i32::from(u8::MAX)) as u8;
        let question = Question {
            position,
            beta,
            depth,
            node_limit: NODE_LIMIT,
            wants_move: false,
        };
        let (answer, rounds, nodes) = match self.ideal.ring {
            Some(ring) => {
                let together = search_together(&self.board, &question, ring, &mut self.stacks);
                (together.answer, together.rounds, together.nodes)
            }
            None => {
                let answer = self.board.ask(&position, beta, depth, NODE_LIMIT);
                (answer, answer.nodes.into(), answer.nodes.into())
            }
        };
        let waited = self.ideal.cost + rounds as f64 / self.ideal.rate;
        self.owed += waited;
        self.work.questions += 1;
        self.work.nodes += nodes;
        self.work.waited += waited;
        match answer.holds {
            None => Heard::Nothing,
            Some(holds) => Heard::Answer(Answered {
                holds,
                best: answer.best,
                worth: asked.depth,
            }),
        }
    }

    fn hint(&mut self, board: &Board) -> Move {
        let Ok(position) = board.position() else {
            return Move::NONE;
        };
        self.owed += self.ideal.cost;
        self.work.waited += self.ideal.cost;
        self.board.best_move(&position)
    }

    fn waited(&mut self) -> u64 {
        let whole = self.owed.floor();
        self.owed -= whole;
        whole as u64
    }
}
