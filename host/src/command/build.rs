use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bluebelle_firmware::build::{self, BuildError, Order};
use bluebelle_firmware::tools::Install;
use bluebelle_firmware::{Board, boards};

use crate::command::play_match::{INTERRUPTED, stop_when_interrupted};
use crate::input;
use crate::output::{note, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The board; `bluebelle boards` lists them
    #[arg(long, value_parser = board)]
    board: &'static Board,

    /// How many cores, instead of the board's default
    #[arg(long)]
    cores: Option<usize>,

    /// The clock in MHz, at most, instead of the board's default
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    mhz: Option<u32>,

    /// Let cores search a job by all their threads, whatever the board's report has
    #[arg(long)]
    gangs: bool,

    /// Let each thread have a job of its own, whatever the board's report has: a smaller core
    #[arg(long, conflicts_with = "gangs")]
    no_gangs: bool,

    /// The first seed for place and route, instead of the one that the board's report has
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    seed: Option<u32>,

    /// How many times to place and route, each time with the next seed; the fastest is kept
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,

    /// Where everything goes, instead of build/BOARD
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Do not install missing tools
    #[arg(long)]
    no_install: bool,

    /// Build what is known not to fit, and do stages again whose inputs have not changed
    #[arg(long)]
    force: bool,
}

/// How often a tool that takes its time gives a sign of life: to a person, and in a log.
const PULSE: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let board = arguments.board;
    let asked = input::choice(arguments.gangs, arguments.no_gangs);
    let routed = board.routed(asked)?;
    let order = Order {
        cores: arguments.cores.unwrap_or(board.cores),
        gangs: asked.unwrap_or_else(|| routed.as_ref().is_some_and(|report| report.gangs)),
        clock_khz: match (arguments.mhz, &routed) {
            (Some(mhz), _) => mhz * 1000,
            (None, Some(report)) => report.clock_khz(),
            (None, None) => board.clock_khz,
        },
        first_seed: match arguments.seed {
            Some(seed) => seed,
            None => routed.map_or(1, |report| report.seed),
        },
        seeds: arguments.seeds,
        folder: arguments.output.clone().unwrap_or_else(|| folder(board)),
        install: match arguments.no_install {
            true => Install::Never,
            false => Install::Missing,
        },
        force: arguments.force,
        pulse: PULSE[usize::from(!std::io::stderr().is_terminal())],
    };
    let stop = Arc::new(AtomicBool::new(false));
    stop_when_interrupted(&stop);
    let report = match build::build(board, &order, &stop, &mut |line| note!("{line}")) {
        Err(error @ BuildError::Interrupted) => {
            note!("{error}");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        report => report?,
    };
    let gangs = if report.gangs { ", with gangs" } else { "" };
    say!("board      {} with {} cores{gangs}", report.board, report.cores);
    say!("clock      {} MHz, routed for {:.1}", report.clock_mhz, report.mhz);
    let used = [
        ("LUTs", report.luts),
        ("flip-flops", report.flip_flops),
        ("block RAM", report.block_rams),
        ("DSP", report.multipliers),
    ];
    for (name, used) in used {
        say!("{name:<11}{} of {}", used.used, used.available);
    }
    say!("projected  {:.1} million nodes/s", report.projected_mnps());
    say!("build id   {}", report.build_id);
    if let Some(bitstream) = &report.bitstream {
        say!("bitstream  {}", order.folder.join(&bitstream.file).display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Where a board's build goes.
pub(crate) fn folder(board: &Board) -> PathBuf {
    PathBuf::from("build").join(board.name)
}

/// Reads the name of a board.
pub(crate) fn board(name: &str) -> Result<&'static Board, boards::UnknownBoard> {
    boards::find(name)
}
