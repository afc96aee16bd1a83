//! Syzygy endgame tables, by way of shakmaty-syzygy.

use std::path::PathBuf;

use bluebelle_knowledge::vocabulary::Value;
use bluebelle_spec::{Color, Piece};
use shakmaty::{Bitboard, Board as Pieces, ByColor, ByRole, CastlingMode, Chess, Position as _, Setup};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};

use super::{Known, SURE, TablesError};
use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::notation;
use crate::score::{DRAW, TABLE_WIN};

/// The tables of one or more folders.
pub(super) struct Syzygy {
    tables: Tablebase<Chess>,
    files: usize,
}

impl Syzygy {
    /// Opens the tables of these folders, separated as in `PATH`.
    ///
    /// # Errors
    /// If a folder cannot be read, or there are no tables.
    pub(super) fn open(path: &str) -> Result<Syzygy, TablesError> {
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
            _ => Ok(Syzygy { tables, files }),
        }
    }

    /// How many files there are.
    pub(super) const fn files(&self) -> usize {
        self.files
    }

    /// The most pieces that a table knows, kings included.
    pub(super) fn most_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The value of a position right after a capture or pawn move, for the side to move, `ply` plies from the root. Wins
    /// that the fifty-move rule takes away are draws.
    pub(super) fn probe(&self, board: &Board, ply: usize) -> Option<i32> {
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
    pub(super) fn probe_root(&self, board: &Board, evaluator: &Evaluator) -> Option<Known> {
        let mut ranked = Vec::new();
        for scored in board.legal_moves().iter() {
            let rank = self.rank(&to_shakmaty(&board.after(scored.mv, evaluator))?)?;
            ranked.push((scored.mv, rank));
        }
        super::best_of(ranked)
    }

    /// The value for the side to move; a win that the fifty-move rule takes away is a draw.
    pub(super) fn value(&self, board: &Board) -> Option<Value> {
        Some(match self.tables.probe_wdl(&to_shakmaty(board)?).ok()? {
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => Value::Win,
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => Value::Loss,
            _ => Value::Draw,
        })
    }

    /// How good a position is for the side that has just moved: wins first, the sooner the better.
    fn rank(&self, chess: &Chess) -> Option<i32> {
        if chess.is_checkmate() {
            return Some(2 * SURE);
        }
        let wdl = self.tables.probe_wdl(chess).ok()?;
        let plies = self.tables.probe_dtz(chess).ok()?.ignore_rounding().0.abs().min(5_000);
        // A capture or pawn move has just been made: the count begins anew, which is progress.
        let plies = if chess.halfmoves() == 0 { 0 } else { plies };
        Some(match wdl {
            AmbiguousWdl::Loss => 2 * SURE - 1 - plies,
            AmbiguousWdl::Win => plies - 2 * SURE + 1,
            AmbiguousWdl::BlessedLoss | AmbiguousWdl::MaybeLoss => 1,
            AmbiguousWdl::CursedWin | AmbiguousWdl::MaybeWin => -1,
            AmbiguousWdl::Draw => 0,
        })
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
