//! How fast the table memory is: random entries, at full load and below it.

use bluebelle_hdl::harness::{Bench, Sdram};
use bluebelle_hdl::table_memory::device::{ANY_32_MB, M12L64322A};
use bluebelle_hdl::table_memory::{Device, TableMemory};
use bluebelle_spec::rng::SplitMix64;

use crate::board::{Board, Plain, Request, timing};

/// What was measured.
pub(crate) struct Measured {
    pub(crate) cycles_per_access: f64,
    pub(crate) dropped: u64,
    pub(crate) latencies: Vec<u64>,
}

/// Random reads, and `writes` in 100 requests that may be dropped. A request comes with a chance of
/// `load` in 1,000 cycles; requests that are not taken wait outside, and their latency counts.
pub(crate) fn measure<const W: usize>(device: Device, clock_khz: u32, writes: u64, load: u64, cycles: u64) -> Measured {
    let bench = Bench::new(TableMemory::<W>::new(&timing(&device, clock_khz)), |uut| &mut uut.clock);
    let mut board = Board::new(Plain(bench), Sdram::new(device, clock_khz), 1);
    board.wake();
    let mut random = SplitMix64::new(writes * 1000 + load);
    let mut outside = std::collections::VecDeque::new();
    let mut waited = std::collections::VecDeque::new();
    let mut latencies = Vec::new();
    for cycle in 0..cycles {
        if outside.len() < 64 && random.below(1000) < load {
            let address = random.below(1 << device.address_bits());
            let data = (random.below(100) < writes).then(|| random.next_u64());
            let request = Request {
                address,
                data,
                may_drop: true,
            };
            outside.push_back((cycle, request));
        }
        let answered = board.latencies.len();
        if let Some((since, request)) = outside.front().copied()
            && board.cycle(Some(request))
        {
            outside.pop_front();
            if request.data.is_none() {
                waited.push_back(cycle - since);
            }
        } else if outside.is_empty() {
            board.cycle(None);
        }
        if board.latencies.len() > answered {
            latencies.push(board.latencies[answered] + waited.pop_front().expect("a read"));
        }
    }
    board.assert_content();
    let done = board.answers + board.written;
    latencies.sort_unstable();
    Measured {
        cycles_per_access: cycles as f64 / done as f64,
        dropped: board.dropped * 100 / (board.dropped + board.written).max(1),
        latencies,
    }
}

fn row(name: &str, clock_khz: u32, writes: u64, load: u64, measured: &Measured) {
    let at = |share: usize| measured.latencies[(measured.latencies.len() - 1) * share / 1000];
    println!(
        "| {name} | {writes} % | {} | {:.2} | {:.1} | {} % | {} | {} | {} | {} |",
        if load == 1000 {
            "full".to_owned()
        } else {
            format!("{:.1} M/s", load as f64 * f64::from(clock_khz) / 1e6)
        },
        measured.cycles_per_access,
        f64::from(clock_khz) / 1000.0 / measured.cycles_per_access,
        measured.dropped,
        at(500),
        at(900),
        at(990),
        at(1000),
    );
}

/// A table, to be printed with `--nocapture`, and the figures below which it must not fall.
#[test]
fn random_entries_are_fast() {
    let clock = 92_857;
    println!(
        "| pins | writes | asked | cycles/access | M accesses/s | stores dropped | latency of half | 90 % | 99 % | all |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (writes, load) in [
        (0, 1000),
        (10, 1000),
        (30, 1000),
        (50, 1000),
        (0, 50),
        (0, 100),
        (0, 150),
        (30, 50),
        (30, 100),
        (30, 150),
    ] {
        let measured = measure::<16>(ANY_32_MB, clock, writes, load, 40_000);
        row("16", clock, writes, load, &measured);
        let most = if load == 1000 { 5.9 } else { 1000.0 / load as f64 * 1.1 };
        assert!(measured.cycles_per_access < most, "{writes} % writes, load {load}");
    }
    for (writes, load) in [(0, 1000), (30, 1000), (30, 150)] {
        let measured = measure::<32>(M12L64322A, clock, writes, load, 40_000);
        row("32", clock, writes, load, &measured);
        assert!(measured.cycles_per_access < 7.0, "{writes} % writes, load {load}");
    }
}
