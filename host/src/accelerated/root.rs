//! Iterative deepening over an upper tree: the root's moves, windows, lines, and when it is enough.

use std::cell::{Cell, RefCell};

use bluebelle_spec::Move;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::leaf::for_job;
use super::moves::Plan;
use super::node::Tried;
use super::pacing::{Alarm, Pacing};
use super::tree::Tree;
use super::visit::{Found, Visit};
use super::{Lead, Timekeeper};
use crate::board::Board;
use crate::limits::{Budget, Limits};
use crate::report::{Line, Listener};
use crate::score::{INFINITE, MATE, MAX_PLY, is_mate};
use crate::search::parameters::{aspiration, narrowing, reductions};
use crate::search::{Settings, reduction};
use crate::table::{Bound, Entry, NO_EVALUATION};

/// One search from iteration to iteration. What it has found outlives the future that was looking for more.
pub(super) struct Deepening<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) board: &'a Board,
    pub(super) limits: &'a Limits,
    pub(super) settings: &'a Settings,
    pub(super) budget: Budget,
    pub(super) time: &'a dyn Timekeeper,
    pub(super) listener: &'a dyn Listener,
    /// What the endgame tables say of the root.
    known: Option<i32>,
    /// Who leads, if this search scouts.
    lead: Option<&'a Lead>,
    moves: RefCell<Vec<RootMove>>,
    lines: RefCell<Vec<Line>>,
}

/// A legal move at the root.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// This iteration's score, or minus infinity if it was not better than another.
    score: i32,
    previous: i32,
    bound: Bound,
    line: Vec<Move>,
}

impl<'a> Deepening<'a> {
    pub(super) fn new(
        mut tree: Tree<'a>,
        board: &'a Board,
        limits: &'a Limits,
        settings: &'a Settings,
        time: &'a dyn Timekeeper,
        listener: &'a dyn Listener,
        lead: Option<&'a Lead>,
    ) -> Deepening<'a> {
        let budget = Budget::new(limits, settings.overhead);
        tree.alarm = Some(Alarm {
            time,
            maximum: budget.maximum,
        });
        tree.tables = settings.tables.as_deref();
        let known = tree.tables.and_then(|tables| tables.probe_root(board, tree.evaluator));
        let wanted = |mv: &Move| limits.searchmoves.is_empty() || limits.searchmoves.contains(mv);
        let legal = board.legal_moves();
        let moves = legal.iter().map(|scored| scored.mv).filter(wanted);
        let mut moves: Vec<RootMove> = moves
            .map(|mv| RootMove {
                mv,
                score: -INFINITE,
                previous: -INFINITE,
                bound: Bound::Exact,
                line: vec![mv],
            })
            .collect();
        // What keeps the value that the tables promise, unless the user wants to see other moves.
        if let Some((keeping, _)) = &known
            && moves.iter().any(|root_move| keeping.contains(&root_move.mv))
        {
            moves.retain(|root_move| keeping.contains(&root_move.mv));
            tree.table_hits.set(keeping.len() as u64);
        }
        Deepening {
            tree,
            board,
            limits,
            settings,
            budget,
            time,
            listener,
            known: known.map(|(_, score)| score),
            lead,
            moves: RefCell::new(moves),
            lines: RefCell::new(Vec::new()),
        }
    }

    /// Iterations until a limit says so. It may be dropped at any time.
    pub(super) async fn run(&self) {
        let count = self.count();
        if count == 0 {
            return;
        }
        let depth = self
            .limits
            .depth
            .map_or(MAX_PLY as u32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1));
        let mut pacing = Pacing::default();
        let mut next = 1;
        while next <= depth as i32 {
            self.iterate(next, count).await;
            if self.is_enough(&mut pacing, next) {
                return;
            }
            // What a leader has done needs no scout.
            next = self.lead.map_or(next, |lead| lead.depth().max(next)) + 1;
        }
    }

    /// What is to be told in the end; `interrupted` if [`Deepening::run`] was.
    pub(super) fn lines(&self, interrupted: bool) -> Vec<Line> {
        let count = self.count();
        if count == 0 {
            return Vec::new();
        }
        let mut lines = self.lines.borrow().clone();
        if interrupted || lines.is_empty() {
            // What the last iteration changed before it was cut short.
            self.sort_from(0);
            let depth = lines.first().map_or(1, |line| line.depth + 1);
            let line = self.line(0, depth, count);
            if lines
                .first()
                .is_none_or(|first| first.moves.first() != line.moves.first())
            {
                self.listener.line(&line);
                lines.retain(|other| other.moves.first() != line.moves.first());
                lines.insert(0, line);
                lines.truncate(count);
            }
        }
        lines
    }

    /// How many lines are told.
    fn count(&self) -> usize {
        let moves = self.moves.borrow().len();
        self.settings.multipv.clamp(1, moves.max(1)).min(moves)
    }

    async fn iterate(&self, depth: i32, count: usize) {
        let tree = &self.tree;
        tree.choose_leaves(depth, self.lead.is_some());
        tree.iteration.set(depth as usize);
        tree.seldepth.set(0);
        for root_move in self.moves.borrow_mut().iter_mut() {
            root_move.previous = root_move.score;
            root_move.score = -INFINITE;
        }
        match tree.style.selective && count == 1 {
            true => self.narrow(depth).await,
            false => {
                for first in 0..count {
                    self.aspirate(first, depth).await;
                }
            }
        }
        // A clock that charges the host turn by turn knows of this one only when it ends.
        tokio::task::yield_now().await;
        self.moves.borrow_mut()[..count].sort_by_key(|root_move| -root_move.score);
        let lines: Vec<Line> = (0..count).map(|index| self.line(index, depth, count)).collect();
        for line in &lines {
            self.listener.line(line);
        }
        *self.lines.borrow_mut() = lines;
    }

    /// A narrow window around the last score, wider each time that the value lies outside.
    async fn aspirate(&self, first: usize, depth: i32) {
        let expected = self.moves.borrow()[first].previous;
        let mut half = aspiration::WINDOW + expected.abs().min(2000) / 100;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= aspiration::DEPTH && expected > -INFINITE && !is_mate(expected) {
            (alpha, beta) = (expected - half, expected + half);
        }
        loop {
            let score = self.search_root(first, alpha, beta, depth).await;
            self.sort_from(first);
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (score - half).max(-INFINITE);
            } else if score >= beta && beta < INFINITE {
                beta = (score + half).min(INFINITE);
            } else {
                return;
            }
            half += half / 2 + 4;
            if half > 600 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// The value by null windows alone, as coarse as [`narrowing::GRAIN`]. There is then no principal variation, whose nodes
    /// wait for their first move one after the other while all boards are idle.
    async fn narrow(&self, depth: i32) {
        let tree = &self.tree;
        let evaluation = match self.board.in_check() {
            true => NO_EVALUATION,
            false => tree.evaluate(self.board),
        };
        let led = self.lead.and_then(Lead::score);
        let guess = match (led, self.moves.borrow()[0].previous) {
            (Some(score), _) => score,
            (None, previous) if previous > -INFINITE => previous,
            _ if evaluation == NO_EVALUATION => 0,
            _ => evaluation,
        };
        // What the leader will ask of all but its best move: is it better by anything?
        let first_step = if led.is_some() { 1 } else { narrowing::STEP };
        let (mut low, mut high) = (-INFINITE, INFINITE);
        let (mut beta, mut step) = (guess.clamp(1 - INFINITE, INFINITE), first_step);
        // Which mate it is matters.
        let grain = |low, high| match is_mate(low) || is_mate(high) && high < INFINITE {
            true => 1,
            false => narrowing::GRAIN,
        };
        while high - low >= grain(low, high) {
            let (score, best) = self.is_worth(beta, depth, beta <= guess, evaluation).await;
            if let Some(lead) = self.lead {
                lead.scouted(tree.nodes.get());
            }
            match best {
                Some((mv, line)) => {
                    low = score.max(beta);
                    self.prefer(mv, line, low);
                }
                None => high = score.min(beta - 1),
            }
            beta = match (low > -INFINITE, high < INFINITE) {
                (true, true) => low + (high - low + 1) / 2,
                (true, false) => low + step,
                (false, _) => high + 1 - step,
            };
            // Mates are far away, and their values close together.
            step = match is_mate(beta) {
                true => 2 * INFINITE,
                false => step * 2,
            };
            // Nothing new is learnt outside; and a search that contradicts itself has said enough.
            beta = beta.max(low + 1).min(high);
        }
        let mut moves = self.moves.borrow_mut();
        for root_move in moves.iter_mut() {
            root_move.score = -INFINITE;
        }
        moves[0].score = if low > -INFINITE { low } else { high };
        moves[0].bound = Bound::Exact;
    }

    /// Whether the root is worth at least `beta`: a bound, and the move that shows it.
    async fn is_worth(
        &self,
        beta: i32,
        depth: i32,
        expected: bool,
        evaluation: i32,
    ) -> (i32, Option<(Move, Vec<Move>)>) {
        let visit = Visit::root(self.board, (beta - 1, beta), depth, false, expected);
        let alpha_now = Cell::new(beta - 1);
        let mut best = -INFINITE;
        let mut shown = None;
        self.try_moves(&visit, 0, evaluation, &alpha_now, |tried, _| {
            best = best.max(tried.found.score);
            if tried.found.score >= beta {
                shown = Some(tried.mv);
            }
            shown.is_some()
        })
        .await;
        let entry = Entry {
            best: shown.unwrap_or(Move::NONE),
            score: best,
            evaluation,
            depth,
            bound: if shown.is_some() { Bound::Lower } else { Bound::Upper },
            principal: true,
        };
        self.tree.store(self.board, entry, 0);
        (
            best,
            shown.map(|mv| (mv, self.tree.line_from(self.board, mv, depth as usize))),
        )
    }

    /// A move has shown what it is worth: it is the first from now on.
    fn prefer(&self, mv: Move, line: Vec<Move>, score: i32) {
        let mut moves = self.moves.borrow_mut();
        if let Some(place) = moves.iter().position(|root_move| root_move.mv == mv) {
            moves[..=place].rotate_right(1);
            moves[0].line = line;
            moves[0].score = score;
            moves[0].bound = Bound::Lower;
        }
    }

    /// Searches the root moves from the `first` on (those before have their lines already) in a window.
    async fn search_root(&self, first: usize, alpha: i32, beta: i32, depth: i32) -> i32 {
        let (tree, board) = (&self.tree, self.board);
        let evaluation = match board.in_check() {
            true => NO_EVALUATION,
            false => tree.evaluate(board),
        };
        let visit = Visit::root(board, (alpha, beta), depth, true, false);
        let alpha_now = Cell::new(alpha);
        let best = Cell::new(-INFINITE);
        self.try_moves(&visit, first, evaluation, &alpha_now, |tried, is_first| {
            self.hear(tried.mv, tried.found, is_first, &alpha_now, beta, &best);
            best.get() >= beta
        })
        .await;
        let best = best.get();
        if first == 0 {
            let best_move = self
                .moves
                .borrow()
                .iter()
                .max_by_key(|root_move| root_move.score)
                .map(|root| root.mv);
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if best <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let entry = Entry {
                best: best_move.filter(|_| bound != Bound::Upper).unwrap_or(Move::NONE),
                score: best,
                evaluation,
                depth,
                bound,
                principal: true,
            };
            tree.store(board, entry, 0);
        }
        best
    }

    /// Tries the root moves from the `first` on until `hear` has heard enough: the first one alone if it is expected to tell what the
    /// others must beat, then the others beside each other.
    async fn try_moves(
        &self,
        visit: &Visit<'_>,
        first: usize,
        evaluation: i32,
        alpha_now: &Cell<i32>,
        mut hear: impl FnMut(Tried, bool) -> bool,
    ) {
        let tree = &self.tree;
        let order: Vec<Move> = self.moves.borrow()[first..]
            .iter()
            .map(|root_move| root_move.mv)
            .collect();
        let mut plans = order
            .iter()
            .enumerate()
            .map(|(index, &mv)| self.plan(mv, index + 1, visit.depth));
        tree.count_node();
        let mut enough = false;
        if (visit.principal || visit.cut)
            && let Some(plan) = plans.next()
        {
            let found = tree.first(visit, &plan, evaluation).await;
            enough = hear(Tried::new(&plan, found), true);
        }
        let mut flying = FuturesUnordered::new();
        while !enough {
            let mut group: Vec<Plan> = Vec::new();
            while flying.is_empty() && group.is_empty() || tree.has_room() {
                let Some(plan) = plans.next() else { break };
                let leaf = tree.is_leaf(plan.shallow, for_job(-alpha_now.get(), visit.ply + 1));
                if !leaf || group.first().is_some_and(|first| first.shallow != plan.shallow) {
                    tree.launch(visit, &mut group, alpha_now, evaluation, &flying);
                }
                match leaf {
                    true => group.push(plan),
                    false => flying.push(tree.brother(*visit, plan, alpha_now, evaluation, None)),
                }
            }
            tree.launch(visit, &mut group, alpha_now, evaluation, &flying);
            let Some(tried) = flying.next().await else { break };
            enough = hear(tried, false);
        }
    }

    fn plan(&self, mv: Move, number: usize, depth: i32) -> Plan {
        let (tree, board) = (&self.tree, self.board);
        let quiet = !board.is_noisy(mv);
        let child = board.after(mv, tree.evaluator);
        let extend = child.in_check() && (tree.style.selective || board.see_at_least(mv, 0));
        let below = depth - 1 + i32::from(extend);
        let mut shallow = below;
        if tree.style.selective && depth > reductions::DEPTH && number > 3 && quiet && !child.in_check() {
            let history = tree.history.borrow().quiet(board, mv, [None; 2]);
            let reduced = reduction(depth, number) - 1024 - 1024 * history / reductions::HISTORY;
            shallow = (below - reduced.max(0) / 1024).clamp(1.min(below), below);
        }
        Plan {
            mv,
            quiet,
            child,
            below,
            shallow,
            doubles: 0,
            asks: None,
        }
    }

    /// What became of a root move.
    fn hear(&self, mv: Move, found: Found, is_first: bool, alpha: &Cell<i32>, beta: i32, best: &Cell<i32>) {
        let better = found.score > alpha.get();
        let mut moves = self.moves.borrow_mut();
        let Some(root_move) = moves.iter_mut().find(|root_move| root_move.mv == mv) else {
            return;
        };
        root_move.score = -INFINITE;
        if is_first || better {
            root_move.score = found.score;
            root_move.bound = match found.score {
                score if score >= beta => Bound::Lower,
                score if score <= alpha.get() => Bound::Upper,
                _ => Bound::Exact,
            };
            // A line that failed low is not a line.
            if better && !found.line.is_empty() {
                root_move.line = found.line;
            }
        }
        best.set(found.score.max(best.get()));
        alpha.set(alpha.get().max(found.score));
    }

    fn sort_from(&self, first: usize) {
        let key = |root_move: &RootMove| (-root_move.score, -root_move.previous);
        self.moves.borrow_mut()[first..].sort_by_key(key);
    }

    fn line(&self, index: usize, depth: i32, count: usize) -> Line {
        let root_move = &self.moves.borrow()[index];
        let fresh = root_move.score > -INFINITE;
        Line {
            multipv: (count > 1).then_some(index + 1),
            depth,
            seldepth: self.tree.seldepth.get().max(depth as usize),
            score: match (self.known, fresh, root_move.previous > -INFINITE) {
                // Only a mate says more.
                (Some(known), _, _) if !(fresh && is_mate(root_move.score)) => known,
                (_, true, _) => root_move.score,
                (_, false, true) => root_move.previous,
                (_, false, false) => 0,
            },
            bound: if fresh { root_move.bound } else { Bound::Exact },
            chances: self.settings.chances,
            nodes: self.tree.nodes.get(),
            time: self.time.elapsed(),
            hashfull: self.tree.table.fullness(),
            table_hits: self.tree.table_hits.get(),
            moves: root_move.line.clone(),
        }
    }

    /// Whether to stop after this iteration.
    fn is_enough(&self, pacing: &mut Pacing, depth: i32) -> bool {
        let moves = self.moves.borrow();
        let best = &moves[0];
        if let Some(mate) = self.limits.mate
            && best.score > MATE - 2 * mate as i32
        {
            return true;
        }
        let factor = pacing.factor(best.mv, best.score);
        let Some(optimum) = self.budget.optimum else {
            return false;
        };
        if self.time.is_pondering() {
            return false;
        }
        let forced = moves.len() == 1 && depth >= 4;
        let mate_seen = is_mate(best.score) && depth > 2 * (MATE - best.score.abs()) + 4;
        forced || mate_seen || self.time.elapsed() >= optimum * factor / 100
    }
}
