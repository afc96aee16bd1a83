//! The ray network against the golden attack sets.

use bluebelle_hdl::core::rays::Rays;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::attacks::{diagonal_attacks, straight_attacks};
use bluebelle_spec::rng::SplitMix64;

#[test]
fn rays_are_the_golden_attack_sets() {
    let mut cosim = Cosim::combinational(Rays::default());
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(3);
    for round in 0..400 {
        // From crowded boards to almost empty ones.
        let mut occupied = random.next_u64();
        for _ in 0..round % 5 {
            occupied &= random.next_u64();
        }
        let straight = occupied & random.next_u64();
        let diagonal = occupied & random.next_u64();
        cosim.cycle(|uut| {
            uut.straight_sources.next = straight.into();
            uut.diagonal_sources.next = diagonal.into();
            uut.empty.next = (!occupied).into();
        });
        assert_eq!(cosim.uut.straight.val().to_u64(), straight_attacks(straight, !occupied));
        assert_eq!(cosim.uut.diagonal.val().to_u64(), diagonal_attacks(diagonal, !occupied));
    }
    cosim.finish();
}
