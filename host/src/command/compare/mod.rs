mod accelerator;
mod games;
pub(crate) mod origin;
mod print;
mod search;
mod software;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail, ensure};
use bluebelle::compare::{self, Asked, Comparison, Strength};
use bluebelle::epd::{self, Problem};
use bluebelle::evaluation::Evaluator;
use bluebelle::memory;
use bluebelle::projection::Setup;
use bluebelle_spec::Weights;

use crate::command::play_match::{INTERRUPTED, stop_when_interrupted};
use crate::command::projected::BoardArguments;
use crate::input;
use crate::output::{self, note, say};
use accelerator::Accelerator;
use games::Games;
use search::{Positions, Task};
use software::SoftwareSide;

/// What is compared if no file is named.
const POSITIONS: &str = include_str!("../../../data/bratko-kopec.epd");

/// Plies of the searches whose questions are counted.
const LEAVES_DEPTH: u32 = 13;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    boards: BoardArguments,

    /// Measure with these accelerators instead: serial:PATH, pcie:ADDRESS, verilated, model
    #[arg(long, value_name = "NAMES", conflicts_with_all = ["board", "cores", "mhz", "gangs", "no_gangs", "boards", "baud", "rate", "latency_us", "line", "seed", "games"])]
    accel: Option<String>,

    /// Positions in EPD; the 24 of Bratko and Kopec if none are named
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,

    /// Seconds for each position and each search; with --games, for a move too, and several with
    /// commas between them are matches each: positions then have the longest
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', default_value = "0.3", value_parser = input::seconds)]
    time: Vec<f64>,

    /// Plies for each position and each search, instead of time
    #[arg(long, conflicts_with_all = ["time", "games"], value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Threads of the accelerated search's host; the first of them has the boards
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Threads of the software search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    software_threads: u16,

    /// Mebibytes for each transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Charge fixed costs, and draw the line's jitter from this seed: the same result on every
    /// machine
    #[arg(long)]
    seed: Option<u64>,

    /// Also play this number of games at each odds, in virtual time: how many times the time makes
    /// the software as strong
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,

    /// How many times as much time the software has in the games, a match each
    #[arg(
        long,
        requires = "games",
        value_name = "FACTORS",
        value_delimiter = ',',
        default_value = "1,2,4"
    )]
    odds: Vec<f64>,

    /// Games at once [default: the machine's cores]; the result does not depend on this number
    #[arg(long, requires = "games", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Also tell the strength that these files show, which `bluebelle match --accelerated --json`
    /// has written
    #[arg(long, value_name = "FILES", num_args = 1..)]
    gain: Vec<PathBuf>,

    /// Another UCI engine to stand beside; may be given several times
    #[arg(long, value_name = "PATH")]
    engine: Vec<PathBuf>,

    /// Seconds that other engines have for each position [default: those of --time, or 1]
    #[arg(long, value_parser = input::seconds)]
    engine_time: Option<f64>,

    /// Instead, search this number of questions of a search of each position by the chip's model
    /// and in software, and compare their nodes
    #[arg(long, value_name = "N", conflicts_with_all = ["accel", "engine", "html", "games", "gain", "time"], value_parser = clap::value_parser!(u16).range(1..))]
    leaves: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write a report with plots to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Arguments {
    /// Seconds for a position; none at a fixed depth.
    fn position_time(&self) -> Option<f64> {
        let longest = self.time.iter().copied().reduce(f64::max);
        longest.filter(|_| self.depth.is_none())
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    ensure!(
        arguments.games.is_some() || arguments.time.len() == 1,
        "found {} times without --games, expected one: positions are searched once, and tell what was found by the clock",
        arguments.time.len()
    );
    if let Some(path) = &arguments.html {
        output::check_file(path)?;
    }
    let evaluator = Evaluator::new(Weights::standard());
    let problems = read_problems(arguments.positions.as_deref(), &evaluator)?;
    let games = Games::new(arguments)?;
    memory::check_tables(2, arguments.hash as usize).context("--hash, a table for each search")?;
    // Before anything has threads: threads inherit which signals are blocked.
    let stop = Arc::new(AtomicBool::new(false));
    stop_when_interrupted(&stop);
    let mut accelerator = Accelerator::open(arguments)?;
    if let (Some(each), Some(setup)) = (arguments.leaves, accelerator.setup()) {
        return leaves(arguments, setup, &problems, each);
    }
    let mut software = SoftwareSide::new(arguments)?;
    let comparison = Comparison {
        version: env!("CARGO_PKG_VERSION"),
        accelerated_is: accelerator.label(),
        software_is: software.label(),
        board: accelerator.figures(),
        asked: Asked {
            depth: arguments.depth,
            time: arguments.position_time(),
            accelerators: arguments.accel.clone(),
            threads: arguments.threads.into(),
            software_threads: arguments.software_threads.into(),
            hash: arguments.hash as usize,
            seed: arguments.seed,
        },
        host_cost: accelerator.host_cost(),
        total: compare::total(&[]),
        by_clock: Vec::new(),
        positions: Vec::new(),
        strength: Vec::new(),
    };
    let task = Task {
        arguments,
        problems: &problems,
        evaluator: &evaluator,
    };
    let interrupted = |positions: Positions| {
        note!("ended after {} of {} positions", positions.rows.len(), problems.len());
        let told = tell(&task, comparison.clone(), positions, Vec::new()).and_then(|()| Ok(output::flush()?));
        if let Err(error) = told {
            note!("error: {error:#}");
        }
        std::process::exit(INTERRUPTED.into())
    };
    let positions = search::all(&task, &mut software, &mut accelerator, &stop, interrupted)?;
    let (strength, finished) = games.play(&stop)?;
    tell(&task, comparison, positions, strength)?;
    Ok(if finished {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(INTERRUPTED)
    })
}

/// Prints what was found, and writes the report.
fn tell(task: &Task<'_>, comparison: Comparison, positions: Positions, strength: Vec<Strength>) -> anyhow::Result<()> {
    let Positions { rows, pairs } = positions;
    let comparison = Comparison {
        total: compare::total(&rows),
        by_clock: compare::by_clock(&task.problems[..rows.len()], &pairs),
        positions: rows,
        strength,
        ..comparison
    };
    if task.arguments.json {
        say!("{}", serde_json::to_string_pretty(&comparison)?);
    } else {
        print::print_total(&comparison)?;
    }
    if let Some(path) = &task.arguments.html {
        let page = compare::page(&comparison, &origin::now());
        std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// What the chip and the software need for the same questions.
fn leaves(arguments: &Arguments, setup: &Setup, problems: &[Problem], each: u16) -> anyhow::Result<ExitCode> {
    let depth = arguments.depth.unwrap_or(LEAVES_DEPTH);
    let progress = input::progress_bar(problems.len());
    let factors = compare::leaf_factors(setup, problems, depth, each.into(), || progress.inc(1))?;
    progress.finish_and_clear();
    ensure!(
        factors.leaves > 0,
        "found no job in searches to depth {depth}, expected some: give a larger --depth"
    );
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&factors)?);
    } else {
        print::print_leaves(&factors)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read_problems(path: Option<&Path>, evaluator: &Evaluator) -> anyhow::Result<Vec<Problem>> {
    let Some(path) = path else {
        return Ok(epd::parse_positions(POSITIONS, evaluator)?);
    };
    let file = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {file}"))?;
    let problems = epd::parse_positions(&text, evaluator).with_context(|| format!("{file} has no positions in EPD"))?;
    if problems.is_empty() {
        bail!("{file} has no positions: expected one in EPD a line");
    }
    Ok(problems)
}
