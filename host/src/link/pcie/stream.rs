use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bluebelle_sim::bar::Bar;
use bluebelle_spec::rings::{HostEnd, Received};
use bluebelle_spec::wire::{Decoder, stuff};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The rings of a device as a stream of bytes like that of a serial line.
///
/// A device cannot wake us up, so a thread looks after it: often while there is traffic, ever less often when there is none. Only this
/// thread touches the window.
pub(super) struct RingStream {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// Bytes that wait on either side before whoever makes more of them must wait.
const ENOUGH: usize = 1 << 16;

/// As long after the last traffic the thread only yields; a chip with jobs says something every few microseconds.
const ALERT: Duration = Duration::from_micros(50);

/// After that it sleeps for a part of the time since the last traffic, within these bounds: what comes late is late by little.
const PART: u32 = 16;
const SHORTEST: Duration = Duration::from_micros(20);
const LONGEST: Duration = Duration::from_millis(10);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// From the device, and to it.
    incoming: VecDeque<u8>,
    outgoing: Vec<u8>,
    reader: Option<Waker>,
    writer: Option<Waker>,
    /// Why there is nothing more to come.
    ended: Option<(io::ErrorKind, String)>,
    /// Nobody listens any more.
    closed: bool,
}

impl Shared {
    /// Nobody panics while they hold it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn end(&self) -> Option<io::Error> {
        self.ended
            .as_ref()
            .map(|(kind, problem)| io::Error::new(*kind, problem.clone()))
    }
}

impl RingStream {
    /// Starts to look after a device.
    pub(super) fn start(bar: Bar, end: HostEnd) -> io::Result<RingStream> {
        let shared = Arc::new(Shared::default());
        let mut keeper = Keeper {
            bar,
            end,
            shared: Arc::clone(&shared),
            decoder: Decoder::new(),
            unsent: VecDeque::new(),
        };
        let thread = thread::Builder::new().name("pcie".to_owned());
        let thread = thread.spawn(move || keeper.keep())?;
        Ok(RingStream {
            shared,
            thread: Some(thread),
        })
    }
}

impl Drop for RingStream {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It never waits for anything, so this is soon.
            let _ = thread.join();
        }
    }
}

/// What the thread has.
struct Keeper {
    bar: Bar,
    end: HostEnd,
    shared: Arc<Shared>,
    /// Undoes COBS.
    decoder: Decoder<()>,
    /// Frames that the ring has no room for yet.
    unsent: VecDeque<Vec<u8>>,
}

impl Keeper {
    fn keep(&mut self) {
        let mut last = Instant::now();
        loop {
            match self.step() {
                Ok(Step::Closed) => return,
                Ok(Step::Moved) => last = Instant::now(),
                Ok(Step::Nothing) => match pause_after(last.elapsed()) {
                    None => thread::yield_now(),
                    Some(pause) => thread::park_timeout(pause),
                },
                Err(error) => {
                    let mut state = self.shared.lock();
                    state.ended = Some((error.kind(), error.to_string()));
                    let wakers = [state.reader.take(), state.writer.take()];
                    drop(state);
                    wakers.into_iter().flatten().for_each(Waker::wake);
                    return;
                }
            }
        }
    }

    /// Moves what can be moved now, each way.
    fn step(&mut self) -> io::Result<Step> {
        let mut moved = false;
        let mut state = self.shared.lock();
        if state.closed {
            return Ok(Step::Closed);
        }
        let room = ENOUGH.saturating_sub(state.incoming.len());
        let (bytes, writer) = match self.unsent.is_empty() && !state.outgoing.is_empty() {
            true => (std::mem::take(&mut state.outgoing), state.writer.take()),
            false => (Vec::new(), None),
        };
        drop(state);
        writer.into_iter().for_each(Waker::wake);

        let mut rest = &bytes[..];
        while let Some(frame) = self.decoder.next_plain(&mut rest) {
            // What is no frame is no use to the chip either.
            self.unsent.extend(frame.ok().map(<[u8]>::to_vec));
        }
        while let Some(frame) = self.unsent.front() {
            if !self.end.down.send(&self.bar, frame).map_err(io::Error::other)? {
                break;
            }
            self.unsent.pop_front();
            moved = true;
        }

        let mut incoming = Vec::new();
        while incoming.len() < room {
            match self.end.up.receive(&self.bar).map_err(io::Error::other)? {
                Received::Nothing => break,
                Received::Frame(frame) => stuff(frame, &mut incoming).map_err(io::Error::other)?,
                // A block that ends too soon: whoever listens counts a damaged frame.
                Received::Dropped(_) => incoming.extend([2, 0]),
            }
        }
        if self.bar.is_lost() {
            return Err(io::Error::new(
                io::ErrorKind::BrokenPipe,
                "the mapping of the device vanished",
            ));
        }
        if !incoming.is_empty() {
            moved = true;
            let mut state = self.shared.lock();
            state.incoming.extend(incoming);
            let reader = state.reader.take();
            drop(state);
            reader.into_iter().for_each(Waker::wake);
        }
        Ok(match moved {
            true => Step::Moved,
            false => Step::Nothing,
        })
    }
}

enum Step {
    Moved,
    Nothing,
    Closed,
}

/// How long to sleep if the last traffic is so long ago; `None` for not at all.
fn pause_after(quiet: Duration) -> Option<Duration> {
    (quiet >= ALERT).then(|| (quiet / PART).clamp(SHORTEST, LONGEST))
}

impl AsyncRead for RingStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut state = self.shared.lock();
        let length = state.incoming.len().min(buffer.remaining());
        if length > 0 {
            for byte in state.incoming.drain(..length) {
                buffer.put_slice(&[byte]);
            }
            return Poll::Ready(Ok(()));
        }
        if let Some(error) = state.end() {
            return Poll::Ready(Err(error));
        }
        state.reader = Some(context.waker().clone());
        Poll::Pending
    }
}

impl AsyncWrite for RingStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut state = self.shared.lock();
        if let Some(error) = state.end() {
            return Poll::Ready(Err(error));
        }
        let length = bytes.len().min(ENOUGH.saturating_sub(state.outgoing.len()));
        if length == 0 && !bytes.is_empty() {
            state.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        state.outgoing.extend_from_slice(&bytes[..length]);
        drop(state);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
        Poll::Ready(Ok(length))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_the_silence_the_longer_the_pause() {
        let ms = Duration::from_millis;
        assert_eq!(pause_after(Duration::from_micros(10)), None);
        assert_eq!(pause_after(Duration::from_micros(60)), Some(SHORTEST));
        assert_eq!(pause_after(ms(16)), Some(ms(1)));
        assert_eq!(pause_after(ms(60_000)), Some(LONGEST));
        // Looks in the first second, and in each one after that.
        let (mut quiet, mut looks) = (ALERT, 0);
        while quiet < ms(1_000) {
            quiet += pause_after(quiet).expect("it sleeps");
            looks += 1;
        }
        assert!(looks < 250, "{looks}");
    }
}
