//! The Universal Chess Interface: lines in, lines out.
//!
//! Input is read on the calling thread and what takes time runs on its own, so that `stop`,
//! `isready` and `quit` are heard at once. A line that makes no sense gets an `info string error`
//! line, and the engine goes on as if it had not come, with two exceptions. A `go` is always
//! answered with a move: words of it that make no sense are left out, and a search that has lost
//! all its limits takes [`WITHOUT_LIMITS`]. A `position` that is refused leaves no position, and
//! `go` answers `0000` until another comes, rather than with a move of an old position.

pub mod command;
mod go;
pub mod options;
mod out;
mod running;

pub use go::WITHOUT_LIMITS;

use std::io::{BufRead, Write};
use std::sync::Arc;

use bluebelle_spec::Weights;

use crate::backend::{self, Backend, BackendError, Request};
use crate::endgame::Tables;
use crate::evaluation::{Evaluator, PawnTable};
use crate::game::Game;
use crate::limits::Limits;
use crate::link::parse_sources;
use crate::opponent::Chooser;
use crate::report::Listener;
use crate::table::Table;

use command::{Command, CommandError};
use options::{Effect, Options};
use out::Out;
use running::{Running, Search};

/// Speaks UCI until `quit` or the end of the input.
///
/// # Errors
/// If the input cannot be read.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) -> std::io::Result<()> {
    let mut session = Session::new(output);
    for line in input.split(b'\n') {
        let line = line?;
        if session.obey(&String::from_utf8_lossy(&line)) == Next::Quit {
            session.stop();
            return Ok(());
        }
    }
    session.finish();
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}

struct Session {
    out: Out,
    options: Options,
    evaluator: Arc<Evaluator>,
    /// What to search; none after a position that was refused.
    game: Option<Game>,
    /// Not here while it searches.
    backend: Option<Box<dyn Backend>>,
    tables: Option<Arc<Tables>>,
    running: Option<Running>,
}

/// What is said where a position is needed.
const NO_POSITION: &str = "there is no position, because the last one was refused; send another";

impl Session {
    fn new(output: impl Write + Send + 'static) -> Session {
        let evaluator = Arc::new(Evaluator::new(Weights::standard()));
        Session {
            out: Out::new(output),
            options: Options::default(),
            game: Some(Game::initial(&evaluator)),
            evaluator,
            backend: None,
            tables: None,
            running: None,
        }
    }

    fn obey(&mut self, line: &str) -> Next {
        let board = self.game.as_ref().map(Game::board);
        let command = match command::parse(line, board, &self.evaluator) {
            Ok(command) => command,
            Err(problem) => {
                self.out.error(&problem);
                if problem.leaves_no_position() {
                    self.game = None;
                }
                return Next::GoOn;
            }
        };
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.make_ready(),
            Command::NewGame => {
                self.stop();
                if let Some(backend) = &mut self.backend {
                    backend.clear();
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { game, changes } => {
                for change in changes {
                    self.out.message(&format!("position: {change}"));
                }
                self.game = Some(*game);
            }
            Command::Go { limits, problems } => self.go(*limits, &problems),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    running.control.ponderhit();
                }
            }
            Command::Quit => return Next::Quit,
            Command::Display => self.display(),
            Command::Eval => self.evaluate(),
            Command::Nothing => {}
        }
        Next::GoOn
    }

    fn introduce(&self) {
        self.out
            .say(format_args!("id name Bluebelle {}", env!("CARGO_PKG_VERSION")));
        self.out.say("id author the Bluebelle authors");
        self.out.say(Options::declare().trim_end());
        self.out.say("uciok");
    }

    /// Answers at once during a search; otherwise after what takes time is done.
    fn make_ready(&mut self) {
        if self.running.as_ref().is_none_or(Running::is_finished) {
            self.backend();
        }
        self.out.say("readyok");
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.stop();
        let before = self.options.clone();
        let effect = match self.options.set(name, value) {
            Ok(effect) => effect,
            Err(problem) => return self.out.error(problem),
        };
        match effect {
            Effect::None => {}
            Effect::Tables => self.open_tables(before),
            Effect::Clear => {
                if let Some(backend) = &mut self.backend {
                    backend.clear();
                }
            }
            Effect::Resize => self.resize(before),
            Effect::Reopen => self.reopen(before),
        }
    }

    fn reopen(&mut self, before: Options) {
        let opened = parse_sources(&self.options.accelerator)
            .map_err(BackendError::from)
            .and_then(|_| {
                // A port has one user at a time: the old one goes before the new one comes.
                self.backend = None;
                self.open_backend()
            });
        match opened {
            Ok(backend) => {
                self.evaluator = backend.evaluator();
                self.game = self.game.as_ref().map(|game| game.weighed(&self.evaluator));
                self.backend = Some(backend);
            }
            Err(problem) => {
                self.options = before;
                let stays = |name: &str, empty: &str| match name {
                    "" => format!("empty, which is {empty}"),
                    name => name.to_owned(),
                };
                match &problem {
                    BackendError::Weights(_) => {
                        let stays = stays(&self.options.eval_file, "the standard weights");
                        self.out.error(format_args!("{problem}; EvalFile stays {stays}"));
                    }
                    _ => {
                        let stays = stays(&self.options.accelerator, "software");
                        let text = format_args!("Accelerator: {problem}; Accelerator stays {stays}");
                        self.out.error(text);
                    }
                }
            }
        }
    }

    fn open_backend(&self) -> Result<Box<dyn Backend>, BackendError> {
        backend::open_telling(&self.options.backend(), Arc::new(self.out.clone()))
    }

    fn resize(&mut self, before: Options) {
        let resized = match &mut self.backend {
            Some(backend) => backend.resize(self.options.hash),
            None => Table::check(self.options.hash),
        };
        if let Err(problem) = resized {
            self.options = before;
            let stays = self.options.hash;
            self.out
                .error(format_args!("Hash: {problem}; Hash stays at {stays} MiB"));
        }
    }

    fn open_tables(&mut self, before: Options) {
        match Tables::open(&self.options.syzygy_path, &self.options.endings_path) {
            Ok(tables) => {
                if let Some(tables) = &tables {
                    self.out.message(&tables.to_string());
                }
                self.tables = tables.map(Arc::new);
                // What other tables said of positions is of no use any more.
                if let Some(backend) = &mut self.backend {
                    backend.clear();
                }
            }
            Err(problem) => {
                self.out.error(problem);
                self.options = before;
            }
        }
    }

    /// The backend, opened if it was not yet; none if it searches now.
    fn backend(&mut self) -> Option<&mut Box<dyn Backend>> {
        self.reap();
        if self.backend.is_none() && self.running.is_none() {
            self.backend = match self.open_backend() {
                Ok(backend) => Some(backend),
                Err(problem) => {
                    self.out
                        .error(format_args!("{problem}; going on in software, with a table of 1 MiB"));
                    let least = Request {
                        hash: 1,
                        ..Request::default()
                    };
                    backend::open(&least).ok()
                }
            };
        }
        self.backend.as_mut()
    }

    fn go(&mut self, mut limits: Limits, problems: &[CommandError]) {
        self.stop();
        for problem in problems {
            self.out.error(problem);
        }
        if self.game.is_none() {
            self.out.error(NO_POSITION);
        }
        self.backend();
        let Some(backend) = self.backend.take() else {
            self.out.error("there is no memory to search with; end other programs");
            return self.out.say("bestmove 0000");
        };
        let mut settings = self.options.settings();
        settings.tables.clone_from(&self.tables);
        let strength = self.options.strength();
        if let Some(strength) = strength {
            strength.restrain(&mut limits, &mut settings);
        }
        let game = self.game.as_ref().filter(|_| strength.is_none());
        let chooser = game.and_then(|game| Chooser::prepare(self.options.aims(), game, &mut limits, &mut settings));
        let search = Search {
            game: self.game.clone(),
            limits,
            settings,
            strength,
            chooser,
        };
        self.running = Some(Running::search(search, backend, self.out.clone()));
    }

    /// Ends the search under way, if there is one, and waits for its move.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.stop();
            self.take_back(running);
        }
    }

    /// The input has ended: a search with limits is waited for, any other is stopped.
    fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            if running.endless {
                running.control.stop();
            }
            self.take_back(running);
        }
    }

    /// Takes the backend back from a search that has ended by itself.
    fn reap(&mut self) {
        if let Some(running) = self.running.take_if(|running| running.is_finished()) {
            self.take_back(running);
        }
    }

    fn take_back(&mut self, running: Running) {
        match running.join() {
            Ok(Some(backend)) => self.backend = Some(backend),
            Ok(None) => {}
            Err(_) => self.out.error("the search has failed; the next one starts afresh"),
        }
    }

    fn perft(&mut self, depth: u32) {
        self.stop();
        let Some(game) = self.game.clone() else {
            return self.out.error(NO_POSITION);
        };
        let evaluator = Arc::clone(&self.evaluator);
        self.running = Some(Running::count(game, depth, evaluator, self.out.clone()));
    }

    fn display(&self) {
        let Some(game) = &self.game else {
            return self.out.error(NO_POSITION);
        };
        let board = game.board();
        self.out
            .say(format_args!("{board}\nfen  {board:?}\nhash {:016x}", board.hash()));
    }

    fn evaluate(&self) {
        let Some(game) = &self.game else {
            return self.out.error(NO_POSITION);
        };
        let (board, turn) = (game.board(), game.board().turn());
        let value = self.evaluator.evaluate(board, &PawnTable::new());
        self.out.say(format_args!(
            "info string evaluation {value} centipawns for {turn:?}, who is to move"
        ));
    }
}
