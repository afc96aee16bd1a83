//! The steps of every node between the root and quiescence.

use std::sync::atomic::Ordering::Relaxed;

use bluebelle_spec::Move;

use super::history::bonus;
use super::moves::{Facts, Node};
use super::parameters::{internal_reduction, null_move, prob_cut, razoring, reverse_futility};
use super::picker::Picker;
use super::searcher::{EMPTY_FRAME, Frame, Searcher};
use super::team::{Answered, Asked, Heard, Team};
use crate::board::Board;
use crate::draws::{Draws, shade};
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
    pub(super) const fn below(self) -> Expected {
        match self {
            Expected::All => Expected::Cut,
            Expected::Cut => Expected::All,
        }
    }
}

impl<T: Team> Searcher<'_, T> {
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
        self.tally.looks += u64::from(excluded.is_none());
        self.tally.found += u64::from(known.is_some());
        let mut table_move = known.map_or(Move::NONE, |entry| entry.best);
        if T::SHARES && (PV || T::HINTS) && table_move.is_none() && excluded.is_none() && self.team.may_ask(depth) {
            let hint = self.team.hint(board);
            self.nodes += self.team.waited();
            if board.is_legal(hint) {
                table_move = hint;
            }
        }
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
            self.tally.answered += 1;
            return entry.score;
        }

        // Step 5. What the endgame tables know.
        if let Some(score) = self.probe_tables(board, ply, excluded) {
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
        *self.frame(ply + 1) = Frame {
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

        let prunes = !PV && !in_check && excluded.is_none();
        if prunes {
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
        }

        // Step 9. Somebody else may answer: a board.
        if T::SHARES && !PV && excluded.is_none() && ply != self.asked_at && self.team.may_ask(depth) {
            let answer = self.ask(board, beta, depth, ply, expected);
            if let Some(score) = answer.or(self.aborted.then_some(0)) {
                return score;
            }
        }

        if prunes {
            // Step 10. Null move: pass, and still above beta? Not twice in a row, and not where passing would be best.
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

            // Step 11. ProbCut: a capture that refutes with room to spare.
            if depth >= prob_cut::DEPTH
                && !is_mate_or_table(beta)
                && let Some(score) = self.prob_cut(board, beta, depth, evaluation, known, ply, expected)
            {
                return score;
            }
        }

        // Step 12. Internal reduction: without a table move, first find one at less cost.
        if depth >= internal_reduction::DEPTH
            && table_move.is_none()
            && excluded.is_none()
            && (PV || expected == Expected::Cut)
        {
            depth -= 1;
        }

        // Steps 13 to 21. The moves.
        let context = self.context(ply);
        let counter = self.history.counter(board.turn(), context);
        let picker = Picker::new(table_move, self.frame(ply).killers, counter, context);
        let facts = Facts {
            depth,
            beta,
            ply,
            expected,
            in_check,
            improving,
            principal,
            evaluation,
            known,
            table_move,
            table_is_noisy: !table_move.is_none() && board.is_noisy(table_move),
            excluded,
            context,
        };
        let mut node = Node::new(facts, picker, alpha);
        self.search_moves::<PV>(board, &mut node)
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

    pub(super) fn reward_quiet(&mut self, board: &Board, mv: Move, failed: &[Move], depth: i32, ply: usize) {
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

    /// Asks whether a node is worth so much. `None` if it must be searched to know.
    fn ask(&mut self, board: &Board, beta: i32, depth: i32, ply: usize, expected: Expected) -> Option<i32> {
        // Boards know neither what the game has been nor wins that count plies.
        let near_fifty = i32::from(board.halfmoves()) + depth > 90;
        if near_fifty || is_mate_or_table(beta) || is_mate_or_table(beta - 1) {
            return None;
        }
        self.tell_nodes();
        let heard = self.team.ask(Asked { board, depth, beta });
        self.nodes += self.team.waited();
        self.mind_the_others();
        let answered = match heard {
            _ if self.aborted => return None,
            Heard::Answer(answered) => answered,
            Heard::Nothing => return None,
            Heard::Race(race) => {
                let asked_before = std::mem::replace(&mut self.asked_at, ply);
                let score = self.search::<false>(board, beta - 1, beta, depth, ply, expected);
                self.asked_at = asked_before;
                self.tell_nodes();
                let answer = self.team.settle(race);
                if !self.aborted {
                    return Some(score);
                }
                // The answer may be what has ended the search here, and not the search above.
                self.aborted = false;
                self.mind_the_others();
                answer.filter(|_| !self.aborted)?
            }
        };
        let Answered { holds, best, worth } = answered;
        let (score, bound) = if holds {
            (beta, Bound::Lower)
        } else {
            (beta - 1, Bound::Upper)
        };
        let entry = Entry {
            best,
            score,
            evaluation: self.frame(ply).evaluation,
            depth: worth,
            bound,
            principal: false,
        };
        self.shared.table.store(board.hash(), entry, ply);
        if holds && !best.is_none() && !board.is_noisy(best) {
            self.reward_quiet(board, best, &[], depth, ply);
        }
        Some(score)
    }

    fn probe_tables(&self, board: &Board, ply: usize, excluded: Move) -> Option<i32> {
        let tables = self.shared.settings.tables.as_deref()?;
        let score = excluded.is_none().then(|| tables.probe(board, ply)).flatten()?;
        self.shared.signals.table_hits.fetch_add(1, Relaxed);
        if score != DRAW || self.shared.settings.draws == Draws::Plain {
            return Some(score);
        }
        // A draw is worth what the root's side makes of it.
        let side = if board.turn() == self.root.turn() { 1 } else { -1 };
        Some(side * shade(side * self.evaluate(board)))
    }
}

/// Fifty moves without progress; but a mate on the hundredth ply counts.
fn is_fifty_move_draw(board: &Board) -> bool {
    board.halfmoves() >= 100 && (!board.in_check() || !board.legal_moves().is_empty())
}
