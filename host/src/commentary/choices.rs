//! The choices that players made in games: what the numbers of a model of players are fitted to.

use bluebelle_knowledge::utility::fit::Choice;
use bluebelle_spec::Color;

use super::{Model, Surveyor};
use crate::pgn::Record;

/// A position as good as won or lost shows little of a player: beyond this utility of the best move,
/// either way, choices are left out.
const DECIDED: f64 = 0.9;

/// The choices of White and Black in a game, each with the prospects of all moves by a survey.
/// The first `skip` half-moves are left out, as are positions with a single move and those that are
/// decided.
pub fn choices(surveyor: &mut Surveyor, record: &Record, model: &Model, skip: usize) -> [Vec<Choice>; 2] {
    let evaluator = surveyor.evaluator();
    let mut game = record.start.weighed(&evaluator);
    let mut found = [Vec::new(), Vec::new()];
    for (at, &mv) in record.moves.iter().enumerate() {
        let mover: Color = game.board().turn();
        if at >= skip && game.board().legal_moves().len() > 1 {
            let survey = surveyor.survey(&game, model);
            let prospects = survey.prospects(model);
            let best = prospects.iter().map(|prospect| prospect.utility.number());
            let is_open = best.fold(f64::NEG_INFINITY, f64::max).abs() <= DECIDED;
            if let Some(chosen) = survey.find(mv).filter(|_| is_open) {
                found[mover.index()].push(Choice { prospects, chosen });
            }
        }
        game.play(mv, &evaluator);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    #[test]
    fn a_game_has_the_choices_of_both_players() {
        let mut surveyor = Surveyor::new(50);
        let text = "[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
        let record = pgn::read(text, 1, &surveyor.evaluator()).expect("a game");
        let [white, black] = choices(&mut surveyor, &record, &Model::default(), 2);
        assert_eq!((white.len(), black.len()), (2, 2));
        for choice in white.iter().chain(&black) {
            assert!(choice.prospects.len() >= 20 && choice.chosen < choice.prospects.len());
        }
        // Nc6 is the move that defends the pawn: among the best for Black.
        let loss = bluebelle_knowledge::utility::opponent::losses(&black[0].prospects, 0.0)[black[0].chosen];
        assert!(loss < 0.2, "{loss}");
    }
}
