//! Stage 4, beside the receivers: which squares come after those already tried, and which pieces are still to move quietly.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::Thread;

/// What was tried follows from the last move: a thermometer of the squares behind it, in the mover's order.
#[derive(LogicBlock, Default)]
pub struct Tried {
    pub clock: Signal<In, Clock>,
    // Thread in, every cycle
    pub thread_in: Signal<In, Thread>,
    // Squares and class out, a cycle later
    pub after_move: Signal<Out, Bits<64>>,
    /// The mover's pieces but for its pawns: in find quiet those after the origin, else all.
    pub next_pieces: Signal<Out, Bits<64>>,
    /// The class of the last candidate tried.
    pub tried_class: Signal<Out, Bits<2>>,

    masks: Masks,
    after_move_state: DFF<Bits<64>>,
    next_pieces_state: DFF<Bits<64>>,
    class_state: DFF<Bits<2>>,

    cursor: [Signal<Local, Bits<6>>; 2],
    // Files beyond the cursor's: the next, the next two, the next four, all
    next_one: [Signal<Local, Bits<64>>; 2],
    next_two: [Signal<Local, Bits<64>>; 2],
    next_four: [Signal<Local, Bits<64>>; 2],
    files_beyond: [Signal<Local, Bits<64>>; 2],
    from_rank: [Signal<Local, Bits<64>>; 2],
    rank: [Signal<Local, Bits<64>>; 2],
    beyond: [Signal<Local, Bits<64>>; 2],
    mine: Signal<Local, Bits<64>>,
    officers: Signal<Local, Bits<64>>,
    code: Signal<Local, Bits<3>>,
    value: Signal<Local, Bits<2>>,
}

impl Logic for Tried {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, after_move_state, next_pieces_state, class_state);
        self.cursor[0].next = self.thread_in.val().to;
        self.code.next = self.thread_in.val().captured;
        if self.thread_in.val().attacker {
            self.cursor[0].next = self.thread_in.val().from;
            self.code.next = self.thread_in.val().piece;
        }
        self.cursor[1].next = self.thread_in.val().origin;
        for k in 0..2 {
            self.next_one[k].next =
                ((self.masks.file_a.val() << self.cursor[k].val().get_bits::<3>(0)) << 1) & self.masks.not_a.val();
            self.next_two[k].next = self.next_one[k].val() | ((self.next_one[k].val() << 1) & self.masks.not_a.val());
            self.next_four[k].next = self.next_two[k].val() | ((self.next_two[k].val() << 2) & self.masks.not_ab.val());
            self.files_beyond[k].next =
                self.next_four[k].val() | ((self.next_four[k].val() << 4) & self.masks.right_half.val());
            self.from_rank[k].next = self.masks.all.val() << (self.cursor[k].val() & 56);
            self.rank[k].next = self.masks.rank_1.val() << (self.cursor[k].val() & 56);
            self.beyond[k].next = (self.files_beyond[k].val() & self.rank[k].val()) | (self.from_rank[k].val() << 8);
            if self.thread_in.val().turn {
                self.beyond[k].next = (self.files_beyond[k].val() & self.rank[k].val()) | !self.from_rank[k].val();
            }
        }
        // A pass that starts anew has all squares of all classes before it.
        self.after_move_state.d.next = self.beyond[0].val();
        if self.thread_in.val().fresh {
            self.after_move_state.d.next = self.masks.all.val();
        }
        if self.thread_in.val().turn {
            self.mine.next = self.thread_in.val().black;
        } else {
            self.mine.next = !self.thread_in.val().black;
        }
        self.officers.next = self.mine.val() & (self.thread_in.val().code1 | self.thread_in.val().code2);
        self.next_pieces_state.d.next = self.officers.val();
        if self.thread_in.val().quiet {
            self.next_pieces_state.d.next = self.officers.val() & self.beyond[1].val();
        }

        // From the queen down: 0 queen, king or nothing, 1 rook, 2 bishop or knight, 3 pawn.
        self.value.next = 0.into();
        if self.code.val() == 6 {
            self.value.next = 1.into();
        }
        if (self.code.val() == 5) | (self.code.val() == 2) {
            self.value.next = 2.into();
        }
        if self.code.val() == 1 {
            self.value.next = 3.into();
        }
        self.class_state.d.next = 0.into();
        if self.thread_in.val().victim {
            self.class_state.d.next = self.value.val();
        }
        if self.thread_in.val().attacker {
            self.class_state.d.next = !self.value.val();
        }
        if self.thread_in.val().fresh {
            self.class_state.d.next = 0.into();
        }
        self.after_move.next = self.after_move_state.q.val();
        self.next_pieces.next = self.next_pieces_state.q.val();
        self.tried_class.next = self.class_state.q.val();
    }
}
