//! What to print of all that is true: a commentator leaves most of it unsaid.
//!
//! Table 2 calls every move with Δu < 0 an inaccuracy and most others a strengthening. A reader wants
//! a move praised that this player would often have missed, and blamed when it costs something; and
//! to hear of the position when it has changed.

use bluebelle_knowledge::utility::comment::{Balance, Comment, MUCH, NEARLY, Remark};

/// The remark to print about a move, if any. `tension` is that of the position before the move.
pub fn about_move(remarks: &[Remark], tension: f64) -> Option<&Remark> {
    let find = |number: u8| remarks.iter().find(|remark| remark.comment.number() == number);
    let change = |remark: &&Remark| remark.utility_change.unwrap_or(0.0);
    // Errors first. A losing move that costs nothing in practice is a matter of theory: it is told
    // as a losing move, without a question mark.
    let error = find(13)
        .or_else(|| find(16))
        .or_else(|| find(12).filter(|remark| change(remark) < -NEARLY))
        .or_else(|| find(9));
    let praise = || {
        let strong = find(14).filter(|remark| change(remark) > NEARLY);
        find(15)
            .or(strong)
            .or_else(|| find(18).filter(|remark| change(remark) > NEARLY / 2.0))
    };
    let weakens = || find(10).filter(|remark| change(remark) < -NEARLY);
    let calms = || find(19).filter(|_| tension >= MUCH);
    error.or_else(praise).or_else(weakens).or_else(calms)
}

/// The remark to print about a position: what says most, without regard to what was printed.
pub fn about_position(remarks: &[Remark]) -> Option<&Remark> {
    let rank = |remark: &&Remark| match remark.comment {
        Comment::DeadDraw => 0,
        Comment::CertainWin => 1,
        Comment::DecisiveAdvantage(_) => 2,
        Comment::Difficult(_) => 3,
        Comment::ClearAdvantage => 4,
        Comment::Balanced(_) => 5,
        Comment::SlightAdvantage => 6,
        _ => u8::MAX,
    };
    remarks.iter().filter(|remark| rank(remark) < u8::MAX).min_by_key(rank)
}

/// The advice to print, if the position calls for any: to press home, or to play for time.
pub fn advice(remarks: &[Remark]) -> Option<&Remark> {
    let is_advice = |remark: &&Remark| matches!(remark.comment, Comment::PressHome | Comment::PlayForTime);
    remarks.iter().find(is_advice)
}

/// Whether two comments on positions say the same to a reader.
pub fn says_the_same(a: &Remark, b: &Remark) -> bool {
    let balanced = |comment: Comment| matches!(comment, Comment::Balanced(balance) if balance != Balance::Tense);
    let level = balanced(a.comment) && balanced(b.comment);
    level || a.comment.number() == b.comment.number() && a.side == b.side
}
