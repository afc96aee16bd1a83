use super::{BrokenIndex, Memory, Ring, frame_words};
use crate::wire::{DropCause, FRAME_OVERHEAD, MAX_FRAME, MAX_PAYLOAD};

/// The end of a ring that reads frames.
#[derive(Clone, Debug)]
pub struct Receiver {
    ring: Ring,
    /// Where we say how far we have read, and where the sender says how far it has written.
    head_word: usize,
    tail_word: usize,
    /// Ours: what the memory says about it is not asked again.
    head: u32,
    buffer: Box<[u8; MAX_FRAME]>,
}

/// What was in a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// Nothing new.
    Nothing,
    /// The bytes of a frame: [`crate::wire::Frame::open`] judges them.
    Frame(&'a [u8]),
    /// No frame, and everything up to the tail was dropped: a length that no frame has is [`DropCause::Overflow`], one that
    /// leads beyond the tail [`DropCause::Framing`].
    Dropped(DropCause),
}

impl Receiver {
    /// A receiver that goes on at `head`.
    pub fn new(ring: Ring, head_word: usize, tail_word: usize, head: u32) -> Receiver {
        Receiver {
            ring,
            head_word,
            tail_word,
            head,
            buffer: Box::new([0; MAX_FRAME]),
        }
    }

    /// Takes the next frame out of the ring. It takes at most as many reads as the longest frame has words, and two more.
    ///
    /// # Errors
    /// If the sender claims to have written more than fits.
    pub fn receive(&mut self, memory: &impl Memory) -> Result<Received<'_>, BrokenIndex> {
        let tail = memory.acquire(self.tail_word);
        let (used, size) = (tail.wrapping_sub(self.head), self.ring.size);
        if used > size {
            return Err(BrokenIndex { used, size });
        }
        if used == 0 {
            return Ok(Received::Nothing);
        }
        let first = memory.read(self.ring.place(self.head));
        let payload = (first >> 16) as usize;
        let (length, words) = (payload + FRAME_OVERHEAD, frame_words(payload + FRAME_OVERHEAD));
        let wrong = match payload {
            0..=MAX_PAYLOAD if words <= used as usize => None,
            0..=MAX_PAYLOAD => Some(DropCause::Framing),
            _ => Some(DropCause::Overflow),
        };
        if let Some(cause) = wrong {
            self.skip_to(memory, tail);
            return Ok(Received::Dropped(cause));
        }
        self.buffer[..4].copy_from_slice(&first.to_le_bytes());
        for (index, bytes) in (1..).zip(self.buffer[4..length].chunks_mut(4)) {
            let word = memory
                .read(self.ring.place(self.head.wrapping_add(index)))
                .to_le_bytes();
            bytes.copy_from_slice(&word[..bytes.len()]);
        }
        self.skip_to(memory, self.head.wrapping_add(words as u32));
        Ok(Received::Frame(&self.buffer[..length]))
    }

    /// Whether there is anything to receive, be it good or bad.
    pub fn is_waiting(&self, memory: &impl Memory) -> bool {
        memory.acquire(self.tail_word) != self.head
    }

    /// Forgets all that was sent so far, and begins where the sender says it is. This is how the chip recovers.
    pub fn catch_up(&mut self, memory: &impl Memory) {
        self.skip_to(memory, memory.acquire(self.tail_word));
    }

    fn skip_to(&mut self, memory: &impl Memory, head: u32) {
        self.head = head;
        memory.release(self.head_word, head);
    }
}
