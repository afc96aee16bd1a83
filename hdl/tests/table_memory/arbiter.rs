//! Six cores share a memory: each gets the answers to its own lookups, and every store goes
//! somewhere.

use std::collections::VecDeque;

use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_hdl::table_memory::TableArbiter;
use bluebelle_spec::rng::SplitMix64;

const CORES: usize = 6;

/// What a core holds until it is taken.
#[derive(Default)]
struct Core {
    /// Thread and address.
    lookup: Option<(u64, u64)>,
    /// Address and data.
    store: Option<(u64, u64)>,
    /// The lookups under way, and the stores that were taken.
    asked: VecDeque<(u64, u64)>,
    stored: VecDeque<(u64, u64)>,
    answers: u64,
}

/// What the memory holds at an address.
fn entry(address: u64) -> u64 {
    SplitMix64::new(address).next_u64()
}

#[test]
fn arbiter_serves_all_cores() {
    let mut cosim = Cosim::new(TableArbiter::new(CORES), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(12);
    let mut cores: [Core; CORES] = Default::default();
    // The memory: lookups under way, and how fast it is at the time.
    let mut reading: VecDeque<u64> = VecDeque::new();
    let (mut lookups, mut answers, mut stores, mut dropped) = (0u64, 0u64, 0u64, 0u64);
    let mut full = [0u64; CORES];
    for cycle in 0..12_000u64 {
        let phase = cycle / 2000;
        let eager = if phase.is_multiple_of(2) { 1 } else { 20 };
        let uut = &mut cosim.uut;
        for (index, core) in cores.iter_mut().enumerate() {
            // A core puts its number into the highest bits, so that a store tells where it is from.
            if core.lookup.is_none() && random.below(eager) == 0 && cycle < 11_000 {
                core.lookup = Some((random.below(13), random.below(1 << 22)));
            }
            if core.store.is_none() && random.below(eager * 2) == 0 && cycle < 11_000 {
                let data = (index as u64) << 61 | random.next_u64() >> 3;
                core.store = Some((random.below(1 << 22), data));
            }
            let (thread, address) = core.lookup.unwrap_or((random.below(16), random.below(1 << 22)));
            uut.lookup_valid[index].next = core.lookup.is_some();
            uut.lookup_thread[index].next = thread.into();
            uut.lookup_address[index].next = address.into();
            let (address, data) = core.store.unwrap_or((random.below(1 << 22), random.next_u64()));
            uut.store_valid[index].next = core.store.is_some();
            uut.store_address[index].next = address.into();
            uut.store_data[index].next = data.into();
        }
        uut.ready.next = random.below(3 + phase) == 0;
        uut.dropped.next = random.below(4) == 0;
        let slow = if cycle % 3000 > 2000 { 40 } else { 4 };
        let answer = (!reading.is_empty() && random.below(slow) == 0).then(|| reading.pop_front().expect("a lookup"));
        uut.memory_answer_valid.next = answer.is_some();
        uut.memory_answer.next = answer.map_or(random.next_u64(), entry).into();
        answers += u64::from(answer.is_some());
        cosim.settle();

        let uut = &cosim.uut;
        for (index, core) in cores.iter_mut().enumerate() {
            if uut.answer_valid[index].val() {
                let (thread, address) = core.asked.pop_front().expect("an answer to a lookup");
                assert_eq!(uut.answer_thread.val().to_u64(), thread, "cycle {cycle}, core {index}");
                assert_eq!(uut.answer.val().to_u64(), entry(address), "cycle {cycle}, core {index}");
                core.answers += 1;
                full[index] += u64::from(phase.is_multiple_of(2));
            }
            if uut.lookup_ready[index].val()
                && let Some(lookup) = core.lookup.take()
            {
                core.asked.push_back(lookup);
            }
            if uut.store_ready[index].val()
                && let Some(store) = core.store.take()
            {
                core.stored.push_back(store);
            }
        }
        if uut.valid.val() && uut.ready.val() {
            let address = uut.address.val().to_u64();
            if uut.write.val() {
                let data = uut.data.val().to_u64();
                let from = &mut cores[(data >> 61) as usize];
                assert_eq!(from.stored.pop_front(), Some((address, data)), "cycle {cycle}");
                stores += 1;
                dropped += u64::from(uut.dropped.val());
            } else {
                reading.push_back(address);
                lookups += 1;
            }
        }
        assert!(
            reading.len() <= 16,
            "cycle {cycle}: {} lookups under way",
            reading.len()
        );
        cosim.tick();
    }
    let uut = &cosim.uut;
    assert!(cores.iter().all(|core| core.asked.is_empty() && core.stored.is_empty()));
    let counted = [&uut.lookups, &uut.answers, &uut.stores, &uut.dropped_stores].map(|count| count.val().to_u64());
    assert_eq!(counted, [lookups, answers, stores, dropped]);
    println!("{lookups} lookups, {stores} stores, {dropped} dropped; by core, at full load: {full:?}");
    assert!(lookups > 500 && dropped > 200);
    let (least, most) = (full.iter().min().expect("cores"), full.iter().max().expect("cores"));
    assert!(most * 4 < least * 5, "some cores get more than others: {full:?}");
    cosim.finish();
}

#[test]
#[should_panic(expected = "9 cores: 1 to 8 can share a table")]
fn too_many_cores_are_refused() {
    TableArbiter::new(9);
}
