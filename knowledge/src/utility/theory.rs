//! Michie's theory on a finite tree: the figures of every position, computed exactly.

use bluebelle_spec::Color;
use bluebelle_spec::rng::SplitMix64;

use super::opponent::{Opponent, Prospect, SAME};
use super::tree::{Kind, Tree};
use crate::vocabulary::{Utility, Value};

/// What the theory says about a position of a tree. Values and utilities are White's.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFigures {
    /// Game-theoretic value, *v*.
    pub value: Value,
    /// Moves that the value has been backed up, *r*: 0 where a game ends, else one more than the
    /// greatest of the successors'.
    pub delay: u32,
    /// The probability of each move, in the order of the successors.
    pub probabilities: Vec<f64>,
    /// Expected utility, *u*.
    pub utility: Utility,
    /// The probability that a game from here is not drawn: Σ p v² over all ends.
    pub tension: f64,
    /// Whether no line of play from here ends in anything but a draw.
    pub dead: bool,
    /// How many moves the mover effectively chooses from, as a mean over the first
    /// [`LEVELS`] levels.
    pub branching: f64,
}

/// The levels of the tree below a position whose branching says whether the position is
/// complicated.
pub const LEVELS: usize = 3;

/// The figures of all nodes of a tree, by number, for these players of White and Black.
pub fn evaluate(tree: &Tree, [white, black]: [&dyn Opponent; 2]) -> Vec<NodeFigures> {
    let mut figures: Vec<NodeFigures> = Vec::new();
    // For each node, the entropy of play in the next 0, 1, … levels.
    let mut entropies: Vec<[f64; LEVELS + 1]> = Vec::new();
    for node in tree.nodes() {
        let (mover, successors) = match &node.kind {
            Kind::End(value) => {
                figures.push(NodeFigures::at_end(*value));
                entropies.push([0.0; LEVELS + 1]);
                continue;
            }
            Kind::Choice { mover, successors } => (*mover, successors),
        };
        let player = if mover == Color::White { white } else { black };
        let below = || successors.iter().map(|&successor| &figures[successor]);
        let prospects: Vec<Prospect> = below()
            .map(|figures| Prospect {
                utility: figures.utility.seen_by(mover),
                delay: figures.delay,
            })
            .collect();
        let probabilities = player.probabilities(&prospects);
        let mean = |of: &dyn Fn(&NodeFigures) -> f64| -> f64 {
            below().zip(&probabilities).map(|(figures, p)| p * of(figures)).sum()
        };
        let best = below().map(|figures| figures.value.seen_by(mover)).max();
        let choice = entropy(&probabilities);
        let mut levels = [0.0; LEVELS + 1];
        for level in 1..=LEVELS {
            let expected = successors
                .iter()
                .zip(&probabilities)
                .map(|(&at, p)| p * entropies[at][level - 1]);
            levels[level] = choice + expected.sum::<f64>();
        }
        let found = NodeFigures {
            value: best.unwrap_or(Value::Draw).seen_by(mover),
            delay: 1 + below().map(|figures| figures.delay).max().unwrap_or(0),
            utility: Utility::new(mean(&|figures| figures.utility.number())),
            tension: mean(&|figures| figures.tension),
            dead: below().all(|figures| figures.dead),
            branching: (levels[LEVELS] / LEVELS as f64).exp(),
            probabilities,
        };
        figures.push(found);
        entropies.push(levels);
    }
    figures
}

impl NodeFigures {
    fn at_end(value: Value) -> NodeFigures {
        NodeFigures {
            value,
            delay: 0,
            probabilities: Vec::new(),
            utility: value.into(),
            tension: f64::from(value.sign().unsigned_abs()),
            dead: value == Value::Draw,
            branching: 1.0,
        }
    }
}

/// The entropy of a choice in nats: e to this power is the number of equally probable moves that
/// are as hard to guess.
pub fn entropy(probabilities: &[f64]) -> f64 {
    let terms = probabilities.iter().filter(|&&p| p > 0.0).map(|&p| -p * p.ln());
    terms.sum()
}

/// The successors of a node that no other is better than for the mover, by expected utility.
pub fn best_successors(tree: &Tree, figures: &[NodeFigures], number: usize) -> Vec<usize> {
    let Some(mover) = tree.mover(number) else {
        return Vec::new();
    };
    let utility = |at: usize| figures[at].utility.seen_by(mover).number();
    let successors = tree.successors(number);
    let most = successors
        .iter()
        .map(|&at| utility(at))
        .fold(f64::NEG_INFINITY, f64::max);
    let best = successors.iter().copied().filter(|&at| utility(at) >= most - SAME);
    best.collect()
}

/// The probability that each node is reached by play from `from`.
pub fn reach(tree: &Tree, figures: &[NodeFigures], from: usize) -> Vec<f64> {
    let mut reached = vec![0.0; tree.nodes().len()];
    if let Some(start) = reached.get_mut(from) {
        *start = 1.0;
    }
    for number in (0..tree.nodes().len()).rev() {
        for (&successor, p) in tree.successors(number).iter().zip(&figures[number].probabilities) {
            reached[successor] += reached[number] * p;
        }
    }
    reached
}

/// The result for White of a game played out from `from` by these probabilities.
pub fn play_out(tree: &Tree, figures: &[NodeFigures], from: usize, random: &mut SplitMix64) -> Option<Value> {
    let mut at = from;
    loop {
        if let Kind::End(value) = tree.nodes().get(at)?.kind {
            return Some(value);
        }
        let successors = tree.successors(at);
        let mut left = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let chosen = figures[at].probabilities.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        at = successors[chosen.unwrap_or(successors.len() - 1)];
    }
}
