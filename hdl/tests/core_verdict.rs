//! The comparisons with the null window, against plain numbers.

use bluebelle_hdl::core::verdict::Verdict;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::EVALUATION_LIMIT;
use bluebelle_spec::leaf::{MATE, MAX_PLY};
use bluebelle_spec::rng::SplitMix64;

#[test]
fn values_hold_from_the_bound_on() {
    let mut cosim = Cosim::new(Verdict::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(70);
    let (mate, limit) = (i32::from(MATE), EVALUATION_LIMIT);
    let mut counts = [[0; 2]; 3];
    for round in 0..600 {
        let ply = random.below(u64::from(MAX_PLY) + 1) as i32;
        // Any beta that a job may have; often near 0 or a mate at this ply.
        let beta = match round % 4 {
            0 => random.below(2 * mate as u64) as i32 + 1 - mate,
            1 => random.below(9) as i32 - 4,
            2 => (ply - mate + random.below(5) as i32 - 2).max(1 - mate),
            _ => (mate - ply + random.below(5) as i32 - 1).min(mate),
        };
        let bound = if ply % 2 == 0 { beta } else { 1 - beta };
        let value = match random.below(2) {
            0 => random.below(2 * limit as u64 + 1) as i32 - limit,
            _ => (bound + random.below(5) as i32 - 2).clamp(-limit, limit),
        };
        cosim.cycle(|uut| {
            uut.value.next = u64::from(value as u16).into();
            uut.beta.next = u64::from(beta as u16).into();
            uut.ply.next = (ply as u64).into();
        });
        let uut = &cosim.uut;
        let found = [uut.value_holds.val(), uut.mate_holds.val(), uut.draw_holds.val()];
        let expected = [value >= bound, ply - mate >= bound, 0 >= bound];
        assert_eq!(found, expected, "value {value}, beta {beta}, ply {ply}");
        for (count, holds) in counts.iter_mut().zip(expected) {
            count[usize::from(holds)] += 1;
        }
    }
    assert!(counts.as_flattened().iter().all(|&count| count >= 10), "{counts:?}");
    cosim.finish();
}
