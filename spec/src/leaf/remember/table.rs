//! Keys of positions, and what is remembered under them.

use std::cell::Cell;
use std::sync::LazyLock;

use crate::position::Position;
use crate::rng::SplitMix64;
use crate::types::{Color, Move, Square};

/// The keys of what a position has.
struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black: u64,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let mut random = SplitMix64::new(0x6d65_6d6f_7279);
    let mut next = || random.next_u64();
    Keys {
        pieces: std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next()))),
        castling: std::array::from_fn(|_| next()),
        en_passant: std::array::from_fn(|_| next()),
        black: next(),
    }
});

/// The key of a position.
pub fn key(position: &Position) -> u64 {
    pieces(position, position.occupied()) ^ state(position)
}

/// The key of a position that comes of another one, whose key is known.
pub(super) fn key_after(key: u64, before: &Position, after: &Position) -> u64 {
    let changed = |color| before.side(color) ^ after.side(color);
    let changed = changed(Color::White) | changed(Color::Black);
    key ^ pieces(before, changed) ^ pieces(after, changed) ^ state(before) ^ state(after)
}

fn pieces(position: &Position, mut squares: u64) -> u64 {
    let mut key = 0;
    while squares != 0 {
        let square = Square::new(squares.trailing_zeros() as u8);
        squares &= squares - 1;
        if let Some((color, piece)) = position.at(square) {
            key ^= KEYS.pieces[color as usize][piece.index()][square.index()];
        }
    }
    key
}

fn state(position: &Position) -> u64 {
    let castling = KEYS.castling[usize::from(position.castling().bits() & 15)];
    let en_passant = position
        .en_passant()
        .map_or(0, |square| KEYS.en_passant[square.index() % 8]);
    let black = match position.turn() {
        Color::White => 0,
        Color::Black => KEYS.black,
    };
    castling ^ en_passant ^ black
}

/// What is known of a position.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    pub(super) best: Move,
    /// The value is at least this, or at most.
    pub(super) score: i16,
    pub(super) at_least: bool,
    pub(super) depth: i8,
    age: u8,
}

/// Entries by key, one a place.
pub(super) struct Table {
    entries: Vec<Cell<Entry>>,
    age: Cell<u8>,
}

impl Table {
    pub(super) fn new(bits: u32) -> Table {
        let count = if bits == 0 { 0 } else { 1usize << bits };
        Table {
            entries: vec![Cell::new(Table::EMPTY); count],
            age: Cell::new(0),
        }
    }

    const EMPTY: Entry = Entry {
        key: 0,
        best: Move::NONE,
        score: 0,
        at_least: false,
        depth: -1,
        age: 0,
    };

    pub(super) fn clear(&mut self) {
        self.entries.fill(Cell::new(Table::EMPTY));
    }

    pub(super) fn age(&self) {
        self.age.set(self.age.get().wrapping_add(1));
    }

    pub(super) fn is_there(&self) -> bool {
        !self.entries.is_empty()
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[self.place(key)].get();
        (entry.key == key && entry.depth >= 0).then_some(entry)
    }

    /// What is much deeper and of this search stays.
    pub(super) fn store(&self, key: u64, best: Move, score: i16, at_least: bool, depth: i8) {
        let age = self.age.get();
        let place = &self.entries[self.place(key)];
        let old = place.get();
        if old.key != key && old.age == age && old.depth > depth + 3 {
            return;
        }
        place.set(Entry {
            key,
            best,
            score,
            at_least,
            depth,
            age,
        });
    }
}

/// Positions that threads are searching at this moment, by key, in places that may collide.
pub(super) struct Busy {
    places: Vec<Cell<u64>>,
}

/// Places for positions that are being searched.
const BUSY_PLACES: usize = 1 << 12;

impl Busy {
    pub(super) fn new() -> Busy {
        Busy {
            places: vec![Cell::new(0); BUSY_PLACES],
        }
    }

    fn place(&self, key: u64) -> &Cell<u64> {
        &self.places[(key >> 32) as usize % BUSY_PLACES]
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.place(key).get() == key
    }

    pub(super) fn begin(&self, key: u64) {
        self.place(key).set(key);
    }

    /// Only if another position has not taken the place.
    pub(super) fn end(&self, key: u64) {
        if self.has(key) {
            self.place(key).set(0);
        }
    }
}
