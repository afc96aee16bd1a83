//! What a node of the search under study knows while it goes through its moves.

use arrayvec::ArrayVec;

use crate::eval::Placement;
use crate::leaf::moves::Node;
use crate::leaf::pruning::WORTH;
use crate::position::Position;
use crate::types::{Move, Piece};

/// A position, and what is known of the way to it.
pub(super) struct Place<'p> {
    pub(super) position: &'p Position,
    pub(super) placement: Placement,
    pub(super) key: u64,
    pub(super) depth: i8,
    pub(super) ply: u8,
    pub(super) after_null: bool,
    /// One of its first moves should refute it.
    pub(super) cut: bool,
}

/// What a node knows while it goes through its moves.
pub(super) struct Walk<'p> {
    pub(super) node: Node<'p>,
    pub(super) placement: Placement,
    pub(super) key: u64,
    /// The depth of the node.
    pub(super) depth: i8,
    pub(super) ply: u8,
    pub(super) cut: bool,
    pub(super) table_move: Move,
    pub(super) found_legal: bool,
    /// Quiet moves that were searched and did not refute.
    pub(super) quiets: i32,
    pub(super) failed: ArrayVec<(Piece, Move), 64>,
    /// Moves that other threads search, and their reductions.
    pub(super) deferred: ArrayVec<(Later, i8), 64>,
    pub(super) child_killer: Move,
    /// The move that refuted.
    pub(super) best: Move,
    pub(super) bound: i32,
    /// The best value so far.
    pub(super) score: i32,
}

/// A capture that is tried after the quiet moves.
pub(super) type Later = (Move, Piece, Option<Piece>);

/// Natural logarithms of 0 to 31, in 1024ths.
pub(super) const LOGARITHMS: [i32; 32] = [
    0, 0, 710, 1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773, 2839, 2901, 2960, 3015,
    3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
];

/// The table's move with its piece and what it takes, if a look at the board says that it can be made here.
pub(super) fn table_move(walk: &Walk<'_>) -> Option<Later> {
    let mv = walk.table_move;
    if mv.is_none() {
        return None;
    }
    let node = &walk.node;
    let (color, piece) = node.position.at(mv.from())?;
    if color != node.position.turn() {
        return None;
    }
    let to = mv.to();
    for class in 0..WORTH.len() {
        if node.victims(class) & to.bit() != 0 {
            let captured = node.captured(class, to);
            let found = node
                .attackers(to, captured)
                .into_iter()
                .any(|set| set & mv.from().bit() != 0);
            let promotes = piece == Piece::Pawn && matches!(to.rank(), 0 | 7);
            return (found && promotes == mv.promotion().is_some()).then_some((mv, piece, captured));
        }
    }
    let quiet = match piece {
        Piece::Pawn => node.pushes() & to.bit() != 0 && node.push_from(to) == mv.from(),
        _ => node.quiet_squares(mv.from(), piece) & to.bit() != 0,
    };
    (quiet && mv.promotion().is_none()).then_some((mv, piece, None))
}
