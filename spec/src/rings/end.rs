use super::{Header, HeaderError, Memory, Receiver, Sender, words};

/// The host's end of both rings.
#[derive(Clone, Debug)]
pub struct HostEnd {
    /// To the chip.
    pub down: Sender,
    /// From the chip.
    pub up: Receiver,
}

impl HostEnd {
    /// Checks the header, and goes on where the last host was. What the chip has said to that one is skipped; what that one said to
    /// the chip, the chip will still hear.
    ///
    /// # Errors
    /// If this is no window of ours.
    pub fn open(memory: &impl Memory) -> Result<HostEnd, HeaderError> {
        let Header { down, up } = Header::check(memory)?;
        let head = memory.acquire(words::DOWN_HEAD);
        let mut tail = memory.read(words::DOWN_TAIL);
        if tail.wrapping_sub(head) > down.size {
            tail = head;
            memory.release(words::DOWN_TAIL, tail);
        }
        let mut up = Receiver::new(up, words::UP_HEAD, words::UP_TAIL, 0);
        up.catch_up(memory);
        Ok(HostEnd {
            down: Sender::new(down, words::DOWN_HEAD, words::DOWN_TAIL, tail),
            up,
        })
    }
}

/// The chip's end of both rings, as the hardware does it.
#[derive(Clone, Debug)]
pub struct ChipEnd {
    /// From the host.
    pub down: Receiver,
    /// To the host.
    pub up: Sender,
}

impl ChipEnd {
    /// Wakes up with empty rings.
    pub fn wake(memory: &impl Memory) -> ChipEnd {
        // A host that is there already shall notice.
        memory.release(words::MAGIC, 0);
        for word in [words::DOWN_HEAD, words::UP_TAIL, words::DOWN_TAIL, words::UP_HEAD] {
            memory.write(word, 0);
        }
        let Header { down, up } = Header::OURS;
        Header::OURS.write(memory);
        ChipEnd {
            down: Receiver::new(down, words::DOWN_HEAD, words::DOWN_TAIL, 0),
            up: Sender::new(up, words::UP_HEAD, words::UP_TAIL, 0),
        }
    }

    /// Tells the host how many jobs the queue has room for.
    pub fn tell_credits(&self, memory: &impl Memory, credits: u32) {
        memory.write(words::CREDITS, credits);
    }
}
