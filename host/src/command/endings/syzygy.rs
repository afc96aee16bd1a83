//! The comparison with Syzygy's tables, through shakmaty-syzygy: a referee that shares nothing with our tables.

use std::path::Path;

use anyhow::{Context, bail};
use bluebelle_knowledge::endings::{Kind, Material, Tables, Value, Verified, Wdl, Wrong, each_position};
use bluebelle_spec::{Color, Piece, Position};
use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, PositionError, Setup, Square};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};

/// Syzygy's tables of a folder.
pub(super) struct Referee {
    tables: Tablebase<Chess>,
}

impl Referee {
    pub(super) fn open(folder: &Path) -> anyhow::Result<Referee> {
        let mut tables = Tablebase::new();
        let name = folder.display();
        let files = tables
            .add_directory(folder)
            .with_context(|| format!("cannot read {name}"))?;
        if files == 0 {
            bail!("{name} has no Syzygy tables (*.rtbw, *.rtbz)");
        }
        Ok(Referee { tables })
    }

    /// Compares win, draw and loss of every position of a material, or of one in `every`.
    pub(super) fn compare(
        &self,
        ours: &Tables,
        material: Material,
        every: u64,
        threads: usize,
        progress: impl Fn(f64) + Sync,
    ) -> anyhow::Result<Verified> {
        let visit = |position: &Position, found: &mut Verified| -> anyhow::Result<()> {
            let expected = self.wdl(position)?;
            let wdl = ours.probe_wdl(position)?;
            if wdl != expected {
                found.note(Wrong {
                    position: *position,
                    kind: Kind::Wdl,
                    found: told(wdl),
                    expected: told(expected),
                });
            }
            Ok(())
        };
        each_position(material, every, threads, progress, visit)
    }

    /// Syzygy's verdict without the fifty-move rule: a cursed win is a win, and a blessed loss a loss.
    fn wdl(&self, position: &Position) -> anyhow::Result<Wdl> {
        let chess = to_shakmaty(position).with_context(|| format!("shakmaty refuses {position}"))?;
        let known = self
            .tables
            .probe_wdl(&chess)
            .with_context(|| format!("Syzygy does not know {position}"))?;
        Ok(match known {
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin | AmbiguousWdl::CursedWin => Wdl::Win,
            AmbiguousWdl::Draw => Wdl::Draw,
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss | AmbiguousWdl::BlessedLoss => Wdl::Loss,
        })
    }
}

const fn told(wdl: Wdl) -> Value {
    match wdl {
        Wdl::Win => Value::Win(0),
        Wdl::Draw => Value::Draw,
        Wdl::Loss => Value::Loss(0),
    }
}

fn to_shakmaty(position: &Position) -> Option<Chess> {
    let kind = |piece: Piece| Bitboard(position.planes().pieces[piece.index()]);
    let roles = ByRole {
        pawn: kind(Piece::Pawn),
        knight: kind(Piece::Knight),
        bishop: kind(Piece::Bishop),
        rook: kind(Piece::Rook),
        queen: kind(Piece::Queen),
        king: kind(Piece::King),
    };
    let colors = ByColor {
        white: Bitboard(position.side(Color::White)),
        black: Bitboard(position.side(Color::Black)),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        turn: shakmaty::Color::from_white(position.turn() == Color::White),
        ep_square: position
            .en_passant()
            .map(|square| Square::new(u32::from(square.byte()))),
        ..Setup::empty()
    };
    // Checks that no game can lead to are positions of the tables too.
    let chess = setup.position(CastlingMode::Standard);
    chess.or_else(PositionError::ignore_impossible_check).ok()
}
