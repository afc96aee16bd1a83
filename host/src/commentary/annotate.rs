//! A game, move by move, with what is true and what is printed.

use bluebelle_knowledge::utility::comment::{Balance, Comment, Remark};
use bluebelle_spec::{Color, Move};

use super::select;
use super::{Examination, Examiner};
use crate::game::Game;
use crate::notation;
use crate::pgn::Record;

/// The first half-moves of a game are known to every player: the position is not commented there.
const OPENING: usize = 20;

/// A change of expected utility that is no matter of taste.
const MUCH: f64 = -0.25;

/// With more men than these, no player calls a level position lifeless.
const FEW: u32 = 16;

/// After a comment on the position, the next ones say something new, and not at once.
const PAUSE: usize = 4;

/// A half-move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The number of the move, from 1.
    pub number: u32,
    /// Who moved.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// The move as players write it.
    pub san: String,
    /// The position before the move.
    pub before: Examination,
    /// All that is true of the move.
    pub remarks: Vec<Remark>,
    /// How many men there are after the move.
    pub men: u32,
    /// All that is true of the position after the move, as the next survey sees it.
    pub position: Vec<Remark>,
    /// What is printed, in this order.
    pub printed: Vec<Remark>,
}

/// A game with its comments.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotated {
    /// The half-moves.
    pub plies: Vec<Ply>,
}

/// Annotates a game. `heard` is told after every half-move.
pub fn annotate(examiner: &mut Examiner, record: &Record, mut heard: impl FnMut()) -> Annotated {
    let evaluator = examiner.surveyor.evaluator();
    let mut game: Game = record.start.clone();
    let mut plies: Vec<Ply> = Vec::new();
    let mut next = examiner.examine(&game, record.moves.first().copied());
    for (at, &mv) in record.moves.iter().enumerate() {
        let Some(before) = next.take() else { break };
        let board = game.board();
        let (number, mover) = (board.fullmoves().into(), board.turn());
        let san = notation::format(board, mv);
        let remarks = before.remarks_on(mv);
        game.play(mv, &evaluator);
        let is_over = game.ending().is_some();
        next = (!is_over)
            .then(|| examiner.examine(&game, record.moves.get(at + 1).copied()))
            .flatten();
        let position = next.as_ref().map_or(Vec::new(), Examination::remarks);
        plies.push(Ply {
            number,
            mover,
            mv,
            san,
            before,
            remarks,
            men: game.board().occupied().count_ones(),
            position,
            printed: Vec::new(),
        });
        heard();
    }
    choose(&mut plies);
    Annotated { plies }
}

/// Chooses what is printed.
fn choose(plies: &mut [Ply]) {
    let mut last: Option<(Remark, usize)> = None;
    let mut advised = false;
    for (at, ply) in plies.iter_mut().enumerate() {
        let tension = ply.before.figures.tension;
        let about_move = select::about_move(&ply.remarks, tension).copied();
        // What every player knows is weakened by no move of it, unless much is lost.
        let is_told = |remark: &Remark| {
            let much = remark.utility_change.is_some_and(|change| change < MUCH);
            at >= OPENING || remark.comment != Comment::Inaccuracy || much
        };
        let about_move = about_move.filter(is_told);
        let fits = |remark: &Remark| ply.men <= FEW || !matches!(remark.comment, Comment::Balanced(Balance::Lifeless));
        let position = select::about_position(&ply.position).copied();
        // A comment on the move that changed the position is followed by what the position is now.
        let is_due = last.is_none_or(|(_, printed)| at >= printed + PAUSE) || about_move.is_some();
        let is_new = |remark: &Remark| last.is_none_or(|(said, _)| !select::says_the_same(&said, remark));
        let about_position = position.filter(|remark| at >= OPENING && is_due && is_new(remark) && fits(remark));
        ply.printed.extend(about_move);
        if let Some(remark) = about_position {
            ply.printed.push(remark);
            last = Some((remark, at));
        }
        // Advice is given once in a game: repeated, it tires.
        if at >= OPENING
            && !advised
            && let Some(&advice) = select::advice(&ply.position)
        {
            ply.printed.push(advice);
            advised = true;
        }
    }
}
