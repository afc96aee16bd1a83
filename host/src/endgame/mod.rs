//! Endgame tables in the search: Syzygy's, by way of shakmaty-syzygy, and those that
//! `bluebelle endings build` makes.
//!
//! [`Tables`] asks Syzygy first, which knows the fifty-move rule and up to seven men, and its own
//! tables where Syzygy has no table. At the root, tables choose the moves that keep the value;
//! in the tree, they value positions right after a capture or pawn move.

mod own;
mod syzygy;
#[cfg(test)]
mod tests;

use std::fmt;

use bluebelle_knowledge::endings::FileError;
use bluebelle_knowledge::vocabulary::Value;
use bluebelle_spec::{Castling, Move};

use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::score::{DRAW, TABLE_WIN};

use own::Own;
use syzygy::Syzygy;

/// The moves of the root that keep what can be had, and its value.
pub type Known = (Vec<Move>, i32);

/// The tables that a search asks.
pub struct Tables {
    syzygy: Option<Syzygy>,
    own: Option<Own>,
    /// The most men that any table knows, kings included.
    most: u32,
}

/// Why the tables cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablesError {
    /// A folder that cannot be read.
    #[error("cannot read the endgame tables in {folder}: {problem}")]
    Folder {
        /// The folder.
        folder: String,
        /// What the system says.
        problem: String,
    },
    /// A folder without Syzygy's tables.
    #[error("{0} has no Syzygy tables (*.rtbw, *.rtbz)")]
    Empty(String),
    /// A folder without tables of our own.
    #[error("{0} has no endgame tables (*.wdl): `bluebelle endings build --men 4 --dir {0}` makes some")]
    NoEndings(String),
    /// A table of our own that cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Tables {
    /// Opens Syzygy's tables in the folders of `syzygy`, separated as in `PATH`, and our own in the
    /// folder `endings`. An empty text stands for no tables; without any, there is nothing to ask.
    ///
    /// # Errors
    /// If a folder cannot be read or has no tables, or the head of a table is damaged.
    pub fn open(syzygy: &str, endings: &str) -> Result<Option<Tables>, TablesError> {
        let syzygy = if syzygy.is_empty() {
            None
        } else {
            Some(Syzygy::open(syzygy)?)
        };
        let own = if endings.is_empty() {
            None
        } else {
            Some(Own::open(endings)?)
        };
        let own_most = own.as_ref().map_or(0, Own::most_men);
        let most = syzygy.as_ref().map_or(0, Syzygy::most_pieces).max(own_most);
        Ok((most > 0).then_some(Tables { syzygy, own, most }))
    }

    /// The most men that a table knows, kings included.
    pub const fn most_pieces(&self) -> u32 {
        self.most
    }

    /// Whether a table may know this position.
    #[inline]
    pub fn may_know(&self, board: &Board) -> bool {
        board.occupied().count_ones() <= self.most && board.castling() == Castling::NONE
    }

    /// The value of a position right after a capture or pawn move, for the side to move, `ply` plies
    /// from the root.
    pub fn probe(&self, board: &Board, ply: usize) -> Option<i32> {
        if board.halfmoves() != 0 || !self.may_know(board) {
            return None;
        }
        let syzygy = self.syzygy.as_ref().and_then(|tables| tables.probe(board, ply));
        syzygy.or_else(|| self.own.as_ref()?.probe(board, ply))
    }

    /// The moves of the root that keep what can be had, and its value. A win is played the shortest
    /// way to the next capture or pawn move by Syzygy, and to mate by our own tables. `None` if the
    /// tables do not know.
    pub fn probe_root(&self, board: &Board, evaluator: &Evaluator) -> Option<Known> {
        if !self.may_know(board) {
            return None;
        }
        let syzygy = self.syzygy.as_ref();
        let syzygy = syzygy.and_then(|tables| tables.probe_root(board, evaluator));
        syzygy.or_else(|| self.own.as_ref()?.probe_root(board, evaluator))
    }

    /// The value for the side to move by the rules without a clock, if a table knows the position.
    pub fn value(&self, board: &Board) -> Option<Value> {
        if !self.may_know(board) {
            return None;
        }
        let syzygy = self.syzygy.as_ref().and_then(|tables| tables.value(board));
        syzygy.or_else(|| self.own.as_ref()?.value(board))
    }

    /// Whether the tables know that neither side can win.
    pub fn is_drawn(&self, board: &Board) -> bool {
        self.value(board) == Some(Value::Draw)
    }

    /// What went wrong with our own tables, once: they are not asked any more.
    pub fn take_problem(&self) -> Option<String> {
        self.own.as_ref()?.take_problem()
    }
}

/// What there is, in words.
impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(syzygy) = &self.syzygy {
            write!(
                f,
                "{} Syzygy tables, up to {} pieces",
                syzygy.files(),
                syzygy.most_pieces()
            )?;
        }
        if let Some(own) = &self.own {
            let after = if self.syzygy.is_some() {
                "; where they do not know, "
            } else {
                ""
            };
            write!(
                f,
                "{after}{} tables of our own, up to {} men",
                own.tables(),
                own.most_men()
            )?;
        }
        Ok(())
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Beyond this rank either way, the result is sure in spite of the fifty-move rule.
const SURE: i32 = 10_000;

/// The best of ranked moves: a draw is a draw; a win must make progress; a loss must hold out.
fn best_of(ranked: Vec<(Move, i32)>) -> Option<Known> {
    let best = ranked.iter().map(|&(_, rank)| rank).max()?;
    let value = match best {
        best if best > SURE => TABLE_WIN,
        best if best < -SURE => -TABLE_WIN,
        _ => DRAW,
    };
    let same = |rank: i32| match value {
        DRAW => (-SURE..=SURE).contains(&rank),
        _ => rank == best,
    };
    let kept = ranked.into_iter().filter(|&(_, rank)| same(rank));
    Some((kept.map(|(mv, _)| mv).collect(), value))
}
