use std::path::PathBuf;

use bluebelle_hdl::config::MAX_CORES;
use bluebelle_spec::wire::{ContentError, ErrorCode};

/// A whole chip behind its byte stream, whose clock runs only when it is told to.
///
/// So the same requests give the same cycles: nothing depends on how fast the host is.
pub trait ClockedChip {
    /// Hands `bytes` to the chip and runs its clock.
    ///
    /// # Errors
    /// If the chip is lost.
    fn exchange(&mut self, bytes: &[u8], until: Until) -> Result<Answer, ChipError>;

    /// How many jobs its queue has room for, if that can be seen from outside.
    fn credits(&self) -> Option<u16> {
        None
    }
}

/// How long the clock runs: until the chip has taken all bytes and sent some frames, or for so many cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// The delimiters (zeros) that the chip sends before the clock stops. Not all of them need to end a frame.
    pub frames: u32,
    /// The most cycles.
    pub cycles: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What the chip sent.
    pub bytes: Vec<u8>,
    /// How many bytes it has not taken yet. It will be offered them again.
    pub untaken: usize,
    /// Cycles since the chip was started.
    pub cycle: u64,
}

/// Why a simulated chip did not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChipError {
    /// There is no chip with so many cores.
    #[error("there is no chip with {0} cores: 1 to {MAX_CORES} can be built")]
    Cores(usize),

    /// Verilator cannot be run.
    #[error(
        "cannot run verilator ({0}): it makes a program of the chip's Verilog; install it and a C++ compiler (Debian: apt \
         install verilator g++ make; macOS: brew install verilator)"
    )]
    NoVerilator(String),

    /// Verilator or the C++ compiler failed.
    #[error("verilator could not build the chip in {directory}; it says:\n{log}")]
    Build {
        /// Where the files are.
        directory: PathBuf,
        /// The end of what it printed.
        log: String,
    },

    /// A file could not be read or written.
    #[error("{path}: {problem}")]
    File {
        /// Which.
        path: PathBuf,
        /// What happened.
        problem: String,
    },

    /// The simulation ended.
    #[error("the simulated chip stopped after {cycle} cycles: {problem}")]
    Stopped {
        /// When it was last heard of.
        cycle: u64,
        /// How it ended.
        problem: String,
    },

    /// A board was lost, or never there.
    #[error("{board}: {problem}")]
    Board {
        /// What a person calls it.
        board: String,
        /// What happened.
        problem: String,
    },

    /// The chip did not answer.
    #[error("the chip took {cycles} cycles and did not answer: is it this project's chip, and does its link work?")]
    Silent {
        /// How long was waited.
        cycles: u64,
    },

    /// The chip answers, but does nothing about its jobs.
    #[error("the chip has forgotten {jobs} jobs: it is idle and has sent no results for them")]
    Forgotten {
        /// How many.
        jobs: usize,
    },

    /// A job cannot be said on the wire.
    #[error("job {index} is not one for a chip: {error}")]
    BadJob {
        /// Its index among the jobs of the run.
        index: usize,
        /// Why not.
        error: ContentError,
    },

    /// The chip refused a frame.
    #[error("the chip refused {}: {code:?}", .index.map_or("a frame".to_owned(), |index| format!("job {index}")))]
    Refused {
        /// The index of the job among those of the run, if it was one.
        index: Option<usize>,
        /// Its reason.
        code: ErrorCode,
    },

    /// The chip's weights are not those that were asked for.
    #[error("the chip evaluates with other weights (checksum {found:08x}, expected {expected:08x}) and {why}")]
    Weights {
        /// Their checksum.
        expected: u32,
        /// What the chip says.
        found: u32,
        /// Why that was not mended.
        why: &'static str,
    },
}
