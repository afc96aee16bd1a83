//! The evaluation: integers, from the point of view of the side to move.
//!
//! Every term is a count on each side times a weight. The counts are popcounts of whole-board or 8-bit file vectors, so that
//! each is a few LUT levels on the chip; the placement sums are carried along by make and unmake. With *d*(x) for the
//! mover's count of x minus the other side's, and `>>` rounding down:
//!
//! ```text
//! passed    = Σ over ranks r  w(passed-r) · d(passed pawns on rank r, at most 2)
//! shelter   = w(near) · d(near) + w(far) · d(far) + w(bare) · d(bare)
//! structure = w(tempo) + w(bishop-pair) · d(pair) + w(doubled-file) · d(doubled) + w(isolated-file) · d(isolated)
//!           + w(rook-open-file) · d(open) + w(rook-half-open-file) · d(half open)
//!           + w(mobility-minor) · d(minor) + w(mobility-major) · d(major)
//! mg        = placement_mg + shelter + (passed >> 1)
//! eg        = placement_eg + passed
//! phase     = min(32, knights + bishops + 3 · rooks + 6 · queens, of both sides)
//! value     = eg + ((mg - eg) · phase >> 5) + structure
//! ```
//!
//! | count | definition, for one side |
//! |---|---|
//! | pair | 1 with a bishop on a light and one on a dark square |
//! | doubled | files with two own pawns or more |
//! | isolated | files with own pawns and none on the files beside |
//! | passed on rank r | own pawns without an enemy pawn ahead on their file or beside it; a third on the same rank does not count |
//! | open, half open | files with an own rook and no pawn; with an own rook and enemy pawns only |
//! | near, far | own pawns on the second (third) rank, on the king's file or beside it, if the king is on its first two ranks |
//! | bare | of the king's file and those beside it, the ones without own pawns |
//! | minor | squares reached by knights' leaps and by diagonals, not own and not attacked by enemy pawns |
//! | major | squares reached along ranks and files, not own and not attacked by enemy pawns |
//!
//! Ranks count from the side's own. A position and its mirror image have the same value.

use crate::attacks::{LIGHT, NOT_A, NOT_H, relative};
use crate::position::Position;
use crate::sets::{AttackSets, SideAttacks};
use crate::types::{Bitboard, Color, Move, Piece, Square};
use crate::weights::{Term, Weights};

/// The value of a position for the side to move, in centipawns.
pub fn evaluate(position: &Position, weights: &Weights) -> i16 {
    let evaluator = Evaluator::new(weights);
    evaluator.value(position, evaluator.placement(position), &AttackSets::of(position))
}

/// The sum of the placement weights, White's minus Black's: middle game in the upper half, endgame in the lower. Two sums
/// in one word add at the cost of one; the lower half may borrow from the upper, which unpacking gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement(i32);

impl Placement {
    const fn pack(mg: i16, eg: i16) -> i32 {
        ((mg as i32) << 16).wrapping_add(eg as i32)
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

/// The weights, laid out for speed.
#[derive(Clone, Debug)]
pub struct Evaluator {
    placement: [[[i32; 64]; 6]; 2],
    weights: Weights,
}

impl Evaluator {
    /// Lays out a set of weights.
    pub fn new(weights: &Weights) -> Evaluator {
        let of = |color: Color, piece: usize, square: usize| {
            let seen = Square::new(square as u8).relative_to(color).index();
            let packed = Placement::pack(weights.placement_mg[piece][seen], weights.placement_eg[piece][seen]);
            match color {
                Color::White => packed,
                Color::Black => packed.wrapping_neg(),
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

    /// The placement sum of a whole position.
    pub fn placement(&self, position: &Position) -> Placement {
        let mut sum = 0i32;
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in Square::all_of(position.pieces(color, piece)) {
                    sum = sum.wrapping_add(self.at(color, piece, square));
                }
            }
        }
        Placement(sum)
    }

    /// The placement sum after a move, from the one before.
    #[inline]
    pub(crate) fn placement_after(
        &self,
        before: Placement,
        position: &Position,
        mv: Move,
        piece: Piece,
        captured: Option<Piece>,
    ) -> Placement {
        let us = position.turn();
        let (from, to) = (mv.from(), mv.to());
        let mut sum = before.0.wrapping_sub(self.at(us, piece, from)).wrapping_add(self.at(
            us,
            mv.promotion().unwrap_or(piece),
            to,
        ));
        if let Some(captured) = captured {
            let square = match position.captures_en_passant(piece, mv) {
                true => Square::new(to.byte() ^ 8),
                false => to,
            };
            sum = sum.wrapping_sub(self.at(!us, captured, square));
        }
        if let Some(side) = Position::castles(piece, mv) {
            sum = sum
                .wrapping_sub(self.at(us, Piece::Rook, side.rook_from(us)))
                .wrapping_add(self.at(us, Piece::Rook, side.rook_to(us)));
        }
        Placement(sum)
    }

    #[inline]
    fn at(&self, color: Color, piece: Piece, square: Square) -> i32 {
        self.placement[color.index()][piece.index()][square.index()]
    }

    /// The value for the side to move, from the placement sum and the attack sets.
    #[inline(always)]
    pub fn value(&self, position: &Position, placement: Placement, sets: &AttackSets) -> i16 {
        let us = position.turn();
        let own = Counts::of(position, us, &sets.own, sets.enemy.pawn);
        let enemy = Counts::of(position, !us, &sets.enemy, sets.own.pawn);
        let weigh = |term: Term| self.weights.of(term) * (own.get(term) - enemy.get(term));
        let (placement_mg, placement_eg) = placement.unpack(us);
        let passed = match own.passed | enemy.passed {
            0 => 0,
            _ => (PASSED.iter().map(|&term| weigh(term))).sum(),
        };
        let shelter = weigh(Term::ShelterNear) + weigh(Term::ShelterFar) + weigh(Term::ShelterBare);
        let structure = self.weights.of(Term::Tempo) + STRUCTURE.iter().map(|&term| weigh(term)).sum::<i32>();
        let mg = placement_mg + shelter + (passed >> 1);
        let eg = placement_eg + passed;
        (eg + (((mg - eg) * phase(position)) >> 5) + structure) as i16
    }
}

/// The terms that count in full whatever the phase.
pub const STRUCTURE: [Term; 7] = [
    Term::BishopPair,
    Term::DoubledFile,
    Term::IsolatedFile,
    Term::RookOpenFile,
    Term::RookHalfOpenFile,
    Term::MobilityMinor,
    Term::MobilityMajor,
];

/// The terms of passed pawns, from the second rank to the seventh.
pub const PASSED: [Term; 6] = [
    Term::Passed2,
    Term::Passed3,
    Term::Passed4,
    Term::Passed5,
    Term::Passed6,
    Term::Passed7,
];

/// The game phase: 32 with all pieces on the board, 0 with none.
#[inline]
pub fn phase(position: &Position) -> i32 {
    let [_, knights, bishops, rooks, queens, _] = position.planes().pieces;
    let minors = (knights | bishops).count_ones();
    let sum = minors + 3 * rooks.count_ones() + 6 * queens.count_ones();
    sum.min(32) as i32
}

/// What the terms count, for one side.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    pair: bool,
    doubled: u8,
    isolated: u8,
    open: u8,
    half_open: u8,
    near: u8,
    far: u8,
    bare: u8,
    minor: Bitboard,
    major: Bitboard,
    passed: Bitboard,
}

impl Counts {
    /// The counts of `color`, whose attack sets are `attacks`.
    #[inline(always)]
    pub fn of(position: &Position, color: Color, attacks: &SideAttacks, enemy_pawn_attacks: Bitboard) -> Counts {
        let view = |piece, side| relative(position.pieces(side, piece), color);
        let pawns = view(Piece::Pawn, color);
        let enemy_pawns = view(Piece::Pawn, !color);
        let bishops = position.pieces(color, Piece::Bishop);
        let files = files_of(pawns);
        let rook_files = files_of(position.pieces(color, Piece::Rook)) & !files;
        let enemy_files = files_of(enemy_pawns);

        let king = position.king(color).relative_to(color);
        let king_file = 1u8 << king.file();
        let king_files = king_file | king_file << 1 | king_file >> 1;
        let sheltered = if king.rank() <= 1 { king_files } else { 0 };

        let reach = !position.side(color) & !enemy_pawn_attacks;
        Counts {
            pair: bishops & LIGHT != 0 && bishops & !LIGHT != 0,
            doubled: files_of(pawns & ahead_of(pawns)),
            isolated: files & !(files << 1 | files >> 1),
            open: rook_files & !enemy_files,
            half_open: rook_files & enemy_files,
            near: sheltered & (pawns >> 8) as u8,
            far: sheltered & (pawns >> 16) as u8,
            bare: king_files & !files,
            minor: (attacks.knight | attacks.diagonal) & reach,
            major: attacks.straight & reach,
            passed: pawns & !blocked_by(enemy_pawns),
        }
    }

    /// The count of one term; 0 for the tempo, which is not counted.
    #[inline]
    pub fn get(&self, term: Term) -> i32 {
        let count = match term {
            Term::Tempo => 0,
            Term::BishopPair => u32::from(self.pair),
            Term::DoubledFile => self.doubled.count_ones(),
            Term::IsolatedFile => self.isolated.count_ones(),
            Term::RookOpenFile => self.open.count_ones(),
            Term::RookHalfOpenFile => self.half_open.count_ones(),
            Term::ShelterNear => self.near.count_ones(),
            Term::ShelterFar => self.far.count_ones(),
            Term::ShelterBare => self.bare.count_ones(),
            Term::MobilityMinor => self.minor.count_ones(),
            Term::MobilityMajor => self.major.count_ones(),
            Term::Passed2 => self.passed_on(1),
            Term::Passed3 => self.passed_on(2),
            Term::Passed4 => self.passed_on(3),
            Term::Passed5 => self.passed_on(4),
            Term::Passed6 => self.passed_on(5),
            Term::Passed7 => self.passed_on(6),
        };
        count as i32
    }

    #[inline]
    fn passed_on(&self, rank: u32) -> u32 {
        ((self.passed >> (8 * rank)) as u8).count_ones().min(2)
    }
}

/// The files with a bit in `set`, bit 0 for the a-file.
#[inline]
pub const fn files_of(set: Bitboard) -> u8 {
    let set = set | set >> 32;
    let set = set | set >> 16;
    (set | set >> 8) as u8
}

/// The squares ahead of `set` on its files.
#[inline]
pub const fn ahead_of(set: Bitboard) -> Bitboard {
    let set = set << 8;
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

/// The squares from which a pawn going up meets one of these enemy pawns on its file or beside it.
#[inline]
pub const fn blocked_by(enemy_pawns: Bitboard) -> Bitboard {
    let set = enemy_pawns >> 8;
    let set = set | set >> 8;
    let set = set | set >> 16;
    let set = set | set >> 32;
    set | (set & NOT_H) << 1 | (set & NOT_A) >> 1
}
