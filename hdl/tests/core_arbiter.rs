//! The arbiter against a plain search for the first candidate.

use bluebelle_hdl::core::arbiter::Arbiter;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Color, Square};

#[test]
fn the_first_candidate_wins() {
    let mut cosim = Cosim::new(Arbiter::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(4);
    let mut expected = Vec::new();
    for round in 0..600 {
        let mut candidates = random.next_u64();
        for _ in 0..round % 7 {
            candidates &= random.next_u64();
        }
        let (high, low) = (random.next_u64(), random.next_u64());
        let turn = Color::ALL[random.below(2) as usize];
        cosim.cycle(|uut| {
            uut.candidates.next = candidates.into();
            uut.class_high.next = high.into();
            uut.class_low.next = low.into();
            uut.turn.next = turn == Color::Black;
        });
        let class = |square: Square| (high >> square.index() & 1) * 2 + (low >> square.index() & 1);
        let first = Square::all()
            .filter(|square| candidates & square.bit() != 0)
            .min_by_key(|&square| (class(square), square.relative_to(turn)));
        expected.push((first, candidates.count_ones() == 1));
        // What goes in before a rising edge comes out three edges later.
        if let Some(index) = expected.len().checked_sub(3) {
            let (first, last) = expected[index];
            assert_eq!(cosim.uut.found.val(), first.is_some(), "round {index}");
            if let Some(first) = first {
                assert_eq!(cosim.uut.square.val().to_u8(), first.byte(), "round {index}");
                assert_eq!(cosim.uut.last.val(), last, "round {index}");
            }
        }
    }
    cosim.finish();
}
