//! What the chip holds: noise after power-up, then what was written; and wrong bits, if asked for.

use std::collections::HashMap;

use bluebelle_spec::rng::SplitMix64;

use crate::table_memory::Device;

/// The cells, by bank, row and column.
#[derive(Debug)]
pub(super) struct Cells {
    mask: u32,
    width: u64,
    words: HashMap<(u8, u16, u16), u32>,
    random: SplitMix64,
    one_in: u64,
    flipped: u64,
}

impl Cells {
    pub(super) fn new(device: &Device) -> Cells {
        Cells {
            mask: u32::MAX >> (32 - device.width),
            width: u64::from(device.width),
            words: HashMap::new(),
            random: SplitMix64::new(0),
            one_in: 0,
            flipped: 0,
        }
    }

    pub(super) fn flip_bits(&mut self, seed: u64, one_in: u64) {
        self.random = SplitMix64::new(seed);
        self.one_in = one_in;
    }

    pub(super) const fn flipped(&self) -> u64 {
        self.flipped
    }

    pub(super) fn write(&mut self, at: (u8, u16, u16), word: u32) {
        self.words.insert(at, word & self.mask);
    }

    /// A word that is read with a wrong bit stays wrong.
    pub(super) fn read(&mut self, at: (u8, u16, u16)) -> u32 {
        let word = self.words.get(&at).copied();
        let mut word = word.unwrap_or_else(|| noise(at) & self.mask);
        if self.one_in != 0 && self.random.below(self.one_in) == 0 {
            word ^= 1 << self.random.below(self.width);
            self.flipped += 1;
            self.words.insert(at, word);
        }
        word
    }
}

/// The same noise in each simulation.
fn noise((bank, row, column): (u8, u16, u16)) -> u32 {
    let at = u64::from(bank) << 32 | u64::from(row) << 16 | u64::from(column);
    SplitMix64::new(at).next_u64() as u32
}
