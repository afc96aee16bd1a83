use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use bluebelle::link::{LineFile, Probe, ProbeError, Probing, RoundTrips, probe, rate_in_words};
use serde::Serialize;

use super::{Board, Place, build_name, open};
use crate::output::say;

/// What was measured of a line.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Probed {
    Measured(Box<Figures>),
    Failed { problem: String },
}

#[derive(Serialize)]
pub(super) struct Figures {
    round_trips: RoundTrips,
    /// Bytes a second; unknown if an answer was lost.
    to_board: Option<f64>,
    from_board: Option<f64>,
    /// As commands that project take the line to be; nothing if no rate is known.
    line: Option<LineFigures>,
    /// What `--line` writes.
    #[serde(skip)]
    file: Option<LineFile>,
    /// The line has no rate of its own.
    pseudo_terminal: bool,
}

/// A line, the same both ways.
#[derive(Serialize)]
struct LineFigures {
    bytes_per_second: f64,
    latency_us: f64,
    /// At most so much more.
    jitter_us: f64,
}

/// Opens the line to a board that has answered, and measures it.
pub(super) fn probe_place(place: &Place) -> std::io::Result<Probed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut link = place.link();
    let probed = runtime.block_on(async {
        let mut line = open(&mut *link).await?;
        let measured = probe(&mut *line, &Probing::default()).await;
        measured.map_err(|error: ProbeError| error.to_string())
    });
    Ok(match probed {
        Ok(probe) => Probed::Measured(Box::new(Figures::new(place, &probe, link.bytes_per_second()))),
        Err(problem) => Probed::Failed { problem },
    })
}

impl Figures {
    fn new(place: &Place, probe: &Probe, nominal: Option<f64>) -> Figures {
        let rate = probe.bytes_per_second().or(nominal);
        let build = build_name(&probe.identity.build);
        let file = rate.map(|rate| LineFile::new(&place.accelerator(), &build, rate, probe.round_trips));
        let line = file.as_ref().map(LineFile::model);
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        Figures {
            round_trips: probe.round_trips,
            to_board: probe.to_board,
            from_board: probe.from_board,
            line: line.map(|line| LineFigures {
                bytes_per_second: line.bytes_per_second,
                latency_us: us(line.latency),
                jitter_us: us(line.jitter),
            }),
            file,
            pseudo_terminal: is_pseudo_terminal(place.port()),
        }
    }
}

fn is_pseudo_terminal(port: &str) -> bool {
    std::fs::canonicalize(port).is_ok_and(|path| path.starts_with("/dev/pts"))
}

impl Probed {
    pub(super) fn print(&self) -> std::io::Result<()> {
        let figures = match self {
            Probed::Measured(figures) => figures,
            Probed::Failed { problem } => {
                say!("  not measured: {problem}");
                return Ok(());
            }
        };
        let trips = &figures.round_trips;
        let lost = match trips.lost {
            0 => String::new(),
            lost => format!(", and {lost} without an answer"),
        };
        say!("  round trips  {} of {} bytes{lost}", trips.count, trips.bytes);
        say!(
            "               min {:.0} µs, median {:.0} µs, 90 % {:.0} µs, 99 % {:.0} µs, max {:.0} µs",
            trips.min_us,
            trips.median_us,
            trips.p90_us,
            trips.p99_us,
            trips.max_us
        );
        let rate = |rate: Option<f64>| rate.map_or("unknown (answers were lost or late)".to_owned(), rate_in_words);
        say!(
            "  rates        to the board {}, from the board {}",
            rate(figures.to_board),
            rate(figures.from_board)
        );
        if let Some(file) = &figures.file {
            say!("  line         {}", file.model());
        }
        if figures.pseudo_terminal {
            say!("  a pseudo-terminal has no line rate: these figures are of this machine and of the simulated board");
        }
        Ok(())
    }
}

/// Writes down the line of the one board that was measured.
pub(super) fn write_line(path: &Path, boards: &[Board]) -> anyhow::Result<()> {
    let file = path.display();
    let probed: Vec<(&Board, &Probed)> = boards
        .iter()
        .filter_map(|board| board.probe.as_ref().map(|probed| (board, probed)))
        .collect();
    let line = match probed[..] {
        [] => bail!("{file} is not written: no board answered whose line could be measured"),
        [(_, Probed::Measured(figures))] => figures.file.as_ref().with_context(|| {
            format!(
                "{file} is not written: no rate of the line could be measured; try again with nothing else on the line"
            )
        })?,
        [(board, Probed::Failed { problem })] => {
            bail!(
                "{file} is not written: {} was not measured: {problem}",
                board.accelerator
            )
        }
        [_, _, ..] => {
            let names: Vec<&str> = probed.iter().map(|(board, _)| board.port.as_str()).collect();
            bail!(
                "{file} is not written: {} boards answered ({}), expected one: name its port, as in bluebelle devices --probe \
                 --line {file} {}",
                names.len(),
                names.join(", "),
                names[0]
            )
        }
    };
    line.write(path).with_context(|| format!("cannot write {file}"))
}
