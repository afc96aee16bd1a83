//! Positions and moves, from the golden model to shakmaty and back, by way of FEN.
//!
//! The golden model keeps the en passant square after every double push. So does shakmaty inside, but by default it writes
//! the square only if there is a capture: both ways go with [`EnPassantMode::Always`].

pub use bluebelle::notation::{from_shakmaty as move_from_shakmaty, piece as piece_of};
use bluebelle_spec::{Fen, FenError, Move, Position};
use shakmaty::fen::ParseFenError;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};

/// Why a position did not cross over.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// shakmaty cannot read the FEN.
    #[error("shakmaty does not read '{fen}': {source}")]
    Unread {
        /// What it was given.
        fen: String,
        /// What it says.
        source: ParseFenError,
    },
    /// shakmaty reads the FEN, but does not take the position.
    #[error("shakmaty refuses '{fen}': {source}")]
    Refused {
        /// What it was given.
        fen: String,
        /// What it says.
        source: Box<PositionError<Chess>>,
    },
    /// The golden model does not take the FEN.
    #[error("the golden model refuses '{fen}': {source}")]
    Spec {
        /// What it was given.
        fen: String,
        /// What it says.
        source: FenError,
    },
}

/// The same position for shakmaty. A check that no move can have given is no obstacle.
///
/// # Errors
/// If shakmaty refuses the position.
pub fn to_shakmaty(position: &Position) -> Result<Chess, ConvertError> {
    let fen = position.to_string();
    let parsed: shakmaty::fen::Fen = match fen.parse() {
        Ok(parsed) => parsed,
        Err(source) => return Err(ConvertError::Unread { fen, source }),
    };
    let chess = parsed.into_position(CastlingMode::Standard);
    chess.or_else(PositionError::ignore_impossible_check).map_err(|source| {
        let source = Box::new(source);
        ConvertError::Refused { fen, source }
    })
}

/// The same position for the golden model.
///
/// # Errors
/// If the golden model refuses the position.
pub fn from_shakmaty(chess: &Chess) -> Result<Position, ConvertError> {
    let fen = shakmaty::fen::Epd::from_position(chess, EnPassantMode::Always).to_string();
    match fen.parse::<Fen>() {
        Ok(fen) => Ok(fen.position),
        Err(source) => Err(ConvertError::Spec { fen, source }),
    }
}

/// The legal moves according to shakmaty, in no particular order.
pub fn legal_moves(chess: &Chess) -> Vec<Move> {
    chess.legal_moves().into_iter().map(move_from_shakmaty).collect()
}
