//! The way of a job to a core, block by block, in the Rust simulation and as Verilog.

use std::collections::VecDeque;

use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_hdl::queue::{Dispatch, Feeder, JobQueue, Memory};
use bluebelle_spec::rng::SplitMix64;
use rust_hdl::prelude::*;

#[test]
fn memory_reads_what_was_written() {
    let words = (0..5).map(|word| Bits::<16>::from(word * 100));
    let mut cosim = Cosim::new(Memory::<Bits<16>, 4>::with(words), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(1);
    let mut model = [0, 100, 200, 300, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for _ in 0..500 {
        let (read, write, word) = (random.below(16), random.below(16), random.below(65536));
        let enable = random.below(2) == 0;
        let expected = model[read as usize];
        cosim.cycle(|uut| {
            uut.read_address.next = read.into();
            uut.write_address.next = write.into();
            uut.write_data.next = word.into();
            uut.write_enable.next = enable;
        });
        assert_eq!(cosim.uut.read_data.val(), expected);
        if enable {
            model[write as usize] = word;
        }
    }
    cosim.finish();
}

/// A job with this id and so many words.
fn job(id: u64, words: u64) -> Vec<u64> {
    (0..words)
        .map(|word| if word == 0 { id } else { id * 64 % 65536 + word })
        .collect()
}

#[test]
fn job_queue_keeps_jobs_in_order_and_marks_the_aborted() {
    let mut cosim = Cosim::new(JobQueue::new(5), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(2);
    let mut model: VecDeque<(Vec<u64>, bool)> = VecDeque::new();
    for round in 0..300 {
        assert_eq!(cosim.uut.jobs.val(), model.len() as u64);
        assert_eq!(cosim.uut.credits.val(), 5 - model.len() as u64);
        match random.below(8) {
            0..4 if model.len() < 5 => {
                let job = job(random.below(10), 7 + random.below(32));
                let pauses = random.below(2) == 0;
                for (index, &word) in job.iter().enumerate() {
                    if pauses && random.below(3) == 0 {
                        cosim.cycle(|uut| uut.push.next = false);
                    }
                    cosim.cycle(|uut| {
                        uut.push.next = true;
                        uut.push_word.next = word.into();
                        uut.push_last.next = index + 1 == job.len();
                    });
                }
                cosim.uut.push.next = false;
                model.push_back((job, false));
            }
            4 => {
                let (all, id) = (random.below(4) == 0, random.below(10));
                cosim.uut.mark.next = true;
                cosim.uut.mark_all.next = all;
                cosim.uut.mark_id.next = id.into();
                cosim.tick_until(20, |uut| uut.mark_done.val());
                cosim.tick();
                cosim.cycle(|uut| uut.mark.next = false);
                for (job, aborted) in &mut model {
                    *aborted |= all || job[0] == id;
                }
            }
            5 if round % 50 == 49 => {
                cosim.cycle(|uut| uut.clear.next = true);
                cosim.uut.clear.next = false;
                model.clear();
            }
            _ => {
                let Some((job, aborted)) = model.pop_front() else {
                    continue;
                };
                assert_eq!(cosim.uut.aborted.val(), aborted);
                // A word in every cycle, or now and then.
                let pauses = random.below(2) == 0;
                for (index, &word) in job.iter().enumerate() {
                    if pauses && random.below(3) == 0 {
                        cosim.cycle(|uut| uut.pop.next = false);
                    }
                    assert_eq!(cosim.uut.word.val(), word);
                    assert_eq!(cosim.uut.word_last.val(), index + 1 == job.len());
                    cosim.cycle(|uut| uut.pop.next = true);
                }
                cosim.uut.pop.next = false;
            }
        }
        for _ in 0..3 {
            cosim.tick();
        }
    }
    cosim.finish();
}

/// Jobs pushed without a cycle between them are as whole as others.
#[test]
fn job_queue_takes_jobs_back_to_back() {
    let mut cosim = Cosim::new(JobQueue::new(5), |uut| &mut uut.clock).allow_undefined();
    let jobs = [job(3, 7), job(4, 9), job(5, 8)];
    for job in &jobs {
        for (index, &word) in job.iter().enumerate() {
            cosim.cycle(|uut| {
                uut.push.next = true;
                uut.push_word.next = word.into();
                uut.push_last.next = index + 1 == job.len();
            });
        }
    }
    cosim.uut.push.next = false;
    for _ in 0..3 {
        cosim.tick();
    }
    assert_eq!(cosim.uut.jobs.val(), 3);
    for job in &jobs {
        for (index, &word) in job.iter().enumerate() {
            assert_eq!(cosim.uut.word.val(), word);
            assert_eq!(cosim.uut.word_last.val(), index + 1 == job.len());
            cosim.cycle(|uut| uut.pop.next = true);
        }
    }
    cosim.finish();
}

#[test]
fn dispatch_serves_cores_in_turn() {
    let mut cosim = Cosim::new(Dispatch::new(3), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(3);
    // (words, aborted).
    let mut queue: VecDeque<(VecDeque<u64>, bool)> = VecDeque::new();
    let mut sent: Vec<Vec<u64>> = Vec::new();
    let mut loaded: [Vec<u64>; 3] = std::array::from_fn(|_| Vec::new());
    let mut received = Vec::new();
    let mut dropped = Vec::new();
    let mut expected_dropped = Vec::new();
    let mut paused = false;
    for cycle in 0..6000 {
        if queue.len() < 4 && random.below(20) == 0 && cycle < 5000 {
            let job = job(cycle, 7 + random.below(5));
            let aborted = random.below(4) == 0;
            if aborted {
                expected_dropped.push(job[0]);
            } else {
                sent.push(job.clone());
            }
            queue.push_back((job.into(), aborted));
        }
        let front = queue.front();
        let word = front.and_then(|(words, _)| words.front()).copied().unwrap_or(0);
        let uut = &mut cosim.uut;
        uut.jobs.next = (queue.len() as u64).into();
        uut.word.next = word.into();
        uut.word_last.next = front.is_some_and(|(words, _)| words.len() == 1);
        uut.aborted.next = front.is_some_and(|(_, aborted)| *aborted);
        uut.pause.next = paused;
        uut.dropped_ready.next = random.below(3) == 0;
        for (can_take, words) in uut.can_take.iter_mut().zip(&loaded) {
            can_take.next = words.is_empty() && random.below(4) == 0;
        }
        cosim.settle();
        let uut = &cosim.uut;
        if uut.dropped_valid.val() && uut.dropped_ready.val() {
            dropped.push(uut.dropped_id.val().to_u64());
        }
        if uut.load.val() {
            let words = &mut loaded[uut.load_core.val().to_u64() as usize];
            words.push(uut.load_word.val().to_u64());
            if uut.load_last.val() {
                received.push(std::mem::take(words));
            }
        }
        assert!(loaded.iter().filter(|words| !words.is_empty()).count() <= 1);
        if paused && uut.resting.val() {
            assert!(loaded.iter().all(|words| words.is_empty()));
            assert!(!uut.pop.val());
        }
        if uut.pop.val() {
            let (words, _) = queue.front_mut().unwrap();
            words.pop_front();
            if words.is_empty() {
                queue.pop_front();
            }
        }
        if random.below(50) == 0 {
            paused = !paused;
        }
        cosim.tick();
    }
    assert!(sent.len() > 30 && dropped.len() > 5);
    assert_eq!(received, sent[..received.len()]);
    assert!(received.len() + 8 > sent.len());
    assert_eq!(dropped, expected_dropped[..dropped.len()]);
    cosim.finish();
}

#[test]
fn feeder_passes_jobs_on_and_counts_them() {
    let mut cosim = Cosim::new(Feeder::new(3), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(4);
    let mut loading: VecDeque<u64> = VecDeque::new();
    let (mut sent, mut received): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let (mut jobs, mut in_core) = (0u64, 0u64);
    // The words of the jobs that are here, as far as they have come.
    let mut words_left: VecDeque<u64> = VecDeque::new();
    let mut both = 0;
    for cycle in 0..5000u64 {
        cosim.settle();
        assert_eq!(cosim.uut.idle.val(), jobs == 0);
        if loading.is_empty() && cosim.uut.can_take.val() && random.below(5) == 0 {
            assert!(jobs < 3 && words_left.len() < 2);
            loading = job(cycle, 7 + random.below(32)).into();
            sent.extend(&loading);
            words_left.push_back(loading.len() as u64);
            both += u64::from(words_left.len() == 2);
        }
        let load = !loading.is_empty() && random.below(3) != 0;
        let taken = in_core > 0 && random.below(60) == 0;
        cosim.uut.load.next = load;
        if load {
            cosim.uut.load_word.next = loading.pop_front().unwrap().into();
            cosim.uut.load_last.next = loading.is_empty();
            jobs += u64::from(loading.is_empty());
        }
        if taken {
            jobs -= 1;
            in_core -= 1;
        }
        cosim.uut.result_taken.next = taken;
        cosim.uut.job_ready.next = random.below(3) == 0;
        cosim.settle();
        if cosim.uut.job_valid.val() && cosim.uut.job_ready.val() {
            received.push(cosim.uut.job_word.val().to_u64());
            words_left[0] -= 1;
            if words_left[0] == 0 {
                words_left.pop_front();
                in_core += 1;
            }
        }
        cosim.tick();
    }
    assert!(received.len() > 500 && both > 10);
    assert_eq!(received, sent[..received.len()]);
    cosim.cycle(|uut| uut.clear.next = true);
    assert!(cosim.uut.idle.val() && cosim.uut.empty.val());
    cosim.finish();
}
