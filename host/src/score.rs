//! Scores: centipawns for the side to move, with wins from tablebases and mates beyond every evaluation.

use std::fmt;

use bluebelle_spec::EVALUATION_LIMIT;

/// Mate on the board, as on the chip; mate in n plies is n less.
pub const MATE: i32 = bluebelle_spec::leaf::MATE as i32;

/// Beyond every score.
pub const INFINITE: i32 = MATE + 1;

/// The longest line the search looks at.
pub const MAX_PLY: usize = 128;

/// The smallest score that means a mate.
pub const LEAST_MATE: i32 = MATE - 2 * MAX_PLY as i32;

/// A win that a tablebase promises; n plies from the root it is n less.
pub const TABLE_WIN: i32 = LEAST_MATE - 1;

/// The smallest score that means a tablebase win.
pub const LEAST_TABLE_WIN: i32 = TABLE_WIN - 2 * MAX_PLY as i32;

/// A draw.
pub const DRAW: i32 = 0;

const _: () = assert!(LEAST_TABLE_WIN > EVALUATION_LIMIT);

/// The score of being mated at this ply.
#[inline]
pub const fn mated_at(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether a score is a mate for either side.
#[inline]
pub const fn is_mate(score: i32) -> bool {
    score.abs() >= LEAST_MATE
}

/// Whether a score counts plies: a mate or a tablebase result.
#[inline]
pub const fn is_mate_or_table(score: i32) -> bool {
    score.abs() >= LEAST_TABLE_WIN
}

/// A score as UCI writes it: `cp 31`, `mate 3`, `mate -2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UciScore(pub i32);

impl UciScore {
    /// Moves to mate, negative for the side that is mated.
    pub const fn mate(self) -> Option<i32> {
        if !is_mate(self.0) {
            return None;
        }
        let plies = MATE - self.0.abs();
        let moves = (plies + 1) / 2;
        Some(if self.0 > 0 { moves } else { -moves })
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// The chances of win, draw and loss in thousandths, for the side that has this score.
///
/// A logistic model: a side that is a pawn up wins about two games in three of those that are decided, and the nearer
/// to level the more games are drawn.
pub fn win_draw_loss(score: i32) -> [u32; 3] {
    if is_mate_or_table(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance = |score: i32| 1000.0 / (1.0 + (-f64::from(score) / WDL_SCALE).exp());
    let win = chance(score - WDL_DRAW_MARGIN).round() as u32;
    let loss = chance(-score - WDL_DRAW_MARGIN).round() as u32;
    [win, 1000 - win - loss, loss]
}

const WDL_SCALE: f64 = 110.0;
const WDL_DRAW_MARGIN: i32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_moves() {
        assert_eq!(UciScore(MATE - 1).to_string(), "mate 1");
        assert_eq!(UciScore(MATE - 2).to_string(), "mate 1");
        assert_eq!(UciScore(MATE - 3).to_string(), "mate 2");
        assert_eq!(UciScore(2 - MATE).to_string(), "mate -1");
        assert_eq!(UciScore(4 - MATE).to_string(), "mate -2");
        assert_eq!(UciScore(-31).to_string(), "cp -31");
        assert_eq!(UciScore(TABLE_WIN).mate(), None);
    }

    #[test]
    fn chances_add_up_and_mirror() {
        for score in (-3000..=3000).step_by(7) {
            let [win, draw, loss] = win_draw_loss(score);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(win_draw_loss(-score), [loss, draw, win]);
        }
        assert_eq!(win_draw_loss(MATE - 5), [1000, 0, 0]);
        assert!(win_draw_loss(0)[1] > 300);
    }
}
