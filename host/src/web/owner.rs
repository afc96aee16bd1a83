//! The desk itself: it owns the game and the engines, obeys all tabs, and tells them what has come
//! of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::watch;

use super::TICK;
use super::desk::Event;
use super::engine::{Engine, Task, Who};
use super::record::Record;
use super::request::{Choice, Mode, Request};
use super::view::{BoardsView, EngineViewer, GameView, LiveView};
use crate::backend::{self, Backend, BackendError};
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::Limits;
use crate::report::{Line, Listener, Outcome};
use crate::search::{Settings, Software};
use crate::strength::Strength;
use crate::{lenient, notation, pgn};

/// How many remarks about boards are kept.
const MOST_REMARKS: usize = 12;

/// How long an endless search goes on when no tab looks.
const ALONE: Duration = Duration::from_secs(30);

/// Hears what happens to boards.
struct Ear(Sender<Event>);

impl Listener for Ear {
    fn line(&self, _: &Line) {}

    fn message(&self, text: &str) {
        // A desk that has ended needs no word.
        let _ = self.0.send(Event::Remark(text.to_owned()));
    }
}

/// What is being opened.
pub(super) struct Opening {
    number: u64,
    name: String,
    thread: JoinHandle<()>,
}

/// The game, the engines, and what tabs see.
pub(super) struct Owner {
    pub(super) record: Record,
    pub(super) evaluator: Arc<Evaluator>,
    pub(super) mode: Mode,
    pub(super) choice: Choice,
    pub(super) request: backend::Request,
    pub(super) main: Engine,
    pub(super) beside: Engine,
    pub(super) viewers: [EngineViewer; 2],
    pub(super) opening: Option<Opening>,
    pub(super) openings: u64,
    pub(super) remarks: Vec<String>,
    /// An endless search has ended by itself: there is nothing more to find in this position.
    pub(super) exhausted: bool,
    pub(super) events: Sender<Event>,
    pub(super) waiting: Arc<AtomicUsize>,
    pub(super) tabs: Arc<AtomicUsize>,
    pub(super) looks: Arc<AtomicUsize>,
    /// When a tab was open last, or a program looked.
    pub(super) seen: Instant,
    pub(super) game: watch::Sender<Utf8Bytes>,
    pub(super) live: watch::Sender<Utf8Bytes>,
    pub(super) pgn: watch::Sender<Utf8Bytes>,
}

impl Owner {
    pub(super) fn work(mut self, inbox: &Receiver<Event>) {
        let mut changed = false;
        let mut told = Instant::now();
        loop {
            match inbox.recv_timeout(TICK.saturating_sub(told.elapsed())) {
                Ok(Event::Close) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(event) => changed |= self.hear(event),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if told.elapsed() >= TICK {
                changed |= self.rest_if_alone();
                self.tell(changed);
                changed = false;
                told = Instant::now();
            }
        }
        self.main.remove();
        self.beside.remove();
    }

    /// Obeys; whether the game or its settings may have changed.
    fn hear(&mut self, event: Event) -> bool {
        match event {
            Event::Asked(request, reply) => {
                self.waiting.fetch_sub(1, Relaxed);
                self.seen = Instant::now();
                if let Err(problem) = self.obey(request) {
                    // A tab that has stopped reading misses it.
                    let _ = reply.try_send(problem);
                }
                self.proceed();
            }
            Event::Ended(who, number) => self.ended(who, number),
            Event::Opened(number, opened) => self.opened(number, opened),
            Event::Remark(text) => {
                self.remark(text);
                return false;
            }
            Event::Close => {}
        }
        true
    }

    fn remark(&mut self, text: String) {
        // What was done is on the page in numbers.
        if text.starts_with("accelerator ") && text.contains(" jobs, ") || self.remarks.last() == Some(&text) {
            return;
        }
        if self.remarks.len() == MOST_REMARKS {
            self.remarks.remove(0);
        }
        self.remarks.push(text);
    }

    fn obey(&mut self, request: Request) -> Result<(), String> {
        self.exhausted = false;
        match request {
            Request::Move { text, ply } => self.play(&text, ply)?,
            Request::Show { ply } => {
                if self.mode == Mode::Analyse {
                    self.stop();
                }
                self.record.show(ply);
            }
            Request::Back {} => {
                self.stop();
                let mode = self.mode;
                if !self.record.take_back(|side| !mode.plays(side)) {
                    return Err("there is no move to take back".to_owned());
                }
            }
            Request::New {} => {
                let start = Game::initial(&self.evaluator);
                self.begin(Record::new(start));
                if matches!(self.mode, Mode::Watch | Mode::Analyse) {
                    self.mode = Mode::White;
                }
            }
            Request::Set { text } => {
                let record = self.read(&text)?;
                self.begin(record);
                if !matches!(self.mode, Mode::Analyse) {
                    self.mode = Mode::Rest;
                }
            }
            Request::Mode { mode } => {
                self.stop();
                self.mode = mode;
            }
            Request::Now {} => match self.main.is_searching() {
                true => self.main.hurry(),
                false => return Err("no search is under way".to_owned()),
            },
            Request::Choose {
                seconds,
                elo,
                threads,
                lines,
                beside,
                eager,
            } => {
                self.stop();
                if let Some(eager) = eager {
                    self.choice.eager = eager;
                    self.request.eager = eager;
                    self.open_accelerator();
                }
                let choice = &mut self.choice;
                choice.seconds = seconds.unwrap_or(choice.seconds);
                choice.elo = elo.unwrap_or(choice.elo);
                choice.threads = threads.unwrap_or(choice.threads);
                choice.lines = lines.unwrap_or(choice.lines);
                self.put_beside(beside.unwrap_or(self.choice.beside))?;
            }
            Request::Accelerator { name } => {
                self.choice.accelerator = name.trim().to_owned();
                self.request.accelerator.clone_from(&self.choice.accelerator);
                self.open_accelerator();
            }
        }
        Ok(())
    }

    fn play(&mut self, text: &str, ply: usize) -> Result<(), String> {
        if ply != self.record.shown() {
            return Err("the position has changed meanwhile: look again".to_owned());
        }
        if let Some((_, over)) = self.record.over() {
            return Err(format!("the game is over: {over}"));
        }
        let board = self.record.game().board();
        let Some(mv) = notation::parse(board, text) else {
            return Err(format!("'{text}' is not a legal move here"));
        };
        if self.mode.plays(board.turn()) && self.record.is_at_end() {
            return Err("it is the engine's turn: take its side, or let it move".to_owned());
        }
        self.stop();
        self.record.play(mv, &self.evaluator)
    }

    /// A position, or a game.
    fn read(&self, text: &str) -> Result<Record, String> {
        let text = text.trim();
        if text.is_empty() || text == "startpos" {
            return Ok(Record::new(Game::initial(&self.evaluator)));
        }
        if text.contains("1.") || text.starts_with('[') {
            let read = pgn::read(text, 1, &self.evaluator).map_err(|problem| problem.to_string())?;
            return Record::of(read.start, &read.moves, &self.evaluator);
        }
        let given = lenient::parse(text).map_err(|problem| format!("neither a FEN nor a PGN: {problem}"))?;
        Ok(Record::new(Game::new(&given.fen, &self.evaluator)))
    }

    fn begin(&mut self, record: Record) {
        self.main.clear();
        self.beside.clear();
        self.viewers = Default::default();
        self.record = record;
    }

    fn stop(&mut self) {
        self.judge();
        self.main.stop();
        self.beside.stop();
    }

    /// Puts the software beside the boards, or takes it away.
    fn put_beside(&mut self, beside: bool) -> Result<(), String> {
        if beside && !self.beside.is_ready() {
            let weights = self.request.weights().map_err(|problem| problem.to_string())?;
            let software =
                Software::with_weights(self.request.hash, &weights).map_err(|problem| problem.to_string())?;
            self.beside.install(Box::new(software));
        } else if !beside {
            self.beside.remove();
        }
        self.choice.beside = beside;
        Ok(())
    }

    /// Opens the accelerators that are chosen, on a thread of its own: the chip's simulation may
    /// have to be built first.
    pub(super) fn open_accelerator(&mut self) {
        self.stop();
        // A port has one user at a time: the old engine goes before the new one comes, and so does
        // one on its way.
        self.main.remove();
        let earlier = self.opening.take().map(|opening| opening.thread);
        self.openings += 1;
        let (number, events, request) = (self.openings, self.events.clone(), self.request.clone());
        let thread = thread::spawn(move || {
            if let Some(earlier) = earlier {
                // Whether the earlier one has failed is its own matter.
                let _ = earlier.join();
            }
            let opened = backend::open_telling(&request, Arc::new(Ear(events.clone())));
            // A desk that has ended drops the engine.
            let _ = events.send(Event::Opened(number, opened));
        });
        let name = match self.request.accelerator.as_str() {
            "" => "the software".to_owned(),
            name => name.to_owned(),
        };
        self.opening = Some(Opening { number, name, thread });
    }

    fn opened(&mut self, number: u64, opened: Result<Box<dyn Backend>, BackendError>) {
        if self.opening.as_ref().is_none_or(|opening| opening.number != number) {
            return;
        }
        self.opening = None;
        match opened {
            Ok(backend) => self.main.install(backend),
            Err(problem) => {
                self.remark(format!("error: {problem}"));
                if !self.request.accelerator.is_empty() {
                    self.choice.accelerator.clear();
                    self.request.accelerator.clear();
                    self.open_accelerator();
                }
            }
        }
        self.proceed();
    }

    fn ended(&mut self, who: Who, number: u64) {
        if who == Who::Beside {
            self.beside.take(number);
            return;
        }
        let was_searching = self.main.is_searching();
        self.judge();
        match self.main.take(number) {
            Some(outcome) => {
                self.beside.stop();
                self.answer(&outcome);
                self.proceed();
            }
            None if was_searching && !self.main.is_searching() => {
                self.remark("error: the search has failed; the engine is opened again".to_owned());
                self.open_accelerator();
            }
            None => {}
        }
    }

    /// Plays the move that was found, if it is for the engine to play.
    fn answer(&mut self, outcome: &Outcome) {
        if self.mode == Mode::Analyse {
            self.exhausted = true;
            return;
        }
        self.record.show(usize::MAX);
        let board = self.record.game().board();
        let mv = outcome.best();
        if self.mode.plays(board.turn()) && board.is_legal(mv) && self.record.play(mv, &self.evaluator).is_err() {
            self.mode = Mode::Rest;
        }
    }

    /// Keeps in the record what the engines think of their positions.
    fn judge(&mut self) {
        for (who, engine) in [(Who::Main, &self.main), (Who::Beside, &self.beside)] {
            let ply = engine.task().map(|task| task.ply);
            let score = engine.heard().lines.first().map(|line| line.score);
            if let (Some(ply), Some(score), true) = (ply, score, engine.is_searching()) {
                self.record.judge(who, ply, score);
            }
        }
    }

    /// Begins the search that the mode and the position ask for.
    fn proceed(&mut self) {
        if self.opening.is_some() || self.main.is_searching() {
            return;
        }
        let endless = self.mode == Mode::Analyse;
        if !endless && !self.record.is_at_end() {
            return;
        }
        let game = self.record.game();
        if self.record.over().is_some() || !endless && !self.mode.plays(game.board().turn()) {
            return;
        }
        let ply = self.record.shown();
        if endless && self.exhausted {
            return;
        }
        let task = Task {
            game: game.clone(),
            ply,
            limits: Limits {
                infinite: endless,
                movetime: (!endless).then(|| Duration::from_secs_f64(self.choice.seconds)),
                ..Limits::default()
            },
            settings: self.settings(),
            strength: (!endless && self.choice.elo > 0).then(|| Strength::new(self.choice.elo)),
        };
        self.main.start(&task, &self.events);
        if self.choice.beside && !self.request.accelerator.is_empty() {
            let task = Task { strength: None, ..task };
            self.beside.start(&task, &self.events);
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            threads: self.choice.threads,
            multipv: self.choice.lines,
            chances: true,
            ..Settings::default()
        }
    }

    /// Ends what would go on for ever when no tab has looked for a while; whether it did.
    fn rest_if_alone(&mut self) -> bool {
        if self.tabs.load(Relaxed) > 0 || self.looks.swap(0, Relaxed) > 0 {
            self.seen = Instant::now();
        }
        let endless = matches!(self.mode, Mode::Analyse | Mode::Watch);
        if !endless || self.seen.elapsed() < ALONE {
            return false;
        }
        self.stop();
        self.mode = Mode::Rest;
        true
    }

    /// Writes what tabs see; the game only if it may have changed.
    pub(super) fn tell(&mut self, changed: bool) {
        self.judge();
        if changed {
            publish(&self.game, &GameView::new(&self.record, self.mode, &self.choice));
            let engine = "Bluebelle";
            let names = [bluebelle_spec::Color::White, bluebelle_spec::Color::Black];
            let names = names.map(|side| if self.mode.plays(side) { engine } else { "?" });
            let text = self.record.pgn(names);
            self.pgn.send_replace(text.into());
        }
        let boards = self.main.sight().map(|(sight, work)| BoardsView::new(&sight, &work));
        let [main, beside] = &mut self.viewers;
        let view = LiveView {
            kind: "live",
            opening: self.opening.as_ref().map(|opening| opening.name.as_str()),
            main: main.look(&self.main, &self.evaluator).clone(),
            beside: (self.choice.beside && self.beside.task().is_some())
                .then(|| beside.look(&self.beside, &self.evaluator).clone()),
            boards,
            log: self.remarks.iter().map(String::as_str).collect(),
        };
        publish(&self.live, &view);
    }
}

/// Puts a snapshot in the place of the one before, if it differs.
fn publish(cell: &watch::Sender<Utf8Bytes>, view: &impl Serialize) {
    // Numbers and texts are all there is in a view: writing them does not fail.
    let Ok(text) = serde_json::to_string(view) else { return };
    cell.send_if_modified(|old| {
        let differs = old.as_str() != text;
        if differs {
            *old = text.into();
        }
        differs
    });
}
