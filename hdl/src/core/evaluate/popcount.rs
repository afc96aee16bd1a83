//! Counting squares.

use rust_hdl::prelude::*;

/// Counts the squares of a board in two cycles: seven ranks of each file by full adders, all files side by side, then the files
/// by pairs. The eighth rank comes in as carries.
#[derive(LogicBlock, Default)]
pub struct Popcount {
    pub clock: Signal<In, Clock>,
    pub squares: Signal<In, Bits<64>>,
    // Two cycles later
    pub count: Signal<Out, Bits<7>>,

    pairs_state: [DFF<Bits<4>>; 4],
    rest_state: DFF<Bits<4>>,
    total: DFF<Bits<7>>,

    rank: [Signal<Local, Bits<8>>; 8],
    // Ones and twos of three ranks, and of the next three; then of seven
    low0: Signal<Local, Bits<8>>,
    low1: Signal<Local, Bits<8>>,
    high0: Signal<Local, Bits<8>>,
    high1: Signal<Local, Bits<8>>,
    seven0: Signal<Local, Bits<8>>,
    carry: Signal<Local, Bits<8>>,
    seven1: Signal<Local, Bits<8>>,
    seven2: Signal<Local, Bits<8>>,
    // The files as numbers, with a bit below them for the carry
    ones: Signal<Local, Bits<16>>,
    twos: Signal<Local, Bits<16>>,
    fours: Signal<Local, Bits<16>>,
    eighth: Signal<Local, Bits<16>>,
    file: [Signal<Local, Bits<5>>; 8],
    pairs: [Signal<Local, Bits<5>>; 4],
    lower: Signal<Local, Bits<6>>,
    upper: Signal<Local, Bits<6>>,
    all: Signal<Local, Bits<7>>,
    rest: Signal<Local, Bits<4>>,
}

impl Logic for Popcount {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, rest_state, total);
        for k in 0..8 {
            self.rank[k].next = self.squares.val().get_bits::<8>(k * 8);
        }
        self.low0.next = self.rank[0].val() ^ self.rank[1].val() ^ self.rank[2].val();
        self.low1.next = (self.rank[0].val() & self.rank[1].val())
            | (self.rank[0].val() & self.rank[2].val())
            | (self.rank[1].val() & self.rank[2].val());
        self.high0.next = self.rank[3].val() ^ self.rank[4].val() ^ self.rank[5].val();
        self.high1.next = (self.rank[3].val() & self.rank[4].val())
            | (self.rank[3].val() & self.rank[5].val())
            | (self.rank[4].val() & self.rank[5].val());
        self.seven0.next = self.low0.val() ^ self.high0.val() ^ self.rank[6].val();
        self.carry.next = (self.low0.val() & self.high0.val())
            | (self.low0.val() & self.rank[6].val())
            | (self.high0.val() & self.rank[6].val());
        self.seven1.next = self.low1.val() ^ self.high1.val() ^ self.carry.val();
        self.seven2.next = (self.low1.val() & self.high1.val())
            | (self.low1.val() & self.carry.val())
            | (self.high1.val() & self.carry.val());
        self.ones.next = bit_cast::<16, 8>(self.seven0.val());
        self.twos.next = bit_cast::<16, 8>(self.seven1.val());
        self.fours.next = bit_cast::<16, 8>(self.seven2.val());
        self.eighth.next = bit_cast::<16, 8>(self.rank[7].val());
        for k in 0..8 {
            self.file[k].next = ((self.ones.val().get_bits::<5>(k) & 1) << 1)
                | ((self.twos.val().get_bits::<5>(k) & 1) << 2)
                | ((self.fours.val().get_bits::<5>(k) & 1) << 3);
        }
        for k in 0..4 {
            self.pairs[k].next =
                (self.file[k].val() | 1) + (self.file[k + 4].val() | (self.eighth.val().get_bits::<5>(k) & 1));
            self.pairs_state[k].clock.next = self.clock.val();
            self.pairs_state[k].d.next = self.pairs[k].val().get_bits::<4>(1);
        }
        self.rest_state.d.next = self.rank[7].val().get_bits::<4>(4);

        // A cycle later.
        self.rest.next = self.rest_state.q.val();
        self.lower.next = ((bit_cast::<6, 4>(self.pairs_state[0].q.val()) << 1) | 1)
            + ((bit_cast::<6, 4>(self.pairs_state[1].q.val()) << 1)
                | bit_cast::<6, 1>(self.rest.val().get_bits::<1>(0)));
        self.upper.next = ((bit_cast::<6, 4>(self.pairs_state[2].q.val()) << 1) | 1)
            + ((bit_cast::<6, 4>(self.pairs_state[3].q.val()) << 1)
                | bit_cast::<6, 1>(self.rest.val().get_bits::<1>(1)));
        self.all.next = ((bit_cast::<7, 5>(self.lower.val().get_bits::<5>(1)) << 1) | 1)
            + ((bit_cast::<7, 5>(self.upper.val().get_bits::<5>(1)) << 1)
                | bit_cast::<7, 1>(self.rest.val().get_bits::<1>(2)));
        self.total.d.next =
            bit_cast::<7, 6>(self.all.val().get_bits::<6>(1)) + bit_cast::<7, 1>(self.rest.val().get_bits::<1>(3));
        self.count.next = self.total.q.val();
    }
}
