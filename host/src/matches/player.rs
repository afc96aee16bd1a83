//! Who plays: a search, what it has learnt in the game so far, and what a decision costs in virtual
//! time.

use std::io;
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::Duration;

use bluebelle_spec::{Move, Weights};
use serde::{Deserialize, Serialize};

use super::ideal::IdealPlayer;
use super::projected::ProjectedPlayer;
use super::score::Side;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::projection::{FIXED_NODE, Setup};
use crate::report::Silent;
use crate::search::ideal::Ideal;
use crate::search::{Settings, Software};

/// One side of a match.
pub trait Player {
    /// Forgets what an earlier game taught.
    fn new_game(&mut self);

    /// Chooses a move; `time` is what the side has for it in virtual time. With a fixed depth (see
    /// [`PlayerSpec`]) the time has no meaning.
    ///
    /// # Errors
    /// If no move can be chosen, as when a board does not start.
    fn choose(&mut self, game: &Game, time: Duration) -> io::Result<Decision>;
}

/// A move, and what it took.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The move.
    pub mv: Move,
    /// Its worth in centipawns for the side to move.
    pub score: i32,
    /// Plies searched.
    pub depth: i32,
    /// Virtual time that the decision took.
    pub time: Duration,
    /// Nodes of host and boards.
    pub nodes: u64,
    /// The part of a board, if the side has one.
    pub board: Option<BoardWork>,
}

/// What host, line and chip did for a decision; all of it is additive, so that a game and a match
/// can sum it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoardWork {
    /// Jobs asked for.
    pub jobs: u64,
    /// Nodes of these jobs.
    pub job_nodes: u64,
    /// Seconds in which the host was busy.
    pub host_busy: f64,
    /// Seconds in which the busier direction of the line was busy.
    pub line_busy: f64,
    /// Core-seconds in which the chip was busy, divided by the cores.
    pub chip_busy: f64,
    /// Seconds of the decision.
    pub seconds: f64,
}

impl AddAssign for BoardWork {
    fn add_assign(&mut self, other: BoardWork) {
        self.jobs = self.jobs.saturating_add(other.jobs);
        self.job_nodes = self.job_nodes.saturating_add(other.job_nodes);
        self.host_busy += other.host_busy;
        self.line_busy += other.line_busy;
        self.chip_busy += other.chip_busy;
        self.seconds += other.seconds;
    }
}

/// How a side is to be built.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// What the side is called.
    pub name: String,
    /// Threads of the host.
    pub threads: usize,
    /// Mebibytes for the transposition table.
    pub hash: usize,
    /// Plies to search for every move, instead of the time.
    pub depth: Option<u32>,
    /// What a node of the software search takes.
    pub node: Duration,
    /// The projected boards, if the side has any.
    pub setup: Option<Setup>,
    /// A board that answers at once, for a side with one thread.
    pub ideal: Option<Ideal>,
    /// The weights of a side in software with one thread; `None` for the standard ones.
    pub weights: Option<Arc<Weights>>,
    /// Where the side draws its luck from, such as the jitter of a line; another number for each
    /// game.
    pub seed: u64,
}

impl PlayerSpec {
    /// A side in software with one thread.
    pub fn software(name: &str, hash: usize) -> PlayerSpec {
        PlayerSpec {
            name: name.to_owned(),
            threads: 1,
            hash,
            depth: None,
            node: FIXED_NODE,
            setup: None,
            ideal: None,
            weights: None,
            seed: 1,
        }
    }
}

/// Builds a player for a game. Several games run at once, so that it is called by several threads.
pub type Factory<'a> = dyn Fn(Side, &PlayerSpec) -> io::Result<Box<dyn Player + Send>> + Sync + 'a;

/// The factory for all sides. One in software with one thread needs no virtual time, because its time is its nodes.
///
/// # Errors
/// If there is no memory for a table.
pub fn player(_: Side, spec: &PlayerSpec) -> io::Result<Box<dyn Player + Send>> {
    Ok(match (spec.setup, spec.threads) {
        _ if spec.ideal.is_some() => Box::new(IdealPlayer::new(spec)?),
        (None, 1) => Box::new(SoftwarePlayer::new(spec)?),
        _ => Box::new(ProjectedPlayer::new(spec)?),
    })
}

/// The software search with one thread, which takes a fixed time for a node: its games are the same
/// on every machine, however busy the machine is.
pub struct SoftwarePlayer {
    software: Software,
    depth: Option<u32>,
    node: Duration,
}

impl SoftwarePlayer {
    /// A player whose table and history are empty.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(spec: &PlayerSpec) -> io::Result<SoftwarePlayer> {
        let weights = spec.weights.as_deref().unwrap_or(Weights::standard());
        Ok(SoftwarePlayer {
            software: Software::with_weights(spec.hash, weights).map_err(io::Error::other)?,
            depth: spec.depth,
            node: spec.node.max(Duration::from_nanos(1)),
        })
    }
}

impl Player for SoftwarePlayer {
    fn new_game(&mut self) {
        self.software.clear();
    }

    fn choose(&mut self, game: &Game, time: Duration) -> io::Result<Decision> {
        let nodes = u64::try_from(time.as_nanos() / self.node.as_nanos()).unwrap_or(u64::MAX);
        let limits = Limits {
            depth: self.depth,
            nodes: self.depth.is_none().then_some(nodes.max(1)),
            ..Limits::default()
        };
        let settings = Settings {
            overhead: Duration::ZERO,
            ..Settings::default()
        };
        let outcome = self
            .software
            .search(game, &limits, &settings, &Control::new(false), &Silent);
        Ok(Decision {
            mv: outcome.best(),
            score: outcome.score(),
            depth: outcome.lines.first().map_or(0, |line| line.depth),
            time: Duration::from_nanos(outcome.nodes.saturating_mul(self.node.as_nanos() as u64)),
            nodes: outcome.nodes,
            board: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_nodes_and_the_table_is_kept_until_a_new_game() {
        let mut player = SoftwarePlayer::new(&PlayerSpec::software("software", 1)).expect("memory");
        let game = Game::initial(&player.software.evaluator());
        let choose = |player: &mut SoftwarePlayer| {
            let decision = player.choose(&game, Duration::from_millis(2)).expect("a move");
            assert!((4600..=4651).contains(&decision.nodes), "{}", decision.nodes);
            assert_eq!(decision.time, Duration::from_nanos(430 * decision.nodes));
            (decision.mv, decision.score, decision.depth)
        };
        let first = choose(&mut player);
        let second = choose(&mut player);
        assert!(second.2 > first.2, "the table is of use: {second:?} after {first:?}");
        player.new_game();
        assert_eq!(choose(&mut player), first);
    }

    #[test]
    fn depth_goes_before_time() {
        let mut spec = PlayerSpec::software("software", 1);
        spec.depth = Some(5);
        let mut player = SoftwarePlayer::new(&spec).expect("memory");
        let game = Game::initial(&player.software.evaluator());
        let decision = player.choose(&game, Duration::from_nanos(1)).expect("a move");
        assert_eq!(decision.depth, 5);
    }
}
