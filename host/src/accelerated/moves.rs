//! The moves of a node in their order: which are worth a search, and how deep.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use bluebelle_spec::Move;

use super::tree::Tree;
use super::visit::{Open, Visit};
use crate::board::Board;
use crate::score::LEAST_TABLE_WIN;
use crate::search::history::Context;
use crate::search::parameters::{exchange, futility, history_pruning, late_moves, reductions};
use crate::search::picker::{Picker, Stage};
use crate::search::reduction;

/// A move to be tried, and how deep.
pub(super) struct Plan {
    pub(super) mv: Move,
    pub(super) quiet: bool,
    pub(super) child: Board,
    /// The depth of the position after it.
    pub(super) below: i32,
    /// The depth at which it must first show that it is worth that.
    pub(super) shallow: i32,
    /// How many moves of its line are extended by two plies.
    pub(super) doubles: u8,
    /// What is open about the position after it, if a job is asked first.
    pub(super) asks: Option<Open>,
}

/// The moves of a node, one by one, with what is to be done about each.
pub(super) struct Moves {
    picker: Picker,
    context: Context,
    evaluation: i32,
    improving: bool,
    table_move: Move,
    /// By how many plies that is extended.
    extension: i32,
    table_is_noisy: bool,
    in_check: bool,
    /// Whether the first move counts as one that holds before it is known to.
    expected_to_hold: bool,
    /// Legal moves met, pruned ones too.
    pub(super) met: usize,
    /// Those that were searched and did not refute.
    pub(super) failed: Failed,
}

/// Moves that did not refute.
#[derive(Default)]
pub(super) struct Failed {
    pub(super) quiets: Vec<Move>,
    pub(super) captures: Vec<Move>,
}

/// The moves of one node. They are kilobytes, so they stay where they are in memory, and it goes back to the tree when the node
/// is done.
pub(super) struct Held<'t> {
    moves: Rc<RefCell<Moves>>,
    spare: &'t RefCell<Vec<Rc<RefCell<Moves>>>>,
}

impl<'t> Held<'t> {
    pub(super) fn new(
        tree: &'t Tree<'_>,
        visit: &Visit<'_>,
        table_move: Move,
        extension: i32,
        evaluation: i32,
        improving: bool,
    ) -> Held<'t> {
        let spare = &tree.spare_moves;
        let moves = spare.borrow_mut().pop().unwrap_or_else(Moves::empty);
        moves
            .borrow_mut()
            .begin(tree, visit, table_move, extension, evaluation, improving);
        Held { moves, spare }
    }

    pub(super) fn get(&self) -> RefMut<'_, Moves> {
        self.moves.borrow_mut()
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.spare.borrow_mut().push(Rc::clone(&self.moves));
    }
}

impl Moves {
    fn empty() -> Rc<RefCell<Moves>> {
        Rc::new(RefCell::new(Moves {
            picker: Picker::new(Move::NONE, [Move::NONE; 2], Move::NONE, [None; 2]),
            context: [None; 2],
            evaluation: 0,
            improving: false,
            table_move: Move::NONE,
            extension: 0,
            table_is_noisy: false,
            in_check: false,
            expected_to_hold: false,
            met: 0,
            failed: Failed::default(),
        }))
    }

    fn begin(
        &mut self,
        tree: &Tree<'_>,
        visit: &Visit<'_>,
        table_move: Move,
        extension: i32,
        evaluation: i32,
        improving: bool,
    ) {
        let board = visit.board;
        self.context = visit.step.context();
        let counter = tree.history.borrow().counter(board.turn(), self.context);
        // Entries of other positions may have this one's key.
        let table_move = match board.is_legal(table_move) {
            true => table_move,
            false => Move::NONE,
        };
        self.picker
            .restart(table_move, tree.killers(visit.ply), counter, self.context);
        self.evaluation = evaluation;
        self.improving = improving;
        self.table_move = table_move;
        self.extension = extension;
        self.table_is_noisy = !table_move.is_none() && board.is_noisy(table_move);
        self.in_check = board.in_check();
        self.expected_to_hold = false;
        self.met = 0;
        self.failed.quiets.clear();
        self.failed.captures.clear();
    }

    /// All moves are tried at once, so that the first has not shown yet that it holds.
    pub(super) fn expect_to_hold(&mut self) {
        self.expected_to_hold = true;
    }

    /// The next move that is worth a search.
    pub(super) fn next(&mut self, tree: &Tree<'_>, visit: &Visit<'_>, best: i32, alpha: i32) -> Option<Plan> {
        let board = visit.board;
        let selective = tree.style.selective;
        loop {
            let history_table = tree.history.borrow();
            let mv = self.picker.next(board, &history_table)?;
            if mv == visit.excluded {
                continue;
            }
            self.met += 1;
            let quiet = !board.is_noisy(mv);
            let history = match quiet {
                true => history_table.quiet(board, mv, self.context),
                false => history_table.capture(board, mv),
            };
            drop(history_table);
            if selective
                && (best > -LEAST_TABLE_WIN || self.expected_to_hold && self.met > 1)
                && board.has_officers()
                && !board.gives_direct_check(mv)
                && self.is_hopeless(visit, mv, quiet, history, alpha)
            {
                continue;
            }
            let child = board.after(mv, tree.evaluator);
            let extension = match self.extension {
                extension if extension != 0 && mv == self.table_move => extension,
                _ => i32::from(child.in_check() && extends_check(tree, visit, mv)),
            };
            let below = visit.depth - 1 + extension;
            let late = self.met > 1 + usize::from(visit.principal) && (quiet || self.picker.stage() > Stage::GoodNoisy);
            let shallow = match selective && late && visit.depth >= reductions::DEPTH {
                true => self.reduced(visit, quiet, history, &child, below),
                false => below,
            };
            return Some(Plan {
                mv,
                quiet,
                child,
                below,
                shallow,
                doubles: visit.doubles + u8::from(extension == 2),
                asks: None,
            });
        }
    }

    /// Prunes what is late or loses, once something holds.
    fn is_hopeless(&mut self, visit: &Visit<'_>, mv: Move, quiet: bool, history: i32, alpha: i32) -> bool {
        let (board, depth) = (visit.board, visit.depth);
        let late_depth = (depth - reduction(depth, self.met) / 1024).max(0);
        if !quiet {
            return depth <= exchange::DEPTH
                && self.picker.stage() > Stage::GoodNoisy
                && !board.see_at_least(mv, exchange::CAPTURE_SLOPE * depth);
        }
        let most = (late_moves::BASE + depth * depth) / if self.improving { 1 } else { 2 };
        let gain = futility::MARGIN + futility::SLOPE * late_depth + history / 128;
        let all_quiets = depth <= late_moves::DEPTH && self.met as i32 > most
            || !self.in_check && late_depth <= futility::DEPTH && self.evaluation + gain <= alpha
            || late_depth <= history_pruning::DEPTH && history < history_pruning::SLOPE * depth;
        if all_quiets {
            self.picker.skip_quiets();
            return true;
        }
        late_depth <= exchange::DEPTH && !board.see_at_least(mv, exchange::QUIET_SLOPE * late_depth * late_depth)
    }

    /// The depth at which a late move must first show what it is worth.
    fn reduced(&self, visit: &Visit<'_>, quiet: bool, history: i32, child: &Board, below: i32) -> i32 {
        let mut reduced = reduction(visit.depth, self.met);
        if quiet {
            reduced -= 1024 * history / reductions::HISTORY;
            reduced -= 1024 * i32::from(self.picker.stage() == Stage::Refutations);
            reduced += 1024 * i32::from(self.table_is_noisy);
        } else {
            reduced = reduced / 2 - 1024 * history / reductions::HISTORY;
        }
        reduced -= 1024 * i32::from(visit.principal);
        reduced += 1536 * i32::from(visit.cut);
        reduced += 512 * i32::from(!self.improving);
        reduced -= 1024 * i32::from(child.in_check());
        reduced -= 512 * i32::from(self.in_check);
        (below - reduced / 1024).clamp(1.min(below), below)
    }
}

/// Whether a check is searched a ply deeper: one that loses nothing, and near the root any.
fn extends_check(tree: &Tree<'_>, visit: &Visit<'_>, mv: Move) -> bool {
    let (ply, iteration) = (visit.ply, tree.iteration.get());
    let is_early = tree.style.selective && ply < iteration / 2;
    ply < 2 * iteration && (is_early || visit.board.see_at_least(mv, 0))
}
