//! The transposition table: two tiers, shared by all threads without locks.
//!
//! A bucket is a cache line of four entries. Three are the **depth-preferred** tier: a new entry replaces the one worth least
//! there, old or shallow, if it is worth as much itself. If not it goes to the fourth, which is **always replaced**; so does what
//! makes way in the first tier. An entry
//! is two words, the data and the key XORed with it: a torn write, half of one thread and half of another, does not match its key
//! and is never found.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use bluebelle_spec::Move;

use crate::memory::{self, MemoryError};
use crate::score::{MATE, is_mate_or_table};

/// What the score of an entry says about the value of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The value is the score.
    Exact,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or [`Move::NONE`].
    pub best: Move,
    /// The score, from the node's point of view: mates count from there.
    pub score: i32,
    /// The static evaluation, or [`NO_EVALUATION`] in check.
    pub evaluation: i32,
    /// How deep the search was.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
    /// Whether the position was in a principal variation.
    pub principal: bool,
}

/// Stands for no evaluation: the position is in check.
pub const NO_EVALUATION: i32 = -32_000;

const TIER: usize = 3;
const BUCKET: usize = TIER + 1;

#[derive(Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

const BUCKETS_A_MEGABYTE: usize = (1 << 20) / size_of::<Bucket>();

/// The table.
pub struct Table {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

/// Ages count modulo this.
const AGES: u8 = 32;

impl Table {
    /// A table of so many mebibytes, at least one.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn try_new(megabytes: usize) -> Result<Table, MemoryError> {
        let mut buckets = reserve(megabytes.max(1))?;
        let count = megabytes.max(1) * BUCKETS_A_MEGABYTE;
        buckets.extend((0..count).map(|_| Bucket::default()));
        Ok(Table {
            buckets,
            age: AtomicU8::new(0),
        })
    }

    /// Whether there is memory for a table of this size.
    ///
    /// # Errors
    /// If there is no such memory.
    pub fn check(megabytes: usize) -> Result<(), MemoryError> {
        reserve(megabytes).map(drop)
    }

    /// The same for a size that was checked, or is small.
    ///
    /// # Panics
    /// If there is no memory for the table.
    pub fn new(megabytes: usize) -> Table {
        Table::try_new(megabytes).unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// Its size in mebibytes.
    pub fn megabytes(&self) -> usize {
        self.buckets.len() / BUCKETS_A_MEGABYTE
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.key.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// Begins a new search: what earlier ones left is worth less now.
    pub fn begin_search(&self) {
        let age = self.age.load(Relaxed);
        self.age.store((age + 1) % AGES, Relaxed);
    }

    /// What is known about the position with this hash, at this distance from the root.
    pub fn probe(&self, hash: u64, ply: usize) -> Option<Entry> {
        let bucket = self.bucket(hash);
        bucket.0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let found = data != 0 && slot.key.load(Relaxed) ^ data == hash;
            found.then(|| unpack(data, ply)).flatten()
        })
    }

    /// Positions that will be asked for one after the other. Their places are seldom in any cache, and memory can look for
    /// several at once.
    #[inline]
    pub fn warm(&self, hashes: impl Iterator<Item = u64>) {
        let first_words = hashes.map(|hash| self.bucket(hash).0[0].data.load(Relaxed));
        std::hint::black_box(first_words.fold(0, |all, word| all ^ word));
    }

    /// Remembers what was found about a position, at this distance from the root.
    pub fn store(&self, hash: u64, mut entry: Entry, ply: usize) {
        let bucket = self.bucket(hash);
        let age = self.age.load(Relaxed);
        let mut place = None;
        let mut least = i32::MAX;
        let mut least_at = 0;
        for (at, slot) in bucket.0.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if data != 0 && slot.key.load(Relaxed) ^ data == hash {
                // Keep the move if the new search has none, and a much deeper entry of the same search.
                if entry.best.is_none() {
                    entry.best = Move::from_bits(data as u16).unwrap_or(Move::NONE);
                }
                let same_age = age_of(data) == age;
                if entry.bound != Bound::Exact && same_age && depth_of(data) > entry.depth + 3 {
                    return;
                }
                place = Some(at);
                break;
            }
            if at < TIER {
                let worth = worth(data, age);
                if worth < least {
                    (least, least_at) = (worth, at);
                }
            }
        }
        let data = pack(&entry, age, ply);
        let place = place.unwrap_or_else(|| {
            if worth(data, age) < least {
                return TIER;
            }
            // What makes way gets the last slot, if it is not empty or of an earlier search.
            let old = &bucket.0[least_at];
            let (old_key, old_data) = (old.key.load(Relaxed), old.data.load(Relaxed));
            if old_data != 0 && age_of(old_data) == age {
                bucket.0[TIER].key.store(old_key, Relaxed);
                bucket.0[TIER].data.store(old_data, Relaxed);
            }
            least_at
        });
        let slot = &bucket.0[place];
        slot.key.store(hash ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }

    /// How full the table is of entries of this search, in thousandths.
    pub fn fullness(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let age = self.age.load(Relaxed);
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let data = slot.data.load(Relaxed);
                data != 0 && age_of(data) == age
            })
            .count();
        used * 1000 / (sample.len() * BUCKET).max(1)
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        let place = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }
}

/// Memory for the buckets of a table, none of them used yet.
fn reserve(megabytes: usize) -> Result<Vec<Bucket>, MemoryError> {
    memory::check_tables(1, megabytes)?;
    let refused = || MemoryError::refused(megabytes);
    let count = megabytes.checked_mul(BUCKETS_A_MEGABYTE).ok_or_else(refused)?;
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(count).map_err(|_| refused())?;
    Ok(buckets)
}

/// Deep is worth more, each search gone by takes eight plies off.
#[inline]
fn worth(data: u64, age: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    let gone_by = (age + AGES - age_of(data)) % AGES;
    depth_of(data) - 8 * i32::from(gone_by)
}

// Bits 0–15 move, 16–31 score, 32–47 evaluation, 48–55 depth + 8, 56–57 bound + 1, 58 principal, 59–63 age.

#[inline]
fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8) - 8
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[inline]
fn pack(entry: &Entry, age: u8, ply: usize) -> u64 {
    let ply = ply as i32;
    // Mates count from the root in the search, and from the node in the table.
    let score = match entry.score {
        score if is_mate_or_table(score) && score > 0 => (score + ply).min(MATE),
        score if is_mate_or_table(score) => (score - ply).max(-MATE),
        score => score,
    };
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.best.bits())
        | u64::from(score as i16 as u16) << 16
        | u64::from(entry.evaluation as i16 as u16) << 32
        | u64::from((entry.depth + 8).clamp(0, 255) as u8) << 48
        | bound << 56
        | u64::from(entry.principal) << 58
        | u64::from(age) << 59
}

#[inline]
fn unpack(data: u64, ply: usize) -> Option<Entry> {
    let ply = ply as i32;
    let score = match i32::from((data >> 16) as i16) {
        score if is_mate_or_table(score) && score > 0 => score - ply,
        score if is_mate_or_table(score) => score + ply,
        score => score,
    };
    Some(Entry {
        best: Move::from_bits(data as u16).unwrap_or(Move::NONE),
        score,
        evaluation: i32::from((data >> 32) as i16),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        },
        principal: data >> 58 & 1 != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i32, depth: i32) -> Entry {
        Entry {
            best: "e2e4".parse().expect("a move"),
            score,
            evaluation: -17,
            depth,
            bound: Bound::Lower,
            principal: true,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1);
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 3), None);
        table.store(0x1234_5678_9abc_def0, entry(-250, 7), 3);
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 9), Some(entry(-250, 7)));
        assert_eq!(table.probe(0x1234_5678_9abc_def1, 9), None);
        table.clear();
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 9), None);
    }

    #[test]
    fn a_table_that_does_not_fit_is_an_error() {
        assert_eq!(Table::new(3).megabytes(), 3);
        for megabytes in [1 << 40, usize::MAX] {
            assert!(Table::try_new(megabytes).is_err());
        }
    }

    #[test]
    fn mates_count_from_the_node() {
        let table = Table::new(1);
        // Mate 5 plies below a node that is 3 below the root; met again 1 below the root, it is 2 nearer.
        table.store(7, entry(MATE - 8, 5), 3);
        assert_eq!(table.probe(7, 1).map(|found| found.score), Some(MATE - 6));
        table.store(9, entry(-(MATE - 8), 5), 3);
        assert_eq!(table.probe(9, 5).map(|found| found.score), Some(-(MATE - 10)));
    }

    #[test]
    fn the_move_survives_a_search_without_one() {
        let table = Table::new(1);
        table.store(7, entry(10, 5), 0);
        let without = Entry {
            best: Move::NONE,
            ..entry(20, 6)
        };
        table.store(7, without, 0);
        assert_eq!(table.probe(7, 0), Some(entry(20, 6)));
    }

    /// Hashes that share a bucket differ in their low bits only.
    #[test]
    fn the_deep_stay_and_the_last_is_always_there() {
        let table = Table::new(1);
        for hash in 1..=3 {
            table.store(hash, entry(0, 20), 0);
        }
        for hash in 4..=50 {
            table.store(hash, entry(0, 1), 0);
            assert!(table.probe(hash, 0).is_some(), "the newest");
        }
        assert!((1..=3).all(|hash| table.probe(hash, 0).is_some()), "the deepest");
        // After some searches the deep are old, and make way.
        for _ in 0..4 {
            table.begin_search();
        }
        for hash in 60..=62 {
            table.store(hash, entry(0, 1), 0);
        }
        assert!((60..=62).all(|hash| table.probe(hash, 0).is_some()));
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Table::new(1);
        table.store(7, entry(10, 5), 0);
        let slot = &table.bucket(7).0[0];
        slot.data.store(slot.data.load(Relaxed) ^ 1 << 20, Relaxed);
        assert_eq!(table.probe(7, 0), None);
    }

    #[test]
    fn fullness_is_of_this_search() {
        let table = Table::new(1);
        assert_eq!(table.fullness(), 0);
        for hash in 0..200_000u64 {
            table.store(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(0, 3), 0);
        }
        assert!(table.fullness() > 900, "{}", table.fullness());
        table.begin_search();
        assert_eq!(table.fullness(), 0);
    }
}
