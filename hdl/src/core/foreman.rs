//! Beside stage 13: which thread of a gang does what.

use rust_hdl::prelude::*;

/// Shares out the nodes of a job among all threads of a core, as `bluebelle_spec::leaf::gang` says.
///
/// Every thread passes stage 13 once in a trip, and only there are nodes given away, taken over and given back; so what one does is
/// seen by all that pass after it, and needs no lock. Only offers take a cycle more: which of a thread's nodes is the nearest to the root is
/// found in the cycle after it has passed, and the thread that passes then sees no offer of it.
#[derive(LogicBlock, Default)]
pub struct Foreman {
    pub clock: Signal<In, Clock>,
    // The thread in stage 12, every cycle
    pub reading: Signal<In, Bits<4>>,
    pub reading_ply: Signal<In, Bits<5>>,
    // The thread in stage 13, and what becomes of it; at most one of the first six
    pub index: Signal<In, Bits<4>>,
    /// It takes a job for the gang.
    pub starts: Signal<In, Bit>,
    /// It is the one that took the job, and that is over.
    pub disbands: Signal<In, Bit>,
    /// The same, and its result is out.
    pub leaves: Signal<In, Bit>,
    /// It takes over the node that is on offer.
    pub claims: Signal<In, Bit>,
    /// It helps, and is done with its node.
    pub reports: Signal<In, Bit>,
    /// The node reaches its bound.
    pub report_cut: Signal<In, Bit>,
    /// It helps, and is done with its part of its node, whose rest it has given away itself: who has that goes on for its boss.
    pub hands_on: Signal<In, Bit>,
    /// It has given nothing away any more. Who still searches that, stops.
    pub releases: Signal<In, Bit>,
    /// It goes on searching.
    pub searches: Signal<In, Bit>,
    /// It waits for its helper.
    pub waits: Signal<In, Bit>,
    pub makes: Signal<In, Bit>,
    /// The node in which it makes a move can be given away.
    pub opens: Signal<In, Bit>,
    pub returns: Signal<In, Bit>,
    /// A node of the gang was entered.
    pub counts: Signal<In, Bit>,
    /// The limit of its job, if it is one of the gang.
    pub limit: Signal<In, Bits<29>>,
    pub in_gang: Signal<In, Bit>,
    /// A move that settles the job's root.
    pub best_found: Signal<In, Bit>,
    pub best_move: Signal<In, Bits<16>>,
    // The thread in stage 13, out
    /// It has given the rest of a node away.
    pub forked: Signal<Out, Bit>,
    /// Its helper is done, and has found nothing.
    pub helper_done: Signal<Out, Bit>,
    /// Its helper has found that the node reaches its bound.
    pub helper_cut: Signal<Out, Bit>,
    /// Nobody wants to know what it searches.
    pub stopped: Signal<Out, Bit>,
    /// The ply below the node that it has given away.
    pub fork_below: Signal<Out, Bits<5>>,
    /// The ply of the node that it has taken over.
    pub base: Signal<Out, Bits<5>>,
    /// All other moves of the node above are searched.
    pub closed_above: Signal<Out, Bit>,
    // The gang, out
    /// There is one.
    pub running: Signal<Out, Bit>,
    /// Who took the job.
    pub leader: Signal<Out, Bits<4>>,
    /// It has had all nodes that it may.
    pub spent: Signal<Out, Bit>,
    pub nodes: Signal<Out, Bits<29>>,
    pub best: Signal<Out, Bits<16>>,
    /// There is a node to be taken over, of this thread, above this ply.
    pub offered: Signal<Out, Bit>,
    pub offer_boss: Signal<Out, Bits<4>>,
    pub offer_below: Signal<Out, Bits<5>>,

    // Whom a thread has given what, and what it has taken over from whom
    forks: RAM<Fork, 4>,
    bonds: RAM<Bond, 4>,
    /// By thread, which nodes above the one it is at could be given away, and which others have done with: bit n is the node of ply n.
    open: RAM<Bits<16>, 4>,
    closed: RAM<Bits<16>, 4>,
    // What was written in the very cycle in which it was read
    fork_passed: DFF<Bit>,
    bond_passed: DFF<Bit>,
    new_fork: DFF<Fork>,
    new_bond: DFF<Bond>,
    // By thread
    fork_flags: DFF<Bits<16>>,
    done_flags: DFF<Bits<16>>,
    cut_flags: DFF<Bits<16>>,
    stop_flags: DFF<Bits<16>>,
    self_state: DFF<Bits<16>>,
    forked_state: DFF<Bit>,
    done_state: DFF<Bit>,
    cut_state: DFF<Bit>,
    stop_state: DFF<Bit>,
    // The plies above the thread's, and its own
    above: DFF<Bits<16>>,
    here: DFF<Bits<16>>,
    // The thread that has just passed
    passed: DFF<Bits<4>>,
    passed_open: DFF<Bits<16>>,
    // The offer
    offer_valid: DFF<Bit>,
    offer_of: DFF<Bits<4>>,
    offer_ply: DFF<Bits<5>>,
    // The gang
    runs: DFF<Bit>,
    led_by: DFF<Bits<4>>,
    is_spent: DFF<Bit>,
    count: DFF<Bits<29>>,
    best_state: DFF<Bits<16>>,

    one: Signal<Local, Bits<16>>,
    me: Signal<Local, Bits<16>>,
    next_one: Signal<Local, Bits<16>>,
    is_heard: Signal<Local, Bit>,
    given: Signal<Local, Fork>,
    taken: Signal<Local, Bond>,
    my_boss: Signal<Local, Bits<4>>,
    my_helper: Signal<Local, Bits<4>>,
    boss_bit: Signal<Local, Bits<16>>,
    helper_bit: Signal<Local, Bits<16>>,
    claimed_bit: Signal<Local, Bits<16>>,
    is_forked: Signal<Local, Bit>,
    is_done: Signal<Local, Bit>,
    is_cut: Signal<Local, Bit>,
    closes: Signal<Local, Bit>,
    fork_at: Signal<Local, Bits<5>>,
    closed_now: Signal<Local, Bits<16>>,
    closed_then: Signal<Local, Bits<16>>,
    stops_helper: Signal<Local, Bit>,
    writes_fork: Signal<Local, Bit>,
    fork_address: Signal<Local, Bits<4>>,
    fork_data: Signal<Local, Fork>,
    writes_bond: Signal<Local, Bit>,
    bond_address: Signal<Local, Bits<4>>,
    bond_data: Signal<Local, Bond>,
    forks_then: Signal<Local, Bits<16>>,
    dones_then: Signal<Local, Bits<16>>,
    cuts_then: Signal<Local, Bits<16>>,
    stops_then: Signal<Local, Bits<16>>,
    open_then: Signal<Local, Bits<16>>,
    low: Signal<Local, Bits<5>>,
    has_low: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
}

/// What a thread has given away.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Fork {
    /// The ply below the node.
    pub below: Bits<5>,
    /// To whom.
    pub helper: Bits<4>,
}

/// What a thread has taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Bond {
    /// From whom.
    pub boss: Bits<4>,
    /// The ply of the node.
    pub base: Bits<5>,
}

impl Logic for Foreman {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            fork_passed,
            bond_passed,
            new_fork,
            new_bond,
            fork_flags,
            done_flags,
            cut_flags,
            stop_flags,
            self_state,
            forked_state,
            done_state,
            cut_state,
            stop_state,
            above,
            here,
            passed,
            passed_open,
            offer_valid,
            offer_of,
            offer_ply,
            runs,
            led_by,
            is_spent,
            count,
            best_state
        );
        self.forks.read_clock.next = self.clock.val();
        self.forks.write_clock.next = self.clock.val();
        self.bonds.read_clock.next = self.clock.val();
        self.bonds.write_clock.next = self.clock.val();
        self.open.read_clock.next = self.clock.val();
        self.open.write_clock.next = self.clock.val();
        self.forks.read_address.next = self.reading.val();
        self.bonds.read_address.next = self.reading.val();
        self.open.read_address.next = self.reading.val();
        self.closed.read_clock.next = self.clock.val();
        self.closed.write_clock.next = self.clock.val();
        self.closed.read_address.next = self.reading.val();

        // The thread in stage 13: its own flags and bonds.
        self.one.next = 1.into();
        self.me.next = self.self_state.q.val();
        self.given.next = self.forks.read_data.val();
        if self.fork_passed.q.val() {
            self.given.next = self.new_fork.q.val();
        }
        self.taken.next = self.bonds.read_data.val();
        if self.bond_passed.q.val() {
            self.taken.next = self.new_bond.q.val();
        }
        self.my_boss.next = self.taken.val().boss;
        self.my_helper.next = self.given.val().helper;
        self.is_forked.next = self.forked_state.q.val();
        self.is_done.next = self.done_state.q.val();
        self.is_cut.next = self.cut_state.q.val();
        // Who hears that its helper is done need not wait any more when it comes back there, and can give another node away.
        self.closes.next = self.is_forked.val() & self.is_done.val() & !self.waits.val();
        self.fork_at.next = self.given.val().below - 1;
        self.closed_now.next = self.closed.read_data.val();
        if self.closes.val() {
            self.closed_now.next = self.closed.read_data.val() | (self.one.val() << self.fork_at.val());
        }
        self.stops_helper.next = self.releases.val() & self.is_forked.val() & !self.is_done.val() & !self.is_cut.val();
        self.boss_bit.next = self.one.val() << self.my_boss.val();
        self.helper_bit.next = self.one.val() << self.my_helper.val();
        self.claimed_bit.next = self.one.val() << self.offer_of.q.val();

        // What becomes of the flags.
        self.forks_then.next = self.fork_flags.q.val();
        self.dones_then.next = self.done_flags.q.val();
        self.cuts_then.next = self.cut_flags.q.val();
        self.stops_then.next = self.stop_flags.q.val() & !self.me.val();
        if self.releases.val() | self.hands_on.val() | self.closes.val() {
            self.forks_then.next = self.fork_flags.q.val() & !self.me.val();
            self.dones_then.next = self.done_flags.q.val() & !self.me.val();
            self.cuts_then.next = self.cut_flags.q.val() & !self.me.val();
        }
        if self.stops_helper.val() {
            self.stops_then.next = (self.stop_flags.q.val() & !self.me.val()) | self.helper_bit.val();
        }
        if self.reports.val() & self.report_cut.val() {
            self.cuts_then.next = self.cut_flags.q.val() | self.boss_bit.val();
        }
        if self.reports.val() & !self.report_cut.val() {
            self.dones_then.next = self.done_flags.q.val() | self.boss_bit.val();
        }
        if self.claims.val() {
            self.forks_then.next = self.fork_flags.q.val() | self.claimed_bit.val();
        }
        self.fork_flags.d.next = self.forks_then.val();
        self.done_flags.d.next = self.dones_then.val();
        self.cut_flags.d.next = self.cuts_then.val();
        self.stop_flags.d.next = self.stops_then.val();
        if self.disbands.val() {
            self.fork_flags.d.next = 0.into();
            self.done_flags.d.next = 0.into();
            self.cut_flags.d.next = 0.into();
            self.stop_flags.d.next = 0xffff.into();
        }

        // The flags of the thread in stage 12, with what this one changes about them: they are wanted early in stage 13.
        self.next_one.next = self.one.val() << self.reading.val();
        self.self_state.d.next = self.next_one.val();
        self.forked_state.d.next = ((self.fork_flags.q.val() & self.next_one.val()).any()
            | (self.claims.val() & (self.offer_of.q.val() == self.reading.val())))
            & !self.disbands.val();
        self.is_heard.next = self.reports.val() & (self.my_boss.val() == self.reading.val());
        self.done_state.d.next = ((self.done_flags.q.val() & self.next_one.val()).any()
            | (self.is_heard.val() & !self.report_cut.val()))
            & !self.disbands.val();
        self.cut_state.d.next = ((self.cut_flags.q.val() & self.next_one.val()).any()
            | (self.is_heard.val() & self.report_cut.val()))
            & !self.disbands.val();
        self.stop_state.d.next = (self.stop_flags.q.val() & self.next_one.val()).any()
            | (self.stops_helper.val() & (self.my_helper.val() == self.reading.val()))
            | self.disbands.val();

        // Forks and bonds: when a node is taken over, and when a helper is replaced by its own.
        self.writes_fork.next = self.claims.val() | self.hands_on.val();
        self.fork_address.next = self.offer_of.q.val();
        self.fork_data.next.below = self.offer_ply.q.val();
        self.fork_data.next.helper = self.index.val();
        self.writes_bond.next = self.claims.val() | self.hands_on.val();
        self.bond_address.next = self.index.val();
        self.bond_data.next.boss = self.offer_of.q.val();
        self.bond_data.next.base = self.offer_ply.q.val() - 1;
        if self.hands_on.val() {
            self.fork_address.next = self.my_boss.val();
            self.fork_data.next.below = self.given.val().below;
            self.fork_data.next.helper = self.my_helper.val();
            self.bond_address.next = self.my_helper.val();
            self.bond_data.next.boss = self.my_boss.val();
            self.bond_data.next.base = self.taken.val().base;
        }
        self.forks.write_enable.next = self.writes_fork.val();
        self.forks.write_address.next = self.fork_address.val();
        self.forks.write_data.next = self.fork_data.val();
        self.bonds.write_enable.next = self.writes_bond.val();
        self.bonds.write_address.next = self.bond_address.val();
        self.bonds.write_data.next = self.bond_data.val();
        self.new_fork.d.next = self.fork_data.val();
        self.new_bond.d.next = self.bond_data.val();
        self.fork_passed.d.next = self.writes_fork.val() & (self.fork_address.val() == self.reading.val());
        self.bond_passed.d.next = self.writes_bond.val() & (self.bond_address.val() == self.reading.val());

        // Which nodes can be given away. The masks are made while the thread is in stage 12.
        self.here.d.next = self.one.val() << self.reading_ply.val();
        self.above.d.next = (self.one.val() << self.reading_ply.val()) - 1;
        self.open_then.next = self.open.read_data.val() & self.above.q.val();
        if self.returns.val() {
            self.open_then.next = self.open.read_data.val() & (self.above.q.val() >> 1);
        }
        if self.makes.val() & self.opens.val() {
            self.open_then.next = (self.open.read_data.val() & self.above.q.val()) | self.here.q.val();
        }
        self.closed_then.next = self.closed_now.val() & (self.above.q.val() | self.here.q.val());
        if self.returns.val() {
            self.closed_then.next = self.closed_now.val() & self.above.q.val();
        }
        if self.claims.val() | self.starts.val() {
            self.open_then.next = 0.into();
            self.closed_then.next = 0.into();
        }
        self.closed.write_enable.next = true;
        self.closed.write_address.next = self.index.val();
        self.closed.write_data.next = self.closed_then.val();
        self.open.write_enable.next = true;
        self.open.write_address.next = self.index.val();
        self.open.write_data.next = self.open_then.val();
        self.passed.d.next = self.index.val();
        self.passed_open.d.next = 0.into();
        if self.searches.val() & (!self.is_forked.val() | self.releases.val() | self.closes.val()) {
            self.passed_open.d.next = self.open_then.val() & !self.closed_then.val();
        }

        // The offer: the node nearest to the root. A thread that passes may improve it, and withdraws its own if it is no more.
        self.low.next = 16.into();
        if self.passed_open.q.val().get_bit(14) {
            self.low.next = 15.into();
        }
        if self.passed_open.q.val().get_bit(13) {
            self.low.next = 14.into();
        }
        if self.passed_open.q.val().get_bit(12) {
            self.low.next = 13.into();
        }
        if self.passed_open.q.val().get_bit(11) {
            self.low.next = 12.into();
        }
        if self.passed_open.q.val().get_bit(10) {
            self.low.next = 11.into();
        }
        if self.passed_open.q.val().get_bit(9) {
            self.low.next = 10.into();
        }
        if self.passed_open.q.val().get_bit(8) {
            self.low.next = 9.into();
        }
        if self.passed_open.q.val().get_bit(7) {
            self.low.next = 8.into();
        }
        if self.passed_open.q.val().get_bit(6) {
            self.low.next = 7.into();
        }
        if self.passed_open.q.val().get_bit(5) {
            self.low.next = 6.into();
        }
        if self.passed_open.q.val().get_bit(4) {
            self.low.next = 5.into();
        }
        if self.passed_open.q.val().get_bit(3) {
            self.low.next = 4.into();
        }
        if self.passed_open.q.val().get_bit(2) {
            self.low.next = 3.into();
        }
        if self.passed_open.q.val().get_bit(1) {
            self.low.next = 2.into();
        }
        if self.passed_open.q.val().get_bit(0) {
            self.low.next = 1.into();
        }
        self.has_low.next = self.passed_open.q.val().any();
        self.free.next = !self.offer_valid.q.val() | (self.offer_of.q.val() == self.passed.q.val());
        if self.claims.val() | (self.offer_of.q.val() == self.passed.q.val()) {
            self.offer_valid.d.next = false;
        }
        if self.has_low.val() & (self.free.val() | self.claims.val() | (self.low.val() < self.offer_ply.q.val())) {
            self.offer_valid.d.next = true;
            self.offer_of.d.next = self.passed.q.val();
            self.offer_ply.d.next = self.low.val();
        }

        // The gang.
        if self.in_gang.val() & (self.count.q.val() == self.limit.val()) {
            self.is_spent.d.next = true;
        }
        if self.counts.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.best_found.val() {
            self.best_state.d.next = self.best_move.val();
        }
        if self.starts.val() {
            self.runs.d.next = true;
            self.led_by.d.next = self.index.val();
            self.is_spent.d.next = false;
            self.count.d.next = 0.into();
            self.best_state.d.next = 0.into();
        }
        if self.leaves.val() {
            self.runs.d.next = false;
        }
        if self.disbands.val() {
            self.offer_valid.d.next = false;
        }

        self.forked.next = self.is_forked.val() & !self.closes.val();
        self.closed_above.next = self.in_gang.val() & (self.closed_now.val() & (self.here.q.val() >> 1)).any();
        self.helper_done.next = self.is_done.val();
        self.helper_cut.next = self.is_cut.val();
        self.stopped.next = self.stop_state.q.val();
        self.fork_below.next = self.given.val().below;
        self.base.next = self.taken.val().base;
        self.running.next = self.runs.q.val();
        self.leader.next = self.led_by.q.val();
        self.spent.next = self.is_spent.q.val();
        self.nodes.next = self.count.q.val();
        self.best.next = self.best_state.q.val();
        self.offered.next = self.offer_valid.q.val() & (self.offer_of.q.val() != self.passed.q.val());
        self.offer_boss.next = self.offer_of.q.val();
        self.offer_below.next = self.offer_ply.q.val();
    }
}
