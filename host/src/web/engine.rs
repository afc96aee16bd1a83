//! One engine of the desk: it searches on a thread of its own, and what it finds can be looked at
//! meanwhile.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bluebelle_spec::Move;

use super::desk::Event;
use crate::backend::Backend;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::pool::{Done, Monitor, Sight};
use crate::report::{Line, Listener, Outcome};
use crate::search::Settings;
use crate::strength::{self, Strength};

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The one that plays, with boards if there are any.
    Main = 0,
    /// The software alone, beside it.
    Beside = 1,
}

/// What a search is asked.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) game: Game,
    /// Half-moves before the position.
    pub(super) ply: usize,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) strength: Option<Strength>,
}

/// What a search has told so far.
#[derive(Default)]
pub(super) struct Heard {
    /// The best lines, the best first.
    pub(super) lines: Vec<Line>,
    /// The move under search at the root, and its number.
    pub(super) current: Option<(Move, usize)>,
    /// How often something was told.
    pub(super) changes: u64,
}

/// Hears a search.
struct Ear(Arc<Mutex<Heard>>);

fn lock(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Listener for Ear {
    fn line(&self, line: &Line) {
        let mut heard = lock(&self.0);
        let at = line
            .multipv
            .map_or(0, |place| place.saturating_sub(1))
            .min(heard.lines.len());
        match heard.lines.get_mut(at) {
            Some(place) => *place = line.clone(),
            None => heard.lines.push(line.clone()),
        }
        heard.changes += 1;
    }

    fn current_move(&self, _depth: i32, mv: Move, number: usize) {
        let mut heard = lock(&self.0);
        heard.current = Some((mv, number));
        heard.changes += 1;
    }
}

/// Says that a search has ended, even if it has failed.
struct Bell {
    events: Sender<Event>,
    who: Who,
    number: u64,
}

impl Drop for Bell {
    fn drop(&mut self) {
        // A desk that is gone needs no news.
        let _ = self.events.send(Event::Ended(self.who, self.number));
    }
}

struct Running {
    control: Arc<Control>,
    thread: JoinHandle<(Box<dyn Backend>, Outcome)>,
}

/// An engine, and its search if there is one.
pub(super) struct Engine {
    who: Who,
    /// Not here while it searches.
    backend: Option<Box<dyn Backend>>,
    running: Option<Running>,
    /// The number of the search, so that news of an older one are told apart.
    number: u64,
    heard: Arc<Mutex<Heard>>,
    /// What is searched, or was searched last.
    task: Option<Task>,
    monitor: Option<Monitor>,
    work: WorkSeen,
}

impl Engine {
    pub(super) fn new(who: Who) -> Engine {
        Engine {
            who,
            backend: None,
            running: None,
            number: 0,
            heard: Arc::default(),
            task: None,
            monitor: None,
            work: WorkSeen::default(),
        }
    }

    /// Searches with this from now on.
    pub(super) fn install(&mut self, backend: Box<dyn Backend>) {
        self.stop();
        self.monitor = backend.pool().map(|pool| pool.monitor());
        self.backend = Some(backend);
        self.work = WorkSeen::default();
    }

    /// Lets go of what it searches with, and of the ports that belong to it.
    pub(super) fn remove(&mut self) {
        self.stop();
        self.backend = None;
        self.monitor = None;
        self.forget();
    }

    pub(super) const fn is_ready(&self) -> bool {
        self.backend.is_some()
    }

    pub(super) const fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// What is searched, or was searched last.
    pub(super) const fn task(&self) -> Option<&Task> {
        self.task.as_ref()
    }

    /// How long it has been searching.
    pub(super) fn time(&self) -> Option<Duration> {
        self.running.as_ref().map(|running| running.control.searching())
    }

    pub(super) fn heard(&self) -> MutexGuard<'_, Heard> {
        lock(&self.heard)
    }

    /// Forgets the table and the history: a new game begins.
    pub(super) fn clear(&mut self) {
        self.stop();
        if let Some(backend) = &mut self.backend {
            backend.clear();
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.heard = Arc::default();
        self.task = None;
        self.work = WorkSeen::default();
    }

    /// Begins a search, if there is something to search with and no search is under way.
    pub(super) fn start(&mut self, task: &Task, events: &Sender<Event>) {
        if self.running.is_some() {
            return;
        }
        let Some(mut backend) = self.backend.take() else {
            return;
        };
        self.number += 1;
        self.heard = Arc::default();
        self.task = Some(task.clone());
        self.work = WorkSeen::new(self.monitor.as_ref());
        let control = Arc::new(Control::new(false));
        let thread = thread::spawn({
            let (control, ear, mut task) = (Arc::clone(&control), Ear(Arc::clone(&self.heard)), task.clone());
            let bell = Bell {
                events: events.clone(),
                who: self.who,
                number: self.number,
            };
            move || {
                let _bell = bell;
                if let Some(strength) = task.strength {
                    strength.restrain(&mut task.limits, &mut task.settings);
                }
                let mut outcome = backend.search(&task.game, &task.limits, &task.settings, &control, &ear);
                if let Some(strength) = task.strength {
                    let seed = strength::seed(outcome.nodes, outcome.best());
                    strength.choose(&task.game, &task.limits, &mut outcome, seed);
                }
                (backend, outcome)
            }
        });
        self.running = Some(Running { control, thread });
    }

    /// Tells the search to end with what it has; its end is told as always.
    pub(super) fn hurry(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    /// Ends the search, if there is one, and waits for it; what it has found is dropped.
    pub(super) fn stop(&mut self) {
        self.hurry();
        self.number += 1;
        self.join();
    }

    /// What the search with this number has found, once it has ended by itself. `None` if it is not
    /// the search that is under way, or if it has failed: then the engine has nothing to search
    /// with any more.
    pub(super) fn take(&mut self, number: u64) -> Option<Outcome> {
        match number == self.number {
            true => self.join(),
            false => None,
        }
    }

    fn join(&mut self) -> Option<Outcome> {
        let (backend, outcome) = self.running.take()?.thread.join().ok()?;
        self.backend = Some(backend);
        Some(outcome)
    }

    /// What the boards are and do.
    pub(super) fn sight(&mut self) -> Option<(Sight, Work)> {
        let sight = self.monitor.as_ref()?.look()?;
        let work = self.work.look(sight.done);
        Some((sight, work))
    }
}

/// The boards' work since a search began, and how fast it is just now.
pub(super) struct Work {
    pub(super) search: Done,
    /// What was done in `span`, the last second or less.
    pub(super) lately: Done,
    pub(super) span: Duration,
}

/// What was seen of the boards' work.
#[derive(Default)]
struct WorkSeen {
    before: Done,
    /// Readings of the last second.
    readings: VecDeque<(Instant, Done)>,
}

/// Over which time speeds are told.
const LATELY: Duration = Duration::from_secs(1);

impl WorkSeen {
    fn new(monitor: Option<&Monitor>) -> WorkSeen {
        let before = monitor
            .and_then(Monitor::look)
            .map_or_else(Done::default, |sight| sight.done);
        WorkSeen {
            before,
            readings: VecDeque::from([(Instant::now(), before)]),
        }
    }

    fn look(&mut self, done: Done) -> Work {
        let now = Instant::now();
        self.readings.push_back((now, done));
        while self.readings.len() > 2 && now - self.readings[0].0 > LATELY {
            self.readings.pop_front();
        }
        let (since, earlier) = self.readings[0];
        Work {
            search: done.since(&self.before),
            lately: done.since(&earlier),
            span: now - since,
        }
    }
}
