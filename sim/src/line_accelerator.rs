use bluebelle_spec::Weights;
use bluebelle_spec::leaf::{Job, Outcome};
use bluebelle_spec::wire::Identity;

use crate::clocked::{ChipError, ClockedChip};
use crate::session::Session;
use crate::{Accelerator, AcceleratorError};

/// Any chip that can be spoken to as an accelerator.
pub struct LineAccelerator<C> {
    name: String,
    session: Session<C>,
}

impl<C: ClockedChip> LineAccelerator<C> {
    /// Asks the chip who it is, and gives it these weights if it has others.
    ///
    /// # Errors
    /// If it does not answer, or does not take the weights.
    pub fn open(name: &str, chip: C, weights: &Weights) -> Result<LineAccelerator<C>, ChipError> {
        Ok(LineAccelerator {
            session: Session::open(chip, weights)?,
            name: name.to_owned(),
        })
    }
}

impl<C: ClockedChip> Accelerator for LineAccelerator<C> {
    fn name(&self) -> String {
        let Identity { cores, threads, .. } = *self.session.identity();
        let plural = if cores == 1 { "" } else { "s" };
        format!("{}, {cores} core{plural} of {threads} threads", self.name)
    }

    fn run(&mut self, jobs: &[Job], done: &(dyn Fn(usize) + Sync)) -> Result<Vec<Outcome>, AcceleratorError> {
        Ok(self.session.run(jobs, done)?)
    }
}
