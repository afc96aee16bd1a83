use std::time::Instant;

use bluebelle_spec::Move;

use super::*;
use crate::report::Silent;
use crate::score::{MATE, UciScore};

fn search(fen: &str, limits: &Limits) -> Outcome {
    let mut software = Software::new(8);
    let game = Game::new(&fen.parse().expect("a FEN"), &software.evaluator());
    software.search(&game, limits, &Settings::default(), &Control::new(false), &Silent)
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

#[test]
fn mates_are_found_and_told() {
    for (fen, plies, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 3, 1),
        ("6k1/5ppp/8/8/8/8/2r2PPP/1R4K1 w - - 0 1", 6, 2),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1", 8, 2),
    ] {
        let outcome = search(fen, &depth(plies));
        assert_eq!(UciScore(outcome.score()).mate(), Some(moves), "{fen}: {outcome:?}");
    }
    let mated = search("7k/8/6K1/5Q2/8/8/8/8 b - - 0 1", &depth(8));
    assert_eq!(mated.score(), 2 - MATE, "{mated:?}");
}

#[test]
fn without_a_legal_move_there_are_no_lines() {
    let stalemate = search("k7/8/1Q6/8/8/8/8/4K3 b - - 0 1", &depth(5));
    assert_eq!(stalemate.lines, []);
    assert!(stalemate.best().is_none());
}

#[test]
fn a_repetition_is_a_draw() {
    // White is lost but for the perpetual check.
    let fen = "6k1/6p1/8/7Q/8/2q5/rr4PP/7K w - - 0 1";
    let outcome = search(fen, &depth(9));
    assert_eq!(outcome.score(), 0, "{outcome:?}");
}

#[test]
fn what_the_game_has_repeated_counts() {
    let software = Software::new(1);
    let evaluator = software.evaluator();
    let mut game = Game::initial(&evaluator);
    for round in 0..2 {
        assert_eq!(game.repetitions(), round);
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(game.ending(), None);
            let mv = game.board().parse_move(mv).expect("a legal move");
            game.play(mv, &evaluator);
        }
    }
    assert_eq!(game.ending(), Some(crate::game::Ending::Repetition));
}

#[test]
fn fifty_moves_end_what_would_be_won() {
    let near = search("8/8/8/4k3/8/8/1R6/K7 w - - 99 80", &depth(6));
    assert_eq!(near.score(), 0, "{near:?}");
    // But a mate on the hundredth ply stands.
    let mate = search("k7/8/1K6/8/8/8/8/7R w - - 99 80", &depth(6));
    assert_eq!(UciScore(mate.score()).mate(), Some(1), "{mate:?}");
}

#[test]
fn limits_are_kept() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let nodes = Limits {
        nodes: Some(5_000),
        ..Limits::default()
    };
    let outcome = search(fen, &nodes);
    assert!(outcome.nodes <= 5_000 && outcome.nodes > 4_000, "{}", outcome.nodes);
    assert_eq!(search(fen, &depth(4)).lines[0].depth, 4);

    let only: Vec<Move> = ["a2a3", "a2a4"].iter().map(|mv| mv.parse().expect("a move")).collect();
    let restricted = Limits {
        searchmoves: only.clone(),
        ..depth(5)
    };
    assert!(only.contains(&search(fen, &restricted).best()));

    let mate = Limits {
        mate: Some(2),
        ..Limits::default()
    };
    let outcome = search("6k1/5ppp/8/8/8/8/2r2PPP/1R4K1 w - - 0 1", &mate);
    assert_eq!(UciScore(outcome.score()).mate(), Some(2));
}

#[test]
fn stop_is_prompt() {
    let mut software = Software::new(8);
    let game = Game::initial(&software.evaluator());
    let control = Control::new(false);
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            control.stop();
        });
        let settings = Settings {
            threads: 2,
            ..Settings::default()
        };
        let outcome = software.search(&game, &Limits::default(), &settings, &control, &Silent);
        assert!(game.board().is_legal(outcome.best()));
    });
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn several_lines_are_different_and_in_order() {
    let mut software = Software::new(8);
    let game = Game::initial(&software.evaluator());
    let settings = Settings {
        multipv: 4,
        ..Settings::default()
    };
    let outcome = software.search(&game, &depth(7), &settings, &Control::new(false), &Silent);
    let firsts: std::collections::BTreeSet<u16> = outcome.lines.iter().map(|line| line.moves[0].bits()).collect();
    assert_eq!(firsts.len(), 4);
    assert!(outcome.lines.is_sorted_by_key(|line| -line.score));
}

#[test]
fn the_same_search_takes_the_same_nodes() {
    let fen = "r1bqkbnr/pppn1ppp/3p4/4p3/3P4/P1N5/1PP1PPPP/R1BQKBNR w KQkq - 0 4";
    assert_eq!(search(fen, &depth(9)).nodes, search(fen, &depth(9)).nodes);
}

/// Every move of every reported line is legal in its place.
#[test]
fn lines_are_legal() {
    let software = Software::new(1);
    let evaluator = software.evaluator();
    for fen in include_str!("../../../tests/data/sharp.epd").lines().take(20) {
        let fen = fen.split(';').next().unwrap_or_default();
        let Ok(fen) = fen.parse::<bluebelle_spec::Fen>() else {
            continue;
        };
        let outcome = search(&fen.to_string(), &depth(7));
        let mut game = Game::new(&fen, &evaluator);
        for &mv in outcome.lines.first().map_or(&[][..], |line| &line.moves) {
            assert!(game.board().is_legal(mv), "{mv} in {outcome:?}");
            game.play(mv, &evaluator);
        }
    }
}
