//! The pruned search by its definition: whether a position reaches its bound, over shakmaty's legal moves.
//!
//! Neither the order of moves nor what was found before has a say in the answer, so this search has neither. A node asks its
//! children until one is refuted.

use bluebelle_spec::leaf::MAX_PLY;
use bluebelle_spec::leaf::pruning::{
    DELTA_DEPTH, DELTA_MARGIN, FUTILITY_DEPTH, FUTILITY_MARGIN, NULL_MOVE_DEPTH, REDUCTION_DEPTH,
    REVERSE_FUTILITY_MARGIN, WORTH,
};
use bluebelle_spec::{Move, Weights};
use shakmaty::{Chess, Position as _, Role};

use crate::convert;
use crate::minimax::{after, forcing_moves, stand_pat, without_moves};

/// A position to ask about.
#[derive(Clone, Copy, Debug)]
struct Node {
    depth: i32,
    ply: i32,
    bound: i32,
    after_null: bool,
}

/// A search.
pub struct Pruned<'w> {
    weights: &'w Weights,
    /// Positions visited so far.
    pub nodes: u64,
    /// How many are too many.
    pub most_nodes: u64,
}

/// What proves that a position reaches its bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It does not.
    None,
    /// It does, and no move of the position is needed for that.
    Static,
    /// It does by the null move.
    NullMove,
    /// It does by any of these.
    Moves(Vec<Move>),
}

impl<'w> Pruned<'w> {
    /// A search with these weights that gives up after so many positions.
    pub const fn new(weights: &'w Weights, most_nodes: u64) -> Pruned<'w> {
        Pruned {
            weights,
            nodes: 0,
            most_nodes,
        }
    }

    /// Whether the root of a job reaches `beta`, and why; `None` after too many positions.
    pub fn search(&mut self, chess: &Chess, depth: u8, beta: i16) -> Option<Proof> {
        let node = Node {
            depth: depth.into(),
            ply: 0,
            bound: beta.into(),
            after_null: false,
        };
        let proof = self.prove(chess, node, true);
        (self.nodes <= self.most_nodes).then_some(proof)
    }

    fn holds(&mut self, chess: &Chess, node: Node) -> bool {
        self.prove(chess, node, false) != Proof::None
    }

    /// With `all`, all moves that prove it, otherwise one.
    fn prove(&mut self, chess: &Chess, node: Node, all: bool) -> Proof {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return Proof::Static;
        }
        let Node { depth, ply, bound, .. } = node;
        let in_check = chess.is_check();
        let quiescence = depth < 0 || depth == 0 && !in_check;
        let value = stand_pat(chess, self.weights);
        if quiescence && value >= bound {
            return Proof::Static;
        }
        if quiescence && ply == i32::from(MAX_PLY) {
            return Proof::None;
        }
        // A node in check that is not in quiescence is searched whole.
        let whole = in_check && !quiescence;
        let near_quiescence = (1..=i32::from(FUTILITY_DEPTH)).contains(&depth) && !whole;
        if near_quiescence && ply > 0 && value >= bound + REVERSE_FUTILITY_MARGIN * depth {
            return Proof::Static;
        }
        let below = |depth: i32| Node {
            depth,
            ply: ply + 1,
            bound: 1 - bound,
            after_null: false,
        };
        let officers =
            chess.our(Role::Knight) | chess.our(Role::Bishop) | chess.our(Role::Rook) | chess.our(Role::Queen);
        if depth >= i32::from(NULL_MOVE_DEPTH) && !whole && !node.after_null && value >= bound && officers.any() {
            let passed = chess.clone().swap_turn().expect("nobody is in check");
            let child = Node {
                after_null: true,
                ..below((depth.div_euclid(2) + depth.rem_euclid(2) - 3).max(0))
            };
            if !self.holds(&passed, child) {
                return Proof::NullMove;
            }
        }

        let futile = near_quiescence && value + FUTILITY_MARGIN * depth < bound;
        let delta = !whole && depth <= i32::from(DELTA_DEPTH);
        let reduces = !whole && depth >= i32::from(REDUCTION_DEPTH);
        let quiet_depths = [(depth - 1).div_euclid(2), depth - 1];
        let quiet_depths = &quiet_depths[usize::from(!reduces)..];
        let full_depth = [depth - 1];
        let moves = match quiescence {
            true => forcing_moves(chess),
            false => chess.legal_moves(),
        };
        if moves.is_empty() && !quiescence && !futile {
            return match without_moves(chess, ply) >= bound {
                true => Proof::Static,
                false => Proof::None,
            };
        }
        let mut proving = Vec::new();
        for mv in moves {
            let (allowed, depths) = match gain(mv) {
                Some(gain) => {
                    let enough = !delta || value + gain + DELTA_MARGIN >= bound;
                    (enough && !(quiescence && loses(chess, mv)), &full_depth[..])
                }
                None => (!futile, quiet_depths),
            };
            let next = after(chess, mv);
            if allowed && depths.iter().all(|&depth| !self.holds(&next, below(depth.max(-1)))) {
                proving.push(convert::move_from_shakmaty(mv));
                if !all {
                    break;
                }
            }
        }
        match proving.is_empty() {
            true => Proof::None,
            false => Proof::Moves(proving),
        }
    }
}

/// What a capture or promotion is worth; `None` for a quiet move. A capture that promotes counts as a capture.
fn gain(mv: shakmaty::Move) -> Option<i32> {
    let [queen, rook, minor, pawn] = WORTH;
    match (mv.capture(), mv.promotion()) {
        (Some(Role::Pawn), _) => Some(pawn),
        (Some(Role::Knight | Role::Bishop), _) => Some(minor),
        (Some(Role::Rook), _) => Some(rook),
        (Some(_), _) | (None, Some(_)) => Some(queen),
        (None, None) => None,
    }
}

/// Whether a capture takes less than it may give: what is taken is protected, and worth less than what takes it.
fn loses(chess: &Chess, mv: shakmaty::Move) -> bool {
    let rank = |role: Role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen | Role::King => 4,
    };
    let board = chess.board();
    let protected = board.attacks_to(mv.to(), chess.turn().other(), board.occupied()).any();
    protected && mv.capture().is_some_and(|taken| rank(mv.role()) > rank(taken))
}
