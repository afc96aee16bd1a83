//! Docks, the way of a result, counters and control, block by block, in the Rust simulation and as Verilog.

use std::collections::VecDeque;

use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_hdl::queue::{Control, Counters, Dock, ResultQueue};
use bluebelle_spec::leaf::Ending;
use bluebelle_spec::rng::SplitMix64;
use rust_hdl::prelude::*;

/// A job with this id and so many words.
fn job(id: u64, words: u64) -> Vec<u64> {
    (0..words)
        .map(|word| if word == 0 { id } else { id * 64 % 65536 + word })
        .collect()
}

#[test]
fn result_queue_collects_from_all() {
    let mut cosim = Cosim::new(ResultQueue::new(3), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(5);
    // The wire's words of what is offered, by dock, then the aborted job; and how far a dock is in sending them.
    let mut offered: [Option<[u64; 8]>; 4] = [None; 4];
    let mut sending = [None; 3];
    let mut expected: VecDeque<[u64; 8]> = VecDeque::new();
    let (mut at, mut read) = (0, 0);
    for cycle in 0..12_000usize {
        cosim.uut.result_word.next = 0.into();
        cosim.uut.result_word_valid.next = false;
        for source in 0..4 {
            if offered[source].is_none() && random.below(60) == 0 {
                let mut word = || random.below(65536);
                let mut words: [u64; 8] = std::array::from_fn(|_| word());
                words[1] %= 8;
                if source == 3 {
                    words[1..].fill(0);
                    words[1] = Ending::Aborted as u64;
                }
                offered[source] = Some(words);
            }
            let words = offered[source].unwrap_or_default();
            let uut = &mut cosim.uut;
            if source == 3 {
                uut.dropped_valid.next = offered[3].is_some();
                uut.dropped_id.next = words[0].into();
                continue;
            }
            // Two cycles after the grant the words come.
            let word = sending[source].and_then(|since: usize| cycle.checked_sub(since + 2));
            uut.pending[source].next = offered[source].is_some() && sending[source].is_none();
            if let Some(word) = word {
                uut.result_word.next = words[word].into();
                uut.result_word_valid.next = true;
            }
            if word == Some(7) {
                sending[source] = None;
                offered[source] = None;
            }
        }
        let discard = (4000..5000).contains(&cycle);
        cosim.uut.discard.next = discard;
        cosim.uut.clear.next = cycle == 4999;
        // The reader comes now and then, so that the queue fills up; it takes a word in every other cycle.
        if at == 0 && cycle % 3000 > 2000 && !discard && cosim.uut.results.val() != 0 {
            at = 2;
        } else if at > 0 {
            // `results` follows two cycles later.
            at = (at + 1) % 21;
        }
        let pop = (4..=18).contains(&at) && at % 2 == 0;
        cosim.uut.pop.next = pop;
        cosim.settle();
        if pop {
            assert_eq!(cosim.uut.word.val(), expected[0][at / 2 - 2]);
            if at == 18 {
                expected.pop_front();
                read += 1;
            }
        }
        let uut = &cosim.uut;
        for source in 0..3 {
            if uut.grant[source].val() {
                assert!(uut.pending[source].val(), "nothing is granted that is not there");
                assert!(sending.iter().all(Option::is_none), "one at a time");
                sending[source] = Some(cycle);
                // What is on its way when discarding begins or ends is not well-defined.
                if !(3980..5000).contains(&cycle) {
                    expected.extend(offered[source]);
                }
            }
        }
        if uut.dropped_ready.val() {
            let words = offered[3].take().expect("nothing is taken that is not there");
            if !(3980..5000).contains(&cycle) {
                expected.push_back(words);
            }
        }
        cosim.tick();
        if cycle == 4999 {
            expected.clear();
        }
        if cycle == 5000 {
            assert_eq!(cosim.uut.results.val(), 0, "a cycle after the clear");
        }
    }
    println!("{read} results");
    assert!(read > 100);
    cosim.finish();
}

/// A core beyond the dock answers what it was asked, and everything comes a cycle later.
#[test]
fn dock_sends_results_as_words() {
    let mut cosim = Cosim::new(Dock::new(5, 2), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(8);
    let mut offered: Option<[u64; 8]> = None;
    let mut sent: Vec<u64> = Vec::new();
    let mut expected: Vec<u64> = Vec::new();
    let mut before = (false, 0, 0, false, 0, false);
    let (mut jobs, mut results) = (0usize, 0usize);
    let mut loading: VecDeque<u64> = VecDeque::new();
    let mut received: Vec<u64> = Vec::new();
    // The words that were loaded, and how many there were at the end of each job.
    let (mut loaded, mut ends): (Vec<u64>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut quiet = 0;
    let mut granted = 0;
    let mut passed_job = (false, 0, 0, false);
    for cycle in 0..6_000u64 {
        if offered.is_none() && results < jobs && random.below(10) == 0 {
            let mut words: [u64; 8] = std::array::from_fn(|_| random.below(65536));
            words[1] %= 8;
            offered = Some(words);
        }
        let words = offered.unwrap_or_default();
        let passed = (
            random.below(2) == 0,
            random.below(1024),
            random.below(65536),
            random.below(2) == 0,
            random.below(65536),
            random.below(2) == 0,
        );
        if loading.is_empty() && quiet > 3 && cosim.uut.can_take.val() && random.below(8) == 0 {
            loading = job(cycle, 7 + random.below(32)).into();
            loaded.extend(&loading);
            ends.push(loaded.len());
        }
        quiet = if loading.is_empty() { quiet + 1 } else { 0 };
        let uut = &mut cosim.uut;
        // When there is nothing for this core, there may be something for another.
        let others = loading.is_empty() && random.below(2) == 0;
        uut.load_core.next = if others { 4 } else { 5 }.into();
        uut.load.next = others || !loading.is_empty();
        uut.load_last.next = loading.len() == 1;
        uut.load_word.next = loading.front().copied().unwrap_or(0).into();
        loading.pop_front();
        // The dock before sends when this one does not.
        let foreign = (cycle > granted + 12 && random.below(3) == 0).then(|| random.below(65536));
        uut.word_before.next = foreign.unwrap_or(0).into();
        uut.word_before_valid.next = foreign.is_some();
        uut.job_ready.next = random.below(2) == 0;
        uut.result_valid.next = offered.is_some();
        uut.result_id.next = words[0].into();
        uut.result_ending.next = words[1].into();
        uut.result_score.next = words[2].into();
        uut.result_best.next = words[3].into();
        uut.result_nodes.next = (words[4] | words[5] << 16).into();
        uut.result_slots.next = (words[6] | words[7] << 16).into();
        (uut.weight_write.next, uut.abort_valid.next, uut.core_busy.next) = (passed.0, passed.3, passed.5);
        uut.weight_index.next = passed.1.into();
        uut.weight_data.next = passed.2.into();
        uut.abort_all.next = passed.5;
        uut.abort_id.next = passed.4.into();
        cosim.settle();
        cosim.uut.grant.next = cosim.uut.pending.val() && random.below(5) == 0;
        if cosim.uut.grant.next {
            granted = cycle;
        }
        expected.extend(foreign);
        cosim.settle();
        let uut = &cosim.uut;
        let after = (
            uut.core_weight_write.val(),
            uut.core_weight_index.val().to_u64(),
            uut.core_weight_data.val().to_u64(),
            uut.core_abort_valid.val(),
            uut.core_abort_id.val().to_u64(),
            uut.core_abort_all.val(),
        );
        assert_eq!(after, before);
        assert_eq!(uut.busy.val(), before.5);
        before = passed;
        let next_job = (
            uut.next_load.val(),
            uut.next_core.val().to_u64(),
            uut.next_word.val().to_u64(),
            uut.next_last.val(),
        );
        assert_eq!(next_job, passed_job);
        passed_job = (
            uut.load.val(),
            uut.load_core.val().to_u64(),
            uut.load_word.val().to_u64(),
            uut.load_last.val(),
        );
        if uut.word_valid.val() {
            sent.push(uut.word.val().to_u64());
        } else {
            assert_eq!(uut.word.val(), 0);
        }
        if uut.job_valid.val() && uut.job_ready.val() {
            received.push(uut.job_word.val().to_u64());
            jobs += usize::from(ends.contains(&received.len()));
        }
        if uut.result_ready.val() {
            expected.extend(offered.take().expect("nothing is taken that is not there"));
            results += 1;
        }
        cosim.tick();
    }
    assert_eq!(received, loaded[..received.len()]);
    assert_eq!(sent, expected[..sent.len()]);
    assert!(
        sent.len() > 500 && received.len() > 50,
        "{} {}",
        sent.len(),
        received.len()
    );
    cosim.finish();
}

#[test]
fn counters_count() {
    let mut cosim = Cosim::new(Counters::new(2), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(6);
    let mut model = [0u64; 11];
    let mut busy = 0u64;
    for cycle in 0..9000 {
        let uut = &mut cosim.uut;
        if !uut.frame_valid.val() && random.below(30) == 0 {
            uut.frame_valid.next = true;
            uut.frame_good.next = random.below(2) == 0;
            uut.frame_cause.next = random.below(7).into();
        }
        if !uut.sent_valid.val() && random.below(100) == 0 {
            uut.sent_valid.next = true;
            uut.sent_count.next = (1 + random.below(32)).into();
        }
        for i in 0..2 {
            uut.busy[i].next = cycle < 5000 && random.below(3) == 0;
        }
        cosim.settle();
        let uut = &mut cosim.uut;
        busy += uut.busy.iter().filter(|busy| busy.val()).count() as u64;
        if cycle < 32 {
            busy = 0; // cleared at the start
        }
        if uut.frame_ready.val() {
            let which = if uut.frame_good.val() {
                3
            } else {
                4 + uut.frame_cause.val().to_u64()
            };
            model[which as usize] += 1;
            uut.frame_valid.next = false;
        }
        if uut.sent_ready.val() {
            model[2] += uut.sent_count.val().to_u64();
            uut.sent_valid.next = false;
        }
        // The inputs change after the edge that takes them.
        let (frame, sent) = (uut.frame_valid.next, uut.sent_valid.next);
        uut.frame_valid.next = uut.frame_valid.val();
        uut.sent_valid.next = uut.sent_valid.val();
        cosim.tick();
        cosim.uut.frame_valid.next = frame;
        cosim.uut.sent_valid.next = sent;
        cosim.settle();
    }
    cosim.uut.frame_valid.next = false;
    cosim.uut.sent_valid.next = false;
    for _ in 0..20 {
        cosim.tick();
    }
    let status = read_counters(&mut cosim);
    model[0] = busy;
    assert_eq!(status[2..], model[2..]);
    assert_eq!(status[0], busy);
    assert_eq!(status[1] % 2048, 0);
    assert!(status[1] / 2 <= cosim.cycles() && status[1] / 2 + 1200 > cosim.cycles());
    cosim.uut.clear.next = true;
    cosim.tick_until(100, |uut| uut.cleared.val());
    cosim.tick();
    cosim.uut.clear.next = false;
    assert_eq!(read_counters(&mut cosim), [0; 11]);
    cosim.finish();
}

fn read_counters(cosim: &mut Cosim<Counters>) -> [u64; 11] {
    cosim.uut.hold.next = true;
    cosim.tick_until(50, |uut| uut.held.val());
    let words: [u64; 26] = std::array::from_fn(|word| {
        cosim.cycle(|uut| uut.read_address.next = word.to_bits());
        cosim.uut.read_data.val().to_u64()
    });
    cosim.uut.hold.next = false;
    cosim.tick();
    let join = |words: &[u64]| words.iter().rev().fold(0, |sum, word| sum << 16 | word);
    std::array::from_fn(|counter| match counter {
        0 | 1 => join(&words[counter * 4..][..4]),
        _ => join(&words[4 + counter * 2..][..2]),
    })
}

#[test]
fn control_closes_the_way_before_it_aborts() {
    let mut cosim = Cosim::new(Control::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    cosim.uut.control_id.next = 0x1234.into();
    cosim.uut.control_valid.next = true;
    for cycle in 0..40 {
        cosim.settle();
        assert!(!cosim.uut.mark.val() && !cosim.uut.abort_valid.val());
        assert_eq!(cosim.uut.pause_jobs.val(), cycle > 0);
        assert!(!cosim.uut.pause_replies.val() && !cosim.uut.discard.val());
        cosim.tick();
    }
    cosim.uut.jobs_resting.next = true;
    for _ in 0..10 {
        cosim.tick();
        assert!(!cosim.uut.abort_valid.val());
    }
    cosim.uut.feeders_empty.next = true;
    let waited = cosim.tick_until(40, |uut| uut.mark.val());
    assert!(waited > 20, "{waited}");
    for _ in 0..10 {
        cosim.tick();
        assert!(cosim.uut.mark.val());
    }
    cosim.cycle(|uut| uut.mark_done.next = true);
    cosim.uut.mark_done.next = false;
    let mut held = 0;
    while !cosim.uut.control_done.val() {
        assert!(cosim.uut.abort_valid.val() && cosim.uut.abort_id.val() == 0x1234);
        assert!(cosim.uut.pause_jobs.val() && !cosim.uut.mark.val());
        cosim.tick();
        held += 1;
    }
    assert!((21..64).contains(&held), "{held}");
    cosim.tick();
    cosim.cycle(|uut| uut.control_valid.next = false);
    assert!(!cosim.uut.pause_jobs.val() && !cosim.uut.abort_valid.val());

    // A reset waits for the frame on its way out, then for the cores.
    cosim.uut.control_reset.next = true;
    cosim.uut.control_all.next = true;
    cosim.uut.control_valid.next = true;
    for _ in 0..20 {
        cosim.tick();
        assert!(cosim.uut.discard.val() && cosim.uut.pause_replies.val() && !cosim.uut.abort_valid.val());
    }
    cosim.uut.replies_resting.next = true;
    for _ in 0..100 {
        cosim.tick();
        assert!(!cosim.uut.clear_queues.val());
    }
    assert!(cosim.uut.abort_valid.val() && cosim.uut.abort_all.val());
    cosim.uut.cores_idle.next = true;
    cosim.tick_until(70, |uut| uut.clear_queues.val() && uut.clear_counters.val());
    cosim.cycle(|uut| uut.counters_cleared.next = true);
    cosim.uut.counters_cleared.next = false;
    cosim.tick_until(2, |uut| uut.control_done.val());
    cosim.tick();
    cosim.uut.control_valid.next = false;

    // Cores that never answer do not stop a reset.
    cosim.uut.cores_idle.next = false;
    cosim.uut.feeders_empty.next = false;
    cosim.tick();
    cosim.uut.control_valid.next = true;
    let waited = cosim.tick_until(140_000, |uut| uut.clear_queues.val());
    assert!(waited > 130_000);
    cosim.finish();
}
