use std::path::PathBuf;
use std::time::Duration;

use bluebelle::link::{LineModel, USB_FULL_SPEED_LATENCY};

/// The line to a board that is projected, as a person describes it.
#[derive(clap::Args)]
pub(crate) struct LineArguments {
    /// Bits a second on the serial line, instead of the board's
    #[arg(long, value_parser = clap::value_parser!(u32).range(1200..=1_000_000_000))]
    baud: Option<u32>,

    /// Bytes a second, for a line that is not serial, such as 100000000
    #[arg(long, value_name = "BYTES", conflicts_with = "baud", value_parser = clap::value_parser!(u64).range(100..=100_000_000_000))]
    rate: Option<u64>,

    /// Microseconds from the end of a byte on the line to whoever waits for it, each way [default:
    /// 1000, a frame of USB full speed]
    #[arg(long, value_name = "MICROSECONDS", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    latency_us: Option<u32>,

    /// The line that `bluebelle devices --probe --line FILE` measured
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baud", "rate", "latency_us"])]
    line: Option<PathBuf>,
}

/// What a fixed seed draws for each burst is at most this much later.
const SEEDED_JITTER: Duration = Duration::from_micros(10);

/// A line, and where its figures are from.
pub(crate) struct Line {
    pub(crate) model: LineModel,
    pub(crate) source: String,
}

impl LineArguments {
    /// Whether a flag says something else than the default.
    pub(crate) fn is_given(&self) -> bool {
        self.baud.is_some() || self.rate.is_some() || self.latency_us.is_some() || self.line.is_some()
    }

    /// The line to a board whose serial port has this speed.
    pub(crate) fn line(&self, baud: u32, seed: Option<u64>) -> anyhow::Result<Line> {
        let (model, source) = match &self.line {
            Some(path) => (LineModel::read(path)?, format!("measured, {}", path.display())),
            None => {
                let serial = LineModel::serial(self.baud.unwrap_or(baud));
                let model = LineModel {
                    bytes_per_second: self.rate.map_or(serial.bytes_per_second, |rate| rate as f64),
                    latency: self.latency(),
                    jitter: seed.map_or(Duration::ZERO, |_| SEEDED_JITTER),
                    ..serial
                };
                let source = match self.latency_us {
                    Some(_) => "as told",
                    None => "USB full speed",
                };
                (model, source.to_owned())
            }
        };
        let seed = seed.unwrap_or(model.seed);
        Ok(Line {
            model: LineModel { seed, ..model },
            source,
        })
    }

    fn latency(&self) -> Duration {
        self.latency_us
            .map_or(USB_FULL_SPEED_LATENCY, |us| Duration::from_micros(us.into()))
    }
}
