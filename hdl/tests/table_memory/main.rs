//! The table memory and its blocks: against an SDRAM that minds its data sheet, as Verilog on the
//! same vectors, and a synthesis check.

mod arbiter;
mod board;
mod load;
mod models;

use board::{Board, Plain, Request, timing};

use bluebelle_hdl::harness::{Bench, Cosim, Sdram, Simulator, synthesis_check};
use bluebelle_hdl::table_memory::device::{ANY_32_MB, M12L64322A};
use bluebelle_hdl::table_memory::{BankTimer, Device, TableMemory, Timing, Upkeep, WaitingLine};
use bluebelle_spec::rng::SplitMix64;
use rust_hdl::prelude::{Bits, Block, Clock, In, Signal};

/// Random requests to few entries, so that many are read again; with pauses and floods.
fn random_requests(device: &Device, seed: u64) -> impl FnMut(u64) -> Option<Request> {
    let mut random = SplitMix64::new(seed);
    let spread = (1u64 << device.address_bits()) / 61;
    move |cycle| {
        // From one request in 16 cycles to one in each.
        let eagerness = 1 << (cycle / 512 % 5);
        if random.below(16) >= eagerness {
            return None;
        }
        let address = (random.below(61) * spread + random.below(3)) % (1 << device.address_bits());
        let data = (random.below(10) < 2 * (1 + cycle / 4096 % 5) - 1).then(|| random.next_u64());
        let may_drop = cycle / 1024 % 2 == 1;
        Some(Request {
            address,
            data,
            may_drop,
        })
    }
}

/// Plays random requests; each is held until it is taken.
fn play<const W: usize, B>(board: &mut Board<B>, device: &Device, seed: u64, cycles: u64)
where
    B: std::ops::DerefMut<Target = Bench<TableMemory<W>>>,
{
    let mut next = random_requests(device, seed);
    let mut held = None;
    for cycle in 0..cycles {
        held = held.or_else(|| next(cycle));
        if board.cycle(held) {
            held = None;
        }
    }
    board.drain();
}

fn agrees<const W: usize>(device: Device, clock_khz: u32, cycles: u64) {
    let timing = timing(&device, clock_khz);
    let cosim = Cosim::new(TableMemory::<W>::new(&timing), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut board = Board::new(cosim, Sdram::new(device, clock_khz), 1);
    board.wake();
    play(&mut board, &device, 1, cycles);
    board.assert_content();
    println!(
        "{} answers, {} compared, {} writes, {} dropped",
        board.answers, board.compared, board.written, board.dropped
    );
    assert!(board.compared > cycles / 100 && board.dropped > 10);
    // Icarus 11 stops advancing time some thousands of cycles after the chip has woken up.
    board.bench.finish_with(Simulator::Verilator);
}

#[test]
fn sixteen_bits_agree() {
    agrees::<16>(ANY_32_MB, 100_000, 20_000);
}

#[test]
fn thirty_two_bits_agree() {
    agrees::<32>(M12L64322A, 92_857, 20_000);
}

/// What the SDRAM says of a controller with this timing, which has work from the beginning.
fn complaints<const W: usize>(device: Device, clock_khz: u32, timing: &Timing) -> Vec<String> {
    let bench = Bench::new(TableMemory::<W>::new(timing), |uut| &mut uut.clock);
    let mut board = Board::new(Plain(bench), Sdram::new(device, clock_khz), timing.capture - timing.cas);
    board.compares = false;
    let mut next = random_requests(&device, 2);
    for cycle in 0..45_000 {
        board.cycle(next(cycle));
    }
    let texts = board.sdram.complaints().iter().map(|complaint| complaint.text.clone());
    texts.collect()
}

/// What the SDRAM must say, and what is wrong with the controller's timing.
pub(crate) type Fault = (&'static str, fn(&mut Timing));

/// Negative controls: each wait of the controller is needed to the cycle.
#[test]
fn a_cycle_too_few_is_noticed() {
    let clock = 100_000;
    let right = timing(&ANY_32_MB, clock);
    assert_eq!(complaints::<16>(ANY_32_MB, clock, &right), [""; 0]);
    let wrong: [Fault; 10] = [
        ("tRCD", |timing| timing.activate_to_column -= 1),
        ("tRP", |timing| timing.read_to_activate -= 1),
        ("tRP", |timing| timing.write_to_activate -= 1),
        ("both sides drive the data pins", |timing| timing.read_to_write -= 1),
        ("tRP", |timing| timing.precharge -= 1),
        ("tRFC", |timing| timing.refresh -= 1),
        ("tMRD", |timing| timing.mode -= 1),
        ("late", |timing| timing.refresh_interval += timing.refresh_interval / 4),
        ("in the pause after power-up", |timing| timing.pause_intervals -= 2),
        ("after 7 refreshes, not 8", |timing| timing.wake_refreshes -= 1),
    ];
    for (expected, change) in wrong {
        let mut timing = right;
        change(&mut timing);
        let said = complaints::<16>(ANY_32_MB, clock, &timing);
        assert!(
            said.iter().any(|text| text.contains(expected)),
            "{timing:?}, {expected}: {said:?}"
        );
    }
}

#[test]
fn a_clock_too_fast_is_noticed() {
    let said = complaints::<16>(ANY_32_MB, 105_000, &timing(&ANY_32_MB, 100_000));
    assert!(
        said.iter()
            .any(|text| text.contains("a CAS latency of 2 with a cycle below 10000 ps")),
        "{said:?}"
    );
}

#[test]
fn thirty_two_bits_need_their_row_open_long_enough() {
    let clock = 100_000;
    let mut timing = timing(&M12L64322A, clock);
    assert_eq!(complaints::<32>(M12L64322A, clock, &timing), [""; 0]);
    timing.activate_to_column -= 1;
    let said = complaints::<32>(M12L64322A, clock, &timing);
    assert!(said.iter().any(|text| text.contains("tRAS")), "{said:?}");
}

/// Words that come a cycle later than the controller believes are not the answers.
#[test]
fn a_wrong_flight_gives_wrong_answers() {
    let timing = timing(&ANY_32_MB, 100_000);
    let bench = Bench::new(TableMemory::<16>::new(&timing), |uut| &mut uut.clock);
    let mut board = Board::new(Plain(bench), Sdram::new(ANY_32_MB, 100_000), 2);
    board.compares = false;
    board.wake();
    play(&mut board, &ANY_32_MB, 3, 10_000);
    let (wrong, compared) = (board.wrong, board.compared);
    assert!(
        compared > 100 && wrong * 10 > compared * 9,
        "{wrong} wrong answers of {compared}"
    );
}

/// Wrong bits change answers and nothing else: each read is still answered, in its turn.
#[test]
fn wrong_bits_change_answers_only() {
    let timing = timing(&ANY_32_MB, 100_000);
    let bench = Bench::new(TableMemory::<16>::new(&timing), |uut| &mut uut.clock);
    let mut board = Board::new(Plain(bench), Sdram::new(ANY_32_MB, 100_000), 1);
    board.sdram.flip_bits(1, 50);
    board.compares = false;
    board.wake();
    play(&mut board, &ANY_32_MB, 4, 20_000);
    board.assert_content();
    assert!(
        board.sdram.flipped() > 50 && board.wrong > 50,
        "{} wrong answers",
        board.wrong
    );
}

fn block_agrees<B: Block>(
    uut: B,
    clock: fn(&mut B) -> &mut Signal<In, Clock>,
    mut drive: impl FnMut(&mut Cosim<B>, &mut SplitMix64),
) {
    let mut cosim = Cosim::new(uut, clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(7);
    for _ in 0..5_000 {
        drive(&mut cosim, &mut random);
        cosim.tick();
    }
    cosim.finish();
}

#[test]
fn waiting_line_is_first_in_first_out() {
    let mut expected = std::collections::VecDeque::new();
    let mut cycle = 0;
    block_agrees(
        WaitingLine::<Bits<22>>::default(),
        |uut| &mut uut.clock,
        |cosim, random| {
            cycle += 1;
            cosim.settle();
            assert_eq!(cosim.uut.full.val(), expected.len() == 16);
            assert_eq!(cosim.uut.valid.val(), !expected.is_empty());
            assert_eq!(cosim.uut.waiting.val().to_u64(), expected.len() as u64);
            // Long times in which more comes than goes, and the other way round.
            let pushes = expected.len() < 16 && random.below(4) < 1 + cycle / 200 % 3;
            let pops = !expected.is_empty() && random.below(4) < 3 - cycle / 200 % 3;
            if let Some(first) = expected.front() {
                assert_eq!(cosim.uut.data.val().to_u64(), *first);
            }
            let word = random.below(1 << 22);
            if pops {
                expected.pop_front();
            }
            if pushes {
                expected.push_back(word);
            }
            cosim.uut.push.next = pushes;
            cosim.uut.push_data.next = word.into();
            cosim.uut.pop.next = pops;
        },
    );
}

#[test]
fn bank_timer_counts_from_the_burst() {
    let timing = timing(&ANY_32_MB, 100_000);
    // The cycles until a row may open; `None` while one is open.
    let mut left = Some(0);
    block_agrees(
        BankTimer::new(&timing),
        |uut| &mut uut.clock,
        |cosim, random| {
            cosim.settle();
            assert_eq!(cosim.uut.busy.val(), left != Some(0));
            let now = random.below(3) == 0;
            let write = random.below(2) == 0;
            let uut = &mut cosim.uut;
            uut.activate.next = now && left == Some(0);
            uut.read.next = now && left.is_none() && !write;
            uut.write.next = now && left.is_none() && write;
            left = match left {
                Some(0) if now => None,
                None if now && write => Some(timing.write_to_activate - 1),
                None if now => Some(timing.read_to_activate - 1),
                None => None,
                Some(left) => Some(left.saturating_sub(1)),
            };
        },
    );
}

/// After the ceremony, a refresh in each interval, and none while an access is under way.
#[test]
fn upkeep_refreshes_in_time() {
    let mut timing = timing(&ANY_32_MB, 100_000);
    (timing.refresh_interval, timing.pause_intervals) = (60, 3);
    let (mut commands, mut cycle, mut free, mut since) = (Vec::new(), 0, 0, 0);
    block_agrees(
        Upkeep::new(&timing),
        |uut| &mut uut.clock,
        |cosim, random| {
            cycle += 1;
            cosim.settle();
            // Accesses of 6 to 12 cycles, which begin when they may.
            if free == 0 && !cosim.uut.hold.val() && random.below(4) == 0 {
                free = 6 + random.below(7);
            }
            cosim.uut.idle.next = free == 0;
            cosim.settle();
            let command = cosim.uut.command.val().to_u64();
            if command != 0 {
                assert_eq!(free, 0, "cycle {cycle}: a command while an access is under way");
                if commands.len() > 10 {
                    assert!(cycle - since < 2 * 60, "cycle {cycle}: a late refresh");
                }
                since = cycle;
                commands.push((cycle, command));
            }
            free = u64::saturating_sub(free, 1);
        },
    );
    let kinds: Vec<u64> = commands.iter().map(|(_, command)| *command).collect();
    assert_eq!(kinds[..11], [5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 6]);
    assert!(commands[0].0 > 3 * 60 && kinds[10..].iter().all(|kind| *kind == 6));
    assert!((88..=92).contains(&commands.len()), "{} commands", commands.len());
}
