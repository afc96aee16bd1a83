//! The placement sums against the golden evaluator, over the operations that the board update describes.

mod common;

use bluebelle_hdl::core::placement::Placement;
use bluebelle_hdl::core::thread::Thread;
use bluebelle_hdl::core::update::Update;
use bluebelle_hdl::harness::{Bench, Cosim, synthesis_check};
use bluebelle_spec::leaf::legal_moves;
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Position, Weights};

use common::{loading, making, pick, positions, sums, thread_on, unmaking, with_move};

/// What a difference comes out later than its operation goes in.
const LATENCY: usize = 3;

/// A slot, whether the sums begin anew with it, and the position, where a whole one is reached.
type Step = (Thread, bool, Option<Position>);

/// The slots of loading a position, and of moves from it, each made and half of them unmade.
fn steps(seed: u64, count: usize) -> Vec<Step> {
    let mut random = SplitMix64::new(seed);
    let mut steps = Vec::new();
    let mut add = |slots: Vec<Thread>, reached: Position| {
        let last = slots.len() - 1;
        let step = |(index, slot): (usize, Thread)| (slot, index == 0 && slot.load, (index == last).then_some(reached));
        steps.extend(slots.into_iter().enumerate().map(step));
    };
    for mut position in positions(seed, count) {
        add(loading(&position), position);
        for _ in 0..8 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            let special = moves
                .iter()
                .copied()
                .find(|&mv| with_move(thread_on(&position), &position, mv).special);
            let mv = special.unwrap_or_else(|| pick(&mut random, &moves));
            let thread = with_move(Thread::default(), &position, mv);
            let after = position.after(mv);
            add(making(thread), after);
            if random.below(2) == 0 {
                add(unmaking(thread), position);
            } else {
                position = after;
            }
        }
        // A slot without an operation adds nothing.
        add(vec![Thread::default()], position);
    }
    steps
}

fn load_weights(cosim: &mut Cosim<Placement>, weights: &Weights) {
    for (index, word) in weights.to_words().into_iter().enumerate() {
        cosim.cycle(|uut| {
            uut.weight_write.next = true;
            uut.weight_index.next = (index as u64).into();
            uut.weight_data.next = u64::from(word as u16).into();
        });
    }
    cosim.uut.weight_write.next = false;
}

#[test]
fn sums_follow_every_operation() {
    // A table shows what it holds before it is written.
    let mut cosim = Cosim::new(Placement::default(), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let evaluator = Evaluator::new(Weights::standard());
    load_weights(&mut cosim, Weights::standard());
    let mut update = Bench::new(Update::default(), |uut| &mut uut.clock);

    let steps = steps(20, 30);
    let mut total = (0i16, 0i16, 0u8);
    let idle = vec![(Thread::default(), false, None); LATENCY];
    let mut reached = 0;
    for (cycle, &(slot, ..)) in steps.iter().chain(&idle).enumerate() {
        update.uut.thread_in.next = slot;
        update.settle();
        let from = &update.uut;
        cosim.cycle(|uut| {
            uut.from_square.next = from.from_square.val();
            uut.to_square.next = from.to_square.val();
            uut.from_code.next = from.from_code.val();
            uut.to_code.next = from.to_code.val();
            uut.captured_code.next = from.captured_code.val();
            uut.from_used.next = from.from_used.val();
            uut.to_used.next = from.to_used.val();
            uut.captured_used.next = from.captured_used.val();
            uut.mover.next = slot.mover;
            uut.undo.next = slot.undo;
        });
        let Some(index) = (cycle + 1).checked_sub(LATENCY) else {
            continue;
        };
        let Some(&(slot, anew, position)) = steps.get(index) else {
            break;
        };
        if anew {
            total = (0, 0, 0);
        }
        let carry = i16::from(cosim.uut.carry.val());
        let phase_carry = u8::from(cosim.uut.phase_carry.val());
        let added = |sum: i16, bits: u16| sum.wrapping_add(bits as i16).wrapping_add(carry);
        total.0 = added(total.0, cosim.uut.mg.val().to_u16());
        total.1 = added(total.1, cosim.uut.eg.val().to_u16());
        total.2 = total
            .2
            .wrapping_add(cosim.uut.phase.val().to_u8())
            .wrapping_add(phase_carry);
        if let Some(position) = position {
            assert_eq!(total, sums(&position, &evaluator), "{position} after {slot:?}");
            reached += 1;
        }
    }
    assert!(reached > 200, "{reached} positions");
    cosim.finish();
}
