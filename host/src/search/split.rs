//! Nodes whose moves several searches share: brothers of nodes that do not cut, and siblings of the principal variation.
//!
//! A search that has tried the first moves of a node *opens* it. Others *join*: they take its path, and then moves of it, one after
//! the other. All of them run on one thread, so that a node needs no lock.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::moves::{Next, Node};
use super::root::Root;
use super::searcher::{Frame, Principal, STACK_BELOW, Searcher};
use super::team::Team;
use crate::board::Board;

/// A node that others work on too: they share its moves, or a board is asked about it.
pub(crate) struct Split {
    /// The split that its owner belongs to.
    above: Option<Rc<Split>>,
    pub(super) depth: i32,
    /// Searches that have joined.
    pub(super) helpers: Cell<usize>,
    /// A move has refuted it.
    pub(super) refuted: Cell<bool>,
    /// There is no move left to take.
    pub(super) spent: Cell<bool>,
    moves: Moves,
    path: Option<Path>,
    /// The best line from here, in the principal variation.
    line: RefCell<Option<Principal>>,
}

enum Moves {
    /// None are shared: a board searches the node.
    Asked,
    Root(RefCell<Root>),
    Principal(RefCell<Node>),
    Null(RefCell<Node>),
}

/// What a search knows of the way to a node.
struct Path {
    board: Board,
    frames: Vec<Frame>,
    hashes: Vec<u64>,
    iteration: usize,
    null_from: usize,
}

impl Split {
    /// The split that its owner belongs to.
    pub(super) fn above(&self) -> Option<&Rc<Split>> {
        self.above.as_ref()
    }

    /// A node that a board searches too.
    pub(super) fn asked(above: Option<Rc<Split>>) -> Rc<Split> {
        Rc::new(Split {
            above,
            depth: 0,
            helpers: Cell::new(0),
            refuted: Cell::new(false),
            spent: Cell::new(true),
            moves: Moves::Asked,
            path: None,
            line: RefCell::new(None),
        })
    }

    /// Whether nothing that is found here is of use.
    pub(super) fn is_unwanted(&self) -> bool {
        self.refuted.get() || self.above.as_ref().is_some_and(|above| above.is_unwanted())
    }

    /// Whether others may join.
    pub(super) fn has_work(&self) -> bool {
        !self.spent.get() && !self.is_unwanted()
    }
}

impl<T: Team> Searcher<'_, T> {
    /// Searches the moves that a node has left together with others.
    #[cold]
    pub(super) fn share_moves<const PV: bool>(&mut self, board: &Board, node: &mut Node) {
        let (depth, ply) = (node.facts.depth, node.facts.ply);
        let moves = RefCell::new(node.take());
        let moves = if PV {
            Moves::Principal(moves)
        } else {
            Moves::Null(moves)
        };
        let split = self.share(moves, depth, board, ply);
        if let Some(line) = split.line.take() {
            self.lines[ply] = line;
        }
        if let Moves::Principal(moves) | Moves::Null(moves) = &split.moves {
            *node = moves.borrow_mut().take();
        }
    }

    /// The same for the root.
    #[cold]
    pub(super) fn share_root(&mut self, root: &mut Root) {
        let board = self.root;
        let depth = root.depth;
        let split = self.share(Moves::Root(RefCell::new(root.take())), depth, board, 0);
        if let Moves::Root(shared) = &split.moves {
            *root = shared.borrow_mut().take();
        }
    }

    fn share(&mut self, moves: Moves, depth: i32, board: &Board, ply: usize) -> Rc<Split> {
        let split = Rc::new(Split {
            above: self.team.place(),
            depth,
            helpers: Cell::new(0),
            refuted: Cell::new(false),
            spent: Cell::new(false),
            moves,
            path: Some(Path {
                board: board.clone(),
                frames: self.stack[..=ply + STACK_BELOW + 2].to_vec(),
                hashes: self.hashes.clone(),
                iteration: self.iteration,
                null_from: self.null_from,
            }),
            line: RefCell::new(None),
        });
        self.team.open(&split);
        self.work_on(&split);
        self.tell_nodes();
        self.team.close(&split);
        // What ended the work on this node need not end the work above it.
        self.aborted = false;
        self.mind_the_others();
        split
    }

    /// Goes to a node that another search has opened, and searches moves of it until there are none left.
    pub(super) fn join(&mut self, split: &Rc<Split>) {
        let Some(path) = &split.path else { return };
        self.stack[..path.frames.len()].copy_from_slice(&path.frames);
        self.hashes.clone_from(&path.hashes);
        (self.iteration, self.null_from) = (path.iteration, path.null_from);
        self.seldepth = 0;
        self.aborted = false;
        self.work_on(split);
        self.tell_nodes();
    }

    fn work_on(&mut self, split: &Rc<Split>) {
        match &split.moves {
            Moves::Asked => {}
            Moves::Root(root) => self.work_on_root(split, root),
            Moves::Principal(node) => self.work_on_node::<true>(split, node),
            Moves::Null(node) => self.work_on_node::<false>(split, node),
        }
    }

    fn work_on_root(&mut self, split: &Rc<Split>, root: &RefCell<Root>) {
        while !self.aborted && split.has_work() {
            let Some(trial) = root.borrow_mut().next_move() else {
                split.spent.set(true);
                return;
            };
            let score = self.try_root_move(&trial);
            if self.aborted || split.refuted.get() {
                return;
            }
            if self.note_root_move(&mut root.borrow_mut(), &trial, &score) {
                self.team.refute(split);
            }
        }
    }

    fn work_on_node<const PV: bool>(&mut self, split: &Rc<Split>, node: &RefCell<Node>) {
        let Some(Path { board, .. }) = &split.path else { return };
        while !self.aborted && split.has_work() {
            let Next::Move(trial) = self.next_move::<PV>(board, &mut node.borrow_mut()) else {
                split.spent.set(true);
                return;
            };
            let facts = node.borrow().facts;
            let score = self.try_move::<PV>(board, &facts, &trial);
            if self.aborted || split.refuted.get() {
                return;
            }
            let refutes = self.note_move::<PV>(&mut node.borrow_mut(), &trial, score);
            if PV && node.borrow().best_move == trial.mv {
                split.line.replace(Some(self.lines[facts.ply].clone()));
            }
            if refutes {
                self.team.refute(split);
            }
        }
    }
}
