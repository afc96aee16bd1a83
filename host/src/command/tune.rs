use std::fs::OpenOptions;
use std::io::{BufWriter, ErrorKind};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow, ensure};
use bluebelle::tune::{fit, selfplay};
use bluebelle_spec::Weights;

use crate::input;
use crate::output::{self, note, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play games against itself and write down their quiet positions.
    Games(GamesArguments),
    /// Fit the weights to such positions, and write a weights file.
    Fit(FitArguments),
}

#[derive(clap::Args)]
struct GamesArguments {
    /// Where the positions go
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u32,

    /// Nodes for each move
    #[arg(long, default_value_t = 4000)]
    nodes: u64,

    /// Another seed, other games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Overwrite the file if it is there
    #[arg(long)]
    force: bool,
}

#[derive(clap::Args)]
struct FitArguments {
    /// Positions with scores and results, as `tune games` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Where the weights go
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Passes over the positions
    #[arg(long, default_value_t = 60)]
    epochs: u32,

    /// The first step, in centipawns
    #[arg(long, default_value_t = 1.5)]
    step: f64,

    /// How much of the target is the game's result; the rest is the search's score
    #[arg(long, default_value_t = 0.6)]
    result_share: f64,

    /// How strongly the weights are held where they were
    #[arg(long, default_value_t = 1e-9)]
    hold: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Games(arguments) => games(arguments),
        Command::Fit(arguments) => fit(arguments),
    }
}

fn games(arguments: &GamesArguments) -> anyhow::Result<ExitCode> {
    let name = arguments.output.display();
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    if !arguments.force {
        options.create_new(true);
    }
    let file = options.open(&arguments.output).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!(
            "{name} is there already, and its games would be lost: name another file, or overwrite it with --force; \
             `bluebelle tune fit` takes several files"
        ),
        _ => anyhow::Error::from(error).context(format!("cannot write {name}")),
    })?;
    let plan = selfplay::Plan {
        games: arguments.games,
        nodes: arguments.nodes,
        seed: arguments.seed,
    };
    let progress = input::progress_bar(arguments.games as usize);
    selfplay::play(&plan, &mut BufWriter::new(file), &mut || progress.inc(1))
        .with_context(|| format!("cannot write {name}"))?;
    progress.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

fn fit(arguments: &FitArguments) -> anyhow::Result<ExitCode> {
    output::check_file(&arguments.output)?;
    let plan = fit::Plan {
        epochs: arguments.epochs,
        step: arguments.step,
        result_share: arguments.result_share.clamp(0.0, 1.0),
        hold: arguments.hold,
    };
    let mut text = String::new();
    for file in &arguments.files {
        text += &std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    let samples = fit::Samples::parse(&text, &plan)?;
    ensure!(!samples.is_empty(), "there are no positions to learn from");
    let start = Weights::standard();
    say!(
        "{} positions, error {:.6?} (learnt, held out)",
        samples.len(),
        samples.error(start)
    );
    let weights = samples.fit(start, &plan, &mut |epoch, weights| {
        if epoch % 10 == 0 {
            note!("pass {epoch}, error {:.6?}", samples.error(weights));
        }
    });
    weights.validate().context("the fitted weights do not fit the chip")?;
    std::fs::write(&arguments.output, weights.to_string())
        .with_context(|| format!("cannot write {}", arguments.output.display()))?;
    Ok(ExitCode::SUCCESS)
}
