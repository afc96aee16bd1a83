//! A binary arithmetic coder: a likely bit costs a small part of a bit.
//!
//! Bits are coded in slots, each with a probability that a table's file begins with and that adapts
//! within a block.

/// What bits pass through: a trainer counts bits, an encoder writes bits, a decoder reads bits.
pub(super) trait Bits {
    /// Codes a bit in a slot; a decoder ignores `bit` and returns what was written.
    fn bit(&mut self, slot: usize, bit: bool) -> bool;
    /// The probability of a set bit in this slot, of 65,536.
    fn probability(&self, slot: usize) -> u32;
}

/// What a probability is before anything is known.
pub(super) const EVEN: u16 = 1 << 15;
const MOST: u32 = (1 << 16) - 4;
/// How fast a probability adapts: each bit moves it by 1/32 of what is missing.
const RATE: u32 = 5;

fn adapt(probability: &mut u16, bit: bool) {
    let known = u32::from(*probability);
    let next = if bit {
        known + ((65_536 - known) >> RATE)
    } else {
        known - (known >> RATE)
    };
    *probability = next.clamp(4, MOST) as u16;
}

/// Counts bits to find the probabilities that a file begins with.
pub(super) struct Trainer {
    counts: Vec<[u32; 2]>,
}

impl Trainer {
    pub(super) fn new(slots: usize) -> Trainer {
        Trainer {
            counts: vec![[0; 2]; slots],
        }
    }

    /// The probability of each slot that was used.
    pub(super) fn probabilities(&self) -> Vec<u16> {
        (0..self.counts.len())
            .map(|slot| self.probability(slot) as u16)
            .collect()
    }
}

impl Bits for Trainer {
    fn bit(&mut self, slot: usize, bit: bool) -> bool {
        self.counts[slot][usize::from(bit)] += 1;
        bit
    }

    fn probability(&self, slot: usize) -> u32 {
        let [zeros, ones] = self.counts[slot].map(u64::from);
        if zeros + ones == 0 {
            return u32::from(EVEN);
        }
        // Half a bit of each kind beforehand.
        let share = ((2 * ones + 1) << 16) / (2 * (zeros + ones) + 2);
        (share as u32).clamp(4, MOST)
    }
}

/// Writes bits.
pub(super) struct Encoder {
    probabilities: Vec<u16>,
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new(probabilities: &[u16]) -> Encoder {
        Encoder {
            probabilities: probabilities.to_vec(),
            low: 0,
            high: u32::MAX,
            bytes: Vec::new(),
        }
    }

    /// The bytes; a decoder reads zeros behind them.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.low > 0 {
            // The first bytes differ, so the byte between needs no other one behind it.
            self.bytes.push((self.low >> 24) as u8 + 1);
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

fn split(low: u32, high: u32, probability: u32) -> u32 {
    low + ((u64::from(high - low) * u64::from(probability)) >> 16) as u32
}

impl Bits for Encoder {
    fn bit(&mut self, slot: usize, bit: bool) -> bool {
        let middle = split(self.low, self.high, self.probability(slot));
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        adapt(&mut self.probabilities[slot], bit);
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
        bit
    }

    fn probability(&self, slot: usize) -> u32 {
        u32::from(self.probabilities[slot])
    }
}

/// Reads bits.
pub(super) struct Decoder<'b> {
    probabilities: Vec<u16>,
    low: u32,
    high: u32,
    at: u32,
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Decoder<'b> {
    pub(super) fn new(probabilities: &[u16], bytes: &'b [u8]) -> Decoder<'b> {
        let mut decoder = Decoder {
            probabilities: probabilities.to_vec(),
            low: 0,
            high: u32::MAX,
            at: 0,
            bytes: bytes.iter(),
        };
        for _ in 0..4 {
            decoder.take();
        }
        decoder
    }

    fn take(&mut self) {
        self.at = self.at << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Bits for Decoder<'_> {
    #[inline]
    fn bit(&mut self, slot: usize, _: bool) -> bool {
        let middle = split(self.low, self.high, self.probability(slot));
        let bit = self.at <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        adapt(&mut self.probabilities[slot], bit);
        while (self.low ^ self.high) >> 24 == 0 {
            self.take();
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
        bit
    }

    #[inline]
    fn probability(&self, slot: usize) -> u32 {
        u32::from(self.probabilities[slot])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bluebelle_spec::rng::SplitMix64;

    #[test]
    fn bits_come_back() {
        let mut random = SplitMix64::new(7);
        for length in [0, 1, 2, 10, 1_000, 20_000] {
            for rarity in [1, 2, 50, 5_000] {
                let bits: Vec<bool> = (0..length).map(|_| random.next_u64().is_multiple_of(rarity)).collect();
                let mut encoder = Encoder::new(&[EVEN; 3]);
                for (at, &bit) in bits.iter().enumerate() {
                    encoder.bit(at % 3, bit);
                }
                let bytes = encoder.finish();
                let mut decoder = Decoder::new(&[EVEN; 3], &bytes);
                let back: Vec<bool> = (0..length).map(|at| decoder.bit(at % 3, false)).collect();
                assert_eq!(back, bits);
            }
        }
    }
}
