//! The chip itself, as a Verilated program, against the golden model: same outcomes, same slots.

use bluebelle_sim::{Accelerator, Model, Verilated, chip_verilog};
use bluebelle_spec::leaf::{Job, Outcome, Task};
use bluebelle_spec::{Fen, Position, Weights};

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
