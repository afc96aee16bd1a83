//! Many searches of one tree on one thread, each on a stack of its own, and questions to boards.
//!
//! A *member* runs until it asks a question, waits for helpers, is out of work or has done its turn; then the
//! [`Drive`] resumes another. So the tree is searched by the same calls as in software, and is as deterministic as the
//! answers are. The [`Policy`] says which nodes are asked and when the moves of a node are shared.
//!
//! ```text
//! search ─▶ may_ask? ─▶ Asks ─▶ Drive ─▶ Questions (the pool) ─▶ a board
//!        ─▶ wants_work? ─▶ open ─▶ Split ─▶ an idle member joins
//! ```

mod drive;
mod policy;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bluebelle_spec::{Move, Position};
use corosensei::Yielder;

use super::split::Split;
use super::team::{Answered, Asked, Heard, Team};
use crate::pool::Resources;

pub(crate) use drive::{Answering, Drive, NoQuestions, Questions, Role, Task};
pub use policy::Asking;
use policy::Policy;

/// A question on its way to a board: is the position worth at least `beta`?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) position: Position,
    pub(crate) beta: i16,
    /// Plies that the board searches before quiescence.
    pub(crate) depth: u8,
    pub(crate) node_limit: u32,
    pub(crate) gang: bool,
}

/// What a board says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) holds: bool,
    pub(crate) best: Move,
    pub(crate) nodes: u32,
}

/// Why a member stops for now.
enum Request {
    /// Its turn is over.
    Pauses,
    /// It cannot go on without an answer.
    Asks(Question),
    /// It cannot go on before the helpers of a split have left.
    Waits(Rc<Split>),
    /// It has nothing to do.
    Idles,
}

/// What a member does next.
enum Order {
    /// It goes on, because its turn has come or what it waited for is there.
    Proceed,
    /// It takes this answer; without one, it searches the node itself.
    Hear(Option<Reply>),
    /// It searches the node itself, as part of this split, until the answer is there.
    Race(Rc<Split>),
    /// It helps with the moves of a node.
    Join(Rc<Split>),
    /// It ends.
    Stop,
}

/// What the members of a crew know of each other.
struct Crew {
    resources: Resources,
    asking: Asking,
    policy: Cell<Policy>,
    /// Questions without an answer.
    out: Cell<usize>,
    /// Members that search or ask.
    active: Cell<usize>,
    /// Splits whose moves are not all taken.
    splits: RefCell<Vec<Rc<Split>>>,
    /// A split was refuted since the drive last looked.
    refuted: Cell<bool>,
}

/// Splits that wait for helpers, at most: more would be opened than joined.
const MOST_OPEN: usize = 8;

impl Crew {
    fn new(resources: Resources, asking: Asking) -> Crew {
        Crew {
            policy: Cell::new(Policy::new(&resources, asking, 1)),
            resources,
            asking,
            out: Cell::new(0),
            active: Cell::new(1),
            splits: RefCell::default(),
            refuted: Cell::new(false),
        }
    }

    /// Whether another member would find something to do that is not waiting.
    fn has_room(&self) -> bool {
        let policy = self.policy.get();
        self.out.get() < policy.questions && self.active.get() < policy.members
    }

    /// The split that most is left to do for.
    fn best_split(&self) -> Option<Rc<Split>> {
        let mut splits = self.splits.borrow_mut();
        splits.retain(|split| split.has_work());
        splits.iter().max_by_key(|split| split.depth).cloned()
    }
}

/// One of a crew's searches, as the crew knows it.
struct Member<'y> {
    yielder: &'y Yielder<Order, Request>,
    crew: Rc<Crew>,
    /// What the drive sees of it.
    post: Rc<RefCell<Post>>,
    /// The depths of the nodes that it has asked about and not yet heard of.
    asked: Vec<i32>,
}

/// What a member and the drive tell each other.
#[derive(Default)]
struct Post {
    /// The innermost split that the search belongs to.
    place: Option<Rc<Split>>,
    /// Questions whose nodes the search searches itself meanwhile, the outermost first.
    races: Vec<Race>,
}

/// A node that a board and a member search.
struct Race {
    answer: Option<Answering>,
    reply: Option<Reply>,
    split: Rc<Split>,
}

impl Member<'_> {
    /// Lets the drive resume others until this one is resumed.
    fn suspend(&self, request: Request) -> Order {
        self.yielder.suspend(request)
    }

    /// The search has left a split that it had joined.
    fn leave(&self, split: &Split) {
        split.helpers.set(split.helpers.get() - 1);
        self.crew.active.set(self.crew.active.get() - 1);
        self.set_place(None);
    }

    fn set_place(&self, place: Option<Rc<Split>>) {
        self.post.borrow_mut().place = place;
    }

    /// What a reply says about the node that was asked about last.
    fn hear(&mut self, reply: Option<Reply>) -> Option<Answered> {
        self.crew.out.set(self.crew.out.get() - 1);
        let depth = self.asked.pop()?;
        let reply = reply?;
        Some(Answered {
            holds: reply.holds,
            best: reply.best,
            worth: depth,
        })
    }
}

impl Team for Member<'_> {
    const SHARES: bool = true;
    const NODES_A_TURN: u64 = 64;

    fn begin_iteration(&mut self, depth: i32) {
        self.crew
            .policy
            .set(Policy::new(&self.crew.resources, self.crew.asking, depth));
    }

    fn pause(&mut self) {
        self.suspend(Request::Pauses);
    }

    fn is_unwanted(&self) -> bool {
        self.post
            .borrow()
            .place
            .as_ref()
            .is_some_and(|split| split.is_unwanted())
    }

    #[inline]
    fn may_ask(&self, depth: i32) -> bool {
        let policy = self.crew.policy.get();
        (policy.least..=policy.most).contains(&depth) && self.crew.out.get() < policy.questions
    }

    fn ask(&mut self, asked: Asked<'_>) -> Heard {
        let policy = self.crew.policy.get();
        let (Ok(position), Ok(beta)) = (asked.board.position(), i16::try_from(asked.beta)) else {
            return Heard::Nothing;
        };
        let question = Question {
            position,
            beta,
            depth: policy.board_depth(asked.depth),
            node_limit: policy.node_limit,
            gang: policy.gang,
        };
        self.crew.out.set(self.crew.out.get() + 1);
        self.asked.push(asked.depth);
        match self.suspend(Request::Asks(question)) {
            Order::Hear(reply) => self.hear(reply).map_or(Heard::Nothing, Heard::Answer),
            Order::Race(race) => Heard::Race(race),
            Order::Proceed | Order::Join(_) | Order::Stop => {
                self.hear(None);
                Heard::Nothing
            }
        }
    }

    fn settle(&mut self, race: Rc<Split>) -> Option<Answered> {
        self.set_place(race.above().cloned());
        let reply = self.post.borrow_mut().races.pop().and_then(|race| race.reply);
        self.hear(reply)
    }

    #[inline]
    fn wants_work(&self, depth: i32) -> bool {
        let crew = &*self.crew;
        depth >= crew.policy.get().split && crew.has_room() && crew.splits.borrow().len() < MOST_OPEN
    }

    fn open(&mut self, split: &Rc<Split>) {
        self.crew.splits.borrow_mut().push(Rc::clone(split));
        self.set_place(Some(Rc::clone(split)));
    }

    fn close(&mut self, split: &Rc<Split>) {
        split.spent.set(true);
        while split.helpers.get() > 0 {
            self.suspend(Request::Waits(Rc::clone(split)));
        }
        self.set_place(split.above().cloned());
    }

    fn refute(&mut self, split: &Rc<Split>) {
        split.refuted.set(true);
        self.crew.refuted.set(true);
    }

    fn place(&self) -> Option<Rc<Split>> {
        self.post.borrow().place.clone()
    }
}

#[cfg(test)]
mod tests;
