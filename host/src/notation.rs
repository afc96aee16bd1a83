//! Standard algebraic notation, by way of shakmaty.

use bluebelle_spec::{Move, Piece, Square};
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, CastlingSide, Chess, Role};

use crate::board::Board;

/// The same position for shakmaty; `None` if it does not take it.
pub fn to_shakmaty(board: &Board) -> Option<Chess> {
    let fen: shakmaty::fen::Fen = board.fen().ok()?.to_string().parse().ok()?;
    let chess = fen.into_position(CastlingMode::Standard);
    chess.or_else(shakmaty::PositionError::ignore_impossible_check).ok()
}

/// The legal move that a person means: `Nf3`, `exd5`, `O-O`, or UCI's `g1f3`.
pub fn parse(board: &Board, text: &str) -> Option<Move> {
    let text = text.trim().trim_end_matches(['!', '?']);
    if let Some(mv) = board.parse_move(text) {
        return Some(mv);
    }
    let chess = to_shakmaty(board)?;
    let san: San = text.trim_end_matches(['+', '#']).parse().ok()?;
    Some(from_shakmaty(san.to_move(&chess).ok()?)).filter(|&mv| board.is_legal(mv))
}

/// A legal move as a person writes it; as UCI does if shakmaty cannot.
pub fn format(board: &Board, mv: Move) -> String {
    let written = to_shakmaty(board).and_then(|chess| {
        let uci: shakmaty::uci::UciMove = mv.to_string().parse().ok()?;
        let mv = uci.to_move(&chess).ok()?;
        Some(SanPlus::from_move(chess, mv).to_string())
    });
    written.unwrap_or_else(|| mv.to_string())
}

/// The same move for us.
pub fn from_shakmaty(mv: shakmaty::Move) -> Move {
    let square = |square: shakmaty::Square| Square::new(square.to_u32() as u8);
    match mv {
        shakmaty::Move::Normal {
            from, to, promotion, ..
        } => match promotion {
            Some(role) => Move::promoting(square(from), square(to), piece(role)),
            None => Move::new(square(from), square(to)),
        },
        shakmaty::Move::EnPassant { from, to } => Move::new(square(from), square(to)),
        shakmaty::Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            let to = shakmaty::Square::from_coords(side.king_to_file(), king.rank());
            Move::new(square(king), square(to))
        }
        shakmaty::Move::Put { .. } => Move::NONE, // only in variants of chess
    }
}

/// The same piece for us.
pub const fn piece(role: Role) -> Piece {
    match role {
        Role::Pawn => Piece::Pawn,
        Role::Knight => Piece::Knight,
        Role::Bishop => Piece::Bishop,
        Role::Rook => Piece::Rook,
        Role::Queen => Piece::Queen,
        Role::King => Piece::King,
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Weights;

    use super::*;
    use crate::evaluation::Evaluator;

    #[test]
    fn every_legal_move_is_written_and_read() {
        let evaluator = Evaluator::new(Weights::standard());
        let cases = bluebelle_spec::suite::parse(include_str!("../../tests/data/standard.perft")).expect("a suite");
        for case in cases {
            let board = Board::new(&case.fen, &evaluator);
            for scored in board.legal_moves().iter() {
                let written = format(&board, scored.mv);
                assert_eq!(parse(&board, &written), Some(scored.mv), "{written} in {board:?}");
                assert_eq!(parse(&board, &scored.mv.to_string()), Some(scored.mv));
            }
            for nonsense in ["", "Zz9", "e9", "Qh1xh9", "O-O-O-O", "\u{1f600}"] {
                assert_eq!(parse(&board, nonsense), None);
            }
        }
    }
}
