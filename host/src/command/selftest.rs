use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use bluebelle_sim::{Accelerator, Model};
use bluebelle_spec::leaf::{Ending, Job, Outcome, Task};
use bluebelle_spec::{Fen, Weights};

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    accelerator: input::AcceleratorArgument,
}

/// Positions whose jobs are compared.
const POSITIONS: &str = include_str!("bench.epd");

/// Published counts of moves: a position, a depth and a count.
const COUNTS: [(&str, u8, u32); 3] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, 8902),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        2,
        2039,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812),
];

/// What each position is asked.
const TASKS: [Task; 8] = [
    Task::Perft { depth: 1 },
    Task::Perft { depth: 2 },
    Task::Search { depth: 0, beta: 30 },
    Task::Search { depth: 1, beta: -100 },
    Task::Search { depth: 1, beta: 0 },
    Task::Search { depth: 1, beta: 100 },
    Task::Search { depth: 2, beta: -50 },
    Task::Search { depth: 2, beta: 20 },
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    test(&arguments.accelerator.accel)
}

/// Tests an accelerator, and says what it finds.
pub(super) fn test(name: &str) -> anyhow::Result<ExitCode> {
    let mut accelerator = bluebelle::link::open_accelerator(name, Weights::standard())?;
    say!("identify    {name}: {}", accelerator.name());
    let mut wrong = count(&mut *accelerator)?;
    wrong += compare(&mut *accelerator)?;
    if wrong == 0 {
        say!("PASS");
        return Ok(ExitCode::SUCCESS);
    }
    say!("FAIL: {wrong} wrong answers of {name}; it must not be used for playing");
    Ok(ExitCode::FAILURE)
}

/// Counts moves, and compares the counts with the published ones; how many are wrong.
fn count(accelerator: &mut dyn Accelerator) -> anyhow::Result<usize> {
    let mut jobs = Vec::new();
    for (fen, depth, _) in COUNTS {
        let fen: Fen = fen.parse().with_context(|| format!("'{fen}'"))?;
        jobs.push(Job::new(fen.position, Task::Perft { depth }));
    }
    let outcomes = accelerator.run(&jobs, &|_| {})?;
    let mut wrong = 0;
    for ((fen, depth, count), outcome) in COUNTS.iter().zip(&outcomes) {
        if outcome.ending != Ending::Counted || outcome.nodes != *count {
            wrong += 1;
            let (ending, nodes) = (outcome.ending, outcome.nodes);
            say!("wrong       {fen} at depth {depth}: {nodes} ({ending:?}), expected {count}");
        }
    }
    say!("perft       {} counts, {wrong} wrong", COUNTS.len());
    Ok(wrong)
}

/// Compares jobs with the golden search, field by field; how many differ.
fn compare(accelerator: &mut dyn Accelerator) -> anyhow::Result<usize> {
    let mut jobs = Vec::new();
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let fen: Fen = line.parse().with_context(|| format!("'{line}'"))?;
        jobs.extend(TASKS.map(|task| Job::new(fen.position, task)));
    }
    let expected = Model::default().run(&jobs, &|_| {})?;
    let progress = input::progress_bar(jobs.len());
    let began = Instant::now();
    let found = accelerator.run(&jobs, &|_| progress.inc(1))?;
    let seconds = began.elapsed().as_secs_f64().max(1e-6);
    progress.finish_and_clear();
    let differ = |(found, expected): &(&Outcome, &Outcome)| found != expected;
    let wrong = found.iter().zip(&expected).filter(differ).count();
    if let Some(at) = found.iter().zip(&expected).position(|pair| differ(&pair)) {
        say!(
            "wrong       {:?}: found {:?}, expected {:?}",
            jobs[at],
            found[at],
            expected[at]
        );
    }
    let nodes: u64 = found.iter().map(|outcome| u64::from(outcome.nodes)).sum();
    say!(
        "golden      {} jobs, {wrong} that differ from the golden search",
        jobs.len()
    );
    say!(
        "throughput  {:.0} jobs/s, {:.0} nodes/s, over the line and back",
        jobs.len() as f64 / seconds,
        nodes as f64 / seconds
    );
    Ok(wrong)
}
