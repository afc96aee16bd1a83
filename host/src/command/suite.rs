use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use bluebelle::board::Board;
use bluebelle::epd::{self, Problem};
use bluebelle::game::Game;
use bluebelle::limits::{Control, Limits};
use bluebelle::notation;
use bluebelle::report::{Outcome, Silent};
use bluebelle::search::{Settings, Software};
use bluebelle_spec::Move;

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Positions in EPD, with `bm` (best move) or `am` (avoid move)
    file: PathBuf,

    /// Seconds for each position
    #[arg(long, default_value_t = 1.0, value_parser = input::seconds)]
    time: f64,

    /// Nodes for each position instead of seconds: the same result on every machine
    #[arg(long, conflicts_with = "time")]
    nodes: Option<u64>,

    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Mebibytes for the transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    #[command(flatten)]
    weights: input::WeightsArgument,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut software = Software::with_weights(arguments.hash as usize, arguments.weights.get())?;
    let evaluator = software.evaluator();
    let file = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file).with_context(|| format!("cannot read {file}"))?;
    let problems = epd::parse(&text, &evaluator).with_context(|| format!("{file} is not a test suite"))?;
    ensure!(
        !problems.is_empty(),
        "{file} has no positions: expected one in EPD a line, such as '8/8/8/8/8/k7/7R/K7 w - - bm Rh3+;'"
    );
    let limits = Limits {
        movetime: arguments
            .nodes
            .is_none()
            .then(|| Duration::from_secs_f64(arguments.time)),
        nodes: arguments.nodes,
        ..Limits::default()
    };
    let settings = Settings {
        threads: usize::from(arguments.threads),
        overhead: Duration::ZERO,
        ..Settings::default()
    };
    let progress = input::progress_bar(problems.len());
    let mut solved = 0;
    for problem in &problems {
        software.clear();
        let game = Game::new(&problem.fen, &evaluator);
        let outcome = software.search(&game, &limits, &settings, &Control::new(false), &Silent);
        let right = problem.is_solved_by(outcome.best());
        solved += u32::from(right);
        let line = describe(problem, game.board(), &outcome, right);
        progress.suspend(|| -> std::io::Result<()> {
            say!("{line}");
            Ok(())
        })?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    say!("{solved} of {} solved", problems.len());
    Ok(ExitCode::SUCCESS)
}

fn describe(problem: &Problem, board: &Board, outcome: &Outcome, right: bool) -> String {
    let list = |moves: &[Move]| {
        let written: Vec<String> = moves.iter().map(|&mv| notation::format(board, mv)).collect();
        written.join(" ")
    };
    let mut wanted = Vec::new();
    if !problem.best.is_empty() {
        wanted.push(format!("bm {}", list(&problem.best)));
    }
    if !problem.avoid.is_empty() {
        wanted.push(format!("am {}", list(&problem.avoid)));
    }
    let verdict = if right { "solved" } else { "FAILED" };
    let depth = outcome.lines.first().map_or(0, |line| line.depth);
    format!(
        "{verdict}  {}  {}, played {}, depth {depth}",
        problem.id,
        wanted.join(", "),
        list(&[outcome.best()])
    )
}
