//! Forsyth–Edwards notation, in and out.

use std::fmt;
use std::str::FromStr;

use crate::position::{Planes, Position, PositionError};
use crate::types::{Castling, CastlingSide, Color, Piece, Square};

/// A position and its move counters, as FEN has them.
///
/// ```
/// use bluebelle_spec::Fen;
/// let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// let fen: Fen = text.parse()?;
/// assert_eq!(fen.to_string(), text);
/// # Ok::<(), bluebelle_spec::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fen {
    /// The position.
    pub position: Position,
    /// Half-moves since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the move, from 1; some writers leave it at 0.
    pub fullmoves: u16,
}

/// Why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// Not four or six fields.
    #[error("a FEN has 6 fields (board, side, castling, en passant, two counters) or the first 4 of them; found {0}")]
    FieldCount(usize),
    /// Not eight ranks.
    #[error("the board field has {0} ranks: expected 8, separated by '/'")]
    RankCount(usize),
    /// A rank with too few or too many squares.
    #[error("rank {rank} of the board field does not fill 8 squares: '{text}'")]
    RankLength {
        /// The rank, 1 to 8.
        rank: u8,
        /// Its text.
        text: String,
    },
    /// A letter that is no piece.
    #[error("'{letter}' in rank {rank} of the board field is no piece: expected one of PNBRQKpnbrqk or a digit 1 to 8")]
    BadPiece {
        /// The letter.
        letter: char,
        /// The rank, 1 to 8.
        rank: u8,
    },
    /// Two digits in a row.
    #[error("rank {rank} of the board field has two digits in a row: '{text}'")]
    AdjacentDigits {
        /// The rank, 1 to 8.
        rank: u8,
        /// Its text.
        text: String,
    },
    /// Neither `w` nor `b`.
    #[error("side to move '{0}': expected w or b")]
    BadSide(String),
    /// Not a set of castling rights.
    #[error("castling rights '{0}': expected - or some of KQkq, each once")]
    BadCastling(String),
    /// Not a square.
    #[error("en passant square '{0}': expected - or a square on rank 3 or 6")]
    BadEnPassant(String),
    /// Not a counter.
    #[error("{name} '{text}': expected a number from {least} to {most}")]
    BadCounter {
        /// Which counter.
        name: &'static str,
        /// Its text.
        text: String,
        /// The smallest value allowed.
        least: u16,
        /// The largest value allowed.
        most: u16,
    },
    /// Well written, but not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Fen, FenError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().take(7).collect();
        let (board, side, castling, en_passant, halfmoves, fullmoves) = match fields[..] {
            [board, side, castling, en_passant] => (board, side, castling, en_passant, "0", "1"),
            [board, side, castling, en_passant, half, full] => (board, side, castling, en_passant, half, full),
            _ => return Err(FenError::FieldCount(text.split_ascii_whitespace().count())),
        };
        let planes = parse_board(board)?;
        let turn = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::BadSide(side.to_owned())),
        };
        let castling = parse_castling(castling)?;
        let en_passant = match en_passant {
            "-" => None,
            text => Some(text.parse().map_err(|_| FenError::BadEnPassant(text.to_owned()))?),
        };
        Ok(Fen {
            halfmoves: parse_counter("half-move counter", halfmoves, 0, 150)?,
            fullmoves: parse_counter("move number", fullmoves, 0, 9999)?,
            position: Position::new(planes, turn, castling, en_passant)?,
        })
    }
}

fn parse_board(text: &str) -> Result<Planes, FenError> {
    let rows: Vec<&str> = text.split('/').take(9).collect();
    if rows.len() != 8 {
        return Err(FenError::RankCount(text.split('/').count()));
    }
    let mut planes = Planes::default();
    for (row, &text) in rows.iter().enumerate() {
        let rank = 7 - row as u8;
        let wrong_length = || FenError::RankLength {
            rank: rank + 1,
            text: text.to_owned(),
        };
        let mut file = 0;
        let mut after_digit = false;
        for letter in text.chars() {
            if let Some(skip @ 1..=8) = letter.to_digit(10) {
                if after_digit {
                    return Err(FenError::AdjacentDigits {
                        rank: rank + 1,
                        text: text.to_owned(),
                    });
                }
                file += skip as u8;
                after_digit = true;
            } else {
                let (color, piece) = Piece::from_letter(letter).ok_or(FenError::BadPiece { letter, rank: rank + 1 })?;
                if file >= 8 {
                    return Err(wrong_length());
                }
                planes.toggle(color, piece, Square::at(file, rank).bit());
                file += 1;
                after_digit = false;
            }
            if file > 8 {
                return Err(wrong_length());
            }
        }
        if file != 8 {
            return Err(wrong_length());
        }
    }
    Ok(planes)
}

const CASTLING_LETTERS: [(char, Color, CastlingSide); 4] = [
    ('K', Color::White, CastlingSide::King),
    ('Q', Color::White, CastlingSide::Queen),
    ('k', Color::Black, CastlingSide::King),
    ('q', Color::Black, CastlingSide::Queen),
];

fn parse_castling(text: &str) -> Result<Castling, FenError> {
    let mut rights = Castling::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let known = CASTLING_LETTERS.iter().find(|known| known.0 == letter);
        match known {
            Some(&(_, color, side)) if !rights.has(color, side) => rights.insert(color, side),
            _ => return Err(FenError::BadCastling(text.to_owned())),
        }
    }
    Ok(rights)
}

fn parse_counter(name: &'static str, text: &str, least: u16, most: u16) -> Result<u16, FenError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(value) if digits && (least..=most).contains(&value) => Ok(value),
        _ => Err(FenError::BadCounter {
            name,
            text: text.to_owned(),
            least,
            most,
        }),
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.position, self.halfmoves, self.fullmoves)
    }
}

/// The first four fields of the FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut skipped = 0;
            for file in 0..8 {
                match self.at(Square::at(file, rank)) {
                    None => skipped += 1,
                    Some((color, piece)) => {
                        if skipped > 0 {
                            write!(f, "{skipped}")?;
                        }
                        skipped = 0;
                        write!(f, "{}", piece.letter(color))?;
                    }
                }
            }
            if skipped > 0 {
                write!(f, "{skipped}")?;
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        write!(f, "{} ", self.turn().letter())?;
        if self.castling() == Castling::NONE {
            f.write_str("-")?;
        }
        for (letter, color, side) in CASTLING_LETTERS {
            if self.castling().has(color, side) {
                write!(f, "{letter}")?;
            }
        }
        match self.en_passant() {
            Some(square) => write!(f, " {square}"),
            None => f.write_str(" -"),
        }
    }
}
