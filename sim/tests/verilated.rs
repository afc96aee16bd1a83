//! The Verilated process and what talks to it, with stand-ins for the chip.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use bluebelle_sim::verilated::{Process, build};
use bluebelle_sim::{Accelerator, Answer, ChipError, ClockedChip, Until, Verilated, open};
use bluebelle_spec::leaf::{Ending, Job, Outcome, Task};
use bluebelle_spec::wire::{Features, Identity, JobResult, Message, Reply, VERSION, weights_crc};
use bluebelle_spec::{Move, Position, Weights};

const ECHO: &str = include_str!("data/echo.v");

/// The scripted stand-in, as Verilog.
fn scripted(replies: &[Reply]) -> String {
    let mut bytes = Vec::new();
    for reply in replies {
        reply.encode_to(&mut bytes).expect("a good reply");
    }
    let lines = bytes.iter().enumerate();
    let script: String = lines.map(|(at, byte)| format!("script[{at}] = {byte};\n")).collect();
    include_str!("data/scripted.v").replace("SCRIPT", &script)
}

fn identity() -> Reply {
    Reply::Identity(Identity {
        build: [7; 16],
        wire_version: VERSION,
        cores: 1,
        threads: 2,
        stages: 4,
        clock_khz: 50_000,
        queue: 2,
        max_children: 8,
        max_depth: 12,
        max_perft_depth: 6,
        max_ply: 31,
        features: Features::ALL,
        weights_crc: weights_crc(Weights::standard()),
    })
}

fn result(id: u16, nodes: u32) -> Reply {
    Reply::Results(vec![JobResult {
        id,
        outcome: Outcome {
            ending: Ending::Counted,
            score: 0,
            best: Move::NONE,
            nodes,
            slots: 3 * nodes,
        },
    }])
}

/// The first result is the second job's, and its id goes to the third.
fn three_jobs() -> [Reply; 4] {
    [identity(), result(1, 111), result(0, 100), result(1, 122)]
}

fn scratch(name: &str) -> PathBuf {
    env::temp_dir().join(format!("bluebelle-verilated-{}-{name}", process::id()))
}

fn echo() -> Process {
    Process::start(&build(ECHO, false).expect("it builds"), None).expect("it starts")
}

#[test]
fn bytes_go_through_the_chip_cycle_by_cycle() {
    let until = |frames, cycles| Until { frames, cycles };
    let mut chip = echo();
    // Half of the bytes in the cycles that half of them take, then the rest.
    let first = chip.exchange(b"abcd\0", until(1, 4)).expect("an answer");
    assert_eq!((first.cycle, first.untaken), (4, 3));
    let second = chip.exchange(b"ef\0", until(2, 1000)).expect("an answer");
    assert_eq!([first.bytes, second.bytes].concat(), b"abcd\0ef\0");
    assert_eq!(second.untaken, 0);
    assert!((17..30).contains(&second.cycle), "{}", second.cycle);
    // Without bytes, only time passes.
    let third = chip.exchange(&[], until(u32::MAX, 500)).expect("an answer");
    assert_eq!(
        third,
        Answer {
            bytes: Vec::new(),
            untaken: 0,
            cycle: second.cycle + 500
        }
    );
    // As long as all bytes are not taken, frames do not end it.
    let fourth = chip.exchange(&[0; 100], until(1, 10_000)).expect("an answer");
    assert_eq!(fourth.untaken, 0);
    assert!(fourth.bytes.len() >= 98, "{}", fourth.bytes.len());
}

#[test]
fn a_chip_that_ends_is_noticed() {
    let mut chip = echo();
    let until = Until { frames: 1, cycles: 100 };
    chip.exchange(b"a\0", until).expect("an answer");
    let error = chip.exchange(&[0xee], until).expect_err("it ends");
    assert!(matches!(error, ChipError::Stopped { cycle: 1..20, .. }), "{error}");
    chip.exchange(b"a\0", until).expect_err("it stays so");
}

#[test]
fn jobs_go_through_the_process() {
    let file = scratch("script.v");
    fs::write(&file, scripted(&three_jobs())).expect("a file");
    let mut accelerator = open(&format!("verilated:{}", file.display()), Weights::standard()).expect("it opens");
    fs::remove_file(&file).expect("ours");
    assert_eq!(accelerator.name(), "Verilated chip, 1 core of 2 threads");
    let jobs = [Job::new(Position::initial(), Task::Perft { depth: 1 }); 3];
    let outcomes = accelerator.run(&jobs, &|_| {}).expect("all done");
    let nodes: Vec<u32> = outcomes.iter().map(|outcome| outcome.nodes).collect();
    assert_eq!(nodes, [100, 111, 122]);
}

#[test]
fn the_same_jobs_take_the_same_cycles_and_leave_waveforms() {
    let verilog = scripted(&[identity(), result(0, 20)]);
    let jobs = [Job::new(Position::initial(), Task::Perft { depth: 1 })];
    let cycles = |mut chip: Verilated| {
        let opened = chip.cycles();
        chip.run(&jobs, &|_| {}).expect("done");
        (opened, chip.cycles())
    };
    let trace = scratch("trace.vcd");
    let plain = cycles(Verilated::open(&verilog, Weights::standard()).expect("it opens"));
    let traced = cycles(Verilated::open_traced(&verilog, Weights::standard(), &trace).expect("it opens"));
    assert_eq!(plain, traced);
    let (opened, ended) = plain;
    assert!((70..2_000).contains(&ended), "{ended}");
    let waves = fs::read_to_string(&trace).expect("there are waveforms");
    fs::remove_file(&trace).expect("ours");
    assert!(waves.contains("rx_data"));
    // Two steps a cycle, from the first of the job to the last.
    let times: Vec<&str> = waves.lines().filter(|line| line.starts_with('#')).collect();
    let bounds = [times.first(), times.last()].map(|time| time.map_or("", |time| *time));
    assert_eq!(bounds, [format!("#{}", 2 * opened), format!("#{}", 2 * ended - 1)]);
}

#[test]
fn waveforms_that_cannot_be_written_are_an_error() {
    let trace = Path::new("/nonexistent/trace.vcd");
    let opened = Verilated::open_traced(&scripted(&three_jobs()), Weights::standard(), trace);
    let error = opened.err().expect("there is no such folder");
    assert!(
        error.to_string().contains("/nonexistent/trace.vcd: waveforms"),
        "{error}"
    );
}

#[test]
fn a_chip_is_built_once() {
    let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).expect("a file");
    let first = build(ECHO, false).expect("it builds");
    let when = written(&first);
    assert_eq!(build(ECHO, false).expect("it is there"), first);
    assert_eq!(written(&first), when);
    assert_ne!(build(&scripted(&three_jobs()), false).expect("it builds"), first);
}

#[test]
fn wrong_verilog_is_shown() {
    let error = build("module top(clock); input clock; nonsense endmodule", false).expect_err("it is wrong");
    let ChipError::Build { directory, log } = &error else {
        panic!("{error}");
    };
    assert!(log.contains("syntax error"), "{log}");
    fs::remove_dir_all(directory).expect("its files are kept");
}

#[test]
fn a_missing_verilator_is_named() {
    let mut child = Command::new(env::current_exe().expect("this test"));
    child
        .args(["--ignored", "--exact", "in_a_child_without_path"])
        .env("PATH", "/nonexistent");
    let output = child.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
#[ignore = "a_missing_verilator_is_named runs it"]
fn in_a_child_without_path() {
    let error = build(ECHO, false).expect_err("there is no verilator");
    assert!(error.to_string().contains("install verilator"), "{error}");
}
