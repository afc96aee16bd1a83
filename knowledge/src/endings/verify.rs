//! The forward verifier: every value must follow from the values after the legal moves.
//!
//! The verifier shares nothing with the generator: positions are made man by man with
//! [`Position::new`], moves are those of the chip's contract, and values are what probing finds in
//! the files. Values that follow from each other are right: mates and exits to verified tables
//! begin, and a distance that follows from a shorter one is true by induction.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bluebelle_spec::{Bitboard, Castling, Color, Move, Piece, Planes, Position, leaf};

use super::material::Material;
use super::tables::{ProbeError, Tables};
use super::value::{Kind, Value, Wdl};

/// What a verification found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Positions that were looked at, those with a right to take in passing included.
    pub positions: u64,
    /// Positions whose value does not follow from the values after their moves.
    pub wrong: u64,
    /// The first of the wrong positions.
    pub examples: Vec<Wrong>,
}

/// A value that does not follow.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The position.
    pub position: Position,
    /// Which kind of number is wrong.
    pub kind: Kind,
    /// What the table says.
    pub found: Value,
    /// What follows from the values after the moves.
    pub expected: Value,
}

/// No more examples than these are kept.
const EXAMPLES: usize = 10;

/// Checks a material's tables against the values after all legal moves, for every position or one
/// in `every`, with this number of threads. `progress` hears the share that is done.
///
/// # Errors
/// If a table is missing or damaged.
pub fn verify(
    tables: &Tables,
    material: Material,
    every: u64,
    threads: usize,
    progress: impl Fn(f64) + Sync,
) -> Result<Verified, ProbeError> {
    let check = |position: &Position, found: &mut Verified| check(tables, position, found);
    each_position(material, every, threads, progress, check)
}

/// Visits the positions of a material up to the symmetries of the board, or one in `every`, both
/// sides to move, with and without a right to take in passing.
///
/// # Errors
/// Ends with the first error of `visit`.
pub fn each_position<E: Send>(
    material: Material,
    every: u64,
    threads: usize,
    progress: impl Fn(f64) + Sync,
    visit: impl Fn(&Position, &mut Verified) -> Result<(), E> + Sync,
) -> Result<Verified, E> {
    let starts = starts(material);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let seen = AtomicU64::new(0);
    let total = Mutex::new(Ok(Verified::default()));
    let work = || {
        while let Some(start) = starts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut found = Verified::default();
            let outcome = place(material, *start, 0, &mut |position| {
                let number = seen.fetch_add(1, Ordering::Relaxed);
                if !number.is_multiple_of(every.max(1)) {
                    return Ok(());
                }
                found.positions += 1;
                visit(position, &mut found)
            });
            let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match (&mut *total, outcome) {
                (Ok(total), Ok(())) => total.add(found),
                (Ok(_), Err(error)) => {
                    *total = Err(error);
                    break;
                }
                (Err(_), _) => break,
            }
            progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f64 / starts.len() as f64);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Verified {
    /// Notes a wrong value.
    pub fn note(&mut self, wrong: Wrong) {
        self.wrong += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(wrong);
        }
    }

    fn add(&mut self, other: Verified) {
        self.positions += other.positions;
        self.wrong += other.wrong;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
    }
}

/// Both kings: White's on the left half of the board, and without pawns in the triangle a1–d1–d4.
fn starts(material: Material) -> Vec<Planes> {
    let mut starts = Vec::new();
    for white in 0..64 {
        let (file, rank) = (white % 8, white / 8);
        if file > 3 || !material.has_pawns() && rank > file {
            continue;
        }
        for black in (0..64).filter(|&black| black != white) {
            let mut planes = Planes::default();
            planes.toggle(Color::White, Piece::King, 1 << white);
            planes.toggle(Color::Black, Piece::King, 1 << black);
            starts.push(planes);
        }
    }
    starts
}

/// Puts the men of the material from number `from` on squares, and visits what chess allows.
fn place<E>(
    material: Material,
    planes: Planes,
    from: usize,
    visit: &mut impl FnMut(&Position) -> Result<(), E>,
) -> Result<(), E> {
    const KINDS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
    let counts = material.counts();
    let kinds = (from..10).map(|at| (at, Color::ALL[at / 5], KINDS[at % 5], counts[at / 5][at % 5]));
    for (at, color, piece, count) in kinds {
        let there = planes.colors[color.index()] & planes.pieces[piece.index()];
        if there.count_ones() < u32::from(count) {
            let occupied = planes.colors[0] | planes.colors[1];
            // Men of one kind are put in the order of their squares.
            let first = 64 - there.leading_zeros();
            for square in (first..64).filter(|square| occupied >> square & 1 == 0) {
                let mut more = planes;
                more.toggle(color, piece, 1 << square);
                place(material, more, at, visit)?;
            }
            return Ok(());
        }
    }
    for turn in Color::ALL {
        let Ok(position) = Position::new(planes, turn, Castling::NONE, None) else {
            continue;
        };
        visit(&position)?;
        let pawns = planes.pieces[Piece::Pawn.index()];
        let passed: Bitboard = if turn == Color::White { pawns << 8 } else { pawns >> 8 };
        for square in bluebelle_spec::Square::all_of(passed) {
            if let Ok(position) = Position::new(planes, turn, Castling::NONE, Some(square)) {
                visit(&position)?;
            }
        }
    }
    Ok(())
}

fn check(tables: &Tables, position: &Position, found: &mut Verified) -> Result<(), ProbeError> {
    let moves = leaf::legal_moves(position);
    let (mate, conversion) = expected(tables, position, &moves)?;
    let wdl = match mate {
        Value::Win(_) => Value::Win(0),
        Value::Draw => Value::Draw,
        Value::Loss(_) => Value::Loss(0),
    };
    for (kind, expected) in [(Kind::Mate, mate), (Kind::Conversion, conversion), (Kind::Wdl, wdl)] {
        let stored = tables.probe(position, kind)?;
        if stored != expected {
            found.note(Wrong {
                position: *position,
                kind,
                found: stored,
                expected,
            });
        }
    }
    Ok(())
}

/// The values to mate and to conversion that follow from those after the moves.
fn expected(tables: &Tables, position: &Position, moves: &[Move]) -> Result<(Value, Value), ProbeError> {
    if moves.is_empty() {
        let value = if position.in_check() {
            Value::Loss(0)
        } else {
            Value::Draw
        };
        return Ok((value, value));
    }
    let men = position.occupied().count_ones();
    let (mut best, mut soonest) = (Wdl::Loss, [u16::MAX; 2]);
    let mut latest = [0; 2];
    for &mv in moves {
        let after = position.after(mv);
        let converts = mv.promotion().is_some() || after.occupied().count_ones() < men;
        let mate = tables.probe(&after, Kind::Mate)?;
        let conversion = if converts {
            None
        } else {
            Some(tables.probe(&after, Kind::Conversion)?)
        };
        match mate {
            Value::Loss(moves) => {
                best = Wdl::Win;
                let converted = match conversion {
                    Some(Value::Loss(moves)) => moves + 1,
                    Some(_) => u16::MAX,
                    None => 1,
                };
                soonest = [soonest[0].min(moves + 1), soonest[1].min(converted)];
            }
            Value::Draw => best = best.max(Wdl::Draw),
            Value::Win(moves) => {
                let converted = match conversion {
                    Some(Value::Win(moves)) => moves,
                    Some(_) => u16::MAX,
                    None => 0,
                };
                latest = [latest[0].max(moves), latest[1].max(converted)];
            }
        }
    }
    Ok(match best {
        Wdl::Win => (Value::Win(soonest[0]), Value::Win(soonest[1])),
        Wdl::Draw => (Value::Draw, Value::Draw),
        Wdl::Loss => (Value::Loss(latest[0]), Value::Loss(latest[1])),
    })
}
