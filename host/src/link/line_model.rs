use std::fmt;
use std::path::Path;
use std::time::Duration;

use super::{LineFile, LineFileError};

/// How long USB keeps bytes of a serial line, each way: the FT231X of a ULX3S is USB *full speed*,
/// whose frames take 1 ms, and its latency timer is 1 ms at least. A microframe of 125 µs is what
/// USB *high speed* has.
pub const USB_FULL_SPEED_LATENCY: Duration = Duration::from_millis(1);

/// A line, the same both ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineModel {
    /// Bytes a second.
    pub bytes_per_second: f64,
    /// From the last bit of a byte on the line to whoever waits for it.
    pub latency: Duration,
    /// At most so much more, another time for each burst.
    pub jitter: Duration,
    /// Which times.
    pub seed: u64,
}

impl LineModel {
    /// A line without latency.
    pub const fn of_rate(bytes_per_second: f64) -> LineModel {
        LineModel {
            bytes_per_second,
            latency: Duration::ZERO,
            jitter: Duration::ZERO,
            seed: 1,
        }
    }

    /// A serial line behind USB; `baud` is its bits a second.
    pub fn serial(baud: u32) -> LineModel {
        LineModel {
            latency: USB_FULL_SPEED_LATENCY,
            // Start and stop bit.
            ..LineModel::of_rate(f64::from(baud) / 10.0)
        }
    }

    /// The line that `bluebelle devices --probe --line FILE` measured.
    ///
    /// # Errors
    /// If there is no such file, or no line in it that can be.
    pub fn read(path: &Path) -> Result<LineModel, LineFileError> {
        LineFile::read(path).map(|file| file.model())
    }
}

/// As in `300 kB/s, latency 1 ms each way`.
impl fmt::Display for LineModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineModel {
            bytes_per_second,
            latency,
            jitter,
            ..
        } = *self;
        write!(
            f,
            "{}, latency {} each way",
            rate_in_words(bytes_per_second),
            time(latency)
        )?;
        match jitter.is_zero() {
            true => Ok(()),
            false => write!(f, " and up to {} more", time(jitter)),
        }
    }
}

/// A rate in the unit that suits it, as in `300 kB/s`.
pub fn rate_in_words(bytes_per_second: f64) -> String {
    match bytes_per_second {
        rate if rate < 1e6 => format!("{} kB/s", short(rate / 1e3)),
        rate => format!("{} MB/s", short(rate / 1e6)),
    }
}

fn time(time: Duration) -> String {
    match time.as_secs_f64() * 1e6 {
        us if us < 1000.0 => format!("{} µs", short(us)),
        us => format!("{} ms", short(us / 1e3)),
    }
}

/// Three digits, and no zeros after the point.
fn short(number: f64) -> String {
    let places = match number {
        number if number < 9.995 => 2,
        number if number < 99.95 => 1,
        _ => 0,
    };
    let text = format!("{number:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_in_units_that_suit_it() {
        assert_eq!(
            LineModel::serial(3_000_000).to_string(),
            "300 kB/s, latency 1 ms each way"
        );
        assert_eq!(LineModel::serial(9600).to_string(), "0.96 kB/s, latency 1 ms each way");
        let line = LineModel {
            latency: Duration::from_nanos(10_260),
            jitter: Duration::from_micros(1_500),
            ..LineModel::of_rate(12_345_678.0)
        };
        assert_eq!(
            line.to_string(),
            "12.3 MB/s, latency 10.3 µs each way and up to 1.5 ms more"
        );
    }
}
