//! What a move gains or loses once both sides have taken back on its square.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, Square};

/// What a man is worth in an exchange; the king is beyond price.
const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 10,
        Piece::King => 100,
    }
}

/// The men in the order in which a side takes with them.
const ORDER: [Piece; 6] = [
    Piece::Pawn,
    Piece::Knight,
    Piece::Bishop,
    Piece::Rook,
    Piece::Queen,
    Piece::King,
];

/// Whether a move loses material, each side taking back with its least man as long as that pays.
pub(super) fn loses(position: &Position, from: Square, to: Square, piece: Piece, captured: Option<Piece>) -> bool {
    // What the mover has won, less what stands on the square and may be taken.
    let mut balance = captured.map_or(0, worth) - worth(piece);
    if balance >= 0 {
        return false;
    }
    let mut occupied = position.occupied() & !from.bit() | to.bit();
    let mover = position.turn();
    let mut side = !mover;
    loop {
        let taker = least_attacker(position, side, to, occupied);
        let Some((from, piece)) = taker else { break };
        occupied &= !from.bit();
        let enemy_takes_back = piece == Piece::King && least_attacker(position, !side, to, occupied).is_some();
        if enemy_takes_back {
            break;
        }
        balance = -balance - 1 - worth(piece);
        side = !side;
        if balance >= 0 {
            break;
        }
    }
    // The side that is to take and does not has lost the exchange.
    side == mover
}

/// A side's least man that attacks a square over squares that are not occupied.
fn least_attacker(position: &Position, side: Color, to: Square, occupied: Bitboard) -> Option<(Square, Piece)> {
    let men = |piece: Piece| position.pieces(side, piece) & occupied;
    let attacks = |piece: Piece| match piece {
        Piece::Pawn => attacks::pawn(to, !side),
        Piece::Knight => attacks::knight(to),
        Piece::Bishop => attacks::bishop(to, occupied),
        Piece::Rook => attacks::rook(to, occupied),
        Piece::Queen => attacks::bishop(to, occupied) | attacks::rook(to, occupied),
        Piece::King => attacks::king(to),
    };
    ORDER.into_iter().find_map(|piece| {
        let found = men(piece) & attacks(piece);
        (found != 0).then(|| (Square::new(found.trailing_zeros() as u8), piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::Fen;

    #[test]
    fn exchanges_are_played_out() {
        for (fen, from, to, expected) in [
            // A rook takes a pawn that nothing protects, and one that a pawn protects.
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1", "d5", false),
            ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1", "d5", true),
            // Behind the rook stands another, and the pawn is protected by a rook.
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2", "d5", false),
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2", "d5", true),
            // The king protects what the enemy attacks only once.
            ("8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2", "d5", true),
            ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2", "d5", false),
            // A knight goes where a pawn takes it.
            ("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3", "d5", true),
        ] {
            let position = fen.parse::<Fen>().expect(fen).position;
            let [from, to] = [from, to].map(|square| square.parse::<Square>().expect("a square"));
            let piece = position.at(from).expect("a man").1;
            let captured = position.at(to).map(|(_, piece)| piece);
            assert_eq!(loses(&position, from, to, piece, captured), expected, "{fen}");
        }
    }
}
