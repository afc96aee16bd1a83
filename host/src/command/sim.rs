use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use bluebelle_sim::{Accelerator, Verilated, build_board, chip_verilog};
use bluebelle_spec::leaf::{Job, MATE, MAX_DEPTH, Task};
use bluebelle_spec::{Fen, Weights};

use crate::input;
use crate::output::{self, note, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Simulate a board: the chip behind a pseudo-terminal that other programs open as a serial port, or behind a file that
    /// QEMU shows its guest as a PCI device.
    #[cfg(unix)]
    Board(BoardArguments),
    /// Run one job on the simulated chip and write its waveforms.
    Wave(WaveArguments),
}

#[derive(clap::Args)]
struct BoardArguments {
    /// Make a symbolic link to the pseudo-terminal
    #[arg(long, value_name = "PATH")]
    link: Option<PathBuf>,

    /// Put the chip behind rings in this file, which stands for a BAR, instead of a pseudo-terminal
    #[arg(long, value_name = "FILE", conflicts_with_all = ["link", "fast"])]
    bar: Option<PathBuf>,

    /// The chip: how many cores, or a Verilog file; or model, the golden search in its place
    #[arg(long, default_value = "1", value_name = "model|CORES|FILE")]
    chip: String,

    /// Leave out the chip's serial line, which takes 40 cycles a byte
    #[arg(long)]
    fast: bool,
}

#[derive(clap::Args)]
struct WaveArguments {
    /// The position: a FEN, or startpos
    #[arg(long, value_parser = input::position)]
    fen: Fen,

    /// Plies before quiescence
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_DEPTH)))]
    depth: u8,

    /// Is the value at least this?
    #[arg(long, allow_negative_numbers = true, value_parser = clap::value_parser!(i16).range(i64::from(1 - MATE)..=i64::from(MATE)))]
    beta: i16,

    /// Where the waveforms go, as VCD
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The chip: how many cores, or a Verilog file
    #[arg(long, default_value = "1", value_name = "CORES|FILE")]
    chip: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        #[cfg(unix)]
        Command::Board(arguments) => board(arguments),
        Command::Wave(arguments) => wave(arguments),
    }
}

#[cfg(unix)]
fn board(arguments: &BoardArguments) -> anyhow::Result<ExitCode> {
    use bluebelle_sim::board::stop_on_signals;

    let stop = stop_on_signals()?;
    if let Some(path) = &arguments.bar {
        return bar_board(&arguments.chip, path, &stop);
    }
    match arguments.chip.as_str() {
        "model" => {
            let mut chip = bluebelle_sim::ModelChip::new(&Default::default(), Weights::standard());
            serve(arguments, &mut chip, &stop)
        }
        chip => {
            use bluebelle_sim::verilated::{Process, build};
            let program = match arguments.fast {
                true => build(&chip_verilog(chip)?, false)?,
                false => build_board(chip)?,
            };
            serve(arguments, &mut Process::start(&program, None)?, &stop)
        }
    }
}

#[cfg(unix)]
fn serve(
    arguments: &BoardArguments,
    chip: &mut impl bluebelle_sim::ClockedChip,
    stop: &std::sync::atomic::AtomicBool,
) -> anyhow::Result<ExitCode> {
    let mut line =
        bluebelle_sim::board::Pty::open(arguments.link.as_deref()).context("the virtual board has no line")?;
    // Scripts read this line: it is all that goes to standard output.
    say!("{}", line.path().display());
    note!("the virtual board is ready; Ctrl-C ends it");
    bluebelle_sim::board::serve(&mut line, chip, stop)?;
    Ok(ExitCode::SUCCESS)
}

/// The chip behind a file that stands for a BAR: the model behind rings in software, a simulated chip behind its own.
#[cfg(unix)]
fn bar_board(chip: &str, path: &Path, stop: &std::sync::atomic::AtomicBool) -> anyhow::Result<ExitCode> {
    use bluebelle_sim::bar::Bar;
    use bluebelle_sim::board::{Mirror, RingLine, serve};

    let problem = || format!("{}: the virtual board has no window", path.display());
    let ready = || -> anyhow::Result<()> {
        say!("{}", path.display());
        note!("the virtual board is ready; Ctrl-C ends it");
        Ok(())
    };
    let tally = match chip {
        "model" => {
            let mut line = RingLine::create(path).with_context(problem)?;
            let mut chip = bluebelle_sim::ModelChip::new(&Default::default(), Weights::standard());
            ready()?;
            serve(&mut line, &mut chip, stop)?
        }
        chip => {
            let program = bluebelle_sim::build_bar_board(chip)?;
            let mut process = bluebelle_sim::verilated::Process::start(&program, None)?;
            let bar = Bar::create(path).with_context(problem)?;
            let board = Mirror::new(&bar, &mut process)?;
            ready()?;
            board.serve(stop)?
        }
    };
    note!("it took {} requests and gave {} results", tally.requests, tally.results);
    Ok(ExitCode::SUCCESS)
}

fn wave(arguments: &WaveArguments) -> anyhow::Result<ExitCode> {
    output::check_file(&arguments.output)?;
    let verilog = chip_verilog(&arguments.chip)?;
    let mut chip = Verilated::open_traced(&verilog, Weights::standard(), &arguments.output)?;
    let (depth, beta) = (arguments.depth, arguments.beta);
    let job = Job::new(arguments.fen.position, Task::Search { depth, beta });
    let before = chip.cycles();
    let started = Instant::now();
    let outcomes = chip.run(&[job], &|_| {})?;
    let outcome = outcomes.first().context("the chip gave no result")?;
    say!("ending  {:?}", outcome.ending);
    say!("score   {}", outcome.score);
    say!("best    {}", outcome.best);
    say!("nodes   {}", outcome.nodes);
    say!("slots   {}", outcome.slots);
    say!(
        "cycles  {}, link included, of {} since the start",
        chip.cycles() - before,
        chip.cycles()
    );
    note!("simulated in {:.1} s", started.elapsed().as_secs_f64());
    drop(chip);
    say!("waves   {}", arguments.output.display());
    Ok(ExitCode::SUCCESS)
}
