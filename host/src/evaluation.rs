//! The evaluation of `bluebelle_spec::eval`, fast: placement is kept by make, and what depends on the pawns alone is
//! remembered.
//!
//! It must equal the chip's evaluation for every position, so that a leaf is worth the same whoever looks at it; a test compares
//! the two. `bluebelle_spec::eval` has the formulas.

use std::cell::Cell;

use bluebelle_spec::attacks::{self, LIGHT, relative};
use bluebelle_spec::eval::{PASSED, ahead_of, blocked_by, files_of};
use bluebelle_spec::{Color, Piece, Square, Term, Weights};

use crate::board::{Board, Squares};

/// A set of weights, laid out for speed.
#[derive(Clone, Debug)]
pub struct Evaluator {
    placement: [[[PackedPlacement; 64]; 6]; 2],
    weights: Weights,
}

impl Evaluator {
    /// Lays out a set of weights.
    pub fn new(weights: &Weights) -> Evaluator {
        let of = |color: Color, piece: usize, square: usize| {
            let seen = Square::new(square as u8).relative_to(color).index();
            let (mg, eg) = (weights.placement_mg[piece][seen], weights.placement_eg[piece][seen]);
            let value = PackedPlacement(((i32::from(mg)) << 16).wrapping_add(i32::from(eg)));
            match color {
                Color::White => value,
                Color::Black => PackedPlacement(value.0.wrapping_neg()),
            }
        };
        Evaluator {
            placement: Color::ALL
                .map(|color| std::array::from_fn(|piece| std::array::from_fn(|square| of(color, piece, square)))),
            weights: weights.clone(),
        }
    }

    /// The weights that were laid out.
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What a piece on a square adds to White's account.
    #[inline]
    pub(crate) const fn placed(&self, color: Color, piece: Piece, square: Square) -> PackedPlacement {
        self.placement[color.index()][piece.index()][square.index()]
    }

    /// The value for the side to move, in centipawns.
    pub fn evaluate(&self, board: &Board, pawn_table: &PawnTable) -> i32 {
        let us = board.turn();
        let pawns = pawn_table.of(board, self);
        let own = self.side(board, us, &pawns);
        let enemy = self.side(board, !us, &pawns);
        let for_us = |white: i32| if us == Color::White { white } else { -white };

        let passed = for_us(pawns.passed);
        let shelter = own.shelter - enemy.shelter;
        let structure = self.of(Term::Tempo) + for_us(pawns.structure) + own.structure - enemy.structure;
        let (placement_mg, placement_eg) = board.placement().unpack(us);
        let mg = placement_mg + shelter + (passed >> 1);
        let eg = placement_eg + passed;
        eg + (((mg - eg) * phase(board)) >> 5) + structure
    }

    fn side(&self, board: &Board, color: Color, pawns: &Pawns) -> Side {
        let own = board.side(color);
        let occupied = board.occupied();
        let [_, knights, bishops, rooks, queens] =
            [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].map(|piece| own & board.kind(piece));

        let mut minor = attacks::knight_attacks(knights);
        for square in Squares(bishops | queens) {
            minor |= attacks::bishop(square, occupied);
        }
        let mut major = 0;
        for square in Squares(rooks | queens) {
            major |= attacks::rook(square, occupied);
        }
        let reach = !own & !attacks::pawn_attacks(board.pieces(!color, Piece::Pawn), !color);

        let (files, enemy_files) = (pawns.files[color.index()], pawns.files[(!color).index()]);
        let rook_files = files_of(rooks) & !files;
        let pair = bishops & LIGHT != 0 && bishops & !LIGHT != 0;

        let king = board.king(color).relative_to(color);
        let king_file = 1u8 << king.file();
        let king_files = king_file | king_file << 1 | king_file >> 1;
        let sheltered = if king.rank() <= 1 { king_files } else { 0 };
        let shield = relative(board.pieces(color, Piece::Pawn), color);

        Side {
            structure: self.of(Term::BishopPair) * i32::from(pair)
                + self.of(Term::RookOpenFile) * count(rook_files & !enemy_files)
                + self.of(Term::RookHalfOpenFile) * count(rook_files & enemy_files)
                + self.of(Term::MobilityMinor) * (minor & reach).count_ones() as i32
                + self.of(Term::MobilityMajor) * (major & reach).count_ones() as i32,
            shelter: self.of(Term::ShelterNear) * count(sheltered & (shield >> 8) as u8)
                + self.of(Term::ShelterFar) * count(sheltered & (shield >> 16) as u8)
                + self.of(Term::ShelterBare) * count(king_files & !files),
        }
    }

    #[inline]
    const fn of(&self, term: Term) -> i32 {
        self.weights.of(term)
    }
}

/// What one side's pieces add.
struct Side {
    structure: i32,
    shelter: i32,
}

/// The placement sum, White's minus Black's: middle game in the upper half, endgame in the lower, which may borrow from the
/// upper; unpacking gives it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedPlacement(i32);

impl PackedPlacement {
    #[inline]
    pub(crate) const fn add(&mut self, other: PackedPlacement) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline]
    pub(crate) const fn subtract(&mut self, other: PackedPlacement) {
        self.0 = self.0.wrapping_sub(other.0);
    }

    /// Middle game and endgame, for `color`.
    #[inline]
    pub const fn unpack(self, color: Color) -> (i32, i32) {
        let sum = match color {
            Color::White => self.0,
            Color::Black => self.0.wrapping_neg(),
        };
        let eg = sum as i16;
        let mg = (sum.wrapping_sub(eg as i32) >> 16) as i16;
        (mg as i32, eg as i32)
    }
}

/// The game phase: 32 with all pieces on the board, 0 with none.
#[inline]
pub fn phase(board: &Board) -> i32 {
    let minors = (board.kind(Piece::Knight) | board.kind(Piece::Bishop)).count_ones();
    let sum = minors + 3 * board.kind(Piece::Rook).count_ones() + 6 * board.kind(Piece::Queen).count_ones();
    sum.min(32) as i32
}

/// What the pawns alone decide, White's minus Black's.
#[derive(Clone, Copy, Debug)]
struct Pawns {
    hash: u64,
    structure: i32,
    passed: i32,
    /// The files with pawns, by side.
    files: [u8; 2],
}

impl Pawns {
    fn new(board: &Board, evaluator: &Evaluator) -> Pawns {
        let mut all = Pawns {
            hash: board.pawn_hash(),
            structure: 0,
            passed: 0,
            files: [0; 2],
        };
        for color in Color::ALL {
            let sign = if color == Color::White { 1 } else { -1 };
            let pawns = relative(board.pieces(color, Piece::Pawn), color);
            let enemy = relative(board.pieces(!color, Piece::Pawn), color);
            let files = files_of(pawns);
            let doubled = files_of(pawns & ahead_of(pawns));
            let isolated = files & !(files << 1 | files >> 1);
            let free = pawns & !blocked_by(enemy);
            let on_rank = |rank: usize| count((free >> (8 * rank)) as u8).min(2);
            let passed = PASSED.iter().enumerate();
            all.files[color.index()] = files;
            all.structure += sign
                * (evaluator.of(Term::DoubledFile) * count(doubled)
                    + evaluator.of(Term::IsolatedFile) * count(isolated));
            all.passed += sign
                * passed
                    .map(|(at, &term)| evaluator.of(term) * on_rank(at + 1))
                    .sum::<i32>();
        }
        all
    }
}

/// Remembers what the pawns decide. One for each thread.
#[derive(Debug)]
pub struct PawnTable {
    entries: Vec<Cell<Pawns>>,
}

impl PawnTable {
    const ENTRIES: usize = 1 << 13;

    /// An empty table.
    pub fn new() -> PawnTable {
        // No position hashes to the place that this one claims for it, so it is never found.
        let nothing = Pawns {
            hash: 1,
            structure: 0,
            passed: 0,
            files: [0; 2],
        };
        let entries = vec![Cell::new(nothing); PawnTable::ENTRIES];
        entries[1].set(Pawns { hash: 0, ..nothing });
        PawnTable { entries }
    }

    #[inline]
    fn of(&self, board: &Board, evaluator: &Evaluator) -> Pawns {
        let place = board.pawn_hash() as usize & (PawnTable::ENTRIES - 1);
        let entry = &self.entries[place];
        let known = entry.get();
        if known.hash == board.pawn_hash() {
            return known;
        }
        let pawns = Pawns::new(board, evaluator);
        entry.set(pawns);
        pawns
    }
}

impl Default for PawnTable {
    fn default() -> PawnTable {
        PawnTable::new()
    }
}

#[inline]
const fn count(files: u8) -> i32 {
    files.count_ones() as i32
}
