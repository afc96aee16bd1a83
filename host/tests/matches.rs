//! `bluebelle match` from outside.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A match of few nodes, in which the first side has four times the opponent's time.
const FEW: [&str; 8] = ["--games", "4", "--time", "0.001", "--odds", "0.25", "--hash", "1"];

fn play(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bluebelle"));
    command.arg("match").args(arguments).output().expect("the engine runs")
}

fn played(arguments: &[&str]) -> String {
    let output = play(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn refused(arguments: &[&str]) -> String {
    let output = play(arguments);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("matches-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

#[test]
fn a_match_is_told_game_by_game_and_summed_up() {
    let words = played(&FEW);
    for (line, number) in words.lines().zip(1..=4) {
        assert!(line.starts_with(&format!("game {number}: opening ")), "{line}");
        assert!(line.contains(" has White: ") == (number % 2 == 1), "{line}");
        assert!(line.contains(" plies; "), "{line}");
    }
    for part in [
        "\nsoftware against opponent, 0.001 s a move against 0.00025 s\n",
        "\nscore        4 games: +",
    ] {
        assert!(words.contains(part), "{words}");
    }
    for part in ["pairs", "superiority", "mean depth", "nodes/s"] {
        assert!(words.lines().any(|line| line.starts_with(part)), "{part}: {words}");
    }
}

#[test]
fn the_number_of_jobs_and_a_kill_change_nothing() {
    let json = |more: &[&str]| played(&[&FEW[..], &["--json"], more].concat());
    let whole = json(&["--jobs", "1"]);
    assert_eq!(json(&["--jobs", "2"]), whole);
    let value: Value = serde_json::from_str(&whole).expect("one object");
    assert_eq!(value["finished"], true);
    assert_eq!(value["conditions"]["time"], 0.001);
    let score = &value["matches"][0]["score"];
    let count = |key: &str| score[key].as_u64().expect(key);
    assert_eq!(count("wins") + count("draws") + count("losses"), 4);

    let (ledger, pgn) = (file("ledger"), file("games.pgn"));
    let kept = [
        "--ledger",
        ledger.to_str().expect("a path"),
        "--pgn",
        pgn.to_str().expect("a path"),
    ];
    assert_eq!(json(&kept), whole);
    let games = std::fs::read_to_string(&pgn).expect("games");
    assert_eq!(games.matches("[Event ").count(), 4);
    let text = std::fs::read_to_string(&ledger).expect("a ledger");
    std::fs::write(&ledger, &text[..text.len() - 10]).expect("a torn ledger");
    std::fs::remove_file(&pgn).expect("games");
    let output = play(&[&FEW[..], &["--json"], &kept].concat());
    assert_eq!(String::from_utf8(output.stdout).expect("text"), whole);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("had no end, as after a kill"), "{told}");
    assert!(told.contains("the ledger has 3 finished games"), "{told}");
    assert_eq!(std::fs::read_to_string(&pgn).expect("games"), games);

    let error = refused(&[&FEW[..], &["--seed", "2"], &kept].concat());
    assert!(error.contains("seed: 1 in the ledger, 2 now"), "{error}");
}

#[test]
fn boards_threads_and_crews_play_and_the_same_game_each_time() {
    let played = |side: &[&str]| {
        let few = ["match", "--games", "2", "--time", "0.012", "--hash", "1", "--json"];
        let output = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
            .args(few)
            .args(side)
            .output();
        let output = output.expect("the engine runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let board = [
        "--accelerated",
        "--cores",
        "6",
        "--mhz",
        "90",
        "--gangs",
        "--rate",
        "100000000",
        "--latency-us",
        "5",
    ];
    let with_board = played(&board);
    assert_eq!(with_board, played(&board));
    let json: serde_json::Value = serde_json::from_str(&with_board).expect("JSON");
    let jobs = &json["matches"][0]["first"]["board"]["jobs"];
    assert!(jobs.as_u64().is_some_and(|jobs| jobs > 0), "{with_board}");
    for side in [&["--threads", "2"][..], &["--crew", "4"]] {
        assert_eq!(played(side), played(side));
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    assert!(refused(&[]).contains("--games"));
    assert!(refused(&["--games", "2", "--depth", "3", "--time", "1"]).contains("--time"));
    assert!(refused(&["--games", "2", "--odds", "0"]).contains("found odds of 0"));
    assert!(refused(&["--sprt", "5"]).contains("expected two differences in Elo"));
    assert!(refused(&["--sprt", "5,-5"]).contains("the lower one first"));
    assert!(refused(&["--games", "2", "--cores", "2"]).contains("--accelerated"));
    assert!(refused(&["--games", "2", "--accelerated", "--crew", "2"]).contains("--crew"));
    assert!(refused(&["--games", "2", "--accelerated", "--board", "abacus"]).contains("abacus"));
    let openings = file("openings.epd");
    let path = openings.to_str().expect("a path");
    assert!(refused(&["--games", "2", "--openings", path]).contains("cannot read"));
    std::fs::write(&openings, "8/8/8/8 w - -\n").expect("a file");
    assert!(refused(&["--games", "2", "--openings", path]).contains("line 1: "));
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_tells_how_it_stands() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let mut command = Command::new(env!("CARGO_BIN_EXE_bluebelle"));
    command.args([
        "match", "--games", "1000", "--time", "0.003", "--hash", "1", "--jobs", "1",
    ]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the engine runs");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a game");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill").success());
    output.read_to_string(&mut line).expect("the rest");
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    assert!(line.contains("\nscore        "), "{line}");
    assert!(line.ends_with("\nended before all games were played\n"), "{line}");
}
