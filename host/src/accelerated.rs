//! The engine with boards: the software's search, whose first thread is a crew that asks a pool.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bluebelle_spec::leaf::Ending;
use tokio::runtime::{Builder, Runtime};

use crate::backend::Backend;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::link::{Link, Source};
use crate::memory::MemoryError;
use crate::meter::WorkMeter;
use crate::pool::{self, Answer, Batch, Done, Pool};
use crate::report::{Line, Listener, Outcome};
use crate::search::crew::{Answering, Asking, Drive, Question, Questions, Reply, Role, Task};
use crate::search::{First, Settings, Software, Timekeeper};

/// Questions to a pool.
pub(crate) struct PoolQuestions<'p>(&'p Pool);

impl<'p> PoolQuestions<'p> {
    pub(crate) fn new(pool: &'p Pool) -> PoolQuestions<'p> {
        PoolQuestions(pool)
    }
}

impl Questions for PoolQuestions<'_> {
    fn put(&self, question: &Question) -> Answering {
        let batch = Batch {
            pruning: true,
            gang: question.gang,
            ..Batch::one(question.position, question.depth, question.beta, question.node_limit)
        };
        Box::pin(Believed(self.0.submit(batch).pop()))
    }
}

/// What a board says, if it says something.
struct Believed(Option<Answer>);

impl Future for Believed {
    type Output = Option<Reply>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Reply>> {
        let Some(answer) = &mut self.0 else {
            return Poll::Ready(None);
        };
        Pin::new(answer).poll(context).map(|outcome| {
            let outcome = outcome?;
            let holds = match outcome.ending {
                Ending::Lower => true,
                Ending::Upper => false,
                Ending::Counted | Ending::Limit | Ending::Aborted | Ending::Illegal => return None,
            };
            Some(Reply {
                holds,
                best: outcome.best,
                nodes: outcome.nodes,
            })
        })
    }
}

/// The search with boards, as the engine knows it.
pub struct Accelerated {
    name: String,
    pool: Option<Pool>,
    /// Where the boards' tasks live, also between searches.
    boards: Option<Runtime>,
    /// Where the crew lives.
    runtime: Runtime,
    software: Software,
    asking: Asking,
    /// What the boards' tasks have to say to the next listener, if there is no user.
    messages: Arc<Mutex<Vec<String>>>,
    /// Hears of boards when something happens, and of their work.
    user: Option<Arc<dyn Listener>>,
}

/// How long boards have to say who they are before the first search, in milliseconds. Those that come later join in.
const SETTLE: u64 = 1_500;

/// How long boards have to let go of their ports.
const CLOSE: Duration = Duration::from_millis(500);

/// How often a user hears of the boards' work in a long search.
const TELL: Duration = Duration::from_secs(5);

/// How often a crew looks at the clock while all of it waits.
const LOOK: Duration = Duration::from_millis(1);

impl Accelerated {
    /// Opens accelerators. The user, if there is one, hears at once what happens to them; without a
    /// user, the listeners of searches hear of trouble.
    ///
    /// # Errors
    /// If the system gives no threads. A board that is not there is no error: it is tried again and
    /// again, and the software searches alone meanwhile.
    pub fn open(
        name: &str,
        sources: &[Source],
        (software, weights): (Software, &bluebelle_spec::Weights),
        user: Option<Arc<dyn Listener>>,
    ) -> std::io::Result<Accelerated> {
        let settings = pool::Settings {
            evaluator: Arc::new(bluebelle_spec::Evaluator::new(weights)),
            model: sources.contains(&Source::Model),
            ..pool::Settings::default()
        };
        if let Some(user) = user.as_ref().filter(|_| settings.model) {
            user.message("model: in use: the golden search on this machine");
        }
        let links = sources.iter().filter_map(Source::link).collect();
        Accelerated::start(name, links, settings, software, user)
    }

    /// With boards behind these links; the settings' reports go to whoever listens to a search.
    ///
    /// # Errors
    /// If the system gives no threads, or no memory for the table.
    pub fn with_links(
        name: &str,
        links: Vec<Box<dyn Link>>,
        settings: pool::Settings,
        hash: usize,
    ) -> std::io::Result<Accelerated> {
        let software = Software::with_weights(hash, settings.evaluator.weights()).map_err(std::io::Error::other)?;
        Accelerated::start(name, links, settings, software, None)
    }

    fn start(
        name: &str,
        links: Vec<Box<dyn Link>>,
        settings: pool::Settings,
        software: Software,
        user: Option<Arc<dyn Listener>>,
    ) -> std::io::Result<Accelerated> {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let settings = match &user {
            Some(user) => {
                let (to_warn, to_tell) = (Arc::clone(user), Arc::clone(user));
                pool::Settings {
                    report: Arc::new(move |line| to_warn.message(&format!("warning {line}"))),
                    news: Arc::new(move |line| to_tell.message(line)),
                    ..settings
                }
            }
            None => {
                let heard = Arc::clone(&messages);
                let keep = move |line: &str| {
                    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                    heard.push(line.to_owned());
                };
                pool::Settings {
                    report: Arc::new(keep),
                    ..settings
                }
            }
        };
        let boards = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let runtime = Builder::new_current_thread().enable_time().build()?;
        let pool = {
            let _guard = boards.enter();
            Pool::start(links, settings)?
        };
        runtime.block_on(pool.settled(SETTLE));
        Ok(Accelerated {
            name: name.to_owned(),
            pool: Some(pool),
            boards: Some(boards),
            runtime,
            software,
            asking: Asking::default(),
            messages,
            user,
        })
    }

    /// Asks as it is told to.
    #[must_use]
    pub fn asking(mut self, asking: Asking) -> Accelerated {
        self.asking = asking;
        self
    }

    /// The boards, as long as there are any to ask.
    pub fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }

    fn tell_messages(&self, listener: &dyn Listener) {
        let messages = std::mem::take(&mut *self.messages.lock().unwrap_or_else(PoisonError::into_inner));
        for message in messages {
            listener.message(&format!("warning {message}"));
        }
    }
}

impl Backend for Accelerated {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        listener: &dyn Listener,
    ) -> Outcome {
        self.tell_messages(listener);
        let game = &game.weighed(&self.software.evaluator());
        let outcome = match &self.pool {
            // A board that comes during the search joins in at the next one.
            Some(pool) if pool.has_boards() || pool.has_model() => {
                let (runtime, asking) = (&self.runtime, self.asking);
                let mut work = Work::new(&self.name, pool, self.user.as_deref());
                let outcome = self
                    .software
                    .search_led(game, limits, settings, control, listener, |first| {
                        runtime.block_on(lead(first, pool, asking, (game, control), &mut work))
                    });
                work.tell();
                outcome
            }
            _ => {
                let outcome = self.software.search(game, limits, settings, control, listener);
                if let Some(user) = &self.user {
                    user.message(&format!("accelerator {}: not in use, searched in software", self.name));
                }
                outcome
            }
        };
        self.tell_messages(listener);
        outcome
    }

    fn evaluator(&self) -> Arc<Evaluator> {
        self.software.evaluator()
    }

    fn clear(&mut self) {
        self.software.clear();
    }

    fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        self.software.resize(megabytes)
    }

    fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }
}

/// The first thread's search, by a crew. What its members tell and ask of the outside goes through this function, because they
/// live on stacks of their own.
async fn lead(
    first: First<'_>,
    pool: &Pool,
    asking: Asking,
    (game, control): (&Game, &Control),
    work: &mut Work<'_>,
) -> Vec<Line> {
    let shared = first.shared;
    let window = Arc::new(Window::default());
    window.look_at(control);
    let task = Task {
        game: game.clone(),
        limits: shared.limits().clone(),
        settings: shared.settings().clone(),
        table: Arc::clone(first.table),
        evaluator: Arc::clone(first.evaluator),
        memory: std::mem::take(first.memory),
        signals: Arc::clone(first.signals),
        time: Arc::clone(&window) as Arc<dyn Timekeeper>,
        listener: Arc::clone(&window) as Arc<dyn Listener>,
        thread: 0,
        known: shared.known().cloned(),
    };
    let questions = PoolQuestions::new(pool);
    let mut drive = Drive::new(
        task,
        Role::Leads,
        (pool.resources(), asking),
        &questions,
        &WorkMeter::default(),
        LOOK,
    );
    let lines = std::future::poll_fn(|context| {
        window.look_at(control);
        let polled = Pin::new(&mut drive).poll(context);
        window.tell(shared.listener());
        work.tell_now_and_then(control.searching());
        polled
    })
    .await;
    *first.memory = drive.into_memory().unwrap_or_default();
    lines
}

/// What the boards have done for a search, for a user who wants to hear of it.
struct Work<'a> {
    name: &'a str,
    pool: &'a Pool,
    user: Option<&'a dyn Listener>,
    before: Done,
    next: Duration,
}

impl<'a> Work<'a> {
    fn new(name: &'a str, pool: &'a Pool, user: Option<&'a dyn Listener>) -> Work<'a> {
        Work {
            name,
            pool,
            user,
            before: pool.begin_search(),
            next: TELL,
        }
    }

    fn tell_now_and_then(&mut self, searching: Duration) {
        if searching >= self.next {
            self.next = searching + TELL;
            self.tell();
        }
    }

    fn tell(&self) {
        if let Some(user) = self.user {
            let done = self.pool.done().since(&self.before);
            user.message(&format!("accelerator {}: {done}", self.name));
        }
    }
}

/// What the members of a crew see of the outside, and what they have to say.
#[derive(Default)]
struct Window {
    nanoseconds: AtomicU64,
    /// Pondering included.
    searching: AtomicU64,
    stopped: AtomicBool,
    pondering: AtomicBool,
    said: Mutex<Vec<Said>>,
}

enum Said {
    Line(Line),
    CurrentMove(i32, bluebelle_spec::Move, usize),
    Message(String),
}

impl Window {
    fn look_at(&self, control: &Control) {
        self.nanoseconds.store(control.elapsed().as_nanos() as u64, Relaxed);
        self.searching.store(control.searching().as_nanos() as u64, Relaxed);
        self.stopped.store(control.is_stopped(), Relaxed);
        self.pondering.store(control.is_pondering(), Relaxed);
    }

    fn tell(&self, listener: &dyn Listener) {
        for said in std::mem::take(&mut *self.said()) {
            match said {
                Said::Line(line) => listener.line(&line),
                Said::CurrentMove(depth, mv, number) => listener.current_move(depth, mv, number),
                Said::Message(text) => listener.message(&text),
            }
        }
    }

    fn said(&self) -> std::sync::MutexGuard<'_, Vec<Said>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Timekeeper for Window {
    fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Relaxed))
    }

    fn searching(&self) -> Duration {
        Duration::from_nanos(self.searching.load(Relaxed))
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }
}

impl Listener for Window {
    fn line(&self, line: &Line) {
        self.said().push(Said::Line(line.clone()));
    }

    fn current_move(&self, depth: i32, mv: bluebelle_spec::Move, number: usize) {
        self.said().push(Said::CurrentMove(depth, mv, number));
    }

    fn message(&self, text: &str) {
        self.said().push(Said::Message(text.to_owned()));
    }
}

impl Drop for Accelerated {
    fn drop(&mut self) {
        self.pool = None;
        if let Some(boards) = self.boards.take() {
            // Ports are free again when their tasks are gone. What hangs in the system is not waited for.
            boards.shutdown_timeout(CLOSE);
        }
    }
}
