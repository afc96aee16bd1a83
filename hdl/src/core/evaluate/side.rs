//! What the structural terms count, for one side.

use rust_hdl::prelude::*;

/// What is to be counted of one side, a cycle after its pieces. All boards are seen from that side.
#[derive(LogicBlock, Default)]
pub struct Side {
    pub clock: Signal<In, Clock>,
    // Pieces in, every cycle
    pub pawns: Signal<In, Bits<64>>,
    pub enemy_pawns: Signal<In, Bits<64>>,
    pub rook_files: Signal<In, Bits<8>>,
    pub king: Signal<In, Bits<6>>,
    // A cycle later
    /// Files: doubled, isolated, open, half open, near, far, bare.
    pub files: [Signal<Out, Bits<8>>; 7],
    /// Passed pawns, from the second rank to the seventh.
    pub passed: [Signal<Out, Bits<8>>; 6],

    file_states: [DFF<Bits<8>>; 7],
    passed_states: [DFF<Bits<8>>; 6],

    rank: [Signal<Local, Bits<8>>; 8],
    enemy_rank: [Signal<Local, Bits<8>>; 8],
    // Files with a pawn on a lower rank, and with two up to here
    below: [Signal<Local, Bits<8>>; 8],
    twice: [Signal<Local, Bits<8>>; 8],
    // Files with an enemy pawn on a higher rank
    above: [Signal<Local, Bits<8>>; 8],
    pawn_files: Signal<Local, Bits<8>>,
    enemy_files: Signal<Local, Bits<8>>,
    king_file: Signal<Local, Bits<8>>,
    king_files: Signal<Local, Bits<8>>,
    one: Signal<Local, Bits<8>>,
    sheltered: Signal<Local, Bits<8>>,
}

impl Logic for Side {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..8 {
            self.rank[k].next = self.pawns.val().get_bits::<8>(k * 8);
            self.enemy_rank[k].next = self.enemy_pawns.val().get_bits::<8>(k * 8);
        }

        // Pawns live on ranks 1 to 6.
        self.below[1].next = 0.into();
        self.twice[1].next = 0.into();
        self.above[6].next = 0.into();
        for k in 1..7 {
            self.below[k + 1].next = self.below[k].val() | self.rank[k].val();
            self.twice[k + 1].next = self.twice[k].val() | (self.below[k].val() & self.rank[k].val());
            self.above[6 - k].next = self.above[7 - k].val() | self.enemy_rank[7 - k].val();
        }
        self.below[0].next = 0.into();
        self.twice[0].next = 0.into();
        self.above[7].next = 0.into();
        self.pawn_files.next = self.below[7].val();
        self.enemy_files.next = self.above[0].val();
        self.one.next = 1.into();
        self.king_file.next = self.one.val() << self.king.val().get_bits::<3>(0);
        self.king_files.next = self.king_file.val() | (self.king_file.val() << 1) | (self.king_file.val() >> 1);
        self.sheltered.next = 0.into();
        if self.king.val().get_bits::<2>(4) == 0 {
            self.sheltered.next = self.king_files.val();
        }
        self.file_states[0].d.next = self.twice[7].val();
        self.file_states[1].d.next =
            self.pawn_files.val() & !((self.pawn_files.val() << 1) | (self.pawn_files.val() >> 1));
        self.file_states[2].d.next = self.rook_files.val() & !self.pawn_files.val() & !self.enemy_files.val();
        self.file_states[3].d.next = self.rook_files.val() & !self.pawn_files.val() & self.enemy_files.val();
        self.file_states[4].d.next = self.sheltered.val() & self.rank[1].val();
        self.file_states[5].d.next = self.sheltered.val() & self.rank[2].val();
        self.file_states[6].d.next = self.king_files.val() & !self.pawn_files.val();
        for k in 0..7 {
            self.file_states[k].clock.next = self.clock.val();
            self.files[k].next = self.file_states[k].q.val();
        }
        for k in 0..6 {
            self.passed_states[k].clock.next = self.clock.val();
            self.passed_states[k].d.next = self.rank[k + 1].val()
                & !(self.above[k + 1].val() | (self.above[k + 1].val() << 1) | (self.above[k + 1].val() >> 1));
            self.passed[k].next = self.passed_states[k].q.val();
        }
    }
}
