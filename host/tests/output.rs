//! What becomes of a command whose output is not taken: a full disk, a reader that has gone away.

#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

/// A folder with the files that commands read.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("output-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mates = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\";\n";
    fs::write(folder.join("mates.epd"), mates).expect("a file");
    let mut games = bluebelle(
        &[
            "tune",
            "games",
            "-o",
            "games.txt",
            "--games",
            "1",
            "--nodes",
            "100",
            "--force",
        ],
        &folder,
    );
    assert!(games.output().expect("it runs").status.success());
    folder
});

/// Every command that prints and needs no other program.
const COMMANDS: &[&[&str]] = &[
    &["--help"],
    &["--version"],
    &["match", "--help"],
    &["perft", "--fen", "startpos", "--depth", "2", "--divide"],
    &["top", "--accel", "model", "--count", "1"],
    &["bench", "--accel", "model", "--time", "0.1"],
    &["leaf", "--fen", "startpos", "--depth", "1"],
    &["leaf", "--fen", "startpos", "--depth", "1", "--json"],
    &["eval", "--fen", "startpos"],
    &["analyse", "--fen", "startpos", "--depth", "3"],
    &["analyse", "--fen", "startpos", "--depth", "3", "--json"],
    &["suite", "mates.epd", "--nodes", "1000"],
    &["bench", "--depth", "3"],
    &["boards"],
    &["boards", "--json"],
    &["devices", "/no/such/port"],
    &["devices", "--json"],
    &["flash", "--board", "icebreaker", "--dry-run"],
    &["verilog"],
    &[
        "compare",
        "--positions",
        "mates.epd",
        "--seed",
        "1",
        "--time",
        "0.001",
        "--hash",
        "1",
    ],
    &[
        "compare",
        "--positions",
        "mates.epd",
        "--seed",
        "1",
        "--time",
        "0.001",
        "--hash",
        "1",
        "--json",
    ],
    &["match", "--games", "2", "--depth", "1", "--hash", "1"],
    &["match", "--games", "2", "--depth", "1", "--hash", "1", "--json"],
    &["tune", "fit", "games.txt", "-o", "my.weights", "--epochs", "1"],
    &["play", "--time", "0.01"],
    &["sim", "board", "--chip", "model"],
    &["uci"],
    &["doctor"],
    &["selftest"],
    &["completions", "bash"],
    &["man"],
];

fn bluebelle(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bluebelle"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts a command, and says a word to those that listen.
fn start(mut command: Command) -> Child {
    let mut child = command.spawn().expect("the program starts");
    if let Some(mut input) = child.stdin.take() {
        // Most commands do not listen.
        let _ = std::io::Write::write_all(&mut input, b"uci\nquit\n");
    }
    child
}

fn end(arguments: &[&str], stdout: Stdio) -> (Output, String) {
    let mut command = bluebelle(arguments, &FOLDER);
    command.stdout(stdout);
    let output = start(command).wait_with_output().expect("an end");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    (output, error)
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("Linux").into()
}

#[test]
fn a_full_disk_is_an_error() {
    for arguments in COMMANDS {
        let (output, error) = end(arguments, full());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        let last = error.lines().last().unwrap_or_default();
        let told = "cannot write to standard output: No space left on device";
        assert!(last.contains(told), "{arguments:?}: {error}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in COMMANDS {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let (output, error) = end(arguments, writer.into());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
        assert!(!error.contains("error: "), "{arguments:?}: {error}");
    }
}

#[test]
fn remarks_that_cannot_be_written_are_left_out() {
    for arguments in [&["bench", "--depth", "3"][..], &["perft", "--fen", "no"]] {
        let mut command = bluebelle(arguments, &FOLDER);
        command.stdout(Stdio::null()).stderr(full());
        let status = start(command).wait().expect("an end");
        // A panic ends with 101.
        assert!(matches!(status.code(), Some(0 | 2)), "{arguments:?}: {status}");
    }
}
