//! The passes through the networks. Each looks at the board as it is and at the last thing found, and finds the next
//! one in order and whether it is the last.

use bluebelle_spec::{Move, Piece, Square};

use super::board::Board;
use super::order::{self, VICTIM_CLASSES, Victim, attacker_class, place};
use crate::mailbox::{up, walk};

/// What a pass found, and whether there is nothing more to find after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found<T> {
    pub(super) item: T,
    pub(super) last: bool,
}

/// Find victim: the next victim in order after one of class `after.0` on `after.1`.
pub(super) fn find_victim(board: &Board, after: Option<(Victim, Square)>) -> Option<Found<Square>> {
    let key = |class: Victim, square| (class.place(), place(square, board.mover));
    let after = after.map(|(class, square)| key(class, square));
    let classes = VICTIM_CLASSES.into_iter();
    let all = classes.flat_map(|class| order::squares(board.mover).map(move |square| (class, square)));
    let next = all.filter(|&(class, square)| after < Some(key(class, square)) && is_victim(board, class, square));
    first_and_last(next.map(|(_, square)| square))
}

/// Find attacker: the next piece that can go to the victim, in order after the one on `after`.
pub(super) fn find_attacker(board: &Board, victim: Square, after: Option<Square>) -> Option<Found<Square>> {
    let key = |class: usize, square| (class, place(square, board.mover));
    let class_at = |square| board.moving(square).map_or(usize::MAX, attacker_class);
    let after = after.map(|square| key(class_at(square), square));
    let classes = 0..order::ATTACKER_CLASSES.len();
    let all = classes.flat_map(|class| order::squares(board.mover).map(move |square| (class, square)));
    let next = all.filter(|&(class, square)| {
        after < Some(key(class, square)) && class_at(square) == class && is_attacker(board, square, victim)
    });
    first_and_last(next.map(|(_, square)| square))
}

/// Find quiet, killer: whether the piece that stands there now can make this move.
pub(super) fn find_killer(board: &Board, killer: Move) -> bool {
    is_piece(board, killer.from()) && is_quiet(board, killer.from(), killer.to())
}

/// Find quiet, pieces: which piece comes in order after the one on `after`. There is always one to start with, the king if
/// no other.
pub(super) fn find_piece(board: &Board, after: Option<Square>) -> Option<Found<Square>> {
    first_and_last(squares_after(board, after).filter(|&square| is_piece(board, square)))
}

/// Find quiet, moves of one piece: the next one in order after the move to `after`, without the killer.
pub(super) fn find_square(board: &Board, from: Square, after: Option<Square>, killer: Move) -> Option<Found<Square>> {
    let squares = squares_after(board, after).filter(|&to| is_quiet(board, from, to));
    first_and_last(squares.filter(|&to| Move::new(from, to) != killer))
}

/// Find quiet, pushes: the next square in order after `after`.
pub(super) fn find_push(board: &Board, after: Option<Square>) -> Option<Found<Square>> {
    let is_push = |&to: &Square| {
        board.is_empty(to) && rank(board, to) < 7 && push_from(board, to).is_some() && may_evade(board, to)
    };
    first_and_last(squares_after(board, after).filter(is_push))
}

/// The squares in order, after one of them.
fn squares_after(board: &Board, after: Option<Square>) -> impl Iterator<Item = Square> {
    let mover = board.mover;
    let after = after.map(|square| place(square, mover));
    order::squares(mover).filter(move |&square| after < Some(place(square, mover)))
}

fn first_and_last<T>(mut found: impl Iterator<Item = T>) -> Option<Found<T>> {
    let item = found.next()?;
    let last = found.next().is_none();
    Some(Found { item, last })
}

/// Where a pawn comes from that is pushed to this square.
pub(super) fn push_from(board: &Board, to: Square) -> Option<Square> {
    let one = walk(to, (0, -up(board.mover)))?;
    if board.is_own(one, Piece::Pawn) {
        return Some(one);
    }
    let two = walk(one, (0, -up(board.mover)))?;
    let home = rank(board, two) == 1;
    (board.is_empty(one) && home && board.is_own(two, Piece::Pawn)).then_some(two)
}

fn is_victim(board: &Board, class: Victim, square: Square) -> bool {
    match board.pieces.at(square) {
        Some((color, _)) if color == board.mover => false,
        Some((_, Piece::King)) => false,
        Some((_, piece)) if Victim::capturing(piece) != class => false,
        Some(_) => {
            let attack = board.own_attack(square);
            attack.without_king() || attack.king && !board.enemy_attack(square).any()
        }
        None => match class {
            Victim::QueenOrPromotion => rank(board, square) == 7 && push_from(board, square).is_some(),
            Victim::PawnOrEnPassant => board.en_passant == Some(square) && board.own_attack(square).pawn,
            Victim::Rook | Victim::Minor => false,
        },
    }
}

/// Whether one of the mover's pieces but the pawns stands here.
fn is_piece(board: &Board, square: Square) -> bool {
    let own = board.pieces.at(square).filter(|&(color, _)| color == board.mover);
    own.is_some_and(|(_, piece)| piece != Piece::Pawn)
}

fn is_attacker(board: &Board, from: Square, victim: Square) -> bool {
    let Some((_, piece)) = board.pieces.at(from).filter(|&(color, _)| color == board.mover) else {
        return false;
    };
    match (board.is_empty(victim), piece) {
        (true, Piece::Pawn) if board.en_passant != Some(victim) => push_from(board, victim) == Some(from),
        (true, Piece::Pawn) => board.pieces.attacks(from, victim),
        (true, _) => false,
        (false, Piece::King) => board.pieces.attacks(from, victim) && !board.enemy_attack(victim).any(),
        (false, _) => board.pieces.attacks(from, victim),
    }
}

fn is_quiet(board: &Board, from: Square, to: Square) -> bool {
    if !board.is_empty(to) {
        return false;
    }
    if board.is_own(from, Piece::King) {
        let step = board.pieces.attacks(from, to) && !board.enemy_attack(to).any();
        return step || is_castling(board, from, to);
    }
    board.pieces.attacks(from, to) && may_evade(board, to)
}

fn is_castling(board: &Board, from: Square, to: Square) -> bool {
    let [king_side, queen_side] = board.rights[board.mover.index()];
    let home = |file| Square::at(file, 0).relative_to(board.mover);
    let free = |files: &[u8]| files.iter().all(|&file| board.is_empty(home(file)));
    let safe = |files: &[u8]| !files.iter().any(|&file| board.enemy_attack(home(file)).any());
    from == home(4)
        && (to == home(6) && king_side && free(&[5, 6]) && safe(&[4, 5, 6])
            || to == home(2) && queen_side && free(&[1, 2, 3]) && safe(&[2, 3, 4]))
}

/// In check, a push or a quiet move of a piece other than the king must go to a square on a line through the king that an
/// enemy slider attacks along that kind of line.
fn may_evade(board: &Board, to: Square) -> bool {
    let Some(king) = board.pieces.king(board.mover).filter(|_| board.in_check()) else {
        return true;
    };
    let (files, ranks) = (king.file().abs_diff(to.file()), king.rank().abs_diff(to.rank()));
    let attack = board.enemy_attack(to);
    files == ranks && attack.diagonal || (files == 0 || ranks == 0) && attack.straight
}

/// The rank as the mover counts it, from 0.
fn rank(board: &Board, square: Square) -> u8 {
    square.relative_to(board.mover).rank()
}
