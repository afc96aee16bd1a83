use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use bluebelle_spec::{Move, leaf};
use tokio::sync::Notify;

use super::moves::Moves;
use super::pacing::Alarm;
use super::turn::Turn;
use super::visit::{Open, Visit};
use crate::board::Board;
use crate::endgame::Tables;
use crate::evaluation::{Evaluator, PawnTable};
use crate::pool::Pool;
use crate::projection::{Work, WorkMeter};
use crate::score::{DRAW, MATE, MAX_PLY, is_mate_or_table, mated_at};
use crate::search::history::History;
use crate::search::parameters::reverse_futility;
use crate::table::{Bound, Entry, NO_EVALUATION, Table};

/// How the tree is searched, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Positions with so many plies left, or fewer, are jobs; 0 lets the pool choose.
    pub leaf_depth: u8,
    /// Whether moves are pruned and reduced, and the table's scores believed. Without that the value of a position is that
    /// of its definition: negamax to the depth, checks that lose nothing extended by a ply, leaves by the golden search.
    pub selective: bool,
    /// Whether several jobs are searched at once.
    pub concurrent: bool,
    /// A job with more nodes is searched by smaller ones: the longest job is what everybody waits for in the end. 0 for as many
    /// as there are.
    pub node_limit: u32,
    /// Whether the host searches all leaves itself: the same tree without a board, to compare with.
    pub host_alone: bool,
}

impl Style {
    /// The same tree without a board: the host searches one leaf after the other.
    pub fn without_boards() -> Style {
        Style {
            host_alone: true,
            concurrent: false,
            ..Style::default()
        }
    }

    /// The most nodes of a leaf.
    pub(super) const fn most_nodes(&self) -> u32 {
        match self.node_limit {
            0 => leaf::MAX_NODES,
            limit => limit,
        }
    }
}

impl Default for Style {
    fn default() -> Style {
        Style {
            leaf_depth: 0,
            selective: true,
            concurrent: true,
            node_limit: 1 << 15,
            host_alone: false,
        }
    }
}

/// What all nodes of a search have in common. It lives on one thread; nodes wait, but none runs while another does.
pub(super) struct Tree<'a> {
    pub(super) pool: &'a Pool,
    pub(super) table: &'a Table,
    pub(super) evaluator: &'a Evaluator,
    pub(super) golden: Arc<bluebelle_spec::Evaluator>,
    pub(super) history: RefCell<&'a mut History>,
    pub(super) pawn_table: RefCell<&'a mut PawnTable>,
    pub(super) killers: RefCell<Vec<[Move; 2]>>,
    /// The hashes of the positions before the root.
    pub(super) hashes: &'a [u64],
    pub(super) style: Style,
    /// Endgame tables, and how often they knew something.
    pub(super) tables: Option<&'a Tables>,
    pub(super) table_hits: Cell<u64>,
    /// This iteration's leaves.
    pub(super) leaf_depth: Cell<i32>,
    /// From which depth on they are split if there is nothing else to do.
    pub(super) split_depth: Cell<Option<i32>>,
    /// How many jobs are searched at once by all threads of a core; 0 if each has one thread.
    pub(super) gangs: Cell<usize>,
    /// How many jobs may be out or wait for them.
    pub(super) gang_jobs: Cell<usize>,
    /// What is tried here before a job is asked for.
    pub(super) tries: Cell<Tries>,
    pub(super) turn: Turn,
    /// This iteration's depth.
    pub(super) iteration: Cell<usize>,
    /// Nodes of the tree and of its leaves.
    pub(super) nodes: Cell<u64>,
    pub(super) node_limit: Option<u64>,
    /// What this thread does.
    pub(super) work: &'a WorkMeter,
    pub(super) nodes_spent: Notify,
    /// When to end.
    pub(super) alarm: Option<Alarm<'a>>,
    pub(super) seldepth: Cell<usize>,
    /// Branches that are searched beside another.
    branches: Cell<usize>,
    /// Moves of nodes that are done, for others to use.
    pub(super) spare_moves: RefCell<Vec<Rc<RefCell<Moves>>>>,
}

/// Leaves of at most so many plies are tried here for at most so many nodes: most have few, and nobody knows before which.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tries {
    pub(super) depth: u8,
    pub(super) nodes: u32,
    /// If there is nothing else to do, those that wait for a job are tried for so many.
    pub(super) idle_nodes: u32,
}

impl<'a> Tree<'a> {
    #[expect(clippy::too_many_arguments, reason = "what a search is made of, put together once")]
    pub(super) fn new(
        pool: &'a Pool,
        table: &'a Table,
        evaluator: &'a Evaluator,
        history: &'a mut History,
        pawn_table: &'a mut PawnTable,
        hashes: &'a [u64],
        style: Style,
        node_limit: Option<u64>,
        work: &'a WorkMeter,
    ) -> Tree<'a> {
        Tree {
            pool,
            table,
            evaluator,
            golden: pool.evaluator(),
            history: RefCell::new(history),
            pawn_table: RefCell::new(pawn_table),
            killers: RefCell::new(vec![[Move::NONE; 2]; MAX_PLY + 2]),
            hashes,
            style,
            tables: None,
            table_hits: Cell::new(0),
            leaf_depth: Cell::new(1),
            split_depth: Cell::new(None),
            gangs: Cell::new(0),
            gang_jobs: Cell::new(0),
            tries: Cell::default(),
            turn: Turn::default(),
            iteration: Cell::new(1),
            nodes: Cell::new(0),
            node_limit,
            work,
            nodes_spent: Notify::new(),
            alarm: None,
            seldepth: Cell::new(0),
            branches: Cell::new(0),
            spare_moves: RefCell::default(),
        }
    }

    /// Counts a node of the tree.
    pub(super) fn count_node(&self) {
        self.work.count(Work {
            nodes: 1,
            ..Work::default()
        });
        self.count(1);
    }

    /// Counts nodes of a leaf.
    pub(super) fn count(&self, nodes: u64) {
        let nodes = self.nodes.get() + nodes;
        self.nodes.set(nodes);
        if self.node_limit.is_some_and(|limit| nodes >= limit) {
            self.nodes_spent.notify_one();
        }
    }

    /// Whether the search must end at once.
    pub(super) fn has_rung(&self) -> bool {
        self.alarm.is_some_and(|alarm| alarm.has_rung())
    }

    pub(super) fn evaluate(&self, board: &Board) -> i32 {
        self.evaluator.evaluate(board, &mut self.pawn_table.borrow_mut())
    }

    /// What is known of a position without searching it: draws, mates that come too late, and what the table says.
    /// Otherwise what is open about it.
    pub(super) fn known(&self, visit: &Visit<'_>) -> Result<Open, i32> {
        // Draws; the end of the line.
        let (board, ply) = (visit.board, visit.ply);
        self.seldepth.set(self.seldepth.get().max(ply));
        if board.is_insufficient() || self.is_repetition(visit) || is_fifty_move_draw(board) {
            return Err(DRAW);
        }
        if ply >= MAX_PLY - 1 {
            return Err(if board.in_check() { DRAW } else { self.evaluate(board) });
        }

        // Mate distance: a shorter mate is known already.
        let alpha = visit.alpha.max(mated_at(ply));
        let beta = visit.beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return Err(alpha);
        }

        // What the endgame tables know.
        if let Some(tables) = self.tables
            && !visit.principal
            && let Some(score) = tables.probe(board, ply)
        {
            self.table_hits.set(self.table_hits.get() + 1);
            return Err(score);
        }

        // What the table knows.
        let entry = self.table.probe(board.hash(), ply);
        if let Some(entry) = entry
            && self.style.selective
            && !visit.principal
            && entry.depth >= visit.depth
            && board.halfmoves() < 90
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
        {
            return Err(entry.score);
        }

        // Reverse futility: so good that the opponent has no way back. It spares whole jobs.
        let mut evaluation = entry.map_or(NO_EVALUATION, |entry| entry.evaluation);
        if self.style.selective
            && !visit.principal
            && (1..=reverse_futility::DEPTH).contains(&visit.depth)
            && !board.in_check()
            && !is_mate_or_table(beta)
        {
            if evaluation == NO_EVALUATION {
                evaluation = self.evaluate(board);
            }
            if evaluation - reverse_futility::SLOPE * visit.depth >= beta {
                return Err((evaluation + beta) / 2);
            }
        }
        Ok(Open {
            alpha,
            beta,
            entry,
            evaluation,
        })
    }

    /// Whether the position has been there before: once since the root, or twice in the game.
    fn is_repetition(&self, visit: &Visit<'_>) -> bool {
        let reach = usize::from(visit.board.halfmoves()).min(visit.ply + self.hashes.len());
        let hash = visit.board.hash();
        let mut step = Some(visit.step);
        let mut met = 0;
        for distance in 1..=reach {
            let before = match step {
                Some(made) if distance <= visit.ply => {
                    step = made.before;
                    made.hash
                }
                _ => self.hashes[self.hashes.len() + visit.ply - distance],
            };
            if distance >= 4 && before == hash {
                met += 1;
                if distance < visit.ply || met == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether more may be searched at once: the boards have threads to spare, and there are not too many branches.
    pub(super) fn has_room(&self) -> bool {
        if !self.style.concurrent {
            return false;
        }
        let most = self.most_jobs();
        self.pool.outstanding() < most + 2 && self.branches.get() < most
    }

    /// Counts a branch as long as the guard lives.
    pub(super) fn branch(&self) -> Branch<'_> {
        self.branches.set(self.branches.get() + 1);
        Branch(&self.branches)
    }

    pub(super) fn store(&self, board: &Board, entry: Entry, ply: usize) {
        self.table.store(board.hash(), entry, ply);
    }

    /// What the table expects after a move: at most so many moves.
    pub(super) fn line_from(&self, board: &Board, mv: Move, most: usize) -> Vec<Move> {
        let mut line = vec![mv];
        let mut board = board.after(mv, self.evaluator);
        while line.len() < most
            && let Some(entry) = self.table.probe(board.hash(), line.len())
            && !entry.best.is_none()
            && board.is_legal(entry.best)
        {
            line.push(entry.best);
            board = board.after(entry.best, self.evaluator);
        }
        line
    }

    pub(super) fn killers(&self, ply: usize) -> [Move; 2] {
        self.killers.borrow()[ply]
    }

    pub(super) fn set_killer(&self, ply: usize, mv: Move) {
        let killers = &mut self.killers.borrow_mut()[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
    }
}

pub(super) struct Branch<'t>(&'t Cell<usize>);

impl Drop for Branch<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// Fifty moves without progress; but a mate on the hundredth ply counts.
fn is_fifty_move_draw(board: &Board) -> bool {
    board.halfmoves() >= 100 && (!board.in_check() || !board.legal_moves().is_empty())
}
