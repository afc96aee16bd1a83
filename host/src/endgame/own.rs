//! The tables that `bluebelle endings build` makes, as the search asks them.
//!
//! They know no fifty-move rule. At the root, the distances to mate and to conversion say whether
//! the clock has time for a win. In the tree, a win is believed unless an ending without pawns is
//! fifty moves from its conversion.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use bluebelle_knowledge::endings::{self, Kind, MOST_MEN, ProbeError, Value, Wdl};
use bluebelle_knowledge::vocabulary;
use bluebelle_spec::{Piece, Position};

use super::{Known, SURE, TablesError, best_of};
use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::score::{DRAW, TABLE_WIN};

/// A folder of tables.
pub(super) struct Own {
    tables: endings::Tables,
    count: usize,
    most: u32,
    /// The first problem with a file: from then on, no table is asked.
    problem: OnceLock<String>,
    told: AtomicBool,
}

/// Plies without capture or pawn move that draw a game.
const CLOCK: u32 = 100;

impl Own {
    pub(super) fn open(folder: &str) -> Result<Own, TablesError> {
        let tables = endings::Tables::open(folder)?;
        let count = tables.materials(Kind::Wdl).len();
        if count == 0 {
            return Err(TablesError::NoEndings(folder.to_owned()));
        }
        Ok(Own {
            most: tables.most_men(Kind::Wdl) as u32,
            count,
            tables,
            problem: OnceLock::new(),
            told: AtomicBool::new(false),
        })
    }

    pub(super) const fn tables(&self) -> usize {
        self.count
    }

    pub(super) const fn most_men(&self) -> u32 {
        self.most
    }

    pub(super) fn take_problem(&self) -> Option<String> {
        let problem = self.problem.get()?;
        (!self.told.swap(true, Relaxed)).then(|| problem.clone())
    }

    /// The value for the side to move, `ply` plies from the root, at the beginning of the clock.
    #[inline]
    pub(super) fn probe(&self, board: &Board, ply: usize) -> Option<i32> {
        if self.problem.get().is_some() {
            return None;
        }
        let position = board.position().ok()?;
        let wdl = self.hear(self.tables.probe_wdl(&position))?;
        let win = TABLE_WIN - ply as i32;
        Some(match wdl {
            Wdl::Draw => DRAW,
            _ if self.is_too_long(board, &position) => DRAW,
            Wdl::Win => win,
            Wdl::Loss => -win,
        })
    }

    /// Whether the clock ends the game before the winner can convert. Only endings with as many men
    /// as tables can have are as long as that; and pawn moves, which turn the clock back, are
    /// not conversions.
    fn is_too_long(&self, board: &Board, position: &Position) -> bool {
        let is_long = board.occupied().count_ones() as usize == MOST_MEN;
        is_long && board.kind(Piece::Pawn) == 0 && {
            let value = self.tables.probe(position, Kind::Conversion);
            value.is_ok_and(|value| plies(value) > CLOCK)
        }
    }

    /// The moves of the root that keep what can be had. With time on the clock, a win is played the
    /// shortest way to mate; otherwise the shortest way to conversion.
    pub(super) fn probe_root(&self, board: &Board, evaluator: &Evaluator) -> Option<Known> {
        let mut after = Vec::new();
        for scored in board.legal_moves().iter() {
            let child = board.after(scored.mv, evaluator);
            let position = child.position().ok()?;
            let mate = self.distance(&position, Kind::Mate)?;
            let conversion = self.distance(&position, Kind::Conversion)?;
            after.push((scored.mv, u32::from(child.halfmoves()), mate, conversion));
        }
        let is_won = |mate: Value| mate.wdl() == Wdl::Loss;
        let mates = after.iter().filter(|&&(_, _, mate, _)| is_won(mate));
        let soonest = mates.map(|&(_, clock, mate, _)| clock + plies(mate)).min();
        let hurried = soonest.is_some_and(|soonest| soonest > CLOCK);
        let rank = |clock: u32, mate: Value, conversion: Value| {
            let (to_mate, to_conversion) = (plies(mate) as i32, plies(conversion) as i32);
            let in_time = clock + plies(conversion) <= CLOCK;
            match mate.wdl() {
                Wdl::Draw => 0,
                Wdl::Loss if !in_time => 1,
                Wdl::Win if !in_time => -1,
                Wdl::Win => to_mate - 2 * SURE,
                // Progress that was made turns the clock back.
                Wdl::Loss if hurried && clock == 0 => 2 * SURE,
                Wdl::Loss if hurried => 2 * SURE - to_conversion,
                Wdl::Loss => 2 * SURE - to_mate,
            }
        };
        let ranked = after.into_iter();
        best_of(
            ranked
                .map(|(mv, clock, mate, conversion)| (mv, rank(clock, mate, conversion)))
                .collect(),
        )
    }

    /// The value for the side to move; a win in which the clock ends before the winner can convert
    /// is a draw.
    pub(super) fn value(&self, board: &Board) -> Option<vocabulary::Value> {
        Some(match self.probe(board, 0)? {
            DRAW => vocabulary::Value::Draw,
            score => vocabulary::Value::of_sign(score.signum() as i8),
        })
    }

    /// The distance for the side to move; `None` if no table knows.
    fn distance(&self, position: &Position, kind: Kind) -> Option<Value> {
        if self.problem.get().is_some() {
            return None;
        }
        self.hear(self.tables.probe(position, kind))
    }

    /// What a table says; a damaged file is remembered, and that a table is missing is no problem.
    fn hear<T>(&self, answer: Result<T, ProbeError>) -> Option<T> {
        match answer {
            Ok(value) => Some(value),
            Err(ProbeError::File(problem)) => {
                self.problem
                    .get_or_init(|| format!("EndingsPath: {problem}; searching without these tables from now on"));
                None
            }
            Err(_) => None,
        }
    }
}

/// The plies that a distance stands for, from the side to move on.
const fn plies(value: Value) -> u32 {
    match value {
        Value::Win(moves) => (2 * moves as u32).saturating_sub(1),
        Value::Draw => 0,
        Value::Loss(moves) => 2 * moves as u32,
    }
}
