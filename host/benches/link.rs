//! What the rings are worth against the serial line, on this machine: `cargo bench -p bluebelle --bench link`.
//!
//! Three comparisons, each as a ratio:
//! - the host's own software: the model chip behind rings in a file, and behind a pseudo-terminal, which is a serial line without
//!   a line rate;
//! - the line rate: the same bytes at 3 Mbaud would take a second for every 300,000;
//! - the chip's cycles: the Verilated chip behind its own rings, a bus transfer for every word, against the cycles that the same
//!   frames take on a line of 3 Mbaud.

fn main() {
    #[cfg(unix)]
    unix::run();
    #[cfg(not(unix))]
    println!("there are no rings and no pseudo-terminals here");
}

#[cfg(unix)]
mod unix {
    use std::cell::RefCell;
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, JoinHandle};
    use std::time::Instant;
    use std::{env, fs, process};

    use bluebelle::link::{DEFAULT_BAUD, Line, Link, Pcie, Serial};
    use bluebelle_sim::board::{HostLine, Pty, RingLine, serve};
    use bluebelle_sim::verilated::Process;
    use bluebelle_sim::{ClockedChip, ModelChip, ModelConfig, Until, build_bar_board};
    use bluebelle_spec::leaf::{Job, Task};
    use bluebelle_spec::rings::{HostEnd, Memory, Received, WINDOW_BYTES};
    use bluebelle_spec::wire::{Decoder, Frame, MAX_IDS, Message, Reply, Request};
    use bluebelle_spec::{Position, Weights};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const JOBS: usize = 20_000;
    const BYTES: usize = 8 << 20;
    const ROUNDS: usize = 5;

    /// The least work that a job can be, so that the way to it is what takes time.
    fn job() -> Job {
        Job::new(Position::initial(), Task::Perft { depth: 0 })
    }

    pub(super) fn run() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (mut serial, mut rings) = (Vec::new(), Vec::new());
        // In turns, so that both have the same share of whatever else the machine does.
        for _ in 0..ROUNDS {
            serial.push(on_serial(&runtime));
            rings.push(on_rings(&runtime));
        }
        let (serial, rings) = (median(serial), median(rings));
        println!("model chip, one job a frame, medians of {ROUNDS} rounds");
        println!("{:28} {:>10} {:>14}", "", "jobs/s", "bytes/s down");
        for (name, (jobs, bytes)) in [("pseudo-terminal", serial), ("rings", rings)] {
            println!("{name:28} {jobs:10.0} {bytes:14.0}");
        }
        let rate = f64::from(DEFAULT_BAUD) / 10.0;
        let line = rate / frame_bytes() as f64;
        println!("{:28} {line:10.0} {rate:14.0}", "a line of 3 Mbaud, at most");
        let ratio = |name: &str, to: (f64, f64)| {
            println!("rings to {name:19} {:9.1}x {:13.1}x", rings.0 / to.0, rings.1 / to.1);
        };
        ratio("pseudo-terminal", serial);
        ratio("a line of 3 Mbaud", (line, rate));
        in_cycles();
    }

    fn median(mut values: Vec<(f64, f64)>) -> (f64, f64) {
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let jobs = values[values.len() / 2].0;
        values.sort_by(|a, b| a.1.total_cmp(&b.1));
        (jobs, values[values.len() / 2].1)
    }

    fn frame_bytes() -> usize {
        Request::Job { id: 1, job: job() }.encode().expect("a good job").len()
    }

    struct Board {
        stop: Arc<AtomicBool>,
        thread: JoinHandle<()>,
    }

    impl Board {
        fn start(mut line: impl HostLine + Send + 'static) -> Board {
            let stop = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&stop);
            let thread = thread::spawn(move || {
                let mut chip = ModelChip::new(&ModelConfig::default(), Weights::standard());
                serve(&mut line, &mut chip, &flag).expect("the board is well");
            });
            Board { stop, thread }
        }

        fn stop(self) {
            self.stop.store(true, Ordering::Relaxed);
            self.thread.join().expect("no panic");
        }
    }

    fn on_serial(runtime: &tokio::runtime::Runtime) -> (f64, f64) {
        let line = Pty::open(None).expect("a pseudo-terminal");
        let path = line.path().to_string_lossy().into_owned();
        measure(runtime, Board::start(line), &mut Serial::new(&path, DEFAULT_BAUD))
    }

    fn on_rings(runtime: &tokio::runtime::Runtime) -> (f64, f64) {
        let root: PathBuf = env::temp_dir().join(format!("bluebelle-bench-{}", process::id()));
        let folder = root.join("0000:01:00.0");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("vendor"), "0x1af4").expect("a file");
        fs::write(folder.join("device"), "0x1110").expect("a file");
        let line = RingLine::create(&folder.join("resource2")).expect("a window");
        let measured = measure(runtime, Board::start(line), &mut Pcie::in_sysfs(&root, "0000:01:00.0"));
        fs::remove_dir_all(root).expect("ours");
        measured
    }

    /// Jobs and bytes a second, host to chip.
    fn measure(runtime: &tokio::runtime::Runtime, board: Board, link: &mut dyn Link) -> (f64, f64) {
        let measured = runtime.block_on(async {
            let mut line = link.open().await.expect("a board");
            let line = &mut *line;
            (jobs_a_second(line).await, bytes_a_second(line).await)
        });
        board.stop();
        measured
    }

    /// As many jobs with the chip as it has room for, until all are done.
    async fn jobs_a_second(line: &mut dyn Line) -> f64 {
        let frames: Vec<Vec<u8>> = (0..107)
            .map(|id| Request::Job { id, job: job() }.encode().expect("a good job"))
            .collect();
        let (mut sent, mut done) = (0, 0);
        let mut decoder = Decoder::<Reply>::new();
        let mut buffer = [0; 4096];
        let began = Instant::now();
        while done < JOBS {
            let mut bytes = Vec::new();
            while sent < JOBS && sent - done < frames.len() {
                bytes.extend(&frames[sent % frames.len()]);
                sent += 1;
            }
            line.write_all(&bytes).await.expect("a line");
            let length = line.read(&mut buffer).await.expect("a line");
            for reply in decoder.push(&buffer[..length]) {
                if let Reply::Results(results) = reply.expect("a sound line") {
                    done += results.len();
                }
            }
        }
        JOBS as f64 / began.elapsed().as_secs_f64()
    }

    /// Long frames that the chip has no work with, and a question behind them.
    async fn bytes_a_second(line: &mut dyn Line) -> f64 {
        let abort = Request::Abort(vec![9; MAX_IDS]).encode().expect("not too many");
        let mut bytes = abort.repeat(BYTES / abort.len());
        let down = bytes.len() as f64;
        bytes.extend(Request::Status.encode().expect("it has no content"));
        let mut decoder = Decoder::<Reply>::new();
        let mut buffer = [0; 4096];
        let began = Instant::now();
        line.write_all(&bytes).await.expect("a line");
        loop {
            let length = line.read(&mut buffer).await.expect("a line");
            for reply in decoder.push(&buffer[..length]) {
                if let Ok(Reply::Status(status)) = reply {
                    assert_eq!(status.dropped.total(), 0, "bytes were lost");
                    return down / began.elapsed().as_secs_f64();
                }
            }
        }
    }

    /// The window of the Verilated chip: each access is a transfer on its bus.
    struct Bus {
        chip: RefCell<Process>,
        cycle: RefCell<u64>,
    }

    impl Bus {
        fn transfer(&self, address: u32, value: u32, frames: u32) -> u32 {
            let bytes = [address.to_le_bytes(), value.to_le_bytes()].concat();
            let until = Until { frames, cycles: 1_000 };
            let answer = self.chip.borrow_mut().exchange(&bytes, until).expect("a chip");
            *self.cycle.borrow_mut() = answer.cycle;
            answer.bytes.try_into().map_or(0, u32::from_le_bytes)
        }
    }

    impl Memory for Bus {
        fn words(&self) -> usize {
            WINDOW_BYTES / 4
        }

        fn read(&self, word: usize) -> u32 {
            self.transfer((word * 4) as u32, 0, 1)
        }

        fn write(&self, word: usize, value: u32) {
            self.transfer(1 << 31 | (word * 4) as u32, value, 0);
        }

        fn acquire(&self, word: usize) -> u32 {
            self.read(word)
        }

        fn release(&self, word: usize, value: u32) {
            self.write(word, value);
        }
    }

    /// The chip's cycles for a job, down and up again.
    fn in_cycles() {
        const CHIP_JOBS: usize = 500;
        const CLOCK: f64 = 25e6;
        let Ok(program) = build_bar_board("1") else {
            println!("without Verilator, no cycles are counted");
            return;
        };
        let chip = Process::start(&program, None).expect("it starts");
        let bus = Bus {
            chip: RefCell::new(chip),
            cycle: RefCell::new(0),
        };
        let mut host = HostEnd::open(&bus).expect("the chip's header");
        let frame = |id| {
            let wire = Request::Job { id, job: job() }.encode().expect("a good job");
            let mut decoder = Decoder::<()>::new();
            let plain = decoder.next_plain(&mut &wire[..]).expect("a frame");
            plain.expect("a good one").to_vec()
        };
        let (mut sent, mut done, mut up_bytes) = (0, 0, 0);
        let began = *bus.cycle.borrow();
        while done < CHIP_JOBS {
            while sent < CHIP_JOBS && sent - done < 107 {
                if !host.down.send(&bus, &frame(sent as u16)).expect("good indices") {
                    break;
                }
                sent += 1;
            }
            if let Received::Frame(plain) = host.up.receive(&bus).expect("good indices") {
                up_bytes += plain.len() + 2; // as COBS makes it
                let reply = Reply::from_frame(Frame::open(plain).expect("a good frame")).expect("a good reply");
                if let Reply::Results(results) = reply {
                    done += results.len();
                }
            }
        }
        let cycles = (*bus.cycle.borrow() - began) as f64 / CHIP_JOBS as f64;
        // The line is as wide each way, so the wider way counts.
        let bytes = frame_bytes().max(up_bytes / CHIP_JOBS);
        let serial = bytes as f64 * 10.0 / f64::from(DEFAULT_BAUD) * CLOCK;
        println!("\nVerilated chip at 25 MHz, one job a frame");
        println!("{:28} {cycles:10.0} cycles a job", "rings, a transfer a word");
        println!("{:28} {serial:10.0} cycles a job", "a line of 3 Mbaud, at least");
        println!("rings to a line of 3 Mbaud   {:9.1}x", serial / cycles);
    }
}
