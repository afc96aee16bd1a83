//! What a job with [`Job::pruning`](super::Job::pruning) does not search, or searches less deep: the rules, and their numbers.
//!
//! A node has the static value `v`, the bound `b` and the depth `d`. All rules but delta and losing captures are for nodes of
//! depth 1 or more whose mover is not in check.
//!
//! | rule | where | when | then |
//! |---|---|---|---|
//! | reverse futility | entering, d = 1 to 3, not the job's root | `v - 96 d >= b` | the node reaches its bound |
//! | null move | entering, d >= 2, not after a null move, with a piece besides king and pawns | `v >= b` | the other side moves at once, searched to half of d, rounded up, less three, or 0; if it fails, the node reaches its bound |
//! | delta | a victim is found, in quiescence or at d = 1 | `v + worth + 50 < b` | the node fails |
//! | losing captures | an attacker is found, in quiescence | the victim is protected and of less worth: the attacker's class exceeds 3 less the victim's | neither it nor the attackers after it are tried: the next victim |
//! | futility | victims are done, d = 1 to 3 | `v + 96 d < b` | the node fails: neither killer, quiet moves nor pushes, nor a look for stalemate |
//! | reduction | a quiet move, d >= 3 | – | it is searched to half of d - 1, rounded down; if that does not refute it, again to d - 1 |
//!
//! A victim is protected if the enemy attacks its square as the board stands, not through the attacker. With the classes
//! of [`super::moves`], a pawn is then taken by pawns only, a bishop or knight by minor pieces too, a rook also by rooks, a
//! queen by all; a capture en passant and a promotion are never among the losing ones.
//!
//! The root of a job always answers with a search, because the host has the value of the root itself. Mate scores know no
//! margins: a job whose `beta` is among them wants no pruning, and it is the host that does not ask for it.

use super::moves::VICTIM_CLASSES;

/// Reverse futility: what the value must have to spare for each ply of depth.
pub const REVERSE_FUTILITY_MARGIN: i32 = 96;

/// Futility: what quiet moves may gain for each ply of depth.
pub const FUTILITY_MARGIN: i32 = 96;

/// The greatest depth of both: where more is left to play, no value settles a position.
pub const FUTILITY_DEPTH: i8 = 3;

/// Delta: what a capture may gain beyond the [`WORTH`] of its victim.
pub const DELTA_MARGIN: i32 = 50;

/// Delta: the greatest depth.
pub const DELTA_DEPTH: i8 = 1;

/// What a victim is worth, by its class: queens and squares of promotion, rooks, bishops and knights, pawns.
pub const WORTH: [i32; VICTIM_CLASSES] = [1050, 530, 360, 110];

/// The null move: the least depth.
pub const NULL_MOVE_DEPTH: i8 = 2;

/// Reduction: the least depth.
pub const REDUCTION_DEPTH: i8 = 3;

/// What the static value must exceed the bound by, if the node reaches it without a search.
pub(super) fn reverse_futility(depth: i8, ply: u8) -> Option<i32> {
    ((1..=FUTILITY_DEPTH).contains(&depth) && ply > 0).then_some(REVERSE_FUTILITY_MARGIN * i32::from(depth))
}

/// What a quiet move may gain.
pub(super) fn futility(depth: i8) -> Option<i32> {
    (1..=FUTILITY_DEPTH)
        .contains(&depth)
        .then_some(FUTILITY_MARGIN * i32::from(depth))
}

/// What a capture may gain beyond the worth of its victim; `depth` is that of a node in quiescence if below 1.
pub(super) fn delta(depth: i8) -> Option<i32> {
    (depth <= DELTA_DEPTH).then_some(DELTA_MARGIN)
}

/// Whether an attacker of one class loses by taking a protected victim of another.
pub(super) const fn loses(attacker: usize, victim: usize) -> bool {
    attacker + victim >= VICTIM_CLASSES
}

/// The depth after a null move.
pub(super) fn null_move_depth(depth: i8) -> i8 {
    ((depth + 1) / 2 - 3).max(0)
}

/// How many plies less than other moves a quiet one is searched at first.
pub(super) const fn reduction(depth: i8) -> i8 {
    match depth >= REDUCTION_DEPTH {
        true => depth / 2,
        false => 0,
    }
}
