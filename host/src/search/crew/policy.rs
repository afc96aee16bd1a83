//! Which nodes are asked, how deep, and when the moves of a node are shared: one value an iteration.

use crate::pool::Resources;

/// What a crew does in an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Policy {
    /// Nodes of at least this depth are asked.
    pub(crate) least: i32,
    /// And of at most this depth.
    pub(crate) most: i32,
    /// Questions that are out at once, at most.
    pub(crate) questions_out: usize,
    /// Members that search or ask at once, at most.
    pub(crate) members: usize,
    /// The least depth of a node whose moves are shared.
    pub(crate) split: i32,
    /// Whether all threads of a core search a question.
    pub(crate) gang: bool,
    /// The most nodes that a board visits for a question.
    pub(crate) node_limit: u32,
    /// Whether answers that are not expected are searched here.
    pub(crate) doubts: bool,
    /// Plies more than the node has, for a board whose plies are worth less: one for each of these depths that is reached.
    surplus: [i32; 3],
}

impl Policy {
    /// The policy of an iteration.
    pub(crate) fn new(resources: &Resources, iteration: i32) -> Policy {
        let env = |name: &str, default: i32| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
        let least = env("BB_LEAST", 9);
        Policy {
            least,
            most: env("BB_MOST", 12).min(iteration * env("BB_SHARE", 80) / 100),
            questions_out: resources.cores * env("BB_OUT", 100) as usize / 100,
            members: resources.cores * env("BB_OUT", 100) as usize / 100 + env("BB_LOCAL", 1) as usize,
            split: least + env("BB_SPLIT", 1),
            gang: resources.gangs,
            node_limit: 1 << env("BB_LIMIT", 15),
            doubts: env("BB_DOUBTS", 0) != 0,
            surplus: [env("BB_S1", 6), env("BB_S2", 9), env("BB_S3", 99)],
        }
    }

    /// How deep a board searches a node that has so many plies left.
    pub(crate) fn board_depth(&self, depth: i32) -> u8 {
        let more = self.surplus.iter().filter(|&&from| depth >= from).count() as i32;
        (depth + more).clamp(0, i32::from(bluebelle_spec::leaf::MAX_DEPTH)) as u8
    }
}
