//! What can be chosen about a chip before it is built.

use bluebelle_spec::Weights;

use crate::core::STAGES;
use bluebelle_spec::leaf::{MAX_DEPTH, MAX_PERFT_DEPTH, MAX_PLY};
use bluebelle_spec::wire::{Features, Identity, MAX_CHILDREN, VERSION};

/// The most cores that [`crate::chip::verilog`] builds.
pub const MAX_CORES: usize = 16;

/// The most jobs that the queue holds: whole jobs of at most 38 words in 4096.
pub const MAX_QUEUE: u8 = (4096 / 38) as u8;

/// What can be chosen about a chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How many cores, from 1 to [`MAX_CORES`]. They share the link and the queues and nothing else.
    pub cores: usize,

    /// Threads of a core: the jobs that it works on at once, and so the most that it is given.
    pub threads: u8,

    /// Stages of a core's ring: the cycles of a slot. Only told to the host; the core decides.
    pub stages: u8,

    /// How many plies a core's stack holds, at most [`MAX_PLY`]. Only told to the host; the core decides.
    pub plies: u8,

    /// Whether a core can search a job by all its threads, by the rules of [`bluebelle_spec::leaf::gang`].
    pub gangs: bool,

    /// How many jobs wait in the chip, at most [`MAX_QUEUE`]: the host's credits. A batch cannot have more children than that.
    pub queue: u8,

    /// The frequency of the one clock, in kHz. Told to the host, which computes times from slots.
    pub clock_khz: u32,

    /// Bits a second on the serial line, at most a quarter of the clock. It need not divide the clock.
    pub baud: u32,

    /// Names the bitstream.
    pub build: [u8; 16],

    /// The weights that the chip wakes up with, as [`Weights::to_words`] orders them: what Identify answers must be true before
    /// the first weight is loaded.
    pub weights: Vec<i16>,
}

impl Config {
    /// Bits of the serial line in 65536 cycles, rounded.
    pub fn baud_step(&self) -> u16 {
        let clock = u64::from(self.clock_khz) * 1000;
        ((u64::from(self.baud) * 65536 + clock / 2) / clock) as u16
    }

    /// What the chip says about itself.
    pub fn identity(&self) -> Identity {
        Identity {
            build: self.build,
            wire_version: VERSION,
            cores: self.cores as u8,
            threads: self.threads,
            stages: self.stages,
            clock_khz: self.clock_khz,
            queue: self.queue.into(),
            max_children: u16::from(self.queue).min(MAX_CHILDREN as u16),
            max_depth: MAX_DEPTH,
            max_perft_depth: MAX_PERFT_DEPTH,
            max_ply: self.plies,
            features: Features::with_gangs_if(self.gangs),
            weights_crc: 0, // the chip computes it
        }
    }
}

/// One core at 25 MHz, the clock of the ULX3S, and 3 Mbaud.
impl Default for Config {
    fn default() -> Config {
        Config {
            cores: 1,
            threads: STAGES,
            stages: STAGES,
            plies: MAX_PLY,
            gangs: true,
            queue: MAX_QUEUE,
            clock_khz: 25_000,
            baud: 3_000_000,
            build: *b"bluebelle dev   ",
            weights: vec![0; Weights::WORDS],
        }
    }
}
