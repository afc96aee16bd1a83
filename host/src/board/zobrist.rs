//! Zobrist keys: a random number for each piece on each square, each castling state, each en passant file and the turn.

use bluebelle_spec::{Castling, Color, Piece, Square};

use super::{Board, Squares};

pub(super) struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 16],
    en_passant: [u64; 8],
    pub(super) black_to_move: u64,
}

/// The same on every machine and run: bench counts depend on it.
pub(super) static KEYS: Keys = Keys::new();

impl Keys {
    const fn new() -> Keys {
        let mut state = 0x426c_7565_6265_6c6c; // "Bluebell"
        let mut keys = Keys {
            pieces: [[[0; 64]; 6]; 2],
            castling: [0; 16],
            en_passant: [0; 8],
            black_to_move: 0,
        };
        let mut index = 0;
        while index < 2 * 6 * 64 {
            (state, keys.pieces[index / 384][index / 64 % 6][index % 64]) = next(state);
            index += 1;
        }
        index = 0;
        while index < 16 {
            (state, keys.castling[index]) = next(state);
            index += 1;
        }
        index = 0;
        while index < 8 {
            (state, keys.en_passant[index]) = next(state);
            index += 1;
        }
        (_, keys.black_to_move) = next(state);
        keys
    }

    #[inline]
    pub(super) const fn piece(&self, color: Color, piece: Piece, square: Square) -> u64 {
        self.pieces[color.index()][piece.index()][square.index()]
    }

    #[inline]
    pub(super) const fn castling(&self, rights: Castling) -> u64 {
        self.castling[rights.bits() as usize]
    }

    #[inline]
    pub(super) fn en_passant(&self, square: Option<Square>) -> u64 {
        square.map_or(0, |square| self.en_passant[usize::from(square.file())])
    }
}

/// SplitMix64: the next state and number.
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

impl Board {
    /// The hashes from scratch: the position's and the pawns'.
    pub(super) fn hashes(&self) -> (u64, u64) {
        let (mut hash, mut pawns) = (0, 0);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in Squares(self.pieces(color, piece)) {
                    let key = KEYS.piece(color, piece, square);
                    hash ^= key;
                    if piece == Piece::Pawn {
                        pawns ^= key;
                    }
                }
            }
        }
        hash ^= KEYS.castling(self.castling) ^ KEYS.en_passant(self.en_passant);
        if self.turn == Color::Black {
            hash ^= KEYS.black_to_move;
        }
        (hash, pawns)
    }
}
