//! Small counts: so many of ours more than of theirs. Combinational.

use rust_hdl::prelude::*;

/// The bits of one byte minus those of another. Adding is logic on sliced numbers, as in [`super::popcount`]: a LUT holds any
/// function of four squares, and a carry chain for so few bits would be larger.
#[derive(LogicBlock, Default)]
pub struct Difference {
    pub ours: Signal<In, Bits<8>>,
    pub theirs: Signal<In, Bits<8>>,
    pub difference: Signal<Out, Signed<8>>,

    // What they lack counts for us: that is 8 too much.
    squares: Signal<Local, Bits<16>>,
    one_1: Signal<Local, Bits<16>>,
    one_2: Signal<Local, Bits<16>>,
    one_3: Signal<Local, Bits<16>>,
    // Of four squares, of eight, of all
    four0: Signal<Local, Bits<16>>,
    four1: Signal<Local, Bits<16>>,
    four2: Signal<Local, Bits<16>>,
    carry0: Signal<Local, Bits<16>>,
    carry1: Signal<Local, Bits<16>>,
    eight0: Signal<Local, Bits<16>>,
    eight1: Signal<Local, Bits<16>>,
    eight2: Signal<Local, Bits<16>>,
    eight3: Signal<Local, Bits<16>>,
    low: Signal<Local, Bits<4>>,
    high: Signal<Local, Bits<4>>,
    sum: Signal<Local, Bits<5>>,
    wide: Signal<Local, Bits<8>>,
}

impl Logic for Difference {
    #[hdl_gen]
    fn update(&mut self) {
        self.squares.next = bit_cast::<16, 8>(self.ours.val()) | (bit_cast::<16, 8>(self.theirs.val() ^ 0xff) << 8);
        self.one_1.next = self.squares.val() >> 1;
        self.one_2.next = self.squares.val() >> 2;
        self.one_3.next = self.squares.val() >> 3;
        self.four0.next = self.squares.val() ^ self.one_1.val() ^ self.one_2.val() ^ self.one_3.val();
        self.four2.next = self.squares.val() & self.one_1.val() & self.one_2.val() & self.one_3.val();
        self.four1.next = ((self.squares.val() & self.one_1.val())
            | (self.one_2.val() & self.one_3.val())
            | ((self.squares.val() | self.one_1.val()) & (self.one_2.val() | self.one_3.val())))
            & !self.four2.val();
        self.carry0.next = self.four0.val() & (self.four0.val() >> 4);
        self.carry1.next = (self.four1.val() & (self.four1.val() >> 4))
            | (self.carry0.val() & (self.four1.val() | (self.four1.val() >> 4)));
        self.eight0.next = self.four0.val() ^ (self.four0.val() >> 4);
        self.eight1.next = self.four1.val() ^ (self.four1.val() >> 4) ^ self.carry0.val();
        // A four has neither a two nor a one beside it.
        self.eight2.next = (self.four2.val() ^ (self.four2.val() >> 4)) | self.carry1.val();
        self.eight3.next = self.four2.val() & (self.four2.val() >> 4);
        self.low.next = bit_cast::<4, 1>(self.eight0.val().get_bits::<1>(0))
            | (bit_cast::<4, 1>(self.eight1.val().get_bits::<1>(0)) << 1)
            | (bit_cast::<4, 1>(self.eight2.val().get_bits::<1>(0)) << 2)
            | (bit_cast::<4, 1>(self.eight3.val().get_bits::<1>(0)) << 3);
        self.high.next = bit_cast::<4, 1>(self.eight0.val().get_bits::<1>(8))
            | (bit_cast::<4, 1>(self.eight1.val().get_bits::<1>(8)) << 1)
            | (bit_cast::<4, 1>(self.eight2.val().get_bits::<1>(8)) << 2)
            | (bit_cast::<4, 1>(self.eight3.val().get_bits::<1>(8)) << 3);
        self.sum.next = bit_cast::<5, 4>(self.low.val()) + bit_cast::<5, 4>(self.high.val());
        // Minus 8: a sum of 8 to 15 loses bit 3, 16 becomes 8, and what is less becomes negative.
        self.wide.next = bit_cast::<8, 3>(self.sum.val().get_bits::<3>(0));
        if self.sum.val().get_bit(4) {
            self.wide.next = 8.into();
        } else if !self.sum.val().get_bit(3) {
            self.wide.next = bit_cast::<8, 3>(self.sum.val().get_bits::<3>(0)) | 0xf8;
        }
        self.difference.next = signed_cast(self.wide.val());
    }
}

/// The bits of one byte minus those of another, each counted up to 2.
#[derive(LogicBlock, Default)]
pub struct UpToTwo {
    pub ours: Signal<In, Bits<8>>,
    pub theirs: Signal<In, Bits<8>>,
    pub difference: Signal<Out, Signed<8>>,

    side: [Signal<Local, Bits<8>>; 2],
    low: [Signal<Local, Bits<4>>; 2],
    high: [Signal<Local, Bits<4>>; 2],
    low_more: [Signal<Local, Bit>; 2],
    high_more: [Signal<Local, Bit>; 2],
    some: [Signal<Local, Bit>; 2],
    more: [Signal<Local, Bit>; 2],
    once: Signal<Local, Bit>,
    twice: Signal<Local, Bit>,
    negative: Signal<Local, Bit>,
    wide: Signal<Local, Bits<8>>,
}

impl Logic for UpToTwo {
    #[hdl_gen]
    fn update(&mut self) {
        self.side[0].next = self.ours.val();
        self.side[1].next = self.theirs.val();
        for k in 0..2 {
            self.low[k].next = self.side[k].val().get_bits::<4>(0);
            self.high[k].next = self.side[k].val().get_bits::<4>(4);
            self.low_more[k].next = (self.low[k].val().get_bit(0) & self.low[k].val().get_bit(1))
                | (self.low[k].val().get_bit(2) & self.low[k].val().get_bit(3))
                | ((self.low[k].val().get_bit(0) | self.low[k].val().get_bit(1))
                    & (self.low[k].val().get_bit(2) | self.low[k].val().get_bit(3)));
            self.high_more[k].next = (self.high[k].val().get_bit(0) & self.high[k].val().get_bit(1))
                | (self.high[k].val().get_bit(2) & self.high[k].val().get_bit(3))
                | ((self.high[k].val().get_bit(0) | self.high[k].val().get_bit(1))
                    & (self.high[k].val().get_bit(2) | self.high[k].val().get_bit(3)));
            self.some[k].next = self.low[k].val().any() | self.high[k].val().any();
            self.more[k].next =
                self.low_more[k].val() | self.high_more[k].val() | (self.low[k].val().any() & self.high[k].val().any());
        }
        self.once.next = (self.some[0].val() ^ self.some[1].val()) ^ (self.more[0].val() ^ self.more[1].val());
        self.twice.next = (self.more[0].val() & !self.some[1].val()) | (self.more[1].val() & !self.some[0].val());
        self.negative.next = (self.some[1].val() & !self.some[0].val()) | (self.more[1].val() & !self.more[0].val());
        self.wide.next = bit_cast::<8, 1>(self.once.val().into())
            | (bit_cast::<8, 1>((self.twice.val() | (self.negative.val() & self.once.val())).into()) << 1);
        if self.negative.val() {
            self.wide.next = bit_cast::<8, 1>(self.once.val().into()) | 0xfe;
        }
        self.difference.next = signed_cast(self.wide.val());
    }
}
