use super::super::walk::{Following, Walk};
use super::Step;
use super::tape::Tape;

/// A thread of the core, as far as it has to do with the gang.
#[derive(Default)]
pub(super) struct Thread {
    /// The ply of the first of `nodes`, which this thread has taken over; 0 for the leader.
    pub(super) base: usize,
    pub(super) nodes: Vec<Walk>,
    pub(super) doing: Doing,
    /// Whose node it has taken over.
    pub(super) boss: Option<usize>,
    /// The node that it has given away.
    pub(super) fork: Option<Fork>,
    /// Nobody wants to know what it searches.
    pub(super) stopped: bool,
    /// Its open nodes, and those whose other moves a helper has searched: bit *n* is the node of ply *n*.
    pub(super) open: u16,
    pub(super) closed: u16,
    /// What the node just left tells the one above.
    pub(super) child: Child,
    /// What it searches alone.
    pub(super) tape: Tape,
}

#[derive(Clone, Copy)]
pub(super) struct Fork {
    pub(super) ply: usize,
    pub(super) helper: usize,
    /// What the helper has found: whether the node reaches its bound.
    pub(super) found: Option<bool>,
}

/// What a thread does in its next slot.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Doing {
    #[default]
    Nothing,
    /// So many passes, and what the last one finds.
    Pass(u32, Following),
    /// The first half of a move, or of taking it back.
    Hop(Act),
    Act(Act),
    /// It plays its tape.
    Play,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Enter,
    EnterNull,
    Retract,
    /// Fetches the position below the node that it has taken over.
    Join,
    /// Waits for its helper.
    Wait,
}

/// A node that is done, as the node above sees it.
#[derive(Clone, Copy, Default)]
pub(super) enum Child {
    /// It reaches its bound, or is illegal: its move is no good.
    #[default]
    Refutes,
    Fails,
    /// A helper has refuted the node above.
    Helped,
    /// A helper has tried all other moves.
    Last,
}

impl Thread {
    /// The ply that the board is at in the next slot.
    pub(super) fn ply(&self) -> usize {
        let below = matches!(
            self.doing,
            Doing::Hop(Act::Enter) | Doing::Act(Act::Enter | Act::EnterNull | Act::Join | Act::Wait) | Doing::Play
        );
        (self.base + self.nodes.len() + usize::from(below)).saturating_sub(1)
    }

    /// Whether it searches.
    pub(super) fn is_busy(&self) -> bool {
        !matches!(self.doing, Doing::Nothing | Doing::Act(Act::Wait))
    }

    /// Whether the next slot is the first half of a move, or of taking it back.
    pub(super) fn hops(&self) -> bool {
        match self.doing {
            Doing::Hop(_) => true,
            Doing::Play => self.tape.hops(),
            _ => false,
        }
    }

    /// The node that is being searched.
    pub(super) fn top(&mut self) -> &mut Walk {
        self.nodes.last_mut().expect("a thread that searches has a node")
    }

    /// Takes the last move back.
    pub(super) fn go_up(&mut self, child: Child) -> Step {
        self.child = child;
        let node = self.top();
        self.doing = match node.tried.hops && !node.passed {
            true => Doing::Hop(Act::Retract),
            false => Doing::Act(Act::Retract),
        };
        Step::Up
    }
}

/// Nodes of plies that are too far from the root have no bit.
pub(super) fn bit(ply: usize) -> u16 {
    1u16.checked_shl(ply as u32).unwrap_or(0)
}

pub(super) fn bits_below(ply: usize) -> u16 {
    bit(ply).wrapping_sub(1)
}
