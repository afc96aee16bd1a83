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

#[test]
fn bench_counts_the_same_nodes_each_time() {
    let nodes = || {
        let printed = prints(&["bench", "--depth", "7"]);
        let words: Vec<String> = printed.split_whitespace().map(str::to_owned).collect();
        assert_eq!(words.len(), 4, "{printed}");
        assert_eq!((words[1].as_str(), words[3].as_str()), ("nodes", "nps"), "{printed}");
        words[0].parse::<u64>().expect("a count")
    };
    let first = nodes();
    assert!(first > 10_000);
    assert_eq!(first, nodes());
}

#[test]
fn a_suite_of_positions_is_solved_line_by_line() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/mates.epd");
    let text = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\";\n6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ra8#; id \"not that\";\n";
    std::fs::write(file, text).expect("a file");
    let printed = prints(&["suite", file, "--time", "0.05"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines[0].starts_with("solved  back rank  bm Ra8#, played Ra8#"),
        "{printed}"
    );
    assert!(
        lines[1].starts_with("FAILED  not that  am Ra8#, played Ra8#"),
        "{printed}"
    );
    assert_eq!(lines[2], "1 of 2 solved");
}

#[test]
fn a_game_is_analysed_move_by_move() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/mate.pgn");
    std::fs::write(file, "1. f3 e5 2. g4 Qh4# 0-1\n").expect("a file");
    let table = prints(&["analyse", "--pgn", file, "--depth", "6"]);
    assert!(
        table.contains("2...Qh4#") && table.contains("the game is over"),
        "{table}"
    );
    let json: Value =
        serde_json::from_str(&prints(&["analyse", "--pgn", file, "--depth", "6", "--json"])).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(5));
    assert_eq!(json[3]["lines"][0]["mate"], 1);
    assert_eq!(json[3]["lines"][0]["moves"][0], "Qh4#");
    assert!(json[2]["loss"].as_i64().is_some_and(|loss| loss > 500), "{json}");
    let lines = prints(&["analyse", "--fen", "startpos", "--depth", "5", "--lines", "3"]);
    assert_eq!(lines.lines().count(), 4, "{lines}");
}

#[test]
fn a_person_plays_in_the_terminal() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args(["play", "--time", "0.02", "--elo", "1500"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"e4\nhint\nundo\ng1f3\nnonsense\nmoves\nresign\n").expect("input");
    drop(input);
    let printed = text(&child.wait_with_output().expect("an end").stdout);
    assert_eq!(printed.matches("Bluebelle plays ").count(), 2, "{printed}");
    assert!(printed.contains("'nonsense' is not a legal move here"), "{printed}");
    assert!(printed.contains("you resign; Black wins"), "{printed}");
}

#[test]
fn tuning_plays_and_fits() {
    let games = concat!(env!("CARGO_TARGET_TMPDIR"), "/games.txt");
    let weights = concat!(env!("CARGO_TARGET_TMPDIR"), "/fitted.weights");
    prints(&["tune", "games", "--output", games, "--games", "2", "--nodes", "200"]);
    let fitted = prints(&["tune", "fit", games, "--output", weights, "--epochs", "2"]);
    assert!(fitted.contains(" positions, error "), "{fitted}");
    let file = std::fs::read_to_string(weights).expect("weights");
    assert!(file.parse::<bluebelle_spec::Weights>().is_ok());
}

#[test]
fn a_game_is_commented_with_glyphs_words_and_numbers() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/commented.pgn");
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
        1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
    std::fs::write(file, game).expect("a file");
    let arguments = ["comment", file, "--nodes", "200", "--white", "1.4", "--black", "0.8"];
    let printed = prints(&arguments);
    assert!(printed.starts_with("[White \"A\"]\n"), "{printed}");
    assert!(printed.trim_end().ends_with("4. Qxf7# 1-0"), "{printed}");
    assert!(printed.contains("Nf6 $4 {a blunder (v "), "{printed}");
    assert_eq!(prints(&arguments), printed, "the same comments each time");

    let json = prints(&[&arguments[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&json).expect("an object");
    let plies = report["plies"].as_array().expect("plies");
    assert_eq!(plies.len(), 7);
    let blunder = &plies[5]["printed"][0];
    assert_eq!(
        (&blunder["comment"], &blunder["nag"]),
        (&13.into(), &4.into()),
        "{json}"
    );
    assert!(blunder["du"].as_f64().is_some_and(|change| change < -0.3), "{json}");

    for (name, value) in [("--white", "1400"), ("--nodes", "0")] {
        let output = bluebelle(&["comment", file, name, value]);
        assert_eq!(output.status.code(), Some(2), "{name} {value}");
    }
}
