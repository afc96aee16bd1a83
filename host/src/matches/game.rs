//! One game: the rules, and when a game is decided.

use std::io;

use bluebelle_spec::{Color, Fen, Move};
use serde::{Deserialize, Serialize};

use crate::evaluation::Evaluator;
use crate::game::{Ending, Game};

/// A game that goes on for this many plies is drawn.
const MOST_PLIES: usize = 400;

/// A game is decided when both players have seen this many centipawns for the same side, each of
/// them twice.
const LEAD: i32 = 1000;
const AGREED_PLIES: usize = 4;

/// What a player does in a position: a move, and its worth for the side to move.
pub type Choice = (Move, i32);

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can give mate.
    Material,
    /// Fifty moves by each side without capture or pawn move.
    Fifty,
    /// The position is on the board for the third time.
    Repetition,
    /// Both players agree that one side has won.
    Agreement,
    /// The game has taken 400 plies.
    Length,
}

impl Reason {
    /// The reason in words, after "won" or "drawn".
    pub const fn words(self) -> &'static str {
        match self {
            Reason::Checkmate => "by checkmate",
            Reason::Stalemate => "by stalemate",
            Reason::Material => "for lack of material",
            Reason::Fifty => "by the fifty-move rule",
            Reason::Repetition => "by repetition",
            Reason::Agreement => "by agreement of both scores",
            Reason::Length => "for length",
        }
    }
}

impl From<Ending> for Reason {
    fn from(ending: Ending) -> Reason {
        match ending {
            Ending::Checkmate => Reason::Checkmate,
            Ending::Stalemate => Reason::Stalemate,
            Ending::InsufficientMaterial => Reason::Material,
            Ending::FiftyMoves => Reason::Fifty,
            Ending::Repetition => Reason::Repetition,
        }
    }
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The winner; `None` after a draw.
    pub winner: Option<Color>,
    /// Why the game is over.
    pub reason: Reason,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Plays a game from a position, with the moves that `choose` chooses for both sides.
///
/// # Errors
/// If no move can be chosen, or the chosen move is not legal.
pub fn play_game(
    fen: &Fen,
    evaluator: &Evaluator,
    mut choose: impl FnMut(&Game) -> io::Result<Choice>,
) -> io::Result<PlayedGame> {
    let mut game = Game::new(fen, evaluator);
    let mut moves = Vec::new();
    let (mut leader, mut agreed) = (None, 0);
    loop {
        let over = |winner, reason, moves| Ok(PlayedGame { winner, reason, moves });
        let turn = game.board().turn();
        if let Some(ending) = game.ending() {
            return over((ending == Ending::Checkmate).then_some(!turn), ending.into(), moves);
        }
        if moves.len() == MOST_PLIES {
            return over(None, Reason::Length, moves);
        }
        let (mv, score) = choose(&game)?;
        if !game.board().is_legal(mv) {
            let position = game.board().fen().map_or("?".to_owned(), |fen| fen.to_string());
            let told = format!("found the move {mv}, expected a legal one, in {position}: a player is broken");
            return Err(io::Error::other(told));
        }
        let leads = match score {
            LEAD.. => Some(turn),
            score if score <= -LEAD => Some(!turn),
            _ => None,
        };
        agreed = if leads == leader { agreed + 1 } else { 1 };
        leader = leads;
        if leader.is_some() && agreed >= AGREED_PLIES {
            return over(leader, Reason::Agreement, moves);
        }
        game.play(mv, evaluator);
        moves.push(mv);
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Weights;

    use super::*;

    /// Plays moves in turn, all worth the same.
    fn player<'p>(moves: &'p [&'p str], worth: i32) -> impl FnMut(&Game) -> io::Result<Choice> + 'p {
        let mut moves = moves.iter().cycle();
        move |game| {
            let text = moves.next().expect("a cycle");
            let legal = game.board().legal_moves();
            let mv = legal.iter().map(|scored| scored.mv).find(|mv| mv.to_string() == *text);
            Ok((
                mv.ok_or_else(|| io::Error::other(format!("{text} is not legal")))?,
                worth,
            ))
        }
    }

    fn play(white: &[&str], black: &[&str], worths: [i32; 2]) -> (Option<Color>, Reason, usize) {
        let evaluator = Evaluator::new(Weights::standard());
        let fen = Game::initial(&evaluator).board().fen().expect("a FEN");
        let mut players = (player(white, worths[0]), player(black, worths[1]));
        let choose = |game: &Game| match game.board().turn() {
            Color::White => players.0(game),
            Color::Black => players.1(game),
        };
        let played = play_game(&fen, &evaluator, choose).expect("they can play");
        (played.winner, played.reason, played.moves.len())
    }

    #[test]
    fn games_end_by_the_rules_or_by_agreement() {
        let mate = play(&["f2f3", "g2g4"], &["e7e5", "d8h4"], [0, 0]);
        assert_eq!(mate, (Some(Color::Black), Reason::Checkmate, 4));
        let (there, back) = (["g1f3", "f3g1"], ["g8f6", "f6g8"]);
        let thrice = (None, Reason::Repetition, 8);
        assert_eq!(play(&there, &back, [0, 0]), thrice);
        assert_eq!(play(&there, &back, [2000, 1500]), thrice, "not agreed");
        let agreed = (Some(Color::White), Reason::Agreement, 3);
        assert_eq!(play(&there, &back, [2000, -1500]), agreed);
    }

    #[test]
    fn an_illegal_move_is_an_error() {
        let evaluator = Evaluator::new(Weights::standard());
        let fen = Game::initial(&evaluator).board().fen().expect("a FEN");
        let error = play_game(&fen, &evaluator, |_| Ok((Move::NONE, 0))).expect_err("no move");
        assert!(error.to_string().contains("expected a legal one"), "{error}");
    }
}
