//! The study of an ending that Michie proposes: what positions are worth to players who err, beside
//! what they are worth with perfect play.
//!
//! An ending's tables say who wins and how soon. [`Study`] adds the expected utility u of every
//! position between two players of the same merit, exactly, with the clock of fifty moves; then u
//! by distance says how hard wins are, u of the drawn positions which draws are strong, and the
//! positions where u and the value differ most are the ones worth looking at. [`page`] writes all
//! that as an HTML page.

pub mod graph;
mod html;

pub use html::page;

use bluebelle_knowledge::endings::{Material, ProbeError, Tables, Value as Distance, Wdl};
use bluebelle_knowledge::utility::graph::utilities;
use bluebelle_knowledge::utility::{Fitted, Hasty, Michie, Opponent};
use bluebelle_knowledge::vocabulary::Merit;
use bluebelle_spec::{Color, Position};

use crate::commentary::Model;
use graph::{CLOCK, Graph};

/// The most men that an ending under study has: its whole graph is kept in memory.
pub const MOST_MEN: usize = 4;

/// What a ply more takes off a win, for players by the fitted model.
const HASTE: f64 = 0.15;

/// How many positions are shown of each sort.
const EXAMPLES: usize = 5;

/// What a study found, for White to move.
#[derive(Clone, Debug)]
pub struct Study {
    /// The ending.
    pub material: Material,
    /// Whether the players err by Michie's formula, taken literally.
    pub literal: bool,
    /// Positions with White to move: won, drawn and lost, mirror images included.
    pub counts: [u64; 3],
    /// Each merit's figures.
    pub rows: Vec<Row>,
    /// The moves to mate that occur, ascending, and how many positions have them.
    pub distances: Vec<(u16, u64)>,
    /// Won positions of which the players of the second merit make least.
    pub hardest: Vec<Example>,
    /// Drawn positions of which they make most.
    pub strongest: Vec<Example>,
}

/// What players of one merit make of the ending.
#[derive(Clone, Debug)]
pub struct Row {
    /// The merit of both players.
    pub merit: Merit,
    /// The mean u of the won, drawn and lost positions; `None` where there are none.
    pub means: [Option<f64>; 3],
    /// The mean u of the won positions by distance, in the order of [`Study::distances`].
    pub by_distance: Vec<f64>,
}

/// A position and its figures.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The position, White to move.
    pub position: Position,
    /// The winner's moves to mate, if the position is won.
    pub moves: Option<u16>,
    /// Its expected utility.
    pub utility: f64,
}

impl Study {
    /// Studies an ending with players of each of these merits. `progress` hears what is done and its
    /// share of the whole.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn new(
        tables: &Tables,
        material: Material,
        merits: &[Merit],
        literal: bool,
        progress: impl Fn(&str, f64) + Sync,
    ) -> Result<Study, ProbeError> {
        let steps = merits.len() as f64 + 1.0;
        let graph = Graph::new(tables, material, |share| progress("positions and moves", share / steps))?;
        let white = |at: &usize| graph.positions[*at].position.turn() == Color::White;
        let places: Vec<usize> = (0..graph.positions.len()).filter(white).collect();
        let mut counts = [0; 3];
        let mut distances = std::collections::BTreeMap::<u16, u64>::new();
        for &at in &places {
            let placed = &graph.positions[at];
            let images = u64::from(placed.images);
            counts[class(placed.value)] += images;
            if let Distance::Win(moves) = placed.value {
                *distances.entry(moves).or_default() += images;
            }
        }
        let mut study = Study {
            material,
            literal,
            counts,
            rows: Vec::new(),
            distances: distances.into_iter().collect(),
            hardest: Vec::new(),
            strongest: Vec::new(),
        };
        for (step, &merit) in merits.iter().enumerate() {
            progress(&format!("merit {merit}"), (step as f64 + 1.0) / steps);
            let curve = Model::default().curve;
            let michie = Michie { merit };
            let fitted = Hasty {
                player: Fitted { merit, curve },
                haste: HASTE,
            };
            let player: &dyn Opponent = if literal { &michie } else { &fitted };
            let found = utilities(&graph.nodes, [player, player], Color::White, CLOCK);
            let of = |at: usize| found[at].number();
            study.rows.push(study.row(&graph, &places, merit, &of));
            if step == 1.min(merits.len() - 1) {
                study.hardest = examples(&graph, &places, Wdl::Win, of);
                study.strongest = examples(&graph, &places, Wdl::Draw, |at| -of(at));
            }
        }
        progress("done", 1.0);
        Ok(study)
    }

    fn row(&self, graph: &Graph, places: &[usize], merit: Merit, of: &dyn Fn(usize) -> f64) -> Row {
        let mut sums = [0.0; 3];
        let mut by_distance = vec![0.0; self.distances.len()];
        for &at in places {
            let placed = &graph.positions[at];
            let weighed = f64::from(placed.images) * of(at);
            sums[class(placed.value)] += weighed;
            if let Distance::Win(moves) = placed.value
                && let Ok(place) = self.distances.binary_search_by_key(&moves, |&(moves, _)| moves)
            {
                by_distance[place] += weighed;
            }
        }
        for (sum, &(_, count)) in by_distance.iter_mut().zip(&self.distances) {
            *sum /= count as f64;
        }
        let mean = |class: usize| (self.counts[class] > 0).then(|| sums[class] / self.counts[class] as f64);
        Row {
            merit,
            means: [mean(0), mean(1), mean(2)],
            by_distance,
        }
    }
}

/// The place of a value among the counts: won, drawn, lost.
const fn class(value: Distance) -> usize {
    match value.wdl() {
        Wdl::Win => 0,
        Wdl::Draw => 1,
        Wdl::Loss => 2,
    }
}

/// The positions of this value that come first by a key.
fn examples(graph: &Graph, places: &[usize], wanted: Wdl, key: impl Fn(usize) -> f64) -> Vec<Example> {
    let is_wanted = |at: &&usize| graph.positions[**at].value.wdl() == wanted;
    let mut found: Vec<usize> = places.iter().filter(is_wanted).copied().collect();
    found.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
    found.truncate(EXAMPLES);
    let sign = if wanted == Wdl::Draw { -1.0 } else { 1.0 };
    let example = |at: usize| Example {
        position: graph.positions[at].position,
        moves: match graph.positions[at].value {
            Distance::Win(moves) => Some(moves),
            _ => None,
        },
        utility: sign * key(at),
    };
    found.into_iter().map(example).collect()
}

#[cfg(test)]
mod tests;
