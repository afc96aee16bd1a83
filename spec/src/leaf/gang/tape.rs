use super::super::slots::Record;
use crate::types::Move;

/// A tree that no thread can help with, searched at once, and what each slot of it tells the others: a thread plays it slot by slot.
#[derive(Default)]
pub(super) struct Tape {
    /// A bit for each slot: whether a node is entered. The last ones are in `last`.
    entered: Vec<u64>,
    last: u64,
    pub(super) slots: u32,
    /// The slots that are the first half of a move, or of taking it back.
    hops: Vec<u32>,
    /// Whether the tree's root reaches its bound.
    pub(super) holds: bool,
    /// The quiet move that refuted a sibling, or the root itself.
    pub(super) killer: Move,
}

impl Tape {
    pub(super) fn clear(&mut self) {
        self.entered.clear();
        self.hops.clear();
        (self.last, self.slots) = (0, 0);
    }

    /// Which slots enter nodes, from this one on, and where that is known up to.
    pub(super) fn ahead(&self, slot: u32) -> (u64, u32) {
        let word = slot / u64::BITS;
        let bits = self.entered.get(word as usize).unwrap_or(&self.last);
        (bits >> (slot % u64::BITS), self.slots.min((word + 1) * u64::BITS))
    }

    pub(super) fn hops_at(&self, slot: u32) -> bool {
        self.hops.contains(&slot)
    }

    #[inline]
    fn add(&mut self, slots: u32) {
        self.slots += slots;
        if slots != 0 && self.slots.is_multiple_of(u64::BITS) {
            self.entered.push(self.last);
            self.last = 0;
        }
    }
}

impl Record for Tape {
    #[inline]
    fn hop_if(&mut self, hops: bool) {
        if hops {
            self.hops.push(self.slots);
            self.add(1);
        }
    }

    #[inline]
    fn enter(&mut self, legal: bool) {
        self.last |= u64::from(legal) << (self.slots % u64::BITS);
        self.add(1);
    }

    #[inline]
    fn attacker(&mut self) {
        self.add(1);
    }

    #[inline]
    fn victim_if(&mut self, looks: bool) {
        self.add(u32::from(looks));
    }

    #[inline]
    fn quiet_if(&mut self, looks: bool) {
        self.add(u32::from(looks));
    }

    #[inline]
    fn retract(&mut self) {
        self.add(1);
    }
}
