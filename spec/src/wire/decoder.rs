use std::fmt;
use std::marker::PhantomData;

use cobs::{DecodeResult, DecoderState};

use super::{DecodeError, DropCause, Frame, FrameError, MAX_FRAME, Message};

/// Finds messages in a stream of bytes that may have lost, gained or changed any of them.
///
/// A `Decoder<Request>` is the chip's ear, a `Decoder<Reply>` the host's. It works byte by byte in a fixed buffer, as the
/// chip does. Every stretch of bytes between two delimiters that is not empty gives one message or one error, at the
/// delimiter. Of the errors that could be named, it is the first in this order:
///
/// 1. [overflow](DropCause::Overflow): more than [`MAX_FRAME`] bytes after unstuffing;
/// 2. [framing](DropCause::Framing): the delimiter came inside a block, or there are fewer than 8 bytes;
/// 3. [CRC](DropCause::Crc);
/// 4. [length](DropCause::Length) in the header, then [version](DropCause::Version), then [kind](DropCause::Kind), then
///    the length that the kind asks for;
/// 5. [content](DropCause::Content).
///
/// Whatever came before, the next frame after a delimiter is read from its first byte.
pub struct Decoder<M> {
    cobs: DecoderState,
    buffer: [u8; MAX_FRAME],
    filled: usize,
    overflow: bool,
    frames_ok: u32,
    dropped: Dropped,
    message: PhantomData<fn() -> M>,
}

impl<M> Decoder<M> {
    /// A decoder before its first byte.
    pub fn new() -> Decoder<M> {
        Decoder {
            cobs: DecoderState::Idle,
            buffer: [0; MAX_FRAME],
            filled: 0,
            overflow: false,
            frames_ok: 0,
            dropped: Dropped::default(),
            message: PhantomData,
        }
    }

    /// Takes bytes off the front of `bytes` up to the end of the next frame, good or bad; `None` if they end before it does.
    /// A bad frame is counted, a good one is not: what it says is still to be judged.
    pub fn next_frame(&mut self, bytes: &mut &[u8]) -> Option<Result<Frame<'_>, FrameError>> {
        let ended = self.end_of_frame(bytes)?;
        let frame = ended.and_then(|()| Frame::open(&self.buffer[..self.filled]));
        if let Err(error) = &frame {
            self.dropped.count(error.cause());
        }
        Some(frame)
    }

    /// As [`Decoder::next_frame`], but only COBS is undone: the frame is not looked at, and nothing is counted.
    pub fn next_plain(&mut self, bytes: &mut &[u8]) -> Option<Result<&[u8], FrameError>> {
        let ended = self.end_of_frame(bytes)?;
        Some(ended.map(|()| &self.buffer[..self.filled]))
    }

    fn end_of_frame(&mut self, bytes: &mut &[u8]) -> Option<Result<(), FrameError>> {
        loop {
            let (&byte, rest) = bytes.split_first()?;
            *bytes = rest;
            if let Some(ended) = self.feed(byte) {
                return Some(ended);
            }
        }
    }

    /// The frames that were understood.
    pub const fn frames_ok(&self) -> u32 {
        self.frames_ok
    }

    /// The frames that were dropped.
    pub const fn dropped(&self) -> &Dropped {
        &self.dropped
    }

    /// Sets the counters to zero. A frame that is half read stays so.
    pub fn reset_counters(&mut self) {
        self.frames_ok = 0;
        self.dropped = Dropped::default();
    }

    /// One byte; says whether it ended a frame, and how.
    fn feed(&mut self, byte: u8) -> Option<Result<(), FrameError>> {
        match self.cobs.feed(byte) {
            Ok(DecodeResult::NoData) => None,
            Ok(DecodeResult::DataStart) => {
                self.filled = 0;
                self.overflow = false;
                None
            }
            Ok(DecodeResult::DataContinue(byte)) => {
                match self.buffer.get_mut(self.filled) {
                    Some(place) => {
                        *place = byte;
                        self.filled += 1;
                    }
                    None => self.overflow = true,
                }
                None
            }
            Ok(DecodeResult::DataComplete) | Err(_) if self.overflow => Some(Err(FrameError::Overflow)),
            Ok(DecodeResult::DataComplete) => Some(Ok(())),
            Err(_) => Some(Err(FrameError::Framing)),
        }
    }
}

impl<M: Message> Decoder<M> {
    /// Takes bytes as they come, in pieces of any length, and gives each message that they complete, or why there is none.
    /// Read it to the end: bytes that it has not come to are lost with it.
    pub fn push<'a>(&'a mut self, bytes: &'a [u8]) -> Incoming<'a, M> {
        Incoming { decoder: self, bytes }
    }

    /// Takes bytes off the front of `bytes` up to the end of the next frame, and gives its message; `None` if they end
    /// before it does.
    pub fn next_message(&mut self, bytes: &mut &[u8]) -> Option<Result<M, DecodeError>> {
        let message = match self.next_frame(bytes)? {
            Ok(frame) => M::from_frame(frame),
            Err(error) => return Some(Err(error.into())),
        };
        match &message {
            Ok(_) => self.frames_ok = self.frames_ok.saturating_add(1),
            Err(error) => self.dropped.count(error.cause()),
        }
        Some(message)
    }
}

impl<M> Default for Decoder<M> {
    fn default() -> Decoder<M> {
        Decoder::new()
    }
}

impl<M> fmt::Debug for Decoder<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Decoder");
        out.field("frames_ok", &self.frames_ok).field("dropped", &self.dropped);
        out.finish_non_exhaustive()
    }
}

/// The messages in some bytes; see [`Decoder::push`].
#[must_use = "bytes that are not read are lost"]
#[derive(Debug)]
pub struct Incoming<'a, M> {
    decoder: &'a mut Decoder<M>,
    bytes: &'a [u8],
}

impl<M: Message> Iterator for Incoming<'_, M> {
    type Item = Result<M, DecodeError>;

    fn next(&mut self) -> Option<Result<M, DecodeError>> {
        self.decoder.next_message(&mut self.bytes)
    }
}

/// How many frames were dropped, by cause. The counters stop at their largest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// See [`DropCause::Crc`].
    pub crc: u32,
    /// See [`DropCause::Framing`].
    pub framing: u32,
    /// See [`DropCause::Length`].
    pub length: u32,
    /// See [`DropCause::Version`].
    pub version: u32,
    /// See [`DropCause::Kind`].
    pub kind: u32,
    /// See [`DropCause::Content`].
    pub content: u32,
    /// See [`DropCause::Overflow`].
    pub overflow: u32,
}

impl Dropped {
    /// Counts one more.
    pub fn count(&mut self, cause: DropCause) {
        let mut counts = self.by_cause();
        let counter = &mut counts[cause as usize];
        *counter = counter.saturating_add(1);
        *self = Dropped::from_causes(counts);
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.by_cause().into_iter().map(u64::from).sum()
    }

    /// The counters in the order of [`DropCause::ALL`], which is that of the wire.
    pub const fn by_cause(&self) -> [u32; 7] {
        [
            self.crc,
            self.framing,
            self.length,
            self.version,
            self.kind,
            self.content,
            self.overflow,
        ]
    }

    /// The inverse of [`Dropped::by_cause`].
    pub const fn from_causes([crc, framing, length, version, kind, content, overflow]: [u32; 7]) -> Dropped {
        Dropped {
            crc,
            framing,
            length,
            version,
            kind,
            content,
            overflow,
        }
    }
}
