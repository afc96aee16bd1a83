//! The kinds of positions that a test of the rules must have seen, told apart with shakmaty's help.

use shakmaty::{CastlingSide, Chess, Position as _, Role, attacks};

/// A kind of position: its name and its test.
pub type Class = (&'static str, fn(&Chess) -> bool);

/// All kinds.
pub const CLASSES: [Class; 14] = [
    ("promotion", |chess| {
        chess.legal_moves().iter().any(|mv| mv.is_promotion())
    }),
    ("check", |chess| chess.is_check()),
    ("double check", |chess| chess.checkers().count() >= 2),
    ("en passant", |chess| legal_en_passants(chess) > 0),
    ("en passant in check", |chess| {
        chess.is_check() && legal_en_passants(chess) > 0
    }),
    ("en passant pinned", en_passant_pinned),
    ("en passant pinned along the rank", |chess| {
        en_passant_pinned(chess) && king_beside_passed_pawn(chess)
    }),
    ("castling king side", |chess| castling(chess, CastlingSide::KingSide)),
    ("castling queen side", |chess| castling(chess, CastlingSide::QueenSide)),
    ("castling through attack", castling_through_attack),
    ("b-file attacked, castling", castling_past_attack),
    ("pinned piece", has_pinned_piece),
    ("mate", |chess| chess.is_checkmate()),
    ("stalemate", |chess| chess.is_stalemate()),
];

/// How many positions of each kind have been seen.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// All positions.
    pub total: usize,
    /// By kind, in the order of [`CLASSES`].
    pub counts: [usize; CLASSES.len()],
}

impl Census {
    /// Counts one more position.
    pub fn add(&mut self, chess: &Chess) {
        self.total += 1;
        for (count, (_, belongs)) in self.counts.iter_mut().zip(CLASSES) {
            *count += usize::from(belongs(chess));
        }
    }

    /// The kinds and how many positions there are of each.
    pub fn by_name(&self) -> impl Iterator<Item = (&'static str, usize)> {
        CLASSES.iter().map(|class| class.0).zip(self.counts)
    }
}

fn legal_en_passants(chess: &Chess) -> usize {
    chess.en_passant_moves().len()
}

/// Not in check, and yet some en passant capture is against the rules.
fn en_passant_pinned(chess: &Chess) -> bool {
    let Some(skipped) = chess.maybe_ep_square() else {
        return false;
    };
    let capturing = attacks::pawn_attacks(!chess.turn(), skipped) & chess.our(Role::Pawn);
    !chess.is_check() && capturing.count() > legal_en_passants(chess)
}

fn king_beside_passed_pawn(chess: &Chess) -> bool {
    let king = chess.board().king_of(chess.turn());
    let passed = chess
        .maybe_ep_square()
        .and_then(|skipped| skipped.offset(chess.turn().fold_wb(-8, 8)));
    king.zip(passed)
        .is_some_and(|(king, passed)| king.rank() == passed.rank())
}

fn castling(chess: &Chess, side: CastlingSide) -> bool {
    chess.legal_moves().iter().any(|mv| mv.castling_side() == Some(side))
}

/// Not in check, nothing between king and rook, and yet castling is against the rules.
fn castling_through_attack(chess: &Chess) -> bool {
    CastlingSide::ALL
        .into_iter()
        .any(|side| !chess.is_check() && path_is_empty(chess, side) && !castling(chess, side))
}

/// Castling queen side while the square that only the rook passes is attacked.
fn castling_past_attack(chess: &Chess) -> bool {
    let b_file = shakmaty::Square::from_coords(
        shakmaty::File::B,
        chess.turn().fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth),
    );
    let board = chess.board();
    castling(chess, CastlingSide::QueenSide) && board.attacks_to(b_file, !chess.turn(), board.occupied()).any()
}

fn path_is_empty(chess: &Chess, side: CastlingSide) -> bool {
    chess.castles().has(chess.turn(), side)
        && (chess.castles().path(chess.turn(), side) & chess.board().occupied()).is_empty()
}

/// Without some piece its king would be attacked by a slider that is not attacking it now.
fn has_pinned_piece(chess: &Chess) -> bool {
    let (board, us) = (chess.board(), chess.turn());
    let Some(king) = board.king_of(us) else { return false };
    let attackers = |occupied| board.attacks_to(king, !us, occupied);
    let occupied = board.occupied();
    let own = board.by_color(us).without(king);
    own.into_iter()
        .any(|square| !attackers(occupied.without(square)).is_subset(attackers(occupied)))
}
