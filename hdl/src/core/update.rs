//! Stage 1: the board operation.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::Thread;

/// Makes, unmakes, hops or loads. A square is toggled, so that making and unmaking are the same.
#[derive(LogicBlock, Default)]
pub struct Update {
    pub clock: Signal<In, Clock>,
    // Thread in, every cycle
    pub thread_in: Signal<In, Thread>,
    // Thread out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    // Squares, in the same cycle: for the placement sums
    pub from_square: Signal<Out, Bits<6>>,
    pub to_square: Signal<Out, Bits<6>>,
    pub from_code: Signal<Out, Bits<3>>,
    pub to_code: Signal<Out, Bits<3>>,
    pub captured_code: Signal<Out, Bits<3>>,
    pub from_used: Signal<Out, Bit>,
    pub to_used: Signal<Out, Bit>,
    pub captured_used: Signal<Out, Bit>,

    masks: Masks,
    state: DFF<Thread>,

    castles: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    captures: Signal<Local, Bit>,
    promotes: Signal<Local, Bit>,
    placed: Signal<Local, Bits<3>>,
    from: Signal<Local, Bits<6>>,
    to: Signal<Local, Bits<6>>,
    op_from: Signal<Local, Bits<6>>,
    op_to: Signal<Local, Bits<6>>,
    from_rank: Signal<Local, Bits<64>>,
    from_file: Signal<Local, Bits<64>>,
    to_rank: Signal<Local, Bits<64>>,
    to_file: Signal<Local, Bits<64>>,
    from_files: [Signal<Local, Bits<64>>; 4],
    to_files: [Signal<Local, Bits<64>>; 4],
    from_toggle: Signal<Local, Bits<4>>,
    to_toggle: Signal<Local, Bits<4>>,
    captured: Signal<Local, Bits<3>>,
    piece: Signal<Local, Bits<3>>,
    base: [Signal<Local, Bits<64>>; 4],
    toggled: [Signal<Local, Bits<64>>; 4],
    king_moved: [Signal<Local, Bit>; 2],
    corner: [Signal<Local, Bit>; 4],
    lost: Signal<Local, Bits<4>>,
    king_to: Signal<Local, Bits<6>>,
    double_step: Signal<Local, Bit>,
}

impl Logic for Update {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state);
        self.from.next = self.thread_in.val().from;
        self.to.next = self.thread_in.val().to;
        self.piece.next = self.thread_in.val().piece;
        self.captured.next = self.thread_in.val().captured;
        self.moves.next = self.thread_in.val().make | self.thread_in.val().unmake;
        self.castles.next = self.thread_in.val().hop & (self.piece.val() == 4);
        self.passes.next = self.thread_in.val().hop & (self.piece.val() == 1);
        self.captures.next = self.moves.val() & self.captured.val().any() & !self.thread_in.val().special;

        // A pawn on the last rank becomes something else.
        self.promotes.next =
            (self.piece.val() == 1) & ((self.to.val().get_bits::<3>(3) == 0) | (self.to.val().get_bits::<3>(3) == 7));
        self.placed.next = self.piece.val();
        if self.promotes.val() {
            self.placed.next = 7.into();
            if self.thread_in.val().promotion == 1 {
                self.placed.next = 6.into();
            }
            if self.thread_in.val().promotion == 2 {
                self.placed.next = 5.into();
            }
            if self.thread_in.val().promotion == 3 {
                self.placed.next = 2.into();
            }
        }

        // Which two squares change.
        self.op_from.next = self.from.val();
        self.op_to.next = self.to.val();
        if self.castles.val() {
            // The rook goes from the corner to the king's other side.
            if self.to.val().get_bit(2) {
                self.op_from.next = self.to.val() | 7;
                self.op_to.next = (self.to.val() & 56) | 5;
            } else {
                self.op_from.next = self.to.val() & 56;
                self.op_to.next = (self.to.val() & 56) | 3;
            }
        }
        if self.passes.val() {
            self.op_to.next = self.to.val() ^ 8;
        }
        self.from_rank.next = self.masks.rank_1.val() << (self.op_from.val() & 56);
        self.from_file.next = self.masks.file_a.val() << self.op_from.val().get_bits::<3>(0);
        self.to_rank.next = self.masks.rank_1.val() << (self.op_to.val() & 56);
        self.to_file.next = self.masks.file_a.val() << self.op_to.val().get_bits::<3>(0);

        // What is toggled there: bit 3 Black, bits 0–2 the code.
        self.from_toggle.next = 0.into();
        if self.moves.val() {
            self.from_toggle.next =
                bit_cast::<4, 3>(self.piece.val()) | (bit_cast::<4, 1>(self.thread_in.val().mover.into()) << 3);
        }
        self.to_toggle.next = 0.into();
        if self.moves.val() | self.thread_in.val().load {
            self.to_toggle.next =
                bit_cast::<4, 3>(self.placed.val()) | (bit_cast::<4, 1>(self.thread_in.val().mover.into()) << 3);
        }
        if self.captures.val() {
            self.to_toggle.next = bit_cast::<4, 3>(self.placed.val() ^ self.captured.val()) | 8;
        }
        if self.castles.val() {
            self.from_toggle.next = (bit_cast::<4, 1>(self.thread_in.val().mover.into()) << 3) | 6;
            self.to_toggle.next = (bit_cast::<4, 1>(self.thread_in.val().mover.into()) << 3) | 6;
        }
        if self.passes.val() {
            self.to_toggle.next = (bit_cast::<4, 1>((!self.thread_in.val().mover).into()) << 3) | 1;
        }

        self.base[0].next = self.thread_in.val().code0;
        self.base[1].next = self.thread_in.val().code1;
        self.base[2].next = self.thread_in.val().code2;
        self.base[3].next = self.thread_in.val().black;
        // Each plane has its own file lines, so that a bit is one LUT of five: itself, two ranks, two files.
        for i in 0..4 {
            self.from_files[i].next = 0.into();
            if self.from_toggle.val().get_bit(i) {
                self.from_files[i].next = self.from_file.val();
            }
            self.to_files[i].next = 0.into();
            if self.to_toggle.val().get_bit(i) {
                self.to_files[i].next = self.to_file.val();
            }
            self.toggled[i].next = self.base[i].val()
                ^ (self.from_rank.val() & self.from_files[i].val())
                ^ (self.to_rank.val() & self.to_files[i].val());
        }

        // Rights go with the squares that are touched.
        self.king_moved[0].next = (self.from.val() == 4) | (self.to.val() == 4);
        self.king_moved[1].next = (self.from.val() == 60) | (self.to.val() == 60);
        self.corner[0].next = (self.from.val() == 7) | (self.to.val() == 7) | self.king_moved[0].val();
        self.corner[1].next = (self.from.val() == 0) | (self.to.val() == 0) | self.king_moved[0].val();
        self.corner[2].next = (self.from.val() == 63) | (self.to.val() == 63) | self.king_moved[1].val();
        self.corner[3].next = (self.from.val() == 56) | (self.to.val() == 56) | self.king_moved[1].val();
        self.lost.next = bit_cast::<4, 1>(self.corner[0].val().into())
            | (bit_cast::<4, 1>(self.corner[1].val().into()) << 1)
            | (bit_cast::<4, 1>(self.corner[2].val().into()) << 2)
            | (bit_cast::<4, 1>(self.corner[3].val().into()) << 3);
        self.double_step.next = (self.piece.val() == 1) & ((self.from.val() ^ self.to.val()) == 16);

        self.state.d.next = self.thread_in.val();
        self.state.d.next.code0 = self.toggled[0].val();
        self.state.d.next.code1 = self.toggled[1].val();
        self.state.d.next.code2 = self.toggled[2].val();
        self.state.d.next.black = self.toggled[3].val();
        if self.moves.val() {
            self.state.d.next.turn = !self.thread_in.val().turn;
        }
        if self.thread_in.val().make {
            self.state.d.next.castling = self.thread_in.val().castling & !self.lost.val();
            self.state.d.next.en_passant = 0.into();
            if self.double_step.val() {
                self.state.d.next.en_passant = bit_cast::<4, 3>(self.to.val().get_bits::<3>(0)) | 8;
            }
        }
        self.king_to.next = self.to.val();
        if self.thread_in.val().unmake {
            self.king_to.next = self.from.val();
        }
        if (self.piece.val() == 4) & (self.moves.val() | self.thread_in.val().load) {
            if self.thread_in.val().mover {
                self.state.d.next.black_king = self.king_to.val();
            } else {
                self.state.d.next.white_king = self.king_to.val();
            }
        }
        self.thread_out.next = self.state.q.val();
        self.from_square.next = self.op_from.val();
        self.to_square.next = self.op_to.val();
        self.from_code.next = self.piece.val();
        self.to_code.next = self.placed.val();
        self.captured_code.next = self.captured.val();
        if self.castles.val() {
            self.from_code.next = 6.into();
            self.to_code.next = 6.into();
        }
        if self.passes.val() {
            self.captured_code.next = 1.into();
        }
        self.from_used.next = self.moves.val() | self.castles.val();
        self.to_used.next = self.moves.val() | self.castles.val() | self.thread_in.val().load;
        self.captured_used.next = self.captures.val() | self.passes.val();
    }
}
