use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use bluebelle_firmware::verilog::{self, Port};

use crate::output;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many cores
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u8).range(1..=verilog::MAX_CORES as i64))]
    cores: u8,

    /// The clock in kHz: what the chip tells its host, and what the serial line counts
    #[arg(long, default_value = "50000", value_parser = clap::value_parser!(u32).range(1000..=1_000_000))]
    clock_khz: u32,

    /// Let cores search a job by all their threads
    #[arg(long)]
    gangs: bool,

    /// Behind a serial line with so many bits a second, instead of a stream of bytes with valid and ready
    #[arg(long, value_name = "BAUD", value_parser = clap::value_parser!(u32).range(1200..))]
    uart: Option<u32>,

    /// Behind rings in a window of 32 KiB that a host maps, with an AXI4-Lite slave in front
    #[arg(long, conflicts_with = "uart")]
    axi: bool,

    /// Where it goes, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let port = match arguments.uart {
        Some(baud) => Port::Uart(baud),
        None if arguments.axi => Port::Axi,
        None => Port::Stream,
    };
    if let Some(path) = &arguments.output {
        output::check_file(path)?;
    }
    let verilog = verilog::chip(arguments.cores.into(), arguments.clock_khz, arguments.gangs, port)?;
    match &arguments.output {
        Some(path) => fs::write(path, verilog).with_context(|| format!("cannot write {}", path.display()))?,
        None => output::text(&verilog)?,
    }
    Ok(ExitCode::SUCCESS)
}
