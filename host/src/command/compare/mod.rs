mod accelerator;
mod print;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use bluebelle::compare::{
    self, Asked, Comparison, Engine, FIXED_COST, FIXED_SOFTWARE_NODE, Row, Searched, SoftwareClock, SweepRow,
};
use bluebelle::epd::{self, Problem};
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::projection::{Setup, share};
use bluebelle::search::Software;
use bluebelle_sim::LeafCache;
use bluebelle_spec::leaf::MAX_DEPTH;
use indicatif::ProgressBar;

use crate::command::projected::BoardArguments;
use crate::input::{self, say};
use accelerator::Accelerator;

/// What is compared if no file is named.
const POSITIONS: &str = include_str!("../../../data/bratko-kopec.epd");

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    boards: BoardArguments,

    /// Measure with these accelerators instead: serial:PATH, verilated, model
    #[arg(long, value_name = "NAMES", conflicts_with_all = ["cores", "mhz", "gangs", "no_gangs", "boards", "seed", "html"])]
    accel: Option<String>,

    /// Positions in EPD; the 24 of Bratko and Kopec if none are named
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,

    /// Plies [default: 10]
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Seconds for each position and each search, instead of plies
    #[arg(long, value_parser = input::seconds)]
    time: Option<f64>,

    /// Plies that a job searches; 0 lets the engine choose
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_DEPTH)))]
    leaf_depth: u8,

    /// The software search leads and the tree with hardware scouts for it, as in the engine; without this, the tree is on its own
    #[arg(long, conflicts_with = "leaves")]
    led: bool,

    /// Threads of the software search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    software_threads: u16,

    /// Mebibytes for each transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Charge fixed costs, and draw the line's jitter from this seed: the same result on every machine
    #[arg(long)]
    seed: Option<u64>,

    /// Another UCI engine to stand beside; may be given several times
    #[arg(long, value_name = "PATH")]
    engine: Vec<PathBuf>,

    /// Seconds that other engines have for each position
    #[arg(long, default_value_t = 1.0, value_parser = input::seconds)]
    engine_time: f64,

    /// Also vary cores, boards, leaf depth and line, on so many of the positions [default: 3 with --html, else 0]
    #[arg(long, value_name = "POSITIONS")]
    sweep: Option<usize>,

    /// Instead, search so many leaves of each position's upper tree by the chip's model and in software, and compare their nodes
    #[arg(long, value_name = "LEAVES", conflicts_with_all = ["accel", "engine", "html", "sweep", "time"], value_parser = clap::value_parser!(u16).range(1..))]
    leaves: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write a report with plots to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Arguments {
    fn depth(&self) -> u32 {
        self.depth.unwrap_or(10)
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut software = Software::new(arguments.hash as usize);
    let problems = read_problems(arguments.positions.as_deref(), &software)?;
    let mut accelerator = Accelerator::open(arguments)?;
    if let (Some(each), Accelerator::Projected { setup, .. }) = (arguments.leaves, &accelerator) {
        return leaves(arguments, setup, &problems, each);
    }
    let clock = match arguments.seed {
        Some(_) => SoftwareClock::Fixed(FIXED_SOFTWARE_NODE),
        None => SoftwareClock::Measured,
    };
    let engines = arguments.engine.iter().map(|path| Engine::start(path));
    let mut engines: Vec<Engine> = engines.collect::<Result<_, _>>()?;
    let limits = Limits {
        depth: arguments.time.is_none().then(|| arguments.depth()),
        movetime: arguments.time.map(Duration::from_secs_f64),
        ..Limits::default()
    };
    let software_limits = of_software(&limits, clock);

    let evaluator = software.evaluator();
    let progress = input::progress_bar(problems.len());
    let cache = LeafCache::default();
    let mut rows: Vec<Row> = Vec::new();
    let mut pairs: Vec<(Searched, Searched)> = Vec::new();
    for problem in &problems {
        let game = Game::new(&problem.fen, &evaluator);
        let threads = arguments.software_threads.into();
        let alone = compare::search_software(&mut software, &game, &software_limits, threads, clock);
        let mut with_hardware = accelerator.search(&game, &limits, &cache)?;
        tell_warnings(&mut with_hardware, problem, &progress);
        let mut row = compare::row(problem, &alone, &with_hardware);
        if let (Accelerator::Projected { setup, .. }, Some(hardware)) = (&accelerator, &mut row.hardware) {
            // A scout goes on for as long as it is led: there is nothing to compare its work with.
            if !arguments.led {
                let serial = compare::serial_slots(setup, &game, row.depth, &cache)?;
                hardware.overhead = share(hardware.slots as f64, serial as f64);
            }
            row.host_alone = Some(compare::alone_time(setup, &game, row.depth, &cache)?);
        }
        let time = Duration::from_secs_f64(arguments.engine_time);
        let answers = engines.iter_mut().map(|engine| engine.solve(problem, &row.fen, time));
        row.engines = answers.collect::<Result<_, _>>()?;
        if !arguments.json {
            progress.suspend(|| print::print_row(&row))?;
        }
        rows.push(row);
        pairs.push((alone, with_hardware));
        progress.inc(1);
    }
    progress.finish_and_clear();
    let sweeps = sweep(arguments, &accelerator, &problems, &pairs, &software, &limits, &cache)?;
    let whole: Vec<f64> = pairs.iter().map(|(_, with_hardware)| with_hardware.time).collect();
    let mut comparison = Comparison {
        accelerated_is: accelerator.label(),
        software_is: match clock {
            SoftwareClock::Measured => "measured",
            SoftwareClock::Fixed(_) => "fixed cost",
        },
        board: accelerator.figures(),
        asked: Asked {
            depth: limits.depth,
            time: arguments.time,
            software_threads: arguments.software_threads.into(),
            leaf_depth: arguments.leaf_depth,
            led: arguments.led,
            hash: arguments.hash as usize,
            seed: arguments.seed,
        },
        host_cost: accelerator.host_cost(),
        total: compare::total(&rows, &problems, &whole),
        by_depth: compare::by_depth(&pairs),
        by_clock: compare::by_clock(&problems, &pairs),
        positions: rows,
        sweeps,
        verdict: String::new(),
    };
    comparison.verdict = compare::verdict(&comparison);
    if let Some(path) = &arguments.html {
        std::fs::write(path, compare::page(&comparison)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&comparison)?),
        false => print::print_total(&comparison)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The software's limits. With a fixed cost for a node, time is a number of nodes, whatever this machine is.
fn of_software(limits: &Limits, clock: SoftwareClock) -> Limits {
    match (clock, limits.movetime) {
        (SoftwareClock::Fixed(nanoseconds), Some(time)) => Limits {
            nodes: Some((time.as_secs_f64() * 1e9 / nanoseconds) as u64),
            movetime: None,
            ..limits.clone()
        },
        _ => limits.clone(),
    }
}

/// What boards had to say.
fn tell_warnings(searched: &mut Searched, problem: &Problem, progress: &ProgressBar) {
    for warning in std::mem::take(&mut searched.warnings) {
        progress.suspend(|| eprintln!("warning: {}: {warning}", problem.id));
    }
}

/// What the chip and the software need for the same leaves.
fn leaves(arguments: &Arguments, setup: &Setup, problems: &[Problem], each: u16) -> anyhow::Result<ExitCode> {
    // What the leaves are does not depend on this machine.
    let setup = Setup {
        host: FIXED_COST,
        ..*setup
    };
    let progress = input::progress_bar(problems.len());
    let factors = compare::leaf_factors(&setup, problems, arguments.depth(), each.into(), || progress.inc(1))?;
    progress.finish_and_clear();
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&factors)?),
        false => print::print_leaves(&factors)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read_problems(path: Option<&Path>, software: &Software) -> anyhow::Result<Vec<Problem>> {
    let evaluator = software.evaluator();
    let Some(path) = path else {
        return Ok(epd::parse_positions(POSITIONS, &evaluator)?);
    };
    let file = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {file}"))?;
    let problems =
        epd::parse_positions(&text, &evaluator).with_context(|| format!("{file} has no positions in EPD"))?;
    if problems.is_empty() {
        bail!("{file} has no positions: expected one in EPD a line");
    }
    Ok(problems)
}

fn sweep(
    arguments: &Arguments,
    accelerator: &Accelerator,
    problems: &[Problem],
    pairs: &[(Searched, Searched)],
    software: &Software,
    limits: &Limits,
    cache: &LeafCache,
) -> anyhow::Result<Vec<SweepRow>> {
    let count = arguments.sweep.unwrap_or(if arguments.html.is_some() { 3 } else { 0 });
    let Accelerator::Projected { setup, .. } = accelerator else {
        return Ok(Vec::new());
    };
    let evaluator = software.evaluator();
    // Spread over the file: neighbours are often alike.
    let step = problems.len().div_ceil(count.max(1)).max(1);
    let chosen: Vec<(Game, &Searched)> = (problems.iter().zip(pairs))
        .step_by(step)
        .take(count)
        .map(|(problem, (alone, _))| (Game::new(&problem.fen, &evaluator), alone))
        .collect();
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let sweeps = compare::sweeps(setup);
    let progress = input::progress_bar(sweeps.len());
    let run = |sweep: &compare::Sweep, progress: &ProgressBar| {
        let row = sweep.run(&chosen, limits, cache);
        progress.inc(1);
        row
    };
    let rows = sweeps
        .iter()
        .map(|sweep| run(sweep, &progress))
        .collect::<Result<_, _>>()?;
    progress.finish_and_clear();
    Ok(rows)
}
