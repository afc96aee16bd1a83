//! Quiescence: captures and promotions until the position is quiet, evasions while in check.

use bluebelle_spec::Move;

use super::parameters::quiescence::DELTA;
use super::picker::{Picker, Stage};
use super::searcher::Searcher;
use super::team::Team;
use crate::board::{Board, EXCHANGE_VALUES};
use crate::score::{DRAW, MAX_PLY, is_mate_or_table, mated_at};
use crate::table::{Bound, Entry, NO_EVALUATION};

impl<T: Team> Searcher<'_, T> {
    pub(super) fn quiescence<const PV: bool>(&mut self, board: &Board, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        // Step 1. Count the node; draws; the end of the stack.
        if PV {
            self.lines[ply].length = 0;
        }
        if self.count_node() {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        if board.is_insufficient() || board.halfmoves() >= 100 || self.is_repetition(board, ply) {
            return DRAW;
        }
        let in_check = board.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { DRAW } else { self.evaluate(board) };
        }

        // Step 2. What the table knows.
        let known = self.shared.table.probe(board.hash(), ply);
        if let Some(entry) = known
            && !PV
        {
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if cuts {
                return entry.score;
            }
        }
        let table_move = known.map_or(Move::NONE, |entry| entry.best);

        // Step 3. Stand pat: the side to move need not capture.
        let mut best = mated_at(ply);
        let mut evaluation = NO_EVALUATION;
        if !in_check {
            evaluation = match known {
                Some(entry) if entry.evaluation != NO_EVALUATION => entry.evaluation,
                _ => self.evaluate(board),
            };
            best = evaluation;
            if let Some(entry) = known {
                let better = match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => entry.score > best,
                    Bound::Upper => entry.score < best,
                };
                if better && !is_mate_or_table(entry.score) {
                    best = entry.score;
                }
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let futility = best + DELTA;

        // Step 4. Captures that lose nothing, or every evasion.
        let mut picker = match in_check {
            true => Picker::new(table_move, [Move::NONE; 2], Move::NONE, self.context(ply)),
            false => Picker::noisy(board, table_move, 0),
        };
        let mut best_move = Move::NONE;
        let mut raised = false;
        let mut moves = 0;
        while let Some(mv) = picker.next(board, self.history) {
            moves += 1;

            // Step 5. Delta pruning: the victim is too small to matter; in check, quiet evasions once one move holds.
            if !in_check && mv.promotion().is_none() {
                let gain = board.captured(mv).map_or(0, |piece| EXCHANGE_VALUES[piece.index()]);
                if futility + gain <= alpha {
                    best = best.max(futility + gain);
                    continue;
                }
            } else if in_check && moves > 1 && !is_mate_or_table(best) && picker.stage() >= Stage::Refutations {
                break;
            }

            let child = self.enter(board, mv, ply);
            let score = -self.quiescence::<PV>(&child, -beta, -alpha, ply + 1);
            self.leave();
            if self.aborted {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    raised = true;
                    best_move = mv;
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // Step 6. Remember.
        let bound = match (best >= beta, raised && PV) {
            (true, _) => Bound::Lower,
            (false, true) => Bound::Exact,
            (false, false) => Bound::Upper,
        };
        let entry = Entry {
            best: best_move,
            score: best,
            evaluation,
            depth: 0,
            bound,
            principal: PV,
        };
        self.shared.table.store(board.hash(), entry, ply);
        best
    }
}
