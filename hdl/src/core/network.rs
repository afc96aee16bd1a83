//! Stage 3: both networks.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::rays::Rays;
use super::thread::Thread;

/// From sources to attacked squares.
#[derive(LogicBlock, Default)]
pub struct Network {
    pub clock: Signal<In, Clock>,
    // Thread and sources in, every cycle
    pub thread_in: Signal<In, Thread>,
    pub empty: Signal<In, Bits<64>>,
    pub own_straight_sources: Signal<In, Bits<64>>,
    pub own_diagonal_sources: Signal<In, Bits<64>>,
    pub own_knight_sources: Signal<In, Bits<64>>,
    pub enemy_straight_sources: Signal<In, Bits<64>>,
    pub enemy_diagonal_sources: Signal<In, Bits<64>>,
    pub enemy_knight_sources: Signal<In, Bits<64>>,
    // Thread and attacked squares out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    pub own_straight: Signal<Out, Bits<64>>,
    pub own_diagonal: Signal<Out, Bits<64>>,
    pub own_knight: Signal<Out, Bits<64>>,
    pub enemy_straight: Signal<Out, Bits<64>>,
    pub enemy_diagonal: Signal<Out, Bits<64>>,
    pub enemy_knight: Signal<Out, Bits<64>>,

    masks: Masks,
    own: Rays,
    enemy: Rays,
    state: DFF<Thread>,
    own_straight_state: DFF<Bits<64>>,
    own_diagonal_state: DFF<Bits<64>>,
    own_knight_state: DFF<Bits<64>>,
    enemy_straight_state: DFF<Bits<64>>,
    enemy_diagonal_state: DFF<Bits<64>>,
    enemy_knight_state: DFF<Bits<64>>,

    knights: [Signal<Local, Bits<64>>; 2],
    one_aside: [Signal<Local, Bits<64>>; 2],
    two_aside: [Signal<Local, Bits<64>>; 2],
    leaps: [Signal<Local, Bits<64>>; 2],
}

impl Logic for Network {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            own_straight_state,
            own_diagonal_state,
            own_knight_state,
            enemy_straight_state,
            enemy_diagonal_state,
            enemy_knight_state
        );
        self.own.straight_sources.next = self.own_straight_sources.val();
        self.own.diagonal_sources.next = self.own_diagonal_sources.val();
        self.own.empty.next = self.empty.val();
        self.enemy.straight_sources.next = self.enemy_straight_sources.val();
        self.enemy.diagonal_sources.next = self.enemy_diagonal_sources.val();
        self.enemy.empty.next = self.empty.val();

        self.knights[0].next = self.own_knight_sources.val();
        self.knights[1].next = self.enemy_knight_sources.val();
        for k in 0..2 {
            self.one_aside[k].next = ((self.knights[k].val() & self.masks.not_h.val()) << 1)
                | ((self.knights[k].val() & self.masks.not_a.val()) >> 1);
            self.two_aside[k].next = ((self.knights[k].val() & self.masks.not_gh.val()) << 2)
                | ((self.knights[k].val() & self.masks.not_ab.val()) >> 2);
            self.leaps[k].next = (self.one_aside[k].val() << 16)
                | (self.one_aside[k].val() >> 16)
                | (self.two_aside[k].val() << 8)
                | (self.two_aside[k].val() >> 8);
        }

        self.own_straight_state.d.next = self.own.straight.val();
        self.own_diagonal_state.d.next = self.own.diagonal.val();
        self.own_knight_state.d.next = self.leaps[0].val();
        self.enemy_straight_state.d.next = self.enemy.straight.val();
        self.enemy_diagonal_state.d.next = self.enemy.diagonal.val();
        self.enemy_knight_state.d.next = self.leaps[1].val();
        self.state.d.next = self.thread_in.val();

        self.thread_out.next = self.state.q.val();
        self.own_straight.next = self.own_straight_state.q.val();
        self.own_diagonal.next = self.own_diagonal_state.q.val();
        self.own_knight.next = self.own_knight_state.q.val();
        self.enemy_straight.next = self.enemy_straight_state.q.val();
        self.enemy_diagonal.next = self.enemy_diagonal_state.q.val();
        self.enemy_knight.next = self.enemy_knight_state.q.val();
    }
}
