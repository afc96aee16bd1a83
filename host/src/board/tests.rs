use std::collections::BTreeSet;

use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Fen, Move, Square, Weights, leaf, suite};

use super::*;
use crate::evaluation::PawnTable;

fn evaluator() -> Evaluator {
    Evaluator::new(Weights::standard())
}

fn board(fen: &str) -> Board {
    Board::new(&fen.parse().expect("a FEN"), &evaluator())
}

fn suites() -> Vec<suite::PerftCase> {
    let text = include_str!("../../../tests/data/standard.perft");
    suite::parse(text).expect("a suite")
}

#[test]
fn perft_counts_are_right() {
    let evaluator = evaluator();
    for case in suites() {
        let board = Board::new(&case.fen, &evaluator);
        for &(depth, count) in case.counts.iter().filter(|count| count.1 < 1_000_000) {
            assert_eq!(
                perft(&board, u32::from(depth), &evaluator),
                count,
                "{board:?} at depth {depth}"
            );
        }
    }
}

/// Random games from the suite's positions: everything that make keeps equals what it is from scratch, and the move
/// lists equal the golden model's.
#[test]
fn random_games_agree_with_the_golden_model() {
    let evaluator = evaluator();
    let pawn_table = PawnTable::new();
    let mut random = SplitMix64::new(4);
    let mut seen = 0;
    for case in suites() {
        for _ in 0..15 {
            let mut board = Board::new(&case.fen, &evaluator);
            for _ in 0..80 {
                let position = board.position().expect("a legal position");
                let fresh = Board::new(&board.fen().expect("a legal position"), &evaluator);
                assert_eq!(board.hash(), fresh.hash(), "{board:?}");
                assert_eq!(board.pawn_hash(), fresh.pawn_hash(), "{board:?}");
                assert_eq!(board.placement(), fresh.placement(), "{board:?}");
                assert_eq!(board.mailbox, fresh.mailbox, "{board:?}");
                assert_eq!(board.in_check(), position.in_check(), "{board:?}");
                assert_eq!(
                    evaluator.evaluate(&board, &pawn_table),
                    i32::from(bluebelle_spec::evaluate(&position, Weights::standard())),
                    "{board:?}"
                );
                let moves = board.legal_moves();
                let ours: BTreeSet<u16> = moves.iter().map(|scored| scored.mv.bits()).collect();
                let golden: BTreeSet<u16> = leaf::legal_moves(&position).iter().map(|mv| mv.bits()).collect();
                assert_eq!(moves.len(), ours.len(), "a move twice in {board:?}");
                assert_eq!(ours, golden, "{board:?}");
                seen += 1;
                if moves.is_empty() || board.halfmoves() > 90 {
                    break;
                }
                let mv = moves[random.next_u64() as usize % moves.len()].mv;
                board.make(mv, &evaluator);
            }
        }
    }
    assert!(seen > 3_000, "only {seen} positions");
}

/// Every one of the 65,536 moves that a table could hold is judged as the generator judges it.
#[test]
fn is_legal_agrees_with_the_list() {
    let mut fens: Vec<String> = suites().iter().map(|case| case.fen.to_string()).collect();
    fens.push("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 2".to_owned()); // en passant uncovers the rook
    fens.push("4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1".to_owned()); // a pinned pawn
    fens.push("4k3/8/8/8/1b2r3/8/8/4K2R w K - 0 1".to_owned()); // a double check
    for fen in fens {
        let board = board(&fen);
        let listed: BTreeSet<u16> = board.legal_moves().iter().map(|scored| scored.mv.bits()).collect();
        let judged: BTreeSet<u16> = (0..=u16::MAX)
            .filter(|&bits| Move::from_bits(bits).is_some_and(|mv| board.is_legal(mv)))
            .collect();
        assert_eq!(judged, listed, "{board:?}");
    }
}

#[test]
fn exchanges_are_played_out() {
    let cases = [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
            100 - 320,
        ),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
        ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ("8/8/8/2k5/3p4/8/8/3RK3 w - - 0 1", "d1d4", 100 - 500),
        ("8/4k3/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100),
        ("8/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", 850),
        ("1r6/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", -100),
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "e1e2", 500),
        ("4k3/8/8/8/8/2n5/4r3/4K2R w K - 0 1", "h1h8", 0),
    ];
    for (fen, mv, value) in cases {
        let board = board(fen);
        let mv: Move = mv.parse().expect("a move");
        assert!(board.see_at_least(mv, value), "{mv} in {fen} is worth {value}");
        assert!(
            !board.see_at_least(mv, value + 1),
            "{mv} in {fen} is worth no more than {value}"
        );
    }
}

#[test]
fn insufficient_material_is_recognised() {
    for (fen, insufficient) in [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", true),
        ("8/5b2/4k3/8/8/3KB3/8/8 w - - 0 1", false),
        ("8/8/3bk3/8/8/3KB3/8/8 w - - 0 1", true),
        ("8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/R2K4/8/8 w - - 0 1", false),
    ] {
        assert_eq!(board(fen).is_insufficient(), insufficient, "{fen}");
    }
}

#[test]
fn lines_and_what_lies_between() {
    let square = |text: &str| -> Square { text.parse().expect("a square") };
    let set = |squares: &[&str]| squares.iter().fold(0, |set, text| set | square(text).bit());
    assert_eq!(between(square("a1"), square("d4")), set(&["b2", "c3"]));
    assert_eq!(between(square("h3"), square("e3")), set(&["f3", "g3"]));
    assert_eq!(between(square("a1"), square("b3")), 0);
    assert_eq!(
        line(square("c2"), square("d3")),
        set(&["b1", "c2", "d3", "e4", "f5", "g6", "h7"])
    );
    assert_eq!(line(square("a1"), square("b3")), 0);
}

#[test]
fn a_null_move_passes_the_turn_only() {
    let board = board("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 4 9");
    let passed = board.after_null();
    let fresh = Board::new(&passed.fen().expect("a position"), &evaluator());
    assert_eq!(passed.hash(), fresh.hash());
    assert_eq!(passed.turn(), Color::White);
    assert_eq!(passed.en_passant(), None);
    assert_eq!(board.en_passant(), Some("e3".parse().expect("a square")));
}

#[test]
fn fen_counters_are_kept() {
    let fen: Fen = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 12 34".parse().expect("a FEN");
    let mut board = Board::new(&fen, &evaluator());
    board.make("a1a2".parse().expect("a move"), &evaluator());
    assert_eq!((board.halfmoves(), board.fullmoves()), (13, 34));
    board.make("e8d8".parse().expect("a move"), &evaluator());
    assert_eq!((board.halfmoves(), board.fullmoves()), (14, 35));
    board.make("e2e4".parse().expect("a move"), &evaluator());
    assert_eq!(board.halfmoves(), 0);
}
