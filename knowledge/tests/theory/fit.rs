//! The fitted model recovers the merit of synthetic players, and fits better than the wrong model.

use bluebelle_knowledge::utility::fit::{Choice, fit_curve, fit_merit, log_likelihood};
use bluebelle_knowledge::utility::{Curve, Fitted, Michie, Opponent, Prospect};
use bluebelle_knowledge::vocabulary::{Merit, Utility};
use bluebelle_spec::rng::SplitMix64;

const CURVE: Curve = Curve {
    at_zero: 0.0,
    slope: -1.2,
    sight: 2.0,
};

fn unit(random: &mut SplitMix64) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// The choices of a player in as many positions, each with 5 to 40 moves.
fn synthetic(model: &dyn Opponent, positions: usize, random: &mut SplitMix64) -> Vec<Choice> {
    let mut choices = Vec::new();
    for _ in 0..positions {
        let best = unit(random) * 1.4 - 0.7;
        let count = 5 + random.below(36) as usize;
        let prospect = |_| Prospect {
            utility: Utility::new(best - unit(random).powi(2)),
            delay: 1 + random.below(12) as u32,
        };
        let prospects: Vec<Prospect> = (0..count).map(prospect).collect();
        let mut left = unit(random);
        let chosen = model.probabilities(&prospects).iter().position(|p| {
            left -= p;
            left < 0.0
        });
        choices.push(Choice {
            prospects,
            chosen: chosen.unwrap_or(0),
        });
    }
    choices
}

fn fitted(kilopoints: f64) -> Fitted {
    Fitted {
        merit: Merit::new(kilopoints).expect("a merit"),
        curve: CURVE,
    }
}

#[test]
fn merit_is_recovered_from_choices() {
    let mut random = SplitMix64::new(28);
    for kilopoints in [0.3, 0.8, 1.4, 2.0, 2.6] {
        let choices = synthetic(&fitted(kilopoints), 1500, &mut random);
        let found = fit_merit(&choices, |merit| Fitted { merit, curve: CURVE });
        assert!(
            (found.merit.kilopoints() - kilopoints).abs() <= 0.15,
            "{kilopoints}: {found:?}"
        );
        assert!(found.error < 0.1, "{found:?}");
        let literal = fit_merit(&choices, |merit| Michie { merit });
        assert!(found.log_likelihood > literal.log_likelihood, "{kilopoints}");
        let other = log_likelihood(&choices, &fitted(kilopoints + 0.5));
        assert!(found.log_likelihood > other);
    }
}

#[test]
fn merit_is_recovered_by_the_literal_model_too() {
    let mut random = SplitMix64::new(29);
    for kilopoints in [0.3, 1.4] {
        let merit = Merit::new(kilopoints).expect("a merit");
        let choices = synthetic(&Michie { merit }, 1500, &mut random);
        let found = fit_merit(&choices, |merit| Michie { merit });
        assert!(
            (found.merit.kilopoints() - kilopoints).abs() <= 0.15,
            "{kilopoints}: {found:?}"
        );
    }
}

#[test]
fn the_curve_is_recovered_and_serves_players_held_out() {
    let mut random = SplitMix64::new(30);
    let players: Vec<(Merit, Vec<Choice>)> = [0.4, 1.2, 2.2]
        .map(|kilopoints| {
            (
                fitted(kilopoints).merit,
                synthetic(&fitted(kilopoints), 4000, &mut random),
            )
        })
        .into();
    let curve = fit_curve(&players, CURVE.sight).expect("a curve");
    assert!((curve.at_zero - CURVE.at_zero).abs() < 0.1, "{curve:?}");
    assert!((curve.slope - CURVE.slope).abs() < 0.1, "{curve:?}");
    for kilopoints in [0.8, 1.7] {
        let held_out = synthetic(&fitted(kilopoints), 4000, &mut random);
        let found = fit_merit(&held_out, |merit| Fitted { merit, curve });
        assert!(
            (found.merit.kilopoints() - kilopoints).abs() <= 0.15,
            "{kilopoints}: {found:?}"
        );
    }
    assert_eq!(fit_curve(&players[..1], 0.0), None, "one merit shows no slope");
    assert_eq!(fit_curve(&[], 0.0), None);
}
