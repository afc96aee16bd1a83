//! What the tests of the core's blocks share: positions, and threads that stand on them.

#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod sequencer;

use bluebelle_hdl::core::thread::Thread;
use bluebelle_spec::leaf::legal_moves;
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Bitboard, Color, Evaluator, Move, Piece, Position, Square, suite};

/// Positions of random games: half from the standard perft positions, half from the project's sharp ones, which are rich in
/// promotions, castling, en passant, pins and checks.
pub(crate) fn positions(seed: u64, count: usize) -> Vec<Position> {
    let standard = include_str!("../../../tests/data/standard.perft");
    let standard = suite::parse(standard).expect("a suite");
    let sharp = suite::parse(include_str!("../../../tests/data/sharp.epd")).expect("positions");
    let mut random = SplitMix64::new(seed);
    let mut position = || {
        let starts = if random.below(2) == 0 { &standard } else { &sharp };
        let mut position = starts[random.below(starts.len() as u64) as usize].fen.position;
        if random.below(2) == 0 {
            position = position.mirrored();
        }
        for _ in 0..random.below(30) {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.make(pick(&mut random, &moves));
        }
        // A move more, if it leaves something to parry or to take in passing.
        let rich = legal_moves(&position)
            .into_iter()
            .map(|mv| position.after(mv))
            .find(is_rich);
        match random.below(2) {
            0 => position,
            _ => rich.unwrap_or(position),
        }
    };
    (0..count).map(|_| position()).collect()
}

fn is_rich(position: &Position) -> bool {
    let pawns = position.pieces(position.turn(), Piece::Pawn);
    let capturing = |square| position.attackers(square, position.turn(), position.occupied()) & pawns != 0;
    position.in_check() || position.en_passant().is_some_and(capturing)
}

/// One of a list.
pub(crate) fn pick<T: Copy>(random: &mut SplitMix64, from: &[T]) -> T {
    from[random.below(from.len() as u64) as usize]
}

/// The squares of a set, in the order of the side to move: a1 first, seen from its side.
pub(crate) fn in_order(set: Bitboard, turn: Color) -> Vec<Square> {
    let mut squares: Vec<Square> = Square::all().filter(|square| set & square.bit() != 0).collect();
    squares.sort_by_key(|square| square.relative_to(turn));
    squares
}

/// The code of what stands on a square; 0 if nothing does.
pub(crate) fn code_at(position: &Position, square: Square) -> u8 {
    position.at(square).map_or(0, |(_, piece)| piece.code())
}

/// All that a thread knows of a position, but for the placement sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) black: Bitboard,
    pub(crate) codes: [Bitboard; 3],
    pub(crate) turn: Color,
    pub(crate) castling: u8,
    pub(crate) en_passant: u8,
    pub(crate) kings: [u8; 2],
}

impl Board {
    pub(crate) fn of(position: &Position) -> Board {
        let plane = |bit: u8| {
            let set = Square::all().filter(|&square| code_at(position, square) >> bit & 1 == 1);
            set.fold(0, |plane, square| plane | square.bit())
        };
        Board {
            black: position.side(Color::Black),
            codes: [plane(0), plane(1), plane(2)],
            turn: position.turn(),
            castling: position.castling().bits(),
            en_passant: position.en_passant().map_or(0, |square| 8 | square.file()),
            kings: Color::ALL.map(|color| position.king(color).byte()),
        }
    }

    pub(crate) fn in_thread(thread: &Thread) -> Board {
        Board {
            black: thread.black.to_u64(),
            codes: [thread.code0.to_u64(), thread.code1.to_u64(), thread.code2.to_u64()],
            turn: Color::ALL[usize::from(thread.turn)],
            castling: thread.castling.to_u8(),
            en_passant: thread.en_passant.to_u8(),
            kings: [thread.white_king.to_u8(), thread.black_king.to_u8()],
        }
    }
}

/// A thread on a position, with nothing to do.
pub(crate) fn thread_on(position: &Position) -> Thread {
    let board = Board::of(position);
    Thread {
        active: true,
        busy: true,
        black: board.black.into(),
        code0: board.codes[0].into(),
        code1: board.codes[1].into(),
        code2: board.codes[2].into(),
        turn: board.turn == Color::Black,
        castling: u64::from(board.castling).into(),
        en_passant: u64::from(board.en_passant).into(),
        white_king: u64::from(board.kings[0]).into(),
        black_king: u64::from(board.kings[1]).into(),
        ..Default::default()
    }
}

/// The placement sums of a position, White's minus Black's, and its unclipped phase.
pub(crate) fn sums(position: &Position, evaluator: &Evaluator) -> (i16, i16, u8) {
    let (mg, eg) = evaluator.placement(position).unpack(Color::White);
    let [_, knights, bishops, rooks, queens, _] = position.planes().pieces.map(u64::count_ones);
    (mg as i16, eg as i16, (knights + bishops + 3 * rooks + 6 * queens) as u8)
}

/// A thread on a position, with its placement sums.
pub(crate) fn weighed_thread_on(position: &Position, evaluator: &Evaluator) -> Thread {
    let (mg, eg, phase) = sums(position, evaluator);
    Thread {
        mg: u64::from(mg as u16).into(),
        eg: u64::from(eg as u16).into(),
        phase: u64::from(phase).into(),
        ..thread_on(position)
    }
}

/// Sets the move of a thread as the sequencer does: what moves, what it takes, whether it needs a hop.
pub(crate) fn with_move(thread: Thread, position: &Position, mv: Move) -> Thread {
    let (mover, piece) = position.at(mv.from()).expect("a piece that moves");
    let castles = piece == Piece::King && mv.from().file().abs_diff(mv.to().file()) == 2;
    let passes = piece == Piece::Pawn && position.en_passant() == Some(mv.to());
    let captured = if passes { 1 } else { code_at(position, mv.to()) };
    let promotion = Piece::PROMOTIONS
        .iter()
        .position(|&piece| mv.promotion() == Some(piece));
    Thread {
        mover: mover == Color::Black,
        from: u64::from(mv.from().byte()).into(),
        to: u64::from(mv.to().byte()).into(),
        piece: u64::from(piece.code()).into(),
        captured: u64::from(captured).into(),
        promotion: (promotion.unwrap_or(0) as u64).into(),
        special: castles || passes,
        ..thread
    }
}

/// The slots that make a move, in turn: a hop if it needs one, then the move. Each still lacks the board before it.
pub(crate) fn making(thread: Thread) -> Vec<Thread> {
    let make = Thread { make: true, ..thread };
    let hop = Thread { hop: true, ..thread };
    if thread.special { vec![hop, make] } else { vec![make] }
}

/// The slots that take it back.
pub(crate) fn unmaking(thread: Thread) -> Vec<Thread> {
    let undo = Thread { undo: true, ..thread };
    let unmake = Thread { unmake: true, ..undo };
    let hop = Thread { hop: true, ..undo };
    if thread.special {
        vec![hop, unmake]
    } else {
        vec![unmake]
    }
}

/// The slots that place a position on a [bare](bare) board, piece by piece.
pub(crate) fn loading(position: &Position) -> Vec<Thread> {
    let place = |square: Square| {
        let (color, piece) = position.at(square).expect("an occupied square");
        Thread {
            load: true,
            mover: color == Color::Black,
            to: u64::from(square.byte()).into(),
            piece: u64::from(piece.code()).into(),
            ..Default::default()
        }
    };
    in_order(position.occupied(), Color::White)
        .into_iter()
        .map(place)
        .collect()
}

/// A thread whose board the sequencer has cleared.
pub(crate) fn bare(thread: Thread) -> Thread {
    Thread {
        black: 0.into(),
        code0: 0.into(),
        code1: 0.into(),
        code2: 0.into(),
        mg: 0.into(),
        eg: 0.into(),
        phase: 0.into(),
        ..thread
    }
}

/// The board of `before`, with what `slot` does.
pub(crate) fn on_board_of(slot: Thread, before: &Thread) -> Thread {
    Thread {
        black: before.black,
        code0: before.code0,
        code1: before.code1,
        code2: before.code2,
        turn: before.turn,
        castling: before.castling,
        en_passant: before.en_passant,
        white_king: before.white_king,
        black_king: before.black_king,
        ..slot
    }
}
