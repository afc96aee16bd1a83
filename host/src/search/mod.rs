//! The search, in software.
//!
//! `node` has the steps that every node goes through, `root` the same for the first one, `quiescence` the end of a line;
//! `deepening` drives them, `below` asks about single positions, [`parameters`] holds their numbers. Several threads search
//! the same tree and help each other through the transposition table alone.

pub(crate) mod below;
mod deepening;
pub mod history;
mod node;
pub mod parameters;
pub mod picker;
mod quiescence;
mod reductions;
mod root;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bluebelle_spec::{Move, Weights};

use crate::board::Board;
use crate::endgame::Tables;
use crate::evaluation::{Evaluator, PawnTable};
use crate::game::Game;
use crate::limits::{Budget, Control, Limits};
use crate::report::{Line, Listener, Outcome};
use crate::score::{INFINITE, MAX_PLY};
use crate::table::{NO_EVALUATION, Table};

use history::{Context, History, PieceTo};
pub(crate) use reductions::reduction;

/// How to search, whatever the position.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads.
    pub threads: usize,
    /// Best lines to tell.
    pub multipv: usize,
    /// What a move loses between here and the clock.
    pub overhead: Duration,
    /// Whether lines tell the chances of win, draw and loss.
    pub chances: bool,
    /// Endgame tables.
    pub tables: Option<Arc<Tables>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            multipv: 1,
            overhead: Duration::from_millis(10),
            chances: false,
            tables: None,
        }
    }
}

/// The software search with what it remembers from move to move.
pub struct Software {
    table: Arc<Table>,
    evaluator: Arc<Evaluator>,
    memories: Vec<Memory>,
    pace: Option<Pace>,
}

/// Hears the first thread's count of nodes now and then; the search goes on when it returns.
pub(crate) type Pace = Box<dyn Fn(u64) + Send + Sync>;

/// What one thread remembers from move to move.
#[derive(Default)]
struct Memory {
    history: History,
    pawn_table: PawnTable,
}

impl Software {
    /// A search with a transposition table of so many mebibytes.
    pub fn new(megabytes: usize) -> Software {
        Software::sharing(Arc::new(Table::new(megabytes)))
    }

    /// A search with a table that others have too.
    pub(crate) fn sharing(table: Arc<Table>) -> Software {
        Software {
            table,
            evaluator: Arc::new(Evaluator::new(Weights::standard())),
            memories: Vec::new(),
            pace: None,
        }
    }

    /// From now on this is the table.
    pub(crate) fn share(&mut self, table: Arc<Table>) {
        self.table = table;
    }

    /// Searches at somebody's pace.
    pub(crate) fn paced(mut self, pace: Pace) -> Software {
        self.pace = Some(pace);
        self
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> Arc<Evaluator> {
        Arc::clone(&self.evaluator)
    }

    /// Plays with other weights.
    pub fn set_weights(&mut self, weights: &Weights) {
        self.evaluator = Arc::new(Evaluator::new(weights));
        self.clear();
    }

    /// Changes the size of the transposition table, which forgets it.
    pub fn resize(&mut self, megabytes: usize) {
        // The old one goes before the new one comes: both may not fit.
        self.table = Arc::new(Table::new(1));
        self.table = Arc::new(Table::new(megabytes));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.forget();
    }

    /// Forgets everything but the table.
    pub(crate) fn forget(&mut self) {
        self.memories.clear();
    }

    /// Searches a position. `control` may end it from another thread.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        listener: &dyn Listener,
    ) -> Outcome {
        let threads = settings.threads.max(1);
        let tables = settings.tables.as_deref();
        let known = tables.and_then(|tables| tables.probe_root(game.board(), &self.evaluator));
        self.memories.resize_with(threads, Memory::default);
        self.table.begin_search();
        let shared = Shared {
            table: &self.table,
            evaluator: &self.evaluator,
            limits,
            budget: Budget::new(limits, settings.overhead),
            settings,
            control,
            listener,
            abort: AtomicBool::new(false),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            table_hits: AtomicU64::new(known.as_ref().map_or(0, |(moves, _)| moves.len() as u64)),
            known,
            pace: self.pace.as_ref(),
        };
        let (first, helpers) = self.memories.split_at_mut(1);
        let lines = std::thread::scope(|scope| {
            for (index, memory) in helpers.iter_mut().enumerate() {
                let shared = &shared;
                scope.spawn(move || Searcher::new(shared, memory, game, index + 1).help());
            }
            let lines = Searcher::new(&shared, &mut first[0], game, 0).lead();
            shared.abort.store(true, Relaxed);
            lines
        });
        Outcome {
            nodes: shared.nodes(),
            time: control.elapsed(),
            lines,
        }
    }
}

/// What the threads of one search share.
struct Shared<'a> {
    table: &'a Table,
    evaluator: &'a Evaluator,
    limits: &'a Limits,
    budget: Budget,
    settings: &'a Settings,
    control: &'a Control,
    listener: &'a dyn Listener,
    /// The search is over.
    abort: AtomicBool,
    /// Nodes by thread, a little behind.
    nodes: Vec<AtomicU64>,
    table_hits: AtomicU64,
    /// What the endgame tables say of the root: the moves to consider, and the value.
    known: Option<(Vec<Move>, i32)>,
    pace: Option<&'a Pace>,
}

impl Shared<'_> {
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// How many nodes pass between two looks at the clock.
const NODES_BETWEEN_CHECKS: u64 = 1024;

/// The same for a search at somebody's pace.
const NODES_A_PACE: u64 = 128;

/// One thread's search.
struct Searcher<'a> {
    shared: &'a Shared<'a>,
    history: &'a mut History,
    pawn_table: &'a mut PawnTable,
    /// 0 for the thread that looks at the clock and reports.
    thread: usize,
    root: &'a Board,
    root_moves: Vec<RootMove>,
    /// The hashes of the positions before the one under search.
    hashes: Vec<u64>,
    stack: Box<[Frame; MAX_PLY + STACK_BELOW + 2]>,
    /// The best line from each ply.
    lines: Box<[Principal; MAX_PLY + 2]>,
    nodes: u64,
    next_check: u64,
    seldepth: usize,
    /// The depth of the iteration.
    iteration: usize,
    aborted: bool,
    /// Below this ply, null moves are not tried: a cut-off by one is being verified.
    null_from: usize,
}

/// Frames before the root's, so that looking back needs no test.
const STACK_BELOW: usize = 4;

/// What a node leaves for those above and below it.
#[derive(Clone, Copy)]
struct Frame {
    /// The move made here; `None` for a null move.
    moved: Option<PieceTo>,
    mv: Move,
    evaluation: i32,
    killers: [Move; 2],
    excluded: Move,
    double_extensions: u8,
}

const EMPTY_FRAME: Frame = Frame {
    moved: None,
    mv: Move::NONE,
    evaluation: NO_EVALUATION,
    killers: [Move::NONE; 2],
    excluded: Move::NONE,
    double_extensions: 0,
};

/// A line of play.
#[derive(Clone)]
struct Principal {
    moves: [Move; MAX_PLY],
    length: usize,
}

/// A legal move at the root.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// This iteration's score, or minus infinity if it was not better than another.
    score: i32,
    previous: i32,
    bound: crate::table::Bound,
    seldepth: usize,
    nodes: u64,
    line: Vec<Move>,
}

impl<'a> Searcher<'a> {
    fn new(shared: &'a Shared<'a>, memory: &'a mut Memory, game: &'a Game, thread: usize) -> Searcher<'a> {
        let root = game.board();
        let wanted = |mv: &Move| shared.limits.searchmoves.is_empty() || shared.limits.searchmoves.contains(mv);
        let legal = root.legal_moves();
        let known = |mv: &Move| shared.known.as_ref().is_none_or(|(moves, _)| moves.contains(mv));
        let moves = legal.iter().map(|scored| scored.mv).filter(wanted);
        let mut root_moves: Vec<RootMove> = moves.map(RootMove::new).collect();
        // Unless the user wants to see others.
        if root_moves.iter().any(|root_move| known(&root_move.mv)) {
            root_moves.retain(|root_move| known(&root_move.mv));
        }
        Searcher {
            shared,
            history: &mut memory.history,
            pawn_table: &mut memory.pawn_table,
            thread,
            root,
            root_moves,
            hashes: game.hashes().to_vec(),
            stack: Box::new([EMPTY_FRAME; MAX_PLY + STACK_BELOW + 2]),
            lines: Box::new(std::array::from_fn(|_| Principal {
                moves: [Move::NONE; MAX_PLY],
                length: 0,
            })),
            nodes: 0,
            next_check: 0,
            seldepth: 0,
            iteration: 1,
            aborted: false,
            null_from: 0,
        }
    }

    #[inline]
    fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.stack[ply + STACK_BELOW]
    }

    /// The frame so many plies before.
    #[inline]
    fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.stack[ply + STACK_BELOW - plies]
    }

    #[inline]
    fn context(&self, ply: usize) -> Context {
        [self.before(ply, 1).moved, self.before(ply, 2).moved]
    }

    /// Makes a move: the frame and the hashes remember it.
    #[inline]
    fn enter(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        let moved = PieceTo::new(board, mv);
        let frame = self.frame(ply);
        frame.moved = Some(moved);
        frame.mv = mv;
        self.hashes.push(board.hash());
        board.after(mv, self.shared.evaluator)
    }

    #[inline]
    fn leave(&mut self) {
        self.hashes.pop();
    }

    /// Counts a node, and looks at the clock now and then. Whether the search is over.
    #[inline]
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.aborted
    }

    fn check_limits(&mut self) {
        let shared = self.shared;
        shared.nodes[self.thread].store(self.nodes, Relaxed);
        let mut until_check = NODES_BETWEEN_CHECKS;
        if self.thread == 0 {
            if let Some(pace) = shared.pace {
                pace(self.nodes);
                until_check = NODES_A_PACE;
            }
            let mut over = shared.control.is_stopped();
            if let Some(limit) = shared.limits.nodes {
                let nodes = shared.nodes();
                over |= nodes >= limit;
                until_check = until_check.min(limit.saturating_sub(nodes)).max(1);
            }
            if let Some(maximum) = shared.budget.maximum {
                // The first iteration takes no time to speak of, and without it the move would be any.
                let timed = self.iteration > 1 && !shared.control.is_pondering();
                over |= timed && shared.control.elapsed() >= maximum;
            }
            if over {
                shared.abort.store(true, Relaxed);
            }
        }
        self.aborted |= shared.abort.load(Relaxed);
        self.next_check = self.nodes + until_check;
    }

    /// Whether the position has been there before: once since the root, or twice in the game.
    fn is_repetition(&self, board: &Board, ply: usize) -> bool {
        let reach = usize::from(board.halfmoves()).min(self.hashes.len());
        let mut met = 0;
        let mut distance = 4;
        while distance <= reach {
            if self.hashes[self.hashes.len() - distance] == board.hash() {
                met += 1;
                if distance < ply || met == 2 {
                    return true;
                }
            }
            distance += 2;
        }
        false
    }

    /// Puts a move before the best line of the next ply.
    #[inline]
    fn extend_line(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut head[ply], &tail[0]);
        let length = rest.length.min(MAX_PLY - 1);
        line.moves[0] = mv;
        line.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        line.length = length + 1;
    }
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            bound: crate::table::Bound::Exact,
            seldepth: 0,
            nodes: 0,
            line: vec![mv],
        }
    }
}

#[cfg(test)]
mod tests;
