//! The steps of every node between the root and the leaves, and of its moves.

use std::cell::Cell;

use bluebelle_spec::Move;
use futures_util::StreamExt;
use futures_util::future::{Either, LocalBoxFuture, Ready, ready};
use futures_util::stream::FuturesUnordered;

use super::leaf::{Asked, for_job};
use super::moves::{Failed, Held, Plan};
use super::tree::Tree;
use super::visit::{Found, Open, Step, Visit};
use crate::score::{DRAW, LEAST_TABLE_WIN, is_mate_or_table, mated_at};
use crate::search::history::bonus;
use crate::search::parameters::{internal_reduction, null_move, reverse_futility};
use crate::table::{Bound, Entry, NO_EVALUATION};

/// The most children in one batch: a cut-off by one of them wastes the others.
const MOST_IN_BATCH: usize = 16;

/// Moves tried at once where one of the first is expected to refute.
const CUT_WIDTH: usize = 3;

/// Moves that are being searched beside each other.
pub(super) type Flying<'f> = FuturesUnordered<LocalBoxFuture<'f, Tried>>;

/// What became of a move.
pub(super) struct Tried {
    pub(super) mv: Move,
    pub(super) quiet: bool,
    pub(super) found: Found,
}

impl Tree<'_> {
    /// The value of a position for the side to move. Most are known, or small enough to be searched at once: they need no future.
    pub(super) fn search<'f>(&'f self, visit: Visit<'f>) -> Either<Ready<Found>, LocalBoxFuture<'f, Found>> {
        // Step 1. Draws, mate distance, the table.
        let open = match self.known(&visit) {
            Ok(open) => open,
            Err(score) => return Either::Left(ready(Found::score(score))),
        };

        // Step 2. Dispatch the leaf. One that is too large for a job is searched here, by smaller jobs.
        let question = for_job(open.beta, visit.ply);
        if !self.is_leaf(visit.depth, question) {
            return Either::Right(Box::pin(self.node(visit, open)));
        }
        if !self.is_tried(visit.depth, question) || !open.is_null_window() {
            return Either::Right(Box::pin(self.leaf_or_node(visit, open)));
        }
        if self.turn.is_over() {
            return Either::Right(Box::pin(self.leaf_in_another_turn(visit, open)));
        }
        match self.try_leaf(&visit, open.beta) {
            Some(score) => Either::Left(ready(Found::score(score))),
            None => Either::Right(Box::pin(self.leaf_or_node(visit, open))),
        }
    }

    async fn leaf_in_another_turn(&self, visit: Visit<'_>, open: Open) -> Found {
        self.turn.another().await;
        match self.try_leaf(&visit, open.beta) {
            Some(score) => Found::score(score),
            None => self.leaf_or_node(visit, open).await,
        }
    }

    async fn leaf_or_node(&self, visit: Visit<'_>, open: Open) -> Found {
        if !open.is_null_window() {
            if let Some(found) = self.leaf(&visit, &open).await {
                return found;
            }
        } else if let Some(asked) = self.ask_leaf(&visit, open) {
            return self.hear_or_split(asked, visit).await;
        }
        Box::pin(self.node(visit.no_leaf(), open)).await
    }

    pub(super) async fn node(&self, visit: Visit<'_>, open: Open) -> Found {
        let Open { alpha, beta, entry, .. } = open;
        let Visit {
            board,
            ply,
            principal,
            mut depth,
            ..
        } = visit;

        // Step 3. Count the node; the static evaluation, and a better guess if the table has one.
        self.turn.visit().await;
        self.count_node();
        let in_check = board.in_check();
        let (mut evaluation, mut guess) = (NO_EVALUATION, NO_EVALUATION);
        if !in_check {
            evaluation = match open.evaluation {
                NO_EVALUATION => self.evaluate(board),
                evaluation => evaluation,
            };
            guess = match entry {
                Some(entry) if entry.bound == Bound::Exact => entry.score,
                Some(entry) if entry.bound == Bound::Lower && entry.score > evaluation => entry.score,
                Some(entry) if entry.bound == Bound::Upper && entry.score < evaluation => entry.score,
                _ => evaluation,
            };
        }
        let improving = !in_check && visit.step.improving(evaluation);
        let selective = self.style.selective;
        if selective && !principal && !in_check && visit.excluded.is_none() {
            // Step 4. Reverse futility: so good that the opponent has no way back.
            if depth <= reverse_futility::DEPTH && !is_mate_or_table(guess) && !is_mate_or_table(beta) {
                let margin = reverse_futility::SLOPE * depth - reverse_futility::IMPROVING * i32::from(improving);
                if guess - margin >= beta {
                    return Found::score((guess + beta) / 2);
                }
            }

            // Step 5. Null move: pass, and still above beta? Not twice in a row, and not where passing would be best.
            if depth >= null_move::DEPTH
                && guess >= beta
                && evaluation >= beta - null_move::EVALUATION_SLOPE * depth + null_move::EVALUATION_MARGIN
                && visit.step.moved.is_some()
                && board.has_officers()
                && beta > -LEAST_TABLE_WIN
            {
                let score = self.null_move(&visit, beta, depth, guess, evaluation).await;
                if score >= beta {
                    return Found::score(if is_mate_or_table(score) { beta } else { score });
                }
            }
        }

        // Step 6. Internal reduction: without a table move, first find one at less cost.
        let table_move = entry.map_or(Move::NONE, |entry| entry.best);
        let poor = table_move.is_none() && visit.excluded.is_none() && (principal || visit.cut);
        if selective && poor && depth >= internal_reduction::DEPTH && !self.is_leaf(depth - 1, for_job(beta, ply)) {
            depth -= 1;
        }

        // Step 7. Extend the table's move if nothing else comes near it.
        let visit = Visit {
            alpha,
            beta,
            depth,
            ..visit
        };
        let extension = match self.extension(&visit, entry, evaluation).await {
            Ok(extension) => extension,
            Err(bound) => return Found::score(bound),
        };

        // Step 8. The first move, alone, where it tells what the others must beat. In a null window all have the same to beat.
        let moves = Held::new(self, &visit, table_move, extension, evaluation, improving);
        let mut progress = Progress::new(&visit);
        let alpha_now = Cell::new(alpha);
        if self.is_eager(&visit) {
            // Hopeless moves are left out only once something holds: it is expected that something will.
            moves.get().expect_to_hold();
        } else {
            let first = moves.get().next(self, &visit, progress.best, alpha);
            if let Some(plan) = first {
                let found = self.first(&visit, &plan, evaluation).await;
                let tried = Tried::new(&plan, found);
                progress.hear(self, &visit, &alpha_now, &mut moves.get().failed, tried);
            }
        }

        // Step 9. Its brothers, as many at once as there is room for; a cut-off drops, and so aborts, the rest.
        let mut flying = FuturesUnordered::new();
        while !progress.is_cut {
            self.launch_brothers(&visit, &moves, &mut progress, &alpha_now, evaluation, &flying);
            if progress.is_cut {
                break;
            }
            let Some(tried) = flying.next().await else { break };
            progress.hear(self, &visit, &alpha_now, &mut moves.get().failed, tried);
        }
        drop(flying);

        // Step 10. Mate or stalemate.
        if moves.get().met == 0 {
            return Found::score(match (visit.excluded.is_none(), in_check) {
                (false, _) => alpha,
                (true, true) => mated_at(ply),
                (true, false) => DRAW,
            });
        }

        // Step 11. Remember, but not what is worth less without its best move.
        let bound = match progress.best {
            best if best >= beta => Bound::Lower,
            _ if principal && !progress.best_move.is_none() => Bound::Exact,
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
        if visit.excluded.is_none() {
            self.store(board, entry, ply);
        }
        Found {
            score: progress.best,
            line: progress.line,
        }
    }

    /// Whether all moves of a node are tried at once.
    fn is_eager(&self, visit: &Visit<'_>) -> bool {
        self.style.concurrent && self.style.selective && !visit.principal
    }

    /// Sends out as many moves as there is room for, and at least one if there is one and none is out. Those that are known, or
    /// small enough to be searched at once, need not be sent out.
    fn launch_brothers<'f>(
        &'f self,
        visit: &Visit<'f>,
        moves: &Held<'_>,
        progress: &mut Progress,
        alpha: &'f Cell<i32>,
        evaluation: i32,
        flying: &Flying<'f>,
    ) {
        let mut moves = moves.get();
        let most = match visit.cut && self.is_eager(visit) {
            true => CUT_WIDTH,
            false => usize::MAX,
        };
        let mut group: Vec<Plan> = Vec::new();
        while flying.is_empty() && group.is_empty() || self.has_room() && flying.len() + group.len() < most {
            let Some(plan) = moves.next(self, visit, progress.best, alpha.get()) else {
                break;
            };
            let question = for_job(-alpha.get(), visit.ply + 1);
            let leaf = self.is_leaf(plan.shallow, question);
            if leaf && self.is_tried(plan.shallow, question) {
                if self.turn.is_over() {
                    flying.push(self.brother(*visit, plan, alpha, evaluation, None));
                    break;
                }
                match self.settle(visit, &plan, alpha.get(), evaluation) {
                    Settled::By(found) => {
                        progress.hear(self, visit, alpha, &mut moves.failed, Tried::new(&plan, found));
                        if progress.is_cut {
                            return;
                        }
                        continue;
                    }
                    // Alone, and at once: its brothers may take a while.
                    Settled::NotYet { asks } => {
                        self.launch(visit, &mut group, alpha, evaluation, flying);
                        let children = asks.iter().map(|_| plan.mv).collect();
                        let answer = self.submit(visit.board, children, plan.shallow.max(0), question).pop();
                        let asked = Asked::new(answer, question, asks);
                        flying.push(self.brother(*visit, plan, alpha, evaluation, asked));
                        continue;
                    }
                }
            }
            let fits = group.first().is_none_or(|first| first.shallow == plan.shallow);
            if !(leaf && fits && group.len() < MOST_IN_BATCH) {
                self.launch(visit, &mut group, alpha, evaluation, flying);
            }
            match leaf {
                true => group.push(plan),
                false => flying.push(self.brother(*visit, plan, alpha, evaluation, None)),
            }
        }
        self.launch(visit, &mut group, alpha, evaluation, flying);
    }

    /// What becomes of a move whose leaf is tried here.
    fn settle(&self, visit: &Visit<'_>, plan: &Plan, alpha: i32, evaluation: i32) -> Settled {
        let step = visit.step_by(plan.mv, evaluation);
        let child = visit.child(&plan.child, &step, (alpha, alpha + 1), plan.shallow, false);
        let score = match self.known(&child) {
            Err(score) => score,
            Ok(open) => match self.try_leaf(&child, open.beta) {
                Some(score) => score,
                None => {
                    let tried_out = self.is_tried_out(plan.shallow, for_job(open.beta, child.ply));
                    let asks = (!tried_out).then_some(open);
                    return Settled::NotYet { asks };
                }
            },
        };
        // What holds must be looked at more deeply, or for its value.
        match -score > alpha && (plan.shallow < plan.below || visit.principal) {
            true => Settled::NotYet { asks: None },
            false => Settled::By(Found::score(-score)),
        }
    }

    /// The first of a node's moves, in the whole window.
    pub(super) async fn first(&self, visit: &Visit<'_>, plan: &Plan, evaluation: i32) -> Found {
        let step = visit.step_by(plan.mv, evaluation);
        let window = (visit.alpha, visit.beta);
        let child = visit.child(&plan.child, &step, window, plan.below, visit.principal);
        self.search(child).await.after(plan.mv, visit.principal)
    }

    /// Passes, and searches less deep.
    async fn null_move(&self, visit: &Visit<'_>, beta: i32, depth: i32, guess: i32, evaluation: i32) -> i32 {
        let reduction = null_move::REDUCTION + depth / 3 + ((guess - beta) / null_move::STEP).min(3);
        let board = visit.board.after_null();
        let step = Step {
            before: Some(visit.step),
            hash: visit.board.hash(),
            moved: None,
            evaluation,
        };
        let child = visit.child(&board, &step, (beta - 1, beta), depth - reduction, false);
        -self.search(child).await.score
    }

    /// Brothers whose first question is a leaf's: those that need asking go out as one batch.
    pub(super) fn launch<'f>(
        &'f self,
        visit: &Visit<'f>,
        plans: &mut Vec<Plan>,
        alpha: &'f Cell<i32>,
        evaluation: i32,
        flying: &Flying<'f>,
    ) {
        let Some(first) = plans.first() else { return };
        let depth = first.shallow.max(0);
        let question = for_job(-alpha.get(), visit.ply + 1);
        let window = (alpha.get(), alpha.get() + 1);
        self.table.warm(plans.iter().map(|plan| plan.child.hash()));
        let mut children = Vec::with_capacity(plans.len());
        for plan in plans.iter_mut() {
            let step = visit.step_by(plan.mv, evaluation);
            let known = self.known(&visit.child(&plan.child, &step, window, plan.shallow, false));
            plan.asks = known.ok().filter(|_| !self.is_tried(depth, question));
            if plan.asks.is_some() {
                children.push(plan.mv);
            }
        }
        let mut answers = self.submit(visit.board, children, depth, question).into_iter();
        for plan in plans.drain(..) {
            let answer = plan.asks.and_then(|_| answers.next());
            let asked = Asked::new(answer, question, plan.asks);
            flying.push(self.brother(*visit, plan, alpha, evaluation, asked));
        }
    }

    /// A move that must show that it is better than the best so far: in a null window, perhaps less deep at first; then, in
    /// the principal variation, how much better. `asked` is the first question, if it is on its way already.
    pub(super) fn brother<'f>(
        &'f self,
        visit: Visit<'f>,
        plan: Plan,
        best: &'f Cell<i32>,
        evaluation: i32,
        asked: Option<Asked>,
    ) -> LocalBoxFuture<'f, Tried> {
        // Both as they are now, and not when the future is first polled.
        let (branch, mut alpha) = (self.branch(), best.get());
        Box::pin(async move {
            let _branch = branch;
            let step = visit.step_by(plan.mv, evaluation);
            // A move that is searched less deep is expected to be refuted.
            let child = |window, depth, principal| {
                let child = visit.child(&plan.child, &step, window, depth, principal);
                Visit {
                    cut: child.cut || depth < plan.below,
                    doubles: plan.doubles,
                    ..child
                }
            };
            let shallow = child((alpha, alpha + 1), plan.shallow, false);
            let found = match asked {
                Some(asked) => self.hear_or_split(asked, shallow).await,
                None => self.search(shallow).await,
            };
            let mut score = -found.score;
            if score > alpha && plan.shallow < plan.below {
                alpha = best.get();
                score = -self.search(child((alpha, alpha + 1), plan.below, false)).await.score;
            }
            let mut found = Found::score(score);
            // Another may have come first, and be better than this one can be.
            if visit.principal && score > alpha && best.get() < visit.beta {
                let window = (best.get(), visit.beta);
                found = self.search(child(window, plan.below, true)).await.after(plan.mv, true);
            }
            Tried::new(&plan, found)
        })
    }
}

impl Tried {
    pub(super) fn new(plan: &Plan, found: Found) -> Tried {
        Tried {
            mv: plan.mv,
            quiet: plan.quiet,
            found,
        }
    }
}

/// Whether a move needs waiting for.
enum Settled {
    By(Found),
    /// It does, and if something is open that a job can tell, one is asked.
    NotYet {
        asks: Option<Open>,
    },
}

/// What the moves of a node have shown so far.
struct Progress {
    best: i32,
    best_move: Move,
    line: Vec<Move>,
    is_cut: bool,
}

impl Progress {
    fn new(visit: &Visit<'_>) -> Progress {
        Progress {
            best: mated_at(visit.ply),
            best_move: Move::NONE,
            line: Vec::new(),
            is_cut: false,
        }
    }

    fn hear(&mut self, tree: &Tree<'_>, visit: &Visit<'_>, alpha: &Cell<i32>, failed: &mut Failed, tried: Tried) {
        let Tried { mv, quiet, found } = tried;
        if found.score > self.best {
            self.best = found.score;
            if found.score > alpha.get() {
                alpha.set(found.score);
                self.best_move = mv;
                self.line = found.line;
                self.is_cut = found.score >= visit.beta;
                if self.is_cut {
                    reward(tree, visit, mv, quiet, failed);
                    return;
                }
            }
        }
        match quiet {
            true => failed.quiets.push(mv),
            false => failed.captures.push(mv),
        }
    }
}

/// A move cut off: history, killers and the counter move learn from it and from what failed before.
fn reward(tree: &Tree<'_>, visit: &Visit<'_>, mv: Move, quiet: bool, failed: &Failed) {
    let (board, context, depth) = (visit.board, visit.step.context(), visit.depth);
    let mut history = tree.history.borrow_mut();
    if quiet {
        tree.set_killer(visit.ply, mv);
        history.set_counter(board.turn(), context, mv);
        history.update_quiet(board, mv, context, bonus(depth));
        for &mv in &failed.quiets {
            history.update_quiet(board, mv, context, -bonus(depth));
        }
    } else {
        history.update_capture(board, mv, bonus(depth));
    }
    for &mv in &failed.captures {
        history.update_capture(board, mv, -bonus(depth));
    }
}
