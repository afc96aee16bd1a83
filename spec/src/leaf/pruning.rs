//! What a job with [`Job::pruning`](super::Job::pruning) does not search: the rules, and their numbers.
//!
//! A node has the static value `v`, the bound `b` and the depth `d`. All rules but delta are for nodes of depth 1 or more
//! whose mover is not in check.
//!
//! | rule | where | when | then |
//! |---|---|---|---|
//! | reverse futility | entering, d = 1 to 3, not the job's root | `v - 100 d >= b` | the node reaches its bound |
//! | null move | entering, d >= 2, not after a null move, with a piece besides king and pawns | `v >= b` | the other side moves at once, searched to depth d - 3 or 0; if it fails, the node reaches its bound |
//! | delta | a victim is found, in quiescence | `v + worth + 150 < b` | the node fails |
//! | delta | a victim is found, d = 1 | `v + worth + 200 < b` | the node fails |
//! | futility | victims are done, d = 1 to 3 | `v + 150 d < b` | the node fails: neither killer, quiet moves nor pushes, nor a look for stalemate |
//!
//! The root of a job always answers with a search, because the host has the value of the root itself. Mate scores know no
//! margins: a job whose `beta` is among them wants no pruning, and it is the host that does not ask for it.

use super::moves::VICTIM_CLASSES;

/// Reverse futility: what the value must have to spare for each ply of depth.
pub const REVERSE_FUTILITY_MARGIN: i32 = 100;

/// Futility: what quiet moves may gain for each ply of depth.
pub const FUTILITY_MARGIN: i32 = 150;

/// Both kinds of futility: the greatest depth.
pub const FUTILITY_DEPTH: i8 = 3;

/// Delta in quiescence: what a capture may gain beyond the [`WORTH`] of its victim.
pub const DELTA_MARGIN: i32 = 150;

/// Delta at depth 1.
pub const DELTA_MARGIN_FRONTIER: i32 = 200;

/// What a victim is worth, by its class: queens and squares of promotion, rooks, bishops and knights, pawns.
pub const WORTH: [i32; VICTIM_CLASSES] = [1050, 530, 360, 110];

/// The null move: the least depth.
pub const NULL_MOVE_DEPTH: i8 = 2;

/// The null move: how many plies less than after a move.
pub const NULL_MOVE_REDUCTION: i8 = 2;

/// What the static value must exceed the bound by, if the node reaches it without a search.
pub(super) fn reverse_futility(depth: i8, ply: u8) -> Option<i32> {
    let applies = (1..=FUTILITY_DEPTH).contains(&depth) && ply > 0;
    applies.then_some(REVERSE_FUTILITY_MARGIN * i32::from(depth))
}

/// What a quiet move may gain.
pub(super) fn futility(depth: i8) -> Option<i32> {
    let applies = (1..=FUTILITY_DEPTH).contains(&depth);
    applies.then_some(FUTILITY_MARGIN * i32::from(depth))
}

/// What a capture may gain beyond the worth of its victim; `depth` is that of a node in quiescence if below 1.
pub(super) const fn delta(depth: i8) -> Option<i32> {
    match depth {
        ..1 => Some(DELTA_MARGIN),
        1 => Some(DELTA_MARGIN_FRONTIER),
        2.. => None,
    }
}

/// The depth after a null move.
pub(super) fn null_move_depth(depth: i8) -> i8 {
    (depth - 1 - NULL_MOVE_REDUCTION).max(0)
}
