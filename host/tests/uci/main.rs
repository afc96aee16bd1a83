//! The engine as a GUI meets it: a process that speaks UCI.

mod boards;
mod gui;
mod input;
mod limits;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gui::{Gui, PATIENCE};

#[test]
fn it_introduces_itself() {
    let mut gui = Gui::new();
    let lines = gui.ask("uci", "uciok");
    assert!(lines.iter().any(|line| line.starts_with("id name Bluebelle ")));
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    for option in [
        "Hash",
        "Threads",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "Clear Hash",
        "SyzygyPath",
        "EndingsPath",
        "Draws",
        "Opponent Merit",
        "Complexity",
        "UCI_ShowWDL",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Accelerator",
    ] {
        let declared = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&declared)), "{option}");
    }
    gui.ask("isready", "readyok");
    gui.quit();
}

#[test]
fn every_form_of_go_ends_with_a_move() {
    let mut gui = Gui::new();
    for go in [
        "go depth 5",
        "go nodes 3000",
        "go movetime 50",
        "go mate 1",
        "go wtime 300 btime 300",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 300 btime 300 movestogo 3",
        "go wtime -20 btime 100",
        "go wtime 0 btime 0",
        "go searchmoves e2e4 d2d4 depth 4",
        "go depth 3 searchmoves a1a8",
    ] {
        // A mate in one for White, so that every form has an end.
        gui.say("position fen 6k1/5ppp/8/8/8/8/3PP3/R3K3 w Q - 0 1");
        gui.say(go);
        let best = gui.best_move();
        match go.contains("e2e4") {
            true => assert!(["e2e4", "d2d4"].contains(&best.as_str()), "{go}: {best}"),
            false => assert_eq!(best, "a1a8", "{go}"),
        }
    }
    gui.quit();
}

#[test]
fn info_lines_have_what_a_gui_shows() {
    let mut gui = Gui::new();
    gui.say("setoption name UCI_ShowWDL value true");
    gui.say("position startpos moves e2e4 e7e5");
    let lines = gui.ask("go depth 8", "bestmove");
    let info = lines
        .iter()
        .rfind(|line| line.starts_with("info depth 8 "))
        .expect("an info line");
    for field in [
        " seldepth ",
        " score cp ",
        " wdl ",
        " nodes ",
        " nps ",
        " hashfull ",
        " time ",
        " pv ",
    ] {
        assert!(info.contains(field), "{field} in {info}");
    }
    let nodes = |line: &str| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    assert!(nodes(info).is_some_and(|nodes| nodes > 100));
    assert!(lines.last().is_some_and(|line| line.contains(" ponder ")));
    gui.quit();
}

#[test]
fn stop_ends_an_endless_search_and_ready_is_answered_meanwhile() {
    let mut gui = Gui::new();
    gui.say("go infinite");
    gui.until("info depth 3 ");
    let lines = gui.ask("isready", "readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")));
    gui.say("stop");
    gui.best_move();
    // A mate is found at once, but the move waits for stop.
    gui.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    gui.say("go infinite");
    gui.until("info depth 20 ");
    std::thread::sleep(Duration::from_millis(100));
    let lines = gui.ask("isready", "readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")));
    gui.say("stop");
    assert_eq!(gui.best_move(), "a1a8");
    // Without a search, stop is nothing.
    gui.say("stop");
    gui.ask("isready", "readyok");
    gui.quit();
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut gui = Gui::new();
    gui.say("position startpos moves e2e4 e7e5");
    gui.say("go ponder wtime 200 btime 200");
    gui.until("info depth 6 ");
    std::thread::sleep(Duration::from_millis(400));
    let lines = gui.ask("isready", "readyok");
    assert!(
        lines.iter().all(|line| !line.starts_with("bestmove")),
        "moved while pondering"
    );
    gui.say("ponderhit");
    gui.best_move();
    // And a miss: stop, then another position.
    gui.say("go ponder wtime 1000 btime 1000");
    gui.until("info depth 4 ");
    gui.say("stop");
    gui.best_move();
    gui.quit();
}

#[test]
fn several_lines_on_request() {
    let mut gui = Gui::new();
    gui.say("setoption name MultiPV value 3");
    let lines = gui.ask("go depth 6", "bestmove");
    for place in 1..=3 {
        let wanted = format!(" multipv {place} ");
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("info depth 6 ") && line.contains(&wanted)),
            "{place}"
        );
    }
    gui.quit();
}

#[test]
fn a_finished_game_has_no_move() {
    let mut gui = Gui::new();
    gui.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    let lines = gui.ask("go depth 5", "bestmove");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove 0000"));
    assert!(lines.iter().any(|line| line.contains("score mate 0")), "{lines:?}");
    gui.quit();
}

#[test]
fn extras_show_the_board_and_count_moves() {
    let mut gui = Gui::new();
    gui.say("position startpos moves e2e4");
    let board = gui.ask("d", "hash");
    assert!(
        board
            .iter()
            .any(|line| line.contains("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")),
        "{board:?}"
    );
    gui.ask("eval", "info string evaluation ");
    let counts = gui.ask("go perft 3", "nodes");
    assert_eq!(counts.last().map(String::as_str), Some("nodes 13160"));
    assert!(counts.iter().any(|line| line.starts_with("g8f6: ")));
    gui.quit();
}

#[test]
fn options_take_effect() {
    let mut gui = Gui::new();
    for option in [
        "Hash value 4",
        "Threads value 2",
        "Move Overhead value 30",
        "Clear Hash",
        "ponder value true",
    ] {
        gui.say(&format!("setoption name {option}"));
    }
    gui.say("ucinewgame");
    let ready = gui.ask("isready", "readyok");
    assert_eq!(ready.len(), 1, "{ready:?}");
    gui.say("go depth 8");
    gui.best_move();
    // Held back to a few hundred nodes.
    gui.say("setoption name UCI_LimitStrength value true");
    gui.say("setoption name UCI_Elo value 1000");
    let lines = gui.ask("go movetime 200", "bestmove");
    let nodes = lines
        .iter()
        .filter_map(|line| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok());
    assert!(nodes.max().is_some_and(|nodes| nodes < 1000), "{lines:?}");
    gui.quit();
}

#[test]
fn the_end_of_input_is_a_quiet_end() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(b"position startpos\ngo depth 6")
        .expect("the engine listens");
    drop(input);
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.lines().last().is_some_and(|line| line.starts_with("bestmove ")),
        "{text}"
    );
}

/// A search left alone must not keep the process when the GUI goes away.
#[test]
fn an_endless_search_ends_with_the_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"go infinite\n").expect("the engine listens");
    drop(input);
    let until = Instant::now() + PATIENCE;
    while child.try_wait().expect("a status").is_none() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    let ended = child.try_wait().expect("a status");
    let _ = child.kill();
    let _ = child.wait();
    assert!(
        ended.is_some_and(|status| status.success()),
        "the engine goes on without a GUI"
    );
}

/// A game against itself at a fast clock: every move legal by its own list, no clock overstepped.
#[test]
fn a_fast_game_keeps_its_clock() {
    let mut gui = Gui::new();
    let mut moves = String::new();
    for _ in 0..60 {
        gui.say(&format!("position startpos moves{moves}"));
        let answer = gui.ask("isready", "readyok");
        assert_eq!(answer.len(), 1, "{answer:?}");
        gui.say("go wtime 60 btime 60 winc 10 binc 10");
        let best = gui.best_move();
        if best == "0000" {
            break;
        }
        moves.push(' ');
        moves.push_str(&best);
    }
    gui.quit();
}

#[test]
fn weights_come_from_a_file() {
    let standard = include_str!("../../../spec/weights/standard.weights");
    let changed: Vec<&str> = standard
        .lines()
        .map(|line| if line.starts_with("tempo ") { "tempo 77" } else { line })
        .collect();
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/uci.weights");
    std::fs::write(path, changed.join("\n")).expect("a file");
    let mut gui = Gui::new();
    let told = gui.ask("uci", "uciok");
    let option = "option name EvalFile type string default <empty>";
    assert!(told.iter().any(|line| line == option), "{told:?}");
    let value = |gui: &mut Gui| gui.ask("eval", "info string evaluation").pop();
    assert!(value(&mut gui).is_some_and(|line| line.contains(" 10 centipawns")));
    // A board, here the model, is told the weights too.
    gui.say("setoption name Accelerator value model");
    gui.say(&format!("setoption name EvalFile value {path}"));
    assert!(value(&mut gui).is_some_and(|line| line.contains(" 77 centipawns")));
    // Two plies later the same side is to move, and has all of the tempo.
    let told = gui.ask("go depth 2", "bestmove");
    let told = told.iter().find(|line| line.contains("info depth 2 ")).expect("a line");
    let score = told.split(" score cp ").nth(1).and_then(|rest| rest.split(' ').next());
    let score: i32 = score.and_then(|score| score.parse().ok()).expect("a score");
    assert!((60..110).contains(&score), "{told}");
    let told = gui.ask("setoption name EvalFile value /no/such", "info string error");
    assert!(told[0].contains("cannot read /no/such"), "{told:?}");
    assert!(value(&mut gui).is_some_and(|line| line.contains(" 77 centipawns")));
    gui.say("setoption name EvalFile value <empty>");
    assert!(value(&mut gui).is_some_and(|line| line.contains(" 10 centipawns")));
    gui.quit();
}

/// Strong draws, complexity and limited strength each end with a legal move and a line for that move.
#[test]
fn moves_that_are_chosen_for_the_opponent_are_told() {
    for options in [
        &["Complexity value 50", "Opponent Merit value 1200"][..],
        &["UCI_LimitStrength value true", "UCI_Elo value 900"],
    ] {
        let mut gui = Gui::new();
        for option in options {
            gui.say(&format!("setoption name {option}"));
        }
        gui.ask("isready", "readyok");
        for moves in ["", " moves e2e4 e7e5", " moves d2d4 d7d5 c2c4"] {
            gui.say(&format!("position startpos{moves}"));
            gui.say("go nodes 4000");
            let best = gui.best_move();
            assert_eq!(best.len(), 4, "{best}");
        }
        gui.quit();
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let mut gui = Gui::new();
    for (option, expected) in [
        ("Draws value red", "Draws is 'red': expected plain or shaded"),
        (
            "Complexity value 900",
            "Complexity is '900': expected a number from 0 to 200",
        ),
        (
            "Opponent Merit value x",
            "Opponent Merit is 'x': expected a number from 0 to 5000",
        ),
        ("EndingsPath value no/such/folder", "no/such/folder: "),
    ] {
        gui.say(&format!("setoption name {option}"));
        let lines = gui.ask("isready", "readyok");
        assert!(lines.iter().any(|line| line.contains(expected)), "{option}: {lines:?}");
    }
    gui.quit();
}
