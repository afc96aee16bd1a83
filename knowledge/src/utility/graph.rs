//! Expected utility where positions can return: a graph of positions with a clock.
//!
//! The theory wants finite trees. In an endgame, positions repeat, and the tree of all games is far
//! too large to write down. With a clock that ends every game as a draw after so many plies, a
//! position and the plies left together are a node of a finite tree, and the utilities follow ply
//! by ply from the last one.

use bluebelle_spec::Color;

use super::opponent::{Opponent, Prospect};
use crate::vocabulary::{Utility, Value};

/// A position of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// The side to move.
    pub mover: Color,
    /// White's value, if the game is over here.
    pub end: Option<Value>,
    /// Michie's *r*, from whatever table knows it; 0 at an end only, because d is infinite there.
    pub delay: u32,
    /// Where the moves lead, by place in the list of nodes, always to a position of the other side.
    /// A place that is not in the list is a draw.
    pub successors: Vec<u32>,
}

/// White's expected utility of every node in which `first` moves, when `plies` are left; 0 for all
/// other nodes that are no ends.
pub fn utilities(nodes: &[GraphNode], players: [&dyn Opponent; 2], first: Color, plies: u32) -> Vec<Utility> {
    let at_end = |node: &GraphNode| node.end.map_or(Utility::ZERO, Utility::from);
    let mut known: Vec<Utility> = nodes.iter().map(at_end).collect();
    let mut prospects = Vec::new();
    for left in 1..=plies {
        let mover = if (plies - left).is_multiple_of(2) {
            first
        } else {
            !first
        };
        let player = players[mover.index()];
        for (at, node) in nodes.iter().enumerate() {
            if node.mover != mover || node.end.is_some() || node.successors.is_empty() {
                continue;
            }
            prospects.clear();
            prospects.extend(node.successors.iter().map(|&next| Prospect {
                utility: known.get(next as usize).copied().unwrap_or_default().seen_by(mover),
                delay: nodes.get(next as usize).map_or(0, |node| node.delay),
            }));
            let probabilities = player.probabilities(&prospects);
            let each = prospects.iter().zip(probabilities);
            let mean: f64 = each.map(|(prospect, p)| p * prospect.utility.number()).sum();
            known[at] = Utility::new(mean).seen_by(mover);
        }
    }
    for (node, utility) in nodes.iter().zip(&mut known) {
        if node.mover != first && node.end.is_none() {
            *utility = Utility::ZERO;
        }
    }
    known
}
