//! One search of a tree: what it shares with others, and what it has for itself.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use bluebelle_spec::Move;

use super::history::{Context, History, PieceTo};
use super::tally::{Tallies, Tally};
use super::team::Team;
use super::{Settings, Timekeeper};
use crate::board::Board;
use crate::evaluation::{Evaluator, PawnTable};
use crate::game::Game;
use crate::limits::{Budget, Limits};
use crate::report::Listener;
use crate::score::{INFINITE, MAX_PLY};
use crate::table::{Bound, NO_EVALUATION, Table};

/// What one thread remembers from move to move.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) history: History,
    pub(super) pawn_table: PawnTable,
}

/// What the threads of one search tell each other, besides the table.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    /// The search is over.
    pub(super) abort: AtomicBool,
    /// Nodes by thread, a little behind.
    pub(super) nodes: Vec<AtomicU64>,
    /// Nodes of boards.
    pub(super) board_nodes: AtomicU64,
    pub(super) table_hits: AtomicU64,
    /// What the threads have met, a little behind.
    pub(super) tallies: Tallies,
}

impl Signals {
    pub(crate) fn new(threads: usize) -> Signals {
        Signals {
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            ..Signals::default()
        }
    }

    /// Nodes of all threads and boards.
    pub(crate) fn all_nodes(&self) -> u64 {
        let threads = self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum::<u64>();
        threads + self.board_nodes.load(Relaxed)
    }
}

/// What the threads of one search share.
#[derive(Clone)]
pub(crate) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) evaluator: &'a Evaluator,
    pub(super) limits: &'a Limits,
    pub(super) budget: Budget,
    pub(super) settings: &'a Settings,
    pub(super) time: &'a dyn Timekeeper,
    pub(super) listener: &'a dyn Listener,
    pub(super) signals: &'a Signals,
    /// What the endgame tables say of the root: the moves to consider, and the value.
    pub(super) known: Option<(Vec<Move>, i32)>,
}

impl Shared<'_> {
    pub(crate) fn limits(&self) -> &Limits {
        self.limits
    }

    pub(crate) fn settings(&self) -> &Settings {
        self.settings
    }

    pub(crate) fn listener(&self) -> &dyn Listener {
        self.listener
    }

    pub(crate) fn known(&self) -> Option<&(Vec<Move>, i32)> {
        self.known.as_ref()
    }

    /// Whether a limit or the user ends the search, for a thread in its iteration of this depth that
    /// has visited so many nodes itself.
    ///
    /// Without the first iteration a search would answer with any move, so that iteration comes to
    /// its end, unless it turns out to be a long one.
    pub(super) fn is_over(&self, iteration: usize, own_nodes: u64) -> bool {
        if iteration <= 1 && own_nodes < MOST_FIRST_NODES {
            return false;
        }
        let nodes = self.signals.all_nodes();
        let late = |maximum| !self.time.is_pondering() && self.time.elapsed() >= maximum;
        self.time.is_stopped()
            || self.limits.nodes.is_some_and(|limit| nodes >= limit)
            || self.budget.maximum.is_some_and(late)
    }
}

/// A thread's nodes after which its first iteration minds the limits too.
const MOST_FIRST_NODES: u64 = 100_000;

/// One search.
pub(crate) struct Searcher<'a, T> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) history: &'a History,
    pub(super) pawn_table: &'a PawnTable,
    pub(super) team: T,
    /// 0 for the thread that looks at the clock and reports.
    pub(super) thread: usize,
    pub(super) root: &'a Board,
    pub(super) root_moves: Vec<RootMove>,
    /// The hashes of the positions before the one under search.
    pub(super) hashes: Vec<u64>,
    pub(super) stack: Box<[Frame; MAX_PLY + STACK_BELOW + 2]>,
    /// The best line from each ply.
    pub(super) lines: Box<[Principal; MAX_PLY + 2]>,
    pub(super) nodes: u64,
    /// Of these, those that the others know of.
    told: u64,
    /// What was met since the others were told.
    pub(super) tally: Tally,
    next_check: u64,
    pub(super) seldepth: usize,
    /// The depth of the iteration.
    pub(super) iteration: usize,
    pub(super) aborted: bool,
    /// Below this ply, null moves are not tried: a cut-off by one is being verified.
    pub(super) null_from: usize,
    /// At this ply nobody is asked: somebody was.
    pub(super) asked_at: usize,
}

/// Frames before the root's, so that looking back needs no test.
pub(super) const STACK_BELOW: usize = 4;

/// What a node leaves for those above and below it.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move made here; `None` for a null move.
    pub(super) moved: Option<PieceTo>,
    pub(super) mv: Move,
    pub(super) evaluation: i32,
    pub(super) killers: [Move; 2],
    pub(super) excluded: Move,
    pub(super) double_extensions: u8,
}

pub(super) const EMPTY_FRAME: Frame = Frame {
    moved: None,
    mv: Move::NONE,
    evaluation: NO_EVALUATION,
    killers: [Move::NONE; 2],
    excluded: Move::NONE,
    double_extensions: 0,
};

/// A line of play.
#[derive(Clone)]
pub(super) struct Principal {
    pub(super) moves: [Move; MAX_PLY],
    pub(super) length: usize,
}

impl Principal {
    pub(super) const EMPTY: Principal = Principal {
        moves: [Move::NONE; MAX_PLY],
        length: 0,
    };
}

/// A legal move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// This iteration's score, or minus infinity if it was not better than another.
    pub(super) score: i32,
    pub(super) previous: i32,
    pub(super) bound: Bound,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    pub(super) line: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            seldepth: 0,
            nodes: 0,
            line: vec![mv],
        }
    }

    /// The moves that a search of this game considers.
    fn all(shared: &Shared<'_>, root: &Board) -> Vec<RootMove> {
        let wanted = |mv: &Move| shared.limits.searchmoves.is_empty() || shared.limits.searchmoves.contains(mv);
        let known = |mv: &Move| shared.known.as_ref().is_none_or(|(moves, _)| moves.contains(mv));
        let legal = root.legal_moves();
        let moves = legal.iter().map(|scored| scored.mv).filter(wanted);
        let mut root_moves: Vec<RootMove> = moves.map(RootMove::new).collect();
        // Unless the user wants to see others.
        if root_moves.iter().any(|root_move| known(&root_move.mv)) {
            root_moves.retain(|root_move| known(&root_move.mv));
        }
        root_moves
    }
}

impl<'a, T: Team> Searcher<'a, T> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a Memory,
        game: &'a Game,
        thread: usize,
        team: T,
    ) -> Searcher<'a, T> {
        Searcher {
            shared,
            history: &memory.history,
            pawn_table: &memory.pawn_table,
            team,
            thread,
            root: game.board(),
            root_moves: RootMove::all(shared, game.board()),
            hashes: game.hashes().to_vec(),
            stack: Box::new([EMPTY_FRAME; MAX_PLY + STACK_BELOW + 2]),
            lines: Box::new([const { Principal::EMPTY }; MAX_PLY + 2]),
            nodes: 0,
            told: 0,
            tally: Tally::default(),
            next_check: 0,
            seldepth: 0,
            iteration: 1,
            aborted: false,
            null_from: 0,
            asked_at: usize::MAX,
        }
    }

    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.stack[ply + STACK_BELOW]
    }

    /// The frame `plies` before that of a ply.
    #[inline]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.stack[ply + STACK_BELOW - plies]
    }

    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        [self.before(ply, 1).moved, self.before(ply, 2).moved]
    }

    /// Makes a move: the frame and the hashes remember it.
    #[inline]
    pub(super) fn enter(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        let moved = PieceTo::new(board, mv);
        let frame = self.frame(ply);
        frame.moved = Some(moved);
        frame.mv = mv;
        self.hashes.push(board.hash());
        board.after(mv, self.shared.evaluator)
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.hashes.pop();
    }

    /// Counts a node, and looks at the clock now and then. Whether the search is over.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.aborted
    }

    fn check_limits(&mut self) {
        self.tell_nodes();
        self.team.pause();
        self.mind_the_others();
        let limit = self.shared.limits.nodes.filter(|_| self.thread == 0);
        let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.shared.signals.all_nodes()));
        self.next_check = self.nodes + left.clamp(1, T::NODES_A_TURN);
    }

    /// What this search has counted, the others know.
    pub(super) fn tell_nodes(&mut self) {
        self.shared.signals.nodes[self.thread].fetch_add(self.nodes - self.told, Relaxed);
        self.told = self.nodes;
        self.shared.signals.tallies.add(&mut self.tally);
    }

    /// Ends what this search is doing if the whole search is over, or if the others have no use for it any more.
    pub(super) fn mind_the_others(&mut self) {
        let shared = self.shared;
        if self.thread == 0 && shared.is_over(self.iteration, self.nodes) {
            shared.signals.abort.store(true, Relaxed);
        }
        self.aborted |= shared.signals.abort.load(Relaxed) || T::SHARES && self.team.is_unwanted();
    }

    /// Whether the position has been there before: once since the root, or twice in the game.
    pub(super) fn is_repetition(&self, board: &Board, ply: usize) -> bool {
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
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut head[ply], &tail[0]);
        let length = rest.length.min(MAX_PLY - 1);
        line.moves[0] = mv;
        line.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        line.length = length + 1;
    }

    /// The evaluation for the side to move.
    #[inline]
    pub(super) fn evaluate(&self, board: &Board) -> i32 {
        self.shared.evaluator.evaluate(board, self.pawn_table)
    }
}
