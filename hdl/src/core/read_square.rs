//! Stage 8: what stands on the square that was found.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::{Findings, Thread};

/// Reads one square of the board, and gathers what the passes found.
#[derive(LogicBlock, Default)]
pub struct ReadSquare {
    pub clock: Signal<In, Clock>,
    // Thread and arbiters' choices in, every cycle
    pub thread_in: Signal<In, Thread>,
    pub found: Signal<In, Bit>,
    pub square: Signal<In, Bits<6>>,
    pub last: Signal<In, Bit>,
    pub next_piece: Signal<In, Bits<6>>,
    pub has_next: Signal<In, Bit>,
    pub in_check: Signal<In, Bit>,
    pub illegal: Signal<In, Bit>,
    // Thread and findings out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    pub findings: Signal<Out, Findings>,

    masks: Masks,
    state: DFF<Thread>,
    findings_state: DFF<Findings>,
    address: Signal<Local, Bits<6>>,
    mask: Signal<Local, Bits<64>>,
    bit0: Signal<Local, Bits<64>>,
    bit1: Signal<Local, Bits<64>>,
    bit2: Signal<Local, Bits<64>>,
}

impl Logic for ReadSquare {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, findings_state);
        self.address.next = self.square.val();
        if self.thread_in.val().quiet | self.thread_in.val().killing {
            self.address.next = self.thread_in.val().origin;
        }
        if self.thread_in.val().push {
            if self.thread_in.val().turn {
                self.address.next = self.square.val() + 8;
            } else {
                self.address.next = self.square.val() - 8;
            }
        }
        self.mask.next = (self.masks.rank_1.val() << (self.address.val() & 56))
            & (self.masks.file_a.val() << self.address.val().get_bits::<3>(0));
        self.bit0.next = self.thread_in.val().code0 & self.mask.val();
        self.bit1.next = self.thread_in.val().code1 & self.mask.val();
        self.bit2.next = self.thread_in.val().code2 & self.mask.val();

        self.findings_state.d.next.found = self.found.val();
        self.findings_state.d.next.square = self.square.val();
        self.findings_state.d.next.last = self.last.val();
        self.findings_state.d.next.code = bit_cast::<3, 1>(self.bit0.val().any().into())
            | (bit_cast::<3, 1>(self.bit1.val().any().into()) << 1)
            | (bit_cast::<3, 1>(self.bit2.val().any().into()) << 2);
        self.findings_state.d.next.next_piece = self.next_piece.val();
        self.findings_state.d.next.has_next = self.has_next.val();
        self.findings_state.d.next.in_check = self.in_check.val();
        self.findings_state.d.next.illegal = self.illegal.val();
        self.state.d.next = self.thread_in.val();
        self.thread_out.next = self.state.q.val();
        self.findings.next = self.findings_state.q.val();
    }
}
