//! The board of a thread, and what a slot can do to it before its pass.

use bluebelle_spec::{CastlingSide, Color, Move, Piece, Position, Square};

use crate::mailbox::{Attack, Mailbox, up, walk};

/// What a thread keeps of the position it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) pieces: Mailbox,
    pub(super) mover: Color,
    pub(super) rights: Rights,
    pub(super) en_passant: Option<Square>,
}

/// Castling rights, by side and by way: king side, queen side.
pub(super) type Rights = [[bool; 2]; 2];

/// What a move loses for good, so that the stack keeps it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    pub(super) captured: Option<Piece>,
    rights: Rights,
    en_passant: Option<Square>,
}

/// What a slot of its own changes for a move that is more than two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hop {
    /// Castling: the rook moves too.
    Rook { from: Square, to: Square },
    /// En passant: a pawn is taken elsewhere.
    Passed { pawn: Square, color: Color },
}

impl Board {
    /// The board before any piece is placed.
    pub(super) fn cleared(position: &Position) -> Board {
        let right = |color| CastlingSide::ALL.map(|side| position.castling().has(color, side));
        Board {
            pieces: Mailbox::EMPTY,
            mover: position.turn(),
            rights: Color::ALL.map(right),
            en_passant: position.en_passant(),
        }
    }

    /// The piece that moves so.
    pub(super) fn moving(&self, from: Square) -> Option<Piece> {
        self.pieces.at(from).map(|(_, piece)| piece)
    }

    /// What a move changes beyond its own two squares, before it is made.
    pub(super) fn hop_of(&self, mv: Move) -> Option<Hop> {
        match self.moving(mv.from())? {
            Piece::King => castling_hop(mv),
            Piece::Pawn if self.en_passant == Some(mv.to()) => passing_hop(mv.to(), self.mover),
            _ => None,
        }
    }

    /// The same, while the move is made.
    pub(super) fn hop_of_last(&self, mv: Move, lost: &Lost) -> Option<Hop> {
        match self.moving(mv.to())? {
            Piece::King => castling_hop(mv),
            Piece::Pawn if lost.en_passant == Some(mv.to()) => passing_hop(mv.to(), !self.mover),
            _ => None,
        }
    }

    /// Makes a hop.
    pub(super) fn hop(&mut self, hop: Hop) {
        match hop {
            Hop::Rook { from, to } => self.carry(from, to),
            Hop::Passed { pawn, .. } => self.pieces.set(pawn, None),
        }
    }

    /// Takes a hop back.
    pub(super) fn hop_back(&mut self, hop: Hop) {
        match hop {
            Hop::Rook { from, to } => self.carry(to, from),
            Hop::Passed { pawn, color } => self.pieces.set(pawn, Some((color, Piece::Pawn))),
        }
    }

    /// Makes a move, whose hop is made.
    pub(super) fn make(&mut self, mv: Move) -> Lost {
        let (from, to) = (mv.from(), mv.to());
        let pawn = self.moving(from) == Some(Piece::Pawn);
        let passing = pawn && self.en_passant == Some(to);
        let lost = Lost {
            captured: if passing { Some(Piece::Pawn) } else { self.moving(to) },
            rights: self.rights,
            en_passant: self.en_passant,
        };
        self.carry(from, to);
        if let Some(promotion) = mv.promotion() {
            self.pieces.set(to, Some((self.mover, promotion)));
        }
        let double = pawn && from.rank().abs_diff(to.rank()) == 2;
        self.en_passant = walk(from, (0, up(self.mover))).filter(|_| double);
        for (color, rights) in Color::ALL.into_iter().zip(&mut self.rights) {
            let home = |file| Square::at(file, 0).relative_to(color);
            let touched = |square| from == square || to == square;
            rights[0] &= !touched(home(4)) && !touched(home(7));
            rights[1] &= !touched(home(4)) && !touched(home(0));
        }
        self.mover = !self.mover;
        lost
    }

    /// Takes a move back, whose hop is taken back.
    pub(super) fn unmake(&mut self, mv: Move, lost: &Lost) {
        let (from, to) = (mv.from(), mv.to());
        self.mover = !self.mover;
        self.rights = lost.rights;
        self.en_passant = lost.en_passant;
        self.carry(to, from);
        if mv.promotion().is_some() {
            self.pieces.set(from, Some((self.mover, Piece::Pawn)));
        }
        let passing = self.is_own(from, Piece::Pawn) && self.en_passant == Some(to);
        let captured = lost.captured.filter(|_| !passing);
        self.pieces.set(to, captured.map(|piece| (!self.mover, piece)));
    }

    /// Passes the turn.
    pub(super) fn pass(&mut self) -> Lost {
        let lost = Lost {
            captured: None,
            rights: self.rights,
            en_passant: self.en_passant.take(),
        };
        self.mover = !self.mover;
        lost
    }

    /// Takes a pass back.
    pub(super) fn take_pass_back(&mut self, lost: &Lost) {
        self.mover = !self.mover;
        self.en_passant = lost.en_passant;
    }

    fn carry(&mut self, from: Square, to: Square) {
        let piece = self.pieces.at(from);
        self.pieces.set(from, None);
        self.pieces.set(to, piece);
    }

    pub(super) fn is_empty(&self, square: Square) -> bool {
        self.pieces.at(square).is_none()
    }

    pub(super) fn is_own(&self, square: Square, piece: Piece) -> bool {
        self.pieces.is(square, self.mover, piece)
    }

    /// How the mover attacks a square.
    pub(super) fn own_attack(&self, square: Square) -> Attack {
        self.pieces.attack(square, self.mover)
    }

    /// How the other side attacks a square.
    pub(super) fn enemy_attack(&self, square: Square) -> Attack {
        self.pieces.attack(square, !self.mover)
    }

    /// Whether the mover's king is attacked.
    pub(super) fn in_check(&self) -> bool {
        self.pieces.king(self.mover).is_some_and(|king| self.is_attacked(king))
    }

    /// Whether the enemy attacks a square.
    pub(super) fn is_attacked(&self, square: Square) -> bool {
        self.enemy_attack(square).any()
    }

    /// Whether the mover can take the other king: the move before was not legal.
    pub(super) fn is_illegal(&self) -> bool {
        self.pieces
            .king(!self.mover)
            .is_some_and(|king| self.own_attack(king).any())
    }
}

/// The rook's share of a king's move, if it castles.
fn castling_hop(mv: Move) -> Option<Hop> {
    let at = |file| Square::at(file, mv.from().rank());
    match i16::from(mv.to().byte()) - i16::from(mv.from().byte()) {
        2 => Some(Hop::Rook { from: at(7), to: at(5) }),
        -2 => Some(Hop::Rook { from: at(0), to: at(3) }),
        _ => None,
    }
}

/// The pawn taken by one of `by` that goes to the square it has passed.
fn passing_hop(skipped: Square, by: Color) -> Option<Hop> {
    walk(skipped, (0, -up(by))).map(|pawn| Hop::Passed { pawn, color: !by })
}
