//! How fast the Verilated chip runs, and how busy its cores are: `cargo bench -p bluebelle-sim`, or with other numbers of cores
//! `cargo bench -p bluebelle-sim -- 1 2 4`.

use std::env;
use std::time::Instant;

use bluebelle_sim::{Accelerator, Verilated, chip_verilog};
use bluebelle_spec::leaf::{Job, Outcome, Task};
use bluebelle_spec::{Fen, Position, Weights, evaluate};

/// Jobs for each thread, so that the end, when threads run dry, is short.
const JOBS_A_THREAD: usize = 240;

fn main() {
    // Cargo adds `--bench`.
    let mut cores: Vec<usize> = env::args().filter_map(|argument| argument.parse().ok()).collect();
    if cores.is_empty() {
        cores.push(1);
    }
    println!("cores  depth   jobs  slots/job  busy      cycles  cycles/s  nodes/s");
    for cores in cores {
        let verilog = chip_verilog(&cores.to_string()).expect("1 to 16 cores");
        for depth in [0, 2, 3] {
            let mut chip = Verilated::open(&verilog, Weights::standard()).expect("Verilator builds it");
            let threads = usize::from(chip.identity().threads);
            let jobs = jobs(depth, JOBS_A_THREAD * cores * threads);
            let (opened, started) = (chip.cycles(), Instant::now());
            let outcomes = chip.run(&jobs, &|_| {}).expect("all done");
            let (cycles, seconds) = (chip.cycles() - opened, started.elapsed().as_secs_f64());
            let sum = |part: fn(&Outcome) -> u32| outcomes.iter().map(|outcome| f64::from(part(outcome))).sum::<f64>();
            let (slots, nodes) = (sum(|outcome| outcome.slots), sum(|outcome| outcome.nodes));
            println!(
                "{cores:5} {depth:6} {:6} {:10.0} {:4.0} % {cycles:11} {:9.0} {:8.0}",
                jobs.len(),
                slots / jobs.len() as f64,
                100. * slots / (cycles as f64 * cores as f64),
                cycles as f64 / seconds,
                nodes / seconds,
            );
        }
    }
}

/// Searches around the value of varied positions.
fn jobs(depth: u8, count: usize) -> Vec<Job> {
    let positions: Vec<Position> = include_str!("../../spec/data/varied.epd")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.parse::<Fen>().expect("a valid data file").position)
        .collect();
    let windows = [0, -40, 40, -15, 15, -80, 80];
    let pairs = windows
        .iter()
        .flat_map(|window| positions.iter().map(move |position| (position, window)));
    pairs
        .cycle()
        .take(count)
        .map(|(&position, window)| {
            let beta = evaluate(&position, Weights::standard()) + window;
            Job::new(position, Task::Search { depth, beta })
        })
        .collect()
}
