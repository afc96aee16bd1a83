//! The rings: frames between host and chip through memory that both see, such as a BAR of a PCIe device.
//!
//! # The window
//! 32-bit little-endian words, read and written as such. Reads have no side effects: whoever reads too often loses nothing.
//!
//! | byte | written by | word |
//! |---|---|---|
//! | 000 | chip, once | magic: `BlBe` |
//! | 004 | chip, once | version of this layout, 1 |
//! | 008 | chip, once | down ring: where it begins, in bytes |
//! | 00c | chip, once | down ring: its size in words, a power of two |
//! | 010 | chip, once | up ring: where it begins, in bytes |
//! | 014 | chip, once | up ring: its size in words, a power of two |
//! | 018 | chip | credits: how many jobs the chip's queue has room for |
//! | 020 | chip | down ring: head |
//! | 024 | chip | up ring: tail |
//! | 040 | host | down ring: tail |
//! | 044 | host | up ring: head |
//! | 2000–3fff | host | the down ring, from host to chip |
//! | 4000–5fff | chip | the up ring, from chip to host |
//!
//! All else up to [`WINDOW_BYTES`] is zero. A word is only ever written by the side that the table names. The places and sizes of
//! the rings are those of our chip; a host takes them from the header, after it has [checked](Header::check) them.
//!
//! # A ring
//! Head and tail count words, round all 32 bits: `tail - head` words are full, and the word with number `n` lies at `n` modulo
//! the size. The sender writes whole frames, then the tail, which so always stands between two frames; the receiver reads, then
//! moves the head past what it has read, which gives the sender its room back.
//!
//! A frame is that of [the serial line](crate::wire) without COBS and delimiter, filled up with zeros to whole words: its own
//! length says where the next one begins. There is no line noise here; but whoever finds a length that cannot be drops
//! everything up to the tail, and understands what is sent after that.
//!
//! # When the other side is broken
//! Nobody believes an index. If more words are full than the ring has, then
//! - the chip as receiver puts its head to where the tail is, and as a sender waits until the host has mended its head;
//! - the host gives the device up, opens it anew and then begins where the chip is: [`HostEnd::open`].

mod end;
mod receiver;
mod sender;

pub use end::{ChipEnd, HostEnd};
pub use receiver::{Received, Receiver};
pub use sender::Sender;

use crate::wire::MAX_FRAME;

/// What the first word says.
pub const MAGIC: u32 = u32::from_le_bytes(*b"BlBe");

/// The version of this layout.
pub const LAYOUT_VERSION: u32 = 1;

/// The bytes of our chip's window.
pub const WINDOW_BYTES: usize = 0x8000;

/// The words of the header, by number.
pub mod words {
    /// See [`super::MAGIC`].
    pub const MAGIC: usize = at_byte(0x00);
    /// See [`super::LAYOUT_VERSION`].
    pub const VERSION: usize = at_byte(0x04);
    /// Where the down ring begins, in bytes.
    pub const DOWN_OFFSET: usize = at_byte(0x08);
    /// The words of the down ring.
    pub const DOWN_SIZE: usize = at_byte(0x0c);
    /// Where the up ring begins, in bytes.
    pub const UP_OFFSET: usize = at_byte(0x10);
    /// The words of the up ring.
    pub const UP_SIZE: usize = at_byte(0x14);
    /// How many jobs the chip's queue has room for.
    pub const CREDITS: usize = at_byte(0x18);
    /// The down ring's head: the chip has read up to here.
    pub const DOWN_HEAD: usize = at_byte(0x20);
    /// The up ring's tail: the chip has written up to here.
    pub const UP_TAIL: usize = at_byte(0x24);
    /// The down ring's tail: the host has written up to here.
    pub const DOWN_TAIL: usize = at_byte(0x40);
    /// The up ring's head: the host has read up to here.
    pub const UP_HEAD: usize = at_byte(0x44);
    /// Behind the last word of the header.
    pub const END: usize = at_byte(0x48);

    const fn at_byte(offset: usize) -> usize {
        offset / 4
    }
}

/// Memory that two sides see, a word at a time.
///
/// Data words are [read](Memory::read) and [written](Memory::write) in any order. An index orders them: what a side did before it
/// [released](Memory::release) an index, the other side sees after it has [acquired](Memory::acquire) it.
pub trait Memory {
    /// How many words there are.
    fn words(&self) -> usize;

    /// A word of data.
    fn read(&self, word: usize) -> u32;

    /// Writes a word of data.
    fn write(&self, word: usize, value: u32);

    /// An index of the other side, and with it all that the other side did before.
    fn acquire(&self, word: usize) -> u32;

    /// Writes an index, after all that was read or written before.
    fn release(&self, word: usize, value: u32);
}

/// Where a ring is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Its first word.
    pub first: usize,
    /// Its words, a power of two.
    pub size: u32,
}

impl Ring {
    /// The words of the longest frame; no ring is smaller.
    pub const LEAST: u32 = frame_words(MAX_FRAME) as u32;

    const fn place(self, index: u32) -> usize {
        self.first + (index & (self.size - 1)) as usize
    }

    const fn end(self) -> usize {
        self.first + self.size as usize
    }
}

/// The words that so many bytes take.
pub const fn frame_words(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// What the chip says about its rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// From host to chip.
    pub down: Ring,
    /// From chip to host.
    pub up: Ring,
}

impl Header {
    /// The header of our chip.
    pub const OURS: Header = Header {
        down: Ring {
            first: 0x2000 / 4,
            size: 0x2000 / 4,
        },
        up: Ring {
            first: 0x4000 / 4,
            size: 0x2000 / 4,
        },
    };

    /// Reads the header, and refuses one that leads anywhere but into the window.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn check(memory: &impl Memory) -> Result<Header, HeaderError> {
        if memory.words() < words::END {
            return Err(HeaderError::Small(memory.words() * 4));
        }
        let magic = memory.read(words::MAGIC);
        if magic != MAGIC {
            return Err(HeaderError::Magic(magic));
        }
        let version = memory.read(words::VERSION);
        if version != LAYOUT_VERSION {
            return Err(HeaderError::Version(version));
        }
        let ring = |name, offset, size| {
            let (offset, size) = (memory.read(offset), memory.read(size));
            let ring = Ring {
                first: offset as usize / 4,
                size,
            };
            // A ring is at most as large as the window, so nothing overflows here.
            let fits = size.is_power_of_two()
                && size >= Ring::LEAST
                && offset % 4 == 0
                && ring.first >= words::END
                && size as usize <= memory.words()
                && ring.end() <= memory.words();
            match fits {
                true => Ok(ring),
                false => Err(HeaderError::Ring { name, offset, size }),
            }
        };
        let down = ring("down", words::DOWN_OFFSET, words::DOWN_SIZE)?;
        let up = ring("up", words::UP_OFFSET, words::UP_SIZE)?;
        match down.end() <= up.first || up.end() <= down.first {
            true => Ok(Header { down, up }),
            false => Err(HeaderError::Overlap),
        }
    }

    /// Writes the header, the magic word last.
    pub(crate) fn write(&self, memory: &impl Memory) {
        memory.write(words::VERSION, LAYOUT_VERSION);
        memory.write(words::DOWN_OFFSET, (self.down.first * 4) as u32);
        memory.write(words::DOWN_SIZE, self.down.size);
        memory.write(words::UP_OFFSET, (self.up.first * 4) as u32);
        memory.write(words::UP_SIZE, self.up.size);
        memory.release(words::MAGIC, MAGIC);
    }
}

/// Why a window is none of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// No room for a header.
    #[error("a window of {0} bytes: expected {WINDOW_BYTES}; is this the right BAR?")]
    Small(usize),
    /// Another device; or none, because then the bus answers with ones.
    #[error("the magic word is {0:#010x}, not {MAGIC:#010x}: {why}", why = why_no_magic(*.0))]
    Magic(u32),
    /// Another layout.
    #[error("rings of version {0}: expected {LAYOUT_VERSION}; use a host and a bitstream of the same release")]
    Version(u32),
    /// A ring that is no ring, or not in the window.
    #[error(
        "the {name} ring is said to have {size} words from byte {offset:#x}: no such ring fits the window; the bitstream is broken"
    )]
    Ring {
        /// Down or up.
        name: &'static str,
        /// Where it is said to begin.
        offset: u32,
        /// Its size, as it is said to be.
        size: u32,
    },
    /// The rings share words.
    #[error("the rings overlap: the bitstream is broken")]
    Overlap,
}

fn why_no_magic(found: u32) -> &'static str {
    match found {
        u32::MAX => "the device does not answer; unplugged, or memory access is off?",
        _ => "another device, another BAR, or a chip that is not configured yet",
    }
}

/// The other side's index is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the other side's index says that {used} of {size} words are full: it was reset, replaced or unplugged")]
pub struct BrokenIndex {
    /// The words that would be full.
    pub used: u32,
    /// The words of the ring.
    pub size: u32,
}
