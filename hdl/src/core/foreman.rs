//! Beside stages 11 to 13: which thread of a gang does what.

use rust_hdl::prelude::*;

use super::offers::Offers;
use super::whereabouts::Whereabouts;

/// Shares out the nodes of a job among all threads of a core, as `bluebelle_spec::leaf::gang` says.
///
/// Every thread passes stage 13 once in a trip, and only there are nodes given away, taken over and given back; so what one does is
/// seen by all that pass after it, and needs no lock. What the gang has to say to a thread there is looked up before, and is as little as can
/// be: it comes together with the value of the slot, and the next slot hangs on both.
#[derive(LogicBlock, Default)]
pub struct Foreman {
    pub clock: Signal<In, Clock>,
    // The threads in stages 11 and 12, every cycle
    pub coming: Signal<In, Bits<4>>,
    pub reading: Signal<In, Bits<4>>,
    pub reading_ply: Signal<In, Bits<5>>,
    pub reading_gang: Signal<In, Bit>,
    pub reading_helps: Signal<In, Bit>,
    pub reading_waits: Signal<In, Bit>,
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
    /// It makes a move in a node that can be given away.
    pub opens: Signal<In, Bit>,
    /// It goes back to the node above.
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
    /// Nobody wants to know what it searches.
    pub stopped: Signal<Out, Bit>,
    /// Its helper has refuted the node that it has given away, and it comes back there.
    pub called: Signal<Out, Bit>,
    /// It is stopped, called, or still waits: whatever this slot has found, it does not go on with that.
    pub barred: Signal<Out, Bit>,
    /// The same, or it is at the node that it has taken over: it does not go back to the node above.
    pub stays: Signal<Out, Bit>,
    /// It is below the node that it has given away, and unless it refutes that, has nothing to go on with.
    pub comes: Signal<Out, Bit>,
    /// The same, and it has that node from another thread, so that its helper takes its place.
    pub hands: Signal<Out, Bit>,
    /// It is at the node that it has taken over.
    pub at_base: Signal<Out, Bit>,
    /// Its helper has found that the node reaches its bound.
    pub helper_cut: Signal<Out, Bit>,
    /// The ply below the node that it has given away.
    pub fork_below: Signal<Out, Bits<5>>,
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

    whereabouts: Whereabouts,
    offers: Offers,

    // By thread: whom it has given something, and from whom it has taken it over
    helpers: RAM<Bits<4>, 4>,
    bosses: RAM<Bits<4>, 4>,
    // What was written in the very cycle in which it was read
    helper_passed: DFF<Bit>,
    boss_passed: DFF<Bit>,
    new_helper: DFF<Bits<4>>,
    new_boss: DFF<Bits<4>>,
    // By thread: it has given a node away; its helper is done, and has found nothing, or that the node reaches its bound; it is to stop
    fork_flags: DFF<Bits<16>>,
    done_flags: DFF<Bits<16>>,
    cut_flags: DFF<Bits<16>>,
    stop_flags: DFF<Bits<16>>,
    // The same of the thread in stage 13, and which that is
    self_state: DFF<Bits<16>>,
    forked: DFF<Bit>,
    helper_done: DFF<Bit>,
    helper_found: DFF<Bit>,
    stop_state: DFF<Bit>,
    // The gang
    runs: DFF<Bit>,
    led_by: DFF<Bits<4>>,
    is_spent: DFF<Bit>,
    count: DFF<Bits<29>>,
    best_state: DFF<Bits<16>>,

    one: Signal<Local, Bits<16>>,
    me: Signal<Local, Bits<16>>,
    next_one: Signal<Local, Bits<16>>,
    my_boss: Signal<Local, Bits<4>>,
    my_helper: Signal<Local, Bits<4>>,
    boss_reads: Signal<Local, Bit>,
    helper_reads: Signal<Local, Bit>,
    boss_bit: Signal<Local, Bits<16>>,
    helper_bit: Signal<Local, Bits<16>>,
    claimed_bit: Signal<Local, Bits<16>>,
    claimed_reads: Signal<Local, Bit>,
    is_called: Signal<Local, Bit>,
    is_barred: Signal<Local, Bit>,
    is_back: Signal<Local, Bit>,
    closes: Signal<Local, Bit>,
    stops_helper: Signal<Local, Bit>,
    writes_link: Signal<Local, Bit>,
    forks_then: Signal<Local, Bits<16>>,
    dones_then: Signal<Local, Bits<16>>,
    cuts_then: Signal<Local, Bits<16>>,
    stops_then: Signal<Local, Bits<16>>,
}

impl Logic for Foreman {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            helper_passed,
            boss_passed,
            new_helper,
            new_boss,
            fork_flags,
            done_flags,
            cut_flags,
            stop_flags,
            self_state,
            forked,
            helper_done,
            helper_found,
            stop_state,
            runs,
            led_by,
            is_spent,
            count,
            best_state
        );
        clock!(self, clock, whereabouts, offers);
        self.helpers.read_clock.next = self.clock.val();
        self.helpers.write_clock.next = self.clock.val();
        self.bosses.read_clock.next = self.clock.val();
        self.bosses.write_clock.next = self.clock.val();
        self.helpers.read_address.next = self.reading.val();
        self.bosses.read_address.next = self.reading.val();

        // The thread in stage 13: what it hears.
        self.one.next = 1.into();
        self.me.next = self.self_state.q.val();
        // Who hears that its helper is done need not wait any more when it comes back there, and can give another node away.
        self.closes.next = self.forked.q.val() & self.helper_done.q.val() & !self.waits.val();
        self.is_called.next =
            self.forked.q.val() & self.helper_found.q.val() & !self.waits.val() & !self.stop_state.q.val();
        self.is_barred.next = self.stop_state.q.val()
            | (self.forked.q.val() & self.helper_found.q.val() & !self.waits.val())
            | (self.waits.val() & !self.helper_found.q.val() & !self.helper_done.q.val());
        self.is_back.next = self.forked.q.val()
            & self.whereabouts.at_fork.val()
            & !self.helper_done.q.val()
            & !self.helper_found.q.val()
            & !self.stop_state.q.val();
        self.stopped.next = self.stop_state.q.val();
        self.called.next = self.is_called.val();
        self.barred.next = self.is_barred.val();
        self.stays.next = self.is_barred.val() | self.whereabouts.at_base.val();
        self.comes.next = self.is_back.val();
        self.hands.next = self.is_back.val() & self.whereabouts.base_forked.val();
        self.at_base.next = self.whereabouts.at_base.val();
        self.helper_cut.next = self.helper_found.q.val();
        self.fork_below.next = self.whereabouts.fork_below.val();
        self.closed_above.next = self.offers.closed_above.val() | (self.closes.val() & self.whereabouts.at_fork.val());

        // Who is whose.
        self.my_helper.next = self.helpers.read_data.val();
        if self.helper_passed.q.val() {
            self.my_helper.next = self.new_helper.q.val();
        }
        self.my_boss.next = self.bosses.read_data.val();
        if self.boss_passed.q.val() {
            self.my_boss.next = self.new_boss.q.val();
        }
        self.boss_reads.next = self.my_boss.val() == self.reading.val();
        self.helper_reads.next = self.my_helper.val() == self.reading.val();
        self.claimed_reads.next = self.claims.val() & (self.offers.boss.val() == self.reading.val());
        self.boss_bit.next = self.one.val() << self.my_boss.val();
        self.helper_bit.next = self.one.val() << self.my_helper.val();
        self.claimed_bit.next = self.one.val() << self.offers.boss.val();
        self.stops_helper.next =
            self.releases.val() & self.forked.q.val() & !self.helper_done.q.val() & !self.helper_found.q.val();

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

        // The flags of the thread in stage 12, with what this one changes about them.
        self.next_one.next = self.one.val() << self.reading.val();
        self.self_state.d.next = self.next_one.val();
        self.forked.d.next = (self.fork_flags.q.val() & self.next_one.val()).any() | self.claimed_reads.val();
        self.helper_done.d.next = (self.done_flags.q.val() & self.next_one.val()).any()
            | (self.reports.val() & self.boss_reads.val() & !self.report_cut.val());
        self.helper_found.d.next = (self.cut_flags.q.val() & self.next_one.val()).any()
            | (self.reports.val() & self.boss_reads.val() & self.report_cut.val());
        self.stop_state.d.next = self.reading_helps.val()
            & ((self.stop_flags.q.val() & self.next_one.val()).any()
                | (self.stops_helper.val() & self.helper_reads.val())
                | self.disbands.val());
        if self.disbands.val() {
            self.fork_flags.d.next = 0.into();
            self.done_flags.d.next = 0.into();
            self.cut_flags.d.next = 0.into();
            self.stop_flags.d.next = 0xffff.into();
            self.forked.d.next = false;
            self.helper_done.d.next = false;
            self.helper_found.d.next = false;
        }

        // Helpers and bosses: when a node is taken over, and when a helper is replaced by its own.
        self.writes_link.next = self.claims.val() | self.hands_on.val();
        self.helpers.write_enable.next = self.writes_link.val();
        self.helpers.write_address.next = self.my_boss.val();
        self.helpers.write_data.next = self.my_helper.val();
        self.bosses.write_enable.next = self.writes_link.val();
        self.bosses.write_address.next = self.my_helper.val();
        self.bosses.write_data.next = self.my_boss.val();
        self.new_helper.d.next = self.my_helper.val();
        self.new_boss.d.next = self.my_boss.val();
        self.helper_passed.d.next = (self.hands_on.val() & self.boss_reads.val()) | self.claimed_reads.val();
        // Who takes over a node is in stage 13, and so not the one that is read.
        self.boss_passed.d.next = self.hands_on.val() & self.helper_reads.val();
        if self.claims.val() {
            self.helpers.write_address.next = self.offers.boss.val();
            self.helpers.write_data.next = self.index.val();
            self.bosses.write_address.next = self.index.val();
            self.bosses.write_data.next = self.offers.boss.val();
            self.new_helper.d.next = self.index.val();
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
        self.running.next = self.runs.q.val();
        self.leader.next = self.led_by.q.val();
        self.spent.next = self.is_spent.q.val();
        self.nodes.next = self.count.q.val();
        self.best.next = self.best_state.q.val();

        // Plies and offers.
        self.whereabouts.coming.next = self.coming.val();
        self.whereabouts.reading.next = self.reading.val();
        self.whereabouts.reading_ply.next = self.reading_ply.val();
        self.whereabouts.reading_helps.next = self.reading_helps.val();
        self.whereabouts.reading_waits.next = self.reading_waits.val();
        self.whereabouts.claims.next = self.claims.val();
        self.whereabouts.index.next = self.index.val();
        self.whereabouts.boss.next = self.offers.boss.val();
        self.whereabouts.node.next = self.offers.node.val();
        self.whereabouts.node_below.next = self.offers.node_below.val();
        self.offers.coming.next = self.coming.val();
        self.offers.reading.next = self.reading.val();
        self.offers.reading_ply.next = self.reading_ply.val();
        self.offers.reading_gang.next = self.reading_gang.val();
        self.offers.index.next = self.index.val();
        self.offers.opens.next = self.opens.val();
        self.offers.returns.next = self.returns.val();
        self.offers.closes.next = self.closes.val();
        self.offers.fork_below.next = self.whereabouts.fork_below.val();
        self.offers.begins.next = self.claims.val() | self.starts.val();
        self.offers.gives.next = self.searches.val() & (!self.forked.q.val() | self.releases.val() | self.closes.val());
        self.offers.claims.next = self.claims.val();
        self.offers.disbands.next = self.disbands.val();
        self.offered.next = self.offers.offered.val();
        self.offer_boss.next = self.offers.boss.val();
        self.offer_below.next = self.offers.node_below.val();
    }
}
