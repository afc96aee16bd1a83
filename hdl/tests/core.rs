//! The whole core against the golden search: score, bound, best move, nodes and slots.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use bluebelle_hdl::core::Core;
use bluebelle_hdl::harness::Bench;
use bluebelle_hdl::job_words::job_words;
use bluebelle_spec::leaf::{self, Ending, Job, MATE, Outcome, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Fen, Move, Position, Weights, evaluate};
use rust_hdl::prelude::*;

/// What a core says of a job: id, ending, score, best, nodes, slots.
type Line = [i64; 6];

fn line(id: usize, outcome: &Outcome) -> Line {
    [
        id as i64,
        outcome.ending as i64,
        i64::from(outcome.score),
        i64::from(outcome.best.bits()),
        i64::from(outcome.nodes),
        i64::from(outcome.slots),
    ]
}

/// Jobs of every kind, from sharp positions and what follows them.
fn jobs(count: usize, seed: u64, most_nodes: u32) -> Vec<Job> {
    let starts: Vec<Position> = include_str!("../../tests/data/sharp.epd")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(';').next()?.trim().parse::<Fen>().ok())
        .map(|fen| fen.position)
        .chain([Position::initial()])
        .collect();
    let mut rng = SplitMix64::new(seed);
    let mut jobs = Vec::new();
    while jobs.len() < count {
        let mut position = starts[rng.below(starts.len() as u64) as usize];
        for _ in 0..rng.below(12) {
            let moves = leaf::legal_moves(&position);
            if !moves.is_empty() {
                position = position.after(moves[rng.below(moves.len() as u64) as usize]);
            }
        }
        let moves = leaf::legal_moves(&position);
        let first = match (moves.is_empty(), rng.below(3)) {
            (false, 0) => moves[rng.below(moves.len() as u64) as usize],
            _ => Move::NONE,
        };
        let beta = match rng.below(8) {
            0 => MATE - 3,
            1 => 4 - MATE,
            2 => 0,
            _ => evaluate(&position, Weights::standard()) + rng.below(200) as i16 - 100,
        };
        // Pruning makes room for the deepest jobs that there are.
        let pruning = rng.below(3) != 0;
        let depth = rng.below(if pruning { u64::from(leaf::MAX_DEPTH) + 1 } else { 4 }) as u8;
        jobs.push(Job {
            position,
            first,
            task: match rng.below(4) {
                0 => Task::Perft { depth: depth.min(2) },
                _ => Task::Search { depth, beta },
            },
            node_limit: 1 + rng.below(u64::from(most_nodes)) as u32,
            pruning,
            gang: false,
        });
    }
    jobs
}

/// Those of them that prune, for gangs. They come one after the other, so that all threads are free.
fn gang_jobs(count: usize, seed: u64, most_nodes: u32) -> Vec<Job> {
    let searches = jobs(4 * count, seed, most_nodes).into_iter();
    let pruning = searches.filter(|job| job.pruning && matches!(job.task, Task::Search { .. }));
    pruning.map(|job| Job { gang: true, ..job }).take(count).collect()
}

#[test]
fn the_simulated_core_equals_the_golden_search() {
    compare_simulated(&jobs(26, 5, 40));
}

#[test]
fn the_simulated_gang_equals_the_golden_one() {
    compare_simulated(&gang_jobs(8, 7, 200));
}

fn compare_simulated(jobs: &[Job]) {
    let mut bench = Bench::new(Core::default(), |uut| &mut uut.clock);
    for (index, word) in Weights::standard().to_words().into_iter().enumerate() {
        bench.cycle(|uut| {
            uut.weight_write.next = true;
            uut.weight_index.next = (index as u64).into();
            uut.weight_data.next = u64::from(word as u16).into();
        });
    }
    bench.cycle(|uut| uut.weight_write.next = false);

    let evaluator = Evaluator::new(Weights::standard());
    let mut expected: Vec<Line> = (jobs.iter().enumerate())
        .map(|(id, job)| line(id, &leaf::run(job, &evaluator)))
        .collect();
    let words: Vec<u32> = (jobs.iter().enumerate())
        .flat_map(|(id, job)| job_words(id as u16, job))
        .collect();
    let mut found: Vec<Line> = Vec::new();
    let (mut next, mut cycles) = (0, 0);
    while found.len() < jobs.len() {
        bench.uut.job_valid.next = next < words.len();
        bench.uut.job_word.next = u64::from(words.get(next).copied().unwrap_or(0)).into();
        bench.uut.result_ready.next = true;
        bench.settle();
        let taken = bench.uut.job_valid.val() && bench.uut.job_ready.val();
        if bench.uut.result_valid.val() {
            let uut = &bench.uut;
            found.push([
                i64::from(uut.result_id.val().to_u16()),
                i64::from(uut.result_ending.val().to_u8()),
                i64::from(uut.result_score.val().to_u16() as i16),
                i64::from(uut.result_best.val().to_u16()),
                i64::from(uut.result_nodes.val().to_u32()),
                i64::from(uut.result_slots.val().to_u32()),
            ]);
        }
        bench.tick();
        next += usize::from(taken);
        cycles += 1;
        assert!(cycles < 100_000, "the core hangs");
    }
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// The emitted Verilog under Verilator, with all threads busy; the program is `core.cpp`.
#[test]
fn the_verilated_core_equals_the_golden_search() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated-core");
    fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    let mut core = Core::default();
    core.connect_all();
    write("core.v", &generate_verilog(&core));
    write("core.cpp", include_str!("core.cpp"));
    let lines = |numbers: &mut dyn Iterator<Item = i64>| {
        numbers.fold(String::new(), |mut text, number| {
            let _ = writeln!(text, "{number}");
            text
        })
    };
    let weights = Weights::standard().to_words();
    write(
        "weights",
        &lines(&mut weights.into_iter().map(|word| i64::from(word as u16))),
    );

    let evaluator = Evaluator::new(Weights::standard());
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&folder).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}; ./check installs it"));
        assert!(
            output.status.success(),
            "{program}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text")
    };
    run(
        "verilator",
        &[
            "-O3",
            "--x-assign",
            "fast",
            "--x-initial",
            "fast",
            "--noassert",
            "-Wno-fatal",
            "-Wno-lint",
            "--cc",
            "core.v",
            "--top-module",
            "top",
            "--exe",
            "core.cpp",
            "--build",
            "-j",
            "2",
            "-CFLAGS",
            "-O2",
        ],
    );
    use Ending::{Counted, Limit, Lower, Upper};
    for (jobs, endings) in [
        (jobs(1_000, 6, 1_000), [Lower, Upper, Limit, Counted].as_slice()),
        (gang_jobs(600, 8, 20_000), &[Lower, Upper, Limit]),
    ] {
        let outcomes: Vec<Outcome> = jobs.iter().map(|job| leaf::run(job, &evaluator)).collect();
        for &ending in endings {
            let count = outcomes.iter().filter(|outcome| outcome.ending == ending).count();
            assert!(count >= 20, "only {count} jobs end with {ending:?}");
        }
        let words = jobs.iter().enumerate().flat_map(|(id, job)| {
            let words = job_words(id as u16, job);
            [words.len() as u32].into_iter().chain(words).map(i64::from)
        });
        write("jobs", &lines(&mut { words }));
        compare_verilated(&run("./obj_dir/Vtop", &["weights", "jobs"]), &jobs, &outcomes);
    }
}

fn compare_verilated(printed: &str, jobs: &[Job], outcomes: &[Outcome]) {
    let mut expected: Vec<Line> = outcomes
        .iter()
        .enumerate()
        .map(|(id, outcome)| line(id, outcome))
        .collect();
    let mut found: Vec<Line> = (printed.lines())
        .map(|line| {
            let numbers: Vec<i64> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
            numbers.try_into().expect("six numbers")
        })
        .collect();
    found.sort_unstable();
    expected.sort_unstable();
    for (found, expected) in found.iter().zip(&expected) {
        if found != expected {
            let j = &jobs[expected[0] as usize];
            eprintln!(
                "MISMATCH {found:?} {expected:?} {} {:?} first {} limit {}",
                Fen {
                    position: j.position,
                    halfmoves: 0,
                    fullmoves: 1
                },
                j.task,
                j.first,
                j.node_limit
            );
        }
    }
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected, "{:?}", jobs[expected[0] as usize]);
    }
    assert_eq!(found.len(), expected.len());
}
