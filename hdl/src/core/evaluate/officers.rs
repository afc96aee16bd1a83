//! Rooks and bishops, told from what radiates. Combinational.

use rust_hdl::prelude::*;

use crate::core::masks::Masks;

/// What the evaluation wants to know of rooks and bishops. All of a side's pieces radiate in find victim: what does so along
/// straight lines only is a rook, and along diagonals only a bishop.
#[derive(LogicBlock, Default)]
pub struct Officers {
    // Sources in
    pub straight: Signal<In, Bits<64>>,
    pub diagonal: Signal<In, Bits<64>>,
    // Out
    pub rook_files: Signal<Out, Bits<8>>,
    /// There are bishops on squares of both colours.
    pub pair: Signal<Out, Bit>,

    masks: Masks,
    rooks: Signal<Local, Bits<64>>,
    bishops: Signal<Local, Bits<64>>,
    rank: [Signal<Local, Bits<8>>; 8],
}

impl Logic for Officers {
    #[hdl_gen]
    fn update(&mut self) {
        self.rooks.next = self.straight.val() & !self.diagonal.val();
        self.bishops.next = self.diagonal.val() & !self.straight.val();
        for k in 0..8 {
            self.rank[k].next = self.rooks.val().get_bits::<8>(k * 8);
        }
        self.rook_files.next = (self.rank[0].val() | self.rank[1].val() | self.rank[2].val() | self.rank[3].val())
            | (self.rank[4].val() | self.rank[5].val() | self.rank[6].val() | self.rank[7].val());
        self.pair.next =
            (self.bishops.val() & self.masks.light.val()).any() & (self.bishops.val() & !self.masks.light.val()).any();
    }
}
