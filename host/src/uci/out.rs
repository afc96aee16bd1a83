use std::fmt::Display;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use bluebelle_spec::Move;

use crate::report::{Line, Listener};

/// Where the lines go; whole lines only, from any thread.
#[derive(Clone)]
pub(super) struct Out(Arc<Mutex<dyn Write + Send>>);

impl Out {
    pub(super) fn new(output: impl Write + Send + 'static) -> Out {
        Out(Arc::new(Mutex::new(output)))
    }

    pub(super) fn say(&self, text: impl Display) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A reader that has gone away will close our input too.
        let _ = writeln!(output, "{text}");
        let _ = output.flush();
    }

    pub(super) fn error(&self, problem: impl Display) {
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
