//! Stage 2: what radiates into the two networks.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::Thread;

/// Splits the board into sources. In find attacker, the origin radiates as a piece of every kind; in find quiet, only the
/// piece on the origin does; else all of the mover's pieces do. The enemy's pieces always do, into a network of their own.
#[derive(LogicBlock, Default)]
pub struct Sources {
    pub clock: Signal<In, Clock>,
    // Thread in, every cycle
    pub thread_in: Signal<In, Thread>,
    // Thread and sources out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    pub empty: Signal<Out, Bits<64>>,
    /// The mover's pieces; it means nothing on an empty square.
    pub mine: Signal<Out, Bits<64>>,
    pub own_straight: Signal<Out, Bits<64>>,
    pub own_diagonal: Signal<Out, Bits<64>>,
    pub own_knight: Signal<Out, Bits<64>>,
    pub enemy_straight: Signal<Out, Bits<64>>,
    pub enemy_diagonal: Signal<Out, Bits<64>>,
    pub enemy_knight: Signal<Out, Bits<64>>,

    masks: Masks,
    state: DFF<Thread>,
    empty_state: DFF<Bits<64>>,
    mine_state: DFF<Bits<64>>,
    straight_state: DFF<Bits<64>>,
    diagonal_state: DFF<Bits<64>>,
    knight_state: DFF<Bits<64>>,
    enemy_straight_state: DFF<Bits<64>>,
    enemy_diagonal_state: DFF<Bits<64>>,
    enemy_knight_state: DFF<Bits<64>>,

    black: Signal<Local, Bits<64>>,
    code0: Signal<Local, Bits<64>>,
    code1: Signal<Local, Bits<64>>,
    code2: Signal<Local, Bits<64>>,
    origin: Signal<Local, Bits<6>>,
    origin_mask: Signal<Local, Bits<64>>,
    occupied: Signal<Local, Bits<64>>,
    own: Signal<Local, Bits<64>>,
    radiating: Signal<Local, Bits<64>>,
    origin_alone: Signal<Local, Bits<64>>,
}

impl Logic for Sources {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            empty_state,
            mine_state,
            straight_state,
            diagonal_state,
            knight_state,
            enemy_straight_state,
            enemy_diagonal_state,
            enemy_knight_state
        );
        self.black.next = self.thread_in.val().black;
        self.code0.next = self.thread_in.val().code0;
        self.code1.next = self.thread_in.val().code1;
        self.code2.next = self.thread_in.val().code2;
        self.origin.next = self.thread_in.val().origin;
        self.origin_mask.next = (self.masks.rank_1.val() << (self.origin.val() & 56))
            & (self.masks.file_a.val() << self.origin.val().get_bits::<3>(0));

        // A piece is the mover's if its colour is; `own` means nothing on an empty square.
        self.own.next = !self.black.val();
        if self.thread_in.val().turn {
            self.own.next = self.black.val();
        }
        self.radiating.next = self.own.val();
        self.origin_alone.next = 0.into();
        if self.thread_in.val().quiet | self.thread_in.val().killing {
            self.radiating.next = self.own.val() & self.origin_mask.val();
        }
        if self.thread_in.val().attacker {
            self.radiating.next = 0.into();
            self.origin_alone.next = self.origin_mask.val();
        }
        self.straight_state.d.next =
            self.origin_alone.val() | (self.radiating.val() & self.code2.val() & self.code1.val());
        self.diagonal_state.d.next =
            self.origin_alone.val() | (self.radiating.val() & self.code2.val() & self.code0.val());
        self.knight_state.d.next =
            self.origin_alone.val() | (self.radiating.val() & self.code1.val() & !self.code0.val() & !self.code2.val());
        self.enemy_straight_state.d.next = !self.own.val() & self.code2.val() & self.code1.val();
        self.enemy_diagonal_state.d.next = !self.own.val() & self.code2.val() & self.code0.val();
        self.enemy_knight_state.d.next = !self.own.val() & self.code1.val() & !self.code0.val() & !self.code2.val();
        self.mine_state.d.next = self.own.val();
        self.occupied.next = self.code0.val() | self.code1.val() | self.code2.val();
        self.empty_state.d.next = !self.occupied.val();
        self.state.d.next = self.thread_in.val();

        self.thread_out.next = self.state.q.val();
        self.empty.next = self.empty_state.q.val();
        self.mine.next = self.mine_state.q.val();
        self.own_straight.next = self.straight_state.q.val();
        self.own_diagonal.next = self.diagonal_state.q.val();
        self.own_knight.next = self.knight_state.q.val();
        self.enemy_straight.next = self.enemy_straight_state.q.val();
        self.enemy_diagonal.next = self.enemy_diagonal_state.q.val();
        self.enemy_knight.next = self.enemy_knight_state.q.val();
    }
}
