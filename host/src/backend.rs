//! What searches: the software alone, or with boards.

use crate::accelerated::Accelerated;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::link::SourceError;
use crate::memory::MemoryError;
use crate::pool::Pool;
use crate::report::{Listener, Outcome};
use crate::search::{Settings, Software};

/// Something that finds the best move.
pub trait Backend: Send {
    /// What it is, in a few words.
    fn name(&self) -> String;

    /// Searches a position until a limit or `control` ends it. It returns promptly after [`Control::stop`], and before the
    /// clock runs out, whatever happens to the hardware.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        listener: &dyn Listener,
    ) -> Outcome;

    /// Forgets everything: a new game begins.
    fn clear(&mut self);

    /// Changes the size of the transposition table, in mebibytes.
    ///
    /// # Errors
    /// If there is no memory for such a table; then the size stays what it was.
    fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError>;

    /// The accelerators, if there are any: which of them are there, and what they have done.
    fn pool(&self) -> Option<&Pool> {
        None
    }
}

impl Backend for Software {
    fn name(&self) -> String {
        "software".to_owned()
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        listener: &dyn Listener,
    ) -> Outcome {
        Software::search(self, game, limits, settings, control, listener)
    }

    fn clear(&mut self) {
        Software::clear(self);
    }

    fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        Software::resize(self, megabytes)
    }
}

/// What is asked for, by the options `Accelerator` and `Hash` among others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Accelerators, separated by commas; empty for software alone.
    pub accelerator: String,
    /// Mebibytes for the transposition table.
    pub hash: usize,
}

/// Why there is no such backend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// No such accelerator.
    #[error("{0}; leave the option empty to search in software")]
    Source(#[from] SourceError),
    /// The transposition table does not fit.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The system gives no threads.
    #[error("the accelerators cannot be started: {0}")]
    System(String),
}

/// Opens what the options ask for.
///
/// # Errors
/// If an accelerator is unknown or does not answer.
pub fn open(request: &Request) -> Result<Box<dyn Backend>, BackendError> {
    match request.accelerator.trim() {
        "" | "<empty>" | "none" | "software" => Ok(Box::new(Software::try_new(request.hash)?)),
        _ => Ok(Box::new(Accelerated::open(request)?)),
    }
}
