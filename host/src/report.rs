//! What a search tells while it runs, and at its end.

use std::fmt;
use std::time::Duration;

use bluebelle_spec::Move;

use crate::score::{UciScore, win_draw_loss};
use crate::search::Tally;
use crate::table::Bound;

/// Hears what a search finds.
pub trait Listener: Send + Sync {
    /// A line of play.
    fn line(&self, line: &Line);

    /// The move under search at the root, in long searches.
    fn current_move(&self, _depth: i32, _mv: Move, _number: usize) {}

    /// Something that the user should know.
    fn message(&self, _text: &str) {}
}

/// Nobody listens.
pub struct Silent;

impl Listener for Silent {
    fn line(&self, _line: &Line) {}
}

/// One line of play with its figures: what an `info` line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The place among the best lines, from 1; `None` if only one is asked for.
    pub multipv: Option<usize>,
    /// Plies searched.
    pub depth: i32,
    /// Plies looked at in the longest line.
    pub seldepth: usize,
    /// The score for the side to move.
    pub score: i32,
    /// The score of the search alone, whatever endgame tables say.
    pub searched: i32,
    /// What the score means.
    pub bound: Bound,
    /// Whether to tell the chances of win, draw and loss.
    pub chances: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: usize,
    /// Positions found in endgame tables.
    pub table_hits: u64,
    /// What the threads have met in their nodes.
    pub tally: Tally,
    /// The line.
    pub moves: Vec<Move>,
}

impl Line {
    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// The `info` line.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info depth {} seldepth {}", self.depth, self.seldepth)?;
        if let Some(place) = self.multipv {
            write!(f, " multipv {place}")?;
        }
        write!(f, " score {}", UciScore(self.score))?;
        match self.bound {
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
            Bound::Exact => {}
        }
        if self.chances {
            let [win, draw, loss] = win_draw_loss(self.score);
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write!(
            f,
            " nodes {} nps {} hashfull {}",
            self.nodes,
            self.speed(),
            self.hashfull
        )?;
        write!(f, " tbhits {} time {} pv", self.table_hits, self.time.as_millis())?;
        for mv in &self.moves {
            write!(f, " {mv}")?;
        }
        Ok(())
    }
}

/// What a search has found in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The best lines, the best first; none if there is no legal move.
    pub lines: Vec<Line>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Outcome {
    /// The move to play; [`Move::NONE`] if there is none.
    pub fn best(&self) -> Move {
        self.principal(0)
    }

    /// The answer that is expected.
    pub fn ponder(&self) -> Option<Move> {
        Some(self.principal(1)).filter(|mv| !mv.is_none())
    }

    /// The score of the best line.
    pub fn score(&self) -> i32 {
        self.lines.first().map_or(0, |line| line.score)
    }

    fn principal(&self, at: usize) -> Move {
        let best = self.lines.first();
        best.and_then(|line| line.moves.get(at).copied()).unwrap_or(Move::NONE)
    }
}
