//! Lines to boards: streams of bytes that may lose, repeat or change anything.
//!
//! | in the option `Accelerator` | what it is |
//! |---|---|
//! | `model` | no line: the golden search on this machine's threads |
//! | `serial:PATH`, `serial:PATH@BAUD` | a serial port, or a pseudo-terminal: [`Serial`] |
//! | `pcie:ADDRESS` | a board behind PCIe: [`Pcie`] |
//! | `verilated`, `verilated:CORES`, `verilated:FILE` | the simulated chip |
//!
//! Several are written with commas between them. A [`Link`] is all that [`crate::pool`] knows of a board's line, so a
//! simulated one can take its place: [`Timed`] is the golden model with a clock and a line rate, in tokio's time.
//!
//! A [`LineModel`] says how fast a line is. [`LineModel::serial`] is what a serial line has, and [`probe`] measures one; a
//! [`LineFile`] keeps what was measured.

mod accelerator;
mod identify;
mod latency_timer;
mod line_file;
mod line_model;
#[cfg(unix)]
pub mod pcie;
mod port_error;
mod probe;
mod serial;
mod source;
mod timed;
#[cfg(unix)]
mod verilated;

pub use accelerator::{OpenError, open_accelerator};
pub use identify::{Silence, build_name, describe, identify};
pub use line_file::{LineFile, LineFileError, RoundTrips};
pub use line_model::{LineModel, USB_FULL_SPEED_LATENCY, rate_in_words};
#[cfg(unix)]
pub use pcie::Pcie;
pub use probe::{Probe, ProbeError, Probing, probe};
pub use serial::{DEFAULT_BAUD, Serial};
pub use source::{Source, SourceError, parse_sources};
pub use timed::{HostClock, Meter, Metered, Timed, Wire};
#[cfg(unix)]
pub use verilated::Verilated;

use std::future::Future;
use std::io;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};

/// A way to a board, which can be opened again after it was lost.
pub trait Link: Send {
    /// What a person calls it.
    fn name(&self) -> &str;

    /// Opens the line. One that was opened before is dropped first.
    fn open(&mut self) -> Opening<'_>;

    /// Bytes a second, each way; `None` if the line is not what limits the board.
    fn bytes_per_second(&self) -> Option<f64>;

    /// What whoever opened the line should know about it, a line of text each; told once after each opening.
    fn warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// The serial ports that the system lists.
pub fn listed_ports() -> Vec<String> {
    let listed = tokio_serial::available_ports().unwrap_or_default();
    listed.into_iter().map(|port| port.port_name).collect()
}

/// What may be an accelerator of this machine, by the names that `Accelerator` takes; none of it is asked.
pub fn candidates() -> Vec<String> {
    let mut names = vec!["model".to_owned()];
    #[cfg(unix)]
    names.extend(["verilated:1".to_owned(), "verilated:2".to_owned()]);
    names.extend(listed_ports().iter().map(|port| format!("serial:{port}")));
    #[cfg(unix)]
    names.extend(
        pcie::devices(pcie::SYSFS.as_ref())
            .iter()
            .map(|address| format!("pcie:{address}")),
    );
    names
}

/// A line about to be opened.
pub type Opening<'a> = Pin<Box<dyn Future<Output = io::Result<Box<dyn Line>>> + Send + 'a>>;

/// An open line. It ends with the end of its stream or an error.
pub trait Line: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Line for T {}
