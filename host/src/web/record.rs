//! The game on the page: its moves, the position that is shown, and what engines thought of each
//! position.

use bluebelle_spec::{Color, Move};

use super::engine::Who;
use crate::evaluation::Evaluator;
use crate::game::{Ending, Game};
use crate::{notation, pgn};

/// No game on the page is longer, in half-moves.
const MOST_PLIES: usize = 2_000;

/// A game, and the place in it that is shown.
pub(super) struct Record {
    /// The positions: the first, and that after each move.
    positions: Vec<Game>,
    moves: Vec<Played>,
    shown: usize,
    /// Scores of the positions in centipawns for White, by who found them.
    scores: [Vec<Option<i32>>; 2],
}

/// A move that was played.
#[derive(Clone)]
pub(super) struct Played {
    pub(super) mv: Move,
    pub(super) san: String,
}

impl Record {
    pub(super) fn new(start: Game) -> Record {
        Record {
            positions: vec![start],
            moves: Vec::new(),
            shown: 0,
            scores: [vec![None], vec![None]],
        }
    }

    /// A game with these moves; the end is shown.
    ///
    /// # Errors
    /// If the game is too long.
    pub(super) fn of(start: Game, moves: &[Move], evaluator: &Evaluator) -> Result<Record, String> {
        let mut record = Record::new(start);
        for &mv in moves {
            record.play(mv, evaluator)?;
        }
        Ok(record)
    }

    /// The position that is shown.
    pub(super) fn game(&self) -> &Game {
        &self.positions[self.shown]
    }

    /// Half-moves before the position that is shown.
    pub(super) const fn shown(&self) -> usize {
        self.shown
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.shown == self.moves.len()
    }

    pub(super) fn moves(&self) -> &[Played] {
        &self.moves
    }

    pub(super) fn start(&self) -> &Game {
        &self.positions[0]
    }

    pub(super) fn scores(&self) -> &[Vec<Option<i32>>; 2] {
        &self.scores
    }

    /// Shows the position after `ply` half-moves, or the last one.
    pub(super) fn show(&mut self, ply: usize) {
        self.shown = ply.min(self.moves.len());
    }

    /// Plays a legal move in the position that is shown. What came after that position is gone,
    /// unless it is the same move.
    ///
    /// # Errors
    /// If the game is too long.
    pub(super) fn play(&mut self, mv: Move, evaluator: &Evaluator) -> Result<(), String> {
        if self.moves.get(self.shown).is_some_and(|played| played.mv == mv) {
            self.shown += 1;
            return Ok(());
        }
        if self.shown >= MOST_PLIES {
            return Err(format!(
                "the game has {MOST_PLIES} half-moves, and cannot be longer: begin a new one"
            ));
        }
        self.cut();
        let mut game = self.game().clone();
        let san = notation::format(game.board(), mv);
        game.play(mv, evaluator);
        self.positions.push(game);
        self.moves.push(Played { mv, san });
        for scores in &mut self.scores {
            scores.push(None);
        }
        self.shown += 1;
        Ok(())
    }

    /// Takes back moves from the position that is shown until it is the turn of a person, at least
    /// one; whether there was one.
    pub(super) fn take_back(&mut self, is_person: impl Fn(Color) -> bool) -> bool {
        let before = self.positions[..self.shown].iter();
        let Some(ply) = before.rev().position(|game| is_person(game.board().turn())) else {
            return false;
        };
        self.shown -= ply + 1;
        self.cut();
        true
    }

    /// Forgets what came after the position that is shown.
    fn cut(&mut self) {
        self.moves.truncate(self.shown);
        self.positions.truncate(self.shown + 1);
        for scores in &mut self.scores {
            scores.truncate(self.shown + 1);
        }
    }

    /// Keeps what an engine thinks of a position, for the side to move there; whether that is new.
    pub(super) fn judge(&mut self, who: Who, ply: usize, score: i32) -> bool {
        let Some(game) = self.positions.get(ply) else {
            return false;
        };
        let score = match game.board().turn() {
            Color::White => score,
            Color::Black => -score,
        };
        let place = &mut self.scores[who as usize][ply];
        place.replace(score) != Some(score)
    }

    /// Why the game is over in the position that is shown, in words.
    pub(super) fn over(&self) -> Option<(Ending, String)> {
        let ending = self.game().ending()?;
        Some((ending, ending.describe(self.game().board().turn())))
    }

    /// The game as other programs read it.
    pub(super) fn pgn(&self, [white, black]: [&str; 2]) -> String {
        let last = &self.positions[self.moves.len()];
        let result = match (last.ending(), last.board().turn()) {
            (None, _) => "*",
            (Some(Ending::Checkmate), Color::White) => "0-1",
            (Some(Ending::Checkmate), Color::Black) => "1-0",
            (Some(_), _) => "1/2-1/2",
        };
        let mut text = String::new();
        let start = self
            .start()
            .board()
            .fen()
            .map(|fen| fen.to_string())
            .unwrap_or_default();
        let tags = [
            ("Event", "Bluebelle's live view"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "-"),
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("SetUp", "1"),
            ("FEN", &start),
        ];
        for (name, value) in tags {
            text += &pgn::tag(name, value);
        }
        text.push('\n');
        let mut words = Vec::new();
        for (game, played) in self.positions.iter().zip(&self.moves) {
            let number = game.board().fullmoves();
            match game.board().turn() {
                Color::White => words.push(format!("{number}. {}", played.san)),
                Color::Black if words.is_empty() => words.push(format!("{number}... {}", played.san)),
                Color::Black => words.push(played.san.clone()),
            }
        }
        words.push(result.to_owned());
        text + &pgn::wrap(&words)
    }
}
