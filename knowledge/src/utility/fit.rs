//! Fitting the numbers of models to choices that players made, by maximum likelihood.

use super::opponent::{Curve, Opponent, Prospect, losses};
use crate::vocabulary::Merit;

/// A move that a player chose among others.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What each move led to, for the player.
    pub prospects: Vec<Prospect>,
    /// The place of the move that was played.
    pub chosen: usize,
}

/// A merit and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedMerit {
    /// The merit under which the choices are most probable.
    pub merit: Merit,
    /// The standard error in kilopoints, from the curvature of the likelihood; infinite where the
    /// choices say nothing.
    pub error: f64,
    /// The logarithm of the choices' probability.
    pub log_likelihood: f64,
}

/// The logarithm of the probability of these choices under a model.
pub fn log_likelihood(choices: &[Choice], model: &dyn Opponent) -> f64 {
    let of = |choice: &Choice| {
        let chosen = model.probabilities(&choice.prospects).get(choice.chosen).copied();
        chosen.unwrap_or(0.0).max(f64::MIN_POSITIVE).ln()
    };
    choices.iter().map(of).sum()
}

/// The merit under which a model makes the choices most probable.
pub fn fit_merit<M: Opponent>(choices: &[Choice], model: impl Fn(Merit) -> M) -> FittedMerit {
    let likelihood = |kilopoints: f64| log_likelihood(choices, &model(Merit::nearest(kilopoints)));
    // Steps first, because the likelihood of a model need not have a single top.
    let steps = (Merit::MOST / STEP).round() as usize;
    let places = (0..=steps).map(|step| step as f64 * STEP);
    let (_, place) = places
        .map(|place| (likelihood(place), place))
        .fold(
            (f64::NEG_INFINITY, 0.0),
            |best, next| if next.0 > best.0 { next } else { best },
        );
    let kilopoints = highest(place - STEP, place + STEP, &likelihood).clamp(0.0, Merit::MOST);
    let top = likelihood(kilopoints);
    let inside = kilopoints.clamp(WIDTH, Merit::MOST - WIDTH);
    let bend = likelihood(inside - WIDTH) - 2.0 * likelihood(inside) + likelihood(inside + WIDTH);
    let curvature = -bend / WIDTH.powi(2);
    FittedMerit {
        merit: Merit::nearest(kilopoints),
        error: if curvature > 0.0 {
            curvature.recip().sqrt()
        } else {
            f64::INFINITY
        },
        log_likelihood: top,
    }
}

/// The first steps of a search for a merit, in kilopoints.
const STEP: f64 = 0.1;

/// How far beside the top the curvature is measured, in kilopoints.
const WIDTH: f64 = 0.05;

/// Where a function with a single top between `low` and `high` is highest, by the golden section.
pub(super) fn highest(mut low: f64, mut high: f64, of: &dyn Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (of(left), of(right));
    while high - low > PRECISION {
        if at_left >= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = of(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = of(right);
        }
    }
    (low + high) / 2.0
}

/// The golden section ends here.
const PRECISION: f64 = 1e-5;

/// The curve with this [sight](Curve::sight) under which the choices of players of known merit are
/// most probable. Curves of different sights are compared by their likelihood.
///
/// With β = 1 / scale, every player's likelihood has a first derivative (the losses that the model
/// expects, less those that were made) and a curvature (the variance of the losses), so that
/// weighted least squares on ln β = −`at_zero` − `slope` · M, repeated, climb to the top.
/// `None` if fewer than two merits are there, or the choices show no difference between them.
pub fn fit_curve(players: &[(Merit, Vec<Choice>)], sight: f64) -> Option<Curve> {
    let usable = players
        .iter()
        .filter(|(merit, choices)| !merit.is_perfect() && !choices.is_empty());
    let players: Vec<(f64, &[Choice])> = usable
        .map(|(merit, choices)| (merit.kilopoints(), &choices[..]))
        .collect();
    // ln β = level + rise · M.
    let (mut level, mut rise) = (1.0, 0.5);
    for _ in 0..MOST_ROUNDS {
        let mut sums = Sums::default();
        for &(merit, choices) in &players {
            let log_beta = level + rise * merit;
            let beta = f64::exp(log_beta);
            let (gradient, variance) = slopes(choices, sight, beta);
            let weight = beta * beta * variance + f64::MIN_POSITIVE;
            // A step of a single player is bounded: far from the top the parabola misleads.
            let step = (beta * gradient / weight).clamp(-1.0, 1.0);
            sums.add(merit, log_beta + step, weight);
        }
        let (next_level, next_rise) = sums.line()?;
        let change = (next_level - level).abs() + (next_rise - rise).abs();
        (level, rise) = (next_level, next_rise);
        if change < PRECISION {
            break;
        }
    }
    let found = level.is_finite() && rise > 0.0;
    found.then_some(Curve {
        at_zero: -level,
        slope: -rise,
        sight,
    })
}

const MOST_ROUNDS: usize = 200;

/// The first derivative of a player's log-likelihood by β, and the variance of the losses.
fn slopes(choices: &[Choice], sight: f64, beta: f64) -> (f64, f64) {
    let (mut gradient, mut variance) = (0.0, 0.0);
    for choice in choices {
        let losses = losses(&choice.prospects, sight);
        let Some(made) = losses.get(choice.chosen) else {
            continue;
        };
        let (mut weights, mut mean, mut square) = (0.0, 0.0, 0.0);
        for loss in &losses {
            let weight = (-beta * loss).exp();
            weights += weight;
            mean += weight * loss;
            square += weight * loss * loss;
        }
        mean /= weights;
        gradient += mean - made;
        variance += square / weights - mean * mean;
    }
    (gradient, variance)
}

/// The sums of weighted least squares.
#[derive(Default)]
struct Sums {
    weight: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64, weight: f64) {
        self.weight += weight;
        self.x += weight * x;
        self.y += weight * y;
        self.xx += weight * x * x;
        self.xy += weight * x * y;
    }

    /// Level and rise of the line; `None` if all points lie at one place.
    fn line(&self) -> Option<(f64, f64)> {
        let spread = self.weight * self.xx - self.x * self.x;
        let rise = (self.weight * self.xy - self.x * self.y) / spread;
        let level = (self.y - rise * self.x) / self.weight;
        (spread > 0.0 && rise.is_finite() && level.is_finite()).then_some((level, rise))
    }
}
