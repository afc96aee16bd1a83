mod probe;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::output::{self, say};
use bluebelle::link::{DEFAULT_BAUD, Line, Link, Serial, build_name, identify, listed_ports};
#[cfg(unix)]
use bluebelle::link::{Pcie, pcie};
use bluebelle_spec::wire::{Decoder, Identity};
use serde::Serialize;
use tokio::time::timeout;

use probe::Probed;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Ports to ask, besides those that the system lists
    #[arg(value_name = "PATH")]
    ports: Vec<String>,

    /// Bits a second
    #[arg(long, default_value_t = DEFAULT_BAUD, value_parser = clap::value_parser!(u32).range(1..))]
    baud: u32,

    /// Measure the lines to the boards that answer, for a few seconds each: those at the ports that are named, or all.
    /// Whatever jobs they have are dropped. Measure on a machine that does nothing else: what keeps it busy is measured too
    #[arg(long)]
    probe: bool,

    /// Write what is measured of one board's line to this file, for `bluebelle compare --line FILE`
    #[arg(long, value_name = "FILE", requires = "probe")]
    line: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    boards: Vec<Board>,
    silent: Vec<Silent>,
}

/// A board that answered.
#[derive(Serialize)]
struct Board {
    port: String,
    accelerator: String,
    build: String,
    clock_mhz: f64,
    cores: u8,
    threads: u8,
    queue: u16,
    wire_version: u8,
    /// What slows its line down needlessly.
    warnings: Vec<String>,
    /// With `--probe`, unless the board is not among those that were named.
    #[serde(skip_serializing_if = "Option::is_none")]
    probe: Option<Probed>,
}

/// A port or device that did not.
#[derive(Serialize)]
struct Silent {
    port: String,
    problem: String,
}

/// For an answer, and for a port to open.
const PATIENCE: Duration = Duration::from_millis(300);
const OPENING: Duration = Duration::from_secs(2);

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(path) = &arguments.line {
        output::check_file(path)?;
    }
    let mut ports = listed_ports();
    ports.extend(arguments.ports.iter().cloned());
    let answers = ask_all(serial_places(ports, arguments.baud).chain(pcie_devices()))?;
    let mut report = Report {
        boards: Vec::new(),
        silent: Vec::new(),
    };
    for (place, answer) in answers {
        match answer {
            Ok(answer) => {
                let wanted = arguments.ports.is_empty() || arguments.ports.iter().any(|port| port == place.port());
                let probed = match arguments.probe && wanted {
                    true => Some(probe::probe_place(&place)?),
                    false => None,
                };
                report.boards.push(Board::new(&place, answer, probed));
            }
            Err(problem) => report.silent.push(Silent {
                port: place.port().to_owned(),
                problem,
            }),
        }
    }
    if arguments.json {
        say!("{}", serde_json::to_string(&report)?);
    } else {
        report.print()?;
    }
    if let Some(path) = &arguments.line {
        probe::write_line(path, &report.boards)?;
    }
    // Scripts may ask whether there is a board.
    Ok(match report.boards.is_empty() {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// Serial ports, each once.
pub(crate) fn serial_places(mut ports: Vec<String>, baud: u32) -> impl Iterator<Item = Place> {
    ports.sort_unstable();
    ports.dedup();
    ports.into_iter().map(move |port| Place::Serial(port, baud))
}

/// A board's answer.
pub(crate) struct Answer {
    pub(crate) identity: Identity,
    /// What there is to know about the line.
    pub(crate) warnings: Vec<String>,
}

/// Asks who is at each place, all at once; each with its answer or why there is none.
pub(crate) fn ask_all(places: impl Iterator<Item = Place>) -> io::Result<Vec<(Place, Result<Answer, String>)>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = places.map(|place| async move {
        let answer = ask(&mut *place.link()).await;
        (place, answer)
    });
    Ok(runtime.block_on(futures_util::future::join_all(asked)))
}

/// Where a board may be.
pub(crate) enum Place {
    /// A serial port, and its speed.
    Serial(String, u32),
    /// A PCI address.
    #[cfg(unix)]
    Pcie(String),
}

impl Place {
    pub(crate) fn port(&self) -> &str {
        match self {
            Place::Serial(port, _) => port,
            #[cfg(unix)]
            Place::Pcie(address) => address,
        }
    }

    fn link(&self) -> Box<dyn Link> {
        match self {
            Place::Serial(port, baud) => Box::new(Serial::new(port, *baud)),
            #[cfg(unix)]
            Place::Pcie(address) => Box::new(Pcie::new(address)),
        }
    }

    /// What the option `Accelerator` calls it.
    fn accelerator(&self) -> String {
        match self {
            Place::Serial(port, DEFAULT_BAUD) => format!("serial:{port}"),
            Place::Serial(port, baud) => format!("serial:{port}@{baud}"),
            #[cfg(unix)]
            Place::Pcie(address) => format!("pcie:{address}"),
        }
    }
}

/// The PCI devices that may be ours.
pub(crate) fn pcie_devices() -> impl Iterator<Item = Place> {
    #[cfg(unix)]
    let devices = pcie::devices(pcie::SYSFS.as_ref()).into_iter().map(Place::Pcie);
    #[cfg(not(unix))]
    let devices = std::iter::empty();
    devices
}

/// Opens a line.
async fn open(link: &mut dyn Link) -> Result<Box<dyn Line>, String> {
    match timeout(OPENING, link.open()).await {
        Ok(Ok(line)) => Ok(line),
        Ok(Err(error)) => Err(format!("cannot be opened: {error}")),
        Err(_) => Err("cannot be opened: it takes too long".to_owned()),
    }
}

/// Opens a line and asks who is there.
async fn ask(link: &mut dyn Link) -> Result<Answer, String> {
    let mut line = open(link).await?;
    let identity = identify(&mut *line, &mut Decoder::new(), &[], PATIENCE).await;
    Ok(Answer {
        identity: identity.map_err(|silence| silence.to_string())?,
        warnings: link.warnings(),
    })
}

impl Board {
    fn new(place: &Place, answer: Answer, probe: Option<Probed>) -> Board {
        let identity = answer.identity;
        Board {
            accelerator: place.accelerator(),
            port: place.port().to_owned(),
            build: build_name(&identity.build),
            clock_mhz: f64::from(identity.clock_khz) / 1000.0,
            cores: identity.cores,
            threads: identity.threads,
            queue: identity.queue,
            wire_version: identity.wire_version,
            warnings: answer.warnings,
            probe,
        }
    }
}

impl Report {
    fn print(&self) -> std::io::Result<()> {
        for board in &self.boards {
            say!(
                "{}  {} MHz, {} × {} threads, queue of {}, build {}",
                board.accelerator,
                board.clock_mhz,
                board.cores,
                board.threads,
                board.queue,
                board.build
            );
            for warning in &board.warnings {
                say!("  warning: {warning}");
            }
            if let Some(probed) = &board.probe {
                probed.print()?;
            }
        }
        for silent in &self.silent {
            say!("{}  {}", silent.port, silent.problem);
        }
        if !self.boards.is_empty() {
            return Ok(());
        }
        match self.silent.is_empty() {
            true => {
                say!("no board found: there is no serial port on this machine, and no PCI device that may be ours")
            }
            false => say!("no board found: nobody answers as Bluebelle does"),
        }
        say!("a board on a port that is not listed: bluebelle devices PATH; without hardware: bluebelle sim board");
        Ok(())
    }
}
