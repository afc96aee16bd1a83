use std::process::ExitCode;

use anyhow::{Context, bail};
use bluebelle_spec::leaf::{Bound, Job, MATE, MAX_DEPTH, Outcome, Resolved, Task, resolve};
use bluebelle_spec::{Fen, evaluate};
use serde::Serialize;

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The position: a FEN, or startpos
    #[arg(long, value_parser = input::position)]
    fen: Fen,

    /// Plies before quiescence
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_DEPTH)))]
    depth: u8,

    /// Values at or below this are only bounded
    #[arg(long, default_value_t = -MATE, allow_negative_numbers = true)]
    alpha: i16,

    /// Values at or above this are only bounded
    #[arg(long, default_value_t = MATE, allow_negative_numbers = true)]
    beta: i16,

    /// Null windows asked at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    width: u16,

    /// Prune by the chip's rules: null move, futility, delta, losing captures, reductions
    #[arg(long)]
    pruning: bool,

    /// By all threads of a core together; slots are then its trips
    #[arg(long, requires = "pruning")]
    gang: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    accelerator: input::AcceleratorArgument,

    #[command(flatten)]
    weights: input::WeightsArgument,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    score: i16,
    bound: &'static str,
    best: Option<String>,
    nodes: u64,
    slots: u64,
    jobs: u32,
    rounds: u32,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (alpha, beta) = (arguments.alpha, arguments.beta);
    if alpha >= beta {
        bail!("the window from --alpha {alpha} to --beta {beta} is empty: alpha must be below beta");
    }
    if alpha < -MATE || beta > MATE {
        bail!("the window from --alpha {alpha} to --beta {beta} is too wide: scores go from -{MATE} to {MATE}");
    }
    let weights = arguments.weights.get();
    let mut accelerator = bluebelle::link::open_accelerator(&arguments.accelerator.accel, weights)?;
    let position = arguments.fen.position;
    let mut failure = None;
    let ask = |betas: &[i16]| -> Option<Vec<Outcome>> {
        let depth = arguments.depth;
        let jobs: Vec<Job> = betas
            .iter()
            .map(|&beta| Job {
                pruning: arguments.pruning,
                gang: arguments.gang,
                ..Job::new(position, Task::Search { depth, beta })
            })
            .collect();
        accelerator
            .run(&jobs, &|_| {})
            .map_err(|error| failure = Some(error))
            .ok()
    };
    let guess = evaluate(&position, weights);
    let resolved = resolve(alpha, beta, guess, usize::from(arguments.width), ask);
    if let Some(error) = failure {
        return Err(error.into());
    }
    let resolved = resolved.context("a job reached its node limit; try a smaller --depth")?;
    let report = Report::new(&resolved);
    if arguments.json {
        say!("{}", serde_json::to_string(&report)?);
    } else {
        report.print()?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Report {
    fn new(resolved: &Resolved) -> Report {
        Report {
            score: resolved.score,
            bound: match resolved.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            best: (!resolved.best.is_none()).then(|| resolved.best.to_string()),
            nodes: resolved.nodes,
            slots: resolved.slots,
            jobs: resolved.probes,
            rounds: resolved.rounds,
        }
    }

    fn print(&self) -> std::io::Result<()> {
        say!("score  {} ({})", words(self.score), self.bound);
        say!("best   {}", self.best.as_deref().unwrap_or("none"));
        say!("nodes  {}", self.nodes);
        say!(
            "slots  {} ({:.2} a node)",
            self.slots,
            self.slots as f64 / self.nodes as f64
        );
        say!("jobs   {} in {} rounds", self.jobs, self.rounds);
        Ok(())
    }
}

/// A score as a person reads it.
fn words(score: i16) -> String {
    let plies = MATE - score.abs();
    match (plies < 100, score > 0) {
        (true, true) => format!("{score}, mate in {}", (plies + 1) / 2),
        (true, false) => format!("{score}, mated in {}", plies / 2),
        (false, _) => format!("{score} centipawns"),
    }
}
