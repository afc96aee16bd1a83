//! What the searches of one tree do for each other, and what a search does that has no others.

use std::rc::Rc;

use bluebelle_spec::Move;

use super::split::Split;
use crate::board::Board;

/// A null-window question about a node, as somebody other than its search may answer it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'b> {
    pub(crate) board: &'b Board,
    /// Plies before quiescence.
    pub(crate) depth: i32,
    /// Is the node worth so much?
    pub(crate) beta: i32,
}

/// The answer to such a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    /// Whether the node is worth `beta`.
    pub(crate) holds: bool,
    /// The move that proves it, or [`Move::NONE`].
    pub(crate) best: Move,
    /// The depth of a software search that would be worth as much.
    pub(crate) worth: i32,
}

/// What comes of a question.
pub(crate) enum Heard {
    /// The answer.
    Answer(Answered),
    /// There is none: the node is to be searched here.
    Nothing,
    /// There is nothing else to do here until it comes: the node is to be searched here as well, as part of this split, which is
    /// refuted when the answer is there.
    Race(Rc<Split>),
}

/// The searches that share a tree, as one of them sees the others.
///
/// The rules of the search are the same for all teams: a team only says who searches what. What a
/// team leaves out is what a search without others does.
pub(crate) trait Team {
    /// Whether there are others. If not, none of the code for them is there.
    const SHARES: bool;
    /// The most nodes between two calls of [`Team::pause`].
    const NODES_A_TURN: u64;
    /// Whether others may know a move to try first at any node, and not only at principal ones.
    const HINTS: bool = false;

    /// An iteration of this depth begins.
    fn begin_iteration(&mut self, _depth: i32) {}

    /// The root is worth so much, as far as the search knows.
    fn root_score(&mut self, _score: i32) {}

    /// Lets the others go on, now that this search has done its turn.
    fn pause(&mut self) {}

    /// Whether what this search is doing is of no use to the others any more.
    fn is_unwanted(&self) -> bool {
        false
    }

    /// Whether others answer questions about nodes of this depth now.
    fn may_ask(&self, _depth: i32) -> bool {
        false
    }

    /// Puts a question to the others, and waits.
    fn ask(&mut self, _asked: Asked<'_>) -> Heard {
        Heard::Nothing
    }

    /// The move that others would try first at a principal node, or [`Move::NONE`].
    fn hint(&mut self, _board: &Board) -> Move {
        Move::NONE
    }

    /// Nodes that this search could have visited while it waited for answers, since it was last charged for them.
    fn waited(&mut self) -> u64 {
        0
    }

    /// The search is done with a node that others were asked about too, or has left it: their answer, if that is what ended it.
    fn settle(&mut self, _race: Rc<Split>) -> Option<Answered> {
        None
    }

    /// Whether others would help with the moves of a node of this depth.
    fn wants_work(&self, _depth: i32) -> bool {
        false
    }

    /// Others may search moves of this node from now on, and this search belongs to it.
    fn open(&mut self, _split: &Rc<Split>) {}

    /// Waits until no other search is at work below the node; then this search belongs to what it belonged to before.
    fn close(&mut self, _split: &Rc<Split>) {}

    /// A move has refuted the node: what others do below it is of no use.
    fn refute(&mut self, _split: &Rc<Split>) {}

    /// The innermost split that this search belongs to.
    fn place(&self) -> Option<Rc<Split>> {
        None
    }
}

/// A search without others.
pub(crate) struct Alone;

impl Team for Alone {
    const SHARES: bool = false;
    const NODES_A_TURN: u64 = 1024;
}
