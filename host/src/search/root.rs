//! The steps of the root: every move counts, and each keeps its own line.

use bluebelle_spec::Move;

use super::node::Expected;
use super::parameters::reductions;
use super::reductions::reduction;
use super::{EMPTY_FRAME, Searcher};
use crate::board::Board;
use crate::score::INFINITE;
use crate::table::{Bound, Entry, NO_EVALUATION};

impl Searcher<'_> {
    /// Searches the root moves from the `first` on (those before have their lines already) in a window.
    pub(super) fn search_root(&mut self, first: usize, mut alpha: i32, beta: i32, depth: i32) -> i32 {
        let board: &Board = self.root;
        self.lines[0].length = 0;
        let evaluation = match board.in_check() {
            true => NO_EVALUATION,
            false => self.evaluate(board),
        };
        *self.frame(0) = super::Frame {
            evaluation,
            killers: self.frame(0).killers,
            ..EMPTY_FRAME
        };
        *self.frame(1) = super::Frame {
            killers: self.frame(1).killers,
            ..EMPTY_FRAME
        };
        self.frame(2).killers = [Move::NONE; 2];

        let mut best = -INFINITE;
        let mut best_move = Move::NONE;
        for index in first..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = index + 1 - first;
            self.tell_current_move(depth, mv, index + 1);
            let nodes_before = self.nodes;
            let quiet = !board.is_noisy(mv);
            let child = self.enter(board, mv, 0);
            let extension = i32::from(child.in_check());
            let below = depth - 1 + extension;

            // A null window for all but the first, less deep for late quiet moves, and again if they surprise.
            let mut score = 0;
            let mut open = number == 1;
            if !open {
                let mut shallow = below;
                if depth > reductions::DEPTH && number > 3 && quiet && !child.in_check() {
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
                score = -self.search::<true>(&child, -beta, -alpha, below, 1, Expected::All);
            }
            self.leave();
            if self.aborted {
                return best;
            }

            let spent = self.nodes - nodes_before;
            let seldepth = self.seldepth;
            self.root_moves[index].nodes += spent;
            if number == 1 || score > alpha {
                self.extend_line(0, mv);
                let line = &self.lines[0];
                let moves = line.moves[..line.length].to_vec();
                let root_move = &mut self.root_moves[index];
                root_move.score = score;
                root_move.bound = match score {
                    score if score >= beta => Bound::Lower,
                    score if score <= alpha => Bound::Upper,
                    _ => Bound::Exact,
                };
                root_move.seldepth = seldepth;
                // A line that failed low is not a line.
                if score > alpha || root_move.line.len() < 2 {
                    root_move.line = moves;
                }
            } else {
                self.root_moves[index].score = -INFINITE;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if first == 0 {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                _ if best_move.is_none() => Bound::Upper,
                _ => Bound::Exact,
            };
            let entry = Entry {
                best: best_move,
                score: best,
                evaluation,
                depth,
                bound,
                principal: true,
            };
            self.shared.table.store(board.hash(), entry, 0);
        }
        best
    }
}
