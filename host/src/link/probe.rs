use std::io;
use std::time::Duration;

use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{Decoder, Identity, MAX_IDS, Message, Reply, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::{Instant, timeout_at};

use super::{Line, RoundTrips, Silence, identify};

/// What a line to a board is like, as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Who is at its end.
    pub identity: Identity,
    /// How long the board's answers took.
    pub round_trips: RoundTrips,
    /// Bytes a second to the board; `None` if an answer was lost or too late.
    pub to_board: Option<f64>,
    /// The same, from the board.
    pub from_board: Option<f64>,
}

impl Probe {
    /// Bytes a second of the way that is slower.
    pub fn bytes_per_second(&self) -> Option<f64> {
        [self.to_board, self.from_board]
            .into_iter()
            .flatten()
            .min_by(f64::total_cmp)
    }
}

/// Why a line could not be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The board is not there.
    #[error(transparent)]
    Silence(#[from] Silence),
    /// The line is lost.
    #[error("the line failed: {0}")]
    Line(io::Error),
    /// Only who is there was said.
    #[error("it answered once, and then {0} questions not at all")]
    Mute(usize),
}

/// By hand, because the text has the system's words already: a source would say them again.
impl From<io::Error> for ProbeError {
    fn from(error: io::Error) -> ProbeError {
        ProbeError::Line(error)
    }
}

/// How much is measured, and how long is waited for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probing {
    /// How many questions are asked one after the other.
    pub round_trips: usize,
    /// For all of these, unless they are done before.
    pub round_trips_within: Duration,
    /// For the answer to one of them.
    pub patience: Duration,
    /// A rate is measured with as many bytes as take so long; with an eighth of them, if more do
    /// not come in time.
    pub rate_over: Duration,
    /// For all bytes that measure one rate.
    pub rate_within: Duration,
    /// How much of tokio's time a second takes: more than one for a board in [virtual
    /// time](super::Timed) only.
    pub dilation: u32,
}

impl Default for Probing {
    fn default() -> Probing {
        Probing {
            round_trips: 300,
            round_trips_within: Duration::from_secs(2),
            patience: Duration::from_millis(300),
            rate_over: Duration::from_millis(200),
            rate_within: Duration::from_millis(1500),
            dilation: 1,
        }
    }
}

/// Questions without an answer, one after the other, after which no more are asked.
const MOST_LOST: usize = 3;

/// How long a line without a late answer is silent.
const QUIET: Duration = Duration::from_millis(20);

/// The longest pause between two questions: two frames of USB.
const PAUSE: Duration = Duration::from_millis(2);

/// Questions that are asked before an answer has come. A chip on a serial line keeps 2047 bytes that
/// the chip has not looked at, and a question has ten.
const AT_ONCE: usize = 64;

/// No rate is measured with more bytes.
const MOST_BYTES: usize = 32 << 20;

/// Measures a line in a few seconds: round trips of *identify*, a rate to the board with aborts of
/// jobs that the board does not have, and a rate from the board with its counters. The board
/// forgets all its jobs first, and is left as it was otherwise.
///
/// # Errors
/// If the board is not there, or goes away.
pub async fn probe(line: &mut dyn Line, probing: &Probing) -> Result<Probe, ProbeError> {
    let mut decoder = Decoder::new();
    let patience = probing.patience * probing.dilation;
    let identity = identify(line, &mut decoder, &encode(&Request::Reset), patience).await?;
    let (reader, writer) = tokio::io::split(line);
    let mut talk = Talk {
        reader,
        writer,
        decoder,
        out: Vec::new(),
        sent: 0,
        probing,
    };
    talk.quiet().await?;
    let round_trips = talk.round_trips().await?;
    let round_trip = Duration::from_secs_f64(round_trips.median_us / 1e6);
    let to_board = talk.rate_to_board(round_trip).await?;
    talk.quiet().await?;
    let from_board = talk.rate_from_board().await?;
    Ok(Probe {
        identity,
        round_trips,
        to_board,
        from_board,
    })
}

/// A request that can always be said.
fn encode(request: &Request) -> Vec<u8> {
    request.encode().unwrap_or_default()
}

/// A conversation with a board.
struct Talk<'a, 'line> {
    reader: ReadHalf<&'line mut dyn Line>,
    writer: WriteHalf<&'line mut dyn Line>,
    decoder: Decoder<Reply>,
    /// What is to be said, and how much of that has been.
    out: Vec<u8>,
    sent: usize,
    probing: &'a Probing,
}

/// What a board has said at a time.
#[derive(Default)]
struct Heard {
    bytes: usize,
    identities: usize,
    statuses: usize,
    /// The bytes of the last answer.
    length: usize,
}

impl Talk<'_, '_> {
    /// So much time from now on.
    fn after(&self, time: Duration) -> Instant {
        Instant::now() + time * self.probing.dilation
    }

    /// How much time has gone by.
    fn since(&self, began: Instant) -> Duration {
        began.elapsed() / self.probing.dilation
    }

    /// Says this after what has been said.
    fn say(&mut self, bytes: &[u8]) {
        if self.sent == self.out.len() {
            self.out.clear();
            self.sent = 0;
        }
        self.out.extend_from_slice(bytes);
    }

    /// Says and hears some of what there is to be said and heard; nothing if the time is up before.
    async fn step(&mut self, end: Instant) -> io::Result<Option<Heard>> {
        let mut buffer = [0; 4096];
        let unsent = &self.out[self.sent..];
        let step = async {
            tokio::select! {
                biased;
                read = self.reader.read(&mut buffer) => match read? {
                    0 => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
                    length => Ok((length, 0)),
                },
                written = self.writer.write(unsent), if !unsent.is_empty() => match written? {
                    0 => Err(io::Error::from(io::ErrorKind::WriteZero)),
                    length => Ok((0, length)),
                },
            }
        };
        let (length, written) = match timeout_at(end, step).await {
            Err(_) => return Ok(None),
            Ok(step) => step?,
        };
        self.sent += written;
        let mut heard = Heard {
            bytes: length,
            ..Heard::default()
        };
        for reply in self.decoder.push(&buffer[..length]).filter_map(Result::ok) {
            match reply {
                Reply::Identity(_) => heard.identities += 1,
                Reply::Status(_) => heard.statuses += 1,
                Reply::Results(_) | Reply::Error(_) => continue,
            }
            heard.length = reply.encode().map_or(0, |bytes| bytes.len());
        }
        Ok(Some(heard))
    }

    /// Says no more of what is to be said. The board may have heard half of a frame.
    fn stop(&mut self) {
        self.out = vec![0];
        self.sent = 0;
    }

    /// Waits until nothing more comes: a late answer must not be taken for that to another
    /// question.
    async fn quiet(&mut self) -> io::Result<()> {
        let end = self.after(self.probing.patience);
        while Instant::now() < end && self.step(self.after(QUIET)).await?.is_some() {}
        Ok(())
    }

    /// Says this, and waits for as many answers to *identify*; the bytes of one, or nothing if it
    /// is late.
    async fn ask(&mut self, bytes: &[u8], end: Instant) -> io::Result<Option<usize>> {
        self.say(bytes);
        loop {
            match self.step(end).await? {
                None => return Ok(None),
                Some(heard) if heard.identities > 0 => return Ok(Some(heard.length)),
                Some(_) => {}
            }
        }
    }

    async fn round_trips(&mut self) -> Result<RoundTrips, ProbeError> {
        let question = encode(&Request::Identify);
        let end = self.after(self.probing.round_trips_within);
        let mut random = SplitMix64::new(1);
        let (mut times, mut lost, mut lost_now, mut bytes) = (Vec::new(), 0, 0, 0);
        while times.len() < self.probing.round_trips && lost_now < MOST_LOST && Instant::now() < end {
            pause(&mut random);
            let asked = Instant::now();
            match self.ask(&question, self.after(self.probing.patience)).await? {
                Some(length) => {
                    times.push(self.since(asked));
                    (lost_now, bytes) = (0, question.len() + length);
                }
                None => {
                    (lost, lost_now) = (lost + 1, lost_now + 1);
                    self.quiet().await?;
                }
            }
        }
        RoundTrips::of(times, lost, bytes).ok_or(ProbeError::Mute(lost))
    }

    /// Sends ever more bytes, and a question after them.
    async fn rate_to_board(&mut self, round_trip: Duration) -> io::Result<Option<f64>> {
        // To stop jobs that there are not is little work for any chip, and takes many bytes to say.
        let ids = (0..MAX_IDS as u16).map(|id| id + 0x1111).collect();
        let frame = encode(&Request::Abort(ids));
        let end = self.after(self.probing.rate_within);
        let (mut frames, mut known) = (1, None);
        loop {
            let mut bytes = frame.repeat(frames);
            let length = bytes.len();
            bytes.extend(encode(&Request::Identify));
            let asked = Instant::now();
            if self.ask(&bytes, end).await?.is_none() {
                self.stop();
                return Ok(known);
            }
            let moving = self.since(asked).saturating_sub(round_trip);
            known = self.rate(length, moving);
            if moving >= self.probing.rate_over || length > MOST_BYTES / 2 {
                return Ok(known);
            }
            frames *= 2;
        }
    }

    /// Asks ever more questions, many at once, and counts what comes between the first answer and
    /// the last.
    async fn rate_from_board(&mut self) -> io::Result<Option<f64>> {
        let question = encode(&Request::Status);
        let end = self.after(self.probing.rate_within);
        let (mut count, mut known) = (8, None);
        loop {
            let (mut asked, mut answered, mut bytes) = (0, 0, 0);
            let mut began = None;
            while answered < count {
                let more = (count - asked).min((AT_ONCE + answered).saturating_sub(asked));
                self.say(&question.repeat(more));
                asked += more;
                let Some(heard) = self.step(end).await? else {
                    self.stop();
                    return Ok(known);
                };
                answered += heard.statuses;
                match began {
                    None if heard.bytes > 0 => began = Some(Instant::now()),
                    None => {}
                    Some(_) => bytes += heard.bytes,
                }
            }
            let moving = began.map_or(Duration::ZERO, |began| self.since(began));
            known = self.rate(bytes, moving);
            if moving >= self.probing.rate_over || bytes > MOST_BYTES / 2 {
                return Ok(known);
            }
            count *= 2;
        }
    }

    /// Bytes a second, if they took long enough to tell.
    fn rate(&self, bytes: usize, time: Duration) -> Option<f64> {
        (bytes > 0 && time >= self.probing.rate_over / 8).then(|| bytes as f64 / time.as_secs_f64())
    }
}

/// Lets go by some time, drawn at random: a question that leaves as soon as the last answer has
/// come would find the frames of USB always at the same moment, and a search does not. The thread
/// stays awake meanwhile, as a search does; and tokio's timers know milliseconds only.
fn pause(random: &mut SplitMix64) {
    let time = Duration::from_nanos(random.below(PAUSE.as_nanos() as u64));
    let began = std::time::Instant::now();
    while began.elapsed() < time {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_sim::ModelConfig;

    use super::super::{LineFile, LineModel, Link, Timed};
    use super::*;

    /// Timers know milliseconds, and lines microseconds.
    const DILATION: u32 = 10_000;

    fn measured(line: LineModel) -> Probe {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut link = Timed::new("timed", ModelConfig::default(), line.bytes_per_second)
                .behind(line)
                .dilated(DILATION);
            let mut line = link.open().await.unwrap();
            let probing = Probing {
                dilation: DILATION,
                ..Probing::default()
            };
            probe(&mut *line, &probing).await.unwrap()
        })
    }

    fn close(found: f64, expected: f64, by: f64) {
        assert!((found / expected - 1.0).abs() < by, "{found}, expected {expected}");
    }

    #[test]
    fn a_line_of_known_latency_is_measured_right() {
        for (rate, latency) in [(300_000.0, 1_000), (1_200_000.0, 125), (11_520.0, 1_000), (40e6, 50)] {
            let line = LineModel {
                latency: Duration::from_micros(latency),
                ..LineModel::of_rate(rate)
            };
            let probe = measured(line);
            let trips = probe.round_trips;
            assert_eq!((trips.lost, trips.bytes), (0, 10 + 50), "{trips:?}");
            assert!(trips.count >= 100, "{trips:?}");
            close(trips.median_us, 2.0 * latency as f64 + 60.0 / rate * 1e6, 0.01);
            close(probe.to_board.unwrap(), rate, 0.02);
            // No more questions than these are on the way at a time.
            let most = (AT_ONCE * 66) as f64 / (trips.median_us / 1e6);
            if rate < 0.5 * most {
                close(probe.from_board.unwrap(), rate, 0.03);
            }
            let found = LineFile::new("a", "b", rate, trips).model();
            close(found.latency.as_secs_f64() * 1e6, latency as f64, 0.01);
            assert!(found.jitter < line.latency / 50, "{found:?}");
        }
    }

    #[test]
    fn jitter_is_measured_too() {
        let line = LineModel {
            latency: Duration::from_micros(500),
            jitter: Duration::from_micros(400),
            ..LineModel::of_rate(300_000.0)
        };
        let probe = measured(line);
        let trips = probe.round_trips;
        assert!(trips.min_us >= 1_200.0 && trips.max_us <= 2_010.0, "{trips:?}");
        let found = LineFile::new("a", "b", probe.bytes_per_second().unwrap(), trips).model();
        close(found.jitter.as_secs_f64() * 1e6, 400.0, 0.25);
        close(found.latency.as_secs_f64() * 1e6, 500.0, 0.15);
    }

    /// A board whose answers come only if the line lets them; it is told how many came before each.
    async fn board(mut passes: impl FnMut(usize) -> bool + Send + 'static) -> tokio::io::DuplexStream {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let mut link = Timed::new("timed", ModelConfig::default(), 1e6);
        let chip = link.open().await.unwrap();
        tokio::spawn(async move {
            let (mut from_host, mut to_host) = tokio::io::split(theirs);
            let (mut from_chip, mut to_chip) = tokio::io::split(chip);
            tokio::spawn(async move { tokio::io::copy(&mut from_host, &mut to_chip).await });
            let mut buffer = [0; 4096];
            let mut count = 0;
            while let Ok(length @ 1..) = from_chip.read(&mut buffer).await {
                if passes(count) && to_host.write_all(&buffer[..length]).await.is_err() {
                    return;
                }
                count += 1;
            }
        });
        ours
    }

    #[tokio::test(start_paused = true)]
    async fn a_board_that_says_who_it_is_and_no_more_is_told_of() {
        let mut line = board(|count| count == 0).await;
        let began = Instant::now();
        let error = probe(&mut line, &Probing::default()).await.unwrap_err();
        assert!(matches!(error, ProbeError::Mute(MOST_LOST)), "{error:?}");
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn answers_that_are_lost_are_counted_and_cost_seconds_only() {
        let mut line = board(|count| count % 20 != 19).await;
        let began = Instant::now();
        let probe = probe(&mut line, &Probing::default()).await.unwrap();
        let trips = probe.round_trips;
        assert!(trips.lost >= 3 && trips.count >= 10 * trips.lost, "{trips:?}");
        // What was asked before is not taken for what is asked now.
        assert!(trips.max_us < 10_000.0, "{trips:?}");
        assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn an_end_of_the_line_is_an_error() {
        let (mut ours, theirs) = tokio::io::duplex(64);
        drop(theirs);
        let error = probe(&mut ours, &Probing::default()).await.unwrap_err();
        assert!(error.to_string().starts_with("the line failed"), "{error}");
    }
}
