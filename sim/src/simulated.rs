//! Which chip is simulated.

use std::path::PathBuf;
use std::{fs, thread};

use bluebelle_hdl::chip;
use bluebelle_hdl::config::{Config, MAX_CORES};

use crate::ChipError;
use crate::verilated::{build, build_axi, build_serial};

/// The Verilog of a chip, as a person names it: by its number of cores, or a Verilog file. Nothing is one core.
///
/// # Errors
/// If there is no chip with so many cores, or the file cannot be read.
pub fn chip_verilog(chip: &str) -> Result<String, ChipError> {
    match config(chip)? {
        Some(config) => Ok(emit(move || chip::verilog(&config))),
        None => fs::read_to_string(chip).map_err(|error| ChipError::File {
            path: chip.into(),
            problem: format!("cannot be read as Verilog: {error}"),
        }),
    }
}

/// Builds the chip for a virtual board: with its serial line, as fast as that can be. A Verilog file is taken as it is, with ports
/// for bytes; see [`build`].
///
/// # Errors
/// As [`chip_verilog`] and [`build`].
pub fn build_board(chip: &str) -> Result<PathBuf, ChipError> {
    let Some(mut config) = config(chip)? else {
        return build(&chip_verilog(chip)?, false);
    };
    config.baud = config.clock_khz * 1000 / 4;
    let step = config.baud_step();
    build_serial(&emit(move || chip::verilog_uart(&config)), step)
}

/// Builds the chip for a virtual board behind a BAR: with its rings and AXI4-Lite. A Verilog file is taken as it is; see [`build_axi`].
///
/// # Errors
/// As [`chip_verilog`] and [`build_axi`].
pub fn build_bar_board(chip: &str) -> Result<PathBuf, ChipError> {
    match config(chip)? {
        Some(config) => build_axi(&emit(move || chip::verilog_axi(&config))),
        None => build_axi(&chip_verilog(chip)?),
    }
}

/// The chip with so many cores; none if it is a file.
fn config(chip: &str) -> Result<Option<Config>, ChipError> {
    let cores = match chip {
        "" => Ok(1),
        _ => chip.parse(),
    };
    match cores {
        Ok(cores @ 1..=MAX_CORES) => Ok(Some(Config {
            cores,
            ..Config::default()
        })),
        Ok(cores) => Err(ChipError::Cores(cores)),
        Err(_) => Ok(None),
    }
}

/// A chip is a large value, and there are several of them on the stack while it is put together.
const STACK: usize = 512 << 20;

fn emit(verilog: impl FnOnce() -> String + Send + 'static) -> String {
    let emit = thread::Builder::new().stack_size(STACK).spawn(verilog);
    emit.expect("a thread can be started")
        .join()
        .expect("it is a chip that can be built")
}
