//! The command line, as a person or a script meets it.

use std::process::{Command, Output};

use serde_json::Value;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn bluebelle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// What a command prints when all is well.
fn prints(arguments: &[&str]) -> String {
    let output = bluebelle(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn perft_ends_with_its_count() {
    assert_eq!(
        prints(&["perft", "--fen", "startpos", "--depth", "4"]),
        "nodes 197281\n"
    );
    assert_eq!(prints(&["perft", "--fen", "startpos", "--depth", "0"]), "nodes 1\n");
    let divided = prints(&["perft", "--fen", KIWIPETE, "--depth", "2", "--divide"]);
    assert!(divided.contains("e1g1: 43\n"), "{divided}");
    assert_eq!(divided.lines().last(), Some("nodes 2039"));
    let counts = divided.lines().filter_map(|line| line.split_once(": "));
    let sum: u32 = counts.map(|(_, count)| count.parse::<u32>().expect("a count")).sum();
    assert_eq!(sum, 2039);
}

#[test]
fn a_suite_is_checked_count_by_count() {
    let good = concat!(env!("CARGO_TARGET_TMPDIR"), "/good.perft");
    let bad = concat!(env!("CARGO_TARGET_TMPDIR"), "/bad.perft");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    std::fs::write(good, format!("{fen} ;D1 20 ;D2 400 ;D3 1\n")).expect("a file");
    std::fs::write(bad, format!("{fen} ;D1 20 ;D2 401\n")).expect("a file");

    let printed = prints(&["perft", "--epd", good, "--depth", "2"]);
    assert_eq!(printed, "1 positions, 2 counts, 0 mismatches\nnodes 420\n");
    let output = bluebelle(&["perft", "--epd", bad, "--depth", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(printed.contains("at depth 2: 400, expected 401"), "{printed}");
}

#[test]
fn leaf_prints_one_object() {
    let leaf = |arguments: &[&str]| -> Value {
        let all = [&["leaf", "--json", "--fen", KIWIPETE, "--depth", "2"], arguments].concat();
        serde_json::from_str(&prints(&all)).expect("JSON")
    };
    let exact = leaf(&[]);
    assert_eq!(exact["bound"], "exact");
    let score = exact["score"].as_i64().expect("a number");
    assert!(exact["best"].as_str().is_some_and(|best| best.len() == 4), "{exact}");
    assert!(exact["nodes"].as_u64().is_some_and(|nodes| nodes > 0));
    assert!(exact["slots"].as_u64() > exact["nodes"].as_u64());

    // Windows beyond the value, and a parallel search for it.
    let (above, below) = ((score + 10).to_string(), (score - 10).to_string());
    assert_eq!(leaf(&["--alpha", &above])["bound"], "upper");
    assert_eq!(leaf(&["--beta", &below])["bound"], "lower");
    assert_eq!(leaf(&["--width", "32"])["score"], score);
}

#[test]
fn a_mate_is_said_in_words() {
    let printed = prints(&["leaf", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "--depth", "2"]);
    assert!(
        printed.starts_with("score  29999, mate in 1 (exact)\nbest   a1a8\n"),
        "{printed}"
    );
}

#[test]
fn eval_shows_every_term() {
    let printed = prints(&["eval", "--fen", "startpos"]);
    for term in [
        "Pawns: placement",
        "bishop-pair",
        "mobility-major",
        "passed pawns",
        "tempo",
    ] {
        assert!(printed.contains(term), "{term} is missing");
    }
    assert!(
        printed.ends_with("value  10 centipawns for White, who is to move\n"),
        "{printed}"
    );
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let cases: [(&[&str], &str); 9] = [
        (&["perft", "--fen", "xx", "--depth", "2"], "a FEN has 6 fields"),
        (
            &["perft", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1", "--depth", "1"],
            "Black has no king",
        ),
        (&["perft", "--fen", "startpos", "--depth", "99"], "99 is not in 0..=15"),
        (&["perft", "--depth", "2"], "--fen"),
        (
            &["perft", "--epd", "no/such/file", "--depth", "2"],
            "cannot read no/such/file",
        ),
        (
            &[
                "leaf", "--fen", "startpos", "--depth", "2", "--alpha", "5", "--beta", "5",
            ],
            "is empty",
        ),
        (
            &["leaf", "--fen", "startpos", "--depth", "2", "--beta", "31000"],
            "too wide",
        ),
        (
            &["leaf", "--fen", "startpos", "--depth", "2", "--accel", "abacus"],
            "unknown accelerator 'abacus'",
        ),
        (&["frobnicate"], "frobnicate"),
    ];
    for (arguments, problem) in cases {
        let output = bluebelle(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.contains(problem), "{arguments:?}: {error}");
    }
}
