//! The Universal Chess Interface: lines in, lines out.
//!
//! Input is read on the calling thread and a search runs on its own, so that `stop`, `isready` and `quit` are heard at once.
//! A line that makes no sense gets an `info string error` line, and the engine goes on as if it had not come.

pub mod command;
pub mod options;

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bluebelle_spec::{Move, Weights};

use crate::backend::{self, Backend};
use crate::board::perft;
use crate::endgame::Tables;
use crate::evaluation::{Evaluator, PawnTable};
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::report::{Line, Listener};
use crate::score::{MATE, UciScore};

use command::Command;
use options::{Effect, Options};

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

/// Where the lines go; whole lines only, from any thread.
#[derive(Clone)]
struct Out(Arc<Mutex<dyn Write + Send>>);

impl Out {
    fn say(&self, text: impl std::fmt::Display) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A reader that has gone away will close our input too.
        let _ = writeln!(output, "{text}");
        let _ = output.flush();
    }

    fn error(&self, problem: impl std::fmt::Display) {
        self.say(format_args!("info string error {problem}"));
    }
}

impl Listener for Out {
    fn line(&self, line: &Line) {
        self.say(line);
    }

    fn current_move(&self, depth: i32, mv: Move, number: usize) {
        self.say(format_args!("info depth {depth} currmove {mv} currmovenumber {number}"));
    }

    fn message(&self, text: &str) {
        self.say(format_args!("info string {text}"));
    }
}

struct Session {
    out: Out,
    options: Options,
    evaluator: Arc<Evaluator>,
    game: Game,
    /// Not here while it searches.
    backend: Option<Box<dyn Backend>>,
    tables: Option<Arc<Tables>>,
    running: Option<Running>,
}

/// A search under way.
struct Running {
    control: Arc<Control>,
    /// Ends only when it is told to.
    endless: bool,
    thread: JoinHandle<Box<dyn Backend>>,
}

impl Session {
    fn new(output: impl Write + Send + 'static) -> Session {
        let evaluator = Arc::new(Evaluator::new(Weights::standard()));
        Session {
            out: Out(Arc::new(Mutex::new(output))),
            options: Options::default(),
            game: Game::initial(&evaluator),
            evaluator,
            backend: None,
            tables: None,
            running: None,
        }
    }

    fn obey(&mut self, line: &str) -> Next {
        let command = match command::parse(line, self.game.board(), &self.evaluator) {
            Ok(command) => command,
            Err(problem) => {
                self.out.error(problem);
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
            Command::Position(game) => self.game = *game,
            Command::Go(limits) => self.go(*limits),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    running.control.ponderhit();
                }
            }
            Command::Quit => return Next::Quit,
            Command::Display => self.display(),
            Command::Eval => {
                let value = self.evaluator.evaluate(self.game.board(), &PawnTable::new());
                let turn = self.game.board().turn();
                self.out.say(format_args!(
                    "info string evaluation {value} centipawns for {turn:?}, who is to move"
                ));
            }
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
        if self.running.as_ref().is_none_or(|running| running.thread.is_finished()) {
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
            Effect::Resize => {
                if let Some(backend) = &mut self.backend {
                    backend.resize(self.options.hash);
                }
            }
            Effect::Reopen => {
                // A port has one user at a time: the old one goes before the new one comes.
                self.backend = None;
                match backend::open(&self.options.backend()) {
                    Ok(backend) => {
                        self.evaluator = backend.evaluator();
                        self.game = self.game.weighed(&self.evaluator);
                        self.backend = Some(backend);
                    }
                    Err(problem) => {
                        self.out.error(problem);
                        self.options = before;
                    }
                }
            }
        }
    }

    fn open_tables(&mut self, before: Options) {
        self.tables = match self.options.syzygy_path.as_str() {
            "" => None,
            path => match Tables::open(path) {
                Ok(tables) => {
                    let (files, most) = (tables.files(), tables.most_pieces());
                    self.out
                        .message(&format!("{files} endgame tables, up to {most} pieces"));
                    Some(Arc::new(tables))
                }
                Err(problem) => {
                    self.out.error(problem);
                    self.options = before;
                    return;
                }
            },
        };
    }

    /// The backend, opened if it was not yet; none if it searches now.
    fn backend(&mut self) -> Option<&mut Box<dyn Backend>> {
        self.reap();
        if self.backend.is_none() && self.running.is_none() {
            let mut request = self.options.backend();
            self.backend = backend::open(&request).ok().or_else(|| {
                request.accelerator.clear();
                backend::open(&request).ok()
            });
        }
        self.backend.as_mut()
    }

    fn go(&mut self, mut limits: Limits) {
        self.stop();
        self.backend();
        let Some(mut backend) = self.backend.take() else {
            return self.out.error("there is no search to go with");
        };
        let mut settings = self.options.settings();
        settings.tables.clone_from(&self.tables);
        let strength = self.options.strength();
        if let Some(strength) = strength {
            strength.restrain(&mut limits, &mut settings);
        }
        let control = Arc::new(Control::new(limits.ponder));
        let endless = limits.infinite || limits.ponder;
        let (game, out) = (self.game.clone(), self.out.clone());
        let thread = std::thread::spawn({
            let control = Arc::clone(&control);
            move || {
                let mut outcome = backend.search(&game, &limits, &settings, &control, &out);
                if let Some(strength) = strength {
                    let seed = crate::strength::seed(outcome.nodes, outcome.best());
                    strength.choose(&mut outcome, seed);
                }
                control.wait_for_leave(limits.infinite);
                if outcome.lines.is_empty() {
                    let score = if game.board().in_check() { -MATE } else { 0 };
                    out.say(format_args!("info depth 0 score {}", UciScore(score)));
                }
                match outcome.ponder() {
                    Some(ponder) => out.say(format_args!("bestmove {} ponder {ponder}", outcome.best())),
                    None => out.say(format_args!("bestmove {}", outcome.best())),
                }
                backend
            }
        });
        self.running = Some(Running {
            control,
            endless,
            thread,
        });
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
        if let Some(running) = self.running.take_if(|running| running.thread.is_finished()) {
            self.take_back(running);
        }
    }

    fn take_back(&mut self, running: Running) {
        match running.thread.join() {
            Ok(backend) => self.backend = Some(backend),
            Err(_) => self.out.error("the search has failed; the next one starts afresh"),
        }
    }

    fn perft(&mut self, depth: u32) {
        self.stop();
        let board = self.game.board();
        let mut total = 0;
        for scored in board.legal_moves().iter() {
            if depth == 0 {
                break;
            }
            let count = perft(&board.after(scored.mv, &self.evaluator), depth - 1, &self.evaluator);
            self.out.say(format_args!("{}: {count}", scored.mv));
            total += count;
        }
        self.out
            .say(format_args!("\nnodes {}", if depth == 0 { 1 } else { total }));
    }

    fn display(&self) {
        let board = self.game.board();
        self.out
            .say(format_args!("{board}\nfen  {board:?}\nhash {:016x}", board.hash()));
    }
}
