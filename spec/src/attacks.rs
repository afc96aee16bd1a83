//! Attack sets: of one piece (by subtraction along a line) and of all sliders at once (by flooding, as the chip's ray
//! network does).

use crate::types::{Bitboard, Color, Square};

/// Every square but the a-file.
pub const NOT_A: Bitboard = 0xfefe_fefe_fefe_fefe;
/// Every square but the h-file.
pub const NOT_H: Bitboard = 0x7f7f_7f7f_7f7f_7f7f;
/// The a-file.
pub const FILE_A: Bitboard = !NOT_A;
/// The first rank.
pub const RANK_1: Bitboard = 0xff;
/// The light squares.
pub const LIGHT: Bitboard = 0x55aa_55aa_55aa_55aa;

/// The squares of `set`, one step on towards the side that `color` attacks.
#[inline]
pub const fn forward(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    }
}

/// A set seen from `color`'s side of the board: ranks swapped for Black. Its own inverse.
#[inline]
pub const fn relative(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => set,
        Color::Black => set.swap_bytes(),
    }
}

/// The squares attacked by pawns.
#[inline]
pub const fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    let ahead = forward(pawns, color);
    (ahead & NOT_H) << 1 | (ahead & NOT_A) >> 1
}

/// The squares attacked by knights.
#[inline]
pub const fn knight_attacks(knights: Bitboard) -> Bitboard {
    let one = (knights & NOT_H) << 1 | (knights & NOT_A) >> 1;
    let two = (knights & (NOT_H >> 1 & NOT_H)) << 2 | (knights & (NOT_A << 1 & NOT_A)) >> 2;
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The squares next to a king.
#[inline]
pub const fn king_attacks(kings: Bitboard) -> Bitboard {
    let row = kings | (kings & NOT_H) << 1 | (kings & NOT_A) >> 1;
    (row | row << 8 | row >> 8) & !kings
}

/// The squares that rooks and queens in `sliders` attack, as one set.
#[inline]
pub const fn straight_attacks(sliders: Bitboard, empty: Bitboard) -> Bitboard {
    flood_up::<8>(sliders, empty, !0)
        | flood_down::<8>(sliders, empty, !0)
        | flood_up::<1>(sliders, empty, NOT_A)
        | flood_down::<1>(sliders, empty, NOT_H)
}

/// The squares that bishops and queens in `sliders` attack, as one set.
#[inline]
pub const fn diagonal_attacks(sliders: Bitboard, empty: Bitboard) -> Bitboard {
    flood_up::<9>(sliders, empty, NOT_A)
        | flood_up::<7>(sliders, empty, NOT_H)
        | flood_down::<9>(sliders, empty, NOT_H)
        | flood_down::<7>(sliders, empty, NOT_A)
}

/// Kogge–Stone flood by `STEP` towards h8; `inside` holds the squares that a step may land on without wrapping.
#[inline]
const fn flood_up<const STEP: u32>(mut sources: Bitboard, empty: Bitboard, inside: Bitboard) -> Bitboard {
    let mut open = empty & inside;
    sources |= open & sources << STEP;
    open &= open << STEP;
    sources |= open & sources << (2 * STEP);
    open &= open << (2 * STEP);
    sources |= open & sources << (4 * STEP);
    sources << STEP & inside
}

/// The same towards a1.
#[inline]
const fn flood_down<const STEP: u32>(mut sources: Bitboard, empty: Bitboard, inside: Bitboard) -> Bitboard {
    let mut open = empty & inside;
    sources |= open & sources >> STEP;
    open &= open >> STEP;
    sources |= open & sources >> (2 * STEP);
    open &= open >> (2 * STEP);
    sources |= open & sources >> (4 * STEP);
    sources >> STEP & inside
}

/// The lines through one square, and what leaps reach from it.
struct Lines {
    file: Bitboard,
    diagonal: Bitboard,
    antidiagonal: Bitboard,
    knight: Bitboard,
    king: Bitboard,
    pawn: [Bitboard; 2],
}

static LINES: [Lines; 64] = lines();

const fn lines() -> [Lines; 64] {
    const EMPTY: Lines = Lines {
        file: 0,
        diagonal: 0,
        antidiagonal: 0,
        knight: 0,
        king: 0,
        pawn: [0; 2],
    };
    let mut all = [EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let bit = 1 << index;
        all[index] = Lines {
            file: (flood_up::<8>(bit, !0, !0) | flood_down::<8>(bit, !0, !0)),
            diagonal: (flood_up::<9>(bit, !0, NOT_A) | flood_down::<9>(bit, !0, NOT_H)),
            antidiagonal: (flood_up::<7>(bit, !0, NOT_H) | flood_down::<7>(bit, !0, NOT_A)),
            knight: knight_attacks(bit),
            king: king_attacks(bit),
            pawn: [pawn_attacks(bit, Color::White), pawn_attacks(bit, Color::Black)],
        };
        index += 1;
    }
    all
}

/// The rank attacks of a rook on each file, by the six inner occupancy bits of its rank.
static RANK_ATTACKS: [[u8; 64]; 8] = rank_attacks();

const fn rank_attacks() -> [[u8; 64]; 8] {
    let mut all = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let empty = !(inner << 1) & 0xff;
            let rook = 1 << file;
            let attacks = flood_up::<1>(rook, empty, NOT_A) | flood_down::<1>(rook, empty, NOT_H);
            all[file][inner as usize] = attacks as u8;
            inner += 1;
        }
        file += 1;
    }
    all
}

/// What a slider on `square` attacks along one line: subtracting the slider from the blockers borrows up to the first of
/// them, and the byte-swapped board does the same downwards.
#[inline]
fn line_attacks(square: Square, line: Bitboard, occupied: Bitboard) -> Bitboard {
    let slider = square.bit();
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers
        .swap_bytes()
        .wrapping_sub(slider.swap_bytes() << 1)
        .swap_bytes();
    (up ^ down) & line
}

/// What a bishop on `square` attacks.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    line_attacks(square, lines.diagonal, occupied) | line_attacks(square, lines.antidiagonal, occupied)
}

/// What a rook on `square` attacks.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let rank = square.index() & 56;
    let inner = (occupied >> (rank + 1)) & 63;
    let along_rank = u64::from(RANK_ATTACKS[square.file() as usize][inner as usize]) << rank;
    along_rank | line_attacks(square, LINES[square.index()].file, occupied)
}

/// What a knight on `square` attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    LINES[square.index()].knight
}

/// What a king on `square` attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    LINES[square.index()].king
}

/// What a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn(square: Square, color: Color) -> Bitboard {
    LINES[square.index()].pawn[color.index()]
}

/// The two diagonals through `square`, without it.
#[inline]
pub fn diagonal_lines(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    lines.diagonal | lines.antidiagonal
}

/// The rank and the file through `square`, without it.
#[inline]
pub fn straight_lines(square: Square) -> Bitboard {
    LINES[square.index()].file | (RANK_1 << (square.index() & 56)) & !square.bit()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps one square at a time: the plain statement of how a slider moves.
    fn walk(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut set = 0;
        for &(file_step, rank_step) in steps {
            let (mut file, mut rank) = (square.file() as i8, square.rank() as i8);
            loop {
                (file, rank) = (file + file_step, rank + rank_step);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let bit = Square::at(file as u8, rank as u8).bit();
                set |= bit;
                if occupied & bit != 0 {
                    break;
                }
            }
        }
        set
    }

    #[test]
    fn sliders_stop_at_the_first_blocker() {
        const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let mut random = crate::rng::SplitMix64::new(1);
        for _ in 0..2_000 {
            let occupied = random.next_u64() & random.next_u64();
            for square in Square::all() {
                let diagonal = walk(square, occupied, &DIAGONAL);
                let straight = walk(square, occupied, &STRAIGHT);
                assert_eq!(bishop(square, occupied), diagonal, "bishop {square} {occupied:#x}");
                assert_eq!(rook(square, occupied), straight, "rook {square} {occupied:#x}");
                assert_eq!(diagonal_attacks(square.bit(), !occupied), diagonal);
                assert_eq!(straight_attacks(square.bit(), !occupied), straight);
            }
            let sliders = occupied & random.next_u64();
            let union = |attacks: fn(Square, Bitboard) -> Bitboard| {
                Square::all()
                    .filter(|square| sliders & square.bit() != 0)
                    .fold(0, |set, square| set | attacks(square, occupied))
            };
            assert_eq!(diagonal_attacks(sliders, !occupied), union(bishop));
            assert_eq!(straight_attacks(sliders, !occupied), union(rook));
        }
    }

    #[test]
    fn lines_cross_the_empty_board() {
        for square in Square::all() {
            assert_eq!(diagonal_lines(square), bishop(square, 0));
            assert_eq!(straight_lines(square), rook(square, 0));
        }
    }
}
