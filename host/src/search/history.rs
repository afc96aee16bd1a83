//! What the search remembers of moves that were good elsewhere.

use std::cell::Cell;

use bluebelle_spec::{Color, Move, Piece};

use super::parameters::history::{BONUS_OFFSET, BONUS_SLOPE, LIMIT, MOST_BONUS};
use crate::board::Board;

/// A piece and where it went, as one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = 6 * 64;

    /// The piece that makes this move on this board, and its square.
    #[inline]
    pub fn new(board: &Board, mv: Move) -> PieceTo {
        let piece = board.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        PieceTo((piece.index() * 64 + mv.to().index()) as u16)
    }

    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The two moves before this one, if they were moves.
pub type Context = [Option<PieceTo>; 2];

/// The tables of one thread: all searches of a thread learn together, so they share them.
pub struct History {
    /// Quiet moves by side, from and to.
    quiet: Vec<Cell<i16>>,
    /// Quiet moves by side, an earlier move, and piece and to; one table for each place in [`Context`].
    continuation: [Vec<Cell<i16>>; 2],
    /// Captures by piece, to and victim.
    capture: Vec<Cell<i16>>,
    /// The answer to a move.
    counter: Vec<Cell<Move>>,
}

impl History {
    /// Knows nothing.
    pub fn new() -> History {
        let continuation = || vec![Cell::new(0); 2 * PieceTo::COUNT * PieceTo::COUNT];
        History {
            quiet: vec![Cell::new(0); 2 * 64 * 64],
            continuation: [continuation(), continuation()],
            capture: vec![Cell::new(0); PieceTo::COUNT * 6],
            counter: vec![Cell::new(Move::NONE); 2 * PieceTo::COUNT],
        }
    }

    /// What is known of a quiet move.
    #[inline]
    pub fn quiet(&self, board: &Board, mv: Move, context: Context) -> i32 {
        let us = board.turn();
        let to = PieceTo::new(board, mv);
        let mut sum = i32::from(self.quiet[quiet_index(us, mv)].get());
        for (table, before) in self.continuation.iter().zip(context) {
            if let Some(before) = before {
                sum += i32::from(table[continuation_index(us, before, to)].get());
            }
        }
        sum
    }

    /// What is known of a capture or promotion.
    #[inline]
    pub fn capture(&self, board: &Board, mv: Move) -> i32 {
        i32::from(self.capture[capture_index(board, mv)].get())
    }

    /// The quiet move that last refuted the move before.
    #[inline]
    pub fn counter(&self, us: Color, context: Context) -> Move {
        context[0].map_or(Move::NONE, |before| self.counter[counter_index(us, before)].get())
    }

    /// A quiet move refuted the one before.
    #[inline]
    pub fn set_counter(&self, us: Color, context: Context, mv: Move) {
        if let Some(before) = context[0] {
            self.counter[counter_index(us, before)].set(mv);
        }
    }

    /// A quiet move was good (a positive bonus) or not.
    pub fn update_quiet(&self, board: &Board, mv: Move, context: Context, bonus: i32) {
        let us = board.turn();
        let to = PieceTo::new(board, mv);
        update(&self.quiet[quiet_index(us, mv)], bonus);
        for (table, before) in self.continuation.iter().zip(context) {
            if let Some(before) = before {
                update(&table[continuation_index(us, before, to)], bonus);
            }
        }
    }

    /// A capture was good or not.
    pub fn update_capture(&self, board: &Board, mv: Move, bonus: i32) {
        update(&self.capture[capture_index(board, mv)], bonus);
    }
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

/// What a cut-off at this depth is worth.
pub fn bonus(depth: i32) -> i32 {
    (BONUS_SLOPE * depth - BONUS_OFFSET).clamp(0, MOST_BONUS)
}

/// Moves towards the bonus, the slower the nearer to the limit.
#[inline]
fn update(value: &Cell<i16>, bonus: i32) {
    let old = i32::from(value.get());
    value.set((old + bonus - old * bonus.abs() / LIMIT) as i16);
}

#[inline]
fn quiet_index(us: Color, mv: Move) -> usize {
    (us.index() * 64 + mv.from().index()) * 64 + mv.to().index()
}

#[inline]
fn continuation_index(us: Color, before: PieceTo, to: PieceTo) -> usize {
    (us.index() * PieceTo::COUNT + before.index()) * PieceTo::COUNT + to.index()
}

#[inline]
fn capture_index(board: &Board, mv: Move) -> usize {
    let victim = board.captured(mv).unwrap_or(Piece::King); // a push to the last rank takes nothing
    PieceTo::new(board, mv).index() * 6 + victim.index()
}

#[inline]
fn counter_index(us: Color, before: PieceTo) -> usize {
    us.index() * PieceTo::COUNT + before.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_the_limit() {
        let value = Cell::new(0);
        for _ in 0..1000 {
            update(&value, MOST_BONUS);
        }
        assert!(value.get() > 15_000 && i32::from(value.get()) <= LIMIT);
        for _ in 0..1000 {
            update(&value, -MOST_BONUS);
        }
        assert!(value.get() < -15_000 && i32::from(value.get()) >= -LIMIT);
    }
}
