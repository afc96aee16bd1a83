use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use bluebelle_spec::rings::{ChipEnd, Received};
use bluebelle_spec::wire::{Decoder, DropCause, MAX_FRAME, stuff};

use super::HostLine;
use super::pause::Pause;
use crate::bar::Bar;

/// The chip's end of rings in a file: the window that a host maps, or that QEMU shows its guest as a BAR.
///
/// What is behind it speaks COBS, so frames are stuffed on their way to the chip and unstuffed on their way to the host.
pub struct RingLine {
    bar: Bar,
    end: ChipEnd,
    /// Undoes COBS.
    decoder: Decoder<()>,
    /// Frames that the ring has no room for yet.
    unsent: VecDeque<Vec<u8>>,
}

impl RingLine {
    /// Makes the file, or takes one that is there, and wakes up with empty rings in it.
    ///
    /// # Errors
    /// If the file cannot be made or mapped.
    pub fn create(path: &Path) -> io::Result<RingLine> {
        let bar = Bar::create(path)?;
        Ok(RingLine {
            end: ChipEnd::wake(&bar),
            bar,
            decoder: Decoder::new(),
            unsent: VecDeque::new(),
        })
    }

    /// Takes the next frame, as the bytes of a serial line; `None` if there is none.
    fn take(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        match self.end.down.receive(&self.bar) {
            Ok(Received::Nothing) => return None,
            Ok(Received::Frame(frame)) => {
                let stuffed = stuff(frame, bytes);
                debug_assert!(stuffed.is_ok(), "no frame of a ring is too long");
            }
            Ok(Received::Dropped(cause)) => bytes.extend(noise(cause)),
            Err(_) => {
                self.end.down.catch_up(&self.bar);
                bytes.extend(noise(DropCause::Framing));
            }
        }
        Some(())
    }

    fn flush(&mut self) {
        while let Some(frame) = self.unsent.front() {
            // A host whose index is impossible gets nothing until it has mended it.
            if !self.end.up.send(&self.bar, frame).unwrap_or(false) {
                break;
            }
            self.unsent.pop_front();
        }
    }

    fn check(&self) -> io::Result<()> {
        match self.bar.is_lost() {
            true => Err(io::Error::other("the file behind the window was cut off")),
            false => Ok(()),
        }
    }
}

/// Bytes that a chip drops for this cause.
fn noise(cause: DropCause) -> Vec<u8> {
    let mut bytes = match cause {
        DropCause::Overflow => vec![1; MAX_FRAME + 2],
        _ => vec![2],
    };
    bytes.push(0);
    bytes
}

impl HostLine for RingLine {
    fn wait(&mut self, read: bool, write: bool, patience: Duration) -> io::Result<()> {
        let began = Instant::now();
        let mut pause = Pause::new();
        loop {
            self.check()?;
            self.flush();
            let ready = (write && self.unsent.is_empty()) || (read && self.end.down.is_waiting(&self.bar));
            let left = patience.saturating_sub(began.elapsed());
            if ready || left.is_zero() {
                return Ok(());
            }
            pause.wait(left);
        }
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        self.check()?;
        let mut bytes = Vec::new();
        while bytes.len() < 4096 && self.take(&mut bytes).is_some() {}
        Ok(bytes)
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.flush();
        if !self.unsent.is_empty() {
            return Ok(0);
        }
        let length = bytes.len();
        while let Some(frame) = self.decoder.next_plain(&mut bytes) {
            // What is no frame is lost here, as it would be on the host's side of a serial line.
            self.unsent.extend(frame.ok().map(<[u8]>::to_vec));
        }
        self.flush();
        Ok(length)
    }

    fn tell_credits(&mut self, credits: u16) {
        self.end.tell_credits(&self.bar, credits.into());
    }
}
