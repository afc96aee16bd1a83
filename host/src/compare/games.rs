//! Games by the clock: what speed is worth in points.

use std::fmt;
use std::io;

use bluebelle_spec::{Color, Fen, Move};
use serde::Serialize;

use crate::evaluation::Evaluator;
use crate::game::{Ending, Game};

/// A game that goes on for so many plies is drawn.
const MOST_PLIES: usize = 400;

/// A game is decided when both players have seen so many centipawns for the same side, each of them twice.
const LEAD: i32 = 1000;
const AGREED_PLIES: usize = 4;

/// What a player does in a position: a move, and its worth for the side to move.
pub type Choice = (Move, i32);

/// Plays a game from a position, with the moves that `choose` chooses for both sides. Whoever won, if anybody did.
///
/// # Errors
/// If no move can be chosen.
pub fn play_game(
    fen: &Fen,
    evaluator: &Evaluator,
    mut choose: impl FnMut(&Game) -> io::Result<Choice>,
) -> io::Result<Option<Color>> {
    let mut game = Game::new(fen, evaluator);
    let (mut leader, mut agreed) = (None, 0);
    for _ in 0..MOST_PLIES {
        let turn = game.board().turn();
        if let Some(ending) = game.ending() {
            return Ok((ending == Ending::Checkmate).then_some(!turn));
        }
        let (mv, score) = choose(&game)?;
        let leads = match score {
            LEAD.. => Some(turn),
            score if score <= -LEAD => Some(!turn),
            _ => None,
        };
        agreed = if leads == leader { agreed + 1 } else { 1 };
        leader = leads;
        if leader.is_some() && agreed >= AGREED_PLIES {
            return Ok(leader);
        }
        game.play(mv, evaluator);
    }
    Ok(None)
}

/// How a match stands, from the first player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Score {
    /// Adds a game that the first player won, lost, or neither.
    pub fn add(&mut self, won: Option<bool>) {
        match won {
            None => self.draws += 1,
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
        }
    }

    /// Games played.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, 0 to 1.
    pub fn share(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// The difference in Elo that the share stands for, and the half-width of its 95 % interval.
    pub fn elo(&self) -> (f64, f64) {
        let games = f64::from(self.games().max(1));
        let share = self.share();
        let spread = |points: f64, count: u32| f64::from(count) * (points - share).powi(2);
        let variance = (spread(1.0, self.wins) + spread(0.5, self.draws) + spread(0.0, self.losses)) / games;
        let margin = 1.96 * (variance / games).sqrt();
        let elo = |share: f64| {
            let share = share.clamp(1e-3, 1.0 - 1e-3);
            400.0 * (share / (1.0 - share)).log10()
        };
        (elo(share), (elo(share + margin) - elo(share - margin)) / 2.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { wins, draws, losses } = self;
        let ((elo, margin), share) = (self.elo(), 100.0 * self.share());
        let games = self.games();
        write!(
            f,
            "{games} games: +{wins} ={draws} -{losses}, {share:.1} %, Elo {elo:+.0} ± {margin:.0}"
        )
    }
}

/// A match of the search with hardware against the one in software.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Match {
    /// `projected`, `hypothetical` or `measured`.
    pub accelerated_is: &'static str,
    /// Seconds that each has for a move.
    pub time: f64,
    /// From the side of the search with hardware.
    pub score: Score,
    /// The share of the points, 0 to 1.
    pub share: f64,
    /// The difference in Elo, and the half-width of its 95 % interval.
    pub elo: f64,
    /// See `elo`.
    pub elo_margin: f64,
}

impl Match {
    /// How a match with so many seconds a move stands.
    pub fn new(accelerated_is: &'static str, time: f64, score: Score) -> Match {
        let (elo, elo_margin) = score.elo();
        Match {
            accelerated_is,
            time,
            score,
            share: score.share(),
            elo,
            elo_margin,
        }
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

    fn play(white: &[&str], black: &[&str], worths: [i32; 2]) -> Option<Color> {
        let evaluator = Evaluator::new(Weights::standard());
        let fen = Game::initial(&evaluator).board().fen().expect("a FEN");
        let mut players = (player(white, worths[0]), player(black, worths[1]));
        let choose = |game: &Game| match game.board().turn() {
            Color::White => players.0(game),
            Color::Black => players.1(game),
        };
        play_game(&fen, &evaluator, choose).expect("they can play")
    }

    #[test]
    fn games_end_by_the_rules_or_by_agreement() {
        let mate = play(&["f2f3", "g2g4"], &["e7e5", "d8h4"], [0, 0]);
        assert_eq!(mate, Some(Color::Black));
        let (there, back) = (["g1f3", "f3g1"], ["g8f6", "f6g8"]);
        assert_eq!(play(&there, &back, [0, 0]), None, "thrice");
        assert_eq!(play(&there, &back, [2000, -1500]), Some(Color::White), "agreed");
        assert_eq!(play(&there, &back, [2000, 1500]), None, "not agreed");
    }

    #[test]
    fn elo_of_three_quarters_is_191() {
        let score = Score {
            wins: 75,
            draws: 0,
            losses: 25,
        };
        let (elo, margin) = score.elo();
        assert!(
            (elo - 190.8).abs() < 0.1 && margin > 50.0 && margin < 100.0,
            "{elo} ± {margin}"
        );
    }
}
