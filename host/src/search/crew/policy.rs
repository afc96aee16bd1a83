//! Which nodes are asked, how deep, and when the moves of a node are shared: one value an iteration.

use std::time::Duration;

use bluebelle_spec::leaf::MAX_DEPTH;

use crate::pool::Resources;

/// What a user or a test wants of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asking {
    /// Nodes of at least this depth are asked, whatever an answer costs; `None` to choose by what it costs.
    pub from: Option<i32>,
    /// Whether a node that is waited for is searched here too while there is nothing else to do.
    pub races: bool,
}

impl Default for Asking {
    fn default() -> Asking {
        Asking {
            from: None,
            races: true,
        }
    }
}

/// What a crew does in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    /// Nodes of at least this depth are asked.
    pub(super) least: i32,
    /// And of at most this depth.
    pub(super) most: i32,
    /// Questions that are out at once, at most.
    pub(super) questions: usize,
    /// Members that search or ask at once, at most.
    pub(super) members: usize,
    /// The least depth of a node whose moves are shared.
    pub(super) split: i32,
    /// Whether all threads of a core search a question.
    pub(super) gang: bool,
    /// The most nodes that a board visits for a question.
    pub(super) node_limit: u32,
    /// The deepest question that a board takes.
    pub(super) max_depth: u8,
    pub(super) races: bool,
}

/// The least depth of a node that a board is asked about. A job costs the host some seven nodes, and shallower nodes have not many more.
const LEAST: i32 = 6;

/// Of an iteration's plies, the hundredths that a node may have to be asked. What is nearer to the root is searched here, with all its rules.
const SHARE: i32 = 80;

/// The most nodes of a question: a longer one keeps a core from others, and the search from going on.
const NODE_LIMIT: u32 = 1 << 13;

/// The least depth of a node that a crew without boards shares out as if it asked.
const CREW_LEAST: i32 = 3;

/// Nodes that the software needs for a node of depth 6 that is worth a search, and how many times more for each further ply.
const NODES_OF_SIX: f64 = 50.0;
const GROWTH: f64 = 1.6;

/// Nodes of a board for one of the software.
const NODE_FACTOR: f64 = 12.0;

/// Slots of a board's node.
const SLOTS_A_NODE: f64 = 3.2;

/// How many times sooner a gang is done than a thread.
const GANG_SPEED: f64 = 4.0;

/// What a node of the search takes a server.
const NODE: Duration = Duration::from_nanos(430);

impl Policy {
    /// The policy of an iteration.
    pub(crate) fn new(resources: &Resources, asking: Asking, iteration: i32) -> Policy {
        let (least, share, members) = match resources.slots_per_second {
            0.0 => (CREW_LEAST, 100, resources.cores),
            _ => (
                least_depth(resources).unwrap_or(i32::MAX - 1),
                SHARE,
                resources.cores + 1,
            ),
        };
        let least = asking.from.unwrap_or(least);
        Policy {
            least,
            most: (iteration * share / 100).min(i32::from(resources.max_depth)),
            questions: resources.cores,
            members: if least > iteration { 1 } else { members.max(1) },
            split: least + 1,
            gang: resources.gangs,
            node_limit: NODE_LIMIT,
            max_depth: resources.max_depth,
            races: asking.races,
        }
    }

    /// How deep a board searches a node that has `depth` plies left: a board's plies are worth less, the more of them there are.
    pub(super) fn board_depth(&self, depth: i32) -> u8 {
        let depth = depth + 1 + i32::from(depth >= 6) + i32::from(depth >= 9);
        depth.clamp(0, self.max_depth.min(MAX_DEPTH).into()) as u8
    }
}

/// The least depth from which as many questions as can be out at once are answered sooner than they are searched here.
fn least_depth(resources: &Resources) -> Option<i32> {
    let board_node = NODE_FACTOR * SLOTS_A_NODE * resources.threads as f64 / resources.slots_per_second;
    let board_node = if resources.gangs {
        board_node / GANG_SPEED
    } else {
        board_node
    };
    let questions = resources.cores as f64;
    let pays = |&depth: &i32| {
        let nodes = NODES_OF_SIX * GROWTH.powi(depth - 6);
        let here = nodes * NODE.as_secs_f64();
        questions * here >= resources.round_trip.as_secs_f64() + nodes * board_node
    };
    (LEAST..=i32::from(resources.max_depth)).find(pays)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ULX3S 85F as it is routed.
    fn board(round_trip_us: u64) -> Resources {
        Resources {
            cores: 6,
            threads: 13,
            slots_per_second: 92.857e6,
            gangs: true,
            max_depth: 24,
            round_trip: Duration::from_micros(round_trip_us),
            bytes_per_second: Some(1e8),
        }
    }

    fn policy(resources: &Resources, iteration: i32) -> Policy {
        Policy::new(resources, Asking::default(), iteration)
    }

    #[test]
    fn what_costs_more_than_it_is_worth_is_searched_here() {
        let one_core = |round_trip| Resources {
            cores: 1,
            ..board(round_trip)
        };
        let one_thread_a_job = |round_trip| Resources {
            gangs: false,
            ..board(round_trip)
        };
        // Who is asked, and from which depth on.
        for (resources, least) in [
            (board(0), Some(6)),
            (board(60), Some(6)),
            (board(250), Some(9)),
            (board(2_000), Some(14)),
            (board(1_000_000), None),
            (one_core(60), None),
            (one_thread_a_job(60), None),
        ] {
            assert_eq!(least_depth(&resources), least, "{resources:?}");
        }
    }

    #[test]
    fn a_policy_is_what_its_iteration_makes_of_it() {
        // iteration, least, most, members
        for (iteration, least, most, members) in [
            (1, 6, 0, 1),
            (5, 6, 4, 1),
            (10, 6, 8, 7),
            (20, 6, 16, 7),
            (40, 6, 24, 7),
        ] {
            let policy = policy(&board(60), iteration);
            assert_eq!(
                (policy.least, policy.most, policy.members),
                (least, most, members),
                "iteration {iteration}"
            );
            assert_eq!(
                policy,
                Policy::new(&board(60), Asking::default(), iteration),
                "nothing else counts"
            );
        }
        let asked = Asking {
            from: Some(2),
            races: false,
        };
        let policy = Policy::new(&board(2_000), asked, 10);
        assert_eq!((policy.least, policy.split, policy.races), (2, 3, false));
    }

    #[test]
    fn without_boards_there_is_nobody_to_ask_or_a_crew() {
        let alone = policy(&Resources::default(), 20);
        assert_eq!((alone.questions, alone.members), (0, 1));
        let crew = policy(&Resources::of_crew(8), 20);
        assert_eq!((crew.questions, crew.members, crew.least, crew.most), (8, 8, 3, 20));
    }

    #[test]
    fn a_board_searches_deeper_than_it_is_asked_to() {
        let policy = policy(&board(60), 30);
        let depths = [2, 6, 8, 9, 12, 22, 30].map(|depth| policy.board_depth(depth));
        assert_eq!(depths, [3, 8, 10, 12, 15, 24, 24]);
    }
}
