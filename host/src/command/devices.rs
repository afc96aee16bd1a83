use std::io;
use std::process::ExitCode;
use std::time::Duration;

use bluebelle::link::{DEFAULT_BAUD, Link, Serial, identify};
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

/// A port that answered.
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

/// A port that did not.
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
    let answers = ask_all(ports, arguments.baud)?;
    let mut report = Report {
        boards: Vec::new(),
        silent: Vec::new(),
    };
    for (port, answer) in answers {
        match answer {
            Ok(identity) => report.boards.push(Board::new(port, &identity, arguments.baud)),
            Err(problem) => report.silent.push(Silent { port, problem }),
        }
    }
    if arguments.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        report.print();
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

/// Asks who is at each port, all at once; each with its answer or why there is none.
pub(crate) fn ask_all(mut ports: Vec<String>, baud: u32) -> io::Result<Vec<(String, Result<Identity, String>)>> {
    ports.sort_unstable();
    ports.dedup();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = ports.into_iter().map(|port| async {
        let answer = ask(&port, baud).await;
        (port, answer)
    });
    Ok(runtime.block_on(futures_util::future::join_all(asked)))
}

/// Opens a port and asks who is there.
async fn ask(port: &str, baud: u32) -> Result<Identity, String> {
    let mut link = Serial::new(port, baud);
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
    fn new(port: String, identity: &Identity, baud: u32) -> Board {
        let speed = match baud {
            DEFAULT_BAUD => String::new(),
            baud => format!("@{baud}"),
        };
        Board {
            accelerator: format!("serial:{port}{speed}"),
            port,
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
    fn print(&self) {
        for board in &self.boards {
            println!(
                "{}  {} MHz, {} × {} threads, queue of {}, build {}",
                board.accelerator, board.clock_mhz, board.cores, board.threads, board.queue, board.build
            );
        }
        for silent in &self.silent {
            println!("{}  {}", silent.port, silent.problem);
        }
        if !self.boards.is_empty() {
            return;
        }
        match self.silent.is_empty() {
            true => println!("no board found: there is no serial port on this machine"),
            false => println!("no board found: no serial port answers as Bluebelle does"),
        }
        println!("a board on a port that is not listed: bluebelle devices PATH; without hardware: bluebelle sim board");
    }
}
