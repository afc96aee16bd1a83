//! Stages 5 to 7: the first candidate.

use rust_hdl::prelude::*;

use super::masks::Masks;

/// Chooses the first candidate: the lowest class, then the first rank, then the first file, seen from the mover's side. An OR
/// for each rank and class, then the class, then the rank, then the file: no tree over 64 squares.
#[derive(LogicBlock, Default)]
pub struct Arbiter {
    pub clock: Signal<In, Clock>,
    // Candidates in, every cycle
    pub candidates: Signal<In, Bits<64>>,
    pub class_high: Signal<In, Bits<64>>,
    pub class_low: Signal<In, Bits<64>>,
    /// The mover is Black: the last rank comes first.
    pub turn: Signal<In, Bit>,
    // Its rank out, two cycles later
    pub rank: Signal<Out, Bits<3>>,
    // The first candidate out, three cycles later
    pub found: Signal<Out, Bit>,
    pub square: Signal<Out, Bits<6>>,
    /// There is no other.
    pub last: Signal<Out, Bit>,

    masks: Masks,
    candidates_state: DFF<Bits<64>>,
    class_high_state: DFF<Bits<64>>,
    class_low_state: DFF<Bits<64>>,
    turn_state: DFF<Bit>,
    // Ranks with a candidate of class 0, 1 and 2, and with any; files with any
    ranks_state: [DFF<Bits<64>>; 4],
    files_state: DFF<Bits<8>>,
    chosen_state: DFF<Bits<64>>,
    rank_state: DFF<Bits<3>>,
    alone_state: DFF<Bit>,
    found_state: DFF<Bit>,
    square_state: DFF<Bits<6>>,
    last_state: DFF<Bit>,
    found_again_state: DFF<Bit>,

    wanted: [Signal<Local, Bits<64>>; 4],
    folded: [Signal<Local, Bits<64>>; 4],
    fold: Signal<Local, Bits<64>>,
    some: [Signal<Local, Bit>; 4],
    ranks: Signal<Local, Bits<64>>,
    best_high: Signal<Local, Bits<64>>,
    best_low: Signal<Local, Bits<64>>,
    members: Signal<Local, Bits<64>>,
    earlier: Signal<Local, Bits<64>>,
    first: Signal<Local, Bits<64>>,
    first_rank: Signal<Local, Bits<64>>,
    rank_flags: Signal<Local, Bits<64>>,
    above: Signal<Local, Bits<64>>,
    files_found: Signal<Local, Bits<8>>,
    chosen: Signal<Local, Bits<64>>,
    column: Signal<Local, Bits<64>>,
    files: Signal<Local, Bits<8>>,
    first_file: Signal<Local, Bits<8>>,
}

impl Logic for Arbiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            candidates_state,
            class_high_state,
            class_low_state,
            turn_state,
            files_state,
            chosen_state,
            rank_state,
            alone_state,
            found_state,
            square_state,
            last_state,
            found_again_state
        );

        // Which ranks have a candidate of each class: a flag on the rank's first square. What is of no other class is of the
        // last one.
        self.wanted[0].next = self.candidates.val() & !self.class_high.val() & !self.class_low.val();
        self.wanted[1].next = self.candidates.val() & !self.class_high.val() & self.class_low.val();
        self.wanted[2].next = self.candidates.val() & self.class_high.val() & !self.class_low.val();
        self.wanted[3].next = self.candidates.val();
        for k in 0..4 {
            self.folded[k].next = (self.wanted[k].val()
                | (self.wanted[k].val() >> 1)
                | (self.wanted[k].val() >> 2)
                | (self.wanted[k].val() >> 3)
                | (self.wanted[k].val() >> 4)
                | (self.wanted[k].val() >> 5)
                | (self.wanted[k].val() >> 6)
                | (self.wanted[k].val() >> 7))
                & self.masks.file_a.val();
            self.ranks_state[k].clock.next = self.clock.val();
            self.ranks_state[k].d.next = self.folded[k].val();
        }
        self.fold.next = self.candidates.val()
            | (self.candidates.val() >> 8)
            | (self.candidates.val() >> 16)
            | (self.candidates.val() >> 24)
            | (self.candidates.val() >> 32)
            | (self.candidates.val() >> 40)
            | (self.candidates.val() >> 48)
            | (self.candidates.val() >> 56);
        self.files_state.d.next = self.fold.val().get_bits::<8>(0);
        self.candidates_state.d.next = self.candidates.val();
        self.class_high_state.d.next = self.class_high.val();
        self.class_low_state.d.next = self.class_low.val();
        self.turn_state.d.next = self.turn.val();

        // The first class, and its first rank.
        for k in 0..4 {
            self.some[k].next = self.ranks_state[k].q.val().any();
        }
        self.ranks.next = self.ranks_state[3].q.val();
        self.best_high.next = self.masks.all.val();
        self.best_low.next = self.masks.all.val();
        if self.some[2].val() {
            self.ranks.next = self.ranks_state[2].q.val();
            self.best_low.next = 0.into();
        }
        if self.some[1].val() {
            self.ranks.next = self.ranks_state[1].q.val();
            self.best_high.next = 0.into();
            self.best_low.next = self.masks.all.val();
        }
        if self.some[0].val() {
            self.ranks.next = self.ranks_state[0].q.val();
            self.best_high.next = 0.into();
            self.best_low.next = 0.into();
        }
        self.members.next = self.candidates_state.q.val()
            & !(self.class_high_state.q.val() ^ self.best_high.val())
            & !(self.class_low_state.q.val() ^ self.best_low.val());
        self.earlier.next = (self.ranks.val() << 8)
            | (self.ranks.val() << 16)
            | (self.ranks.val() << 24)
            | (self.ranks.val() << 32)
            | (self.ranks.val() << 40)
            | (self.ranks.val() << 48)
            | (self.ranks.val() << 56);
        if self.turn_state.q.val() {
            self.earlier.next = (self.ranks.val() >> 8)
                | (self.ranks.val() >> 16)
                | (self.ranks.val() >> 24)
                | (self.ranks.val() >> 32)
                | (self.ranks.val() >> 40)
                | (self.ranks.val() >> 48)
                | (self.ranks.val() >> 56);
        }
        self.first.next = self.ranks.val() & !self.earlier.val();
        self.first_rank.next = self.first.val()
            | (self.first.val() << 1)
            | (self.first.val() << 2)
            | (self.first.val() << 3)
            | (self.first.val() << 4)
            | (self.first.val() << 5)
            | (self.first.val() << 6)
            | (self.first.val() << 7);
        self.chosen.next = self.members.val() & self.first_rank.val();
        self.chosen_state.d.next = self.chosen.val();
        self.rank_state.d.next = bit_cast::<3, 1>((self.first.val() & self.masks.odd_ranks.val()).any().into())
            | (bit_cast::<3, 1>((self.first.val() & self.masks.pair_ranks.val()).any().into()) << 1)
            | (bit_cast::<3, 1>((self.first.val() & self.masks.upper_ranks.val()).any().into()) << 2);
        // A candidate is alone if one rank has any, and one file.
        self.rank_flags.next = self.ranks_state[3].q.val();
        self.above.next = (self.rank_flags.val() << 8)
            | (self.rank_flags.val() << 16)
            | (self.rank_flags.val() << 24)
            | (self.rank_flags.val() << 32)
            | (self.rank_flags.val() << 40)
            | (self.rank_flags.val() << 48)
            | (self.rank_flags.val() << 56);
        self.files_found.next = self.files_state.q.val();
        self.alone_state.d.next = !(self.rank_flags.val() & self.above.val()).any()
            & !(self.files_found.val()
                & ((self.files_found.val() << 1)
                    | (self.files_found.val() << 2)
                    | (self.files_found.val() << 3)
                    | (self.files_found.val() << 4)
                    | (self.files_found.val() << 5)
                    | (self.files_found.val() << 6)
                    | (self.files_found.val() << 7)))
                .any();
        self.found_state.d.next = self.some[3].val();

        // The first file.
        self.column.next = self.chosen_state.q.val()
            | (self.chosen_state.q.val() >> 8)
            | (self.chosen_state.q.val() >> 16)
            | (self.chosen_state.q.val() >> 24)
            | (self.chosen_state.q.val() >> 32)
            | (self.chosen_state.q.val() >> 40)
            | (self.chosen_state.q.val() >> 48)
            | (self.chosen_state.q.val() >> 56);
        self.files.next = self.column.val().get_bits::<8>(0);
        self.first_file.next = self.files.val()
            & !((self.files.val() << 1)
                | (self.files.val() << 2)
                | (self.files.val() << 3)
                | (self.files.val() << 4)
                | (self.files.val() << 5)
                | (self.files.val() << 6)
                | (self.files.val() << 7));
        self.square_state.d.next = (bit_cast::<6, 3>(self.rank_state.q.val()) << 3)
            | bit_cast::<6, 1>((self.first_file.val() & 0xaa).any().into())
            | (bit_cast::<6, 1>((self.first_file.val() & 0xcc).any().into()) << 1)
            | (bit_cast::<6, 1>((self.first_file.val() & 0xf0).any().into()) << 2);
        self.last_state.d.next = self.alone_state.q.val();
        self.found_again_state.d.next = self.found_state.q.val();

        self.rank.next = self.rank_state.q.val();
        self.found.next = self.found_again_state.q.val();
        self.square.next = self.square_state.q.val();
        self.last.next = self.last_state.q.val();
    }
}
