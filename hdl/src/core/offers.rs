//! Stages 11 to 13: which nodes other threads can take over, and the one that is on offer.

use rust_hdl::prelude::*;

/// Keeps for each thread which of its nodes could be given away, and the best of all.
///
/// Offers take a cycle more than all else that a thread does: which of its nodes is the nearest to the root is found in the cycle after it
/// has passed stage 13, and the thread that passes then sees no offer of it.
#[derive(LogicBlock, Default)]
pub struct Offers {
    pub clock: Signal<In, Clock>,
    // The threads in stages 11 and 12, every cycle
    pub coming: Signal<In, Bits<4>>,
    pub reading: Signal<In, Bits<4>>,
    pub reading_ply: Signal<In, Bits<5>>,
    pub reading_gang: Signal<In, Bit>,
    // The thread in stage 13, and what becomes of it
    pub index: Signal<In, Bits<4>>,
    /// It makes a move in a node that can be given away.
    pub opens: Signal<In, Bit>,
    /// It goes back to the node above.
    pub returns: Signal<In, Bit>,
    /// All other moves of the node above this ply are searched, as it has heard.
    pub closes: Signal<In, Bit>,
    pub fork_below: Signal<In, Bits<5>>,
    /// It begins with nothing open: takes a job, or a node.
    pub begins: Signal<In, Bit>,
    /// It can give a node away.
    pub gives: Signal<In, Bit>,
    /// It takes over the node that is on offer.
    pub claims: Signal<In, Bit>,
    /// Nothing is on offer any more.
    pub disbands: Signal<In, Bit>,
    // The thread in stage 13, out
    /// All other moves of the node above were searched before it came by.
    pub closed_above: Signal<Out, Bit>,
    // The offer, out: whose node, its ply, and the one below
    pub offered: Signal<Out, Bit>,
    pub boss: Signal<Out, Bits<4>>,
    pub node: Signal<Out, Bits<5>>,
    pub node_below: Signal<Out, Bits<5>>,

    /// By thread, which nodes above the one it is at could be given away, and which others have done with: bit n is the node of ply n.
    open: RAM<Bits<16>, 4>,
    closed: RAM<Bits<16>, 4>,
    closed_state: DFF<Bits<16>>,
    above_state: DFF<Bit>,
    // The plies above the thread's, and its own
    above: DFF<Bits<16>>,
    here: DFF<Bits<16>>,
    // The thread that has just passed
    passed: DFF<Bits<4>>,
    passed_open: DFF<Bits<16>>,
    // The offer
    offer_valid: DFF<Bit>,
    offer_of: DFF<Bits<4>>,
    offer_node: DFF<Bits<5>>,
    offer_below: DFF<Bits<5>>,
    /// The plies nearer to the root than its own.
    offer_above: DFF<Bits<16>>,

    one: Signal<Local, Bits<16>>,
    one_below: Signal<Local, Bits<17>>,
    fork_bit: Signal<Local, Bits<17>>,
    reading_bit: Signal<Local, Bits<17>>,
    closed_now: Signal<Local, Bits<16>>,
    closed_then: Signal<Local, Bits<16>>,
    open_then: Signal<Local, Bits<16>>,
    from_pair: Signal<Local, Bits<16>>,
    from_four: Signal<Local, Bits<16>>,
    from_low: Signal<Local, Bits<16>>,
    low: Signal<Local, Bits<16>>,
    has_low: Signal<Local, Bit>,
    is_of_passed: Signal<Local, Bit>,
    better: Signal<Local, Bit>,
}

impl Logic for Offers {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            closed_state,
            above_state,
            above,
            here,
            passed,
            passed_open,
            offer_valid,
            offer_of,
            offer_node,
            offer_below,
            offer_above
        );
        self.open.read_clock.next = self.clock.val();
        self.open.write_clock.next = self.clock.val();
        self.open.read_address.next = self.reading.val();
        self.closed.read_clock.next = self.clock.val();
        self.closed.write_clock.next = self.clock.val();
        self.closed.read_address.next = self.coming.val();

        // Stage 12. The masks, and whether the node above is done with.
        self.one.next = 1.into();
        self.one_below.next = 1.into();
        self.reading_bit.next = self.one_below.val() << self.reading_ply.val();
        self.here.d.next = self.one.val() << self.reading_ply.val();
        self.above.d.next = (self.one.val() << self.reading_ply.val()) - 1;
        self.closed_state.d.next = self.closed.read_data.val();
        self.above_state.d.next =
            self.reading_gang.val() & (self.closed.read_data.val() & self.reading_bit.val().get_bits::<16>(1)).any();

        // Stage 13.
        self.fork_bit.next = self.one_below.val() << self.fork_below.val();
        self.closed_now.next = self.closed_state.q.val();
        if self.closes.val() {
            self.closed_now.next = self.closed_state.q.val() | self.fork_bit.val().get_bits::<16>(1);
        }
        self.open_then.next = self.open.read_data.val() & self.above.q.val();
        if self.returns.val() {
            self.open_then.next = self.open.read_data.val() & (self.above.q.val() >> 1);
        }
        if self.opens.val() {
            self.open_then.next = (self.open.read_data.val() & self.above.q.val()) | self.here.q.val();
        }
        self.closed_then.next = self.closed_now.val() & (self.above.q.val() | self.here.q.val());
        if self.returns.val() {
            self.closed_then.next = self.closed_now.val() & self.above.q.val();
        }
        if self.begins.val() {
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
        self.passed_open.d.next = self.open_then.val() & !self.closed_then.val();
        if !self.gives.val() {
            self.passed_open.d.next = 0.into();
        }

        // The offer: the node nearest to the root. A thread that passes may improve it, and withdraws its own if it is no more. Masks are
        // compared, not numbers: sums and chains would take too long.
        self.from_pair.next = self.passed_open.q.val() | (self.passed_open.q.val() << 1);
        self.from_four.next = self.from_pair.val() | (self.from_pair.val() << 2);
        self.from_low.next = self.from_four.val()
            | (self.from_four.val() << 4)
            | (self.from_four.val() << 8)
            | (self.from_four.val() << 12);
        self.low.next = self.passed_open.q.val() & !(self.from_low.val() << 1);
        self.has_low.next = self.passed_open.q.val().any();
        self.is_of_passed.next = self.offer_of.q.val() == self.passed.q.val();
        self.better.next = (self.passed_open.q.val() & self.offer_above.q.val()).any();
        if self.claims.val() | self.is_of_passed.val() {
            self.offer_valid.d.next = false;
        }
        if self.has_low.val()
            & (!self.offer_valid.q.val() | self.is_of_passed.val() | self.claims.val() | self.better.val())
        {
            self.offer_valid.d.next = true;
            self.offer_of.d.next = self.passed.q.val();
            self.offer_above.d.next = !self.from_low.val();
            self.offer_node.d.next = bit_cast::<5, 1>((self.low.val() & 0xaaaa).any().into())
                | (bit_cast::<5, 1>((self.low.val() & 0xcccc).any().into()) << 1)
                | (bit_cast::<5, 1>((self.low.val() & 0xf0f0).any().into()) << 2)
                | (bit_cast::<5, 1>((self.low.val() & 0xff00).any().into()) << 3);
            self.offer_below.d.next = bit_cast::<5, 1>((self.low.val() & 0x5555).any().into())
                | (bit_cast::<5, 1>((self.low.val() & 0x6666).any().into()) << 1)
                | (bit_cast::<5, 1>((self.low.val() & 0x7878).any().into()) << 2)
                | (bit_cast::<5, 1>((self.low.val() & 0x7f80).any().into()) << 3)
                | (bit_cast::<5, 1>((self.low.val() & 0x8000).any().into()) << 4);
        }
        if self.disbands.val() {
            self.offer_valid.d.next = false;
        }

        self.closed_above.next = self.above_state.q.val();
        self.offered.next = self.offer_valid.q.val() & !self.is_of_passed.val();
        self.boss.next = self.offer_of.q.val();
        self.node.next = self.offer_node.q.val();
        self.node_below.next = self.offer_below.q.val();
    }
}
