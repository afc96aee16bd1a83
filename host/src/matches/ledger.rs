//! The ledger: games on disk, a line of JSON each, so that a match goes on where it was stopped.
//!
//! The first line has the conditions. A line is written whole, by a single call, and a last line
//! without an end is what a killed match left: its game is played again.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::conditions::{Conditions, differ};
use super::game::Reason;
use super::plan::Plan;
use super::player::{BoardWork, Decision};
use super::score::Side;
use crate::score::is_mate_or_table;

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The odds of its match.
    pub odds: f64,
    /// Its number in the match, from 1.
    pub game: u32,
    /// What it began from.
    pub opening: String,
    /// Who had White.
    pub white: Side,
    /// Who won; `None` after a draw.
    pub winner: Option<Side>,
    /// Why it is over.
    pub reason: Reason,
    /// Half-moves played.
    pub plies: usize,
    /// The moves as UCI writes them, with spaces between.
    pub moves: String,
    /// What the first side did.
    pub first: SideWork,
    /// What its opponent did.
    pub opponent: SideWork,
}

/// What a side did, additive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideWork {
    /// Moves chosen.
    pub decisions: u64,
    /// Moves chosen without a mate in sight: with one, depth says nothing.
    pub depths: u64,
    /// The sum of their depths.
    pub depth_sum: i64,
    /// Nodes of host and boards.
    pub nodes: u64,
    /// Virtual nanoseconds.
    pub time: u64,
    /// The boards' part, if there are any.
    pub board: Option<BoardWork>,
}

impl SideWork {
    /// Counts a decision.
    pub fn add(&mut self, decision: &Decision) {
        let tells_depth = !is_mate_or_table(decision.score);
        *self += SideWork {
            decisions: 1,
            depths: u64::from(tells_depth),
            depth_sum: if tells_depth { decision.depth.into() } else { 0 },
            nodes: decision.nodes,
            time: decision.time.as_nanos() as u64,
            board: decision.board,
        };
    }
}

/// A ledger is an outside input: its sums stop at the largest number.
impl AddAssign for SideWork {
    fn add_assign(&mut self, other: SideWork) {
        self.decisions = self.decisions.saturating_add(other.decisions);
        self.depths = self.depths.saturating_add(other.depths);
        self.depth_sum = self.depth_sum.saturating_add(other.depth_sum);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.time = self.time.saturating_add(other.time);
        if let Some(board) = other.board {
            *self.board.get_or_insert_default() += board;
        }
    }
}

/// Why a ledger is of no use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The system does not let us.
    #[error("cannot {doing} the ledger {path}: {problem}", path = path.display())]
    System {
        /// What we wanted.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: io::Error,
    },
    /// Another match has the file.
    #[error("another match writes to the ledger {path}: let it end, or give another file", path = path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{path} is no ledger: found '{found}', expected the conditions of a match; give another file",
        path = path.display())]
    NoLedger {
        /// The file.
        path: PathBuf,
        /// How it begins.
        found: String,
    },
    /// A line has no game.
    #[error("line {line} of the ledger {path} has no game: {problem}; remove the line, and its game is played again",
        path = path.display())]
    NoGame {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: serde_json::Error,
    },
    /// A line has a game that does not belong there.
    #[error("line {line} of the ledger {path}: found {found}, expected {expected}; remove the line",
        path = path.display())]
    WrongGame {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What it has.
        found: String,
        /// What it could have.
        expected: String,
    },
    /// The match had other settings.
    #[error("the ledger {path} is of a match with other settings ({differences}): give the same settings, or another \
        file", path = path.display())]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        differences: String,
    },
}

/// A file to which games are added.
#[derive(Debug)]
pub struct Ledger {
    file: File,
    path: PathBuf,
}

/// A ledger and what it has.
#[derive(Debug)]
pub struct Opened {
    /// The ledger.
    pub ledger: Ledger,
    /// Its games, in the order in which they ended.
    pub records: Vec<GameRecord>,
    /// What the user should know: that a torn line was dropped.
    pub message: Option<String>,
}

impl Ledger {
    /// Opens a ledger, or begins one.
    ///
    /// # Errors
    /// If the file is no ledger, or that of another match.
    pub fn open(path: &Path, conditions: &Conditions, plan: &Plan) -> Result<Opened, LedgerError> {
        let system = |doing| {
            let path = path.to_owned();
            move |problem| LedgerError::System { doing, path, problem }
        };
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(system("open"))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(LedgerError::Busy { path: path.to_owned() }),
            // Not every file system has locks.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(system("read"))?;
        let first_line = to_line(conditions).map_err(system("write"))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, torn) = bytes.split_at(whole);
        let no_ledger = || {
            let text = String::from_utf8_lossy(&bytes);
            let found = text.chars().take_while(|&c| c != '\n').take(40).collect();
            let path = path.to_owned();
            LedgerError::NoLedger { path, found }
        };
        let lines = std::str::from_utf8(lines).map_err(|_| no_ledger())?;
        if lines.is_empty() && !first_line.as_bytes().starts_with(torn) {
            return Err(no_ledger());
        }
        let mut records = Vec::new();
        if let Some(found) = lines.lines().next() {
            let found: Value = serde_json::from_str(found).map_err(|_| no_ledger())?;
            if found.get("ledger").is_none() {
                return Err(no_ledger());
            }
            let now: Value = serde_json::from_str(&first_line).map_err(|_| no_ledger())?;
            let mut differences = Vec::new();
            differ("", &found, &now, &mut differences);
            if !differences.is_empty() {
                let (path, differences) = (path.to_owned(), differences.join("; "));
                return Err(LedgerError::OtherMatch { path, differences });
            }
            records = read_games(path, lines, plan)?;
        }
        file.set_len(whole as u64).map_err(system("shorten"))?;
        file.seek(SeekFrom::End(0)).map_err(system("write"))?;
        let mut ledger = Ledger {
            file,
            path: path.to_owned(),
        };
        if lines.is_empty() {
            ledger.write(&first_line)?;
        }
        let message = (!torn.is_empty()).then(|| {
            let line = lines.lines().count() + 1;
            let path = path.display();
            format!("line {line} of the ledger {path} had no end, as after a kill, and is dropped")
        });
        Ok(Opened {
            ledger,
            records,
            message,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the system does not write it.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), LedgerError> {
        let line = to_line(record).map_err(|problem| self.failed(problem))?;
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), LedgerError> {
        let written = self
            .file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.sync_data());
        written.map_err(|problem| self.failed(problem))
    }

    fn failed(&self, problem: io::Error) -> LedgerError {
        let (doing, path) = ("write", self.path.clone());
        LedgerError::System { doing, path, problem }
    }
}

fn to_line(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

fn read_games(path: &Path, lines: &str, plan: &Plan) -> Result<Vec<GameRecord>, LedgerError> {
    let mut records: Vec<GameRecord> = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, text) in lines.lines().enumerate().skip(1) {
        let line = index + 1;
        let record: GameRecord = serde_json::from_str(text).map_err(|problem| LedgerError::NoGame {
            path: path.to_owned(),
            line,
            problem,
        })?;
        let wrong = |found: String, expected: String| LedgerError::WrongGame {
            path: path.to_owned(),
            line,
            found,
            expected,
        };
        let most = 2 * plan.openings.len();
        let place = plan.odds.iter().position(|&odds| odds == record.odds);
        let (Some(place), 1..) = (place, record.game) else {
            let found = format!("game {} at odds {}", record.game, record.odds);
            return Err(wrong(found, format!("games from 1 on, and the odds {:?}", plan.odds)));
        };
        if record.game as usize > most {
            return Err(wrong(format!("game {}", record.game), format!("at most {most} games")));
        }
        let (opening, white) = (&plan.opening(record.game).id, Plan::white(record.game));
        if record.opening != *opening || record.white != white {
            let found = format!("'{}', White {:?}", record.opening, record.white);
            return Err(wrong(found, format!("'{opening}', White {white:?}")));
        }
        if !seen.insert((place, record.game)) {
            return Err(wrong(
                format!("game {} again", record.game),
                "each game once".to_owned(),
            ));
        }
        records.push(record);
    }
    Ok(records)
}
