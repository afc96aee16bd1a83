//! What was tried already, and the filter that leaves it out, against a plain statement of the order.

mod common;

use bluebelle_hdl::core::filter::Filter;
use bluebelle_hdl::core::thread::Thread;
use bluebelle_hdl::core::tried::Tried;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Bitboard, Color, Piece, Square};

use common::pick;

/// The squares that come after one, seen from the mover's side.
fn after(square: Square, turn: Color) -> Bitboard {
    let is_later = |other: &Square| other.relative_to(turn) > square.relative_to(turn);
    Square::all().filter(is_later).fold(0, |set, square| set | square.bit())
}

/// The class of a victim, from the queen down; a square of promotion counts as a queen.
fn victim_class(piece: Option<Piece>) -> u8 {
    match piece {
        None | Some(Piece::Queen) => 0,
        Some(Piece::Rook) => 1,
        Some(Piece::Bishop | Piece::Knight) => 2,
        _ => 3,
    }
}

/// The class of an attacker, from the pawn up.
fn attacker_class(piece: Piece) -> u8 {
    match piece {
        Piece::Pawn => 0,
        Piece::Bishop | Piece::Knight => 1,
        Piece::Rook => 2,
        Piece::Queen | Piece::King => 3,
    }
}

#[test]
fn the_last_move_tells_what_was_tried() {
    let mut cosim = Cosim::new(Tried::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(50);
    for round in 0..512 {
        let turn = Color::ALL[random.below(2) as usize];
        let pass = round % 5;
        let fresh = random.below(4) == 0;
        // Every square, in every pass.
        let [from, to, origin] =
            [0, 1, 2].map(|k| Square::new(((round / 5 + k * 21 + random.below(2) * 7) % 64) as u8));
        let piece = pick(&mut random, &Piece::ALL);
        // A king is no victim.
        let captured = match random.below(6) {
            0 => None,
            index => Some(Piece::ALL[index as usize - 1]),
        };
        let [black, code1, code2] = [(); 3].map(|()| random.next_u64());
        cosim.cycle(|uut| {
            uut.thread_in.next = Thread {
                victim: pass == 0,
                attacker: pass == 1,
                killing: pass == 2,
                quiet: pass == 3,
                push: pass == 4,
                fresh,
                turn: turn == Color::Black,
                from: u64::from(from.byte()).into(),
                to: u64::from(to.byte()).into(),
                origin: u64::from(origin.byte()).into(),
                piece: u64::from(piece.code()).into(),
                captured: u64::from(captured.map_or(0, Piece::code)).into(),
                black: black.into(),
                code1: code1.into(),
                code2: code2.into(),
                ..Default::default()
            };
        });
        let uut = &cosim.uut;
        // Find attacker goes through the squares that a move comes from, all others through those that it goes to.
        let cursor = if pass == 1 { from } else { to };
        let squares = if fresh { !0 } else { after(cursor, turn) };
        assert_eq!(
            uut.after_move.val().to_u64(),
            squares,
            "{cursor} {turn:?} {pass} {fresh}"
        );
        // The next piece comes after the one whose quiet moves are looked at; before that, any piece is next.
        let own = if turn == Color::Black { black } else { !black };
        let officers = own & (code1 | code2);
        let pieces = if pass == 3 {
            after(origin, turn) & officers
        } else {
            officers
        };
        assert_eq!(uut.next_pieces.val().to_u64(), pieces, "{origin} {turn:?} {pass}");
        let class = match pass {
            _ if fresh => 0,
            0 => victim_class(captured),
            1 => attacker_class(piece),
            _ => 0,
        };
        assert_eq!(uut.tried_class.val().to_u8(), class, "{piece:?} x {captured:?} {pass}");
    }
    cosim.finish();
}

#[test]
fn the_filter_keeps_what_shields_and_comes_later() {
    let mut cosim = Cosim::combinational(Filter::default());
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(51);
    for _ in 0..400 {
        let [candidates, shields, high, low] = [(); 4].map(|()| random.next_u64());
        let later_squares = after(Square::new(random.below(64) as u8), Color::White);
        let must_shield = random.below(2) == 1;
        let tried_class = random.below(4);
        cosim.cycle(|uut| {
            uut.candidates.next = candidates.into();
            uut.shields.next = shields.into();
            uut.must_shield.next = must_shield;
            uut.class_high.next = high.into();
            uut.class_low.next = low.into();
            uut.tried_class.next = tried_class.into();
            uut.after_move.next = later_squares.into();
        });
        let left = cosim.uut.left.val().to_u64();
        for square in Square::all() {
            let has = |set: Bitboard| set & square.bit() != 0;
            let class = 2 * u64::from(has(high)) + u64::from(has(low));
            let is_candidate = has(candidates) && (!must_shield || has(shields));
            let is_later = class > tried_class || class == tried_class && has(later_squares);
            assert_eq!(has(left), is_candidate && is_later, "{square}");
        }
    }
    cosim.finish();
}
