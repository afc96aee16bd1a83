use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};
use bluebelle_firmware::Board;
use bluebelle_firmware::build::bitstream_name;
use bluebelle_firmware::flash::{self, FlashError, Image};
use bluebelle_firmware::tools::{Install, LOADER, find_all};

use super::build::{board, folder};

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
            eprintln!("{error}");
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
        println!("{} {}", LOADER.name, options.join(" "));
        return Ok(ExitCode::SUCCESS);
    };
    let install = match arguments.no_install {
        true => Install::Never,
        false => Install::Missing,
    };
    let loader = find_all(&[LOADER], install, &mut |line| eprintln!("{line}"))?;
    let loader = loader.first().context("openFPGALoader was not found")?;
    let status = Command::new(&loader.program)
        .args(&options)
        .status()
        .with_context(|| format!("cannot run {}", loader.program.display()))?;
    if !status.success() {
        bail!(
            "openFPGALoader failed ({status}); is the board plugged in, and may you open it? {}",
            board.note
        );
    }
    // `Image::confirm` compares what the chip answers; asking it is still to come.
    println!(
        "sent build {}; the board was not asked which build it runs",
        image.report.build_id
    );
    Ok(ExitCode::SUCCESS)
}
