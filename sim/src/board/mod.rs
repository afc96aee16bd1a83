//! The virtual board: a simulated chip behind a pseudo-terminal, for whoever talks to serial ports, or behind rings in a file,
//! for whoever maps a BAR.

mod mirror;
mod pause;
mod pty;
mod ring_line;
mod traffic;

pub use mirror::Mirror;
pub use pty::Pty;
pub use ring_line::RingLine;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};

use crate::clocked::{ChipError, ClockedChip, Until};
use traffic::Traffic;

/// Cycles between two looks at the line.
const GO: u64 = 500;

/// Cycles that the clock goes on when nobody says anything and no job is known to run.
const LINGER: u64 = 200_000;

/// Bytes that wait for the chip; beyond them, the line is not read.
const ENOUGH: usize = 4_096;

/// How often a board without work looks whether it is to stop.
const IDLE: Duration = Duration::from_millis(200);

/// The board's end of a line to its host.
pub trait HostLine {
    /// Waits until there is something to read, or room to write, or `patience` is at an end.
    ///
    /// # Errors
    /// If the line is lost.
    fn wait(&mut self, read: bool, write: bool, patience: Duration) -> io::Result<()>;

    /// What there is to read, which may be nothing.
    ///
    /// # Errors
    /// If the line is lost.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Writes as many of the bytes as there is room for, and says how many. Called also when there are none.
    ///
    /// # Errors
    /// If the line is lost.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Tells the host how many jobs the chip's queue has room for, if the line has a place for that.
    fn tell_credits(&mut self, _credits: u16) {}
}

/// Passes bytes between the line and the chip until `stop` is set. The clock stands while there is nothing to do, and while
/// nobody reads what the chip says.
///
/// # Errors
/// If the chip or the line is lost.
pub fn serve(line: &mut impl HostLine, chip: &mut impl ClockedChip, stop: &AtomicBool) -> Result<Tally, BoardError> {
    if let Some(credits) = chip.credits() {
        line.tell_credits(credits);
    }
    let mut traffic = Traffic::default();
    let mut unsent: Vec<u8> = Vec::new();
    let mut untaken = 0;
    let mut cycle = 0;
    // Nothing has been said yet.
    let mut quiet_since = None;
    while !stop.load(Ordering::Relaxed) {
        let working = traffic.jobs() > 0 || quiet_since.is_some_and(|since| cycle - since < LINGER);
        let patience = match working && unsent.is_empty() {
            true => Duration::ZERO,
            false => IDLE,
        };
        line.wait(untaken < ENOUGH, !unsent.is_empty(), patience)?;
        let sent = line.write(&unsent)?;
        unsent.drain(..sent);
        if !unsent.is_empty() {
            continue;
        }
        let heard = match untaken < ENOUGH {
            true => line.read()?,
            false => Vec::new(),
        };
        if heard.is_empty() && !working {
            continue;
        }
        let until = Until {
            frames: u32::MAX,
            cycles: GO,
        };
        let answer = chip.exchange(&heard, until)?;
        cycle = answer.cycle;
        untaken = answer.untaken;
        if !heard.is_empty() || !answer.bytes.is_empty() || untaken > 0 {
            quiet_since = Some(cycle);
        }
        traffic.hear_host(&heard);
        traffic.hear_chip(&answer.bytes);
        unsent = answer.bytes;
        if let Some(credits) = chip.credits() {
            line.tell_credits(credits);
        }
    }
    Ok(traffic.tally())
}

/// What went through a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Frames that the host sent, and that could be read.
    pub requests: u64,
    /// Results that the chip sent.
    pub results: u64,
}

/// A flag that Ctrl-C and other polite requests to end set. To be called before any thread is started.
///
/// # Errors
/// If signals cannot be waited for.
pub fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    signals.thread_block()?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while signals.wait().is_err() {}
        flag.store(true, Ordering::Relaxed);
    })?;
    Ok(stop)
}

/// Why a board ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The chip was lost.
    #[error(transparent)]
    Chip(#[from] ChipError),
    /// The line was lost.
    #[error("the line of the virtual board failed: {0}")]
    Line(#[from] io::Error),
}

#[cfg(test)]
mod tests;
