//! The attack sets of both sides: what the chip's two networks compute in every slot.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece};

/// The squares that one side attacks, by the way in which it does.
#[derive(Clone, Copy, Debug)]
pub struct SideAttacks {
    /// By its pawns.
    pub pawn: Bitboard,
    /// By its knights.
    pub knight: Bitboard,
    /// By its bishops and queens, along diagonals.
    pub diagonal: Bitboard,
    /// By its rooks and queens, along ranks and files.
    pub straight: Bitboard,
    /// By its king.
    pub king: Bitboard,
}

impl SideAttacks {
    #[inline(always)]
    fn of(position: &Position, color: Color, empty: Bitboard) -> SideAttacks {
        let own = position.side(color);
        let [pawns, knights, bishops, rooks, queens, _] = position.planes().pieces;
        SideAttacks {
            pawn: attacks::pawn_attacks(own & pawns, color),
            knight: attacks::knight_attacks(own & knights),
            diagonal: attacks::diagonal_attacks(own & (bishops | queens), empty),
            straight: attacks::straight_attacks(own & (rooks | queens), empty),
            king: attacks::king(position.king(color)),
        }
    }

    /// The squares that anything but the king attacks.
    #[inline]
    pub const fn without_king(&self) -> Bitboard {
        self.pawn | self.knight | self.diagonal | self.straight
    }

    /// Every square attacked.
    #[inline]
    pub const fn all(&self) -> Bitboard {
        self.without_king() | self.king
    }
}

/// The attack sets of the side to move and of its enemy.
#[derive(Clone, Copy, Debug)]
pub struct AttackSets {
    /// Of the side to move.
    pub own: SideAttacks,
    /// Of the other side.
    pub enemy: SideAttacks,
}

impl AttackSets {
    /// The attack sets of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> AttackSets {
        let empty = !position.occupied();
        AttackSets {
            own: SideAttacks::of(position, position.turn(), empty),
            enemy: SideAttacks::of(position, !position.turn(), empty),
        }
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self, position: &Position) -> bool {
        let king = position.pieces(position.turn(), Piece::King);
        self.enemy.without_king() & king != 0
    }
}
