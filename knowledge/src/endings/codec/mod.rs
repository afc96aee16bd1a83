//! The compression of tables, block by block.
//!
//! A value is told by its likeness to its neighbours: the placements in which one man stands a
//! square further left or down. Their classes (win, draw, loss) choose the probabilities for the
//! class of the value, and a distance is told as a difference to that of a neighbour of its class.
//! Where several classes will do, the likeliest is written. A general compressor from a crate sees
//! bytes in a row only; it knows no neighbours in other directions and has no use for classes that
//! do not matter.

mod coder;
mod near;

pub(super) use near::Neighbours;

use super::value::{Wdl, code};
use coder::{Bits, Decoder, EVEN, Encoder, Trainer};
use near::NEAR;

/// Cells in a block.
pub(super) const BLOCK: usize = 1 << 14;

/// What a cell must tell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// This code.
    Exactly(u16),
    /// One of these classes, a bit for each: see `DRAW`, `WIN` and `LOSS`.
    AnyOf(u8),
}

const DRAW: usize = 0;
const WIN: usize = 1;
const LOSS: usize = 2;
/// No neighbour.
const NONE: usize = 3;

impl Wanted {
    pub(super) const ANYTHING: Wanted = Wanted::AnyOf(7);
    pub(super) const NO_WIN: Wanted = Wanted::AnyOf(1 << DRAW | 1 << LOSS);
}

const fn class(found: u16) -> usize {
    match found {
        code::BROKEN => NONE,
        found => match code::wdl(found) {
            Wdl::Draw => DRAW,
            Wdl::Win => WIN,
            Wdl::Loss => LOSS,
        },
    }
}

// The slots: two bits of the class for each combination of neighbours, then those of a distance.
const CLASSES: usize = 2 << (2 * NEAR);
const ALIKE: usize = 2 * 49 + 2;
const SAME: usize = CLASSES;
const LESS: usize = SAME + ALIKE;
const LENGTH: usize = LESS + ALIKE;
const LENGTHS: usize = 12;
const DIGIT: usize = LENGTH + ALIKE * LENGTHS;
const SLOTS: usize = DIGIT + LENGTHS * LENGTHS;
/// More moves than any ending takes; a distance beyond it is a damaged file's.
const MOST_MOVES: i32 = 10_000;

/// The probabilities that a table's blocks begin with.
#[derive(Clone, Debug)]
pub(super) struct Model(Vec<u16>);

/// A block in the making, the same for trainer, encoder and decoder.
struct Walk<'n> {
    neighbours: &'n Neighbours,
    codes: Vec<u16>,
    /// The last distance of each class.
    last: [i32; 3],
    distances: bool,
}

impl Walk<'_> {
    fn step(&mut self, bits: &mut impl Bits, cell: usize, wanted: Option<Wanted>) {
        let at = self.codes.len();
        let near = self.neighbours.of(cell).map(|back| match back {
            0 => code::BROKEN,
            back => at
                .checked_sub(back as usize)
                .map_or(code::BROKEN, |from| self.codes[from]),
        });
        let context = near.iter().fold(0, |context, &code| context << 2 | class(code)) * 2;
        let chosen = match wanted {
            Some(Wanted::Exactly(code)) => class(code),
            Some(Wanted::AnyOf(classes)) => likeliest(bits, context, classes),
            None => DRAW,
        };
        let draw = bits.bit(context, chosen == DRAW);
        if draw {
            return self.codes.push(code::DRAW);
        }
        let class = if bits.bit(context + 1, chosen == WIN) {
            WIN
        } else {
            LOSS
        };
        let first = code::of_key(if class == WIN { 1 } else { 0 });
        if !self.distances {
            return self.codes.push(first);
        }
        let told = match wanted {
            Some(Wanted::Exactly(code)) => Some(i32::from(code / 2)),
            _ => None,
        };
        let moves = self.distance(bits, &near, class, told);
        self.last[class] = moves;
        // Odd codes are losses: 1, 3, …; even ones wins: 2, 4, ….
        self.codes.push((2 * moves) as u16 + u16::from(class == LOSS));
    }

    /// Codes a distance, half of the value's code, by the neighbours of the same class.
    fn distance(&self, bits: &mut impl Bits, near: &[u16; NEAR], of: usize, told: Option<i32>) -> i32 {
        let mut like = near
            .iter()
            .filter(|&&code| class(code) == of)
            .map(|&code| i32::from(code / 2));
        let first = like.next();
        let guess = first.unwrap_or(self.last[of]);
        let mut apart = || like.next().map_or(6, |other| (other - guess).clamp(-2, 3) + 2) as usize;
        let context = match first {
            Some(_) => 2 + (of - WIN) * 49 + apart() * 7 + apart(),
            None => of - WIN,
        };
        let difference = told.map_or(0, |told| told - guess);
        if bits.bit(SAME + context, difference == 0) {
            return guess;
        }
        let less = bits.bit(LESS + context, difference < 0);
        // The difference less one: first the number of its binary digits, then the digits.
        let rest = difference.unsigned_abs().saturating_sub(1);
        let wanted = (32 - rest.leading_zeros()) as usize;
        let mut length = 0;
        while length < LENGTHS - 1 && bits.bit(LENGTH + context * LENGTHS + length, length < wanted) {
            length += 1;
        }
        let mut found = u32::from(length > 0);
        for digit in (0..length.saturating_sub(1)).rev() {
            let set = bits.bit(DIGIT + length * LENGTHS + digit, rest >> digit & 1 != 0);
            found = found << 1 | u32::from(set);
        }
        let difference = found as i32 + 1;
        let moves = if less { guess - difference } else { guess + difference };
        moves.clamp(i32::from(of == WIN), MOST_MOVES)
    }
}

fn likeliest(bits: &impl Bits, context: usize, classes: u8) -> usize {
    let draw = u64::from(bits.probability(context));
    let win = u64::from(bits.probability(context + 1));
    let odds = [draw << 16, (65_536 - draw) * win, (65_536 - draw) * (65_536 - win)];
    let allowed = (DRAW..=LOSS).filter(|&class| classes >> class & 1 != 0);
    allowed.max_by_key(|&class| (odds[class], LOSS - class)).unwrap_or(DRAW)
}

impl Model {
    /// Learns the probabilities from a sample of blocks; `cells` is the table's size.
    pub(super) fn train(
        neighbours: &Neighbours,
        distances: bool,
        cells: usize,
        wanted: impl Fn(usize) -> Wanted,
    ) -> Model {
        const SAMPLE: usize = 256;
        let mut trainer = Trainer::new(SLOTS);
        let blocks = cells.div_ceil(BLOCK);
        for block in (0..blocks).step_by(blocks.div_ceil(SAMPLE).max(1)) {
            let range = block * BLOCK..((block + 1) * BLOCK).min(cells);
            code_block(&mut trainer, neighbours, distances, range, |cell| Some(wanted(cell)));
        }
        Model(trainer.probabilities())
    }

    pub(super) fn encode(
        &self,
        neighbours: &Neighbours,
        distances: bool,
        range: std::ops::Range<usize>,
        wanted: impl Fn(usize) -> Wanted,
    ) -> Vec<u8> {
        let mut encoder = Encoder::new(&self.0);
        code_block(&mut encoder, neighbours, distances, range, |cell| Some(wanted(cell)));
        encoder.finish()
    }

    /// The codes of a block, in which every win and every loss has the same key if there are no
    /// distances.
    pub(super) fn decode(
        &self,
        neighbours: &Neighbours,
        distances: bool,
        range: std::ops::Range<usize>,
        bytes: &[u8],
    ) -> Vec<u16> {
        let mut decoder = Decoder::new(&self.0, bytes);
        code_block(&mut decoder, neighbours, distances, range, |_| None)
    }

    /// The model as a file has it: a bit for every slot that is not even, then the probabilities of
    /// those.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; SLOTS.div_ceil(8)];
        for (slot, &probability) in self.0.iter().enumerate() {
            if probability != EVEN {
                bytes[slot / 8] |= 1 << (slot % 8);
                bytes.extend(probability.to_le_bytes());
            }
        }
        bytes
    }

    /// `None` if these are not the bytes of a model.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Model> {
        let (used, mut told) = bytes.split_at_checked(SLOTS.div_ceil(8))?;
        let mut probabilities = vec![EVEN; SLOTS];
        for (slot, probability) in probabilities.iter_mut().enumerate() {
            if used[slot / 8] >> (slot % 8) & 1 != 0 {
                let (first, rest) = told.split_first_chunk::<2>()?;
                *probability = u16::from_le_bytes(*first).clamp(4, u16::MAX - 3);
                told = rest;
            }
        }
        told.is_empty().then_some(Model(probabilities))
    }
}

fn code_block(
    bits: &mut impl Bits,
    neighbours: &Neighbours,
    distances: bool,
    range: std::ops::Range<usize>,
    wanted: impl Fn(usize) -> Option<Wanted>,
) -> Vec<u16> {
    let mut walk = Walk {
        neighbours,
        codes: Vec::with_capacity(range.len()),
        last: [0; 3],
        distances,
    };
    for cell in range {
        walk.step(bits, cell, wanted(cell));
    }
    walk.codes
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::*;
    use bluebelle_spec::rng::SplitMix64;

    #[test]
    fn blocks_come_back() {
        let index = Index::new("KRvKN".parse().expect("a material"));
        let neighbours = Neighbours::new(&index);
        let mut random = SplitMix64::new(3);
        for spread in [1, 2, 30, 400] {
            let codes: Vec<u16> = (0..3 * BLOCK + 5)
                .map(|_| match random.next_u64() % 3 {
                    0 => code::DRAW,
                    _ => 1 + (random.next_u64() % spread) as u16,
                })
                .collect();
            let wanted = |cell: usize| Wanted::Exactly(codes[cell]);
            let model = Model::train(&neighbours, true, codes.len(), wanted);
            let model = Model::from_bytes(&model.to_bytes()).expect("a model");
            for start in (0..codes.len()).step_by(BLOCK) {
                let range = start..(start + BLOCK).min(codes.len());
                let bytes = model.encode(&neighbours, true, range.clone(), wanted);
                assert_eq!(model.decode(&neighbours, true, range.clone(), &bytes), codes[range]);
            }
        }
    }

    #[test]
    fn any_bytes_decode_to_something() {
        let index = Index::new("KPvKP".parse().expect("a material"));
        let neighbours = Neighbours::new(&index);
        let mut random = SplitMix64::new(4);
        for distances in [false, true] {
            let model = Model::train(&neighbours, distances, BLOCK, |_| Wanted::Exactly(9));
            for _ in 0..20 {
                let bytes: Vec<u8> = (0..500).map(|_| random.next_u64() as u8).collect();
                assert_eq!(model.decode(&neighbours, distances, 0..BLOCK, &bytes).len(), BLOCK);
                assert!(Model::from_bytes(&bytes).is_none());
            }
        }
    }
}
