use std::time::Duration;

use bluebelle_spec::Move;

use super::Timekeeper;
use crate::search::parameters::time;

/// Tells when a search must end at once.
#[derive(Clone, Copy)]
pub(super) struct Alarm<'a> {
    pub(super) time: &'a dyn Timekeeper,
    pub(super) maximum: Option<Duration>,
}

impl Alarm<'_> {
    pub(super) fn has_rung(&self) -> bool {
        let late = |maximum: Duration| !self.time.is_pondering() && self.time.elapsed() >= maximum;
        self.time.is_stopped() || self.maximum.is_some_and(late)
    }
}

/// Whether the search has made up its mind.
#[derive(Default)]
pub(super) struct Pacing {
    best: Option<Move>,
    stable: usize,
    score: i32,
}

impl Pacing {
    /// How much of the optimum to use, in hundredths. The next iteration takes several times as long as all before it,
    /// so it is not begun late.
    pub(super) fn factor(&mut self, best: Move, score: i32) -> u32 {
        self.stable = match self.best == Some(best) {
            true => self.stable + 1,
            false => 0,
        };
        self.best = Some(best);
        let (each, most) = time::FALLING;
        let falling = ((self.score - score) * each).clamp(0, most) as u32;
        self.score = score;
        time::STABLE[self.stable.min(time::STABLE.len() - 1)] * (100 + falling) / 100 * 3 / 4
    }
}
