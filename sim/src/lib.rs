//! The Bluebelle chip in software.
//!
//! | accelerator | what runs |
//! |---|---|
//! | `model` | the golden leaf search, natively: [`Model`] |
//! | `verilated` | the chip's Verilog as a program: [`Verilated`] |
//! | `verilated:4` | the same, with 4 cores |
//! | `verilated:FILE` | the same, for a Verilog file |
//!
//! A [`ClockedChip`] is what a simulation of the whole chip looks like from outside, and `board` puts one behind a
//! pseudo-terminal. [`ModelChip`] is one without Verilog.

#[cfg(unix)]
pub mod bar;
#[cfg(unix)]
pub mod board;
mod clocked;
mod line_accelerator;
mod model;
mod model_chip;
mod session;
mod simulated;
pub mod verilated;

pub use clocked::{Answer, ChipError, ClockedChip, Until};
pub use line_accelerator::LineAccelerator;
pub use model::Model;
pub use model_chip::{LeafCache, ModelChip, ModelConfig};
pub use simulated::{build_bar_board, build_board, chip_verilog};
pub use verilated::Verilated;

use bluebelle_spec::Weights;
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
    #[error("unknown accelerator '{0}': this build has {KNOWN}")]
    Unknown(String),
    /// A chip failed.
    #[error(transparent)]
    Chip(#[from] ChipError),
}

const KNOWN: &str = "'model', 'verilated', 'verilated:CORES' and 'verilated:FILE'";

/// Opens the accelerator with this name, which then evaluates with these weights.
///
/// # Errors
/// If there is none, or it does not start.
pub fn open(name: &str, weights: &Weights) -> Result<Box<dyn Accelerator>, AcceleratorError> {
    match name.split_once(':').unwrap_or((name, "")) {
        ("model", "") => Ok(Box::new(Model::new(weights))),
        ("verilated", chip) => Ok(Box::new(Verilated::open(&chip_verilog(chip)?, weights)?)),
        _ => Err(AcceleratorError::Unknown(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_none_are_refused() {
        let refusal = |name| {
            open(name, Weights::standard())
                .map(|accelerator| accelerator.name())
                .expect_err(name)
                .to_string()
        };
        assert!(refusal("modell").starts_with("unknown accelerator 'modell'"));
        assert!(refusal("model:4").starts_with("unknown accelerator 'model:4'"));
        assert_eq!(
            refusal("verilated:0"),
            "there is no chip with 0 cores: 1 to 16 can be built"
        );
        assert_eq!(
            refusal("verilated:17"),
            "there is no chip with 17 cores: 1 to 16 can be built"
        );
        assert!(refusal("verilated:no/such.v").starts_with("no/such.v: cannot be read as Verilog"));
    }
}
