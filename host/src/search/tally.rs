use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a search has met in its nodes, for people who want to see how it works. Quiescence is not
/// counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Looks into the transposition table.
    pub looks: u64,
    /// Looks that found the position.
    pub found: u64,
    /// Nodes that had their value from there, and were not searched.
    pub answered: u64,
    /// Nodes refuted by the first move that was searched, the second, the third, the fourth, and by
    /// later ones.
    pub refuted: [u64; 5],
}

impl Tally {
    /// A node is refuted by the move that is number `searched` of those that were searched.
    #[inline]
    pub(super) fn refute(&mut self, searched: usize) {
        self.refuted[searched.clamp(1, self.refuted.len()) - 1] += 1;
    }
}

/// The sum of the tallies of all threads.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    looks: AtomicU64,
    found: AtomicU64,
    answered: AtomicU64,
    refuted: [AtomicU64; 5],
}

impl Tallies {
    /// Adds what a thread has counted, and leaves the thread's tally empty.
    pub(super) fn add(&self, tally: &mut Tally) {
        let Tally {
            looks,
            found,
            answered,
            refuted,
        } = std::mem::take(tally);
        self.looks.fetch_add(looks, Relaxed);
        self.found.fetch_add(found, Relaxed);
        self.answered.fetch_add(answered, Relaxed);
        for (sum, count) in self.refuted.iter().zip(refuted) {
            sum.fetch_add(count, Relaxed);
        }
    }

    pub(super) fn read(&self) -> Tally {
        Tally {
            looks: self.looks.load(Relaxed),
            found: self.found.load(Relaxed),
            answered: self.answered.load(Relaxed),
            refuted: self.refuted.each_ref().map(|sum| sum.load(Relaxed)),
        }
    }
}
