//! The steps of a node's moves: one search goes through all of them, or several share them.

use arrayvec::ArrayVec;
use bluebelle_spec::Move;

use super::history::{Context, bonus};
use super::node::Expected;
use super::parameters::{exchange, futility, history_pruning, late_moves, reductions, singular};
use super::picker::{Picker, Stage};
use super::reductions::reduction;
use super::searcher::Searcher;
use super::team::Team;
use crate::board::Board;
use crate::score::{DRAW, LEAST_TABLE_WIN, is_mate_or_table, mated_at};
use crate::table::{Bound, Entry};

/// A node whose moves are searched.
pub(super) struct Node {
    pub(super) facts: Facts,
    picker: Picker,
    best: i32,
    pub(super) best_move: Move,
    alpha: i32,
    /// Legal moves met, pruned ones too.
    met: usize,
    /// Moves that were searched.
    searched: usize,
    /// The best move reaches beta.
    refuted: bool,
    quiets: ArrayVec<Move, 64>,
    captures: ArrayVec<Move, 32>,
}

/// What stays the same while the moves of a node are searched.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) depth: i32,
    pub(super) beta: i32,
    pub(super) ply: usize,
    pub(super) expected: Expected,
    pub(super) in_check: bool,
    pub(super) improving: bool,
    pub(super) principal: bool,
    pub(super) evaluation: i32,
    pub(super) known: Option<Entry>,
    pub(super) table_move: Move,
    pub(super) table_is_noisy: bool,
    pub(super) excluded: Move,
    pub(super) context: Context,
}

/// A move that is to be searched, and what is known of it.
pub(super) struct Trial {
    pub(super) mv: Move,
    alpha: i32,
    /// Its place among the moves met.
    number: usize,
    quiet: bool,
    stage: Stage,
    history: i32,
    reduced: i32,
    extension: i32,
}

/// What comes next in a node.
pub(super) enum Next {
    Move(Trial),
    /// There is no other move.
    End,
    /// The node has its value without one.
    Value(i32),
}

impl Node {
    #[inline]
    pub(super) fn new(facts: Facts, picker: Picker, alpha: i32) -> Node {
        Node {
            best: mated_at(facts.ply),
            facts,
            picker,
            best_move: Move::NONE,
            alpha,
            met: 0,
            searched: 0,
            refuted: false,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        }
    }

    /// The node as it is, to be shared or to be gone on with.
    pub(super) fn take(&mut self) -> Node {
        let none = Picker::new(Move::NONE, [Move::NONE; 2], Move::NONE, [None; 2]);
        let nothing = Node::new(self.facts, none, self.alpha);
        std::mem::replace(self, nothing)
    }

    /// Whether brothers are probably all searched: the first of them are known, and none refuted.
    #[inline]
    pub(super) fn is_all(&self) -> bool {
        match self.facts.expected {
            Expected::All => self.searched >= 1,
            Expected::Cut => self.searched >= 3,
        }
    }
}

impl<T: Team> Searcher<'_, T> {
    /// The value of a node by its moves.
    #[inline(always)]
    pub(super) fn search_moves<const PV: bool>(&mut self, board: &Board, node: &mut Node) -> i32 {
        loop {
            let trial = match self.next_move::<PV>(board, node) {
                Next::Move(trial) => trial,
                Next::End => break,
                Next::Value(value) => return value,
            };
            let score = self.try_move::<PV>(board, &node.facts, &trial);
            if self.aborted {
                return 0;
            }
            if self.note_move::<PV>(node, &trial, score) {
                break;
            }
            if T::SHARES && node.facts.excluded.is_none() && node.is_all() && self.team.wants_work(node.facts.depth) {
                self.share_moves::<PV>(board, node);
                if self.aborted {
                    return 0;
                }
                break;
            }
        }
        self.conclude::<PV>(board, node)
    }

    /// Steps 13 to 15: the next move that is worth a search.
    #[inline(always)]
    pub(super) fn next_move<const PV: bool>(&mut self, board: &Board, node: &mut Node) -> Next {
        let Facts {
            depth,
            beta,
            ply,
            in_check,
            improving,
            evaluation,
            known,
            table_move,
            excluded,
            ..
        } = node.facts;
        // Step 13. The moves, one by one.
        while let Some(mv) = node.picker.next(board, self.history) {
            if mv == excluded {
                continue;
            }
            node.met += 1;
            let quiet = !board.is_noisy(mv);
            let history = match quiet {
                true => self.history.quiet(board, mv, node.facts.context),
                false => self.history.capture(board, mv),
            };

            // Step 14. Prune what is late or loses, once something holds.
            let reduced = reduction(depth, node.met);
            let looks_at_all = ply == 1 && self.shared.settings.all_replies;
            let prunes =
                node.best > -LEAST_TABLE_WIN && node.alpha < LEAST_TABLE_WIN && board.has_officers() && !looks_at_all;
            if prunes && !board.gives_direct_check(mv) {
                let late_depth = (depth - reduced / 1024).max(0);
                if quiet {
                    let most = (late_moves::BASE + depth * depth) / if improving { 1 } else { 2 };
                    let is_late = depth <= late_moves::DEPTH && node.met as i32 > most;
                    let is_futile = !in_check
                        && late_depth <= futility::DEPTH
                        && evaluation + futility::MARGIN + futility::SLOPE * late_depth + history / 128 <= node.alpha;
                    let has_failed = late_depth <= history_pruning::DEPTH && history < history_pruning::SLOPE * depth;
                    if is_late || is_futile || has_failed {
                        node.picker.skip_quiets();
                        continue;
                    }
                    if late_depth <= exchange::DEPTH
                        && !board.see_at_least(mv, exchange::QUIET_SLOPE * late_depth * late_depth)
                    {
                        continue;
                    }
                } else if depth <= exchange::DEPTH
                    && node.picker.stage() > Stage::GoodNoisy
                    && !board.see_at_least(mv, exchange::CAPTURE_SLOPE * depth)
                {
                    continue;
                }
            }

            // Step 15. Extend the table's move if nothing else comes near it.
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
                let expected = node.facts.expected;
                let score = self.search::<false>(board, bound - 1, bound, (depth - 1) / 2, ply, expected);
                self.frame(ply).excluded = Move::NONE;
                if self.aborted {
                    return Next::Value(0);
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
                    return Next::Value(bound);
                } else if entry.score >= beta {
                    extension = -1;
                }
            }
            node.searched += 1;
            return Next::Move(Trial {
                mv,
                alpha: node.alpha,
                number: node.met,
                quiet,
                stage: node.picker.stage(),
                history,
                reduced,
                extension,
            });
        }
        Next::End
    }

    /// Steps 16 to 18: the score of a move.
    #[inline(always)]
    pub(super) fn try_move<const PV: bool>(&mut self, board: &Board, facts: &Facts, trial: &Trial) -> i32 {
        let Facts {
            depth, ply, expected, ..
        } = *facts;
        let Trial {
            mv,
            alpha,
            quiet,
            stage,
            mut extension,
            mut reduced,
            ..
        } = *trial;

        // Step 16. Make the move; extend checks that lose nothing, and recaptures in the principal variation.
        let safe_check_worth = quiet || stage <= Stage::GoodNoisy;
        let child = self.enter(board, mv, ply);
        if extension == 0 && ply < 2 * self.iteration {
            let before = self.before(ply, 1);
            let recaptures =
                PV && mv == facts.table_move && !quiet && before.moved.is_some() && before.mv.to() == mv.to();
            let checks =
                child.in_check() && (ply < self.iteration / 2 || safe_check_worth && board.see_at_least(mv, 0));
            extension = i32::from(checks || recaptures);
        }
        self.frame(ply + 1).double_extensions = self.frame(ply).double_extensions + u8::from(extension == 2);
        let below = depth - 1 + extension;

        // Step 17. Late moves are searched less deep, and again only if they surprise.
        let mut score = 0;
        let first = trial.number == 1;
        let mut full_null_window = !first || !PV;
        if depth >= reductions::DEPTH && trial.number > 1 + usize::from(PV) && (quiet || stage > Stage::GoodNoisy) {
            if quiet {
                reduced -= 1024 * trial.history / reductions::HISTORY;
                reduced -= 1024 * i32::from(stage == Stage::Refutations);
                reduced += 1024 * i32::from(facts.table_is_noisy);
            } else {
                reduced = reduced / 2 - 1024 * trial.history / reductions::HISTORY;
            }
            reduced -= 1024 * i32::from(facts.principal);
            reduced += 1536 * i32::from(expected == Expected::Cut);
            reduced += 512 * i32::from(!facts.improving);
            reduced -= 1024 * i32::from(child.in_check());
            reduced -= 512 * i32::from(facts.in_check);
            let shallow = (below - reduced / 1024).clamp(1.min(below), below);
            score = -self.search::<false>(&child, -alpha - 1, -alpha, shallow, ply + 1, Expected::Cut);
            full_null_window = score > alpha && shallow < below;
        }

        // Step 18. A null window: is it better at all? In the principal variation, how much better?
        if full_null_window && !self.aborted {
            score = -self.search::<false>(&child, -alpha - 1, -alpha, below, ply + 1, expected.below());
        }
        if PV && !self.aborted && (first || score > alpha) {
            score = -self.search::<true>(&child, -facts.beta, -alpha, below, ply + 1, Expected::All);
        }
        self.leave();
        score
    }

    /// Step 19. A new best move, or a refutation: then the node is done.
    #[inline(always)]
    pub(super) fn note_move<const PV: bool>(&mut self, node: &mut Node, trial: &Trial, score: i32) -> bool {
        if score > node.best {
            node.best = score;
            if score > node.alpha {
                node.best_move = trial.mv;
                if PV {
                    self.extend_line(node.facts.ply, trial.mv);
                }
                if score >= node.facts.beta {
                    node.refuted = true;
                    self.tally.refute(node.searched);
                    return true;
                }
                node.alpha = score;
            }
        }
        if trial.mv != node.best_move {
            let _ = match trial.quiet {
                true => node.quiets.try_push(trial.mv),
                false => node.captures.try_push(trial.mv),
            };
        }
        false
    }

    /// Steps 20 and 21: what the moves have come to.
    #[inline(always)]
    fn conclude<const PV: bool>(&mut self, board: &Board, node: &Node) -> i32 {
        let Facts { depth, ply, .. } = node.facts;
        if node.refuted {
            self.reward(board, node, depth, ply);
        }
        let excluded = !node.facts.excluded.is_none();

        // Step 20. Mate or stalemate.
        if node.met == 0 {
            return match (excluded, node.facts.in_check) {
                (true, _) => node.alpha,
                (false, true) => mated_at(ply),
                (false, false) => DRAW,
            };
        }

        // Step 21. Remember.
        if !excluded {
            let bound = match node.best {
                best if best >= node.facts.beta => Bound::Lower,
                _ if PV && !node.best_move.is_none() => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry {
                best: node.best_move,
                score: node.best,
                evaluation: node.facts.evaluation,
                depth,
                bound,
                principal: node.facts.principal,
            };
            self.shared.table.store(board.hash(), entry, ply);
        }
        node.best
    }

    /// A move refuted the node: history, killers and the counter move learn from it and from what failed before.
    fn reward(&mut self, board: &Board, node: &Node, depth: i32, ply: usize) {
        let mv = node.best_move;
        if board.is_noisy(mv) {
            self.history.update_capture(board, mv, bonus(depth));
        } else {
            self.reward_quiet(board, mv, &node.quiets, depth, ply);
        }
        for &capture in &node.captures {
            self.history.update_capture(board, capture, -bonus(depth));
        }
    }
}
