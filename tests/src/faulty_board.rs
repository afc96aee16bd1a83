//! A board that everything happens to: the model chip behind a pseudo-terminal whose bytes are flipped, lost, repeated and
//! late, and which is unplugged and plugged in again. The same seed does the same to the same bytes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bluebelle_sim::board::Pty;
use bluebelle_sim::{ClockedChip, ModelChip, ModelConfig, Until};
use bluebelle_spec::Weights;
use bluebelle_spec::rng::SplitMix64;

/// How often what happens: once in so many bytes or pieces; 0 for never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// A bit is flipped, once in so many bytes.
    pub flip: u64,
    /// A byte is lost.
    pub drop: u64,
    /// A byte comes twice.
    pub repeat: u64,
    /// A piece, of one frame or some, is lost as a whole; once in so many pieces.
    pub drop_piece: u64,
    /// A piece comes twice.
    pub repeat_piece: u64,
    /// A piece is late by up to 60 ms.
    pub delay: u64,
    /// The board hears and says nothing for up to a second.
    pub mute: u64,
    /// The board is unplugged, and plugged in again a little later.
    pub unplug: u64,
}

/// What has happened so far.
#[derive(Debug, Default)]
pub struct Happened {
    /// Bytes flipped, lost or repeated.
    pub bytes: AtomicU64,
    /// Pieces lost, repeated or late.
    pub pieces: AtomicU64,
    /// Times unplugged or mute.
    pub outages: AtomicU64,
}

/// Such a board, until it is dropped.
pub struct FaultyBoard {
    path: PathBuf,
    stop: Arc<AtomicBool>,
    happened: Arc<Happened>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl FaultyBoard {
    /// Plugs it in: `path` leads to its pseudo-terminal whenever it has one.
    ///
    /// # Errors
    /// If there is no pseudo-terminal to be had.
    pub fn start(path: &Path, faults: Faults, seed: u64) -> io::Result<FaultyBoard> {
        let line = Pty::open(Some(path))?;
        let stop = Arc::new(AtomicBool::new(false));
        let happened = Arc::new(Happened::default());
        let mut board = Board {
            path: path.to_owned(),
            line: Some(line),
            chip: new_chip(),
            mischief: Mischief {
                faults,
                rng: SplitMix64::new(seed),
                happened: Arc::clone(&happened),
            },
            unsent: Vec::new(),
        };
        let flag = Arc::clone(&stop);
        let thread = thread::Builder::new().name("faulty board".to_owned());
        let thread = thread.spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                board.step()?;
            }
            Ok(())
        })?;
        Ok(FaultyBoard {
            path: path.to_owned(),
            stop,
            happened,
            thread: Some(thread),
        })
    }

    /// Where it is found.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What has happened so far.
    pub fn happened(&self) -> &Happened {
        &self.happened
    }
}

impl Drop for FaultyBoard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            if !thread::panicking() {
                assert!(
                    matches!(ended, Ok(Ok(()))),
                    "the faulty board failed by itself: {ended:?}"
                );
            }
        }
    }
}

struct Board {
    path: PathBuf,
    line: Option<Pty>,
    chip: ModelChip,
    mischief: Mischief,
    unsent: Vec<u8>,
}

fn new_chip() -> ModelChip {
    ModelChip::new(&ModelConfig::default(), Weights::standard())
}

/// Cycles of the chip between two looks at the line.
const GO: u64 = 100_000;

/// How long an idle board waits for bytes.
const IDLE: Duration = Duration::from_millis(5);

impl Board {
    fn step(&mut self) -> io::Result<()> {
        let Some(line) = &mut self.line else {
            thread::sleep(Duration::from_millis(self.mischief.rng.below(300)));
            self.line = Some(Pty::open(Some(&self.path))?);
            return Ok(());
        };
        let working = self.chip.next_end().is_some();
        let patience = if working { Duration::ZERO } else { IDLE };
        line.wait(true, !self.unsent.is_empty(), patience)?;
        let sent = line.write(&self.unsent)?;
        self.unsent.drain(..sent);
        let heard = line.read()?;
        if heard.is_empty() && !working {
            return Ok(());
        }
        let heard = self.mischief.pass(&heard);
        let until = Until { frames: 1, cycles: GO };
        let answer = self.chip.exchange(&heard, until).map_err(io::Error::other)?;
        let said = self.mischief.pass(&answer.bytes);
        self.unsent.extend(said);
        if answer.bytes.is_empty() {
            return Ok(());
        }
        if self.mischief.outage(self.mischief.faults.unplug) {
            // Without power it forgets its jobs.
            self.line = None;
            self.unsent.clear();
            self.chip = new_chip();
        } else if self.mischief.outage(self.mischief.faults.mute) {
            thread::sleep(Duration::from_millis(self.mischief.rng.below(1_000)));
        }
        Ok(())
    }
}

struct Mischief {
    faults: Faults,
    rng: SplitMix64,
    happened: Arc<Happened>,
}

impl Mischief {
    /// What becomes of a piece on its way.
    fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        if bytes.is_empty() {
            return Vec::new();
        }
        let happened = Arc::clone(&self.happened);
        let piece = |count: bool| count.then(|| happened.pieces.fetch_add(1, Ordering::Relaxed)).is_some();
        if piece(self.strikes(self.faults.drop_piece)) {
            return Vec::new();
        }
        if piece(self.strikes(self.faults.delay)) {
            thread::sleep(Duration::from_millis(self.rng.below(60)));
        }
        let times = 1 + usize::from(piece(self.strikes(self.faults.repeat_piece)));
        let mut out = Vec::new();
        for &byte in bytes.repeat(times).iter() {
            let before = out.len();
            if self.strikes(self.faults.flip) {
                out.push(byte ^ 1 << self.rng.below(8));
            } else if self.strikes(self.faults.repeat) {
                out.extend([byte, byte]);
            } else if !self.strikes(self.faults.drop) {
                out.push(byte);
            }
            if out.get(before..) != Some(&[byte][..]) {
                self.happened.bytes.fetch_add(1, Ordering::Relaxed);
            }
        }
        out
    }

    /// Whether the board is unplugged, or falls silent, now.
    fn outage(&mut self, once_in: u64) -> bool {
        let strikes = self.strikes(once_in);
        if strikes {
            self.happened.outages.fetch_add(1, Ordering::Relaxed);
        }
        strikes
    }

    fn strikes(&mut self, once_in: u64) -> bool {
        once_in > 0 && self.rng.below(once_in) == 0
    }
}
