//! Stage 8: what stands on the square that was found.

use rust_hdl::prelude::*;

use super::thread::{Findings, Thread};

/// Reads one square of a rank, and gathers what the passes found.
#[derive(LogicBlock, Default)]
pub struct ReadSquare {
    pub clock: Signal<In, Clock>,
    // Thread, arbiters' choices and the rank that was read in, every cycle
    pub thread_in: Signal<In, Thread>,
    pub found: Signal<In, Bit>,
    pub square: Signal<In, Bits<6>>,
    pub row0: Signal<In, Bits<8>>,
    pub row1: Signal<In, Bits<8>>,
    pub row2: Signal<In, Bits<8>>,
    pub last: Signal<In, Bit>,
    pub next_piece: Signal<In, Bits<6>>,
    pub has_next: Signal<In, Bit>,
    pub last_piece: Signal<In, Bit>,
    pub in_check: Signal<In, Bit>,
    pub illegal: Signal<In, Bit>,
    // Thread and findings out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    pub findings: Signal<Out, Findings>,

    state: DFF<Thread>,
    findings_state: DFF<Findings>,
    origin: Signal<Local, Bits<6>>,
    file: Signal<Local, Bits<3>>,
    bit0: Signal<Local, Bit>,
    bit1: Signal<Local, Bit>,
    bit2: Signal<Local, Bit>,
}

impl Logic for ReadSquare {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, findings_state);
        self.origin.next = self.thread_in.val().origin;
        self.file.next = self.square.val().get_bits::<3>(0);
        if self.thread_in.val().quiet | self.thread_in.val().killing {
            self.file.next = self.origin.val().get_bits::<3>(0);
        }
        self.bit0.next = self.row0.val().get_bit(self.file.val().index());
        self.bit1.next = self.row1.val().get_bit(self.file.val().index());
        self.bit2.next = self.row2.val().get_bit(self.file.val().index());

        self.findings_state.d.next.found = self.found.val();
        self.findings_state.d.next.square = self.square.val();
        self.findings_state.d.next.last = self.last.val();
        self.findings_state.d.next.code = bit_cast::<3, 1>(self.bit0.val().into())
            | (bit_cast::<3, 1>(self.bit1.val().into()) << 1)
            | (bit_cast::<3, 1>(self.bit2.val().into()) << 2);
        self.findings_state.d.next.next_piece = self.next_piece.val();
        self.findings_state.d.next.has_next = self.has_next.val();
        self.findings_state.d.next.last_piece = self.last_piece.val();
        self.findings_state.d.next.in_check = self.in_check.val();
        self.findings_state.d.next.illegal = self.illegal.val();
        self.findings_state.d.next.loses = false;
        self.state.d.next = self.thread_in.val();
        self.thread_out.next = self.state.q.val();
        self.findings.next = self.findings_state.q.val();
    }
}
