//! The chip itself, as a Verilated program, against the golden model: same outcomes, same slots.

use bluebelle_sim::verilated::Process;
use bluebelle_sim::{Accelerator, ClockedChip, Model, Until, Verilated, build_board, chip_verilog};
use bluebelle_spec::leaf::{self, Job, Outcome, Task};
use bluebelle_spec::wire::{Decoder, JobResult, Message, Reply, Request, WeightWords};
use bluebelle_spec::{Evaluator, Fen, Position, Weights};

fn positions() -> Vec<Position> {
    let lines = include_str!("../../spec/data/varied.epd").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.parse::<Fen>().expect("a FEN").position).collect()
}

/// Searches around the value, and perfts, of every second position.
fn jobs() -> Vec<Job> {
    let tasks = [
        Task::Search { depth: 0, beta: 0 },
        Task::Search { depth: 2, beta: 35 },
        Task::Search { depth: 3, beta: -80 },
        Task::Perft { depth: 2 },
    ];
    let positions = positions();
    let some = positions.iter().step_by(2);
    some.flat_map(|&position| tasks.map(|task| Job::new(position, task)))
        .collect()
}

fn run(accelerator: &mut dyn Accelerator, jobs: &[Job]) -> Vec<Outcome> {
    accelerator.run(jobs, &|_| {}).expect("all done")
}

#[test]
fn the_chip_equals_the_model() {
    let jobs = jobs();
    assert!(jobs.len() > 200);
    let expected = run(&mut Model::default(), &jobs);
    let verilog = chip_verilog("2").expect("two cores");
    let mut chip = Verilated::open(&verilog, Weights::standard()).expect("it opens");
    let found = run(&mut chip, &jobs);
    for (index, (expected, found)) in expected.iter().zip(&found).enumerate() {
        assert_eq!(expected, found, "job {index}: {:?}", jobs[index]);
    }

    // A run is the same in each life of a chip, to the cycle.
    let cycles = chip.cycles();
    let mut again = Verilated::open(&verilog, Weights::standard()).expect("it opens");
    run(&mut again, &jobs);
    assert_eq!(again.cycles(), cycles);
}

/// Weights, jobs and results bit by bit over the chip's own serial line, as the virtual board has it.
#[test]
fn the_chip_answers_over_its_serial_line() {
    let mut chip = Process::start(&build_board("1").expect("it builds"), None).expect("it starts");
    let weights = Weights::standard();
    let jobs: Vec<Job> = jobs().into_iter().take(40).collect();
    let mut bytes = b"\0noise\0".to_vec();
    for words in WeightWords::all(weights) {
        Request::LoadWeights(words).encode_to(&mut bytes).expect("good weights");
    }
    for (id, &job) in (0..).zip(&jobs) {
        Request::Job { id, job }.encode_to(&mut bytes).expect("a good job");
    }
    let mut decoder = Decoder::<Reply>::new();
    let mut results: Vec<JobResult> = Vec::new();
    for _ in 0..1_000 {
        let until = Until {
            frames: 1,
            cycles: 200_000,
        };
        let answer = chip.exchange(&bytes, until).expect("it runs");
        bytes.clear();
        for reply in decoder.push(&answer.bytes) {
            match reply.expect("a good frame") {
                Reply::Results(found) => results.extend(found),
                other => panic!("{other:?}"),
            }
        }
        if results.len() == jobs.len() {
            break;
        }
    }
    results.sort_by_key(|result| result.id);
    let evaluator = Evaluator::new(weights);
    assert_eq!(results.len(), jobs.len());
    for (result, job) in results.iter().zip(&jobs) {
        assert_eq!(result.outcome, leaf::run(job, &evaluator), "{job:?}");
    }
}
