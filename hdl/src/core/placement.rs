//! The placement sums: what a board operation adds to material, square and phase.

use rust_hdl::prelude::*;

use crate::queue::Memory;

/// Looks up the pieces that leave and arrive, and tells three cycles later what that adds, White's minus Black's. What is to be
/// subtracted comes complemented, and lacks a carry.
#[derive(LogicBlock, Default)]
pub struct Placement {
    pub clock: Signal<In, Clock>,
    // Operation in, every cycle
    pub from_square: Signal<In, Bits<6>>,
    pub to_square: Signal<In, Bits<6>>,
    pub from_code: Signal<In, Bits<3>>,
    pub to_code: Signal<In, Bits<3>>,
    pub captured_code: Signal<In, Bits<3>>,
    pub from_used: Signal<In, Bit>,
    pub to_used: Signal<In, Bit>,
    pub captured_used: Signal<In, Bit>,
    pub mover: Signal<In, Bit>,
    pub undo: Signal<In, Bit>,
    // Difference out, three cycles later
    pub mg: Signal<Out, Bits<16>>,
    pub eg: Signal<Out, Bits<16>>,
    pub phase: Signal<Out, Bits<8>>,
    pub carry: Signal<Out, Bit>,
    pub phase_carry: Signal<Out, Bit>,
    // Weights in: written at once
    pub weight_write: Signal<In, Bit>,
    pub weight_index: Signal<In, Bits<10>>,
    pub weight_data: Signal<In, Bits<16>>,

    table_mg: [Memory<Bits<16>, 9>; 3],
    table_eg: [Memory<Bits<16>, 9>; 3],
    codes: [DFF<Bits<3>>; 3],
    negative: DFF<Bit>,
    undone: DFF<Bit>,
    // Behind the tables, whose words come late
    mg_found: [DFF<Bits<16>>; 3],
    eg_found: [DFF<Bits<16>>; 3],
    phase_found: DFF<Bits<8>>,
    negative_found: DFF<Bit>,
    undone_found: DFF<Bit>,
    mg_out: DFF<Bits<16>>,
    eg_out: DFF<Bits<16>>,
    phase_out: DFF<Bits<8>>,
    carry_out: DFF<Bit>,
    phase_carry_out: DFF<Bit>,

    flip: Signal<Local, Bits<6>>,
    piece: [Signal<Local, Bits<3>>; 3],
    address: [Signal<Local, Bits<9>>; 3],
    write_code: Signal<Local, Bits<3>>,
    write_address: Signal<Local, Bits<9>>,
    write_mg: Signal<Local, Bit>,
    write_eg: Signal<Local, Bit>,
    phase_of: [Signal<Local, Bits<8>>; 3],
    mg_sum: Signal<Local, Bits<16>>,
    eg_sum: Signal<Local, Bits<16>>,
    phase_sum: Signal<Local, Bits<8>>,
}

impl Logic for Placement {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            negative,
            undone,
            phase_found,
            negative_found,
            undone_found,
            mg_out,
            eg_out,
            phase_out,
            carry_out,
            phase_carry_out
        );

        // The tables are addressed by code and by square, seen from the piece's side.
        self.flip.next = 0.into();
        if self.mover.val() {
            self.flip.next = 56.into();
        }
        // Nothing weighs nothing: the table of code 0 is never written.
        for i in 0..3 {
            self.piece[i].next = 0.into();
        }
        if self.from_used.val() {
            self.piece[0].next = self.from_code.val();
        }
        if self.to_used.val() {
            self.piece[1].next = self.to_code.val();
        }
        if self.captured_used.val() {
            self.piece[2].next = self.captured_code.val();
        }
        self.address[0].next =
            (bit_cast::<9, 3>(self.piece[0].val()) << 6) | bit_cast::<9, 6>(self.from_square.val() ^ self.flip.val());
        self.address[1].next =
            (bit_cast::<9, 3>(self.piece[1].val()) << 6) | bit_cast::<9, 6>(self.to_square.val() ^ self.flip.val());
        self.address[2].next = (bit_cast::<9, 3>(self.piece[2].val()) << 6)
            | bit_cast::<9, 6>(self.to_square.val() ^ self.flip.val() ^ 56);

        // On the wire the tables are in the order of the pieces' indices: 0 pawn, knight, bishop, rook, queen, 5 king; mg
        // first, then eg.
        self.write_mg.next = self.weight_write.val() & (self.weight_index.val() < 384);
        self.write_eg.next =
            self.weight_write.val() & (self.weight_index.val() >= 384) & (self.weight_index.val() < 768);
        self.write_code.next = 1.into();
        if (self.weight_index.val().get_bits::<4>(6) == 1) | (self.weight_index.val().get_bits::<4>(6) == 7) {
            self.write_code.next = 2.into();
        }
        if (self.weight_index.val().get_bits::<4>(6) == 2) | (self.weight_index.val().get_bits::<4>(6) == 8) {
            self.write_code.next = 5.into();
        }
        if (self.weight_index.val().get_bits::<4>(6) == 3) | (self.weight_index.val().get_bits::<4>(6) == 9) {
            self.write_code.next = 6.into();
        }
        if (self.weight_index.val().get_bits::<4>(6) == 4) | (self.weight_index.val().get_bits::<4>(6) == 10) {
            self.write_code.next = 7.into();
        }
        if (self.weight_index.val().get_bits::<4>(6) == 5) | (self.weight_index.val().get_bits::<4>(6) == 11) {
            self.write_code.next = 4.into();
        }
        self.write_address.next =
            (bit_cast::<9, 3>(self.write_code.val()) << 6) | bit_cast::<9, 6>(self.weight_index.val().get_bits::<6>(0));

        for i in 0..3 {
            self.table_mg[i].clock.next = self.clock.val();
            self.table_mg[i].read_address.next = self.address[i].val();
            self.table_mg[i].write_address.next = self.write_address.val();
            self.table_mg[i].write_data.next = self.weight_data.val();
            self.table_mg[i].write_enable.next = self.write_mg.val();
            self.table_eg[i].clock.next = self.clock.val();
            self.table_eg[i].read_address.next = self.address[i].val();
            self.table_eg[i].write_address.next = self.write_address.val();
            self.table_eg[i].write_data.next = self.weight_data.val();
            self.table_eg[i].write_enable.next = self.write_eg.val();
            self.codes[i].clock.next = self.clock.val();
            self.codes[i].d.next = self.piece[i].val();
        }
        self.negative.d.next = self.mover.val() ^ self.undo.val();
        self.undone.d.next = self.undo.val();

        // A cycle later: what was found.
        for i in 0..3 {
            self.mg_found[i].clock.next = self.clock.val();
            self.eg_found[i].clock.next = self.clock.val();
            self.mg_found[i].d.next = self.table_mg[i].read_data.val();
            self.eg_found[i].d.next = self.table_eg[i].read_data.val();
            self.phase_of[i].next = 0.into();
            if (self.codes[i].q.val() == 2) | (self.codes[i].q.val() == 5) {
                self.phase_of[i].next = 1.into();
            }
            if self.codes[i].q.val() == 6 {
                self.phase_of[i].next = 3.into();
            }
            if self.codes[i].q.val() == 7 {
                self.phase_of[i].next = 6.into();
            }
        }
        self.phase_found.d.next = self.phase_of[1].val() - self.phase_of[0].val() - self.phase_of[2].val();
        self.negative_found.d.next = self.negative.q.val();
        self.undone_found.d.next = self.undone.q.val();

        // Another cycle later: what arrives for the mover counts for it, and so does what its enemy loses.
        self.mg_sum.next = self.mg_found[1].q.val() - self.mg_found[0].q.val() + self.mg_found[2].q.val();
        self.eg_sum.next = self.eg_found[1].q.val() - self.eg_found[0].q.val() + self.eg_found[2].q.val();
        self.phase_sum.next = self.phase_found.q.val();
        self.mg_out.d.next = self.mg_sum.val();
        self.eg_out.d.next = self.eg_sum.val();
        if self.negative_found.q.val() {
            self.mg_out.d.next = !self.mg_sum.val();
            self.eg_out.d.next = !self.eg_sum.val();
        }
        self.phase_out.d.next = self.phase_sum.val();
        if self.undone_found.q.val() {
            self.phase_out.d.next = !self.phase_sum.val();
        }
        self.carry_out.d.next = self.negative_found.q.val();
        self.phase_carry_out.d.next = self.undone_found.q.val();
        self.carry.next = self.carry_out.q.val();
        self.phase_carry.next = self.phase_carry_out.q.val();
        self.mg.next = self.mg_out.q.val();
        self.eg.next = self.eg_out.q.val();
        self.phase.next = self.phase_out.q.val();
    }
}
