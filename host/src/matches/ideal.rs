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
use crate::search::scouts::Scouts;
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
        let limits = Limits {
            depth: self.depth,
            nodes: self.depth.is_none().then_some(nodes.max(1)),
            ..Limits::default()
        };
        let root = game.board().position().map_err(io::Error::other)?;
        let mut work = IdealWork::default();
        let board = Rc::new(
            self.board
                .take()
                .ok_or_else(|| io::Error::other("the board is at work"))?,
        );
        let outcome = match (self.ideal.scouts, self.ideal.ring) {
            (Some(margin), Some(ring)) => {
                if game.board().halfmoves() < 2 {
                    self.past.clear();
                }
                board.set_game(&self.past);
                let scouts = Scouts {
                    ring,
                    rate: self.ideal.rate,
                    margin,
                    least: self.ideal.least,
                };
                (self.software).search_with_scouts((game, root), &limits, scouts, (Rc::clone(&board), &mut work))
            }
            _ => (self.software).search_with_ideal(game, &limits, self.ideal, (Rc::clone(&board), &mut work)),
        };
        self.board = Rc::into_inner(board);
        if self.ideal.scouts.is_some() {
            let mut after = root;
            after.make(outcome.best());
            self.past.extend([key(&root), key(&after)]);
        }
        let seconds = |nodes: f64| nodes * self.node.as_secs_f64();
        let whole = outcome.nodes as f64;
        // Who has scouts waits for nothing, and the scouts neither.
        let (host, chip) = match self.ideal.scouts {
            Some(_) => (whole, whole),
            None => ((whole - work.waited).max(0.0), work.waited),
        };
        Ok(Decision {
            mv: outcome.best(),
            score: outcome.score(),
            depth: outcome.lines.first().map_or(0, |line| line.depth),
            time: Duration::from_nanos(outcome.nodes.saturating_mul(self.node.as_nanos() as u64)),
            nodes: outcome.nodes + work.nodes,
            board: Some(BoardWork {
                jobs: work.questions,
                job_nodes: work.nodes,
                host_busy: seconds(host),
                line_busy: 0.0,
                chip_busy: seconds(chip),
                seconds: seconds(whole),
            }),
        })
    }
}
