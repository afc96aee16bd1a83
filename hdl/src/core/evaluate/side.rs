//! What the structural terms count, for one side.

use rust_hdl::prelude::*;

use super::popcount::Count8;
use crate::core::masks::Masks;

/// The counts of one side, two cycles after its pieces. All boards are seen from that side.
#[derive(LogicBlock, Default)]
pub struct Side {
    pub clock: Signal<In, Clock>,
    // Pieces in, every cycle
    pub pawns: Signal<In, Bits<64>>,
    pub enemy_pawns: Signal<In, Bits<64>>,
    pub bishops: Signal<In, Bits<64>>,
    pub rooks: Signal<In, Bits<64>>,
    pub king: Signal<In, Bits<6>>,
    // Counts out, two cycles later
    pub pair: Signal<Out, Bit>,
    pub doubled: Signal<Out, Bits<4>>,
    pub isolated: Signal<Out, Bits<4>>,
    pub open: Signal<Out, Bits<4>>,
    pub half_open: Signal<Out, Bits<4>>,
    pub near: Signal<Out, Bits<4>>,
    pub far: Signal<Out, Bits<4>>,
    pub bare: Signal<Out, Bits<4>>,
    /// From the second rank to the seventh, at most 2 each.
    pub passed: [Signal<Out, Bits<2>>; 6],

    masks: Masks,
    pair_state: [DFF<Bit>; 2],
    // Files, after one cycle: doubled, isolated, open, half open, near, far, bare
    vectors: [DFF<Bits<8>>; 7],
    passed_ranks: [DFF<Bits<8>>; 6],
    counters: [Count8; 7],
    counts: [DFF<Bits<4>>; 7],
    passed_counts: [DFF<Bits<2>>; 6],

    light: Signal<Local, Bits<64>>,
    dark: Signal<Local, Bits<64>>,
    rank: [Signal<Local, Bits<8>>; 8],
    enemy_rank: [Signal<Local, Bits<8>>; 8],
    rook_rank: [Signal<Local, Bits<8>>; 8],
    // Files with a pawn on a lower rank, and with two up to here
    below: [Signal<Local, Bits<8>>; 8],
    twice: [Signal<Local, Bits<8>>; 8],
    // Files with an enemy pawn on a higher rank
    above: [Signal<Local, Bits<8>>; 8],
    files: Signal<Local, Bits<8>>,
    enemy_files: Signal<Local, Bits<8>>,
    rook_files: Signal<Local, Bits<8>>,
    king_file: Signal<Local, Bits<8>>,
    king_files: Signal<Local, Bits<8>>,
    one: Signal<Local, Bits<8>>,
    sheltered: Signal<Local, Bits<8>>,
    some: [Signal<Local, Bit>; 6],
    more: [Signal<Local, Bits<8>>; 6],
    ranked: [Signal<Local, Bits<8>>; 6],
}

impl Logic for Side {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..8 {
            self.rank[k].next = self.pawns.val().get_bits::<8>(k * 8);
            self.enemy_rank[k].next = self.enemy_pawns.val().get_bits::<8>(k * 8);
            self.rook_rank[k].next = self.rooks.val().get_bits::<8>(k * 8);
        }
        self.light.next = self.bishops.val() & self.masks.light.val();
        self.dark.next = self.bishops.val() & !self.masks.light.val();
        for k in 0..2 {
            self.pair_state[k].clock.next = self.clock.val();
        }
        self.pair_state[0].d.next = self.light.val().any() & self.dark.val().any();
        self.pair_state[1].d.next = self.pair_state[0].q.val();
        self.pair.next = self.pair_state[1].q.val();

        // Pawns live on ranks 1 to 6.
        self.below[0].next = 0.into();
        self.twice[0].next = 0.into();
        self.above[7].next = 0.into();
        for k in 0..7 {
            self.below[k + 1].next = self.below[k].val() | self.rank[k].val();
            self.twice[k + 1].next = self.twice[k].val() | (self.below[k].val() & self.rank[k].val());
            self.above[6 - k].next = self.above[7 - k].val() | self.enemy_rank[7 - k].val();
        }
        self.files.next = self.below[7].val();
        self.enemy_files.next = self.above[0].val();
        self.rook_files.next = (self.rook_rank[0].val()
            | self.rook_rank[1].val()
            | self.rook_rank[2].val()
            | self.rook_rank[3].val())
            | (self.rook_rank[4].val() | self.rook_rank[5].val() | self.rook_rank[6].val() | self.rook_rank[7].val());
        self.one.next = 1.into();
        self.king_file.next = self.one.val() << self.king.val().get_bits::<3>(0);
        self.king_files.next = self.king_file.val() | (self.king_file.val() << 1) | (self.king_file.val() >> 1);
        self.sheltered.next = 0.into();
        if self.king.val().get_bits::<2>(4) == 0 {
            self.sheltered.next = self.king_files.val();
        }
        self.vectors[0].d.next = self.twice[7].val();
        self.vectors[1].d.next = self.files.val() & !((self.files.val() << 1) | (self.files.val() >> 1));
        self.vectors[2].d.next = self.rook_files.val() & !self.files.val() & !self.enemy_files.val();
        self.vectors[3].d.next = self.rook_files.val() & !self.files.val() & self.enemy_files.val();
        self.vectors[4].d.next = self.sheltered.val() & self.rank[1].val();
        self.vectors[5].d.next = self.sheltered.val() & self.rank[2].val();
        self.vectors[6].d.next = self.king_files.val() & !self.files.val();
        for k in 0..6 {
            self.passed_ranks[k].clock.next = self.clock.val();
            self.passed_ranks[k].d.next = self.rank[k + 1].val()
                & !(self.above[k + 1].val() | (self.above[k + 1].val() << 1) | (self.above[k + 1].val() >> 1));
        }

        for k in 0..7 {
            self.vectors[k].clock.next = self.clock.val();
            self.counts[k].clock.next = self.clock.val();
            self.counters[k].bits_in.next = self.vectors[k].q.val();
            self.counts[k].d.next = self.counters[k].count.val();
        }
        for k in 0..6 {
            self.ranked[k].next = self.passed_ranks[k].q.val();
            self.some[k].next = self.ranked[k].val().any();
            // Taking away the lowest leaves the others.
            self.more[k].next = self.ranked[k].val() & (self.ranked[k].val() - 1);
            self.passed_counts[k].clock.next = self.clock.val();
            self.passed_counts[k].d.next = 0.into();
            if self.some[k].val() {
                self.passed_counts[k].d.next = 1.into();
            }
            if self.more[k].val().any() {
                self.passed_counts[k].d.next = 2.into();
            }
            self.passed[k].next = self.passed_counts[k].q.val();
        }
        self.doubled.next = self.counts[0].q.val();
        self.isolated.next = self.counts[1].q.val();
        self.open.next = self.counts[2].q.val();
        self.half_open.next = self.counts[3].q.val();
        self.near.next = self.counts[4].q.val();
        self.far.next = self.counts[5].q.val();
        self.bare.next = self.counts[6].q.val();
    }
}
