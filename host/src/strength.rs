//! Playing weaker, on request: fewer nodes, and now and then a move that is not the best.

use bluebelle_spec::Move;
use bluebelle_spec::rng::SplitMix64;

use crate::limits::Limits;
use crate::report::Outcome;
use crate::score::is_mate_or_table;
use crate::search::Settings;

/// A strength in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    elo: u32,
}

impl Strength {
    /// The weakest.
    pub const LEAST_ELO: u32 = 800;
    /// The strongest that is still held back.
    pub const MOST_ELO: u32 = 2600;

    /// Lines among which the move is chosen.
    const LINES: usize = 4;

    /// A strength, brought into the range.
    pub fn new(elo: u32) -> Strength {
        Strength {
            elo: elo.clamp(Strength::LEAST_ELO, Strength::MOST_ELO),
        }
    }

    /// Fewer nodes: a doubling for each 120 Elo, from 60 nodes on.
    pub fn nodes(self) -> u64 {
        let steps = f64::from(self.elo - Strength::LEAST_ELO) / 120.0;
        (60.0 * steps.exp2()) as u64
    }

    /// How far below the best a move may be and still be played, in centipawns.
    fn carelessness(self) -> i32 {
        (Strength::MOST_ELO - self.elo) as i32 / 12
    }

    /// The limits and settings of a search at this strength.
    pub fn restrain(self, limits: &mut Limits, settings: &mut Settings) {
        limits.nodes = Some(limits.nodes.map_or(self.nodes(), |nodes| nodes.min(self.nodes())));
        settings.multipv = settings.multipv.max(Strength::LINES);
        settings.threads = 1;
    }

    /// Chooses among the lines of a search: each is worth its score and a random part.
    pub fn choose(self, outcome: &mut Outcome, seed: u64) {
        let mut random = SplitMix64::new(seed);
        let Some(best) = outcome.lines.first().map(|line| line.score) else {
            return;
        };
        // A mate is seen by everybody.
        if is_mate_or_table(best) {
            return;
        }
        let careless = self.carelessness();
        let mut worth = |score: i32| match careless {
            0 => score,
            _ => score + (random.next_u64() % careless as u64) as i32,
        };
        let lines = outcome.lines.iter().enumerate().take(Strength::LINES);
        let near = lines.filter(|(_, line)| line.score >= best - careless);
        let chosen = near
            .map(|(at, line)| (worth(line.score), at))
            .max()
            .map_or(0, |(_, at)| at);
        outcome.lines.swap(0, chosen);
    }
}

/// A number that differs from game to game and from move to move.
pub fn seed(nodes: u64, mv: Move) -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64) ^ nodes << 20 ^ u64::from(mv.bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_is_more_nodes_and_less_luck() {
        let all: Vec<Strength> = (800..=2600).step_by(100).map(Strength::new).collect();
        assert!(all.is_sorted_by_key(|strength| strength.nodes()));
        assert!(all.is_sorted_by_key(|strength| -strength.carelessness()));
        assert_eq!(Strength::new(2600).carelessness(), 0);
        assert_eq!(Strength::new(100), Strength::new(800));
    }
}
