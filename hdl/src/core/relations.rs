//! Stage 2, beside the sources: how the kings, the origin and the killer stand to each other.

use rust_hdl::prelude::*;

use super::thread::Thread;

/// Finds out what the gates would have no time for.
#[derive(LogicBlock, Default)]
pub struct Relations {
    pub clock: Signal<In, Clock>,
    // Thread in, every cycle
    pub thread_in: Signal<In, Thread>,
    // Out, a cycle later
    pub own_king: Signal<Out, Bits<6>>,
    pub enemy_king: Signal<Out, Bits<6>>,
    /// The kings stand side by side.
    pub kings_touch: Signal<Out, Bit>,
    /// In find attacker: the own king takes on the origin.
    pub king_takes: Signal<Out, Bit>,
    /// The origin is the own king's square.
    pub from_king: Signal<Out, Bit>,
    /// In find quiet: the killer, which was tried before, is a move from the origin.
    pub shuns_killer: Signal<Out, Bit>,

    king_ranks: Beside,
    king_files: Beside,
    origin_ranks: Beside,
    origin_files: Beside,
    own_king_state: DFF<Bits<6>>,
    enemy_king_state: DFF<Bits<6>>,
    kings_touch_state: DFF<Bit>,
    king_takes_state: DFF<Bit>,
    from_king_state: DFF<Bit>,
    shuns_killer_state: DFF<Bit>,

    own: Signal<Local, Bits<6>>,
    enemy: Signal<Local, Bits<6>>,
    origin: Signal<Local, Bits<6>>,
    killer: Signal<Local, Bits<12>>,
    takes: Signal<Local, Bit>,
}

impl Logic for Relations {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            own_king_state,
            enemy_king_state,
            kings_touch_state,
            king_takes_state,
            from_king_state,
            shuns_killer_state
        );
        if self.thread_in.val().turn {
            self.own.next = self.thread_in.val().black_king;
            self.enemy.next = self.thread_in.val().white_king;
        } else {
            self.own.next = self.thread_in.val().white_king;
            self.enemy.next = self.thread_in.val().black_king;
        }
        self.origin.next = self.thread_in.val().origin;
        self.killer.next = self.thread_in.val().killer;

        self.king_ranks.a.next = self.own.val().get_bits::<3>(3);
        self.king_ranks.b.next = self.enemy.val().get_bits::<3>(3);
        self.king_files.a.next = self.own.val().get_bits::<3>(0);
        self.king_files.b.next = self.enemy.val().get_bits::<3>(0);
        self.origin_ranks.a.next = self.own.val().get_bits::<3>(3);
        self.origin_ranks.b.next = self.origin.val().get_bits::<3>(3);
        self.origin_files.a.next = self.own.val().get_bits::<3>(0);
        self.origin_files.b.next = self.origin.val().get_bits::<3>(0);

        self.own_king_state.d.next = self.own.val();
        self.enemy_king_state.d.next = self.enemy.val();
        self.kings_touch_state.d.next = self.king_ranks.beside.val() & self.king_files.beside.val();
        self.takes.next =
            self.thread_in.val().attacker & self.thread_in.val().captured.any() & !self.thread_in.val().special;
        self.king_takes_state.d.next =
            self.takes.val() & self.origin_ranks.beside.val() & self.origin_files.beside.val();
        self.from_king_state.d.next = self.origin.val() == self.own.val();
        self.shuns_killer_state.d.next = self.thread_in.val().quiet
            & self.thread_in.val().has_killer
            & (self.origin.val() == self.killer.val().get_bits::<6>(0));

        self.own_king.next = self.own_king_state.q.val();
        self.enemy_king.next = self.enemy_king_state.q.val();
        self.kings_touch.next = self.kings_touch_state.q.val();
        self.king_takes.next = self.king_takes_state.q.val();
        self.from_king.next = self.from_king_state.q.val();
        self.shuns_killer.next = self.shuns_killer_state.q.val();
    }
}

/// Two ranks or files that are the same or neighbours; without a subtraction, which would become a carry chain.
#[derive(LogicBlock, Default)]
pub struct Beside {
    pub a: Signal<In, Bits<3>>,
    pub b: Signal<In, Bits<3>>,
    pub beside: Signal<Out, Bit>,

    differing: Signal<Local, Bits<3>>,
    low_differ: Signal<Local, Bit>,
    high_differ: Signal<Local, Bit>,
}

impl Logic for Beside {
    #[hdl_gen]
    fn update(&mut self) {
        // Neighbours differ in the last bit, in the last two from 1 to 2 and from 5 to 6, and in all three from 3 to 4.
        self.differing.next = self.a.val() ^ self.b.val();
        self.low_differ.next = self.a.val().get_bit(0) ^ self.a.val().get_bit(1);
        self.high_differ.next = self.a.val().get_bit(1) ^ self.a.val().get_bit(2);
        self.beside.next = (self.differing.val() == 0)
            | (self.differing.val() == 1)
            | ((self.differing.val() == 3) & self.low_differ.val())
            | ((self.differing.val() == 7) & !self.low_differ.val() & self.high_differ.val());
    }
}
