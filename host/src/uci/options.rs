//! The options that a GUI shows.

use std::fmt::Write as _;
use std::time::Duration;

use bluebelle_knowledge::vocabulary::Merit;

use crate::backend::Request;
use crate::draws::Draws;
use crate::opponent::Aims;
use crate::search::Settings;
use crate::strength::Strength;

/// The options as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Mebibytes for the transposition table.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// Best lines to tell.
    pub multipv: usize,
    /// Milliseconds that a move loses between here and the clock.
    pub overhead: u64,
    /// Where the endgame tables are; empty for none.
    pub syzygy_path: String,
    /// Where the endgame tables of our own are; empty for none.
    pub endings_path: String,
    /// What draws are worth that the tables know.
    pub draws: Draws,
    /// How strong the opponent is, in rating points.
    pub opponent: u64,
    /// Centipawns that a move may give up to be harder to answer; 0 for the best move.
    pub complexity: u64,
    /// Whether to tell the chances of win, draw and loss.
    pub show_wdl: bool,
    /// Whether to play weaker.
    pub limit_strength: bool,
    /// How strong then.
    pub elo: u32,
    /// Accelerators; empty for software alone.
    pub accelerator: String,
    /// The file with the weights of the evaluation; empty for the standard ones.
    pub eval_file: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            multipv: 1,
            overhead: 10,
            syzygy_path: String::new(),
            endings_path: String::new(),
            draws: Draws::Plain,
            opponent: 1500,
            complexity: 0,
            show_wdl: false,
            limit_strength: false,
            elo: Strength::MOST_ELO,
            accelerator: String::new(),
            eval_file: String::new(),
        }
    }
}

/// What a changed option asks of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing now.
    None,
    /// Forget everything.
    Clear,
    /// A table of another size.
    Resize,
    /// Another backend.
    Reopen,
    /// Other endgame tables.
    Tables,
}

/// Why an option is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No such option.
    #[error("no option is called '{0}'; 'uci' lists them")]
    Unknown(String),
    /// Not a number, or out of range.
    #[error("{name} is '{value}': expected a number from {least} to {most}")]
    Number {
        /// The option.
        name: &'static str,
        /// What it was given.
        value: String,
        /// The least it can be.
        least: u64,
        /// The most.
        most: u64,
    },
    /// Not one of the words that the option knows.
    #[error("{name} is '{value}': expected {expected}")]
    Choice {
        /// The option.
        name: &'static str,
        /// What it was given.
        value: String,
        /// The words.
        expected: &'static str,
    },
    /// Neither true nor false.
    #[error("{name} is '{value}': expected true or false")]
    Check {
        /// The option.
        name: &'static str,
        /// What it was given.
        value: String,
    },
}

/// The most mebibytes for the transposition table.
const MOST_HASH: u64 = 1 << 16;
/// The most threads.
const MOST_THREADS: u64 = 256;
/// The most lines; no position has more moves.
const MOST_LINES: u64 = 218;
/// The most milliseconds of overhead.
const MOST_OVERHEAD: u64 = 5000;
/// The strongest opponent, in rating points.
const MOST_OPPONENT: u64 = (Merit::MOST * 1000.0) as u64;
/// The most centipawns that complexity may cost.
const MOST_COMPLEXITY: u64 = 200;

impl Options {
    /// The `option` lines.
    pub fn declare() -> String {
        let default = Options::default();
        let mut text = String::new();
        let mut spin = |name: &str, value: u64, least: u64, most: u64| {
            let _ = writeln!(
                text,
                "option name {name} type spin default {value} min {least} max {most}"
            );
        };
        spin("Hash", default.hash as u64, 1, MOST_HASH);
        spin("Threads", default.threads as u64, 1, MOST_THREADS);
        spin("MultiPV", default.multipv as u64, 1, MOST_LINES);
        spin("Move Overhead", default.overhead, 0, MOST_OVERHEAD);
        spin(
            "UCI_Elo",
            u64::from(default.elo),
            u64::from(Strength::LEAST_ELO),
            u64::from(Strength::MOST_ELO),
        );
        spin("Opponent Merit", default.opponent, 0, MOST_OPPONENT);
        spin("Complexity", default.complexity, 0, MOST_COMPLEXITY);
        text.push_str("option name Draws type combo default plain var plain var shaded\n");
        for name in ["Ponder", "UCI_LimitStrength", "UCI_ShowWDL"] {
            let _ = writeln!(text, "option name {name} type check default false");
        }
        for name in ["SyzygyPath", "EndingsPath", "Accelerator", "EvalFile"] {
            let _ = writeln!(text, "option name {name} type string default <empty>");
        }
        text.push_str("option name Clear Hash type button\n");
        text
    }

    /// Sets an option by its name, in any case.
    ///
    /// # Errors
    /// If there is no such option or it cannot have this value; then nothing changes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = number("Hash", value, 1, MOST_HASH)? as usize;
                return Ok(Effect::Resize);
            }
            "threads" => self.threads = number("Threads", value, 1, MOST_THREADS)? as usize,
            "multipv" => self.multipv = number("MultiPV", value, 1, MOST_LINES)? as usize,
            "move overhead" => self.overhead = number("Move Overhead", value, 0, MOST_OVERHEAD)?,
            "uci_elo" => {
                let (least, most) = (u64::from(Strength::LEAST_ELO), u64::from(Strength::MOST_ELO));
                self.elo = number("UCI_Elo", value, least, most)? as u32;
            }
            // The GUI tells that it may say `go ponder`; nothing depends on it.
            "ponder" => drop(check("Ponder", value)?),
            "uci_limitstrength" => self.limit_strength = check("UCI_LimitStrength", value)?,
            "uci_showwdl" => self.show_wdl = check("UCI_ShowWDL", value)?,
            "syzygypath" => {
                self.syzygy_path = text(value);
                return Ok(Effect::Tables);
            }
            "endingspath" => {
                self.endings_path = text(value);
                return Ok(Effect::Tables);
            }
            "draws" => {
                self.draws = match value.to_ascii_lowercase().as_str() {
                    "plain" => Draws::Plain,
                    "shaded" => Draws::Shaded,
                    _ => {
                        return Err(OptionError::Choice {
                            name: "Draws",
                            value: value.to_owned(),
                            expected: "plain or shaded",
                        });
                    }
                }
            }
            "opponent merit" => self.opponent = number("Opponent Merit", value, 0, MOST_OPPONENT)?,
            "complexity" => self.complexity = number("Complexity", value, 0, MOST_COMPLEXITY)?,
            "accelerator" => {
                self.accelerator = text(value);
                return Ok(Effect::Reopen);
            }
            "evalfile" => {
                self.eval_file = text(value);
                return Ok(Effect::Reopen);
            }
            "clear hash" => return Ok(Effect::Clear),
            _ => return Err(OptionError::Unknown(name.to_owned())),
        }
        Ok(Effect::None)
    }

    /// How to search.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads,
            multipv: self.multipv,
            overhead: Duration::from_millis(self.overhead),
            chances: self.show_wdl,
            tables: None,
            draws: self.draws,
            all_replies: false,
        }
    }

    /// How to play for the opponent's errors.
    pub fn aims(&self) -> Aims {
        Aims {
            merit: Merit::nearest(self.opponent as f64 / 1000.0),
            complexity: self.complexity as i32,
            draws: self.draws,
        }
    }

    /// How strong to play, if not as strong as possible.
    pub fn strength(&self) -> Option<Strength> {
        self.limit_strength.then(|| Strength::new(self.elo))
    }

    /// What the backend must be.
    pub fn backend(&self) -> Request {
        Request {
            accelerator: self.accelerator.clone(),
            hash: self.hash,
            eval_file: self.eval_file.clone(),
            eager: false,
        }
    }
}

fn number(name: &'static str, value: &str, least: u64, most: u64) -> Result<u64, OptionError> {
    let parsed = value.parse().ok().filter(|number| (least..=most).contains(number));
    parsed.ok_or_else(|| OptionError::Number {
        name,
        value: value.to_owned(),
        least,
        most,
    })
}

fn check(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(OptionError::Check {
            name,
            value: value.to_owned(),
        }),
    }
}

fn text(value: &str) -> String {
    match value {
        "<empty>" => String::new(),
        value => value.to_owned(),
    }
}
