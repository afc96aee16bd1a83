use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::{Poll, Waker};

/// How many leaves that turn out to be too large a turn has room for.
const LEAVES: u64 = 4;

/// The most nodes in a turn: half a millisecond's.
const MOST_NODES: u64 = 4_096;

/// The most nodes of the tree in a turn. Those of a long forced line may all end in what is known, without a leaf between them.
const MOST_VISITS: u64 = 1_024;

/// So many may help, as far as they are still there, before it is looked who is.
const MOST_HELPERS: usize = 1024;

/// What can be done about a job that is out if there is nothing else to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Help {
    /// To ask for smaller jobs in its place. The job that has been out for the longest is the largest, and the one that most is waited for.
    Split,
    /// To search it here. The job sent last takes the longest until it is answered.
    Search,
}

/// How many of those that wait for a turn are called at once.
const CALLED: usize = 8;

/// What the host's thread does from one wait to the next. Leaves that it tries itself take time, in which results of boards lie
/// unheard: so when a turn has had its share of nodes, the others wait for the next one.
pub(super) struct Turn {
    /// Nodes of leaves in this turn, and how many are its share.
    nodes: Cell<u64>,
    share: Cell<u64>,
    /// Nodes of the tree in this turn.
    visits: Cell<u64>,
    waiting: RefCell<VecDeque<Waker>>,
    /// Those that could help if there is nothing else to do, in the order in which they came.
    splitters: RefCell<VecDeque<Helper>>,
    searchers: RefCell<VecDeque<Helper>>,
}

/// Who waits until help is wanted.
struct Helper {
    asked: Rc<Cell<bool>>,
    waker: Waker,
}

impl Helper {
    /// Whoever is gone holds its sign no more.
    fn is_there(&self) -> bool {
        Rc::strong_count(&self.asked) > 1
    }
}

impl Default for Turn {
    fn default() -> Turn {
        Turn {
            nodes: Cell::new(0),
            share: Cell::new(MOST_NODES),
            visits: Cell::new(0),
            waiting: RefCell::default(),
            splitters: RefCell::default(),
            searchers: RefCell::default(),
        }
    }
}

impl Turn {
    /// Leaves are tried for so many nodes each, and at least one.
    pub(super) fn set_patience(&self, nodes: u32) {
        self.share.set((LEAVES * u64::from(nodes)).min(MOST_NODES));
    }

    pub(super) fn count(&self, nodes: u32) {
        self.nodes.set(self.nodes.get() + u64::from(nodes));
    }

    pub(super) fn is_over(&self) -> bool {
        self.nodes.get() >= self.share.get() || self.has_visited_enough()
    }

    fn has_visited_enough(&self) -> bool {
        self.visits.get() >= MOST_VISITS
    }

    /// Counts a node of the tree, in another turn if this one has had enough of them.
    pub(super) async fn visit(&self) {
        if self.has_visited_enough() {
            self.another().await;
        }
        self.visits.set(self.visits.get() + 1);
    }

    /// Waits for a turn that is not over.
    pub(super) async fn another(&self) {
        let mut called = false;
        poll_fn(|context| {
            if called && !self.is_over() {
                return Poll::Ready(());
            }
            called = true;
            self.waiting.borrow_mut().push_back(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// Waits until the host has nothing else to do.
    pub(super) async fn idle(&self, help: Help) {
        let asked = Rc::new(Cell::new(false));
        poll_fn(|context| {
            if asked.get() {
                return Poll::Ready(());
            }
            let mut helpers = self.helpers(help).borrow_mut();
            if helpers.len() >= MOST_HELPERS {
                helpers.retain(Helper::is_there);
            }
            if Rc::strong_count(&asked) == 1 {
                helpers.push_back(Helper {
                    asked: Rc::clone(&asked),
                    waker: context.waker().clone(),
                });
            }
            Poll::Pending
        })
        .await;
    }

    const fn helpers(&self, help: Help) -> &RefCell<VecDeque<Helper>> {
        match help {
            Help::Split => &self.splitters,
            Help::Search => &self.searchers,
        }
    }

    fn ask_for_help(&self, may_split: bool) -> bool {
        let splitter = may_split.then(|| self.next_helper(Help::Split)).flatten();
        let Some(helper) = splitter.or_else(|| self.next_helper(Help::Search)) else {
            return false;
        };
        helper.asked.set(true);
        helper.waker.wake();
        true
    }

    fn next_helper(&self, help: Help) -> Option<Helper> {
        let mut helpers = self.helpers(help).borrow_mut();
        loop {
            let helper = match help {
                Help::Split => helpers.pop_front(),
                Help::Search => helpers.pop_back(),
            }?;
            if helper.is_there() {
                return Some(helper);
            }
        }
    }

    /// Runs a search turn by turn, as long as `goes_on` says so when a turn has had its share; `None` if it was ended by that. Jobs are
    /// split when `may_split` says so.
    pub(super) async fn each<F: Future>(
        &self,
        search: F,
        goes_on: impl Fn() -> bool,
        may_split: impl Fn() -> bool,
    ) -> Option<F::Output> {
        let mut search = Box::pin(search);
        poll_fn(|context| {
            if self.is_over() && !goes_on() {
                return Poll::Ready(None);
            }
            self.nodes.set(0);
            self.visits.set(0);
            let called: Vec<Waker> = {
                let mut waiting = self.waiting.borrow_mut();
                let count = waiting.len().min(CALLED);
                waiting.drain(..count).collect()
            };
            called.into_iter().for_each(Waker::wake);
            let polled = search.as_mut().poll(context).map(Some);
            // Some of those that wait may be gone. The others are not forgotten.
            if polled.is_pending() && (!self.waiting.borrow().is_empty() || self.ask_for_help(may_split())) {
                context.waker().wake_by_ref();
            }
            polled
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::task::Context;

    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use futures_util::task::noop_waker;

    use super::*;

    /// How many polls a search takes, and what it found.
    fn polls<F: Future>(turn: &Turn, search: F) -> (usize, F::Output) {
        let waker = noop_waker();
        let mut running = Box::pin(turn.each(search, || true, || true));
        for count in 1..100 {
            if let Poll::Ready(found) = running.as_mut().poll(&mut Context::from_waker(&waker)) {
                return (count, found.expect("it may go on"));
            }
        }
        panic!("it hangs");
    }

    #[test]
    fn turns_have_their_share() {
        let turn = Turn::default();
        turn.set_patience(10);
        // 40 nodes are a turn's share, so that of five leaves of 30 nodes two are tried in each.
        let leaf = || async {
            if turn.is_over() {
                turn.another().await;
            }
            turn.count(30);
        };
        assert_eq!(polls(&turn, join_all([leaf(), leaf(), leaf(), leaf(), leaf()])).0, 3);
    }

    #[test]
    fn nodes_without_leaves_have_an_end_too() {
        let turn = Turn::default();
        let search = async {
            for _ in 0..10 * MOST_VISITS {
                turn.visit().await;
            }
        };
        assert_eq!(polls(&turn, search).0, 10);
    }

    #[test]
    fn whoever_waits_and_is_gone_is_not_waited_for() {
        let turn = Turn::default();
        turn.set_patience(1);
        let search = async {
            turn.count(4);
            for _ in 0..20 {
                assert!(turn.another().now_or_never().is_none());
                assert!(turn.idle(Help::Search).now_or_never().is_none());
                assert!(turn.idle(Help::Split).now_or_never().is_none());
            }
            turn.another().await;
            turn.idle(Help::Search).await;
        };
        // 20 that are gone are called eight at a time.
        assert_eq!(polls(&turn, search).0, 5);
    }

    #[test]
    fn the_first_to_come_is_split_and_then_the_last_searched() {
        let turn = Turn::default();
        let order = RefCell::new(Vec::new());
        let helper = |name: u8, help| {
            let (turn, order) = (&turn, &order);
            async move {
                turn.idle(help).await;
                order.borrow_mut().push(name);
            }
        };
        let helpers = [(1, Help::Search), (2, Help::Split), (3, Help::Search), (4, Help::Split)];
        polls(&turn, join_all(helpers.map(|(name, help)| helper(name, help))));
        assert_eq!(*order.borrow(), [2, 4, 3, 1]);
    }

    #[test]
    fn nothing_is_split_before_its_time() {
        let turn = Turn::default();
        let (time, waker) = (Cell::new(false), noop_waker());
        let mut context = Context::from_waker(&waker);
        let mut running = Box::pin(turn.each(turn.idle(Help::Split), || true, || time.get()));
        for _ in 0..3 {
            assert_eq!(running.as_mut().poll(&mut context), Poll::Pending);
        }
        time.set(true);
        assert_eq!(running.as_mut().poll(&mut context), Poll::Pending, "it is called");
        assert_eq!(running.as_mut().poll(&mut context), Poll::Ready(Some(())));
    }

    #[test]
    fn a_search_can_be_ended_between_turns() {
        let turn = Turn::default();
        turn.set_patience(1);
        let search = async {
            loop {
                turn.count(4);
                turn.another().await;
            }
        };
        let waker = noop_waker();
        let (mut context, mut running) = (
            Context::from_waker(&waker),
            Box::pin(turn.each(search, || false, || true)),
        );
        assert_eq!(running.as_mut().poll(&mut context), Poll::Pending, "its first turn");
        assert_eq!(running.as_mut().poll(&mut context), Poll::Ready(None::<()>));
    }
}
