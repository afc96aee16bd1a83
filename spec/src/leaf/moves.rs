//! The chip's move order.
//!
//! 1. **Victims**, the most valuable class first. A victim is an attacked enemy piece, the en passant square if a pawn
//!    attacks it, or an empty square of the last rank that a pawn can step to:
//!
//!    | class | victims |
//!    |---|---|
//!    | 0 | queens; squares of promotion |
//!    | 1 | rooks |
//!    | 2 | bishops and knights |
//!    | 3 | pawns; the en passant square |
//!
//!    and for each victim its **attackers**, the least valuable class first: pawns; bishops and knights; rooks; queens
//!    and the king. A promotion is tried as queen, rook, bishop, knight; in quiescence as queen only.
//! 2. **The killer**: the last quiet move of a piece, not of a pawn, that refuted a sibling of this node, if the piece that
//!    stands there now can make it too.
//! 3. **Quiet moves** of all pieces but the pawns, piece by piece, and for each piece its empty squares; not the killer
//!    again. Castling is a move of the king.
//! 4. **Pushes**: the squares that pawns can step to, single or double, short of the last rank.
//!
//! Within a class, and for pieces and squares, the order is that of the squares seen from the mover's side, a1 first.
//!
//! Two filters keep out what cannot be legal, using the enemy's attack set as it is before the move:
//! - the king does not go to an attacked square, and castles neither out of check nor through an attacked square;
//! - in check, a push or a quiet move of any other piece must go to a square on a line through the king that an enemy
//!   slider attacks along that kind of line. Interpositions are among these.
//!
//! What is left is pseudo-legal: the rest shows when the enemy can take the king.

use crate::attacks::{self, relative};
use crate::position::Position;
use crate::sets::AttackSets;
use crate::types::{Bitboard, CastlingSide, Color, Move, Piece, Square};

/// The legal moves, in the chip's order.
pub fn legal_moves(position: &Position) -> Vec<Move> {
    legal_moves_between(position, Bitboard::MAX, Bitboard::MAX)
}

/// Whether a move is one of the [legal ones](legal_moves), without a look at most others.
pub fn is_legal_move(position: &Position, mv: Move) -> bool {
    legal_moves_between(position, mv.from().bit(), mv.to().bit()).contains(&mv)
}

/// The legal moves from some squares to some.
fn legal_moves_between(position: &Position, origins: Bitboard, targets: Bitboard) -> Vec<Move> {
    let node = Node::new(position);
    let mut moves = Vec::new();
    let mut add = |mv: Move, piece: Piece, captured| {
        if node.is_legal(mv, piece, captured) {
            moves.push(mv);
        }
    };
    for class in 0..VICTIM_CLASSES {
        for victim in node.in_order(node.victims(class) & targets) {
            let captured = node.captured(class, victim);
            for (class, squares) in node.attackers(victim, captured).into_iter().enumerate() {
                for from in node.in_order(squares & origins) {
                    let piece = node.attacker_at(class, from);
                    for mv in node.capture_moves(from, victim, piece, true) {
                        add(mv, piece, captured);
                    }
                }
            }
        }
    }
    for from in node.in_order(node.quiet_pieces() & origins) {
        let piece = node.officer_at(from);
        for to in node.in_order(node.quiet_squares(from, piece) & targets) {
            add(Move::new(from, to), piece, None);
        }
    }
    for to in node.in_order(node.pushes() & targets) {
        let from = node.push_from(to);
        if from.bit() & origins != 0 {
            add(Move::new(from, to), Piece::Pawn, None);
        }
    }
    moves
}

pub(super) const VICTIM_CLASSES: usize = 4;
const ATTACKER_CLASSES: usize = 4;

/// A position with what the networks say about it.
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) sets: AttackSets,
    pub(super) in_check: bool,
    us: Color,
    own: Bitboard,
    enemy: Bitboard,
    empty: Bitboard,
}

impl<'p> Node<'p> {
    #[inline(always)]
    pub(super) fn new(position: &'p Position) -> Node<'p> {
        let sets = AttackSets::of(position);
        Node::with(position, sets, sets.in_check(position))
    }

    /// The same, of what is known already.
    #[inline(always)]
    pub(super) fn with(position: &'p Position, sets: AttackSets, in_check: bool) -> Node<'p> {
        let us = position.turn();
        Node {
            position,
            in_check,
            sets,
            us,
            own: position.side(us),
            enemy: position.side(!us),
            empty: !position.occupied(),
        }
    }

    /// Whether the side to move can take the enemy's king: the move that led here was not legal.
    #[inline]
    pub(super) fn is_illegal(&self) -> bool {
        self.sets.own.all() & self.enemy & self.pieces(Piece::King) != 0
    }

    /// The squares of a set, in the chip's order.
    #[inline]
    pub(super) fn in_order(&self, set: Bitboard) -> impl Iterator<Item = Square> + use<> {
        let flip = self.us.flip();
        let mut left = relative(set, self.us);
        std::iter::from_fn(move || {
            let index = left.trailing_zeros() as u8;
            let square = Square::try_new(index)?;
            left &= left - 1;
            Some(Square::new(square.byte() ^ flip))
        })
    }

    /// The victims of a class.
    #[inline]
    pub(super) fn victims(&self, class: usize) -> Bitboard {
        let attacks = &self.sets.own;
        let attacked = self.enemy & (attacks.without_king() | attacks.king & !self.sets.enemy.all());
        match class {
            0 => attacked & self.pieces(Piece::Queen) | self.promotion_squares(),
            1 => attacked & self.pieces(Piece::Rook),
            2 => attacked & (self.pieces(Piece::Bishop) | self.pieces(Piece::Knight)),
            _ => attacked & self.pieces(Piece::Pawn) | self.en_passant() & attacks.pawn,
        }
    }

    /// Whether there is any victim.
    #[inline]
    pub(super) fn has_victims(&self) -> bool {
        let attacks = &self.sets.own;
        let attacked = self.enemy & (attacks.without_king() | attacks.king & !self.sets.enemy.all());
        (attacked | self.promotion_squares() | self.en_passant() & attacks.pawn) != 0
    }

    /// What is captured on a victim's square; `None` on a square of promotion.
    #[inline]
    pub(super) fn captured(&self, class: usize, victim: Square) -> Option<Piece> {
        let bit = victim.bit();
        match class {
            0 if bit & self.empty != 0 => None,
            0 => Some(Piece::Queen),
            1 => Some(Piece::Rook),
            2 if bit & self.pieces(Piece::Bishop) != 0 => Some(Piece::Bishop),
            2 => Some(Piece::Knight),
            _ => Some(Piece::Pawn),
        }
    }

    /// The attackers of a victim, by class.
    #[inline]
    pub(super) fn attackers(&self, victim: Square, captured: Option<Piece>) -> [Bitboard; ATTACKER_CLASSES] {
        let bit = victim.bit();
        let pawns = self.own & self.pieces(Piece::Pawn);
        if captured.is_none() {
            return [attacks::forward(bit, !self.us) & pawns, 0, 0, 0];
        }
        let capturing_pawns = attacks::pawn(victim, !self.us) & pawns;
        if bit & self.empty != 0 {
            return [capturing_pawns, 0, 0, 0];
        }
        let diagonal = attacks::bishop(victim, !self.empty);
        let straight = attacks::rook(victim, !self.empty);
        let minors = diagonal & self.pieces(Piece::Bishop) | attacks::knight(victim) & self.pieces(Piece::Knight);
        let king = match self.is_protected(victim) {
            false => attacks::king(victim) & self.pieces(Piece::King),
            true => 0,
        };
        [
            capturing_pawns,
            minors & self.own,
            straight & self.pieces(Piece::Rook) & self.own,
            ((diagonal | straight) & self.pieces(Piece::Queen) | king) & self.own,
        ]
    }

    /// Whether the enemy could take back on a square.
    #[inline]
    pub(super) fn is_protected(&self, square: Square) -> bool {
        self.sets.enemy.all() & square.bit() != 0
    }

    /// What the attacker of a class on this square is.
    #[inline]
    pub(super) fn attacker_at(&self, class: usize, square: Square) -> Piece {
        match class {
            0 => Piece::Pawn,
            2 => Piece::Rook,
            _ => self.officer_at(square),
        }
    }

    /// The moves of one attacker to one victim: more than one only for a promotion in full width.
    #[inline]
    pub(super) fn capture_moves(
        &self,
        from: Square,
        to: Square,
        piece: Piece,
        full_width: bool,
    ) -> impl Iterator<Item = Move> + use<> {
        let promotes = piece == Piece::Pawn && matches!(to.rank(), 0 | 7);
        let count = match (promotes, full_width) {
            (false, _) | (true, false) => 1,
            (true, true) => 4,
        };
        Piece::PROMOTIONS[..count].iter().map(move |&piece| match promotes {
            true => Move::promoting(from, to, piece),
            false => Move::new(from, to),
        })
    }

    /// The squares that pawns can be pushed to, short of the last rank.
    #[inline]
    pub(super) fn pushes(&self) -> Bitboard {
        const THIRD: Bitboard = attacks::RANK_1 << 16;
        let pawns = self.own & self.pieces(Piece::Pawn);
        let single = attacks::forward(pawns, self.us) & self.empty;
        let third = relative(THIRD, self.us);
        let double = attacks::forward(single & third, self.us) & self.empty;
        (single | double) & !self.last_rank() & self.evasion_squares()
    }

    /// Where the pawn that is pushed to this square stands.
    #[inline]
    pub(super) fn push_from(&self, to: Square) -> Square {
        let behind = attacks::forward(to.bit(), !self.us);
        let from = match behind & self.pieces(Piece::Pawn) {
            0 => attacks::forward(behind, !self.us),
            _ => behind,
        };
        Square::new(from.trailing_zeros() as u8)
    }

    /// The pieces that are looked at for quiet moves: all but the pawns.
    #[inline]
    pub(super) fn quiet_pieces(&self) -> Bitboard {
        self.own & !self.pieces(Piece::Pawn)
    }

    /// What stands on the square of one of the [quiet pieces](Node::quiet_pieces).
    #[inline]
    pub(super) fn officer_at(&self, square: Square) -> Piece {
        let bit = square.bit();
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .into_iter()
            .find(|&piece| self.pieces(piece) & bit != 0)
            .unwrap_or(Piece::King)
    }

    /// The empty squares that a piece looks at.
    #[inline]
    pub(super) fn quiet_squares(&self, from: Square, piece: Piece) -> Bitboard {
        let occupied = !self.empty;
        let reached = match piece {
            Piece::Knight => attacks::knight(from),
            Piece::Bishop => attacks::bishop(from, occupied),
            Piece::Rook => attacks::rook(from, occupied),
            Piece::Queen => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
            _ => return self.king_squares(from) | self.castling_squares(),
        };
        reached & self.empty & self.evasion_squares()
    }

    /// Whether a move leaves the king where it cannot be taken.
    #[inline(always)]
    pub(super) fn is_legal(&self, mv: Move, piece: Piece, captured: Option<Piece>) -> bool {
        if !self.in_check
            && piece != Piece::King
            && !self.may_be_pinned(mv.from())
            && !self.position.captures_en_passant(piece, mv)
        {
            return true;
        }
        let them = !self.us;
        let taken = match captured {
            Some(_) if self.position.captures_en_passant(piece, mv) => 1 << (mv.to().byte() ^ 8),
            Some(_) => mv.to().bit(),
            None => 0,
        };
        let occupied = (!self.empty & !taken & !mv.from().bit()) | mv.to().bit();
        let king = match piece {
            Piece::King => mv.to(),
            _ => self.position.king(self.us),
        };
        self.position.attackers(king, them, occupied) & !taken == 0
    }

    /// Whether a piece stands on a line between its king and the board's edge that an enemy slider shares.
    #[inline]
    fn may_be_pinned(&self, square: Square) -> bool {
        let king = self.position.king(self.us);
        let queens = self.pieces(Piece::Queen);
        let bit = square.bit();
        let (diagonal, straight) = (attacks::diagonal_lines(king), attacks::straight_lines(king));
        diagonal & bit != 0 && diagonal & self.enemy & (self.pieces(Piece::Bishop) | queens) != 0
            || straight & bit != 0 && straight & self.enemy & (self.pieces(Piece::Rook) | queens) != 0
    }

    #[inline]
    fn king_squares(&self, from: Square) -> Bitboard {
        attacks::king(from) & self.empty & !self.sets.enemy.all()
    }

    #[inline]
    fn castling_squares(&self) -> Bitboard {
        if self.in_check || self.position.castling().bits() >> (self.us as u8 * 2) & 3 == 0 {
            return 0;
        }
        // Seen from the mover's side: b1 c1 d1 and f1 g1.
        let empty = relative(self.empty, self.us);
        let safe = relative(!self.sets.enemy.all(), self.us);
        let may = |side| self.position.castling().has(self.us, side);
        let mut squares = 0;
        if may(CastlingSide::King) && empty & 0x60 == 0x60 && safe & 0x60 == 0x60 {
            squares |= 0x40;
        }
        if may(CastlingSide::Queen) && empty & 0x0e == 0x0e && safe & 0x0c == 0x0c {
            squares |= 0x04;
        }
        relative(squares, self.us)
    }

    /// Where a push or a quiet move of a piece other than the king may go.
    #[inline]
    fn evasion_squares(&self) -> Bitboard {
        if !self.in_check {
            return !0;
        }
        let king = self.position.king(self.us);
        attacks::diagonal_lines(king) & self.sets.enemy.diagonal
            | attacks::straight_lines(king) & self.sets.enemy.straight
    }

    #[inline]
    fn promotion_squares(&self) -> Bitboard {
        let pawns = self.own & self.pieces(Piece::Pawn);
        attacks::forward(pawns, self.us) & self.empty & self.last_rank()
    }

    #[inline]
    fn last_rank(&self) -> Bitboard {
        relative(attacks::RANK_1 << 56, self.us)
    }

    #[inline]
    fn en_passant(&self) -> Bitboard {
        self.position.en_passant().map_or(0, Square::bit)
    }

    #[inline]
    fn pieces(&self, piece: Piece) -> Bitboard {
        self.position.planes().pieces[piece.index()]
    }
}
