//! Syzygy endgame tables, by way of shakmaty-syzygy.

use std::fmt;
use std::path::PathBuf;

use bluebelle_spec::{Castling, Color, Move, Piece};
use shakmaty::{Bitboard, Board as Pieces, ByColor, ByRole, CastlingMode, Chess, Position as _, Setup};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};

use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::notation;
use crate::score::{DRAW, TABLE_WIN};

/// The tables of one or more folders.
pub struct Tables {
    tables: Tablebase<Chess>,
    files: usize,
}

/// Why the tables cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    /// A folder without tables.
    #[error("{0} has no Syzygy tables (*.rtbw, *.rtbz)")]
    Empty(String),
}

impl Tables {
    /// Opens the tables of these folders, separated as in `PATH`.
    ///
    /// # Errors
    /// If a folder cannot be read, or there are no tables.
    pub fn open(path: &str) -> Result<Tables, TablesError> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for folder in std::env::split_paths(path).filter(|folder| *folder != PathBuf::new()) {
            files += tables.add_directory(&folder).map_err(|error| TablesError::Folder {
                folder: folder.display().to_string(),
                problem: error.to_string(),
            })?;
        }
        match files {
            0 => Err(TablesError::Empty(path.to_owned())),
            _ => Ok(Tables { tables, files }),
        }
    }

    /// How many files there are.
    pub const fn files(&self) -> usize {
        self.files
    }

    /// The most pieces that a table knows, kings included.
    pub fn most_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Whether a table may know this position.
    #[inline]
    pub fn may_know(&self, board: &Board) -> bool {
        board.occupied().count_ones() <= self.most_pieces() && board.castling() == Castling::NONE
    }

    /// The value of a position right after a capture or pawn move, for the side to move, so many plies from the root. Wins
    /// that the fifty-move rule takes away are draws.
    pub fn probe(&self, board: &Board, ply: usize) -> Option<i32> {
        if board.halfmoves() != 0 || !self.may_know(board) {
            return None;
        }
        let known = self.tables.probe_wdl(&to_shakmaty(board)?).ok()?;
        let win = TABLE_WIN - ply as i32;
        Some(match known {
            AmbiguousWdl::Win => win,
            AmbiguousWdl::Loss => -win,
            _ => DRAW,
        })
    }

    /// The moves of the root that keep what can be had, and its value; a win is played the shortest way to the next capture or
    /// pawn move. `None` if the tables do not know.
    pub fn probe_root(&self, board: &Board, evaluator: &Evaluator) -> Option<(Vec<Move>, i32)> {
        if !self.may_know(board) {
            return None;
        }
        let mut ranked = Vec::new();
        for scored in board.legal_moves().iter() {
            let rank = self.rank(&to_shakmaty(&board.after(scored.mv, evaluator))?)?;
            ranked.push((scored.mv, rank));
        }
        let best = ranked.iter().map(|&(_, rank)| rank).max()?;
        let value = match best {
            best if best > Tables::SURE => TABLE_WIN,
            best if best < -Tables::SURE => -TABLE_WIN,
            _ => DRAW,
        };
        // A draw is a draw; a win must make progress; a loss must hold out.
        let same = |rank: i32| match value {
            DRAW => (-Tables::SURE..=Tables::SURE).contains(&rank),
            _ => rank == best,
        };
        let kept = ranked
            .into_iter()
            .filter(|&(_, rank)| same(rank))
            .map(|(mv, _)| mv)
            .collect();
        Some((kept, value))
    }

    /// Beyond this either way, the result is sure in spite of the fifty-move rule.
    const SURE: i32 = 10_000;

    /// How good a position is for the side that has just moved: wins first, the sooner the better.
    fn rank(&self, chess: &Chess) -> Option<i32> {
        if chess.is_checkmate() {
            return Some(2 * Tables::SURE);
        }
        let wdl = self.tables.probe_wdl(chess).ok()?;
        let plies = self.tables.probe_dtz(chess).ok()?.ignore_rounding().0.abs().min(5_000);
        // A capture or pawn move has just been made: the count begins anew, which is progress.
        let plies = if chess.halfmoves() == 0 { 0 } else { plies };
        Some(match wdl {
            AmbiguousWdl::Loss => 2 * Tables::SURE - 1 - plies,
            AmbiguousWdl::Win => plies - 2 * Tables::SURE + 1,
            AmbiguousWdl::BlessedLoss | AmbiguousWdl::MaybeLoss => 1,
            AmbiguousWdl::CursedWin | AmbiguousWdl::MaybeWin => -1,
            AmbiguousWdl::Draw => 0,
        })
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} endgame tables", self.files)
    }
}

/// The same position for shakmaty, without the detour through FEN; it has no castling rights.
fn to_shakmaty(board: &Board) -> Option<Chess> {
    let kind = |piece| Bitboard(board.kind(piece));
    let roles = ByRole {
        pawn: kind(Piece::Pawn),
        knight: kind(Piece::Knight),
        bishop: kind(Piece::Bishop),
        rook: kind(Piece::Rook),
        queen: kind(Piece::Queen),
        king: kind(Piece::King),
    };
    let colors = ByColor {
        white: Bitboard(board.side(Color::White)),
        black: Bitboard(board.side(Color::Black)),
    };
    if board.en_passant().is_some() {
        return notation::to_shakmaty(board);
    }
    let setup = Setup {
        board: Pieces::try_from_bitboards(roles, colors).ok()?,
        turn: shakmaty::Color::from_white(board.turn() == Color::White),
        halfmoves: u32::from(board.halfmoves()),
        ..Setup::empty()
    };
    setup.position(CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_tables_is_refused() {
        let error = Tables::open("no/such/folder").expect_err("no such folder");
        assert!(
            error
                .to_string()
                .starts_with("cannot read the endgame tables in no/such/folder"),
            "{error}"
        );
        let error = Tables::open(env!("CARGO_MANIFEST_DIR")).expect_err("no tables");
        assert!(
            error.to_string().ends_with("has no Syzygy tables (*.rtbw, *.rtbz)"),
            "{error}"
        );
    }
}
