//! What a GUI may say, line by line.

use bluebelle_spec::FenError;

use super::go::{self, MOST_PERFT, WITHOUT_LIMITS};
use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::lenient::{self, Change};
use crate::limits::Limits;

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
    /// `position …`
    Position {
        /// The game, with the moves played.
        game: Box<Game>,
        /// What had to be changed in its FEN.
        changes: Vec<Change>,
    },
    /// `go …`
    Go {
        /// The limits that make sense.
        limits: Box<Limits>,
        /// What is wrong with the others.
        problems: Vec<CommandError>,
    },
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
    Fen(FenError),
    /// A move that is not legal there.
    #[error("position: '{mv}' is not a legal move after {played} of the moves")]
    IllegalMove {
        /// The text.
        mv: String,
        /// How many moves before it were played.
        played: usize,
    },
    /// A limit without its number.
    #[error("go {name}: expected a number, found '{found}'; left out")]
    BadNumber {
        /// The limit.
        name: String,
        /// What stood there.
        found: String,
    },
    /// An unknown word after `go`.
    #[error("go: '{0}' is no limit that this engine knows; left out")]
    UnknownLimit(String),
    /// Moves to search that are not legal.
    #[error("go searchmoves: '{0}' is not a legal move here; left out")]
    IllegalSearchMove(String),
    /// Words after `go`, and none of them ends the search.
    #[error("go: found no limit, expected one; searching for {} s", WITHOUT_LIMITS.as_secs())]
    NoLimit,
    /// A perft too deep to end.
    #[error("go perft {0}: at most {MOST_PERFT}")]
    PerftTooDeep(u64),
}

impl CommandError {
    /// Whether a position was refused: then there is none, rather than an old one.
    pub const fn leaves_no_position(&self) -> bool {
        matches!(self, Self::NoPosition | Self::Fen(_) | Self::IllegalMove { .. })
    }
}

/// Reads a line; `board` is the position that `go` is about, if there is one.
///
/// # Errors
/// Says what is wrong.
pub fn parse(line: &str, board: Option<&Board>, evaluator: &Evaluator) -> Result<Command, CommandError> {
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
        "go" => go::parse(words, board),
        other => Err(CommandError::Unknown(shorten(other))),
    }
}

/// Error lines stay short whatever comes in.
pub(super) fn shorten(text: &str) -> String {
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
    let mut changes = Vec::new();
    let mut game = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Game::initial(evaluator),
            Some(_) => return Err(CommandError::NoPosition),
        },
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            let given = lenient::parse(&fields.join(" ")).map_err(CommandError::Fen)?;
            changes = given.changes;
            Game::new(&given.fen, evaluator)
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
    Ok(Command::Position {
        game: Box::new(game),
        changes,
    })
}
