//! What is remembered of quiet moves.

use std::cell::Cell;

use super::rules::History;
use crate::types::{Color, Piece, Square};

/// A number for each side, piece and square.
pub(super) struct Past {
    kind: History,
    counts: [[[Cell<i16>; 64]; 6]; 2],
}

/// The greatest of the numbers that are sorted by.
const LIMIT: i32 = 4096;

/// What separates classes from one another, by the number of classes.
const BOUNDS: [&[i16]; 4] = [&[1], &[-255, 1], &[-255, 1, 512], &[-511, -63, 64, 512]];

impl Past {
    pub(super) fn new(kind: History) -> Past {
        Past {
            kind,
            counts: [const { [const { [const { Cell::new(0) }; 64] }; 6] }; 2],
        }
    }

    /// The greater, the sooner a move is tried.
    pub(super) fn rank(&self, color: Color, piece: Piece, to: Square) -> i16 {
        let count = self.counts[color as usize][piece.index()][to.index()].get();
        match self.kind {
            History::None => 0,
            History::Bit => count,
            // Up to three, and good from two on.
            History::TwoBits => count / 2,
            History::Sorted => count,
            History::Now => BOUNDS[1].iter().filter(|&&bound| count >= bound).count() as i16,
            History::Classes(classes) => {
                let bounds = BOUNDS[usize::from(classes - 2)];
                bounds.iter().filter(|&&bound| count >= bound).count() as i16
            }
        }
    }

    /// A move refuted, or did not.
    pub(super) fn learn(&self, color: Color, piece: Piece, to: Square, refuted: bool, depth: i8) {
        let count = &self.counts[color as usize][piece.index()][to.index()];
        match self.kind {
            History::None => {}
            History::Bit => count.set(i16::from(refuted)),
            History::TwoBits => count.set((count.get() + if refuted { 2 } else { -1 }).clamp(0, 3)),
            History::Sorted | History::Classes(_) | History::Now => {
                let depth = i32::from(depth);
                let loss = if self.kind == History::Now { 4 } else { 1 };
                let bonus = (depth * depth * 4).min(LIMIT / 4);
                let bonus = if refuted { bonus } else { -bonus / loss };
                let old = i32::from(count.get());
                count.set((old + bonus - old * bonus.abs() / LIMIT) as i16);
            }
        }
    }
}
