//! Mobility: the squares that each side reaches.

use rust_hdl::prelude::*;

use super::popcount::Popcount;

/// Counts the squares reached, three cycles after the attacked squares come in.
#[derive(LogicBlock, Default)]
pub struct Mobility {
    pub clock: Signal<In, Clock>,
    // Attacked squares, and squares that count, in, every cycle
    pub own_straight: Signal<In, Bits<64>>,
    pub own_diagonal: Signal<In, Bits<64>>,
    pub own_knight: Signal<In, Bits<64>>,
    pub own_reach: Signal<In, Bits<64>>,
    pub enemy_straight: Signal<In, Bits<64>>,
    pub enemy_diagonal: Signal<In, Bits<64>>,
    pub enemy_knight: Signal<In, Bits<64>>,
    pub enemy_reach: Signal<In, Bits<64>>,
    // The mover's counts minus the enemy's out, three cycles later
    pub minor: Signal<Out, Signed<8>>,
    pub major: Signal<Out, Signed<8>>,

    planes: [DFF<Bits<64>>; 4],
    counters: [Popcount; 4],

    minor_difference: Signal<Local, Bits<8>>,
    major_difference: Signal<Local, Bits<8>>,
}

impl Logic for Mobility {
    #[hdl_gen]
    fn update(&mut self) {
        self.planes[0].d.next = (self.own_knight.val() | self.own_diagonal.val()) & self.own_reach.val();
        self.planes[1].d.next = (self.enemy_knight.val() | self.enemy_diagonal.val()) & self.enemy_reach.val();
        self.planes[2].d.next = self.own_straight.val() & self.own_reach.val();
        self.planes[3].d.next = self.enemy_straight.val() & self.enemy_reach.val();
        for k in 0..4 {
            self.planes[k].clock.next = self.clock.val();
            self.counters[k].clock.next = self.clock.val();
            self.counters[k].squares.next = self.planes[k].q.val();
        }
        self.minor_difference.next =
            bit_cast::<8, 7>(self.counters[0].count.val()) - bit_cast::<8, 7>(self.counters[1].count.val());
        self.major_difference.next =
            bit_cast::<8, 7>(self.counters[2].count.val()) - bit_cast::<8, 7>(self.counters[3].count.val());
        self.minor.next = signed_cast(self.minor_difference.val());
        self.major.next = signed_cast(self.major_difference.val());
    }
}
