//! Virtual time against the Verilated chip on the virtual board: slots to the cycle, searches within a few per cent.
#![cfg(unix)]

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bluebelle::accelerated::Accelerated;
use bluebelle::backend::Backend;
use bluebelle::evaluation::Evaluator as HostEvaluator;
use bluebelle::game::Game;
use bluebelle::limits::{Control, Limits};
use bluebelle::link::{LineModel, Link, Serial};
use bluebelle::pool;
use bluebelle::projection::{Asking, BoardModel, HostCost, Projection, Setup};
use bluebelle::report::Silent;
use bluebelle::search::Settings;
use bluebelle_sim::board::{Pty, serve};
use bluebelle_sim::verilated::Process;
use bluebelle_sim::{Answer, ChipError, ClockedChip, ModelConfig, Until, build_board};
use bluebelle_spec::leaf::{self, Job, Task as LeafTask};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{Decoder, Message, Reply, Request, Status, WeightWords};
use bluebelle_spec::{Evaluator, Position, Weights};
use bluebelle_tests::games::Games;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Builder;

/// Counts the cycles of a chip, whose clock stands still while the host has something to do.
struct Counted {
    chip: Process,
    cycle: Arc<AtomicU64>,
}

impl ClockedChip for Counted {
    fn exchange(&mut self, bytes: &[u8], until: Until) -> Result<Answer, ChipError> {
        wait_for_the_host();
        let answer = self.chip.exchange(bytes, until)?;
        self.cycle.store(answer.cycle, Ordering::Relaxed);
        Ok(answer)
    }
}

/// The threads of the host: that of the test, and those of the board's task. Linux cuts names after 15 characters.
const HOST_THREADS: [&str; 2] = ["a_search_takes_", "tokio-rt-worker"];

/// How often in a row the host must be seen at rest.
const LOOKS_AT_REST: u32 = 4;

/// On a machine with much else to do, the host's threads wait for a processor, while the simulated clock would go on.
/// Where the system does not tell what threads do, the clock goes on.
fn wait_for_the_host() {
    let is_at_work = || {
        let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let states = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
        // "11 (name) R …": the state follows the name.
        states
            .filter_map(|stat| {
                let (name, rest) = stat.split_once('(')?.1.rsplit_once(") ")?;
                Some(HOST_THREADS.contains(&name) && rest.starts_with('R'))
            })
            .any(|at_work| at_work)
    };
    let began = Instant::now();
    let mut looks_at_rest = 0;
    // What was written to the line wakes its reader a little later.
    while looks_at_rest < LOOKS_AT_REST && began.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_micros(150));
        looks_at_rest = if is_at_work() { 0 } else { looks_at_rest + 1 };
    }
}

/// A chip with one core on a virtual board.
struct VirtualBoard {
    path: String,
    cycle: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl VirtualBoard {
    fn start() -> VirtualBoard {
        let program = build_board("1").expect("Verilator and a C++ compiler");
        let cycle = Arc::new(AtomicU64::new(0));
        let mut chip = Counted {
            chip: Process::start(&program, None).expect("the chip starts"),
            cycle: Arc::clone(&cycle),
        };
        let mut line = Pty::open(None).expect("a pseudo-terminal");
        let path = line.path().to_string_lossy().into_owned();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        // Without a name it would have that of the test, like a thread of the host.
        let thread = thread::Builder::new().name("board".to_owned()).spawn(move || {
            let _ = serve(&mut line, &mut chip, &flag);
        });
        let thread = thread.expect("a thread");
        VirtualBoard {
            path,
            cycle,
            stop,
            thread: Some(thread),
        }
    }

    fn link(&self) -> Serial {
        Serial::new(&self.path, 3_000_000)
    }
}

impl Drop for VirtualBoard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The counters of a chip after so many results of these jobs.
async fn run_jobs(board: &VirtualBoard, jobs: &[Job]) -> io::Result<(u64, Status)> {
    let mut line = board.link().open().await?;
    let mut decoder = Decoder::<Reply>::new();
    let mut buffer = [0; 1024];
    let mut bytes = vec![0];
    for request in [Request::Reset].into_iter().chain(
        WeightWords::all(Weights::standard())
            .into_iter()
            .map(Request::LoadWeights),
    ) {
        request.encode_to(&mut bytes).expect("a request");
    }
    line.write_all(&bytes).await?;
    let mut slots = 0;
    for jobs in jobs.chunks(16) {
        let mut bytes = Vec::new();
        for (id, &job) in (0..).zip(jobs) {
            Request::Job { id, job }.encode_to(&mut bytes).expect("a job");
        }
        line.write_all(&bytes).await?;
        let mut left = jobs.len();
        while left > 0 {
            let length = line.read(&mut buffer).await?;
            for reply in decoder.push(&buffer[..length]).filter_map(Result::ok) {
                if let Reply::Results(results) = reply {
                    left -= results.len();
                    slots += results
                        .iter()
                        .map(|result| u64::from(result.outcome.slots))
                        .sum::<u64>();
                }
            }
        }
    }
    line.write_all(&Request::Status.encode().expect("a request")).await?;
    loop {
        let length = line.read(&mut buffer).await?;
        let mut replies = decoder.push(&buffer[..length]).filter_map(Result::ok);
        if let Some(Reply::Status(status)) = replies.find(|reply| matches!(reply, Reply::Status(_))) {
            return Ok((slots, status));
        }
    }
}

#[test]
fn the_chip_is_busy_for_as_many_cycles_as_the_model_says() {
    check_cycles(|rng| Job {
        pruning: rng.below(2) == 1,
        ..Job::new(Position::initial(), small_task(rng))
    });
}

/// A gang has the core to itself, so that what its threads do depends on nothing but the job.
#[test]
fn gangs_are_busy_for_as_many_cycles_as_the_model_says() {
    check_cycles(|rng| Job {
        pruning: true,
        gang: true,
        node_limit: 5_000,
        ..Job::new(
            Position::initial(),
            LeafTask::Search {
                depth: rng.below(11) as u8,
                beta: rng.below(200) as i16 - 100,
            },
        )
    });
}

fn small_task(rng: &mut SplitMix64) -> LeafTask {
    LeafTask::Search {
        depth: rng.below(4) as u8,
        beta: rng.below(200) as i16 - 100,
    }
}

/// Jobs like this one, in 60 sharp positions.
fn check_cycles(job: impl Fn(&mut SplitMix64) -> Job) {
    let board = VirtualBoard::start();
    let mut rng = SplitMix64::new(5);
    let positions = Games::from_suite(21, "sharp.epd").expect("the suite").take(60);
    let jobs: Vec<Job> = positions
        .map(|sample| Job {
            position: sample.position,
            ..job(&mut rng)
        })
        .collect();
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (slots, status) = runtime.block_on(run_jobs(&board, &jobs)).expect("a working line");
    let evaluator = Evaluator::new(Weights::standard());
    let predicted: Vec<_> = jobs.iter().map(|job| leaf::run_measured(job, &evaluator)).collect();
    assert_eq!(
        slots,
        predicted
            .iter()
            .map(|(outcome, _)| u64::from(outcome.slots))
            .sum::<u64>()
    );
    // A core does a slot of some thread in each cycle in which it is busy.
    assert_eq!(
        status.slots_busy,
        predicted.iter().map(|&(_, busy)| u64::from(busy)).sum::<u64>()
    );
    assert_eq!(status.jobs_done as usize, jobs.len());
}

/// What the virtual board is: one core at 25 MHz behind a line of a quarter of its clock, looked at every 500 cycles.
fn setup() -> Setup {
    let chip = ModelConfig::default();
    let mhz = f64::from(chip.clock_khz) / 1000.0;
    Setup {
        boards: 1,
        board: BoardModel {
            cores: 1,
            threads: chip.threads,
            stages: chip.stages,
            gangs: chip.gangs,
            queue: chip.queue,
            mhz,
        },
        line: LineModel {
            bytes_per_second: mhz * 1e6 / 4.0 / 10.0,
            // A result waits for half of the cycles between two looks, and what the host asks in answer to it for all of them.
            latency: Duration::from_secs_f64(375.0 / (mhz * 1e6)),
            jitter: Duration::ZERO,
            seed: 1,
        },
        // A simulated chip is some hundred times slower than it says, and the host is not: its work takes no time.
        host: HostCost::Fixed {
            node: Duration::ZERO,
            job: Duration::ZERO,
            carried: Duration::ZERO,
        },
        asking: ASKING,
        ..Setup::software(HostCost::Measured)
    }
}

/// A host whose work takes no time would win every race.
const ASKING: Asking = Asking {
    from: Some(6),
    races: false,
};

#[test]
fn a_search_takes_the_predicted_time() {
    let board = VirtualBoard::start();
    let evaluator = HostEvaluator::new(Weights::standard());
    let samples: Vec<_> = Games::from_suite(33, "sharp.epd")
        .expect("the suite")
        .filter(|sample| !leaf::legal_moves(&sample.position).is_empty())
        .step_by(3)
        .take(24)
        .collect();
    let limits = Limits {
        depth: Some(10),
        ..Limits::default()
    };
    let setup = setup();
    let settings = pool::Settings {
        model: false,
        // A simulated chip on a busy machine may be slow.
        timing: pool::Timing::default().dilated(20),
        ..pool::Settings::default()
    };
    let opened = Accelerated::with_links("board", vec![Box::new(board.link())], settings, setup.hash);
    let mut engine = opened.expect("threads").asking(ASKING);
    let done = |engine: &Accelerated| engine.pool().map_or((0, 0), |pool| pool.jobs_done());
    let (mut simulated, mut predicted) = (0.0, 0.0);
    for sample in &samples {
        let fen = bluebelle_spec::Fen {
            position: sample.position,
            halfmoves: 0,
            fullmoves: 1,
        };
        let game = Game::new(&fen, &evaluator);
        let (before, results) = (board.cycle.load(Ordering::Relaxed), done(&engine).0);
        engine.clear();
        engine.search(&game, &limits, &Settings::default(), &Control::new(false), &Silent);
        let cycles = (board.cycle.load(Ordering::Relaxed) - before) as f64;
        let projected = Projection::new(setup).search(&game, &limits).expect("a runtime");
        let expected = projected.outcome.time.as_secs_f64() * setup.board.mhz * 1e6;
        println!(
            "{cycles} cycles for {} results, {expected:.0} predicted for {}",
            done(&engine).0 - results,
            projected.results
        );
        simulated += cycles;
        predicted += expected;
    }
    assert_eq!(done(&engine).1, 0, "the board did not do all jobs");
    let ratio = predicted / simulated;
    println!("predicted / simulated = {ratio:.3}");
    assert!((0.95..=1.05).contains(&ratio), "predicted / simulated = {ratio:.3}");
}
