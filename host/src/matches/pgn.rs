//! Games as other programs read them.

use bluebelle_spec::{Color, Weights};

use super::game::Reason;
use super::ledger::GameRecord;
use super::plan::Plan;
use super::score::Side;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::{notation, pgn};

/// A game of a plan in PGN, with an empty line at its end. Moves of a ledger that are not legal end
/// the game there.
pub fn pgn(record: &GameRecord, plan: &Plan) -> String {
    let evaluator = Evaluator::new(Weights::standard());
    let opening = plan.opening(record.game);
    let mut game = Game::new(&opening.fen, &evaluator);
    let name = |side: Side| plan.sides[side.index()].name.as_str();
    let (white, black) = match record.white {
        Side::First => (Side::First, Side::Opponent),
        Side::Opponent => (Side::Opponent, Side::First),
    };
    let result = match record.winner {
        None => "1/2-1/2",
        Some(winner) if winner == white => "1-0",
        Some(_) => "0-1",
    };
    let termination = match record.reason {
        Reason::Agreement | Reason::Length => "adjudication",
        _ => "normal",
    };
    let round = record.game.to_string();
    let fen = opening.fen.to_string();
    let event = format!("Bluebelle match at odds {}", record.odds);
    let tags = [
        ("Event", event.as_str()),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round),
        ("White", name(white)),
        ("Black", name(black)),
        ("Result", result),
        ("SetUp", "1"),
        ("FEN", &fen),
        ("Opening", &opening.id),
        ("Termination", termination),
    ];
    let mut text = String::new();
    for (tag, value) in tags {
        text += &pgn::tag(tag, value);
    }
    text.push('\n');

    let mut words = Vec::new();
    let mut number = u32::from(opening.fen.fullmoves.max(1));
    for played in record.moves.split_whitespace() {
        let Some(mv) = game.board().parse_move(played) else {
            break;
        };
        let san = notation::format(game.board(), mv);
        match game.board().turn() {
            Color::White => words.push(format!("{number}. {san}")),
            Color::Black if words.is_empty() => words.push(format!("{number}... {san}")),
            Color::Black => words.push(san),
        }
        number += u32::from(game.board().turn() == Color::Black);
        game.play(mv, &evaluator);
    }
    words.push(format!("{{{}}}", record.reason.words()));
    words.push(result.to_owned());
    text + &pgn::wrap(&words) + "\n"
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::matches::{Openings, PlayerSpec, SideWork};

    #[test]
    fn games_are_written_as_they_are_read() {
        let evaluator = Evaluator::new(Weights::standard());
        let black_to_move = "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1 id \"a \\ b\";";
        let plan = Plan {
            games: Some(2),
            sprt: None,
            time: Duration::from_millis(1),
            odds: vec![1.0],
            seed: 1,
            jobs: 1,
            openings: Openings::parse(black_to_move, &evaluator).expect("an opening"),
            sides: ["one", "two"].map(|name| PlayerSpec::software(name, 1)),
        };
        let record = GameRecord {
            odds: 1.0,
            game: 2,
            opening: "a \\ b".to_owned(),
            white: Side::Opponent,
            winner: Some(Side::First),
            reason: Reason::Checkmate,
            plies: 3,
            moves: "e7e5 g2g4 d8h4".to_owned(),
            first: SideWork::default(),
            opponent: SideWork::default(),
        };
        let text = pgn(&record, &plan);
        assert!(text.ends_with("\n1... e5 2. g4 Qh4# {by checkmate} 0-1\n\n"), "{text}");
        assert!(text.contains("[Opening \"a \\\\ b\"]"), "{text}");
        let read = crate::pgn::read(&text, 1, &evaluator).expect("a game");
        assert_eq!(read.players, ["two", "one"]);
        let moves: Vec<String> = read.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves.join(" "), record.moves);
    }
}
