//! The chip alone, for people with a board or a system of their own.

use std::sync::OnceLock;

use bluebelle_hdl::chip;
use bluebelle_hdl::config::Config;

pub use bluebelle_hdl::config::MAX_CORES;

use crate::build::hex;
use crate::design::{DesignError, fnv};

/// How the chip is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// A stream of bytes each way, with `valid` and `ready`.
    Stream,
    /// Rings in a window of 32 KiB behind AXI4-Lite, as `bluebelle_spec::rings` lays them out: a BAR of a PCIe core, or memory of a
    /// system on the same chip.
    Axi,
    /// A serial line with so many bits a second.
    Uart(u32),
}

/// What stands above Verilog that is written down: what it is, and where it is from. The same chip has the same header on
/// every machine.
pub(crate) fn header(config: &Config, command: &str) -> String {
    let Config {
        cores,
        threads,
        clock_khz,
        gangs,
        ..
    } = config;
    format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
         // The Bluebelle chip, which searches the leaves of a chess engine. The top module is top.\n\
         // Cores: {cores}, threads of a core: {threads}, gangs: {}, clock: {} MHz\n\
         // Made by Bluebelle {}: {command}\n",
        if *gangs { "yes" } else { "no" },
        f64::from(*clock_khz) / 1000.0,
        env!("CARGO_PKG_VERSION"),
    )
}

/// A short hash of the Verilog of one core and all around it: the mark of this version of the chip. The number of cores, the
/// clock and the board do not matter.
pub fn chip_mark(gangs: bool) -> String {
    static MARKS: [OnceLock<String>; 2] = [OnceLock::new(), OnceLock::new()];
    let mark = MARKS[usize::from(gangs)].get_or_init(|| {
        let config = Config {
            gangs,
            ..Config::default()
        };
        hex(&fnv(chip::verilog(&config).bytes())[..6])
    });
    mark.clone()
}

/// The Verilog of a chip; its top module is `top`, with one clock and no vendor's primitives. With `gangs`, its cores search a job by
/// all threads if asked to.
///
/// # Errors
/// If there is no such chip.
pub fn chip(cores: usize, clock_khz: u32, gangs: bool, port: Port) -> Result<String, DesignError> {
    if !(1..=MAX_CORES).contains(&cores) {
        return Err(DesignError::Cores(cores));
    }
    let mut config = Config {
        cores,
        clock_khz,
        gangs,
        ..Config::default()
    };
    let option = match port {
        Port::Stream => String::new(),
        Port::Axi => " --axi".to_owned(),
        Port::Uart(baud) => format!(" --uart {baud}"),
    };
    let command = format!(
        "bluebelle verilog --cores {cores} --clock-khz {clock_khz}{}{option}",
        if gangs { " --gangs" } else { "" }
    );
    let header = header(&config, &command);
    let verilog = match port {
        Port::Stream => chip::verilog(&config),
        Port::Axi => chip::verilog_axi(&config),
        Port::Uart(baud) if u64::from(baud) * 4 > u64::from(clock_khz) * 1000 => {
            return Err(DesignError::Baud { clock_khz, baud });
        }
        Port::Uart(baud) => {
            config.baud = baud;
            chip::verilog_uart(&config)
        }
    };
    Ok(header + &verilog)
}
