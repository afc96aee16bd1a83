//! The Verilated chip against the golden model: score, bound, best move, nodes and slots, with all threads busy at once.

use std::path::Path;

use bluebelle_sim::{Accelerator, Verilated, chip_verilog};
use bluebelle_spec::leaf::{self, Ending, Job, MATE, Outcome, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Move, Weights, evaluate};
use bluebelle_tests::classes::Census;
use bluebelle_tests::games::Games;
use bluebelle_tests::suite;

const JOBS: usize = 1_000;

#[test]
fn the_verilated_chip_equals_the_golden_model() {
    let mut rng = SplitMix64::new(12);
    let mut census = Census::default();
    let jobs: Vec<Job> = Games::from_suite(11, "sharp.epd")
        .expect("the suite")
        .take(JOBS)
        .map(|sample| {
            let position = sample.position;
            census.add(&sample.chess);
            random_job(&mut rng, &position)
        })
        .collect();
    for (class, count) in census.by_name() {
        println!("{class}: {count}");
    }
    for wanted in [
        "promotion",
        "check",
        "en passant",
        "castling king side",
        "castling queen side",
        "mate",
    ] {
        let count = census
            .by_name()
            .find(|(class, _)| *class == wanted)
            .map_or(0, |class| class.1);
        assert!(count >= 10, "only {count} positions of class {wanted}");
    }

    let evaluator = Evaluator::new(Weights::standard());
    let expected: Vec<Outcome> = jobs.iter().map(|job| leaf::run(job, &evaluator)).collect();
    for ending in [Ending::Lower, Ending::Upper, Ending::Counted, Ending::Limit] {
        let count = expected.iter().filter(|outcome| outcome.ending == ending).count();
        assert!(count >= 10, "only {count} jobs end with {ending:?}");
    }
    let mut chip = Verilated::open(&chip_verilog("").expect("the chip"), Weights::standard()).expect("a chip");
    let found = chip.run(&jobs, &|_| {}).expect("the chip answers");
    for ((job, expected), found) in jobs.iter().zip(&expected).zip(&found) {
        if expected != found {
            let wave = write_wave(job);
            panic!("{job:?}\nexpected {expected:?}\nfound    {found:?}\nwaveform in {wave}");
        }
    }
}

/// The six standard positions through the chip, to depth 3; to depth 4 with `--ignored`.
#[test]
fn perft_through_the_chip() {
    check_perft(3);
}

#[test]
#[ignore = "half an hour; ./check --long runs it"]
fn deep_perft_through_the_chip() {
    check_perft(4);
}

fn check_perft(depth: u8) {
    let mut chip = Verilated::open(&chip_verilog("").expect("the chip"), Weights::standard()).expect("a chip");
    for case in suite::read("standard.perft").expect("the suite") {
        let count = case.counts.iter().find(|count| count.0 == depth).expect("a count").1;
        // A job for each first move, so that all threads have something to do.
        let jobs: Vec<Job> = leaf::legal_moves(&case.fen.position)
            .into_iter()
            .map(|first| Job {
                first,
                ..Job::new(case.fen.position, Task::Perft { depth: depth - 1 })
            })
            .collect();
        let outcomes = chip.run(&jobs, &|_| {}).expect("the chip answers");
        let found: u64 = outcomes.iter().map(|outcome| u64::from(outcome.nodes)).sum();
        assert_eq!(found, count, "{} at depth {depth}", case.fen);
    }
}

fn random_job(rng: &mut SplitMix64, position: &bluebelle_spec::Position) -> Job {
    let moves = leaf::legal_moves(position);
    let first = match (moves.is_empty(), rng.below(3)) {
        (false, 0) => moves[rng.below(moves.len() as u64) as usize],
        _ => Move::NONE,
    };
    let task = match rng.below(4) {
        0 => Task::Perft {
            depth: rng.below(3) as u8,
        },
        _ => Task::Search {
            depth: rng.below(4) as u8,
            beta: match rng.below(8) {
                0 => MATE - 3,
                1 => 4 - MATE,
                2 => 0,
                _ => evaluate(position, Weights::standard()) + rng.below(200) as i16 - 100,
            },
        },
    };
    // A limit keeps the few long searches short, and is tested so.
    let node_limit = match rng.below(8) {
        0 => 1 + rng.below(100) as u32,
        _ => 2_000,
    };
    Job {
        position: *position,
        first,
        task,
        node_limit,
    }
}

/// Runs one job again, with a waveform.
fn write_wave(job: &Job) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mismatch.vcd");
    let chip = chip_verilog("").and_then(|verilog| Verilated::open_traced(&verilog, Weights::standard(), &path));
    match chip.map(|mut chip| chip.run(&[*job], &|_| {}).is_ok()) {
        Ok(_) => path.display().to_string(),
        Err(error) => format!("nowhere: {error}"),
    }
}
