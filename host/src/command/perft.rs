use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use bluebelle_sim::Accelerator;
use bluebelle_spec::leaf::{self, Ending, Job, Task};
use bluebelle_spec::suite::{self, PerftCase};
use bluebelle_spec::{Fen, Move, Position, Weights};
use indicatif::ProgressBar;

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The position: a FEN, or startpos
    #[arg(long, value_parser = input::position, required_unless_present = "epd")]
    fen: Option<Fen>,

    /// How many moves deep; with --epd, how deep at most
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=15))]
    depth: u8,

    /// Show the count of each first move
    #[arg(long, conflicts_with = "epd")]
    divide: bool,

    /// Check a suite: a position a line, `FEN ;D1 20 ;D2 400 …`
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    epd: Option<PathBuf>,

    #[command(flatten)]
    accelerator: input::AcceleratorArgument,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut accelerator = bluebelle::link::open_accelerator(&arguments.accelerator.accel, Weights::standard())?;
    match (&arguments.epd, &arguments.fen) {
        (Some(file), _) => check_suite(accelerator.as_mut(), file, arguments.depth),
        (None, Some(fen)) => {
            count(accelerator.as_mut(), &fen.position, arguments.depth, arguments.divide)?;
            Ok(ExitCode::SUCCESS)
        }
        (None, None) => bail!("give a position with --fen or a suite with --epd"),
    }
}

/// Counts one position, move by move if asked.
fn count(accelerator: &mut dyn Accelerator, position: &Position, depth: u8, divide: bool) -> anyhow::Result<()> {
    let work = Work::split(position, depth);
    let progress = input::progress_bar(work.jobs.len());
    let counts = work.run(accelerator, &progress)?;
    progress.finish_and_clear();
    if divide && depth > 0 {
        for mv in leaf::legal_moves(position) {
            say!("{mv}: {}", sum(&counts, |first| first == mv));
        }
        say!("");
    }
    say!("nodes {}", sum(&counts, |_| true));
    Ok(())
}

/// Checks every published count of a suite, up to a depth.
fn check_suite(accelerator: &mut dyn Accelerator, file: &Path, depth: u8) -> anyhow::Result<ExitCode> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let cases = suite::parse(&text).with_context(|| name.to_string())?;
    let checks: Vec<(&PerftCase, u8, u64)> = cases
        .iter()
        .flat_map(|case| case.counts.iter().map(move |&(depth, count)| (case, depth, count)))
        .filter(|check| check.1 <= depth)
        .collect();
    if checks.is_empty() {
        bail!("{name} has no count up to depth {depth}: its lines look like 'FEN ;D1 20 ;D2 400'");
    }
    let progress = input::progress_bar(checks.len());
    let (mut total, mut mismatches) = (0, 0);
    for &(case, depth, expected) in &checks {
        let work = Work::split(&case.fen.position, depth);
        let found = sum(&work.run(accelerator, &ProgressBar::hidden())?, |_| true);
        total += found;
        if found != expected {
            mismatches += 1;
            progress.suspend(|| -> anyhow::Result<()> {
                say!("mismatch: {} at depth {depth}: {found}, expected {expected}", case.fen);
                Ok(())
            })?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    say!(
        "{} positions, {} counts, {mismatches} mismatches",
        cases.len(),
        checks.len()
    );
    say!("nodes {total}");
    Ok(ExitCode::from(u8::from(mismatches > 0)))
}

/// The jobs of one count, each under its first move.
struct Work {
    jobs: Vec<Job>,
    firsts: Vec<Move>,
}

impl Work {
    /// The deepest count that is left to one job: with more, all threads have something to do, and no job runs long.
    const JOB_DEPTH: u8 = 4;

    fn split(position: &Position, depth: u8) -> Work {
        let mut work = Work {
            jobs: Vec::new(),
            firsts: Vec::new(),
        };
        match depth {
            0 => work.add(*position, 0, Move::NONE),
            _ => {
                for mv in leaf::legal_moves(position) {
                    work.expand(&position.after(mv), depth - 1, mv);
                }
            }
        }
        work
    }

    fn expand(&mut self, position: &Position, depth: u8, first: Move) {
        if depth <= Work::JOB_DEPTH {
            return self.add(*position, depth, first);
        }
        for mv in leaf::legal_moves(position) {
            self.expand(&position.after(mv), depth - 1, first);
        }
    }

    fn add(&mut self, position: Position, depth: u8, first: Move) {
        self.jobs.push(Job::new(position, Task::Perft { depth }));
        self.firsts.push(first);
    }

    /// The count under each job's first move.
    fn run(&self, accelerator: &mut dyn Accelerator, progress: &ProgressBar) -> anyhow::Result<Vec<(Move, u64)>> {
        let outcomes = accelerator.run(&self.jobs, &|_| progress.inc(1))?;
        let counted = |(&first, outcome): (&Move, &leaf::Outcome)| match outcome.ending {
            Ending::Counted => Ok((first, u64::from(outcome.nodes))),
            ending => bail!("the accelerator ended a count with {ending:?}"),
        };
        self.firsts.iter().zip(&outcomes).map(counted).collect()
    }
}

fn sum(counts: &[(Move, u64)], wanted: impl Fn(Move) -> bool) -> u64 {
    counts.iter().filter(|count| wanted(count.0)).map(|count| count.1).sum()
}
