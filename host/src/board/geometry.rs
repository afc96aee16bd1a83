//! What lies between two squares, and the line through them.

use bluebelle_spec::{Bitboard, Square};

/// The squares strictly between two squares on a common line; none if there is no such line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge; none if there is no such line.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

static BETWEEN: [[Bitboard; 64]; 64] = rays(false);
static LINE: [[Bitboard; 64]; 64] = rays(true);

const STEPS: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Walks every ray from every square: what has been passed is between, and both ways together are the line.
const fn rays(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut way = 0;
        while way < 8 {
            let (file_step, rank_step) = STEPS[way];
            let full = ray(from, file_step, rank_step) | ray(from, -file_step, -rank_step) | 1 << from;
            let (mut file, mut rank) = ((from % 8) as i8 + file_step, (from / 8) as i8 + rank_step);
            let mut passed = 0;
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                let to = (rank * 8 + file) as usize;
                table[from][to] = if whole { full } else { passed };
                passed |= 1 << to;
                file += file_step;
                rank += rank_step;
            }
            way += 1;
        }
        from += 1;
    }
    table
}

const fn ray(from: usize, file_step: i8, rank_step: i8) -> Bitboard {
    let (mut file, mut rank) = ((from % 8) as i8 + file_step, (from / 8) as i8 + rank_step);
    let mut set = 0;
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        set |= 1 << (rank * 8 + file);
        file += file_step;
        rank += rank_step;
    }
    set
}
