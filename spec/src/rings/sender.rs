use super::{BrokenIndex, Memory, Ring, frame_words};

/// The end of a ring that writes frames.
#[derive(Clone, Debug)]
pub struct Sender {
    ring: Ring,
    /// Where the receiver says how far it has read, and where we say how far we have written.
    head_word: usize,
    tail_word: usize,
    /// Ours: what the memory says about it is not asked again.
    tail: u32,
}

impl Sender {
    /// A sender that goes on at `tail`.
    pub fn new(ring: Ring, head_word: usize, tail_word: usize, tail: u32) -> Sender {
        Sender {
            ring,
            head_word,
            tail_word,
            tail,
        }
    }

    /// How many words are free.
    ///
    /// # Errors
    /// If the receiver claims to have read what was never written.
    pub fn room(&self, memory: &impl Memory) -> Result<u32, BrokenIndex> {
        let used = self.tail.wrapping_sub(memory.acquire(self.head_word));
        let size = self.ring.size;
        size.checked_sub(used).ok_or(BrokenIndex { used, size })
    }

    /// Sends a frame if there is room for it; `false` if there is not. One that is larger than the ring never fits.
    ///
    /// # Errors
    /// As [`Sender::room`].
    pub fn send(&mut self, memory: &impl Memory, frame: &[u8]) -> Result<bool, BrokenIndex> {
        let words = frame_words(frame.len());
        if words > self.room(memory)? as usize {
            return Ok(false);
        }
        for bytes in frame.chunks(4) {
            let mut word = [0; 4];
            word[..bytes.len()].copy_from_slice(bytes);
            memory.write(self.ring.place(self.tail), u32::from_le_bytes(word));
            self.tail = self.tail.wrapping_add(1);
        }
        memory.release(self.tail_word, self.tail);
        Ok(true)
    }
}
