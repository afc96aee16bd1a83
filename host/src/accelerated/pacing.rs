use bluebelle_spec::Move;

use crate::search::parameters::time;

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
