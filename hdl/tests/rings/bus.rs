//! Memories for the tests: a plain one, and one behind AXI4-Lite.

use std::cell::RefCell;

use bluebelle_spec::rings::{ChipEnd, Header, Memory, WINDOW_BYTES, words};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{Decoder, Frame};

/// The window as plain memory, and as it was a cycle before.
pub(crate) struct Plain {
    words: RefCell<Vec<u32>>,
    before: RefCell<Vec<u32>>,
}

impl Plain {
    pub(crate) fn woken() -> Plain {
        let words = vec![0; WINDOW_BYTES / 4];
        let plain = Plain {
            before: RefCell::new(words.clone()),
            words: RefCell::new(words),
        };
        ChipEnd::wake(&plain);
        plain.remember();
        plain
    }

    pub(crate) fn before(&self, word: usize) -> u32 {
        self.before.borrow()[word]
    }

    pub(crate) fn remember(&self) {
        *self.before.borrow_mut() = self.words.borrow().clone();
    }

    pub(crate) fn remember_only(&self, words: &[usize]) {
        for &word in words {
            self.before.borrow_mut()[word] = self.words.borrow()[word];
        }
    }

    pub(crate) fn words_from(&self, first: usize, count: usize) -> Vec<u32> {
        self.words.borrow()[first..first + count].to_vec()
    }

    /// What the host may write, byte by byte; all else stays as it is.
    pub(crate) fn host_writes(&self, word: usize, value: u32, bytes: u8) {
        let down = Header::OURS.down;
        let owned = (down.first..down.first + down.size as usize).contains(&word);
        if owned || word == words::DOWN_TAIL || word == words::UP_HEAD {
            let mask = (0..4)
                .filter(|byte| bytes >> byte & 1 == 1)
                .map(|byte| 0xff << (8 * byte))
                .sum::<u32>();
            let old = self.words.borrow()[word];
            self.words.borrow_mut()[word] = old & !mask | value & mask;
        }
    }
}

impl Memory for Plain {
    fn words(&self) -> usize {
        self.words.borrow().len()
    }

    fn read(&self, word: usize) -> u32 {
        self.words.borrow()[word]
    }

    fn write(&self, word: usize, value: u32) {
        self.words.borrow_mut()[word] = value;
    }

    fn acquire(&self, word: usize) -> u32 {
        self.read(word)
    }

    fn release(&self, word: usize, value: u32) {
        self.write(word, value);
    }
}

/// A good frame without COBS, with at most so many bytes of payload.
pub(crate) fn some_frame(random: &mut SplitMix64, most: usize) -> Vec<u8> {
    let length = random.below(most as u64 / 2 + 1) as usize * 2;
    let payload: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
    let mut wire = Vec::new();
    let kind = random.below(8) as u8;
    let frame = Frame {
        kind,
        payload: &payload,
    };
    frame.encode(&mut wire).expect("not too long");
    plain(&wire)
}

/// A frame of the serial line, without COBS.
pub(crate) fn plain(wire: &[u8]) -> Vec<u8> {
    let mut decoder = Decoder::<()>::new();
    let frame = decoder.next_plain(&mut &wire[..]);
    frame.expect("a frame").expect("a good one").to_vec()
}
