//! Resumes the members of a crew, one after the other, and has their questions answered.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Duration;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};
use tokio::time::{Sleep, sleep};

use super::{Asking, Crew, Member, Order, Post, Question, Race, Reply, Request};
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Budget, Limits};
use crate::meter::{Work, WorkMeter};
use crate::pool::Resources;
use crate::report::{Line, Listener};
use crate::search::searcher::{Memory, Searcher, Shared, Signals};
use crate::search::split::Split;
use crate::search::{Settings, Timekeeper};
use crate::table::Table;

/// Whoever answers questions.
pub(crate) trait Questions {
    /// Puts a question. An answer of `None` means that the node is to be searched here; to drop the answer takes the question back.
    fn put(&self, question: &Question) -> Answering;
}

/// An answer on its way.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Option<Reply>>>>;

/// Without boards, nobody answers.
pub(crate) struct NoQuestions;

impl Questions for NoQuestions {
    fn put(&self, _question: &Question) -> Answering {
        Box::pin(std::future::ready(None))
    }
}

/// What a crew searches: owned, because each member has a stack of its own.
pub(crate) struct Task {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    pub(crate) settings: Settings,
    pub(crate) table: Arc<Table>,
    pub(crate) evaluator: Arc<Evaluator>,
    pub(crate) memory: Memory,
    pub(crate) signals: Arc<Signals>,
    pub(crate) time: Arc<dyn Timekeeper>,
    pub(crate) listener: Arc<dyn Listener>,
    /// The thread of the search that the crew is.
    pub(crate) thread: usize,
    pub(crate) known: Option<(Vec<bluebelle_spec::Move>, i32)>,
}

impl Task {
    fn shared(&self) -> Shared<'_> {
        Shared {
            table: &self.table,
            evaluator: &self.evaluator,
            limits: &self.limits,
            budget: Budget::new(&self.limits, self.settings.overhead),
            settings: &self.settings,
            time: &*self.time,
            listener: &*self.listener,
            signals: &self.signals,
            known: self.known.clone(),
        }
    }
}

/// What the first member of a crew does; the others help it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It searches until a limit ends it, and tells.
    Leads,
    /// It fills the table until the search is over.
    Helps,
}

/// A crew at work. It is done when the search is over, and gives the best lines.
pub(crate) struct Drive<'q> {
    task: Rc<Task>,
    crew: Rc<Crew>,
    role: Role,
    members: Vec<Fiber>,
    /// Members that can go on, those with news first.
    news: VecDeque<(usize, Order)>,
    paused: VecDeque<usize>,
    questions: &'q dyn Questions,
    /// Questions so far.
    asked: u64,
    work: WorkMeter,
    /// Nodes that the work meter knows of.
    nodes: u64,
    look: Duration,
    looking: Pin<Box<Sleep>>,
}

/// A member on its stack.
struct Fiber {
    stack: Coroutine<Order, Request, Vec<Line>>,
    post: Rc<RefCell<Post>>,
    state: State,
}

enum State {
    /// It is in one of the queues, or running.
    Goes,
    /// The questions of all members are numbered.
    Asks(Answering, u64),
    Waits(Rc<Split>),
    Idles,
}

/// Bytes of a member's stack. Pages that are never touched take no memory.
const STACK: usize = 2 << 20;

/// The most members, those that wait included.
const MOST_MEMBERS: usize = 96;

impl<'q> Drive<'q> {
    /// A crew for a task. It looks at the clock at least every `look` of tokio's time.
    pub(crate) fn new(
        task: Task,
        role: Role,
        (resources, asking): (Resources, Asking),
        questions: &'q dyn Questions,
        work: &WorkMeter,
        look: Duration,
    ) -> Drive<'q> {
        let mut drive = Drive {
            task: Rc::new(task),
            crew: Rc::new(Crew::new(resources, asking)),
            role,
            members: Vec::new(),
            news: VecDeque::new(),
            paused: VecDeque::new(),
            questions,
            asked: 0,
            work: work.clone(),
            nodes: 0,
            look,
            looking: Box::pin(sleep(look)),
        };
        drive.add_member();
        drive.news.push_back((0, Order::Proceed));
        drive
    }

    /// What the task's memory has learnt, if the search is over.
    pub(crate) fn into_memory(self) -> Option<Memory> {
        let Drive { task, members, .. } = self;
        drop(members);
        Rc::into_inner(task).map(|task| task.memory)
    }

    fn add_member(&mut self) -> usize {
        let index = self.members.len();
        let post = Rc::new(RefCell::new(Post::default()));
        let (task, crew, role) = (Rc::clone(&self.task), Rc::clone(&self.crew), self.role);
        let seen = Rc::clone(&post);
        let life = move |yielder: &corosensei::Yielder<Order, Request>, first: Order| {
            let member = Member {
                yielder,
                crew,
                post: seen,
                asked: Vec::new(),
            };
            let shared = task.shared();
            let mut searcher = Searcher::new(&shared, &task.memory, &task.game, task.thread, member);
            match (index, role) {
                (0, Role::Leads) => searcher.lead(),
                (0, Role::Helps) => {
                    searcher.help();
                    Vec::new()
                }
                _ => {
                    searcher.serve(first);
                    Vec::new()
                }
            }
        };
        // The system has memory for a few stacks, or for nothing else either.
        let stack = DefaultStack::new(STACK).expect("memory for a stack");
        self.members.push(Fiber {
            stack: Coroutine::with_stack(stack, life),
            post,
            state: State::Goes,
        });
        index
    }

    /// Members whose work is of no use go on, to leave it.
    fn release_unwanted(&mut self) {
        let over = self.task.signals.abort.load(Relaxed);
        for (index, member) in self.members.iter_mut().enumerate() {
            let unwanted = || {
                member
                    .post
                    .borrow()
                    .place
                    .as_ref()
                    .is_some_and(|split| split.is_unwanted())
            };
            if matches!(member.state, State::Asks(..)) && (over || unwanted()) {
                member.state = State::Goes;
                self.news.push_back((index, Order::Hear(None)));
            }
        }
    }

    /// Members whose answers have come, or whose helpers have left, go on.
    fn hear(&mut self, context: &mut Context<'_>) {
        for (index, member) in self.members.iter_mut().enumerate() {
            for race in &mut member.post.borrow_mut().races {
                if let Some(answer) = &mut race.answer
                    && let Poll::Ready(reply) = answer.as_mut().poll(context)
                {
                    race.answer = None;
                    race.reply = reply;
                    // Without a reply, the member goes on.
                    race.split.refuted.set(reply.is_some());
                    self.crew.refuted.set(true);
                    let nodes = reply.map_or(0, |reply| u64::from(reply.nodes));
                    self.task.signals.board_nodes.fetch_add(nodes, Relaxed);
                }
            }
            let order = match &mut member.state {
                State::Asks(answer, _) => match answer.as_mut().poll(context) {
                    Poll::Ready(reply) => {
                        let nodes = reply.map_or(0, |reply| u64::from(reply.nodes));
                        self.task.signals.board_nodes.fetch_add(nodes, Relaxed);
                        Order::Hear(reply)
                    }
                    Poll::Pending => continue,
                },
                State::Waits(split) if split.helpers.get() == 0 => {
                    self.crew.active.set(self.crew.active.get() + 1);
                    Order::Proceed
                }
                _ => continue,
            };
            member.state = State::Goes;
            self.news.push_back((index, order));
        }
    }

    /// Who goes on next, and how.
    fn next(&mut self) -> Option<(usize, Order)> {
        if let Some(next) = self.news.pop_front() {
            return Some(next);
        }
        if self.crew.has_room()
            && let Some(split) = self.crew.best_split()
        {
            let idle = |member: &Fiber| matches!(member.state, State::Idles);
            let helper = match self.members.iter().position(idle) {
                Some(index) => Some(index),
                None if self.members.len() < MOST_MEMBERS => Some(self.add_member()),
                None => None,
            };
            if let Some(index) = helper {
                split.helpers.set(split.helpers.get() + 1);
                self.crew.active.set(self.crew.active.get() + 1);
                self.members[index].state = State::Goes;
                self.members[index].post.borrow_mut().place = Some(Rc::clone(&split));
                return Some((index, Order::Join(split)));
            }
        }
        if let Some(index) = self.paused.pop_front() {
            return Some((index, Order::Proceed));
        }
        if !self.crew.policy.get().races {
            return None;
        }
        // All wait for boards: the node that was asked about last has the longest to wait, and is searched here too.
        let asked = |(index, member): (usize, &Fiber)| match member.state {
            State::Asks(_, number) => Some((number, index)),
            _ => None,
        };
        let (_, index) = self.members.iter().enumerate().filter_map(asked).max()?;
        Some((index, Order::Race(self.race(index)?)))
    }

    /// A board goes on with its question while the member that put it searches the node itself.
    fn race(&mut self, index: usize) -> Option<Rc<Split>> {
        let member = &mut self.members[index];
        let State::Asks(answer, _) = std::mem::replace(&mut member.state, State::Goes) else {
            return None;
        };
        let mut post = member.post.borrow_mut();
        let split = Split::asked(post.place.clone());
        post.place = Some(Rc::clone(&split));
        post.races.push(Race {
            answer: Some(answer),
            reply: None,
            split: Rc::clone(&split),
        });
        Some(split)
    }

    /// A member goes on until it stops for some reason. The best lines, if it has ended.
    fn resume(&mut self, index: usize, order: Order) -> Option<Vec<Line>> {
        let member = &mut self.members[index];
        let request = match member.stack.resume(order) {
            CoroutineResult::Yield(request) => request,
            CoroutineResult::Return(lines) => return Some(lines),
        };
        member.state = match request {
            Request::Pauses => {
                self.paused.push_back(index);
                State::Goes
            }
            Request::Asks(question) => {
                self.work.count(Work {
                    jobs: 1,
                    ..Work::default()
                });
                self.asked += 1;
                State::Asks(self.questions.put(&question), self.asked)
            }
            Request::Waits(split) => {
                self.crew.active.set(self.crew.active.get() - 1);
                State::Waits(split)
            }
            Request::Idles => State::Idles,
        };
        None
    }

    /// Ends all members but the first, whose search is over.
    fn end(&mut self) {
        self.task.signals.abort.store(true, Relaxed);
        let mut at_work = true;
        while std::mem::take(&mut at_work) {
            for index in 1..self.members.len() {
                if !matches!(self.members[index].state, State::Idles) {
                    at_work = true;
                    self.resume(index, Order::Hear(None));
                }
            }
        }
        for member in &mut self.members[1..] {
            member.stack.resume(Order::Stop);
        }
    }

    fn count_work(&mut self) {
        let nodes = self.task.signals.nodes[self.task.thread].load(Relaxed);
        self.work.count(Work {
            nodes: nodes - self.nodes,
            ..Work::default()
        });
        self.nodes = nodes;
    }
}

impl Future for Drive<'_> {
    type Output = Vec<Line>;

    /// One member goes on for one turn, so that whoever polls can see how long each takes.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Vec<Line>> {
        let drive = &mut *self;
        if drive.looking.as_mut().poll(context).is_ready() {
            drive.looking = Box::pin(sleep(drive.look));
            let _ = drive.looking.as_mut().poll(context);
            let waits = !matches!(drive.members[0].state, State::Goes);
            if drive.task.thread == 0 && waits && drive.task.shared().is_over(usize::MAX, 0) {
                drive.task.signals.abort.store(true, Relaxed);
            }
        }
        drive.hear(context);
        if drive.crew.refuted.take() || drive.task.signals.abort.load(Relaxed) {
            drive.release_unwanted();
        }
        let Some((index, order)) = drive.next() else {
            return Poll::Pending;
        };
        let lines = drive.resume(index, order);
        if lines.is_some() {
            drive.end();
        }
        drive.count_work();
        if let Some(lines) = lines {
            return Poll::Ready(lines);
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Searcher<'_, Member<'_>> {
    /// Helps with whatever there is to help with.
    fn serve(&mut self, mut order: Order) {
        loop {
            match order {
                Order::Join(split) => {
                    self.join(&split);
                    self.team.leave(&split);
                }
                Order::Stop => return,
                Order::Proceed | Order::Hear(_) | Order::Race(_) => {}
            }
            order = self.team.suspend(Request::Idles);
        }
    }
}
