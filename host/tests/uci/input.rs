//! Lines that no GUI should send, and people do.

use std::io::Write;

use crate::gui::Gui;

#[test]
fn bad_input_is_answered_and_survived() {
    let mut gui = Gui::new();
    for line in [
        "xyzzy",
        "go perft 99",
        "go perft x",
        "setoption",
        "setoption name Hash value lots",
        "setoption name Hash value 0",
        "setoption name Threads value 100000",
        "setoption name NoSuchThing value 1",
        "setoption name SyzygyPath value no/such/folder",
        "setoption name UCI_ShowWDL value maybe",
        "setoption name Accelerator value abacus",
        "\u{1f600} \u{0} \u{7f}",
    ] {
        gui.say(line);
        let answer = gui.ask("isready", "readyok");
        assert!(answer[0].starts_with("info string error "), "{line}: {answer:?}");
    }
    // Bytes that are no text.
    gui.input.write_all(b"\xff\xfe\xfd\n").expect("the engine listens");
    let answer = gui.ask("isready", "readyok");
    assert!(answer[0].starts_with("info string error "), "{answer:?}");
    // It all left the position as it was.
    gui.say("go depth 2 searchmoves e2e4");
    assert_eq!(gui.best_move(), "e2e4");
    gui.quit();
}

#[test]
fn a_go_with_a_bad_word_is_told_and_answered() {
    let mut gui = Gui::new();
    for (line, problem) in [
        ("go depth abc", "go depth: expected a number, found 'abc'"),
        ("go depth", "go depth: expected a number, found 'nothing'"),
        ("go wtime x btime 1000", "go wtime: expected a number, found 'x'"),
        ("go fast", "go: 'fast' is no limit"),
        (
            "go searchmoves e2e5 depth 2",
            "go searchmoves: 'e2e5' is not a legal move here",
        ),
        ("go btime 1000", "go: found no limit"),
    ] {
        let lines = gui.ask(line, "bestmove");
        assert!(
            lines
                .iter()
                .any(|told| told.starts_with(&format!("info string error {problem}"))),
            "{line}: {lines:?}"
        );
        assert_ne!(lines.last().map(String::as_str), Some("bestmove 0000"), "{line}");
    }
    gui.quit();
}

#[test]
fn a_refused_position_is_not_searched() {
    let mut gui = Gui::new();
    for line in [
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4 e7e5 e4e5",
        "position startpos e2e4",
    ] {
        gui.say("position startpos moves e2e4");
        gui.say(line);
        let answer = gui.ask("isready", "readyok");
        assert!(
            answer[0].starts_with("info string error position: "),
            "{line}: {answer:?}"
        );
        let lines = gui.ask("go depth 3", "bestmove");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove 0000"), "{line}");
        assert!(
            lines[0].starts_with("info string error there is no position"),
            "{lines:?}"
        );
        for line in ["d", "eval", "go perft 1"] {
            gui.ask(line, "info string error there is no position");
        }
    }
    // Nor does a new game bring an old position back, and an endless search waits for its end all
    // the same.
    gui.say("ucinewgame");
    gui.say("go infinite");
    let lines = gui.ask("isready", "readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    gui.say("stop");
    assert_eq!(gui.best_move(), "0000");
    gui.say("position startpos moves e2e4");
    gui.say("go depth 1 searchmoves e7e5");
    assert_eq!(gui.best_move(), "e7e5");
    gui.quit();
}

#[test]
fn a_position_with_small_faults_is_taken_and_told() {
    let mut gui = Gui::new();
    gui.say("position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 200 90 moves h1h2");
    let lines = gui.ask("d", "hash");
    assert_eq!(
        lines[0],
        "info string position: the half-move counter 200 is taken as 150"
    );
    assert!(
        lines[1].starts_with("info string position: White cannot castle queen side"),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.contains("4k3/8/8/8/8/8/7R/4K3 b - - ")),
        "{lines:?}"
    );
    assert_ne!(
        gui.ask("go depth 3", "bestmove").last().map(String::as_str),
        Some("bestmove 0000")
    );
    gui.quit();
}

/// Two gibibytes of address space stand for a machine whose memory is short.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_does_not_fit_is_refused_and_the_old_one_stays() {
    let engine = env!("CARGO_BIN_EXE_bluebelle");
    let mut gui =
        Gui::with(std::process::Command::new("sh").args(["-c", &format!("ulimit -v 2097152; exec '{engine}'")]));
    // Before the first table is there, and after.
    for _ in 0..2 {
        gui.say("setoption name Hash value 65536");
        let answer = gui.ask("isready", "readyok");
        assert!(
            answer[0].starts_with("info string error Hash: no memory for a table of 65536 MiB"),
            "{answer:?}"
        );
        assert!(answer[0].ends_with("Hash stays at 16 MiB"), "{answer:?}");
        gui.say("go depth 3");
        gui.best_move();
    }
    gui.say("setoption name Hash value 32");
    assert_eq!(gui.ask("isready", "readyok").len(), 1);
    gui.quit();
}
