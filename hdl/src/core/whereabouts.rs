//! Stages 11 and 12: where a thread stands to what it has given away and taken over.

use rust_hdl::prelude::*;

/// The plies at which a thread's share of the search ends, and whether it is there. They change only when a node is taken over, so all of
/// it is known before the thread comes to the stage that decides.
#[derive(LogicBlock, Default)]
pub struct Whereabouts {
    pub clock: Signal<In, Clock>,
    // The threads in stages 11 and 12, every cycle
    pub coming: Signal<In, Bits<4>>,
    pub reading: Signal<In, Bits<4>>,
    pub reading_ply: Signal<In, Bits<5>>,
    pub reading_helps: Signal<In, Bit>,
    pub reading_waits: Signal<In, Bit>,
    // The thread in stage 13 takes over a node of another
    pub claims: Signal<In, Bit>,
    pub index: Signal<In, Bits<4>>,
    pub boss: Signal<In, Bits<4>>,
    pub node: Signal<In, Bits<5>>,
    pub node_below: Signal<In, Bits<5>>,
    // The thread in stage 13, out
    /// The ply below the node that it has given away, if it has.
    pub fork_below: Signal<Out, Bits<5>>,
    /// It is there, and does not wait.
    pub at_fork: Signal<Out, Bit>,
    /// It is at the node that it has taken over.
    pub at_base: Signal<Out, Bit>,
    /// That is the one that it has given away, if it has.
    pub base_forked: Signal<Out, Bit>,

    /// By thread.
    forks: RAM<Bits<5>, 4>,
    bases: RAM<Base, 4>,
    // A fork that was written in the very cycle in which it was read
    passed_by: DFF<Bit>,
    passed_below: DFF<Bits<5>>,
    below_state: DFF<Bits<5>>,
    fork_state: DFF<Bit>,
    base_state: DFF<Bit>,
    both_state: DFF<Bit>,

    is_claimed: Signal<Local, Bit>,
    below: Signal<Local, Bits<5>>,
    base: Signal<Local, Bits<5>>,
    base_below: Signal<Local, Bits<5>>,
}

/// The ply of a node, and the one below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Base {
    node: Bits<5>,
    below: Bits<5>,
}

impl Logic for Whereabouts {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            passed_by,
            passed_below,
            below_state,
            fork_state,
            base_state,
            both_state
        );
        self.forks.read_clock.next = self.clock.val();
        self.forks.write_clock.next = self.clock.val();
        self.forks.read_address.next = self.coming.val();
        self.forks.write_enable.next = self.claims.val();
        self.forks.write_address.next = self.boss.val();
        self.forks.write_data.next = self.node_below.val();
        self.bases.read_clock.next = self.clock.val();
        self.bases.write_clock.next = self.clock.val();
        self.bases.read_address.next = self.coming.val();
        self.bases.write_enable.next = self.claims.val();
        self.bases.write_address.next = self.index.val();
        self.bases.write_data.next.node = self.node.val();
        self.bases.write_data.next.below = self.node_below.val();
        self.passed_by.d.next = self.claims.val() & (self.boss.val() == self.coming.val());
        self.passed_below.d.next = self.node_below.val();

        // Stage 12. What is taken over from the thread right now is compared beside what was before, and chosen last.
        self.below.next = self.forks.read_data.val();
        if self.passed_by.q.val() {
            self.below.next = self.passed_below.q.val();
        }
        self.base.next = self.bases.read_data.val().node;
        self.base_below.next = self.bases.read_data.val().below;
        self.is_claimed.next = self.claims.val() & (self.boss.val() == self.reading.val());
        self.below_state.d.next = self.below.val();
        self.fork_state.d.next = !self.reading_waits.val() & (self.reading_ply.val() == self.below.val());
        self.both_state.d.next = self.reading_helps.val() & (self.below.val() == self.base_below.val());
        if self.is_claimed.val() {
            self.below_state.d.next = self.node_below.val();
            self.fork_state.d.next = !self.reading_waits.val() & (self.reading_ply.val() == self.node_below.val());
            self.both_state.d.next = self.reading_helps.val() & (self.node_below.val() == self.base_below.val());
        }
        self.base_state.d.next = self.reading_helps.val() & (self.reading_ply.val() == self.base.val());

        self.fork_below.next = self.below_state.q.val();
        self.at_fork.next = self.fork_state.q.val();
        self.at_base.next = self.base_state.q.val();
        self.base_forked.next = self.both_state.q.val();
    }
}
