//! Games of the engine against itself, for their positions.

use std::io::{self, Write};

use bluebelle_spec::rng::SplitMix64;

use crate::evaluation::Evaluator;
use crate::game::{Ending, Game};
use crate::limits::{Control, Limits};
use crate::report::Silent;
use crate::score::{MATE, is_mate_or_table};
use crate::search::{Settings, Software};
use bluebelle_spec::Color;

/// Random moves before the game begins, and one more in every second game.
const RANDOM_PLIES: u64 = 8;
/// An opening beyond this is thrown away, in centipawns.
const UNEVEN: i32 = 300;
/// A lead that wins when it has lasted so many plies.
const WON: (i32, u32) = (900, 5);
/// No game is longer.
const MOST_PLIES: u32 = 300;

/// How to play.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Games.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Another seed, other games.
    pub seed: u64,
}

/// Plays the games and writes a line a position: FEN, the search's score for White in centipawns, White's points (1, 0.5, 0),
/// separated by semicolons. `done` hears of each game.
///
/// # Errors
/// If writing fails.
pub fn play(plan: &Plan, output: &mut dyn Write, done: &mut dyn FnMut()) -> io::Result<()> {
    let mut software = Software::new(8);
    let evaluator = software.evaluator();
    let mut random = SplitMix64::new(plan.seed);
    let mut played = 0;
    while played < plan.games {
        software.clear();
        let Some(game) = opening(&mut random, &evaluator) else {
            continue;
        };
        let Some((positions, points)) = play_one(&mut software, game, plan.nodes) else {
            continue;
        };
        for (fen, score) in positions {
            writeln!(output, "{fen};{score};{points}")?;
        }
        output.flush()?;
        played += 1;
        done();
    }
    Ok(())
}

fn opening(random: &mut SplitMix64, evaluator: &Evaluator) -> Option<Game> {
    let mut game = Game::initial(evaluator);
    for _ in 0..RANDOM_PLIES + random.next_u64() % 2 {
        let moves = game.board().legal_moves();
        let count = moves.len() as u64;
        if count == 0 {
            return None;
        }
        let mv = moves[(random.next_u64() % count) as usize].mv;
        game.play(mv, evaluator);
    }
    game.ending().is_none().then_some(game)
}

/// The quiet positions with their scores for White, and White's points; `None` if the opening was uneven.
fn play_one(software: &mut Software, mut game: Game, nodes: u64) -> Option<(Vec<(String, i32)>, f64)> {
    let evaluator = software.evaluator();
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut positions = Vec::new();
    let mut lead = 0i32;
    for ply in 0..MOST_PLIES {
        match game.ending() {
            Some(Ending::Checkmate) => {
                let points = if game.board().turn() == Color::White { 0.0 } else { 1.0 };
                return Some((positions, points));
            }
            Some(_) => return Some((positions, 0.5)),
            None => {}
        }
        let outcome = software.search(&game, &limits, &Settings::default(), &Control::new(false), &Silent);
        let board = game.board();
        let score = outcome.score().clamp(-MATE, MATE);
        let for_white = if board.turn() == Color::White { score } else { -score };
        if ply == 0 && score.abs() > UNEVEN {
            return None;
        }
        let best = outcome.best();
        if !board.in_check()
            && !board.is_noisy(best)
            && !is_mate_or_table(score)
            && let Ok(fen) = board.fen()
        {
            positions.push((fen.to_string(), for_white));
        }
        lead = match for_white {
            score if score >= WON.0 => lead.max(0) + 1,
            score if score <= -WON.0 => lead.min(0) - 1,
            _ => 0,
        };
        if lead.unsigned_abs() >= WON.1 {
            return Some((positions, if lead > 0 { 1.0 } else { 0.0 }));
        }
        game.play(best, &evaluator);
    }
    Some((positions, 0.5))
}
