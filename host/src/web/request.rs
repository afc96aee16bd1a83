//! What a tab may ask: read and judged before the desk hears of it.

use bluebelle_spec::Color;
use serde::{Deserialize, Serialize};

use crate::link::{Source, parse_sources};
use crate::strength::Strength;

/// The longest text of a game or position.
const MOST_TEXT: usize = 100_000;
/// The longest move, in letters.
const MOST_MOVE: usize = 12;
/// The longest name of accelerators.
const MOST_NAME: usize = 400;
/// The most best lines.
const MOST_LINES: usize = 5;
/// The most letters that are told of what is wrong with a message.
const MOST_PROBLEM: usize = 200;
/// The longest thought for a move, in seconds.
const MOST_SECONDS: f64 = 600.0;
/// The shortest.
const LEAST_SECONDS: f64 = 0.02;

/// One thing that a tab asks for. What asks for nothing more has braces all the same: only then does
/// serde refuse further fields.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Request {
    /// Play this move in the position after `ply` half-moves, as UCI or a person writes it.
    Move { text: String, ply: usize },
    /// Show the position after `ply` half-moves.
    Show { ply: usize },
    /// Take the last move of a person back, and the answer to it.
    Back {},
    /// A new game from the beginning.
    New {},
    /// A new game from a FEN, or the game of a PGN.
    Set { text: String },
    /// Who plays.
    Mode { mode: Mode },
    /// The engine plays what it has found so far.
    Now {},
    /// How the engine searches.
    Choose {
        seconds: Option<f64>,
        elo: Option<u32>,
        threads: Option<usize>,
        lines: Option<usize>,
        beside: Option<bool>,
        eager: Option<bool>,
    },
    /// Search with these accelerators; empty for software alone.
    Accelerator { name: String },
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Mode {
    /// A person has White, the engine Black.
    White,
    /// A person has Black, the engine White.
    Black,
    /// The engine has both sides.
    Watch,
    /// A person moves for both sides, and the engine searches the position that is shown until it
    /// is another.
    Analyse,
    /// A person moves for both sides, and the engine rests.
    Rest,
}

impl Mode {
    /// Whether the engine plays this side.
    pub(super) fn plays(self, side: Color) -> bool {
        match self {
            Mode::White => side == Color::Black,
            Mode::Black => side == Color::White,
            Mode::Watch => true,
            Mode::Analyse | Mode::Rest => false,
        }
    }
}

/// How the engine searches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// Accelerators, as the UCI option has them; empty for software alone.
    pub accelerator: String,
    /// Seconds for a move.
    pub seconds: f64,
    /// Elo, or 0 for all the strength there is.
    pub elo: u32,
    /// Threads of the host.
    pub threads: usize,
    /// Best lines to show.
    pub lines: usize,
    /// Whether the software alone searches beside the boards.
    pub beside: bool,
    /// Whether boards are asked even where the software would be faster.
    pub eager: bool,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice {
            accelerator: String::new(),
            seconds: 2.0,
            elo: 0,
            threads: 1,
            lines: 1,
            beside: false,
            eager: false,
        }
    }
}

/// The most threads: those of the machine, or what was asked for when the view was started.
pub(super) fn most_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a message of a tab.
///
/// # Errors
/// Says in words for a person what was wrong with it.
pub(super) fn parse(text: &str) -> Result<Request, String> {
    let request: Request = serde_json::from_str(text).map_err(|error| {
        // What was found may be as long as the message itself.
        let error: String = error.to_string().chars().take(MOST_PROBLEM).collect();
        format!("not a request: {error}")
    })?;
    request.check()?;
    Ok(request)
}

impl Request {
    fn check(&self) -> Result<(), String> {
        let within = |name: &str, length: usize, most: usize| match length <= most {
            true => Ok(()),
            false => Err(format!("{name} has {length} letters: expected at most {most}")),
        };
        match self {
            Request::Move { text, .. } => within("the move", text.len(), MOST_MOVE),
            Request::Set { text } => within("the game", text.len(), MOST_TEXT),
            Request::Accelerator { name } => {
                within("the accelerator", name.len(), MOST_NAME)?;
                check_sources(name)
            }
            Request::Choose {
                seconds,
                elo,
                threads,
                lines,
                ..
            } => {
                let range = LEAST_SECONDS..=MOST_SECONDS;
                if let Some(seconds) = seconds.filter(|seconds| !range.contains(seconds)) {
                    return Err(format!("{seconds} seconds: expected {LEAST_SECONDS} to {MOST_SECONDS}"));
                }
                let (least, most) = (Strength::LEAST_ELO, Strength::MOST_ELO);
                if let Some(elo) = elo.filter(|&elo| elo != 0 && !(least..=most).contains(&elo)) {
                    return Err(format!("{elo} Elo: expected {least} to {most}, or 0 for full strength"));
                }
                let most = most_threads();
                if let Some(threads) = threads.filter(|threads| !(1..=most).contains(threads)) {
                    return Err(format!(
                        "{threads} threads: expected 1 to {most}, as many as this machine has"
                    ));
                }
                if let Some(lines) = lines.filter(|lines| !(1..=MOST_LINES).contains(lines)) {
                    return Err(format!("{lines} lines: expected 1 to {MOST_LINES}"));
                }
                Ok(())
            }
            Request::Show { .. } | Request::Back {} | Request::New {} | Request::Mode { .. } | Request::Now {} => {
                Ok(())
            }
        }
    }
}

/// Whether a page may ask for these accelerators: all that there are, except files that would be
/// compiled.
fn check_sources(name: &str) -> Result<(), String> {
    let sources = parse_sources(name).map_err(|error| error.to_string())?;
    for source in sources {
        if let Source::Verilated(chip) = source
            && !chip.is_empty()
            && !matches!(chip.parse(), Ok(1u8..=8))
        {
            return Err(format!(
                "verilated:{chip} cannot be chosen on the page: expected verilated:1 to verilated:8; a Verilog file \
                 is named by bluebelle web --accel"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_sends_is_read() {
        let read = |text| parse(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        let expected = Request::Move {
            text: "e2e4".to_owned(),
            ply: 0,
        };
        assert_eq!(read(r#"{"do":"move","text":"e2e4","ply":0}"#), expected);
        assert_eq!(read(r#"{"do":"back"}"#), Request::Back {});
        assert_eq!(
            read(r#"{"do":"mode","mode":"watch"}"#),
            Request::Mode { mode: Mode::Watch }
        );
        read(r#"{"do":"choose","seconds":0.5,"elo":0}"#);
        read(r#"{"do":"accelerator","name":"model,verilated:2"}"#);
        read(r#"{"do":"accelerator","name":""}"#);
    }

    #[test]
    fn everything_else_is_refused_with_a_reason() {
        let long = "x".repeat(MOST_TEXT + 1);
        for text in [
            "",
            "{}",
            "[]",
            "null",
            "{\"do\":\"quit\"}",
            "{\"do\":\"move\"}",
            "{\"do\":\"move\",\"text\":\"e2e4\",\"ply\":-1}",
            "{\"do\":\"back\",\"more\":1}",
            "{\"do\":\"move\",\"text\":\"e2e4e2e4e2e4e2e4\",\"ply\":0}",
            "{\"do\":\"choose\",\"seconds\":1e9}",
            "{\"do\":\"choose\",\"threads\":0}",
            "{\"do\":\"choose\",\"lines\":50}",
            "{\"do\":\"choose\",\"elo\":1}",
            "{\"do\":\"accelerator\",\"name\":\"verilated:/etc/passwd\"}",
            "{\"do\":\"accelerator\",\"name\":\"verilated:200\"}",
            "{\"do\":\"accelerator\",\"name\":\"nonsense\"}",
            &format!("{{\"do\":\"set\",\"text\":\"{long}\"}}"),
            &"[".repeat(100_000),
        ] {
            let problem = parse(text).expect_err(&text[..text.len().min(60)]);
            assert!(!problem.is_empty() && problem.len() < 600, "{problem}");
        }
    }
}
