//! The chip alone, for people with a board or a system of their own.

use bluebelle_hdl::chip;
use bluebelle_hdl::config::Config;

pub use bluebelle_hdl::config::MAX_CORES;

use crate::design::DesignError;

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
    match port {
        Port::Stream => Ok(chip::verilog(&config)),
        Port::Axi => Ok(chip::verilog_axi(&config)),
        Port::Uart(baud) if u64::from(baud) * 4 > u64::from(clock_khz) * 1000 => {
            Err(DesignError::Baud { clock_khz, baud })
        }
        Port::Uart(baud) => {
            config.baud = baud;
            Ok(chip::verilog_uart(&config))
        }
    }
}
