//! What a thread remembers from slot to slot, besides its board.

use bluebelle_spec::{Move, Piece, Square};

use super::board::Lost;
use super::order::Stage;

/// What the stack keeps for a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The last move tried. When a pass has found a victim, only `to` counts; when it has found a piece without quiet
    /// moves, only `from`.
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) promotion: Option<Piece>,
    /// The last move tried is a null move; those above do not count then.
    pub(super) passed: bool,
    /// How many plies less than others the last move is searched.
    pub(super) reduction: i32,
    /// What the last move took away.
    pub(super) lost: Option<Lost>,
    /// What kind of pass was made last.
    pub(super) stage: Stage,
    /// The last pass said: no attacker of this victim, no other move of this quiet pass comes after.
    pub(super) last_member: bool,
    /// The last pass said: no other victim, no other piece comes after.
    pub(super) last_group: bool,
    /// The killer here, from the ply above; [`Move::NONE`] for none.
    pub(super) killer: Move,
    /// The last killer among the replies to the moves here.
    pub(super) child_killer: Move,
    pub(super) found_legal: bool,
    pub(super) in_check: bool,
    /// Plies before quiescence; below 0 in quiescence but for its first ply.
    pub(super) depth: i32,
}

/// What the slot that leaves a position tells the one that returns to the position before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) legal: bool,
    /// Whether the value is at least the bound, for the side to move there.
    pub(super) holds: bool,
    /// The quiet move of a piece that made it hold; [`Move::NONE`] for none.
    pub(super) killer: Move,
}

impl Child {
    /// A position that chess does not allow.
    pub(super) const ILLEGAL: Child = Child {
        legal: false,
        holds: false,
        killer: Move::NONE,
    };
}

impl Frame {
    /// A ply just entered.
    pub(super) const fn entered(depth: i32, in_check: bool, killer: Move) -> Frame {
        Frame {
            from: Square::new(0),
            to: Square::new(0),
            promotion: None,
            passed: false,
            reduction: 0,
            lost: None,
            stage: Stage::Victims,
            last_member: false,
            last_group: false,
            killer,
            child_killer: Move::NONE,
            found_legal: false,
            in_check,
            depth,
        }
    }

    /// The last move tried.
    pub(super) const fn last(&self) -> Move {
        match self.promotion {
            Some(piece) => Move::promoting(self.from, self.to, piece),
            None => Move::new(self.from, self.to),
        }
    }
}
