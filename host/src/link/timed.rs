use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bluebelle_sim::{LeafCache, ModelChip, ModelConfig};
use bluebelle_spec::Weights;
use bluebelle_spec::rng::SplitMix64;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{Instant, sleep_until};

use super::{Line, LineModel, Link, Opening};

/// A board that exists in tokio's time only: the golden model, whose jobs take slots × stages / clock and whose bytes take
/// their time on the line. Under a paused clock it is as fast as the board it stands for, whatever this machine is.
pub struct Timed {
    name: String,
    config: ModelConfig,
    line: LineModel,
    dilation: u32,
    host: Vec<HostClock>,
    meter: Meter,
    cache: LeafCache,
}

/// A thread of the host: until when it is at work (what it sends leaves only then), and which tasks wait for it.
#[derive(Clone, Debug, Default)]
pub struct HostClock(Arc<Mutex<HostThread>>);

#[derive(Debug, Default)]
struct HostThread {
    busy_until: Option<Instant>,
    tickets: u64,
    waiting: VecDeque<u64>,
}

impl HostClock {
    fn thread(&self) -> std::sync::MutexGuard<'_, HostThread> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread is at work until then.
    pub fn busy_until(&self, time: Instant) {
        self.thread().busy_until = Some(time);
    }

    /// When it can do something else.
    pub fn free_at(&self, now: Instant) -> Instant {
        self.thread().busy_until.map_or(now, |until| until.max(now))
    }

    /// A task has something to do: it waits behind those that waited before.
    pub fn draw_ticket(&self) -> u64 {
        let mut thread = self.thread();
        thread.tickets += 1;
        let ticket = thread.tickets;
        thread.waiting.push_back(ticket);
        ticket
    }

    /// Whether it is the turn of the task with this ticket.
    pub fn is_first(&self, ticket: u64) -> bool {
        self.thread().waiting.front() == Some(&ticket)
    }

    /// The task with this ticket waits no longer.
    pub fn return_ticket(&self, ticket: u64) {
        self.thread().waiting.retain(|&other| other != ticket);
    }
}

/// What a board and its line have done, in the board's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metered {
    /// Slots of all jobs, also of those that were aborted.
    pub slots: u64,
    /// Jobs that ended, also aborted ones.
    pub jobs: u64,
    /// Bytes to the board.
    pub bytes_out: u64,
    /// Bytes from the board.
    pub bytes_in: u64,
}

/// Shows what a board has done so far.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Mutex<Metered>>);

impl Meter {
    /// So far.
    pub fn read(&self) -> Metered {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Metered)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Bytes on their way in one direction, before the sender must wait.
const PIPE: usize = 1 << 16;

impl Timed {
    /// A board with this chip, behind a line of this many bytes a second.
    pub fn new(name: &str, config: ModelConfig, bytes_per_second: f64) -> Timed {
        Timed {
            name: name.to_owned(),
            config,
            line: LineModel::of_rate(bytes_per_second),
            dilation: 1,
            host: Vec::new(),
            meter: Meter::default(),
            cache: LeafCache::default(),
        }
    }

    /// Behind another line.
    #[must_use]
    pub fn behind(mut self, line: LineModel) -> Timed {
        self.line = line;
        self
    }

    /// Each second of the board takes so many in tokio's time, whose timers know milliseconds only.
    #[must_use]
    pub fn dilated(mut self, dilation: u32) -> Timed {
        self.dilation = dilation.max(1);
        self
    }

    /// What the host sends leaves when this clock, too, says that a thread of it is done with its work.
    #[must_use]
    pub fn with_host(mut self, host: HostClock) -> Timed {
        self.host.push(host);
        self
    }

    /// Outcomes of jobs that boards have in common.
    #[must_use]
    pub fn with_cache(mut self, cache: LeafCache) -> Timed {
        self.cache = cache;
        self
    }

    /// Shows what this board does.
    pub fn meter(&self) -> Meter {
        self.meter.clone()
    }
}

impl Link for Timed {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&mut self) -> Opening<'_> {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let chip = ModelChip::new(&self.config, Weights::standard()).with_cache(self.cache.clone());
        let board = Board {
            time: BoardTime {
                born: Instant::now(),
                dilation: f64::from(self.dilation),
                cycles_per_second: f64::from(chip.identity().clock_khz) * 1000.0,
            },
            to_chip: Wire::new(self.line, self.dilation, 0),
            to_host: Wire::new(self.line, self.dilation, 1),
            host: self.host.clone(),
            meter: self.meter.clone(),
            chip,
        };
        tokio::spawn(board.live(theirs));
        Box::pin(async { Ok(Box::new(ours) as Box<dyn Line>) })
    }

    fn bytes_per_second(&self) -> Option<f64> {
        Some(self.line.bytes_per_second)
    }
}

/// One direction of a line: bytes leave one after the other, and arrive some time later in the same order.
#[derive(Debug)]
pub struct Wire {
    model: LineModel,
    dilation: f64,
    random: SplitMix64,
    free: Option<Instant>,
    on_their_way: VecDeque<(Instant, Vec<u8>)>,
}

impl Wire {
    /// A silent one. Directions of one line differ in their `direction`.
    pub fn new(model: LineModel, dilation: u32, direction: u64) -> Wire {
        Wire {
            model,
            dilation: f64::from(dilation),
            random: SplitMix64::new(model.seed.wrapping_mul(2).wrapping_add(direction)),
            free: None,
            on_their_way: VecDeque::new(),
        }
    }

    /// Bytes are handed over at a time; the time when the last of them arrives.
    pub fn send(&mut self, now: Instant, bytes: Vec<u8>) -> Instant {
        let start = self.free.map_or(now, |free| free.max(now));
        let free = start + self.stretched(bytes.len() as f64 / self.model.bytes_per_second);
        self.free = Some(free);
        let jitter = match self.model.jitter.as_nanos() as u64 {
            0 => 0,
            most => self.random.below(most + 1),
        };
        let delay = self.model.latency + Duration::from_nanos(jitter);
        let arrives = free + self.stretched(delay.as_secs_f64());
        // None overtakes another.
        let arrives = self.on_their_way.back().map_or(arrives, |last| last.0.max(arrives));
        self.on_their_way.push_back((arrives, bytes));
        arrives
    }

    /// When the next bytes arrive.
    pub fn next_arrival(&self) -> Option<Instant> {
        self.on_their_way.front().map(|first| first.0)
    }

    /// Takes the bytes that have arrived next.
    pub fn take(&mut self) -> Vec<u8> {
        self.on_their_way.pop_front().map_or_else(Vec::new, |first| first.1)
    }

    /// How many bytes have been handed over and not yet taken.
    fn held(&self) -> usize {
        self.on_their_way.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    fn stretched(&self, seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds * self.dilation)
    }
}

/// The board's cycles in tokio's time.
struct BoardTime {
    born: Instant,
    dilation: f64,
    cycles_per_second: f64,
}

impl BoardTime {
    fn cycle_at(&self, time: Instant) -> u64 {
        ((time - self.born).as_secs_f64() / self.dilation * self.cycles_per_second) as u64
    }

    fn time_of(&self, cycle: u64) -> Instant {
        self.born + Duration::from_secs_f64(cycle as f64 / self.cycles_per_second * self.dilation)
    }
}

struct Board {
    chip: ModelChip,
    time: BoardTime,
    to_chip: Wire,
    to_host: Wire,
    host: Vec<HostClock>,
    meter: Meter,
}

/// The most bytes that wait for a line inside the system, before the host's next write waits.
const SYSTEM_BUFFER: usize = 4096;

impl Board {
    /// The life of the board, until its line is dropped.
    async fn live(mut self, mut line: DuplexStream) {
        let mut buffer = vec![0; 256];
        loop {
            let said = self.chip.take_output();
            if !said.is_empty() {
                self.meter.change(|metered| metered.bytes_in += said.len() as u64);
                self.to_host.send(Instant::now(), said);
            }
            // A cycle late, so that rounding never asks for the same job twice.
            let next_end = self.chip.next_end().map(|cycle| self.time.time_of(cycle + 1));
            let has_room = self.to_chip.held() < SYSTEM_BUFFER;
            tokio::select! {
                biased;
                () = until(self.to_host.next_arrival()) => {
                    if line.write_all(&self.to_host.take()).await.is_err() {
                        return;
                    }
                }
                () = until(self.to_chip.next_arrival()) => {
                    self.advance();
                    let bytes = self.to_chip.take();
                    self.chip.hear(&bytes);
                }
                () = until(next_end) => self.advance(),
                read = line.read(&mut buffer), if has_room => match read {
                    Ok(length @ 1..) => {
                        self.meter.change(|metered| metered.bytes_out += length as u64);
                        let now = Instant::now();
                        let leaves = self.host.iter().map(|thread| thread.free_at(now)).fold(now, Instant::max);
                        self.to_chip.send(leaves, buffer[..length].to_vec());
                    }
                    Ok(0) | Err(_) => return,
                },
            }
        }
    }

    fn advance(&mut self) {
        self.chip.advance_to(self.time.cycle_at(Instant::now()));
        let (slots, jobs) = self.chip.work_done();
        self.meter
            .change(|metered| (metered.slots, metered.jobs) = (slots, jobs));
    }
}

/// Until then; forever, if never.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of 300 bytes a millisecond whose bytes arrive 2 ms later.
    fn line() -> LineModel {
        LineModel {
            bytes_per_second: 300_000.0,
            latency: Duration::from_millis(2),
            jitter: Duration::ZERO,
            seed: 1,
        }
    }

    #[test]
    fn frames_arrive_when_computed_by_hand() {
        // handed over at (ms), bytes, line is free at, arrive at: a frame waits for the one before it on the line, but its
        // latency is spent beside the others'.
        let schedule = [
            (0, 600, 2, 4),
            (1, 300, 3, 5),
            (2, 900, 6, 8),
            (10, 30, 10, 12), // 0.1 ms on the line
            (10, 270, 11, 13),
        ];
        let start = Instant::now();
        let ms = |time: Instant| (time - start).as_secs_f64() * 1e3;
        for dilation in [1, 1000] {
            let mut wire = Wire::new(line(), dilation, 0);
            let mut expected = Vec::new();
            for (at, bytes, free, arrives) in schedule {
                let handed_over = start + Duration::from_millis(at) * dilation;
                let arrival = wire.send(handed_over, vec![0; bytes]);
                let scale = f64::from(dilation);
                assert!(
                    (ms(arrival) / scale - f64::from(arrives)).abs() < 0.11,
                    "{arrives} ms at {dilation}"
                );
                assert!(
                    (ms(wire.free.unwrap()) / scale - f64::from(free)).abs() < 0.11,
                    "{free} ms at {dilation}"
                );
                expected.push((arrival, bytes));
            }
            for (arrival, bytes) in expected {
                assert_eq!(wire.next_arrival(), Some(arrival));
                assert_eq!(wire.take().len(), bytes);
            }
            assert_eq!(wire.next_arrival(), None);
        }
    }

    #[test]
    fn jitter_never_reorders_and_is_the_same_for_a_seed() {
        let arrivals = |seed| {
            let model = LineModel {
                jitter: Duration::from_millis(5),
                seed,
                ..line()
            };
            let mut wire = Wire::new(model, 1, 0);
            let start = Instant::now();
            let sent = (0..100).map(|index| wire.send(start + Duration::from_millis(index), vec![0; 3]) - start);
            sent.collect::<Vec<_>>()
        };
        let first = arrivals(1);
        assert!(first.is_sorted());
        assert_eq!(first, arrivals(1));
        assert_ne!(first, arrivals(2));
    }

    #[test]
    fn what_the_host_sends_waits_until_it_is_done() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let answered_after = |busy: Duration| async move {
                let host = HostClock::default();
                let config = ModelConfig::default();
                let mut link = Timed::new("timed", config, 1e9)
                    .behind(LineModel {
                        bytes_per_second: 1e9,
                        ..line()
                    })
                    .with_host(host.clone());
                let mut line = link.open().await.unwrap();
                let began = Instant::now();
                host.busy_until(began + busy);
                let request = bluebelle_spec::wire::Message::encode(&bluebelle_spec::wire::Request::Identify).unwrap();
                line.write_all(&request).await.unwrap();
                let mut byte = [0];
                line.read_exact(&mut byte).await.unwrap();
                began.elapsed().as_millis()
            };
            // 2 ms there and 2 back; tokio's timers round up.
            let (idle, busy) = (
                answered_after(Duration::ZERO).await,
                answered_after(Duration::from_millis(50)).await,
            );
            assert!((4..=6).contains(&idle), "{idle} ms");
            assert!((54..=56).contains(&busy), "{busy} ms");
        });
    }
}
