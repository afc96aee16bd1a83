//! Stage 12: what a slot has found, as far as it does not hang on the value.

use bluebelle_spec::leaf::SPLIT_DEPTH;
use bluebelle_spec::leaf::pruning::{NULL_MOVE_DEPTH, REDUCTION_DEPTH};
use rust_hdl::prelude::*;

use super::thread::{Findings, Frame, Judgement, Ledger, Thread};

/// The first half of the sequencer: which of the steps of the golden search the slot is at, the move that it found, and where
/// the node above goes on. [`super::decide`] needs little more than the verdict then.
#[derive(LogicBlock, Default)]
pub struct Judge {
    pub clock: Signal<In, Clock>,
    // Thread and all that is known of it in, every cycle
    pub thread_in: Signal<In, Thread>,
    pub findings_in: Signal<In, Findings>,
    pub frame_in: Signal<In, Frame>,
    pub ledger_in: Signal<In, Ledger>,
    /// The next node is the last that the job may have.
    pub last_node: Signal<In, Bit>,
    // The same out, a cycle later; the ledger with this slot's node
    pub thread: Signal<Out, Thread>,
    pub findings: Signal<Out, Findings>,
    pub frame: Signal<Out, Frame>,
    pub ledger: Signal<Out, Ledger>,
    pub judgement: Signal<Out, Judgement>,

    thread_state: DFF<Thread>,
    findings_state: DFF<Findings>,
    frame_state: DFF<Frame>,
    ledger_state: DFF<Ledger>,
    state: DFF<Judgement>,

    // The node
    at_leaf: Signal<Local, Bit>,
    above_leaf: Signal<Local, Bit>,
    left: Signal<Local, Bits<5>>,
    ends: Signal<Local, Bits<6>>,
    half: Signal<Local, Bits<5>>,
    deciding: Signal<Local, Bit>,
    entered: Signal<Local, Bit>,
    counts: Signal<Local, Bit>,
    nodes: Signal<Local, Bits<29>>,
    limit_hit: Signal<Local, Bit>,
    goes_on: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    leaf_counted: Signal<Local, Bit>,
    quiescent: Signal<Local, Bit>,
    looked: Signal<Local, Bit>,
    victims_done: Signal<Local, Bit>,
    quiet_begins: Signal<Local, Bit>,
    no_pass: Signal<Local, Bit>,
    node_ends: Signal<Local, Bit>,
    seeks_quiet: Signal<Local, Bit>,
    loses: Signal<Local, Bit>,
    found: Signal<Local, Bit>,
    reduces: Signal<Local, Bit>,
    rejoins: Signal<Local, Bit>,

    // The move
    from: Signal<Local, Bits<6>>,
    found_square: Signal<Local, Bits<6>>,
    found_code: Signal<Local, Bits<3>>,

    // The frame above
    up_to: Signal<Local, Bits<6>>,
    up_promotes: Signal<Local, Bit>,
    next_promotion: Signal<Local, Bit>,
}

/// What the kernel below has as bits of the depth left.
const _: () = {
    assert!(NULL_MOVE_DEPTH == 2 && REDUCTION_DEPTH == 3 && SPLIT_DEPTH == 2);
};

impl Logic for Judge {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            thread_state,
            findings_state,
            frame_state,
            ledger_state,
            state
        );
        self.thread_state.d.next = self.thread_in.val();
        self.findings_state.d.next = self.findings_in.val();
        self.frame_state.d.next = self.frame_in.val();
        self.ledger_state.d.next = self.ledger_in.val();
        self.found_square.next = self.findings_in.val().square;
        self.found_code.next = self.findings_in.val().code;

        self.seeks_quiet.next = self.thread_in.val().killing | self.thread_in.val().quiet | self.thread_in.val().push;
        // A move that is made again needs no pass to find it.
        self.found.next = self.findings_in.val().found | self.thread_in.val().again;

        // Step 1. Count the node, and stop at the limit.
        self.at_leaf.next = self.thread_in.val().ply == self.thread_in.val().depth;
        self.above_leaf.next = self.thread_in.val().ply < self.thread_in.val().depth;
        self.deciding.next = self.thread_in.val().active & !self.thread_in.val().hop & !self.thread_in.val().load;
        self.entered.next = self.deciding.val() & self.thread_in.val().enter & !self.findings_in.val().illegal;
        self.counts.next = self.entered.val() & (self.at_leaf.val() | !self.thread_in.val().perft);
        self.nodes.next = self.ledger_in.val().nodes + 1;
        if self.counts.val() {
            self.ledger_state.d.next.nodes = self.nodes.val();
        }
        // A gang counts together.
        self.limit_hit.next = self.counts.val() & self.last_node.val() & !self.thread_in.val().gang;
        self.state.d.next.counts = self.counts.val();
        self.goes_on.next = self.entered.val() & !self.limit_hit.val();

        // Step 2. Stand pat, or count a leaf of perft.
        self.full.next = self.thread_in.val().full;
        if self.thread_in.val().enter {
            self.full.next = self.above_leaf.val()
                | (self.at_leaf.val() & self.findings_in.val().in_check & !self.thread_in.val().perft);
        }
        self.leaf_counted.next = self.goes_on.val() & self.thread_in.val().perft & self.at_leaf.val();
        self.quiescent.next = self.goes_on.val() & !self.full.val() & !self.thread_in.val().perft;

        // Steps 3 to 6. What the pass found, and which comes next. In quiescence, a node without a victim is settled.
        self.looked.next = self.deciding.val()
            & self.thread_in.val().victim
            & (!self.thread_in.val().enter | (self.goes_on.val() & !self.leaf_counted.val()));
        self.victims_done.next = self.looked.val() & !self.findings_in.val().found & !self.quiescent.val();
        self.quiet_begins.next = self.victims_done.val() & self.full.val();
        self.no_pass.next = self.deciding.val()
            & self.thread_in.val().unmake
            & !self.thread_in.val().victim
            & !self.thread_in.val().attacker
            & !self.thread_in.val().killing
            & !self.thread_in.val().quiet
            & !self.thread_in.val().push
            & !self.thread_in.val().promote
            & !self.thread_in.val().cut;
        self.node_ends.next = (self.no_pass.val() & self.full.val())
            | (self.deciding.val() & self.thread_in.val().push & !self.found.val());
        self.loses.next = self.deciding.val() & self.findings_in.val().loses;
        self.state.d.next.tries_victim = self.loses.val() & !self.thread_in.val().last_victim;
        self.state.d.next.deciding = self.deciding.val();
        self.state.d.next.limit_hit = self.limit_hit.val();
        self.state.d.next.full = self.full.val();
        self.state.d.next.victim_found =
            self.looked.val() & self.findings_in.val().found & !(!self.full.val() & (self.thread_in.val().ply == 31));
        // A null move wants depth 2 and a piece besides the king and pawns. The limit has no say: it ends the job whatever
        // else is decided.
        self.left.next = self.thread_in.val().depth - self.thread_in.val().ply;
        self.state.d.next.may_pass = self.entered.val()
            & self.thread_in.val().pruning
            & self.above_leaf.val()
            & (self.left.val() != 1)
            & !self.thread_in.val().after_null
            & !self.findings_in.val().in_check
            & self.findings_in.val().has_next
            & !self.findings_in.val().last_piece;
        // Quiescence begins half way between here and where it would: what is left is halved by the sum of both ends.
        self.ends.next = bit_cast::<6, 5>(self.thread_in.val().depth) + bit_cast::<6, 5>(self.thread_in.val().ply) + 1;
        self.half.next = self.ends.val().get_bits::<5>(1);
        // Quiet moves are reduced from depth 3 on. Who seeks them out of check is above the leaves.
        self.reduces.next = self.thread_in.val().pruning
            & self.seeks_quiet.val()
            & !self.thread_in.val().again
            & !self.findings_in.val().in_check
            & (self.left.val().get_bits::<3>(2).any() | self.left.val().get_bits::<2>(0).all());
        self.state.d.next.reduces = self.reduces.val();
        self.state.d.next.depth = self.thread_in.val().depth;
        if self.reduces.val() {
            self.state.d.next.depth = self.half.val();
        }
        // After a null move it begins two plies earlier still, but not before the position that the move leads to.
        if self.thread_in.val().enter {
            self.state.d.next.depth = self.half.val() - 2;
            if (self.left.val() == 3) | (self.left.val() == 4) {
                self.state.d.next.depth = self.half.val() - 1;
            }
            if self.left.val() == 2 {
                self.state.d.next.depth = self.half.val();
            }
        }
        self.state.d.next.tries_killer = self.quiet_begins.val() & self.thread_in.val().has_killer;
        self.state.d.next.tries_piece = (self.quiet_begins.val() & !self.thread_in.val().has_killer)
            | (self.deciding.val() & self.thread_in.val().killing & !self.found.val())
            | (self.deciding.val() & self.thread_in.val().quiet & !self.found.val() & self.findings_in.val().has_next);
        self.state.d.next.tries_push =
            self.deciding.val() & self.thread_in.val().quiet & !self.found.val() & !self.findings_in.val().has_next;
        self.state.d.next.makes = self.deciding.val()
            & (self.thread_in.val().promote
                | (self.seeks_quiet.val() & self.found.val())
                | (self.thread_in.val().attacker & self.findings_in.val().found & !self.findings_in.val().loses));

        // Young brothers wait: a node is shared out when one of its moves was not enough, and is worth it.
        self.state.d.next.splits = self.thread_in.val().gang
            & self.full.val()
            & self.thread_in.val().found_legal
            & self.left.val().get_bits::<4>(1).any();

        // Step 7. What the node is worth, when it is done. A thread that rejoins a node comes from a child that did not refute it.
        self.rejoins.next = self.deciding.val() & (self.thread_in.val().joins | self.thread_in.val().waits);
        self.state.d.next.returns = self.leaf_counted.val()
            | (self.quiescent.val() & (!self.findings_in.val().found | (self.thread_in.val().ply == 31)))
            | (self.victims_done.val() & !self.full.val())
            | (self.no_pass.val() & !self.full.val())
            | self.node_ends.val()
            | (self.loses.val() & self.thread_in.val().last_victim)
            | (self.deciding.val() & self.thread_in.val().attacker & !self.findings_in.val().found)
            | (self.deciding.val() & self.thread_in.val().cut)
            | self.rejoins.val()
            | (self.deciding.val() & self.thread_in.val().enter & self.findings_in.val().illegal);
        self.state.d.next.legal = !(self.thread_in.val().enter & self.findings_in.val().illegal);
        self.state.d.next.holds = self.thread_in.val().perft | self.thread_in.val().cut | self.rejoins.val();
        self.state.d.next.mated = false;
        self.state.d.next.stalemated = false;
        if self.node_ends.val() & !self.thread_in.val().found_legal & !self.thread_in.val().perft {
            self.state.d.next.mated = self.findings_in.val().in_check;
            self.state.d.next.stalemated = !self.findings_in.val().in_check;
        }

        // The move that was found; if it is made again, it is as it was.
        self.from.next = self.thread_in.val().from;
        self.state.d.next.to = self.thread_in.val().to;
        self.state.d.next.piece = self.thread_in.val().piece;
        self.state.d.next.captured = self.thread_in.val().captured;
        self.state.d.next.special = self.thread_in.val().special;
        self.state.d.next.promotion = 0.into();
        self.state.d.next.walk = 0.into();
        if self.thread_in.val().killing {
            self.state.d.next.walk = 1.into();
        }
        if self.thread_in.val().quiet {
            self.state.d.next.walk = 2.into();
        }
        if self.thread_in.val().push {
            self.state.d.next.walk = 3.into();
        }
        if self.thread_in.val().promote {
            self.state.d.next.promotion = self.thread_in.val().promotion + 1;
        }
        if self.thread_in.val().attacker {
            self.from.next = self.found_square.val();
            self.state.d.next.piece = self.found_code.val();
        }
        if (self.thread_in.val().killing | self.thread_in.val().quiet) & !self.thread_in.val().again {
            self.from.next = self.thread_in.val().origin;
            self.state.d.next.to = self.found_square.val();
            self.state.d.next.piece = self.found_code.val();
            self.state.d.next.captured = 0.into();
            self.state.d.next.special = (self.found_code.val() == 4)
                & (self.from.val().get_bits::<3>(0) == 4)
                & ((self.found_square.val().get_bits::<3>(0) == 2) | (self.found_square.val().get_bits::<3>(0) == 6));
        }
        if self.thread_in.val().push & !self.thread_in.val().again {
            self.state.d.next.to = self.found_square.val();
            if self.thread_in.val().turn {
                self.from.next = self.found_square.val() + 8;
                if self.found_code.val() == 0 {
                    self.from.next = self.found_square.val() + 16;
                }
            } else {
                self.from.next = self.found_square.val() - 8;
                if self.found_code.val() == 0 {
                    self.from.next = self.found_square.val() - 16;
                }
            }
            self.state.d.next.piece = 1.into();
            self.state.d.next.captured = 0.into();
            self.state.d.next.special = false;
        }
        // A null move: nothing goes from a square of no importance to the same, which changes nothing but the turn.
        if self.thread_in.val().enter {
            self.from.next = 9.into();
            self.state.d.next.to = 9.into();
            self.state.d.next.piece = 0.into();
            self.state.d.next.captured = 0.into();
            self.state.d.next.special = false;
        }
        self.state.d.next.from = self.from.val();

        // Where the node above goes on, unless this one refutes it.
        self.up_to.next = self.frame_in.val().to;
        self.up_promotes.next = (self.frame_in.val().piece == 1)
            & ((self.up_to.val().get_bits::<3>(3) == 0) | (self.up_to.val().get_bits::<3>(3) == 7));
        self.next_promotion.next =
            self.up_promotes.val() & self.frame_in.val().full & (self.frame_in.val().promotion != 3);
        self.state.d.next.up_promotion = 0.into();
        if self.up_promotes.val() {
            self.state.d.next.up_promotion = 7.into();
            if self.frame_in.val().promotion == 1 {
                self.state.d.next.up_promotion = 6.into();
            }
            if self.frame_in.val().promotion == 2 {
                self.state.d.next.up_promotion = 5.into();
            }
            if self.frame_in.val().promotion == 3 {
                self.state.d.next.up_promotion = 2.into();
            }
        }
        self.state.d.next.up_promotes = false;
        self.state.d.next.up_attacker = false;
        self.state.d.next.up_victim = false;
        self.state.d.next.up_killing = false;
        self.state.d.next.up_quiet = false;
        self.state.d.next.up_push = false;
        self.state.d.next.up_fresh = true;
        self.state.d.next.up_origin = self.frame_in.val().next_piece;
        if self.frame_in.val().passed {
            self.state.d.next.up_victim = true;
            self.state.d.next.up_origin = self.thread_in.val().origin;
        } else if self.frame_in.val().walk == 0 {
            if self.next_promotion.val() {
                self.state.d.next.up_promotes = true;
                self.state.d.next.up_origin = self.thread_in.val().origin;
            } else if !self.frame_in.val().last {
                self.state.d.next.up_attacker = true;
                self.state.d.next.up_origin = self.up_to.val();
                self.state.d.next.up_fresh = false;
            } else if !self.frame_in.val().last_victim {
                self.state.d.next.up_victim = true;
                self.state.d.next.up_origin = self.thread_in.val().origin;
                self.state.d.next.up_fresh = false;
            } else if self.frame_in.val().full & self.thread_in.val().pruning {
                // Only a find victim tells the value, and so whether quiet moves are worth it.
                self.state.d.next.up_victim = true;
                self.state.d.next.up_origin = self.thread_in.val().origin;
                self.state.d.next.up_fresh = false;
            } else if self.frame_in.val().full & self.frame_in.val().has_killer {
                self.state.d.next.up_killing = true;
                self.state.d.next.up_origin = bit_cast::<6, 12>(self.frame_in.val().killer);
            } else if self.frame_in.val().full {
                self.state.d.next.up_quiet = true;
            } else {
                self.state.d.next.up_origin = self.thread_in.val().origin;
            }
        } else if self.frame_in.val().walk == 3 {
            self.state.d.next.up_origin = self.thread_in.val().origin;
            if !self.frame_in.val().last {
                self.state.d.next.up_push = true;
                self.state.d.next.up_fresh = false;
            }
        } else if (self.frame_in.val().walk == 2) & !self.frame_in.val().last {
            self.state.d.next.up_quiet = true;
            self.state.d.next.up_origin = self.frame_in.val().from;
            self.state.d.next.up_fresh = false;
        } else if self.frame_in.val().has_next {
            self.state.d.next.up_quiet = true;
        } else {
            self.state.d.next.up_push = true;
            self.state.d.next.up_origin = self.thread_in.val().origin;
        }

        self.thread.next = self.thread_state.q.val();
        self.findings.next = self.findings_state.q.val();
        self.frame.next = self.frame_state.q.val();
        self.ledger.next = self.ledger_state.q.val();
        self.judgement.next = self.state.q.val();
    }
}
