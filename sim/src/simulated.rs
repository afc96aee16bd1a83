//! Which chip is simulated.

use std::{fs, thread};

use bluebelle_hdl::chip;
use bluebelle_hdl::config::{Config, MAX_CORES};

use crate::ChipError;

/// The Verilog of a chip, as a person names it: by its number of cores, or a Verilog file. Nothing is one core.
///
/// # Errors
/// If there is no chip with so many cores, or the file cannot be read.
pub fn chip_verilog(chip: &str) -> Result<String, ChipError> {
    let cores = match chip {
        "" => Ok(1),
        _ => chip.parse(),
    };
    match cores {
        Ok(cores @ 1..=MAX_CORES) => Ok(emit(cores)),
        Ok(cores) => Err(ChipError::Cores(cores)),
        Err(_) => fs::read_to_string(chip).map_err(|error| ChipError::File {
            path: chip.into(),
            problem: format!("cannot be read as Verilog: {error}"),
        }),
    }
}

/// A chip is a large value, and there are several of them on the stack while it is put together.
const STACK: usize = 512 << 20;

fn emit(cores: usize) -> String {
    let config = Config {
        cores,
        ..Config::default()
    };
    let emit = thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || chip::verilog(&config));
    emit.expect("a thread can be started")
        .join()
        .expect("it is a chip that can be built")
}
