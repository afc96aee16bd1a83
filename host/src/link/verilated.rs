use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use bluebelle_sim::board::{Pty, serve};
use bluebelle_sim::chip_verilog;
use bluebelle_sim::verilated::{Process, build};

use super::{DEFAULT_BAUD, Link, Opening, Serial};

/// The simulated chip in a process of its own, behind a pseudo-terminal: a board like any other.
pub struct Verilated {
    name: String,
    chip: String,
    running: Option<Running>,
}

struct Running {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Verilated {
    /// The chip with this number of cores, or this Verilog file; empty for one core.
    pub fn new(chip: &str) -> Verilated {
        let name = match chip {
            "" => "verilated".to_owned(),
            _ => format!("verilated:{chip}"),
        };
        Verilated {
            name,
            chip: chip.to_owned(),
            running: None,
        }
    }
}

impl Link for Verilated {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&mut self) -> Opening<'_> {
        Box::pin(async {
            self.running = None;
            let chip = self.chip.clone();
            // The first build of a chip takes minutes.
            let started = tokio::task::spawn_blocking(move || start(&chip)).await;
            let (running, path) = started.map_err(io::Error::other)??;
            self.running = Some(running);
            Serial::new(&path, DEFAULT_BAUD).open().await
        })
    }

    fn bytes_per_second(&self) -> Option<f64> {
        None
    }
}

/// The chip at the other end of a new pseudo-terminal, and the path to it.
fn start(chip: &str) -> io::Result<(Running, String)> {
    let program = build(&chip_verilog(chip).map_err(io::Error::other)?, false).map_err(io::Error::other)?;
    let mut process = Process::start(&program, None).map_err(io::Error::other)?;
    let mut line = Pty::open(None)?;
    let path = line.path().to_string_lossy().into_owned();
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let thread = thread::Builder::new().name("chip".to_owned()).spawn(move || {
        // Whoever is at the other end sees the line end, and says so.
        let _ = serve(&mut line, &mut process, &flag);
    })?;
    let running = Running {
        stop,
        thread: Some(thread),
    };
    Ok((running, path))
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
