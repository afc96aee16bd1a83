mod accelerator;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use bluebelle::game::Game;
use bluebelle::limits::{Control, Limits};
use bluebelle::report::Silent;
use bluebelle::score::UciScore;
use bluebelle::search::{Settings, Software};
use bluebelle_spec::Fen;
use bluebelle_spec::leaf::MAX_DEPTH;

use crate::input;
use crate::output::{note, say};

/// Openings, middle games, endgames, mates and draws.
const POSITIONS: &str = include_str!("bench.epd");

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Plies
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Mebibytes for the transposition table; another size is another count
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Measure this accelerator instead: jobs as the search has them, as many at once as it takes
    #[arg(long, value_name = "NAME")]
    accel: Option<String>,

    /// Seconds that an accelerator is measured
    #[arg(long, default_value_t = 5.0, requires = "accel", value_parser = input::seconds)]
    time: f64,

    /// Plies of an accelerator's jobs
    #[arg(long, default_value_t = 6, requires = "accel", value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_DEPTH)))]
    plies: u8,

    /// Print an accelerator's figures as one JSON object
    #[arg(long, requires = "accel")]
    json: bool,

    #[command(flatten)]
    weights: input::WeightsArgument,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(name) = &arguments.accel {
        return accelerator::run(name, POSITIONS, (arguments.time, arguments.plies), arguments.json);
    }
    let mut software = Software::with_weights(arguments.hash as usize, arguments.weights.get())?;
    let evaluator = software.evaluator();
    let limits = Limits {
        depth: Some(arguments.depth),
        ..Limits::default()
    };
    let mut nodes = 0;
    let started = Instant::now();
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let fen: Fen = line.parse().with_context(|| format!("'{line}'"))?;
        software.clear();
        let game = Game::new(&fen, &evaluator);
        let outcome = software.search(&game, &limits, &Settings::default(), &Control::new(false), &Silent);
        nodes += outcome.nodes;
        note!(
            "{:10} nodes  {:5}  {:12}  {line}",
            outcome.nodes,
            outcome.best().to_string(),
            UciScore(outcome.score()).to_string()
        );
    }
    let speed = nodes as f64 / started.elapsed().as_secs_f64().max(1e-6);
    say!("{nodes} nodes {speed:.0} nps");
    Ok(ExitCode::SUCCESS)
}
