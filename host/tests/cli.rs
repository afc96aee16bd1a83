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
    let empty = concat!(env!("CARGO_TARGET_TMPDIR"), "/empty.epd");
    std::fs::write(empty, "# nothing\n").expect("a file");
    let cases: [(&[&str], &str); 13] = [
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
        (
            &["leaf", "--fen", "startpos", "--depth", "2", "--accel", "abacus"],
            "serial:PATH@BAUD or pcie:ADDRESS",
        ),
        (&["suite", empty], "has no positions"),
        (&["bench", "--weights", empty], "not a weights file"),
        (
            &["eval", "--fen", "startpos", "--weights", "no/such"],
            "cannot read no/such",
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
fn a_suite_goes_on_where_it_was_ended() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, ledger) = (folder.join("going-on.epd"), folder.join("going-on.ledger"));
    std::fs::write(
        &file,
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#;\n6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ra8#;\n",
    )
    .expect("a file");
    // There is none at first.
    let _ = std::fs::remove_file(&ledger);
    let [file, ledger] = [file, ledger].map(|path| path.display().to_string());
    let run = |nodes: &str| bluebelle(&["suite", &file, "--nodes", nodes, "--ledger", &ledger]);
    let whole = run("2000");
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    // What a kill in the middle of the second record leaves.
    let bytes = std::fs::read(&ledger).expect("a ledger");
    std::fs::write(&ledger, &bytes[..bytes.len() - 9]).expect("a file");
    let again = run("2000");
    assert_eq!(text(&again.stdout), text(&whole.stdout));
    assert!(
        text(&again.stderr).contains("1 of 2 positions are in the ledger"),
        "{}",
        text(&again.stderr)
    );
    let other = run("3000");
    assert_eq!(other.status.code(), Some(2));
    assert!(
        text(&other.stderr).contains("give another file"),
        "{}",
        text(&other.stderr)
    );
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
    assert!(lines.contains("scores are for the side to move"), "{lines}");
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
    let play = ["tune", "games", "--output", games, "--games", "2", "--nodes", "200"];
    prints(&[&play[..], &["--force"]].concat());
    let kept = std::fs::read_to_string(games).expect("games");
    let refused = bluebelle(&play);
    let error = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{error}");
    assert!(
        error.contains("is there already") && error.contains("--force"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(games).expect("games"), kept);
    let fitted = prints(&["tune", "fit", games, "--output", weights, "--epochs", "2"]);
    assert!(fitted.contains(" positions, error "), "{fitted}");
    let file = std::fs::read_to_string(weights).expect("weights");
    assert!(file.parse::<bluebelle_spec::Weights>().is_ok());

    // Whatever evaluates takes the file, and evaluates otherwise.
    let changed = concat!(env!("CARGO_TARGET_TMPDIR"), "/changed.weights");
    let other: Vec<String> = file
        .lines()
        .map(|line| match line.starts_with("tempo ") {
            true => "tempo 77".to_owned(),
            false => line.to_owned(),
        })
        .collect();
    std::fs::write(changed, other.join("\n")).expect("a file");
    let value = prints(&["eval", "--fen", "startpos", "--weights", changed]);
    assert!(
        value.ends_with("value  77 centipawns for White, who is to move\n"),
        "{value}"
    );
    let leaf = prints(&["leaf", "--fen", "startpos", "--depth", "0", "--weights", changed]);
    assert!(leaf.starts_with("score  77 centipawns"), "{leaf}");
    for arguments in [
        &["bench", "--depth", "5"][..],
        &["analyse", "--fen", KIWIPETE, "--depth", "5"],
    ] {
        let with_file = prints(&[arguments, &["--weights", changed]].concat());
        assert_ne!(with_file, prints(arguments), "{arguments:?}");
    }
    let games = ["match", "--games", "2", "--depth", "2", "--hash", "1", "--json"];
    let value: Value = serde_json::from_str(&prints(&[&games[..], &["--weights", changed]].concat())).expect("JSON");
    assert!(value["conditions"]["first"]["weights"].is_string(), "{value}");
    assert!(value["conditions"]["opponent"]["weights"].is_null(), "{value}");
}

#[test]
fn a_self_test_passes_or_says_what_is_wrong() {
    let printed = prints(&["selftest"]);
    for part in [
        "identify    model: ",
        "perft       3 counts, 0 wrong",
        " 0 that differ",
        "throughput  ",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert!(printed.ends_with("\nPASS\n"), "{printed}");
    let output = bluebelle(&["selftest", "--accel", "serial:/no/such/port"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("serial:/no/such/port: cannot be opened"), "{error}");
}

#[test]
fn the_doctor_has_a_fix_for_what_is_missing() {
    let output = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args(["doctor", "/no/such/port"])
        .env("PATH", "/nowhere")
        .env("BLUEBELLE_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-tools"))
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    let printed = text(&output.stdout);
    for part in [
        "fix  ECP5 ",
        "no yosys",
        "no verilator",
        "/no/such/port: cannot be opened",
        "ok   cache ",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let fixes = printed.matches("fix  ").count();
    assert_eq!(printed.matches("→ ").count(), fixes, "{printed}");
    assert!(printed.contains(&format!("{fixes} things to fix")), "{printed}");
}

#[test]
fn shells_and_man_know_every_command() {
    let help = prints(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.contains(&"selftest") && commands.len() > 15, "{help}");
    let page = prints(&["man"]);
    let script = prints(&["completions", "bash"]);
    for name in commands {
        assert!(
            page.contains(&format!(".SH \"BLUEBELLE {}\"", name.to_uppercase())),
            "{name}: {page}"
        );
        assert!(script.contains(name), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_board_is_told_the_weights() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let standard = include_str!("../../spec/weights/standard.weights");
    let changed: Vec<&str> = standard
        .lines()
        .map(|line| if line.starts_with("tempo ") { "tempo 77" } else { line })
        .collect();
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/board.weights");
    std::fs::write(path, changed.join("\n")).expect("a file");
    let mut board = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args(["sim", "board", "--chip", "model"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a virtual board");
    let mut port = String::new();
    let mut said = BufReader::new(board.stdout.take().expect("piped"));
    said.read_line(&mut port).expect("its port");
    let name = format!("serial:{}", port.trim());
    let leaf = ["leaf", "--fen", "startpos", "--depth", "0", "--accel", &name];
    let with_file = bluebelle(&[&leaf[..], &["--weights", path]].concat());
    // The next one gets the standard weights again.
    let without = bluebelle(&leaf);
    let test = bluebelle(&["selftest", "--accel", &name]);
    board.kill().expect("it runs");
    board.wait().expect("it ends");
    assert!(
        text(&with_file.stdout).starts_with("score  77 centipawns"),
        "{with_file:?}"
    );
    assert!(text(&without.stdout).starts_with("score  10 centipawns"), "{without:?}");
    assert!(text(&test.stdout).ends_with("PASS\n"), "{test:?}");
}

/// Two gibibytes of address space stand for a machine whose memory is short.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_does_not_fit_is_an_error() {
    for arguments in [
        "analyse --fen startpos --depth 1 --hash 65536",
        "bench --depth 1 --hash 65536",
        "match --games 2 --depth 1 --hash 65536",
        "compare --depth 1 --hash 65536",
    ] {
        let command = format!(
            "ulimit -v 2097152; exec '{}' {arguments}",
            env!("CARGO_BIN_EXE_bluebelle")
        );
        let output = Command::new("sh").args(["-c", &command]).output().expect("a shell");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(error.contains("no memory for "), "{arguments}: {error}");
        assert!(error.contains(" of 65536 MiB"), "{arguments}: {error}");
    }
}

#[test]
fn a_cause_is_told_once() {
    let file = |name: &str, content: &str| {
        let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, content).expect("a file");
        path
    };
    let game = file("unterminated.pgn", "1. e4 { never closed");
    let positions = file("no-side.epd", "8/8/8/8/8/8/8/8 x - - bm e4;\n");
    let ledger = file("no-game.jsonl", "");
    for (arguments, cause) in [
        (["analyse", "--pgn", &game], "unterminated comment"),
        (["suite", &positions, "--time=1"], "side to move 'x'"),
        (["compare", "--accel", "abacus"], "unknown accelerator 'abacus'"),
        (
            ["match", "--games=2", &format!("--ledger={ledger}/in/a/file")],
            "cannot open the ledger",
        ),
    ] {
        let output = bluebelle(&arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.matches(cause).count(), 1, "{arguments:?}: {error}");
        let (_, rest) = error.split_once("error: ").expect("an error");
        let parts: Vec<&str> = rest.trim().split(": ").collect();
        assert!(
            parts.windows(2).all(|pair| pair[0] != pair[1]),
            "{arguments:?}: {error}"
        );
        assert!(!error.contains("option empty"), "{arguments:?}: {error}");
    }
}

#[test]
fn a_game_is_commented_with_glyphs_words_and_numbers() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/commented.pgn");
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
        1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
    std::fs::write(file, game).expect("a file");
    let arguments = ["comment", file, "--nodes", "1000", "--white", "1.4", "--black", "0.8"];
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
