//! The value of a search by its definition: plain minimax over shakmaty's legal moves, down to quiescence.
//!
//! Only in quiescence, which would go on for too long, are the branches cut that cannot matter; the window there starts
//! out without bounds, so the value is exact.

use bluebelle_spec::leaf::{MATE, MAX_PLY};
use bluebelle_spec::{Color, Weights};
use shakmaty::{Chess, Move, MoveList, Position as _, Role};

use crate::convert;
use crate::mailbox::Mailbox;
use crate::naive;

const INFINITE: i32 = i32::MAX;

/// What a search found at the root, for the side to move.
#[derive(Clone, Debug)]
pub struct Root {
    /// The value of the position.
    pub value: i32,
    /// The evaluation, where the search may stand pat.
    pub stand_pat: Option<i32>,
    /// The moves searched, and the value of each.
    pub moves: Vec<(bluebelle_spec::Move, i32)>,
}

/// A search.
pub struct Minimax<'w> {
    weights: &'w Weights,
    /// Positions visited so far.
    pub nodes: u64,
    /// How many are too many.
    pub most_nodes: u64,
}

impl<'w> Minimax<'w> {
    /// A search with these weights that gives up after so many positions.
    pub const fn new(weights: &'w Weights, most_nodes: u64) -> Minimax<'w> {
        Minimax {
            weights,
            nodes: 0,
            most_nodes,
        }
    }

    /// Searches `depth` plies of all legal moves, then quiescence; `None` after too many positions.
    pub fn search(&mut self, chess: &Chess, depth: u8) -> Option<Root> {
        let full_width = depth > 0 || chess.is_check();
        let (stand_pat, moves) = match full_width {
            true => (None, chess.legal_moves()),
            false => (Some(stand_pat(chess, self.weights)), forcing_moves(chess)),
        };
        let child_depth = (i32::from(depth) - 1).max(-1);
        let value_of = |mv: Move| {
            (
                convert::move_from_shakmaty(mv),
                -self.visit(&after(chess, mv), child_depth, 1),
            )
        };
        let moves: Vec<_> = moves.into_iter().map(value_of).collect();
        let best = moves.iter().map(|&(_, value)| value).chain(stand_pat).max();
        let value = best.unwrap_or_else(|| without_moves(chess, 0));
        (self.nodes <= self.most_nodes).then_some(Root {
            value,
            stand_pat,
            moves,
        })
    }

    fn visit(&mut self, chess: &Chess, depth: i32, ply: i32) -> i32 {
        let full_width = depth > 0 || depth == 0 && chess.is_check();
        if !full_width {
            return self.quiesce(chess, -INFINITE, INFINITE, ply);
        }
        self.nodes += 1;
        let mut best = None;
        for mv in chess.legal_moves() {
            let value = -self.visit(&after(chess, mv), (depth - 1).max(-1), ply + 1);
            best = best.max(Some(value));
        }
        best.unwrap_or_else(|| without_moves(chess, ply))
    }

    /// Captures and promotions to a queen, or standing pat; fail-soft alpha-beta.
    fn quiesce(&mut self, chess: &Chess, alpha: i32, beta: i32, ply: i32) -> i32 {
        self.nodes += 1;
        let mut best = stand_pat(chess, self.weights);
        if best >= beta || ply == i32::from(MAX_PLY) || self.nodes > self.most_nodes {
            return best;
        }
        for mv in forcing_moves(chess) {
            let value = -self.quiesce(&after(chess, mv), -beta, -alpha.max(best), ply + 1);
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }
}

/// The evaluation, for the side to move.
pub(crate) fn stand_pat(chess: &Chess, weights: &Weights) -> i32 {
    let mover = match chess.turn() {
        shakmaty::Color::White => Color::White,
        shakmaty::Color::Black => Color::Black,
    };
    naive::evaluate(&Mailbox::from(chess), mover, weights)
}

/// What quiescence looks at, the most valuable gain first, because the order saves time and changes nothing.
pub(crate) fn forcing_moves(chess: &Chess) -> MoveList {
    let mut moves = chess.legal_moves();
    moves.retain(|mv| match mv.promotion() {
        Some(role) => role == Role::Queen,
        None => mv.is_capture(),
    });
    let worth = |role: Option<Role>| role.map_or(0, |role| role as i32);
    moves.sort_by_key(|mv| worth(Some(mv.role())) - 10 * (worth(mv.capture()) + worth(mv.promotion())));
    moves
}

pub(crate) fn without_moves(chess: &Chess, ply: i32) -> i32 {
    match chess.is_check() {
        true => ply - i32::from(MATE),
        false => 0,
    }
}

pub(crate) fn after(chess: &Chess, mv: Move) -> Chess {
    let mut next = chess.clone();
    next.play_unchecked(mv);
    next
}
