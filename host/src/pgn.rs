//! Games in PGN, by way of pgn-reader.

use std::io;
use std::ops::ControlFlow;

use bluebelle_spec::{Fen, Move};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};

use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::notation;

/// The moves of a game.
#[derive(Clone, Debug)]
pub struct Record {
    /// Who played White and Black, as far as the tags say.
    pub players: [String; 2],
    /// All tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where it began.
    pub start: Game,
    /// The moves of the main line.
    pub moves: Vec<Move>,
}

/// Why a text has no game in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// It cannot be read.
    #[error("the PGN cannot be read: {0}")]
    Read(io::Error),
    /// No game at all.
    #[error("there is no game {0} in the PGN; it has {1}")]
    NoGame(usize, usize),
    /// The game starts from an impossible position.
    #[error("the game's FEN tag is wrong: {0}")]
    Fen(String),
    /// A move that cannot be played.
    #[error("'{mv}' after {played} half-moves of the game is not a legal move")]
    Illegal {
        /// The text.
        mv: String,
        /// How many half-moves were played before.
        played: usize,
    },
}

/// Reads a game; `number` counts from 1.
///
/// # Errors
/// If there is no such game, or it has a move that is not legal.
pub fn read(text: &str, number: usize, evaluator: &Evaluator) -> Result<Record, PgnError> {
    let mut reader = Reader::new(io::Cursor::new(text.as_bytes()));
    for before in 1..=number {
        let mut recorder = Recorder { evaluator };
        match reader.read_game(&mut recorder).map_err(PgnError::Read)? {
            None => return Err(PgnError::NoGame(number, before - 1)),
            Some(record) if before == number => return record,
            Some(_) => {}
        }
    }
    Err(PgnError::NoGame(number, 0))
}

/// Reads all games of a text.
///
/// # Errors
/// If a game has a move that is not legal; the number of the game goes with the error, from 1.
pub fn read_all(text: &str, evaluator: &Evaluator) -> Result<Vec<Record>, (usize, PgnError)> {
    let mut reader = Reader::new(io::Cursor::new(text.as_bytes()));
    let mut records = Vec::new();
    let mut recorder = Recorder { evaluator };
    loop {
        let number = records.len() + 1;
        let game = reader.read_game(&mut recorder);
        match game.map_err(|problem| (number, PgnError::Read(problem)))? {
            None => return Ok(records),
            Some(record) => records.push(record.map_err(|problem| (number, problem))?),
        }
    }
}

/// A tag, on a line of its own.
pub(crate) fn tag(name: &str, value: &str) -> String {
    let value: String = value.chars().filter(|c| !c.is_control()).collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// Lines are not longer.
const WIDTH: usize = 80;

/// Words in lines of a decent length.
pub(crate) fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        width += length;
        text += word;
    }
    text + "\n"
}

struct Recorder<'a> {
    evaluator: &'a Evaluator,
}

struct Tags {
    all: Vec<(String, String)>,
    fen: Option<String>,
    players: [String; 2],
}

struct Movetext {
    record: Record,
    game: Game,
}

impl Visitor for Recorder<'_> {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = Result<Record, PgnError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        let unknown = || "?".to_owned();
        ControlFlow::Continue(Tags {
            all: Vec::new(),
            fen: None,
            players: [unknown(), unknown()],
        })
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        tags.all
            .push((String::from_utf8_lossy(name).into_owned(), text.clone()));
        match name {
            b"FEN" => tags.fen = Some(text),
            b"White" => tags.players[0] = text,
            b"Black" => tags.players[1] = text,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Movetext> {
        let start = match tags.fen {
            None => Game::initial(self.evaluator),
            Some(text) => match text.parse::<Fen>() {
                Ok(fen) => Game::new(&fen, self.evaluator),
                Err(error) => return ControlFlow::Break(Err(PgnError::Fen(error.to_string()))),
            },
        };
        ControlFlow::Continue(Movetext {
            game: start.clone(),
            record: Record {
                players: tags.players,
                tags: tags.all,
                start,
                moves: Vec::new(),
            },
        })
    }

    fn san(&mut self, movetext: &mut Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let Some(mv) = notation::parse(movetext.game.board(), &san.san.to_string()) else {
            return ControlFlow::Break(Err(PgnError::Illegal {
                mv: san.to_string(),
                played: movetext.record.moves.len(),
            }));
        };
        movetext.game.play(mv, self.evaluator);
        movetext.record.moves.push(mv);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _movetext: &mut Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, movetext: Movetext) -> Self::Output {
        Ok(movetext.record)
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Weights;

    use super::*;

    fn game(text: &str, number: usize) -> Result<Record, PgnError> {
        read(text, number, &Evaluator::new(Weights::standard()))
    }

    const TWO: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3! {good} Nc6 1-0\n\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke7 *\n";

    #[test]
    fn games_are_read_by_number() {
        let first = game(TWO, 1).expect("a game");
        assert_eq!(first.players, ["A", "B"]);
        let moves: Vec<String> = first.moves.iter().map(Move::to_string).collect();
        assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(game(TWO, 2).expect("a game").moves.len(), 2);
        assert_eq!(
            game(TWO, 3).expect_err("no third").to_string(),
            "there is no game 3 in the PGN; it has 2"
        );
    }

    #[test]
    fn illegal_moves_are_named() {
        let error = game("1. e4 e5 2. Ke3 *", 1).expect_err("an illegal move");
        assert_eq!(
            error.to_string(),
            "'Ke3' after 2 half-moves of the game is not a legal move"
        );
        let error = game("[FEN \"8/8 w\"]\n\n1. e4 *", 1).expect_err("a wrong FEN");
        assert!(error.to_string().starts_with("the game's FEN tag is wrong"), "{error}");
    }
}
