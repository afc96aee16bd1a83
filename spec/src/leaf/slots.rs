//! The slot rule: how many trips round the ring a job takes.
//!
//! A slot is one trip: one operation on the board, then one pass through the networks, then a decision. The hardware is
//! built to this table, and the golden search counts by it.
//!
//! | slot | board | pass | taken |
//! |---|---|---|---|
//! | load | place a piece | – | once for every piece of the job's position; the first one clears the board |
//! | enter | make the move (at the root: the first move, if any), or pass the turn | find victim | once for every position looked at, legal or not |
//! | hop | move the castling rook, or take the pawn captured en passant | – | before the enter slot, and again before the retract slot, of such a move |
//! | attacker | – | find attacker | once for every victim tried: its first attacker |
//! | victim | – | find victim | once for every victim, but for the last, on which a losing attacker was found |
//! | quiet | – | find quiet | once for every quiet pass that follows a pass without a find |
//! | retract | unmake the move, or the pass | find attacker, find victim, find quiet, or none | once for every enter but the root's |
//!
//! The quiet passes of a full-width node are, in this order: the killer, if there is one; each piece but the pawns; the
//! pushes. Perft knows no killer.
//!
//! Every pass that finds a candidate also tells whether it is its last one. So the retract slot knows what to look for: the
//! next attacker of the same victim; after the last attacker the next victim; after the last victim the first quiet pass;
//! after the last move of a quiet pass the next quiet pass. With nothing left to find, or a cut-off, its pass is empty.
//! A pass that finds nothing is followed by the next quiet pass in a slot of its own; a node in quiescence has none, and
//! ends. A promotion tries its next piece without a pass.
//!
//! With pruning, after a null move that did not settle the node, the retract slot finds the first victim. After the last victim
//! of a full-width node, it looks for another and finds none: only a find victim has all of the mover's pieces radiate, and so
//! the value that tells whether the quiet passes are worth it. A find attacker that finds a losing one is followed by a find
//! victim in a slot of its own, or ends the node if the victim was the last. A move whose reduced
//! search does not refute it is retracted without a pass and made again. What else pruning leaves out takes no slot.

use std::ops::AddAssign;

/// Slots by kind; see the [module](self).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// Pieces placed.
    pub load: u32,
    /// Positions looked at, legal or not.
    pub enter: u32,
    /// Rook's share of castling, captures en passant.
    pub hop: u32,
    /// First attackers looked for.
    pub attacker: u32,
    /// Victims looked for without an unmake.
    pub victim: u32,
    /// Quiet passes without an unmake.
    pub quiet: u32,
    /// Moves taken back.
    pub retract: u32,
    /// Of the enter slots, those that found an illegal position; not a kind of its own.
    pub illegal: u32,
}

impl Slots {
    /// All slots.
    pub const fn total(&self) -> u32 {
        self.load
            .wrapping_add(self.enter)
            .wrapping_add(self.hop)
            .wrapping_add(self.attacker)
            .wrapping_add(self.victim)
            .wrapping_add(self.quiet)
            .wrapping_add(self.retract)
    }
}

/// Hears of each slot in turn.
pub(super) trait Record {
    /// A hop, if there is one.
    fn hop_if(&mut self, hops: bool);
    /// A position looked at.
    fn enter(&mut self, legal: bool);
    /// A first attacker looked for.
    fn attacker(&mut self);
    /// A victim looked for without an unmake, if there is one.
    fn victim_if(&mut self, looks: bool);
    /// A quiet pass without an unmake, if there is one.
    fn quiet_if(&mut self, looks: bool);
    /// A move taken back.
    fn retract(&mut self);
}

/// Counts them.
impl Record for Slots {
    #[inline]
    fn hop_if(&mut self, hops: bool) {
        self.hop += u32::from(hops);
    }

    #[inline]
    fn enter(&mut self, legal: bool) {
        self.enter += 1;
        self.illegal += u32::from(!legal);
    }

    #[inline]
    fn attacker(&mut self) {
        self.attacker += 1;
    }

    #[inline]
    fn victim_if(&mut self, looks: bool) {
        self.victim += u32::from(looks);
    }

    #[inline]
    fn quiet_if(&mut self, looks: bool) {
        self.quiet += u32::from(looks);
    }

    #[inline]
    fn retract(&mut self) {
        self.retract += 1;
    }
}

impl AddAssign for Slots {
    fn add_assign(&mut self, other: Slots) {
        self.load += other.load;
        self.enter += other.enter;
        self.hop += other.hop;
        self.attacker += other.attacker;
        self.victim += other.victim;
        self.quiet += other.quiet;
        self.retract += other.retract;
        self.illegal += other.illegal;
    }
}
