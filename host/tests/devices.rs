//! `devices --probe` with a virtual board, and what `compare` makes of the file.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use bluebelle::link::{LineFile, LineModel};
use bluebelle_sim::board::{Pty, serve};
use bluebelle_sim::{ModelChip, ModelConfig};
use bluebelle_spec::Weights;
use serde_json::Value;

/// A model board behind a pseudo-terminal, in this process, until it is dropped.
struct VirtualBoard {
    path: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl VirtualBoard {
    fn start() -> VirtualBoard {
        let mut line = Pty::open(None).expect("a pseudo-terminal");
        let path = line.path().to_str().expect("text").to_owned();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut chip = ModelChip::new(&ModelConfig::default(), Weights::standard());
            serve(&mut line, &mut chip, &flag).expect("the board is well");
        });
        VirtualBoard {
            path,
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for VirtualBoard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the board failed");
        }
    }
}

fn bluebelle(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_bluebelle");
    Command::new(program)
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("devices-{name}-{}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn a_line_is_measured_written_down_and_compared_with() {
    let board = VirtualBoard::start();
    let file = scratch("line");
    let name = file.to_str().expect("text");
    let output = bluebelle(&["devices", "--probe", "--json", "--line", name, &board.path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let boards = value["boards"].as_array().expect("a list");
    let ours = boards.iter().find(|found| found["port"] == board.path.as_str());
    let ours = ours.unwrap_or_else(|| panic!("{value}"));
    assert_eq!(ours["warnings"], Value::Array(vec![]), "a pseudo-terminal has no timer");
    let trips = &ours["probe"]["round_trips"];
    // However slow this machine is, it asks a few times in two seconds.
    assert!(trips["count"].as_u64().is_some_and(|count| count >= 5), "{ours}");
    assert_eq!(trips["bytes"], 60, "{ours}");
    let spread = ["min_us", "median_us", "p90_us", "p99_us", "max_us"].map(|key| trips[key].as_f64().expect(key));
    assert!(spread.is_sorted() && spread[0] > 0.0, "{ours}");
    let rates = ["to_board", "from_board"].map(|key| ours["probe"][key].as_f64().expect(key));
    assert!(rates.iter().all(|&rate| rate > 10_000.0), "{ours}");

    let written = LineFile::read(&file).expect("a line");
    assert_eq!(written.board, "golden model");
    assert_eq!(written.accelerator, format!("serial:{}", board.path));
    assert_eq!(written.bytes_per_second, rates[0].min(rates[1]));
    let line = LineModel::read(&file).expect("a line");
    let told = &ours["probe"]["line"];
    assert_eq!(told["bytes_per_second"].as_f64(), Some(line.bytes_per_second));
    assert_eq!(told["latency_us"].as_f64(), Some(line.latency.as_secs_f64() * 1e6));

    let positions = scratch("positions");
    fs::write(
        &positions,
        "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+;\n",
    )
    .expect("a file");
    let positions = positions.to_str().expect("text");
    let compare = [
        "compare",
        "--line",
        name,
        "--time",
        "0.01",
        "--json",
        "--positions",
        positions,
    ];
    let output = bluebelle(&compare);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["board"]["bytes_per_second"].as_f64(), Some(line.bytes_per_second));
    let told = value["board"]["line"].as_str().expect("text");
    assert_eq!(told, format!("{line}: measured, {name}"));
}

#[test]
fn a_line_that_was_not_measured_is_that_of_usb_full_speed() {
    let positions = scratch("one");
    fs::write(&positions, "8/8/8/4k3/8/8/8/K6R w - -\n").expect("a file");
    let positions = positions.to_str().expect("text");
    let line = |options: &[&str]| {
        let output = bluebelle(&[&["compare", "--depth", "1", "--positions", positions], options].concat());
        let told = text(&output.stdout);
        let line = told.lines().find_map(|told| told.strip_prefix("line      "));
        line.unwrap_or_else(|| panic!("{told}")).trim().to_owned()
    };
    assert_eq!(line(&[]), "300 kB/s, latency 1 ms each way: USB full speed");
    assert_eq!(
        line(&["--baud", "115200", "--latency-us", "125"]),
        "11.5 kB/s, latency 125 µs each way: as told"
    );
    assert_eq!(
        line(&["--rate", "100000000", "--latency-us", "10"]),
        "100 MB/s, latency 10 µs each way: as told"
    );
}

#[test]
fn what_is_measured_is_printed() {
    let board = VirtualBoard::start();
    let output = bluebelle(&["devices", "--probe", &board.path]);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{told}");
    for expected in [
        "build golden model",
        "round trips",
        "of 60 bytes",
        "median",
        "to the board",
        "each way",
        "pseudo-terminal",
    ] {
        assert!(told.contains(expected), "{expected}: {told}");
    }
    // Without --probe there is none of it.
    let told = text(&bluebelle(&["devices", &board.path]).stdout);
    assert!(told.contains("golden model") && !told.contains("round trips"), "{told}");
}

#[test]
fn what_cannot_be_is_one_line_and_exit_code_2() {
    let boards = [VirtualBoard::start(), VirtualBoard::start()];
    let file = scratch("refused");
    let name = file.to_str().expect("text");
    let nonsense = scratch("nonsense");
    fs::write(&nonsense, "latency: 1 ms").expect("a file");
    let nonsense = nonsense.to_str().expect("text");
    let cases: [(&[&str], &str); 7] = [
        (
            &["devices", "--probe", "--line", name, "/no/such/port"],
            "is not written: no board answered",
        ),
        (
            &["devices", "--probe", "--line", name, &boards[0].path, &boards[1].path],
            "2 boards answered",
        ),
        (&["devices", "--line", name], "--probe"),
        (&["compare", "--line", name], "cannot be read"),
        (
            &["compare", "--line", nonsense],
            "no line of `bluebelle devices --probe --line FILE`",
        ),
        (&["compare", "--line", name, "--baud", "9600"], "cannot be used with"),
        (
            &["compare", "--line", name, "--latency-us", "10"],
            "cannot be used with",
        ),
    ];
    for (arguments, problem) in cases {
        let output = bluebelle(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.contains(problem), "{arguments:?}: {error}");
        assert!(!file.exists(), "{arguments:?}");
    }
}
