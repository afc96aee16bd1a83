//! What a GUI may say, line by line.

use std::time::Duration;

use bluebelle_spec::{Color, Fen, FenError};

use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Clock, Limits};

/// A line from the GUI.
#[derive(Clone, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `setoption name … value …`
    SetOption {
        /// The option.
        name: String,
        /// Its value; empty for a button.
        value: String,
    },
    /// `position …`, with the moves played
    Position(Box<Game>),
    /// `go …`
    Go(Box<Limits>),
    /// `go perft N`
    Perft(u32),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `d`: show the board
    Display,
    /// `eval`
    Eval,
    /// An empty line, or one that needs no answer
    Nothing,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// Not a command.
    #[error("unknown command '{0}'; try uci, isready, position, go, stop, d, eval or quit")]
    Unknown(String),
    /// `setoption` without a name.
    #[error("setoption: expected 'name <id>' and perhaps 'value <x>'")]
    NoOptionName,
    /// `position` without a position.
    #[error("position: expected 'startpos' or 'fen <FEN>', then perhaps 'moves …'")]
    NoPosition,
    /// Not a FEN.
    #[error("position: {0}")]
    Fen(#[from] FenError),
    /// A move that is not legal there.
    #[error("position: '{mv}' is not a legal move after {played} of the moves; the position stays as it was")]
    IllegalMove {
        /// The text.
        mv: String,
        /// How many moves before it were played.
        played: usize,
    },
    /// A limit without its number.
    #[error("go {name}: expected a number, found '{found}'")]
    BadNumber {
        /// The limit.
        name: String,
        /// What stood there.
        found: String,
    },
    /// An unknown word after `go`.
    #[error("go: '{0}' is no limit that this engine knows")]
    UnknownLimit(String),
    /// Moves to search that are not legal.
    #[error("go searchmoves: '{0}' is not a legal move here")]
    IllegalSearchMove(String),
    /// A perft too deep to end.
    #[error("go perft {0}: at most {MOST_PERFT}")]
    PerftTooDeep(u64),
}

const MOST_PERFT: u64 = 15;

/// Reads a line; `board` is the position that `go` is about.
///
/// # Errors
/// Says what is wrong.
pub fn parse(line: &str, board: &Board, evaluator: &Evaluator) -> Result<Command, CommandError> {
    let mut words = line.split_ascii_whitespace();
    let Some(first) = words.next() else {
        return Ok(Command::Nothing);
    };
    match first {
        "uci" => Ok(Command::Uci),
        "isready" => Ok(Command::IsReady),
        "ucinewgame" => Ok(Command::NewGame),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit),
        "quit" | "exit" => Ok(Command::Quit),
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "debug" | "register" => Ok(Command::Nothing),
        "setoption" => parse_option(line),
        "position" => parse_position(words, evaluator),
        "go" => parse_go(words, board),
        other => Err(CommandError::Unknown(shorten(other))),
    }
}

/// Error lines stay short whatever comes in.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn parse_option(line: &str) -> Result<Command, CommandError> {
    let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
    if words.first() != Some(&"name") || words.len() < 2 {
        return Err(CommandError::NoOptionName);
    }
    let end = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    Ok(Command::SetOption {
        name: words[1..end.max(1)].join(" "),
        value: words.get(end + 1..).unwrap_or_default().join(" "),
    })
}

fn parse_position<'a>(
    mut words: impl Iterator<Item = &'a str>,
    evaluator: &Evaluator,
) -> Result<Command, CommandError> {
    let mut game = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Game::initial(evaluator),
            Some(_) => return Err(CommandError::NoPosition),
        },
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            Game::new(&fields.join(" ").parse::<Fen>()?, evaluator)
        }
        _ => return Err(CommandError::NoPosition),
    };
    for (played, text) in words.enumerate() {
        let Some(mv) = game.board().parse_move(text) else {
            let mv = shorten(text);
            return Err(CommandError::IllegalMove { mv, played });
        };
        game.play(mv, evaluator);
    }
    Ok(Command::Position(Box::new(game)))
}

fn parse_go<'a>(words: impl Iterator<Item = &'a str>, board: &Board) -> Result<Command, CommandError> {
    let mut words = words.peekable();
    let mut limits = Limits::default();
    let mut clocks = [Clock::default(); 2];
    let mut timed = [false; 2];
    let mut moves_to_go = None;
    while let Some(word) = words.next() {
        let mut number = || -> Result<i64, CommandError> {
            let found = words.next().unwrap_or("nothing");
            let bad = |_| CommandError::BadNumber {
                name: word.to_owned(),
                found: shorten(found),
            };
            found.parse().map_err(bad)
        };
        // A clock that has run out, as some GUIs tell it, is a clock with nothing left.
        let positive = |number: i64| u64::try_from(number).unwrap_or(0);
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "depth" => limits.depth = Some(positive(number()?).clamp(1, 1000) as u32),
            "nodes" => limits.nodes = Some(positive(number()?).max(1)),
            "mate" => limits.mate = Some(positive(number()?).clamp(1, 1000) as u32),
            "movetime" => limits.movetime = Some(milliseconds(positive(number()?))),
            "movestogo" => moves_to_go = Some(positive(number()?).min(1000) as u32).filter(|&moves| moves > 0),
            "wtime" | "btime" => {
                let side = usize::from(word == "btime");
                clocks[side].remaining = milliseconds(positive(number()?));
                timed[side] = true;
            }
            "winc" | "binc" => clocks[usize::from(word == "binc")].increment = milliseconds(positive(number()?)),
            "perft" => {
                return match positive(number()?) {
                    depth if depth <= MOST_PERFT => Ok(Command::Perft(depth as u32)),
                    depth => Err(CommandError::PerftTooDeep(depth)),
                };
            }
            "searchmoves" => {
                while let Some(text) = words.next_if(|text| text.parse::<bluebelle_spec::Move>().is_ok()) {
                    let mv = board.parse_move(text);
                    let illegal = || CommandError::IllegalSearchMove(shorten(text));
                    limits.searchmoves.push(mv.ok_or_else(illegal)?);
                }
                if limits.searchmoves.is_empty() {
                    let found = words.next().unwrap_or("nothing");
                    return Err(CommandError::IllegalSearchMove(shorten(found)));
                }
            }
            other => return Err(CommandError::UnknownLimit(shorten(other))),
        }
    }
    let side = match board.turn() {
        Color::White => 0,
        Color::Black => 1,
    };
    if timed[side] {
        limits.clock = Some(Clock {
            moves_to_go,
            ..clocks[side]
        });
    }
    Ok(Command::Go(Box::new(limits)))
}

/// A year is long enough, and its sums do not overflow.
fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(365 * 24 * 3600 * 1000))
}
