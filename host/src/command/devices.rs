use std::io;
use std::process::ExitCode;
use std::time::Duration;

use crate::input::say;
use bluebelle::link::{DEFAULT_BAUD, Link, Serial, identify};
#[cfg(unix)]
use bluebelle::link::{Pcie, pcie};
use bluebelle_spec::wire::{Decoder, Identity};
use serde::Serialize;
use tokio::time::timeout;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Ports to ask, besides those that the system lists
    #[arg(value_name = "PATH")]
    ports: Vec<String>,

    /// Bits a second
    #[arg(long, default_value_t = DEFAULT_BAUD, value_parser = clap::value_parser!(u32).range(1..))]
    baud: u32,

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
    let mut ports = listed_ports();
    ports.extend(arguments.ports.iter().cloned());
    let answers = ask_all(serial_places(ports, arguments.baud).chain(pcie_devices()))?;
    let mut report = Report {
        boards: Vec::new(),
        silent: Vec::new(),
    };
    for (place, answer) in answers {
        match answer {
            Ok(identity) => report.boards.push(Board::new(&place, &identity)),
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
    // Scripts may ask whether there is a board.
    Ok(match report.boards.is_empty() {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// The serial ports that the system lists.
pub(crate) fn listed_ports() -> Vec<String> {
    let listed = tokio_serial::available_ports().unwrap_or_default();
    listed.into_iter().map(|port| port.port_name).collect()
}

/// Serial ports, each once, and the lines to them.
pub(crate) fn serial_places(mut ports: Vec<String>, baud: u32) -> impl Iterator<Item = (Place, Box<dyn Link>)> {
    ports.sort_unstable();
    ports.dedup();
    ports.into_iter().map(move |port| {
        let link: Box<dyn Link> = Box::new(Serial::new(&port, baud));
        (Place::Serial(port, baud), link)
    })
}

/// Asks who is at each place, all at once; each with its answer or why there is none.
pub(crate) fn ask_all(
    places: impl Iterator<Item = (Place, Box<dyn Link>)>,
) -> io::Result<Vec<(Place, Result<Identity, String>)>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = places.map(|(place, mut link)| async move {
        let answer = ask(&mut *link).await;
        (place, answer)
    });
    Ok(runtime.block_on(futures_util::future::join_all(asked)))
}

/// Where a board may be.
pub(crate) enum Place {
    /// A serial port, and its speed.
    Serial(String, u32),
    /// A PCI address.
    #[cfg_attr(not(unix), allow(dead_code, reason = "devices are mapped on Unix only"))]
    Pcie(String),
}

impl Place {
    pub(crate) fn port(&self) -> &str {
        let (Place::Serial(port, _) | Place::Pcie(port)) = self;
        port
    }

    /// What the option `Accelerator` calls it.
    fn accelerator(&self) -> String {
        match self {
            Place::Serial(port, DEFAULT_BAUD) => format!("serial:{port}"),
            Place::Serial(port, baud) => format!("serial:{port}@{baud}"),
            Place::Pcie(address) => format!("pcie:{address}"),
        }
    }
}

/// The PCI devices that may be ours.
fn pcie_devices() -> impl Iterator<Item = (Place, Box<dyn Link>)> {
    #[cfg(unix)]
    let addresses = pcie::devices(pcie::SYSFS.as_ref());
    #[cfg(unix)]
    let devices = addresses.into_iter().map(|address| {
        let link: Box<dyn Link> = Box::new(Pcie::new(&address));
        (Place::Pcie(address), link)
    });
    #[cfg(not(unix))]
    let devices = std::iter::empty();
    devices
}

/// Opens a line and asks who is there.
async fn ask(link: &mut dyn Link) -> Result<Identity, String> {
    let opened = timeout(OPENING, link.open()).await;
    let mut line = match opened {
        Ok(Ok(line)) => line,
        Ok(Err(error)) => return Err(format!("cannot be opened: {error}")),
        Err(_) => return Err("cannot be opened: it takes too long".to_owned()),
    };
    let identity = identify(&mut *line, &mut Decoder::new(), &[], PATIENCE).await;
    identity.map_err(|silence| silence.to_string())
}

impl Board {
    fn new(place: &Place, identity: &Identity) -> Board {
        Board {
            accelerator: place.accelerator(),
            port: place.port().to_owned(),
            build: build_name(&identity.build),
            clock_mhz: f64::from(identity.clock_khz) / 1000.0,
            cores: identity.cores,
            threads: identity.threads,
            queue: identity.queue,
            wire_version: identity.wire_version,
        }
    }
}

/// Text, if it is text; otherwise its bytes.
fn build_name(build: &[u8; 16]) -> String {
    let text = std::str::from_utf8(build).map(|text| text.trim_end_matches(['\0', ' ']));
    match text {
        Ok(text) if !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() || c == ' ') => text.to_owned(),
        _ => build.iter().map(|byte| format!("{byte:02x}")).collect(),
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
