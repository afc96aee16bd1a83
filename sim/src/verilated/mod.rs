//! The chip's Verilog as a program, made by Verilator: the truth about the chip, at playing speed.

mod compile;
mod process;

pub use compile::{build, build_axi, build_netlist, build_serial};
pub use process::Process;

use std::path::Path;

use bluebelle_spec::Weights;
use bluebelle_spec::leaf::{Job, Outcome};
use bluebelle_spec::wire::Identity;

use crate::clocked::{ChipError, ClockedChip, Until};
use crate::session::Session;
use crate::{Accelerator, AcceleratorError};

/// A Verilated chip as an accelerator.
///
/// The same jobs in the same order take the same cycles: the clock stands while the host thinks.
pub struct Verilated {
    session: Session<Process>,
}

impl Verilated {
    /// Builds the chip if that has not been done before, starts it, and gives it the weights if it has others.
    ///
    /// # Errors
    /// If the chip cannot be built, does not answer, or does not take the weights.
    pub fn open(verilog: &str, weights: &Weights) -> Result<Verilated, ChipError> {
        Verilated::start(verilog, weights, None)
    }

    /// As [`Verilated::open`], and then writes waveforms (VCD) of all it does to a file, which is complete when this is
    /// dropped. Loading the weights is not in them: that would be most of it.
    ///
    /// # Errors
    /// As [`Verilated::open`].
    pub fn open_traced(verilog: &str, weights: &Weights, trace: &Path) -> Result<Verilated, ChipError> {
        Verilated::start(verilog, weights, Some(trace))
    }

    /// As [`Verilated::open`], for a program that was [built](build_serial) before. It is left alone for a while first: a board
    /// does not listen before its PLL has been steady.
    ///
    /// # Errors
    /// If the chip does not answer, or does not take the weights.
    pub fn run_program(program: &Path, weights: &Weights) -> Result<Verilated, ChipError> {
        let mut process = Process::start(program, None)?;
        let quiet = Until {
            frames: u32::MAX,
            cycles: 2_000,
        };
        process.exchange(&[], quiet)?;
        let session = Session::open(process, weights)?;
        Ok(Verilated { session })
    }

    fn start(verilog: &str, weights: &Weights, trace: Option<&Path>) -> Result<Verilated, ChipError> {
        let program = build(verilog, trace.is_some())?;
        let process = Process::start(&program, trace)?;
        let mut session = Session::open(process, weights)?;
        session.chip_mut().record(trace.is_some());
        Ok(Verilated { session })
    }

    /// What the chip says about itself.
    pub const fn identity(&self) -> &Identity {
        self.session.identity()
    }

    /// The cycles since it was started.
    pub const fn cycles(&self) -> u64 {
        self.session.cycle()
    }
}

impl Accelerator for Verilated {
    fn name(&self) -> String {
        let Identity { cores, threads, .. } = *self.identity();
        let plural = if cores == 1 { "" } else { "s" };
        format!("Verilated chip, {cores} core{plural} of {threads} threads")
    }

    fn run(&mut self, jobs: &[Job], done: &(dyn Fn(usize) + Sync)) -> Result<Vec<Outcome>, AcceleratorError> {
        Ok(self.session.run(jobs, done)?)
    }
}
