use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use bluebelle::link::listed_ports;
use bluebelle_firmware::Board;
use bluebelle_firmware::build::bitstream_name;
use bluebelle_firmware::flash::{self, FlashError, Image};
use bluebelle_firmware::tools::{Install, LOADER, find_all};

use super::build::{board, folder};
use super::devices::{ask_all, serial_places};
use super::selftest;
use crate::output::{note, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The board; `bluebelle boards` lists them
    #[arg(long, value_parser = board)]
    board: &'static Board,

    /// The folder of the build, instead of build/BOARD
    #[arg(long, value_name = "FOLDER")]
    build: Option<PathBuf>,

    /// Into the flash, so that the board has it after the next power-up
    #[arg(long)]
    keep: bool,

    /// The serial port of the board, which is asked for its build id; otherwise all ports are asked
    #[arg(long, value_name = "PATH", conflicts_with = "no_identify")]
    port: Option<String>,

    /// Do not ask the board for its build id
    #[arg(long)]
    no_identify: bool,

    /// Do not test the board: its answers against the golden search, and how fast they come
    #[arg(long)]
    no_selftest: bool,

    /// Print the command and do nothing
    #[arg(long)]
    dry_run: bool,

    /// Do not install missing tools
    #[arg(long)]
    no_install: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let board = arguments.board;
    let folder = arguments.build.clone().unwrap_or_else(|| folder(board));
    let image = match Image::open(board, &folder) {
        Err(error @ FlashError::NoBuild { .. }) if arguments.dry_run => {
            note!("{error}");
            None
        }
        image => Some(image?),
    };
    let path = match &image {
        Some(image) => image.path.clone(),
        None => folder.join(bitstream_name(board.device.family)),
    };
    let options = flash::arguments(board, &path, arguments.keep);
    let Some(image) = image.filter(|_| !arguments.dry_run) else {
        say!("{} {}", LOADER.name, options.join(" "));
        return Ok(ExitCode::SUCCESS);
    };
    let install = match arguments.no_install {
        true => Install::Never,
        false => Install::Missing,
    };
    let loader = find_all(&[LOADER], install, &mut |line| note!("{line}"))?;
    let loader = loader.first().context("openFPGALoader was not found")?;
    let status = loader
        .command()
        .args(&options)
        .status()
        .with_context(|| format!("cannot run {}", loader.program.display()))?;
    if !status.success() {
        bail!(
            "openFPGALoader failed ({status}); is the board plugged in, and may you open it? {}",
            board.note
        );
    }
    say!("sent build {}", image.report.build_id);
    if arguments.no_identify {
        say!("the board was not asked which build it runs, nor tested");
        return Ok(ExitCode::SUCCESS);
    }
    let port = confirm(board, &image, arguments.port.as_deref())?;
    say!("{port} runs it");
    if arguments.no_selftest {
        return Ok(ExitCode::SUCCESS);
    }
    selftest::test(&format!("serial:{port}@{}", board.baud))
}

/// How often the board is asked, and how long it is left alone in between: a system takes a while to see its port again.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// Asks the port, or all of them, until one answers with the image's build id, and names it.
fn confirm(board: &Board, image: &Image, port: Option<&str>) -> anyhow::Result<String> {
    let mut problem = None;
    for attempt in 0..TRIES {
        if attempt > 0 {
            thread::sleep(PAUSE);
        }
        let ports = port.map_or_else(listed_ports, |port| vec![port.to_owned()]);
        for (place, answer) in ask_all(serial_places(ports, board.baud))? {
            let port = place.port().to_owned();
            match answer.map(|answer| image.confirm(&answer.identity)) {
                Ok(Ok(())) => return Ok(port),
                Ok(Err(other)) => problem = Some(anyhow::Error::from(other).context(port)),
                Err(silence) if problem.is_none() => problem = Some(anyhow!("{port}: {silence}")),
                Err(_) => {}
            }
        }
    }
    let problem = problem.unwrap_or_else(|| anyhow!("this machine has no serial port"));
    Err(problem.context(format!(
        "the bitstream was sent, but no board answers with its build id ({}); name its port with --port, or leave the question \
         out with --no-identify",
        board.note
    )))
}
