//! The steps of the root: every move counts, and each keeps its own line.

use bluebelle_spec::Move;

use super::node::Expected;
use super::parameters::reductions;
use super::reductions::reduction;
use super::searcher::{EMPTY_FRAME, Frame, RootMove, Searcher};
use super::team::Team;
use crate::board::Board;
use crate::score::INFINITE;
use crate::table::{Bound, Entry, NO_EVALUATION};

/// The root while its moves are searched.
pub(super) struct Root {
    /// The moves before this one have their lines already.
    first: usize,
    next: usize,
    alpha: i32,
    beta: i32,
    pub(super) depth: i32,
    best: i32,
    best_move: Move,
    moves: Vec<RootMove>,
}

/// A root move that is to be searched.
pub(super) struct RootTrial {
    index: usize,
    mv: Move,
    /// Its place among the moves of this search.
    number: usize,
    alpha: i32,
    beta: i32,
    depth: i32,
}

/// What became of a root move.
pub(super) struct RootScore {
    score: i32,
    nodes: u64,
}

impl Root {
    /// The root as it is, to be shared or to be gone on with.
    pub(super) fn take(&mut self) -> Root {
        let moves = std::mem::take(&mut self.moves);
        Root { moves, ..*self }
    }

    pub(super) fn next_move(&mut self) -> Option<RootTrial> {
        let index = self.next;
        let mv = self.moves.get(index)?.mv;
        self.next += 1;
        Some(RootTrial {
            index,
            mv,
            number: index + 1 - self.first,
            alpha: self.alpha,
            beta: self.beta,
            depth: self.depth,
        })
    }
}

impl<T: Team> Searcher<'_, T> {
    /// Searches the root moves from the `first` on (those before have their lines already) in a window.
    pub(super) fn search_root(&mut self, first: usize, alpha: i32, beta: i32, depth: i32) -> i32 {
        let board: &Board = self.root;
        self.lines[0].length = 0;
        let evaluation = match board.in_check() {
            true => NO_EVALUATION,
            false => self.evaluate(board),
        };
        for ply in 0..2 {
            *self.frame(ply) = Frame {
                killers: self.frame(ply).killers,
                ..EMPTY_FRAME
            };
        }
        self.frame(0).evaluation = evaluation;
        self.frame(2).killers = [Move::NONE; 2];

        let mut root = Root {
            first,
            next: first,
            alpha,
            beta,
            depth,
            best: -INFINITE,
            best_move: Move::NONE,
            moves: std::mem::take(&mut self.root_moves),
        };
        while let Some(trial) = root.next_move() {
            let score = self.try_root_move(&trial);
            if self.aborted || self.note_root_move(&mut root, &trial, &score) {
                break;
            }
            if T::SHARES && self.team.wants_work(depth) {
                self.share_root(&mut root);
                break;
            }
        }
        self.root_moves = root.moves;
        if first == 0 && !self.aborted {
            let bound = match root.best {
                best if best >= beta => Bound::Lower,
                _ if root.best_move.is_none() => Bound::Upper,
                _ => Bound::Exact,
            };
            let entry = Entry {
                best: root.best_move,
                score: root.best,
                evaluation,
                depth,
                bound,
                principal: true,
            };
            self.shared.table.store(board.hash(), entry, 0);
        }
        root.best
    }

    /// A null window for all but the first, less deep for late quiet moves, and again if they surprise.
    pub(super) fn try_root_move(&mut self, trial: &RootTrial) -> RootScore {
        let RootTrial {
            mv,
            number,
            alpha,
            depth,
            ..
        } = *trial;
        let board = self.root;
        self.tell_current_move(depth, mv, trial.index + 1);
        let nodes_before = self.nodes;
        let child = self.enter(board, mv, 0);
        let below = depth - 1 + i32::from(child.in_check());

        let mut score = 0;
        let mut open = number == 1;
        if !open {
            let mut shallow = below;
            if depth > reductions::DEPTH && number > 3 && !board.is_noisy(mv) && !child.in_check() {
                let history = self.history.quiet(board, mv, [None; 2]);
                let reduced = reduction(depth, number) - 1024 - 1024 * history / reductions::HISTORY;
                shallow = (below - reduced.max(0) / 1024).clamp(1.min(below), below);
            }
            score = -self.search::<false>(&child, -alpha - 1, -alpha, shallow, 1, Expected::Cut);
            if score > alpha && shallow < below && !self.aborted {
                score = -self.search::<false>(&child, -alpha - 1, -alpha, below, 1, Expected::Cut);
            }
            open = score > alpha;
        }
        if open && !self.aborted {
            score = -self.search::<true>(&child, -trial.beta, -alpha, below, 1, Expected::All);
        }
        self.leave();
        RootScore {
            score,
            nodes: self.nodes - nodes_before,
        }
    }

    /// A new best move, or one above the window: then the root is done.
    pub(super) fn note_root_move(&mut self, root: &mut Root, trial: &RootTrial, found: &RootScore) -> bool {
        let score = found.score;
        let seldepth = self.seldepth;
        let root_move = &mut root.moves[trial.index];
        root_move.nodes += found.nodes;
        if trial.number == 1 || score > root.alpha {
            self.extend_line(0, trial.mv);
            root_move.score = score;
            root_move.bound = match score {
                score if score >= root.beta => Bound::Lower,
                score if score <= root.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            root_move.seldepth = seldepth;
            // A line that failed low is not a line.
            if score > root.alpha || root_move.line.len() < 2 {
                let line = &self.lines[0];
                root_move.line = line.moves[..line.length].to_vec();
            }
        } else {
            root_move.score = -INFINITE;
        }
        if score > root.best {
            root.best = score;
            if score > root.alpha {
                root.best_move = trial.mv;
                root.alpha = score;
                self.team.root_score(score);
                return score >= root.beta;
            }
        }
        false
    }
}
