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
    /// The slot of the tape that it plays next.
    slot: u32,
    /// Up to which slot nothing but this happens to it: a bit of `entered` for each slot says whether it enters a node.
    steady_until: u32,
    entered: u64,
    /// What it has last said it can give away.
    pub(super) offers: u16,
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

    /// Whether it does next what it has done last, for all that it knows.
    #[inline]
    pub(super) fn is_steady(&self) -> bool {
        self.slot < self.steady_until
    }

    /// Plays a slot, or lets it pass, and tells how many nodes are entered in it.
    #[inline]
    pub(super) fn play(&mut self) -> u32 {
        let entered = self.entered & 1;
        self.slot += 1;
        self.entered >>= 1;
        entered as u32
    }

    /// What its helper has found.
    pub(super) fn found(&self) -> Option<bool> {
        self.fork.and_then(|fork| fork.found)
    }

    /// Begins to play its tape.
    pub(super) fn rewind(&mut self) {
        self.slot = 0;
        self.doing = Doing::Play;
    }

    pub(super) fn has_played(&self) -> bool {
        self.slot == self.tape.slots
    }

    /// Sees how long it is steady.
    pub(super) fn look_ahead(&mut self) {
        (self.entered, self.steady_until) = match self.doing {
            Doing::Play => {
                let (entered, until) = self.tape.ahead(self.slot);
                (entered, until.min(self.tape.slots - 1))
            }
            Doing::Nothing => (0, u32::MAX),
            Doing::Act(Act::Wait) if self.found().is_none() => (0, u32::MAX),
            _ => (0, 0),
        };
    }

    /// Something happens to it that it must look at.
    pub(super) fn stir(&mut self) {
        self.steady_until = 0;
    }

    /// Whether the next slot is the first half of a move, or of taking it back.
    pub(super) fn hops(&self) -> bool {
        match self.doing {
            Doing::Hop(_) => true,
            Doing::Play => self.tape.hops_at(self.slot),
            _ => false,
        }
    }

    /// The node that is being searched.
    pub(super) fn top(&mut self) -> &mut Walk {
        self.nodes.last_mut().expect("a thread that searches has a node")
    }

    /// What a slot does to the nodes that it could give away, if the board was at this ply.
    pub(super) fn open_by(&mut self, ply: usize, step: Step) {
        let (here, above) = (bit(ply), bits_below(ply));
        (self.open, self.closed) = match step {
            Step::Claim => (0, 0),
            Step::Up => (self.open & above >> 1, self.closed & above),
            Step::Open => (self.open & above | here, self.closed & (above | here)),
            Step::Stay | Step::Halt => (self.open & above, self.closed & (above | here)),
        };
        let searches = !matches!(step, Step::Halt | Step::Claim) && self.fork.is_none();
        self.offers = if searches { self.open & !self.closed } else { 0 };
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

fn bits_below(ply: usize) -> u16 {
    bit(ply).wrapping_sub(1)
}
