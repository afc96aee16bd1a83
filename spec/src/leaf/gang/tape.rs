use super::super::slots::Record;
use crate::types::Move;

/// A tree that no thread can help with, searched at once, and what each slot of it tells the others: a thread plays it slot by slot.
#[derive(Default)]
pub(super) struct Tape {
    slots: Vec<u8>,
    played: usize,
    /// Whether the tree's root reaches its bound.
    pub(super) holds: bool,
    /// The quiet move that refuted a sibling, or the root itself.
    pub(super) killer: Move,
}

/// A node is entered.
const NODE: u8 = 1;
/// It is the first half of a move, or of taking it back.
const HOP: u8 = 2;

impl Tape {
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.played = 0;
    }

    pub(super) fn is_over(&self) -> bool {
        self.played == self.slots.len()
    }

    /// Plays a slot, and tells how many nodes are entered in it.
    pub(super) fn play(&mut self) -> u32 {
        let slot = self.slots[self.played];
        self.played += 1;
        u32::from(slot & NODE)
    }

    /// Whether the next slot is half of a move.
    pub(super) fn hops(&self) -> bool {
        self.slots.get(self.played).is_some_and(|slot| slot & HOP != 0)
    }
}

impl Record for Tape {
    #[inline]
    fn hop_if(&mut self, hops: bool) {
        if hops {
            self.slots.push(HOP);
        }
    }

    #[inline]
    fn enter(&mut self, legal: bool) {
        self.slots.push(if legal { NODE } else { 0 });
    }

    #[inline]
    fn attacker(&mut self) {
        self.slots.push(0);
    }

    #[inline]
    fn victim_if(&mut self, looks: bool) {
        if looks {
            self.slots.push(0);
        }
    }

    #[inline]
    fn quiet_if(&mut self, looks: bool) {
        if looks {
            self.slots.push(0);
        }
    }

    #[inline]
    fn retract(&mut self) {
        self.slots.push(0);
    }
}
