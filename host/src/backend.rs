//! What searches: the software alone, or with boards.

use std::sync::Arc;

use bluebelle_spec::Weights;

use crate::accelerated::Accelerated;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::link::{SourceError, parse_sources};
use crate::memory::MemoryError;
use crate::pool::Pool;
use crate::report::{Listener, Outcome};
use crate::search::crew::Asking;
use crate::search::{Settings, Software};
use crate::weights::{self, ReadError};

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

    /// The evaluation in use.
    fn evaluator(&self) -> Arc<Evaluator>;

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

    fn evaluator(&self) -> Arc<Evaluator> {
        Software::evaluator(self)
    }

    fn clear(&mut self) {
        Software::clear(self);
    }

    fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        Software::resize(self, megabytes)
    }
}

/// What is asked for, by the options `Accelerator`, `Hash` and `EvalFile`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Accelerators, separated by commas; empty for software alone.
    pub accelerator: String,
    /// Mebibytes for the transposition table.
    pub hash: usize,
    /// The file with the weights of the evaluation; empty for the standard ones.
    pub eval_file: String,
    /// Whether accelerators are asked even where the software would be faster, so that they can be watched.
    pub eager: bool,
}

/// Nodes of at least this depth are asked by an eager search.
const EAGER_FROM: i32 = 5;

impl Request {
    /// The weights that are asked for.
    ///
    /// # Errors
    /// If the file has none.
    pub(crate) fn weights(&self) -> Result<Arc<Weights>, ReadError> {
        match self.eval_file.as_str() {
            "" => Ok(Arc::new(Weights::standard().clone())),
            file => weights::read(file.as_ref()),
        }
    }
}

/// Why there is no such backend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// No such accelerator.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The transposition table does not fit.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The weights cannot be read.
    #[error(transparent)]
    Weights(#[from] ReadError),
    /// The system gives no threads.
    #[error("the accelerators cannot be started: {0}")]
    System(String),
}

/// Opens what the options ask for.
///
/// # Errors
/// If an accelerator is unknown. One that does not answer is tried again and again.
pub fn open(request: &Request) -> Result<Box<dyn Backend>, BackendError> {
    open_for(request, None)
}

/// The same for a user who hears at once what happens to the accelerators, also between searches,
/// and after each search what they did.
///
/// # Errors
/// If an accelerator is unknown.
pub fn open_telling(request: &Request, user: Arc<dyn Listener>) -> Result<Box<dyn Backend>, BackendError> {
    open_for(request, Some(user))
}

fn open_for(request: &Request, user: Option<Arc<dyn Listener>>) -> Result<Box<dyn Backend>, BackendError> {
    let sources = parse_sources(&request.accelerator)?;
    let weights = request.weights()?;
    let software = Software::with_weights(request.hash, &weights)?;
    if sources.is_empty() {
        return Ok(Box::new(software));
    }
    let opened = Accelerated::open(&request.accelerator, &sources, (software, &weights), user);
    let mut accelerated = opened.map_err(|error| BackendError::System(error.to_string()))?;
    if request.eager {
        accelerated = accelerated.asking(Asking {
            from: Some(EAGER_FROM),
            ..Asking::default()
        });
    }
    Ok(Box::new(accelerated))
}
