//! The order in which the passes find things: the constants that a change of the golden model's move order touches.

use bluebelle_spec::{Color, Piece, Square};

/// The place of a square in every search over squares: seen from the mover's side, a1 first.
pub(super) fn place(square: Square, mover: Color) -> u8 {
    let rank = match mover {
        Color::White => square.rank(),
        Color::Black => 7 - square.rank(),
    };
    rank * 8 + square.file()
}

/// The squares, first the one whose [`place`] is 0.
pub(super) fn squares(mover: Color) -> impl Iterator<Item = Square> {
    (0..64).map(move |place| match mover {
        Color::White => Square::at(place % 8, place / 8),
        Color::Black => Square::at(place % 8, 7 - place / 8),
    })
}

/// What the find-victim pass finds, first the class tried first.
pub(super) const VICTIM_CLASSES: [Victim; 4] = [
    Victim::QueenOrPromotion,
    Victim::Rook,
    Victim::Minor,
    Victim::PawnOrEnPassant,
];

/// The attackers of a victim, first the class tried first.
pub(super) const ATTACKER_CLASSES: [&[Piece]; 4] = [
    &[Piece::Pawn],
    &[Piece::Knight, Piece::Bishop],
    &[Piece::Rook],
    &[Piece::Queen, Piece::King],
];

/// The passes of a node, in order. Quiescence has the first only.
pub(super) const STAGES: [Stage; 4] = [Stage::Victims, Stage::Killer, Stage::Pieces, Stage::Pushes];

/// What a pawn becomes, in the order tried in full width. Quiescence tries the first only.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// What kind of pass a node has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Victims,
    /// One move, or no pass without a killer.
    Killer,
    /// One pass after the other for each piece but the pawns.
    Pieces,
    Pushes,
}

impl Stage {
    /// The stage after this one.
    pub(super) fn next(self) -> Option<Stage> {
        let place = STAGES.iter().position(|&stage| stage == self)?;
        STAGES.get(place + 1).copied()
    }
}

/// The classes of squares that the find-victim pass tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Victim {
    QueenOrPromotion,
    Rook,
    Minor,
    PawnOrEnPassant,
}

impl Victim {
    /// The place in [`VICTIM_CLASSES`].
    pub(super) fn place(self) -> usize {
        VICTIM_CLASSES
            .iter()
            .position(|&victim| victim == self)
            .unwrap_or(VICTIM_CLASSES.len())
    }

    /// The class of a captured piece.
    pub(super) const fn capturing(piece: Piece) -> Victim {
        match piece {
            Piece::Queen => Victim::QueenOrPromotion,
            Piece::Rook => Victim::Rook,
            Piece::Bishop | Piece::Knight => Victim::Minor,
            Piece::Pawn | Piece::King => Victim::PawnOrEnPassant,
        }
    }
}

/// The place of a piece's class in [`ATTACKER_CLASSES`].
pub(super) fn attacker_class(piece: Piece) -> usize {
    ATTACKER_CLASSES
        .iter()
        .position(|class| class.contains(&piece))
        .unwrap_or(ATTACKER_CLASSES.len())
}
