use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::LineModel;

/// A line as `bluebelle devices --probe --line FILE` measured it, for commands that project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineFile {
    /// Of this file: [`LineFile::VERSION`].
    pub version: u64,
    /// What the option `Accelerator` calls the board.
    pub accelerator: String,
    /// The build that the board says it is.
    pub board: String,
    /// Of the way that is slower.
    pub bytes_per_second: f64,
    /// From the first byte of a question to the last of its answer.
    pub round_trips: RoundTrips,
    /// The jitter: each burst of bytes comes later than the latency by a time from 0 to this, and all
    /// those times are equally likely.
    pub jitter_us: f64,
}

/// How long questions and their answers took, in µs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundTrips {
    /// How many were measured.
    pub count: usize,
    /// How many had no answer.
    pub lost: usize,
    /// Bytes of a question and its answer.
    pub bytes: usize,
    /// The shortest.
    pub min_us: f64,
    /// Half of them took no longer.
    pub median_us: f64,
    /// 90 % of them took no longer.
    pub p90_us: f64,
    /// 99 % of them took no longer.
    pub p99_us: f64,
    /// The longest.
    pub max_us: f64,
}

/// Why a file has no line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineFileError {
    /// It cannot be read.
    #[error("{}: cannot be read: {problem}; `bluebelle devices --probe --line FILE` writes such a file", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: io::Error,
    },
    /// Something else is in it.
    #[error("{}: no line of `bluebelle devices --probe --line FILE`: {problem}", path.display())]
    NoLine {
        /// The file.
        path: PathBuf,
        /// What is there instead.
        problem: serde_json::Error,
    },
    /// Another program wrote it.
    #[error(
        "{}: has version {found}, expected {}: measure again with this program's `bluebelle devices --probe --line FILE`",
        path.display(),
        LineFile::VERSION
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version, as it is written.
        found: String,
    },
    /// No line is like that.
    #[error("{}: {what}: measure again with `bluebelle devices --probe --line FILE`", path.display())]
    Absurd {
        /// The file.
        path: PathBuf,
        /// What was found, and what was expected.
        what: String,
    },
}

/// Bytes a second that a line may have.
const RATES: std::ops::RangeInclusive<f64> = 100.0..=1e11;

/// The longest round trip that a line may have, in µs.
const LONGEST_US: f64 = 10e6;

impl LineFile {
    /// Of this program's files.
    pub const VERSION: u64 = 1;

    /// What was measured of a line.
    pub fn new(accelerator: &str, board: &str, bytes_per_second: f64, round_trips: RoundTrips) -> LineFile {
        let moving_us = moving_us(&round_trips, bytes_per_second);
        LineFile {
            version: LineFile::VERSION,
            accelerator: accelerator.to_owned(),
            board: board.to_owned(),
            bytes_per_second,
            jitter_us: round_trips
                .jitter_us()
                .min((round_trips.median_us - moving_us).max(0.0)),
            round_trips,
        }
    }

    /// Reads the file at a path.
    ///
    /// # Errors
    /// If there is none, or no line in it that can be.
    pub fn read(path: &Path) -> Result<LineFile, LineFileError> {
        let text = fs::read_to_string(path).map_err(|problem| LineFileError::Unreadable {
            path: path.to_owned(),
            problem,
        })?;
        let no_line = |problem| LineFileError::NoLine {
            path: path.to_owned(),
            problem,
        };
        // Another version may have other fields.
        let value: serde_json::Value = serde_json::from_str(&text).map_err(no_line)?;
        if let Some(version) = value.get("version").filter(|&version| version != LineFile::VERSION) {
            return Err(LineFileError::Version {
                path: path.to_owned(),
                found: version.to_string(),
            });
        }
        let file: LineFile = serde_json::from_value(value).map_err(no_line)?;
        match file.absurdity() {
            None => Ok(file),
            Some(what) => Err(LineFileError::Absurd {
                path: path.to_owned(),
                what,
            }),
        }
    }

    /// Writes the file, over one that was there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        fs::write(path, text + "\n")
    }

    /// The line: its median round trip is the one that was measured. So the latency is half of what
    /// the median leaves beside the bytes' time on the line and, for a line with jitter, beside the
    /// jitter of an average round trip.
    pub fn model(&self) -> LineModel {
        let trip = &self.round_trips;
        let waiting_us = trip.median_us - moving_us(trip, self.bytes_per_second) - self.jitter_us;
        let time = |us: f64| Duration::from_secs_f64(us.max(0.0) / 1e6);
        LineModel {
            latency: time(waiting_us / 2.0),
            jitter: time(self.jitter_us),
            ..LineModel::of_rate(self.bytes_per_second)
        }
    }

    /// What cannot be.
    fn absurdity(&self) -> Option<String> {
        let trip = &self.round_trips;
        if !RATES.contains(&self.bytes_per_second) {
            let (least, most) = (RATES.start(), RATES.end());
            return Some(format!(
                "has {} bytes a second, expected {least} to {most}",
                self.bytes_per_second
            ));
        }
        let spread = [trip.min_us, trip.median_us, trip.p90_us, trip.p99_us, trip.max_us];
        let told = spread.map(|us| us.to_string()).join(", ");
        if !spread.is_sorted() || !spread.iter().all(|us| (0.0..=LONGEST_US).contains(us)) || trip.max_us == 0.0 {
            return Some(format!(
                "has round trips of {told} µs, expected min, median, p90, p99 and max to rise, up to {LONGEST_US}"
            ));
        }
        if !(0.0..=trip.max_us).contains(&self.jitter_us) {
            let (jitter, most) = (self.jitter_us, trip.max_us);
            return Some(format!(
                "has a jitter of {jitter} µs, expected 0 to the longest round trip, {most}"
            ));
        }
        if trip.count == 0 || trip.bytes == 0 || trip.bytes > 1 << 20 {
            return Some(format!(
                "has {} round trips of {} bytes, expected one or more of 1 to {} bytes",
                trip.count,
                trip.bytes,
                1 << 20
            ));
        }
        None
    }
}

/// How long the bytes of a round trip are on the line.
fn moving_us(trip: &RoundTrips, bytes_per_second: f64) -> f64 {
    trip.bytes as f64 / bytes_per_second * 1e6
}

/// Of the sum of two times that are drawn evenly up to the jitter, how much of the jitter lies
/// between the median and what 90 of a hundred stay below: 2 - √0.2 less 1.
const MEDIAN_TO_P90: f64 = 0.552_786;

impl RoundTrips {
    /// Of these times. `lost` questions had no answer, and a question and its answer have `bytes`.
    pub fn of(mut times: Vec<Duration>, lost: usize, bytes: usize) -> Option<RoundTrips> {
        times.sort_unstable();
        let last = times.len().checked_sub(1)?;
        // The least time that this share of them does not exceed.
        let at = |percent: usize| {
            let index = (times.len() * percent).div_ceil(100).clamp(1, last + 1) - 1;
            times[index].as_nanos() as f64 / 1e3
        };
        Some(RoundTrips {
            count: times.len(),
            lost,
            bytes,
            min_us: at(0),
            median_us: at(50),
            p90_us: at(90),
            p99_us: at(99),
            max_us: at(100),
        })
    }

    /// The jitter each way that spreads round trips as far as these are spread from their median to
    /// 90 of a hundred, but no more than keeps the shortest above their minimum. The few that take
    /// much longer are the host's as often as the line's, and are left out.
    fn jitter_us(&self) -> f64 {
        let above = (self.p90_us - self.median_us) / MEDIAN_TO_P90;
        above.min(self.median_us - self.min_us)
    }
}

#[cfg(test)]
mod tests {
    use std::{env, process};

    use bluebelle_spec::rng::SplitMix64;

    use super::*;

    fn trips() -> RoundTrips {
        let times = (1..=200).map(|index| Duration::from_micros(2_000 + index)).collect();
        RoundTrips::of(times, 3, 60).unwrap()
    }

    fn file() -> LineFile {
        LineFile::new("serial:/dev/ttyUSB0", "golden model", 300_000.0, trips())
    }

    /// A file with this text, as it is read.
    fn read(name: &str, text: &str) -> Result<LineFile, LineFileError> {
        let path = env::temp_dir().join(format!("bluebelle-line-{name}-{}", process::id()));
        fs::write(&path, text).unwrap();
        let read = LineFile::read(&path);
        fs::remove_file(path).unwrap();
        read
    }

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let trips = trips();
        assert_eq!((trips.count, trips.lost, trips.bytes), (200, 3, 60));
        let spread = [trips.min_us, trips.median_us, trips.p90_us, trips.p99_us, trips.max_us];
        assert_eq!(spread, [2_001.0, 2_100.0, 2_180.0, 2_198.0, 2_200.0]);
        let one = RoundTrips::of(vec![Duration::from_micros(7)], 0, 60).unwrap();
        assert_eq!(
            (one.min_us, one.median_us, one.p99_us, one.max_us),
            (7.0, 7.0, 7.0, 7.0)
        );
        assert_eq!(RoundTrips::of(vec![], 4, 60), None);
    }

    #[test]
    fn without_jitter_the_latency_is_half_of_what_the_bytes_leave() {
        let times = vec![Duration::from_micros(2_200); 50];
        let line = LineFile::new("a", "b", 300_000.0, RoundTrips::of(times, 0, 60).unwrap()).model();
        assert_eq!((line.latency, line.jitter), (Duration::from_millis(1), Duration::ZERO));
        assert_eq!(line.bytes_per_second, 300_000.0);
        // A line whose bytes would have taken longer than they did has no latency, rather than one
        // below zero.
        let times = vec![Duration::from_micros(100); 50];
        let line = LineFile::new("a", "b", 300_000.0, RoundTrips::of(times, 0, 60).unwrap()).model();
        assert_eq!(line.latency, Duration::ZERO);
    }

    #[test]
    fn latency_and_jitter_are_found_again() {
        let mut random = SplitMix64::new(5);
        for (latency, jitter) in [(1_000.0, 400.0), (50.0, 10.0), (300.0, 1_000.0)] {
            let mut draw = || jitter * random.below(1 << 20) as f64 / f64::from(1 << 20);
            let trip = |us: f64| Duration::from_secs_f64((us + 2.0 * latency + 200.0) / 1e6);
            let times = (0..20_000).map(|_| trip(draw() + draw())).collect();
            let trips = RoundTrips::of(times, 0, 60).unwrap();
            let line = LineFile::new("a", "b", 300_000.0, trips).model();
            let us = |time: Duration| time.as_secs_f64() * 1e6;
            assert!((us(line.jitter) / jitter - 1.0).abs() < 0.05, "{line:?} of {jitter}");
            assert!(
                (us(line.latency) - latency).abs() < 0.05 * jitter,
                "{line:?} of {latency}"
            );
        }
    }

    #[test]
    fn round_trips_that_were_interrupted_make_no_line_without_latency() {
        let interrupted = |index: u64| if index.is_multiple_of(5) { 5_000 } else { 0 };
        let times = (0..100).map(|index| Duration::from_micros(1_000 + index + interrupted(index)));
        let line = LineFile::new("a", "b", 1e9, RoundTrips::of(times.collect(), 0, 60).unwrap()).model();
        assert!(line.jitter <= Duration::from_micros(70), "{line:?}");
        assert!(line.latency >= Duration::from_micros(490), "{line:?}");
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let path = env::temp_dir().join(format!("bluebelle-line-round-{}", process::id()));
        file().write(&path).unwrap();
        assert_eq!(LineFile::read(&path).unwrap(), file());
        assert_eq!(LineModel::read(&path).unwrap(), file().model());
        fs::remove_file(&path).unwrap();
        let missing = LineModel::read(&path).unwrap_err().to_string();
        assert!(missing.contains("cannot be read"), "{missing}");
        assert!(missing.contains("devices --probe --line"), "{missing}");
    }

    #[test]
    fn bad_files_are_refused() {
        let good = serde_json::to_string(&file()).unwrap();
        assert_eq!(read("good", &good).unwrap(), file());
        // What is changed, into what, and what is said about it.
        let cases = [
            ("{", "", "no line of"),
            ("\"version\":1", "\"version\":2", "has version 2, expected 1"),
            ("\"version\":1", "\"version\":\"1\"", "has version \"1\", expected 1"),
            ("\"version\":1,", "", "missing field `version`"),
            ("\"jitter_us\"", "\"titter_us\"", "missing field `jitter_us`"),
            ("300000.0", "\"fast\"", "expected f64"),
            ("300000.0", "0.0", "has 0 bytes a second, expected 100 to"),
            ("300000.0", "-1.0", "has -1 bytes a second"),
            ("300000.0", "1e300", "bytes a second"),
            ("300000.0", "1e999", "no line of"),
            ("\"median_us\":2100.0", "\"median_us\":9999.0", "expected min, median"),
            ("\"min_us\":2001.0", "\"min_us\":-5.0", "expected min, median"),
            ("\"max_us\":2200.0", "\"max_us\":1e12", "expected min, median"),
            ("\"count\":200", "\"count\":0", "has 0 round trips"),
            ("\"bytes\":60", "\"bytes\":0", "round trips of 0 bytes"),
        ];
        for (index, (found, instead, problem)) in cases.into_iter().enumerate() {
            let text = good.replacen(found, instead, 1);
            assert_ne!(text, good, "{found} is not in {good}");
            let error = read(&format!("bad{index}"), &text).expect_err(&text).to_string();
            assert!(error.contains(problem), "{instead}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        let jitter = LineFile {
            jitter_us: 1e9,
            ..file()
        };
        let error = read("jitter", &serde_json::to_string(&jitter).unwrap()).unwrap_err();
        assert!(error.to_string().contains("has a jitter of"), "{error}");
        for text in ["", "300000", "[]", "latency: 1 ms"] {
            let error = read("text", text).unwrap_err().to_string();
            assert!(error.contains("no line of `bluebelle devices"), "{error}");
        }
    }
}
