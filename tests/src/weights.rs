//! Weights at random, and weights that say nothing.

use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Term, Weights};

/// A valid set of weights, of any size from tiny to the largest that fits.
pub fn random(rng: &mut SplitMix64) -> Weights {
    loop {
        let largest = [40, 200, 400, 540][rng.below(4) as usize];
        let mut weights = zero();
        let tables = weights.placement_mg.iter_mut().chain(&mut weights.placement_eg);
        tables.flatten().for_each(|weight| *weight = between(rng, largest));
        for term in Term::ALL {
            weights.structure[term as usize] = between(rng, term.limit());
        }
        if weights.validate().is_ok() {
            return weights;
        }
    }
}

/// Every weight 0: all positions are worth the same.
pub const fn zero() -> Weights {
    Weights {
        placement_mg: [[0; 64]; 6],
        placement_eg: [[0; 64]; 6],
        structure: [0; Term::COUNT],
    }
}

fn between(rng: &mut SplitMix64, limit: i16) -> i16 {
    rng.below(2 * limit as u64 + 1) as i16 - limit
}
