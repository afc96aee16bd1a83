//! How fast the rust-hdl simulation of a core runs with all threads busy: `cargo bench -p bluebelle-hdl`.

use std::time::Instant;

use bluebelle_hdl::core::{Core, STAGES};
use bluebelle_hdl::harness::Bench;
use bluebelle_hdl::job_words::job_words;
use bluebelle_spec::leaf::{Job, Task};
use bluebelle_spec::{Position, Weights};
use rust_hdl::prelude::*;

/// Cycles to load a job into every thread, and those that are measured.
const LOADING: u64 = 450 * STAGES as u64;
const MEASURED: u64 = 4_000;

fn main() {
    // A core is a large struct, and the main thread's stack is small.
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(measure);
    run.expect("a thread can be started").join().expect("no panic");
}

fn measure() {
    let mut bench = Bench::new(Core::default(), |uut| &mut uut.clock);
    for (index, word) in Weights::standard().to_words().into_iter().enumerate() {
        bench.cycle(|uut| {
            uut.weight_write.next = true;
            uut.weight_index.next = index.to_bits();
            uut.weight_data.next = (word as u16).to_bits();
        });
    }
    bench.uut.weight_write.next = false;
    let job = Job::new(Position::initial(), Task::Search { depth: 5, beta: 20 });
    let mut words = (0..u16::from(STAGES)).flat_map(|id| job_words(id, &job)).peekable();
    let mut busy = 0;
    let mut started = Instant::now();
    for cycle in 0..LOADING + MEASURED {
        if cycle == LOADING {
            busy = 0;
            started = Instant::now();
        }
        if let Some(&word) = words.peek() {
            bench.uut.job_valid.next = true;
            bench.uut.job_word.next = word.to_bits();
            bench.settle();
            if bench.uut.job_ready.val() {
                words.next();
            }
        } else {
            bench.uut.job_valid.next = false;
        }
        busy += u64::from(bench.uut.busy.val());
        bench.tick();
    }
    assert!(words.peek().is_none(), "all jobs are loaded");
    println!(
        "rust-hdl simulation of a core: {:.0} cycles/s, {} % of the slots busy",
        MEASURED as f64 / started.elapsed().as_secs_f64(),
        100 * busy / MEASURED
    );
}
