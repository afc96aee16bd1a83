//! Stage 7, beside the arbiters' last step: the rank on which something is to be read.

use rust_hdl::prelude::*;

use super::thread::Thread;

/// Reads the rank of the piece that moves, or is taken: the arbiters know the rank a stage before the file.
#[derive(LogicBlock, Default)]
pub struct ReadRank {
    pub clock: Signal<In, Clock>,
    // Thread and the rank that was found in, every cycle
    pub thread_in: Signal<In, Thread>,
    pub rank: Signal<In, Bits<3>>,
    // Out, a cycle later: the rank's codes, bit by bit
    pub row0: Signal<Out, Bits<8>>,
    pub row1: Signal<Out, Bits<8>>,
    pub row2: Signal<Out, Bits<8>>,

    row0_state: DFF<Bits<8>>,
    row1_state: DFF<Bits<8>>,
    row2_state: DFF<Bits<8>>,

    code0: Signal<Local, Bits<64>>,
    code1: Signal<Local, Bits<64>>,
    code2: Signal<Local, Bits<64>>,
    origin: Signal<Local, Bits<6>>,
    from_first: Signal<Local, Bits<3>>,
    carries: Signal<Local, Bits<3>>,
    read: Signal<Local, Bits<3>>,
}

impl Logic for ReadRank {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, row0_state, row1_state, row2_state);
        self.code0.next = self.thread_in.val().code0;
        self.code1.next = self.thread_in.val().code1;
        self.code2.next = self.thread_in.val().code2;
        self.origin.next = self.thread_in.val().origin;

        // A pawn comes from the rank before; the rank's bits are flipped as a carry would, because a sum becomes a carry chain.
        self.from_first.next = !self.rank.val();
        if self.thread_in.val().turn {
            self.from_first.next = self.rank.val();
        }
        self.carries.next = 1.into();
        if self.from_first.val().get_bit(0) {
            self.carries.next = 3.into();
        }
        if self.from_first.val().get_bits::<2>(0).all() {
            self.carries.next = 7.into();
        }
        self.read.next = self.rank.val();
        if self.thread_in.val().push {
            self.read.next = self.rank.val() ^ self.carries.val();
        }
        if self.thread_in.val().quiet | self.thread_in.val().killing {
            self.read.next = self.origin.val().get_bits::<3>(3);
        }

        self.row0_state.d.next = 0.into();
        self.row1_state.d.next = 0.into();
        self.row2_state.d.next = 0.into();
        for k in 0..8 {
            if self.read.val() == k.to_bits() {
                self.row0_state.d.next = self.code0.val().get_bits::<8>(8 * k);
                self.row1_state.d.next = self.code1.val().get_bits::<8>(8 * k);
                self.row2_state.d.next = self.code2.val().get_bits::<8>(8 * k);
            }
        }
        self.row0.next = self.row0_state.q.val();
        self.row1.next = self.row1_state.q.val();
        self.row2.next = self.row2_state.q.val();
    }
}
