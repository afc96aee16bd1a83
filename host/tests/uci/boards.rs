//! What a GUI is told about accelerators.

use std::time::Duration;

use crate::gui::Gui;

fn set(gui: &mut Gui, accelerator: &str) -> Vec<String> {
    gui.say(&format!("setoption name Accelerator value {accelerator}"));
    gui.ask("isready", "readyok")
}

#[test]
fn a_name_that_is_none_is_told_and_changes_nothing() {
    let mut gui = Gui::new();
    let told = set(&mut gui, "modell");
    assert_eq!(
        told[0],
        "info string error Accelerator: unknown accelerator 'modell': expected model, verilated, serial:PATH@BAUD or \
         pcie:ADDRESS, with commas between several; Accelerator stays empty, which is software"
    );
    let told = set(&mut gui, "model");
    assert_eq!(told[0], "info string model: in use: the golden search on this machine");
    let told = set(&mut gui, "verilated:no/such/file.v");
    assert!(told[0].ends_with("; Accelerator stays model"), "{told:?}");
    // It is the model that goes on.
    let told = gui.ask("go depth 6", "bestmove");
    let work = told
        .iter()
        .find(|line| line.starts_with("info string accelerator model: "));
    let work = work.expect("what the accelerator did");
    assert!(work.contains(" jobs, ") && work.contains("busy not measured"), "{work}");
    gui.quit();
}

#[test]
fn a_board_that_is_not_there_is_told_at_once_with_what_to_do() {
    let mut gui = Gui::new();
    for (port, hint) in [
        ("/dev/null", "(not a serial line: expected a port"),
        ("/dev/no-such-port", "(is the board plugged in?"),
    ] {
        let told = set(&mut gui, &format!("serial:{port}"));
        assert!(
            told[0].starts_with(&format!("info string warning serial:{port}: cannot be opened: ")),
            "{told:?}"
        );
        assert!(told[0].contains(hint), "{told:?}");
        let told = gui.ask("go depth 4", "bestmove");
        let said = format!("info string accelerator serial:{port}: not in use, searched in software");
        assert!(told.contains(&said), "{told:?}");
    }
    gui.quit();
}

/// Without a board its host's threads are those that were asked for.
#[cfg(target_os = "linux")]
#[test]
fn one_thread_is_one_thread_without_the_board() {
    let mut gui = Gui::new();
    gui.say("setoption name Threads value 1");
    set(&mut gui, "serial:/dev/no-such-port");
    let stat = format!("/proc/{}/stat", gui.child.id());
    let ticks = || -> u64 {
        let text = std::fs::read_to_string(&stat).expect("a process");
        let (_, fields) = text.rsplit_once(") ").expect("a name");
        let fields: Vec<&str> = fields.split(' ').collect();
        fields[11..13]
            .iter()
            .map(|ticks| ticks.parse::<u64>().expect("ticks"))
            .sum()
    };
    let before = ticks();
    gui.ask("go movetime 2000", "bestmove");
    // A hundred a second and thread.
    let used = ticks() - before;
    assert!(used <= 240, "{used} ticks of 10 ms in 2 s");
    gui.quit();
}

/// A board comes, works, goes and comes back while the engine listens.
#[cfg(unix)]
#[test]
fn a_board_is_told_of_when_it_comes_works_and_goes() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let link = concat!(env!("CARGO_TARGET_TMPDIR"), "/uci-board");
    let start = || {
        let mut board = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
            .args(["sim", "board", "--fast", "--chip", "model", "--link", link])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a virtual board");
        let mut port = String::new();
        BufReader::new(board.stdout.take().expect("piped"))
            .read_line(&mut port)
            .expect("its port");
        board
    };
    let mut board = start();
    let mut gui = Gui::new();
    let told = set(&mut gui, &format!("serial:{link}"));
    let in_use = format!("info string serial:{link}: in use: 25 MHz, 1 × 13 threads, queue of 107, build golden model");
    assert_eq!(told[0], in_use);
    gui.say("go infinite");
    // Long enough for the work to be told during the search too.
    gui.until(&format!("info string accelerator serial:{link}: "));
    gui.say("stop");
    let told = gui.until("bestmove");
    let work = told.iter().rfind(|line| line.contains("info string accelerator "));
    let work = work.expect("what the board did");
    assert!(
        work.contains(" jobs, ") && work.contains(" nodes, busy ") && work.contains(" %"),
        "{work}"
    );
    // Between searches.
    board.kill().expect("it runs");
    board.wait().expect("it ends");
    gui.until(&format!("info string warning serial:{link}: the line failed"));
    std::thread::sleep(Duration::from_millis(100));
    let mut board = start();
    gui.until(&in_use);
    gui.quit();
    board.kill().expect("it runs");
    board.wait().expect("it ends");
}
