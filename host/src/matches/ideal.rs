//! A side whose board answers at once: what a chip's rules are worth, and no more than that.

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bluebelle_spec::leaf::remember::{Remembering, key};
use bluebelle_spec::{Evaluator, Weights};

use super::player::{BoardWork, Decision, Player, PlayerSpec};
use crate::game::Game;
use crate::limits::Limits;
use crate::search::ideal::Ideal;
use crate::search::together::Ring;
use crate::search::whole::{Pace, search_whole};
use crate::search::{IdealWork, Software};

/// The software search with one thread and an ideal board. As with software alone, its time is its nodes.
pub(crate) struct IdealPlayer {
    software: Software,
    /// Always there, except during a search.
    board: Option<Remembering>,
    ideal: Ideal,
    depth: Option<u32>,
    node: Duration,
    /// The keys of the game's positions since the last capture or move of a pawn, as far as this side has seen them.
    past: Vec<u64>,
}

impl IdealPlayer {
    /// A player whose tables and histories are empty.
    ///
    /// # Errors
    /// If there is no memory for the table.
    ///
    /// # Panics
    /// Without an ideal board in the specification.
    pub(super) fn new(spec: &PlayerSpec) -> io::Result<IdealPlayer> {
        let ideal = spec.ideal.expect("a side with an ideal board");
        Ok(IdealPlayer {
            software: Software::try_new(spec.hash).map_err(io::Error::other)?,
            board: Some(Remembering::with_cores(
                Arc::new(Evaluator::new(Weights::standard())),
                ideal.rules,
                ideal.ring.map_or(1, |ring| ring.cores),
            )),
            ideal,
            depth: spec.depth,
            node: spec.node.max(Duration::from_nanos(1)),
            past: Vec::new(),
        })
    }

    /// A move by a ring that searches whole iterations.
    fn choose_whole(&mut self, game: &Game, nodes: u64, ring: Ring) -> io::Result<Decision> {
        let position = game.board().position().map_err(io::Error::other)?;
        if game.board().halfmoves() < 2 {
            self.past.clear();
        }
        let board = Rc::new(
            self.board
                .take()
                .ok_or_else(|| io::Error::other("the board is at work"))?,
        );
        board.set_game(&self.past);
        let pace = Pace {
            rate: self.ideal.rate,
            cost: self.ideal.cost,
            budget: if self.depth.is_some() { 1e12 } else { nodes as f64 },
        };
        let mut work = IdealWork::default();
        let deepest = self.depth.map(|depth| depth.min(60) as u8);
        let found = search_whole(&board, &position, (ring, pace, deepest), &mut work);
        self.board = Rc::into_inner(board);
        let legal = game.board().legal_moves();
        let best = if game.board().is_legal(found.best) {
            found.best
        } else {
            let first = legal.first().ok_or_else(|| io::Error::other("the game is over"))?;
            first.mv
        };
        let mut after = position;
        after.make(best);
        self.past.extend([key(&position), key(&after)]);
        let time = Duration::from_nanos((work.waited * self.node.as_nanos() as f64) as u64);
        Ok(Decision {
            mv: best,
            score: found.score.into(),
            depth: found.depth.into(),
            time,
            nodes: work.nodes,
            board: Some(BoardWork {
                jobs: work.questions,
                job_nodes: work.nodes,
                host_busy: 0.0,
                line_busy: 0.0,
                chip_busy: time.as_secs_f64(),
                seconds: time.as_secs_f64(),
            }),
        })
    }
}

impl Player for IdealPlayer {
    fn new_game(&mut self) {
        self.software.clear();
        self.past.clear();
        if let Some(board) = &mut self.board {
            board.clear();
        }
    }

    fn choose(&mut self, game: &Game, time: Duration) -> io::Result<Decision> {
        let nodes = u64::try_from(time.as_nanos() / self.node.as_nanos()).unwrap_or(u64::MAX);
        if let (Some(ring), true) = (self.ideal.ring, self.ideal.whole) {
            return self.choose_whole(game, nodes, ring);
        }
        let limits = Limits {
            depth: self.depth,
            nodes: self.depth.is_none().then_some(nodes.max(1)),
            ..Limits::default()
        };
        let mut work = IdealWork::default();
        let board = Rc::new(
            self.board
                .take()
                .ok_or_else(|| io::Error::other("the board is at work"))?,
        );
        let outcome = (self.software).search_with_ideal(game, &limits, self.ideal, (Rc::clone(&board), &mut work));
        self.board = Rc::into_inner(board);
        let seconds = |nodes: f64| nodes * self.node.as_secs_f64();
        let whole = outcome.nodes as f64;
        Ok(Decision {
            mv: outcome.best(),
            score: outcome.score(),
            depth: outcome.lines.first().map_or(0, |line| line.depth),
            time: Duration::from_nanos(outcome.nodes.saturating_mul(self.node.as_nanos() as u64)),
            nodes: outcome.nodes + work.nodes,
            board: Some(BoardWork {
                jobs: work.questions,
                job_nodes: work.nodes,
                host_busy: seconds((whole - work.waited).max(0.0)),
                line_busy: 0.0,
                chip_busy: seconds(work.waited),
                seconds: seconds(whole),
            }),
        })
    }
}
