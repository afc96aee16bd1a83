//! What runs beside the input: a search, or a count of moves.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::out::Out;
use crate::backend::Backend;
use crate::board::perft_until;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::opponent::Chooser;
use crate::report::{Line, Listener as _};
use crate::score::{MATE, UciScore};
use crate::search::Settings;
use crate::strength::Strength;

/// A thread at work, which gives the backend back if it has it.
pub(super) struct Running {
    pub(super) control: Arc<Control>,
    /// Ends only when it is told to.
    pub(super) endless: bool,
    thread: JoinHandle<Option<Box<dyn Backend>>>,
}

/// What `go` asks for.
pub(super) struct Search {
    /// The game, if there is one to search.
    pub(super) game: Option<Game>,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) strength: Option<Strength>,
    /// Chooses the move among the lines, if the first one need not be played.
    pub(super) chooser: Option<Chooser>,
}

impl Running {
    /// A search, which ends with its best move.
    pub(super) fn search(search: Search, backend: Box<dyn Backend>, out: Out) -> Running {
        let limits = &search.limits;
        let endless = limits.is_endless() || limits.ponder;
        let control = Arc::new(Control::new(limits.ponder));
        let thread = thread::spawn({
            let control = Arc::clone(&control);
            move || Some(search.run(backend, &control, &out))
        });
        Running {
            control,
            endless,
            thread,
        }
    }

    /// A count of the legal sequences of moves, told for each first move.
    pub(super) fn count(game: Game, depth: u32, evaluator: Arc<Evaluator>, out: Out) -> Running {
        let control = Arc::new(Control::new(false));
        let thread = thread::spawn({
            let control = Arc::clone(&control);
            move || {
                match count(&game, depth, &evaluator, &control, &out) {
                    Some(total) => out.say(format_args!("\nnodes {total}")),
                    None => out.message("perft was stopped: the moves above are counted, the others are not"),
                }
                None
            }
        });
        Running {
            control,
            endless: false,
            thread,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the end. The backend comes back, if it was here.
    pub(super) fn join(self) -> thread::Result<Option<Box<dyn Backend>>> {
        self.thread.join()
    }
}

impl Search {
    fn run(self, mut backend: Box<dyn Backend>, control: &Control, out: &Out) -> Box<dyn Backend> {
        let Search {
            game,
            limits,
            settings,
            strength,
            chooser,
        } = self;
        let Some(game) = game else {
            control.wait_for_leave(limits.infinite);
            out.say("bestmove 0000");
            return backend;
        };
        let mut outcome = backend.search(&game, &limits, &settings, control, out);
        if let Some(strength) = strength {
            let seed = crate::strength::seed(outcome.nodes, outcome.best());
            strength.choose(&game, &limits, &mut outcome, seed);
        }
        if let Some(chooser) = chooser
            && chooser.choose(&game, &mut outcome)
            && let Some(line) = outcome.lines.first()
        {
            // A GUI takes the last line to be that of the move.
            out.line(&Line {
                multipv: (settings.multipv > 1).then_some(1),
                ..line.clone()
            });
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
}

fn count(game: &Game, depth: u32, evaluator: &Evaluator, control: &Control, out: &Out) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else {
        return Some(1);
    };
    let board = game.board();
    let mut total = 0;
    for scored in board.legal_moves().iter() {
        let child = board.after(scored.mv, evaluator);
        let count = perft_until(&child, below, evaluator, &|| control.is_stopped())?;
        out.say(format_args!("{}: {count}", scored.mv));
        total += count;
    }
    Some(total)
}
