//! Static exchange evaluation: what a capture is worth once both sides have taken back on that square.

use bluebelle_spec::{Bitboard, Move, Piece, attacks};

use super::Board;

/// What the pieces are worth in an exchange, by [`Piece::index`]; the king is beyond price.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

#[inline]
const fn worth(piece: Piece) -> i32 {
    EXCHANGE_VALUES[piece.index()]
}

impl Board {
    /// Whether a move gains at least `threshold` when all exchanges on its square are played out, each side with its least
    /// valuable piece first and stopping when it pays. Pins are not seen.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from) else {
            return false;
        };
        // What we have gained after our move, and after losing the piece that made it.
        let mut gain = self.captured(mv).map_or(0, worth) - threshold;
        let mut at_risk = worth(mover);
        if let Some(promoted) = mv.promotion() {
            gain += worth(promoted) - worth(Piece::Pawn);
            at_risk = worth(promoted);
        }
        if gain < 0 {
            return false;
        }
        gain -= at_risk;
        if gain >= 0 {
            return true;
        }

        let mut occupied = (self.occupied() ^ from.bit()) | to.bit();
        if self.captures_en_passant(mv) {
            occupied ^= 1 << (to.byte() ^ 8);
        }
        let diagonal = self.kind(Piece::Bishop) | self.kind(Piece::Queen);
        let straight = self.kind(Piece::Rook) | self.kind(Piece::Queen);
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = !self.turn;
        loop {
            let own = attackers & self.side(side);
            if own == 0 {
                break;
            }
            let Some((piece, bit)) = self.least_valuable(own) else {
                break;
            };
            // A king takes only what is not defended.
            if piece == Piece::King && attackers & self.side(!side) != 0 {
                break;
            }
            occupied ^= bit;
            attackers |= attacks::bishop(to, occupied) & diagonal | attacks::rook(to, occupied) & straight;
            attackers &= occupied;
            side = !side;
            gain = -gain - 1 - worth(piece);
            // The side that has just taken is ahead even if it loses that piece: the other does not go on.
            if gain >= 0 {
                break;
            }
        }
        // Whoever is to take and does not has lost the exchange.
        side != self.turn
    }

    #[inline]
    fn least_valuable(&self, own: Bitboard) -> Option<(Piece, Bitboard)> {
        Piece::ALL.into_iter().find_map(|piece| {
            let set = own & self.kind(piece);
            (set != 0).then_some((piece, set & set.wrapping_neg()))
        })
    }
}
