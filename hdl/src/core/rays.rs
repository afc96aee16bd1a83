//! The ray network: what sliders attack, as a ripple from square to square.

use rust_hdl::prelude::*;

use super::masks::Masks;

/// Floods from the sources over empty squares in eight directions. Combinational.
///
/// A square passes on `source | (empty & in)` in each direction, one LUT: ranks ripple into ranks, and for the two
/// directions along a rank, files ripple into files.
#[derive(LogicBlock, Default)]
pub struct Rays {
    // Sources in
    pub straight_sources: Signal<In, Bits<64>>,
    pub diagonal_sources: Signal<In, Bits<64>>,
    pub empty: Signal<In, Bits<64>>,
    // Attacked squares out
    pub straight: Signal<Out, Bits<64>>,
    pub diagonal: Signal<Out, Bits<64>>,

    masks: Masks,

    straight_rank: [Signal<Local, Bits<8>>; 8],
    diagonal_rank: [Signal<Local, Bits<8>>; 8],
    empty_rank: [Signal<Local, Bits<8>>; 8],
    // What each rank passes on; the first of the direction has index 0.
    north: [Signal<Local, Bits<8>>; 8],
    south: [Signal<Local, Bits<8>>; 8],
    north_east: [Signal<Local, Bits<8>>; 8],
    north_west: [Signal<Local, Bits<8>>; 8],
    south_east: [Signal<Local, Bits<8>>; 8],
    south_west: [Signal<Local, Bits<8>>; 8],
    // The same for files, each in its place on the board.
    east: [Signal<Local, Bits<64>>; 8],
    west: [Signal<Local, Bits<64>>; 8],
    along: Signal<Local, Bits<64>>,
    straight_hit: [Signal<Local, Bits<8>>; 8],
    diagonal_hit: [Signal<Local, Bits<8>>; 8],
}

impl Logic for Rays {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..8 {
            self.straight_rank[k].next = self.straight_sources.val().get_bits::<8>(k * 8);
            self.diagonal_rank[k].next = self.diagonal_sources.val().get_bits::<8>(k * 8);
            self.empty_rank[k].next = self.empty.val().get_bits::<8>(k * 8);
        }

        self.north[0].next = self.straight_rank[0].val();
        self.south[0].next = self.straight_rank[7].val();
        self.east[0].next = self.straight_sources.val() & self.masks.files[0].val();
        self.west[0].next = self.straight_sources.val() & self.masks.files[7].val();
        self.north_east[0].next = self.diagonal_rank[0].val();
        self.north_west[0].next = self.diagonal_rank[0].val();
        self.south_east[0].next = self.diagonal_rank[7].val();
        self.south_west[0].next = self.diagonal_rank[7].val();
        for k in 0..7 {
            self.north[k + 1].next =
                self.straight_rank[k + 1].val() | (self.empty_rank[k + 1].val() & self.north[k].val());
            self.south[k + 1].next =
                self.straight_rank[6 - k].val() | (self.empty_rank[6 - k].val() & self.south[k].val());
            self.east[k + 1].next = (self.straight_sources.val() | (self.empty.val() & (self.east[k].val() << 1)))
                & self.masks.files[k + 1].val();
            self.west[k + 1].next = (self.straight_sources.val() | (self.empty.val() & (self.west[k].val() >> 1)))
                & self.masks.files[6 - k].val();
            self.north_east[k + 1].next =
                self.diagonal_rank[k + 1].val() | (self.empty_rank[k + 1].val() & (self.north_east[k].val() << 1));
            self.north_west[k + 1].next =
                self.diagonal_rank[k + 1].val() | (self.empty_rank[k + 1].val() & (self.north_west[k].val() >> 1));
            self.south_east[k + 1].next =
                self.diagonal_rank[6 - k].val() | (self.empty_rank[6 - k].val() & (self.south_east[k].val() << 1));
            self.south_west[k + 1].next =
                self.diagonal_rank[6 - k].val() | (self.empty_rank[6 - k].val() & (self.south_west[k].val() >> 1));
        }

        // What a square hears is what its neighbours pass on.
        self.straight_hit[0].next = self.south[6].val();
        self.straight_hit[7].next = self.north[6].val();
        self.diagonal_hit[0].next = (self.south_east[6].val() << 1) | (self.south_west[6].val() >> 1);
        self.diagonal_hit[7].next = (self.north_east[6].val() << 1) | (self.north_west[6].val() >> 1);
        for k in 1..7 {
            self.straight_hit[k].next = self.north[k - 1].val() | self.south[6 - k].val();
            self.diagonal_hit[k].next = ((self.north_east[k - 1].val() | self.south_east[6 - k].val()) << 1)
                | ((self.north_west[k - 1].val() | self.south_west[6 - k].val()) >> 1);
        }
        self.diagonal.next = bit_cast::<64, 8>(self.diagonal_hit[0].val())
            | (bit_cast::<64, 8>(self.diagonal_hit[1].val()) << 8)
            | (bit_cast::<64, 8>(self.diagonal_hit[2].val()) << 16)
            | (bit_cast::<64, 8>(self.diagonal_hit[3].val()) << 24)
            | (bit_cast::<64, 8>(self.diagonal_hit[4].val()) << 32)
            | (bit_cast::<64, 8>(self.diagonal_hit[5].val()) << 40)
            | (bit_cast::<64, 8>(self.diagonal_hit[6].val()) << 48)
            | (bit_cast::<64, 8>(self.diagonal_hit[7].val()) << 56);
        self.along.next = ((self.east[0].val()
            | self.east[1].val()
            | self.east[2].val()
            | self.east[3].val()
            | self.east[4].val()
            | self.east[5].val()
            | self.east[6].val())
            << 1)
            | ((self.west[0].val()
                | self.west[1].val()
                | self.west[2].val()
                | self.west[3].val()
                | self.west[4].val()
                | self.west[5].val()
                | self.west[6].val())
                >> 1);
        self.straight.next = self.along.val()
            | bit_cast::<64, 8>(self.straight_hit[0].val())
            | (bit_cast::<64, 8>(self.straight_hit[1].val()) << 8)
            | (bit_cast::<64, 8>(self.straight_hit[2].val()) << 16)
            | (bit_cast::<64, 8>(self.straight_hit[3].val()) << 24)
            | (bit_cast::<64, 8>(self.straight_hit[4].val()) << 32)
            | (bit_cast::<64, 8>(self.straight_hit[5].val()) << 40)
            | (bit_cast::<64, 8>(self.straight_hit[6].val()) << 48)
            | (bit_cast::<64, 8>(self.straight_hit[7].val()) << 56);
    }
}
