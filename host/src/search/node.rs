//! The steps of every node between the root and quiescence.

use std::sync::atomic::Ordering::Relaxed;

use bluebelle_spec::Move;

use super::history::bonus;
use super::parameters::{
    exchange, futility, history_pruning, internal_reduction, late_moves, null_move, prob_cut, razoring, reductions,
    reverse_futility, singular,
};
use super::picker::{Picker, Stage};
use super::reductions::reduction;
use super::{EMPTY_FRAME, Searcher};
use crate::board::Board;
use crate::score::{DRAW, LEAST_TABLE_WIN, MATE, MAX_PLY, is_mate_or_table, mated_at};
use crate::table::{Bound, Entry, NO_EVALUATION};

/// What a node is expected to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// In the principal variation, or a node that some move refutes only after all others were tried.
    All,
    /// Refuted by one of its first moves.
    Cut,
}

impl Expected {
    const fn below(self) -> Expected {
        match self {
            Expected::All => Expected::Cut,
            Expected::Cut => Expected::All,
        }
    }
}

/// What the moves of a node have shown so far.
struct Progress {
    best: i32,
    best_move: Move,
    alpha: i32,
    /// Legal moves met, pruned ones too.
    met: usize,
    quiets: arrayvec::ArrayVec<Move, 64>,
    captures: arrayvec::ArrayVec<Move, 32>,
}

impl Searcher<'_> {
    /// The value of a position for the side to move, searched so deep.
    pub(super) fn search<const PV: bool>(
        &mut self,
        board: &Board,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        expected: Expected,
    ) -> i32 {
        // Step 1. At the end of the depth, quiescence.
        if depth <= 0 {
            return self.quiescence::<PV>(board, alpha, beta, ply);
        }

        // Step 2. Count the node; draws; the end of the stack.
        if PV {
            self.lines[ply].length = 0;
        }
        if self.count_node() {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        let in_check = board.in_check();
        if board.is_insufficient() || self.is_repetition(board, ply) || is_fifty_move_draw(board) {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return if in_check { DRAW } else { self.evaluate(board) };
        }

        // Step 3. Mate distance: a shorter mate is known already.
        alpha = alpha.max(mated_at(ply));
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }

        // Step 4. What the table knows.
        let excluded = self.frame(ply).excluded;
        let known = match excluded.is_none() {
            true => self.shared.table.probe(board.hash(), ply),
            false => None,
        };
        let table_move = known.map_or(Move::NONE, |entry| entry.best);
        let principal = PV || known.is_some_and(|entry| entry.principal);
        if let Some(entry) = known
            && !PV
            && entry.depth >= depth
            && board.halfmoves() < 90
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
        {
            if entry.score >= beta && board.is_legal(table_move) && !board.is_noisy(table_move) {
                self.reward_quiet(board, table_move, &[], depth, ply);
            }
            return entry.score;
        }

        // Step 5. What the endgame tables know.
        if let Some(score) = self.probe_tables(board, ply, excluded)
            && (is_cut(score, alpha, beta) || !PV)
        {
            let entry = Entry {
                best: Move::NONE,
                score,
                evaluation: NO_EVALUATION,
                depth: depth + 6,
                bound: Bound::Exact,
                principal,
            };
            self.shared.table.store(board.hash(), entry, ply);
            return score;
        }

        // Step 6. The static evaluation, and a better guess if the table has one.
        let mut evaluation = NO_EVALUATION;
        let mut guess = NO_EVALUATION;
        if !in_check {
            evaluation = match known {
                Some(entry) if entry.evaluation != NO_EVALUATION => entry.evaluation,
                _ if !excluded.is_none() => self.frame(ply).evaluation,
                _ => self.evaluate(board),
            };
            guess = match known {
                Some(entry) if entry.bound == Bound::Exact => entry.score,
                Some(entry) if entry.bound == Bound::Lower && entry.score > evaluation => entry.score,
                Some(entry) if entry.bound == Bound::Upper && entry.score < evaluation => entry.score,
                _ => evaluation,
            };
        }
        self.frame(ply).evaluation = evaluation;
        *self.frame(ply + 1) = super::Frame {
            killers: self.frame(ply + 1).killers,
            ..EMPTY_FRAME
        };
        self.frame(ply + 2).killers = [Move::NONE; 2];
        self.frame(ply + 1).double_extensions = self.frame(ply).double_extensions;
        let improving = !in_check && {
            let earlier = match self.before(ply, 2).evaluation {
                NO_EVALUATION => self.before(ply, 4).evaluation,
                earlier => earlier,
            };
            earlier == NO_EVALUATION || evaluation > earlier
        };

        if !PV && !in_check && excluded.is_none() {
            // Step 7. Razoring: so bad that only a capture can help.
            if depth <= razoring::DEPTH && guess + razoring::MARGIN + razoring::SLOPE * depth * depth <= alpha {
                let score = self.quiescence::<false>(board, alpha, alpha + 1, ply);
                if score <= alpha || self.aborted {
                    return score;
                }
            }

            // Step 8. Reverse futility: so good that the opponent has no way back.
            if depth <= reverse_futility::DEPTH && !is_mate_or_table(guess) && !is_mate_or_table(beta) {
                let margin = reverse_futility::SLOPE * depth - reverse_futility::IMPROVING * i32::from(improving);
                if guess - margin >= beta {
                    return (guess + beta) / 2;
                }
            }

            // Step 9. Null move: pass, and still above beta? Not twice in a row, and not where passing would be best.
            if depth >= null_move::DEPTH
                && guess >= beta
                && evaluation >= beta - null_move::EVALUATION_SLOPE * depth + null_move::EVALUATION_MARGIN
                && ply >= self.null_from
                && self.before(ply, 1).moved.is_some()
                && board.has_officers()
                && beta > -LEAST_TABLE_WIN
                && let Some(score) = self.null_move(board, beta, depth, guess, ply, expected)
            {
                return score;
            }

            // Step 10. ProbCut: a capture that refutes with room to spare.
            if depth >= prob_cut::DEPTH
                && !is_mate_or_table(beta)
                && let Some(score) = self.prob_cut(board, beta, depth, evaluation, known, ply, expected)
            {
                return score;
            }
        }

        // Step 11. Internal reduction: without a table move, first find one at less cost.
        if depth >= internal_reduction::DEPTH
            && table_move.is_none()
            && excluded.is_none()
            && (PV || expected == Expected::Cut)
        {
            depth -= 1;
        }

        // Step 12. The moves, one by one.
        let context = self.context(ply);
        let counter = self.history.counter(board.turn(), context);
        let mut picker = Picker::new(table_move, self.frame(ply).killers, counter, context);
        let mut progress = Progress {
            best: mated_at(ply),
            best_move: Move::NONE,
            alpha,
            met: 0,
            quiets: arrayvec::ArrayVec::new(),
            captures: arrayvec::ArrayVec::new(),
        };
        let table_is_noisy = !table_move.is_none() && board.is_noisy(table_move);
        while let Some(mv) = picker.next(board, self.history) {
            if mv == excluded {
                continue;
            }
            progress.met += 1;
            let quiet = !board.is_noisy(mv);
            let history = match quiet {
                true => self.history.quiet(board, mv, context),
                false => self.history.capture(board, mv),
            };

            // Step 13. Prune what is late or loses, once something holds.
            let mut reduced = reduction(depth, progress.met);
            let prunes = progress.best > -LEAST_TABLE_WIN && progress.alpha < LEAST_TABLE_WIN && board.has_officers();
            if prunes && !board.gives_direct_check(mv) {
                let late_depth = (depth - reduced / 1024).max(0);
                if quiet {
                    let most = (late_moves::BASE + depth * depth) / if improving { 1 } else { 2 };
                    if depth <= late_moves::DEPTH && progress.met as i32 > most {
                        picker.skip_quiets();
                        continue;
                    }
                    if !in_check
                        && late_depth <= futility::DEPTH
                        && evaluation + futility::MARGIN + futility::SLOPE * late_depth + history / 128
                            <= progress.alpha
                    {
                        picker.skip_quiets();
                        continue;
                    }
                    if late_depth <= history_pruning::DEPTH && history < history_pruning::SLOPE * depth {
                        picker.skip_quiets();
                        continue;
                    }
                    if late_depth <= exchange::DEPTH
                        && !board.see_at_least(mv, exchange::QUIET_SLOPE * late_depth * late_depth)
                    {
                        continue;
                    }
                } else if depth <= exchange::DEPTH
                    && picker.stage() > Stage::GoodNoisy
                    && !board.see_at_least(mv, exchange::CAPTURE_SLOPE * depth)
                {
                    continue;
                }
            }

            // Step 14. Extend the table's move if nothing else comes near it.
            let mut extension = 0;
            if mv == table_move
                && excluded.is_none()
                && depth >= singular::DEPTH
                && ply < 2 * self.iteration
                && let Some(entry) = known
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && !is_mate_or_table(entry.score)
            {
                let bound = entry.score - singular::MARGIN * depth;
                self.frame(ply).excluded = mv;
                let score = self.search::<false>(board, bound - 1, bound, (depth - 1) / 2, ply, expected);
                self.frame(ply).excluded = Move::NONE;
                if self.aborted {
                    return 0;
                }
                if score < bound {
                    extension = 1;
                    if !PV
                        && score < bound - singular::DOUBLE
                        && self.frame(ply).double_extensions < singular::MOST_DOUBLE
                    {
                        extension = 2;
                    }
                } else if bound >= beta {
                    // Something else refutes too.
                    return bound;
                } else if entry.score >= beta {
                    extension = -1;
                }
            }

            // Step 15. Make the move; extend checks that lose nothing, and recaptures in the principal variation.
            let safe_check_worth = quiet || picker.stage() <= Stage::GoodNoisy;
            let child = self.enter(board, mv, ply);
            if extension == 0 && ply < 2 * self.iteration {
                let before = self.before(ply, 1);
                let recaptures =
                    PV && mv == table_move && !quiet && before.moved.is_some() && before.mv.to() == mv.to();
                let checks =
                    child.in_check() && (ply < self.iteration / 2 || safe_check_worth && board.see_at_least(mv, 0));
                extension = i32::from(checks || recaptures);
            }
            self.frame(ply + 1).double_extensions = self.frame(ply).double_extensions + u8::from(extension == 2);
            let below = depth - 1 + extension;

            // Step 16. Late moves are searched less deep, and again only if they surprise.
            let mut score = 0;
            let first = progress.met == 1;
            let mut full_null_window = !first || !PV;
            if depth >= reductions::DEPTH
                && progress.met > 1 + usize::from(PV)
                && (quiet || picker.stage() > Stage::GoodNoisy)
            {
                if quiet {
                    reduced -= 1024 * history / reductions::HISTORY;
                    reduced -= 1024 * i32::from(picker.stage() == Stage::Refutations);
                    reduced += 1024 * i32::from(table_is_noisy);
                } else {
                    reduced = reduced / 2 - 1024 * history / reductions::HISTORY;
                }
                reduced -= 1024 * i32::from(principal);
                reduced += 1536 * i32::from(expected == Expected::Cut);
                reduced += 512 * i32::from(!improving);
                reduced -= 1024 * i32::from(child.in_check());
                reduced -= 512 * i32::from(in_check);
                let shallow = (below - reduced / 1024).clamp(1.min(below), below);
                score = -self.search::<false>(
                    &child,
                    -progress.alpha - 1,
                    -progress.alpha,
                    shallow,
                    ply + 1,
                    Expected::Cut,
                );
                full_null_window = score > progress.alpha && shallow < below;
            }

            // Step 17. A null window: is it better at all? In the principal variation, how much better?
            if full_null_window && !self.aborted {
                let expected = expected.below();
                score = -self.search::<false>(&child, -progress.alpha - 1, -progress.alpha, below, ply + 1, expected);
            }
            if PV && !self.aborted && (first || score > progress.alpha) {
                score = -self.search::<true>(&child, -beta, -progress.alpha, below, ply + 1, Expected::All);
            }
            self.leave();
            if self.aborted {
                return 0;
            }

            // Step 18. A new best move, or a cut-off.
            if score > progress.best {
                progress.best = score;
                if score > progress.alpha {
                    progress.best_move = mv;
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.reward(board, mv, &progress, depth, ply);
                        break;
                    }
                    progress.alpha = score;
                }
            }
            if mv != progress.best_move {
                let _ = match quiet {
                    true => progress.quiets.try_push(mv),
                    false => progress.captures.try_push(mv),
                };
            }
        }

        // Step 19. Mate or stalemate.
        if progress.met == 0 {
            return match (excluded.is_none(), in_check) {
                (false, _) => alpha,
                (true, true) => mated_at(ply),
                (true, false) => DRAW,
            };
        }

        // Step 20. Remember.
        if excluded.is_none() {
            let bound = match progress.best {
                best if best >= beta => Bound::Lower,
                _ if PV && !progress.best_move.is_none() => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry {
                best: progress.best_move,
                score: progress.best,
                evaluation,
                depth,
                bound,
                principal,
            };
            self.shared.table.store(board.hash(), entry, ply);
        }
        progress.best
    }

    /// Passes; at great depth the cut-off is confirmed by a search without passing.
    fn null_move(
        &mut self,
        board: &Board,
        beta: i32,
        depth: i32,
        guess: i32,
        ply: usize,
        expected: Expected,
    ) -> Option<i32> {
        let reduction = null_move::REDUCTION + depth / 3 + ((guess - beta) / null_move::STEP).min(3);
        let frame = self.frame(ply);
        frame.moved = None;
        frame.mv = Move::NONE;
        self.hashes.push(board.hash());
        let child = board.after_null();
        let score = -self.search::<false>(&child, -beta, 1 - beta, depth - reduction, ply + 1, expected.below());
        self.leave();
        if self.aborted {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        // A mate found while passing is not proved.
        let score = if is_mate_or_table(score) { beta } else { score };
        // With a lone officer, having to move may be what loses.
        let least = match board.has_one_officer() {
            true => null_move::VERIFY_DEPTH_LONE,
            false => null_move::VERIFY_DEPTH,
        };
        if depth < least || self.null_from > 0 {
            return Some(score);
        }
        self.null_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let verified = self.search::<false>(board, beta - 1, beta, depth - reduction, ply, Expected::All);
        self.null_from = 0;
        (verified >= beta || self.aborted).then_some(score)
    }

    /// Tries captures that should end well above beta, by quiescence and then at a reduced depth.
    #[expect(clippy::too_many_arguments, reason = "the node's own state, passed once")]
    fn prob_cut(
        &mut self,
        board: &Board,
        beta: i32,
        depth: i32,
        evaluation: i32,
        known: Option<Entry>,
        ply: usize,
        expected: Expected,
    ) -> Option<i32> {
        let bound = beta + prob_cut::MARGIN;
        let shallow = depth - prob_cut::REDUCTION;
        if known.is_some_and(|entry| entry.depth > shallow && entry.score < bound) {
            return None;
        }
        let mut picker = Picker::noisy(
            board,
            known.map_or(Move::NONE, |entry| entry.best),
            (bound - evaluation).max(1),
        );
        while let Some(mv) = picker.next(board, self.history) {
            let child = self.enter(board, mv, ply);
            let mut score = -self.quiescence::<false>(&child, -bound, 1 - bound, ply + 1);
            if score >= bound {
                score = -self.search::<false>(&child, -bound, 1 - bound, shallow, ply + 1, expected.below());
            }
            self.leave();
            if self.aborted {
                return Some(0);
            }
            if score >= bound {
                let entry = Entry {
                    best: mv,
                    score,
                    evaluation,
                    depth: shallow + 1,
                    bound: Bound::Lower,
                    principal: false,
                };
                self.shared.table.store(board.hash(), entry, ply);
                return Some(score);
            }
        }
        None
    }

    /// A move cut off: history, killers and the counter move learn from it and from what failed before.
    fn reward(&mut self, board: &Board, mv: Move, progress: &Progress, depth: i32, ply: usize) {
        if board.is_noisy(mv) {
            self.history.update_capture(board, mv, bonus(depth));
        } else {
            self.reward_quiet(board, mv, &progress.quiets, depth, ply);
        }
        for &capture in &progress.captures {
            self.history.update_capture(board, capture, -bonus(depth));
        }
    }

    fn reward_quiet(&mut self, board: &Board, mv: Move, failed: &[Move], depth: i32, ply: usize) {
        let context = self.context(ply);
        let killers = &mut self.frame(ply).killers;
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        self.history.set_counter(board.turn(), context, mv);
        self.history.update_quiet(board, mv, context, bonus(depth));
        for &quiet in failed {
            self.history.update_quiet(board, quiet, context, -bonus(depth));
        }
    }

    fn probe_tables(&self, board: &Board, ply: usize, excluded: Move) -> Option<i32> {
        let tables = self.shared.settings.tables.as_deref()?;
        let score = excluded.is_none().then(|| tables.probe(board, ply)).flatten()?;
        self.shared.table_hits.fetch_add(1, Relaxed);
        Some(score)
    }
}

/// Fifty moves without progress; but a mate on the hundredth ply counts.
fn is_fifty_move_draw(board: &Board) -> bool {
    board.halfmoves() >= 100 && (!board.in_check() || !board.legal_moves().is_empty())
}

/// Whether a score from the tables ends the node whatever the window.
fn is_cut(score: i32, alpha: i32, beta: i32) -> bool {
    score >= beta || score <= alpha || score == DRAW
}
