//! The Bluebelle chip in software.
//!
//! Here so far: the [`Accelerator`] trait and the golden [`Model`] behind it. To come: the rust-hdl simulation, the Verilated
//! chip and the virtual board.

mod model;

pub use model::Model;

use bluebelle_spec::leaf::{Job, Outcome};

/// Something that runs leaf jobs.
pub trait Accelerator {
    /// What it is, in a few words.
    fn name(&self) -> String;

    /// Runs the jobs, in any order and as many at once as it can; `done` hears the index of each as it ends. The outcomes
    /// come in the order of the jobs.
    ///
    /// # Errors
    /// If the accelerator is lost before all jobs are done.
    fn run(&mut self, jobs: &[Job], done: &(dyn Fn(usize) + Sync)) -> Result<Vec<Outcome>, AcceleratorError>;
}

/// Why an accelerator could not finish its jobs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AcceleratorError {
    /// No such accelerator.
    #[error("unknown accelerator '{0}': this build has 'model'")]
    Unknown(String),
}

/// Opens the accelerator with this name.
///
/// # Errors
/// If there is none.
pub fn open(name: &str) -> Result<Box<dyn Accelerator>, AcceleratorError> {
    match name {
        "model" => Ok(Box::new(Model::default())),
        _ => Err(AcceleratorError::Unknown(name.to_owned())),
    }
}
