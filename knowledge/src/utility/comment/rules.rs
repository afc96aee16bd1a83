//! Michie's Table 2: when each comment is true.
//!
//! The table says "≈" and "≫" and leaves to taste what they mean; here each is one number. Several
//! comments may be true of the same position: the table is no partition, and what to print is for
//! the commentator to choose.

use bluebelle_spec::Color;

use super::super::opponent::SAME;
use super::{Balance, Comment, Difficulty, Figures, Remark};
use crate::vocabulary::{Utility, Value};

/// "≈": two numbers that differ by no more than this are about equal.
pub const NEARLY: f64 = 0.1;

/// "≫" and "≪": a number is much greater than another if it is greater by at least this. A third
/// keeps the root of Figure 3, with a tension of .354, among the tense positions.
pub const MUCH: f64 = 1.0 / 3.0;

/// "High branching ratios": effectively so many moves to choose from on each of the first levels.
pub const HIGH_BRANCHING: f64 = 4.0;

fn nearly(a: f64, b: f64) -> bool {
    (a - b).abs() <= NEARLY
}

fn much_greater(a: f64, b: f64) -> bool {
    a - b >= MUCH
}

/// (1) to (8): what is true of a position, from the side that the figures are seen from.
pub fn on_position(side: Color, figures: &Figures) -> Vec<Remark> {
    let (value, u) = (figures.value, figures.utility.number());
    let drawn = value == Some(Value::Draw);
    let won = value == Some(Value::Win);
    let mut comments = Vec::new();
    let mut add = |holds: bool, comment: Comment| {
        if holds {
            comments.push(Remark::on_position(comment, side, figures));
        }
    };
    add(figures.dead, Comment::DeadDraw);
    add(figures.branching >= HIGH_BRANCHING, Comment::Complicated);
    add(drawn && nearly(u, 0.0), Comment::Balanced(balance(figures.tension)));
    add(drawn && u > SAME, Comment::SlightAdvantage);
    add(drawn && much_greater(u, 0.0), Comment::ClearAdvantage);
    add(nearly(u, 1.0), Comment::DecisiveAdvantage(value));
    add(won && u >= 1.0 - SAME, Comment::CertainWin);
    if let Some(difficulty) = difficulty(figures) {
        add(true, Comment::Difficult(difficulty));
    }
    comments
}

fn balance(tension: f64) -> Balance {
    if nearly(tension, 0.0) {
        Balance::Lifeless
    } else if much_greater(tension, 0.0) {
        Balance::Tense
    } else {
        Balance::Plain
    }
}

/// (8): v ≫ u, in the three cases of the table.
fn difficulty(figures: &Figures) -> Option<Difficulty> {
    let u = figures.utility.number();
    match figures.value? {
        Value::Draw if much_greater(0.0, u) => Some(Difficulty::Draw),
        Value::Win if u < 0.0 => Some(Difficulty::HopelessWin),
        Value::Win if much_greater(1.0, u) => Some(Difficulty::Win),
        _ => None,
    }
}

/// (9) to (19): what is true of a move, all figures seen from its mover. `is_best` says whether no
/// other move has a greater expected utility.
pub fn on_move(mover: Color, before: &Figures, after: &Figures, is_best: bool) -> Vec<Remark> {
    let change = after.utility.number() - before.utility.number();
    let values = before.value.zip(after.value);
    let value_change = values.map(|(before, after)| after.sign() - before.sign());
    let keeps = value_change == Some(0);
    let loses = value_change.is_some_and(|change| change < 0);
    let difficult = difficulty(before).is_some();
    let lost = values.is_some_and(|(before, after)| after == Value::Loss && before > Value::Loss);
    let lifeless = after.value == Some(Value::Draw)
        && nearly(after.utility.number(), 0.0)
        && balance(after.tension) == Balance::Lifeless;
    let rules = [
        (lost, Comment::LosingMove),
        (keeps && change < -SAME, Comment::Inaccuracy),
        (keeps && change > SAME, Comment::Strengthens),
        (value_change == Some(-1) && !much_greater(0.0, change), Comment::Mistake),
        (loses && much_greater(0.0, change), Comment::Blunder),
        (keeps && change > SAME && difficult, Comment::Strong),
        (keeps && much_greater(change, 0.0), Comment::Brilliant),
        (loses && much_greater(change, 0.0), Comment::BrilliantButUnsound),
        (is_best, Comment::Best),
        (is_best && difficult, Comment::BestInDifficulty),
        (keeps && lifeless, Comment::Safe),
    ];
    let true_ones = rules.into_iter().filter(|(holds, _)| *holds);
    true_ones
        .map(|(_, comment)| Remark {
            comment,
            side: mover,
            value: after.value,
            utility: after.utility,
            value_change,
            utility_change: Some(change),
            tension: after.tension,
        })
        .collect()
}

/// A move that the mover could choose, seen from the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// The value after the move.
    pub value: Option<Value>,
    /// The expected utility after the move.
    pub utility: Utility,
    /// How long the value takes to be won, Michie's *r*.
    pub delay: u32,
}

/// (20) and (21): what is true of a choice between moves of the same value and different length.
///
/// A winner should press home the advantage if the winning move with the greatest utility is
/// shorter than another winning move, and is worth more by more than "≈". A loser should play for
/// time if the losing move with the greatest utility is longer than another, and worth more.
pub fn on_choice(mover: Color, before: &Figures, moves: &[Outlook]) -> Option<Remark> {
    let value = before.value.filter(|&value| value != Value::Draw)?;
    let same = || moves.iter().filter(|outlook| outlook.value == Some(value));
    let best = same().max_by(|a, b| a.utility.number().total_cmp(&b.utility.number()))?;
    let worth_less = |other: &Outlook| best.utility.number() - other.utility.number() > NEARLY;
    let (advice, differs) = match value {
        Value::Win => {
            let longer = same().any(|other| other.delay > best.delay && worth_less(other));
            (Comment::PressHome, longer)
        }
        _ => {
            let shorter = same().any(|other| other.delay < best.delay && worth_less(other));
            (Comment::PlayForTime, shorter)
        }
    };
    differs.then(|| Remark::on_position(advice, mover, before))
}
