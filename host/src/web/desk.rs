//! The way to the desk, the thread that owns the game and the engines: what tabs may ask of it and
//! see.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::watch;

use super::engine::{Engine, Who};
use super::owner::Owner;
use super::record::Record;
use super::request::{Choice, Mode, Request};
use crate::backend::{self, Backend, BackendError};
use crate::game::Game;
use crate::lenient;
use crate::link::parse_sources;
use crate::search::Software;

/// The most requests that wait for the desk; more are refused.
pub(super) const MOST_WAITING: usize = 64;

/// What the desk hears of.
pub(super) enum Event {
    /// A tab asks for something; what is wrong with that goes back.
    Asked(Request, tokio::sync::mpsc::Sender<String>),
    /// A search has ended.
    Ended(Who, u64),
    /// An engine was opened, or cannot be.
    Opened(u64, Result<Box<dyn Backend>, BackendError>),
    /// Something was said about boards.
    Remark(String),
    /// No handle is left: the desk ends.
    Close,
}

/// Why there is no desk.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DeskError(#[from] BackendError);

/// The way to the desk, for tabs.
#[derive(Clone)]
pub struct Desk {
    events: Sender<Event>,
    waiting: Arc<AtomicUsize>,
    tabs: Arc<AtomicUsize>,
    /// How often a program has looked.
    looks: Arc<AtomicUsize>,
    pub(super) game: watch::Receiver<Utf8Bytes>,
    pub(super) live: watch::Receiver<Utf8Bytes>,
    pub(super) pgn: watch::Receiver<Utf8Bytes>,
    _last: Arc<Closing>,
}

/// Ends the desk with its last handle.
struct Closing(Sender<Event>);

impl Drop for Closing {
    fn drop(&mut self) {
        // A desk that has ended needs no word.
        let _ = self.0.send(Event::Close);
    }
}

/// Counts a tab for as long as it is open.
pub(super) struct Tab(Arc<AtomicUsize>);

impl Drop for Tab {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Desk {
    /// Begins a game with these engines, which have tables of `hash` mebibytes and the weights of a
    /// file; an empty name means the standard weights.
    ///
    /// # Errors
    /// If an accelerator is unknown, the weights cannot be read, or there is no memory.
    pub fn open(choice: Choice, hash: usize, eval_file: &str) -> Result<Desk, DeskError> {
        let request = backend::Request {
            accelerator: choice.accelerator.clone(),
            hash,
            eval_file: eval_file.to_owned(),
            eager: choice.eager,
        };
        parse_sources(&choice.accelerator).map_err(BackendError::from)?;
        let weights = request.weights().map_err(BackendError::from)?;
        let software = Software::with_weights(hash, &weights).map_err(BackendError::from)?;
        let evaluator = software.evaluator();
        let (events, inbox) = mpsc::channel();
        let (game, see_game) = watch::channel(Utf8Bytes::default());
        let (live, see_live) = watch::channel(Utf8Bytes::default());
        let (pgn, see_pgn) = watch::channel(Utf8Bytes::default());
        let desk = Desk {
            _last: Arc::new(Closing(events.clone())),
            events: events.clone(),
            waiting: Arc::default(),
            tabs: Arc::default(),
            looks: Arc::default(),
            game: see_game,
            live: see_live,
            pgn: see_pgn,
        };
        let mut owner = Owner {
            record: Record::new(Game::initial(&evaluator)),
            evaluator,
            mode: Mode::White,
            choice,
            request,
            main: Engine::new(Who::Main),
            beside: Engine::new(Who::Beside),
            viewers: Default::default(),
            opening: None,
            openings: 0,
            remarks: Vec::new(),
            exhausted: false,
            events,
            waiting: Arc::clone(&desk.waiting),
            tabs: Arc::clone(&desk.tabs),
            looks: Arc::clone(&desk.looks),
            seen: Instant::now(),
            game,
            live,
            pgn,
        };
        owner.main.install(Box::new(software));
        if !owner.request.accelerator.is_empty() {
            owner.open_accelerator();
        }
        owner.tell(true);
        thread::spawn(move || owner.work(&inbox));
        Ok(desk)
    }

    /// Begins a game from this position, a FEN or `startpos`, and searches it without end.
    ///
    /// # Errors
    /// If the text is no position.
    pub fn analyse(&self, text: &str) -> Result<(), String> {
        if text != "startpos" {
            lenient::parse(text).map_err(|problem| format!("'{text}' is no position: {problem}"))?;
        }
        let (reply, _) = tokio::sync::mpsc::channel(1);
        let text = text.to_owned();
        self.ask(Request::Mode { mode: Mode::Analyse }, reply.clone())?;
        self.ask(Request::Set { text }, reply)
    }

    /// Both snapshots as one JSON object.
    pub fn snapshot(&self) -> String {
        // A look keeps the desk from being forgotten, as a tab does.
        self.looks.fetch_add(1, Relaxed);
        format!("{{\"game\":{},\"live\":{}}}", *self.game.borrow(), *self.live.borrow())
    }

    /// Asks for something. Whatever is wrong with it is said to `reply` later.
    ///
    /// # Errors
    /// If too many requests wait.
    pub(super) fn ask(&self, request: Request, reply: tokio::sync::mpsc::Sender<String>) -> Result<(), String> {
        if self.waiting.fetch_add(1, Relaxed) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Relaxed);
            return Err("too many requests wait for the engine: try again in a moment".to_owned());
        }
        let sent = self.events.send(Event::Asked(request, reply));
        sent.map_err(|_| "the engine has failed: start bluebelle web again".to_owned())
    }

    /// A tab is open from now on.
    pub(super) fn tab(&self) -> Tab {
        self.tabs.fetch_add(1, Relaxed);
        Tab(Arc::clone(&self.tabs))
    }
}
