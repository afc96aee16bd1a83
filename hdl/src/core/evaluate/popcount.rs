//! Counting squares.

use rust_hdl::prelude::*;

use crate::core::masks::Masks;

/// Counts the squares of a board in two cycles. The numbers are sliced: bit *n* of every partial count is a board of its own,
/// with a count every 2, 4, 8 … squares, and adding is logic on boards.
#[derive(LogicBlock, Default)]
pub struct Popcount {
    pub clock: Signal<In, Clock>,
    pub squares: Signal<In, Bits<64>>,
    // Two cycles later
    pub count: Signal<Out, Bits<7>>,

    masks: Masks,
    rank0: DFF<Bits<64>>,
    rank1: DFF<Bits<64>>,
    rank2: DFF<Bits<64>>,
    rank3: DFF<Bits<64>>,
    total: DFF<Bits<7>>,

    // Of two squares, of four, of a rank
    two0: Signal<Local, Bits<64>>,
    two1: Signal<Local, Bits<64>>,
    four0: Signal<Local, Bits<64>>,
    four1: Signal<Local, Bits<64>>,
    four2: Signal<Local, Bits<64>>,
    four_carry: Signal<Local, Bits<64>>,
    carry0: Signal<Local, Bits<64>>,
    carry1: Signal<Local, Bits<64>>,
    // The ranks as numbers
    ranks: [Signal<Local, Bits<7>>; 8],
    // The ranks in pairs
    pairs: [Signal<Local, Bits<7>>; 4],
    plane: [Signal<Local, Bits<64>>; 4],
}

impl Logic for Popcount {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, rank0, rank1, rank2, rank3, total);
        self.two0.next = self.squares.val() ^ (self.squares.val() >> 1);
        self.two1.next = self.squares.val() & (self.squares.val() >> 1);
        self.four0.next = self.two0.val() ^ (self.two0.val() >> 2);
        self.four_carry.next = self.two0.val() & (self.two0.val() >> 2);
        self.four1.next = self.two1.val() ^ (self.two1.val() >> 2) ^ self.four_carry.val();
        self.four2.next = (self.two1.val() & (self.two1.val() >> 2))
            | (self.four_carry.val() & (self.two1.val() ^ (self.two1.val() >> 2)));
        self.carry0.next = self.four0.val() & (self.four0.val() >> 4);
        self.carry1.next = (self.four1.val() & (self.four1.val() >> 4))
            | (self.carry0.val() & (self.four1.val() ^ (self.four1.val() >> 4)));
        self.rank0.d.next = (self.four0.val() ^ (self.four0.val() >> 4)) & self.masks.file_a.val();
        self.rank1.d.next = (self.four1.val() ^ (self.four1.val() >> 4) ^ self.carry0.val()) & self.masks.file_a.val();
        self.rank2.d.next = (self.four2.val() ^ (self.four2.val() >> 4) ^ self.carry1.val()) & self.masks.file_a.val();
        self.rank3.d.next = ((self.four2.val() & (self.four2.val() >> 4))
            | (self.carry1.val() & (self.four2.val() ^ (self.four2.val() >> 4))))
            & self.masks.file_a.val();

        self.plane[0].next = self.rank0.q.val();
        self.plane[1].next = self.rank1.q.val();
        self.plane[2].next = self.rank2.q.val();
        self.plane[3].next = self.rank3.q.val();
        self.ranks[0].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(0))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(0)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(0)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(0)) << 3);
        self.ranks[1].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(8))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(8)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(8)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(8)) << 3);
        self.ranks[2].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(16))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(16)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(16)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(16)) << 3);
        self.ranks[3].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(24))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(24)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(24)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(24)) << 3);
        self.ranks[4].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(32))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(32)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(32)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(32)) << 3);
        self.ranks[5].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(40))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(40)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(40)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(40)) << 3);
        self.ranks[6].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(48))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(48)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(48)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(48)) << 3);
        self.ranks[7].next = bit_cast::<7, 1>(self.plane[0].val().get_bits::<1>(56))
            | (bit_cast::<7, 1>(self.plane[1].val().get_bits::<1>(56)) << 1)
            | (bit_cast::<7, 1>(self.plane[2].val().get_bits::<1>(56)) << 2)
            | (bit_cast::<7, 1>(self.plane[3].val().get_bits::<1>(56)) << 3);
        for k in 0..4 {
            self.pairs[k].next = self.ranks[k].val() + self.ranks[k + 4].val();
        }
        self.total.d.next = (self.pairs[0].val() + self.pairs[1].val()) + (self.pairs[2].val() + self.pairs[3].val());
        self.count.next = self.total.q.val();
    }
}
