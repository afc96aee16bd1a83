use super::Color;

/// A kind of piece.
///
/// On the chip and on the wire a piece is a 3-bit code in which a slider is one bit and its directions are the other two; what
/// is no slider has a bit of its own, so that the chip tells a pawn or a knight by two bits:
///
/// | code | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
/// |---|---|---|---|---|---|---|---|---|
/// | piece | empty | pawn | knight | unused | king | bishop | rook | queen |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Piece {
    /// Pawn.
    Pawn = 0,
    /// Knight.
    Knight = 1,
    /// Bishop.
    Bishop = 2,
    /// Rook.
    Rook = 3,
    /// Queen.
    Queen = 4,
    /// King.
    King = 5,
}

impl Piece {
    /// Every kind, in the order of their indices.
    pub const ALL: [Piece; 6] = [
        Piece::Pawn,
        Piece::Knight,
        Piece::Bishop,
        Piece::Rook,
        Piece::Queen,
        Piece::King,
    ];

    /// What a pawn may become, in the order in which the chip tries them.
    pub const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

    /// 0 for the pawn up to 5 for the king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The 3-bit code.
    #[inline]
    pub const fn code(self) -> u8 {
        match self {
            Piece::Pawn => 1,
            Piece::Knight => 2,
            Piece::King => 4,
            Piece::Bishop => 5,
            Piece::Rook => 6,
            Piece::Queen => 7,
        }
    }

    /// The piece with a 3-bit code; `None` for 0 (empty), 3 (unused) and anything above 7.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Piece> {
        match code {
            1 => Some(Piece::Pawn),
            2 => Some(Piece::Knight),
            4 => Some(Piece::King),
            5 => Some(Piece::Bishop),
            6 => Some(Piece::Rook),
            7 => Some(Piece::Queen),
            _ => None,
        }
    }

    /// The letter in FEN: capital for White.
    pub const fn letter(self, color: Color) -> char {
        let lower = match self {
            Piece::Pawn => b'p',
            Piece::Knight => b'n',
            Piece::Bishop => b'b',
            Piece::Rook => b'r',
            Piece::Queen => b'q',
            Piece::King => b'k',
        };
        match color {
            Color::White => lower.to_ascii_uppercase() as char,
            Color::Black => lower as char,
        }
    }

    /// The piece and side that a FEN letter stands for.
    pub fn from_letter(letter: char) -> Option<(Color, Piece)> {
        let piece = match letter.to_ascii_lowercase() {
            'p' => Piece::Pawn,
            'n' => Piece::Knight,
            'b' => Piece::Bishop,
            'r' => Piece::Rook,
            'q' => Piece::Queen,
            'k' => Piece::King,
            _ => return None,
        };
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Some((color, piece))
    }
}
