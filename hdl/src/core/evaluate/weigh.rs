//! From counts to the value.

use rust_hdl::prelude::*;

use super::scale::{Scale3, Scale5, Scale8};
use super::side::Side;
use crate::core::thread::Thread;

/// The evaluation's sum. It follows a thread from stage 4 to stage 11, and reads it where it needs to.
#[derive(LogicBlock, Default)]
pub struct Weigh {
    pub clock: Signal<In, Clock>,
    // The thread at stages 4, 8, 9 and 11 in
    pub thread_3: Signal<In, Thread>,
    pub thread_7: Signal<In, Thread>,
    pub thread_8: Signal<In, Thread>,
    pub thread_10: Signal<In, Thread>,
    // Mobility, the mover's minus the enemy's, at stage 7 in
    pub minor: Signal<In, Bits<8>>,
    pub major: Signal<In, Bits<8>>,
    // Value for the mover out, with the thread of stage 12
    pub value: Signal<Out, Bits<16>>,
    // Weights in: written at once
    pub weight_write: Signal<In, Bit>,
    pub weight_index: Signal<In, Bits<10>>,
    pub weight_data: Signal<In, Bits<16>>,

    weights: [DFF<Bits<14>>; 17],
    white: Side,
    black: Side,
    // Differences, White's minus Black's: doubled, isolated, open, half open
    files: [DFF<Bits<5>>; 4],
    // Pair, near, far, bare, then passed by rank
    little: [DFF<Bits<3>>; 10],
    scale_files: [Scale5; 4],
    scale_small: [Scale3; 10],
    scale_minor: Scale8,
    scale_major: Scale8,
    file_products: [DFF<Bits<14>>; 4],
    small_products: [DFF<Bits<14>>; 10],
    mobility: DFF<Bits<14>>,
    mg_sum: DFF<Bits<16>>,
    eg_sum: DFF<Bits<16>>,
    passed_sum: DFF<Bits<14>>,
    structure_sum: DFF<Bits<14>>,
    mobility_sum: DFF<Bits<14>>,
    mg_signed: DFF<Bits<16>>,
    eg_signed: DFF<Bits<16>>,
    passed_signed: DFF<Bits<16>>,
    structure_signed: DFF<Bits<16>>,
    fall: DFF<Bits<17>>,
    base: DFF<Bits<16>>,
    value_state: DFF<Bits<16>>,

    offset: Signal<Local, Bits<5>>,
    selected: Signal<Local, Bits<32>>,
    one: Signal<Local, Bits<32>>,
    pawns: Signal<Local, Bits<64>>,
    bishops: Signal<Local, Bits<64>>,
    rooks: Signal<Local, Bits<64>>,
    whites: Signal<Local, Bits<64>>,
    blacks: Signal<Local, Bits<64>>,
    white_pawns: Signal<Local, Bits<64>>,
    black_pawns: Signal<Local, Bits<64>>,
    white_pawns_mirrored: Signal<Local, Bits<64>>,
    black_pawns_mirrored: Signal<Local, Bits<64>>,
    shelter: Signal<Local, Bits<14>>,
    shelter_wide: Signal<Local, Bits<16>>,
    passed: Signal<Local, Bits<14>>,
    passed_wide: Signal<Local, Bits<16>>,
    structure: Signal<Local, Bits<14>>,
    structure_wide: Signal<Local, Bits<16>>,
    mobility_wide: Signal<Local, Bits<16>>,
    tempo_wide: Signal<Local, Bits<16>>,
    half_passed: Signal<Local, Bits<16>>,
    mg: Signal<Local, Bits<16>>,
    eg: Signal<Local, Bits<16>>,
    zero: Signal<Local, Bits<16>>,
    phase_sum: Signal<Local, Bits<8>>,
    phase: Signal<Local, Bits<6>>,
    mg_wide: Signal<Local, Bits<17>>,
    eg_wide: Signal<Local, Bits<17>>,
    fall_wide: Signal<Local, Bits<23>>,
    parts: [Signal<Local, Bits<23>>; 6],
    product: Signal<Local, Bits<23>>,
}

impl Logic for Weigh {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            mobility,
            mg_sum,
            eg_sum,
            passed_sum,
            structure_sum,
            mobility_sum,
            mg_signed,
            eg_signed,
            passed_signed,
            structure_signed,
            fall,
            base,
            value_state
        );
        self.zero.next = 0.into();

        // Weights 768 and on are the structural terms.
        self.offset.next = self.weight_index.val().get_bits::<5>(0);
        self.one.next = 1.into();
        self.selected.next = 0.into();
        if self.weight_write.val() & (self.weight_index.val() >= 768) {
            self.selected.next = self.one.val() << self.offset.val();
        }
        for k in 0..17 {
            self.weights[k].clock.next = self.clock.val();
            self.weights[k].d.next = self.weights[k].q.val();
            if self.selected.val().get_bit(k) {
                self.weights[k].d.next = self.weight_data.val().get_bits::<14>(0);
            }
        }

        // Stages 4 and 5: the counts of each side, from its own point of view.
        self.pawns.next = self.thread_3.val().code0 & !self.thread_3.val().code1 & !self.thread_3.val().code2;
        self.bishops.next = self.thread_3.val().code0 & !self.thread_3.val().code1 & self.thread_3.val().code2;
        self.rooks.next = !self.thread_3.val().code0 & self.thread_3.val().code1 & self.thread_3.val().code2;
        self.blacks.next = self.thread_3.val().black;
        self.whites.next = !self.thread_3.val().black;
        self.white_pawns.next = self.pawns.val() & self.whites.val();
        self.black_pawns.next = self.pawns.val() & self.blacks.val();
        self.white_pawns_mirrored.next = bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(56))
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(48)) << 8)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(40)) << 16)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(32)) << 24)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(24)) << 32)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(16)) << 40)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(8)) << 48)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(0)) << 56);
        self.black_pawns_mirrored.next = bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(56))
            | (bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(48)) << 8)
            | (bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(40)) << 16)
            | (bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(32)) << 24)
            | (bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(24)) << 32)
            | (bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(16)) << 40)
            | (bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(8)) << 48)
            | (bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(0)) << 56);
        self.white.clock.next = self.clock.val();
        self.white.pawns.next = self.white_pawns.val();
        self.white.enemy_pawns.next = self.black_pawns.val();
        self.white.bishops.next = self.bishops.val() & self.whites.val();
        self.white.rooks.next = self.rooks.val() & self.whites.val();
        self.white.king.next = self.thread_3.val().white_king;
        self.black.clock.next = self.clock.val();
        self.black.pawns.next = self.black_pawns_mirrored.val();
        self.black.enemy_pawns.next = self.white_pawns_mirrored.val();
        self.black.bishops.next = self.bishops.val() & self.blacks.val();
        self.black.rooks.next = self.rooks.val() & self.blacks.val();
        self.black.king.next = self.thread_3.val().black_king ^ 56;

        // Stage 6: differences.
        for k in 0..4 {
            self.files[k].clock.next = self.clock.val();
        }
        self.files[0].d.next = bit_cast::<5, 4>(self.white.doubled.val()) - bit_cast::<5, 4>(self.black.doubled.val());
        self.files[1].d.next =
            bit_cast::<5, 4>(self.white.isolated.val()) - bit_cast::<5, 4>(self.black.isolated.val());
        self.files[2].d.next = bit_cast::<5, 4>(self.white.open.val()) - bit_cast::<5, 4>(self.black.open.val());
        self.files[3].d.next =
            bit_cast::<5, 4>(self.white.half_open.val()) - bit_cast::<5, 4>(self.black.half_open.val());
        for k in 0..10 {
            self.little[k].clock.next = self.clock.val();
        }
        self.little[0].d.next =
            bit_cast::<3, 1>(self.white.pair.val().into()) - bit_cast::<3, 1>(self.black.pair.val().into());
        self.little[1].d.next = bit_cast::<3, 4>(self.white.near.val()) - bit_cast::<3, 4>(self.black.near.val());
        self.little[2].d.next = bit_cast::<3, 4>(self.white.far.val()) - bit_cast::<3, 4>(self.black.far.val());
        self.little[3].d.next = bit_cast::<3, 4>(self.white.bare.val()) - bit_cast::<3, 4>(self.black.bare.val());
        self.little[4].d.next =
            bit_cast::<3, 2>(self.white.passed[0].val()) - bit_cast::<3, 2>(self.black.passed[0].val());
        self.little[5].d.next =
            bit_cast::<3, 2>(self.white.passed[1].val()) - bit_cast::<3, 2>(self.black.passed[1].val());
        self.little[6].d.next =
            bit_cast::<3, 2>(self.white.passed[2].val()) - bit_cast::<3, 2>(self.black.passed[2].val());
        self.little[7].d.next =
            bit_cast::<3, 2>(self.white.passed[3].val()) - bit_cast::<3, 2>(self.black.passed[3].val());
        self.little[8].d.next =
            bit_cast::<3, 2>(self.white.passed[4].val()) - bit_cast::<3, 2>(self.black.passed[4].val());
        self.little[9].d.next =
            bit_cast::<3, 2>(self.white.passed[5].val()) - bit_cast::<3, 2>(self.black.passed[5].val());

        // Stage 7: products. The weights are in the order of the spec's terms.
        for k in 0..4 {
            self.scale_files[k].difference.next = self.files[k].q.val();
            self.scale_files[k].weight.next = self.weights[k + 2].q.val();
            self.file_products[k].clock.next = self.clock.val();
            self.file_products[k].d.next = self.scale_files[k].product.val();
        }
        for k in 0..10 {
            self.scale_small[k].difference.next = self.little[k].q.val();
            self.small_products[k].clock.next = self.clock.val();
            self.small_products[k].d.next = self.scale_small[k].product.val();
        }
        self.scale_small[0].weight.next = self.weights[1].q.val();
        for k in 1..4 {
            self.scale_small[k].weight.next = self.weights[k + 5].q.val();
        }
        for k in 4..10 {
            self.scale_small[k].weight.next = self.weights[k + 7].q.val();
        }
        self.scale_minor.difference.next = self.minor.val();
        self.scale_minor.weight.next = self.weights[9].q.val();
        self.scale_major.difference.next = self.major.val();
        self.scale_major.weight.next = self.weights[10].q.val();
        self.mobility.d.next = self.scale_minor.product.val() + self.scale_major.product.val();

        // Stage 8: sums.
        self.shelter.next =
            self.small_products[1].q.val() + self.small_products[2].q.val() + self.small_products[3].q.val();
        self.shelter_wide.next = bit_cast::<16, 14>(self.shelter.val());
        if self.shelter.val().get_bit(13) {
            self.shelter_wide.next = bit_cast::<16, 14>(self.shelter.val()) | 0xc000;
        }
        self.mg_sum.d.next = self.thread_7.val().mg + self.shelter_wide.val();
        self.eg_sum.d.next = self.thread_7.val().eg;
        self.passed_sum.d.next = (self.small_products[4].q.val() + self.small_products[5].q.val())
            + (self.small_products[6].q.val() + self.small_products[7].q.val())
            + (self.small_products[8].q.val() + self.small_products[9].q.val());
        self.structure_sum.d.next = (self.file_products[0].q.val() + self.file_products[1].q.val())
            + (self.file_products[2].q.val() + self.file_products[3].q.val())
            + self.small_products[0].q.val();
        self.mobility_sum.d.next = self.mobility.q.val();

        // Stage 9: for the mover.
        self.passed.next = self.passed_sum.q.val();
        self.passed_wide.next = bit_cast::<16, 14>(self.passed.val());
        if self.passed.val().get_bit(13) {
            self.passed_wide.next = bit_cast::<16, 14>(self.passed.val()) | 0xc000;
        }
        self.structure.next = self.structure_sum.q.val();
        self.structure_wide.next = bit_cast::<16, 14>(self.structure.val());
        if self.structure.val().get_bit(13) {
            self.structure_wide.next = bit_cast::<16, 14>(self.structure.val()) | 0xc000;
        }
        self.mobility_wide.next = bit_cast::<16, 14>(self.mobility_sum.q.val());
        if self.mobility_sum.q.val().get_bit(13) {
            self.mobility_wide.next = bit_cast::<16, 14>(self.mobility_sum.q.val()) | 0xc000;
        }
        self.tempo_wide.next = bit_cast::<16, 14>(self.weights[0].q.val());
        if self.weights[0].q.val().get_bit(13) {
            self.tempo_wide.next = bit_cast::<16, 14>(self.weights[0].q.val()) | 0xc000;
        }
        self.mg_signed.d.next = self.mg_sum.q.val();
        self.eg_signed.d.next = self.eg_sum.q.val();
        self.passed_signed.d.next = self.passed_wide.val();
        self.structure_signed.d.next = self.mobility_wide.val() + self.tempo_wide.val() + self.structure_wide.val();
        if self.thread_8.val().turn {
            self.mg_signed.d.next = self.zero.val() - self.mg_sum.q.val();
            self.eg_signed.d.next = self.zero.val() - self.eg_sum.q.val();
            self.passed_signed.d.next = self.zero.val() - self.passed_wide.val();
            self.structure_signed.d.next = self.mobility_wide.val() + self.tempo_wide.val() - self.structure_wide.val();
        }

        // Stage 10: middle game minus endgame; half of the passed pawns count in the middle game, rounded down.
        self.half_passed.next = self.passed_signed.q.val() >> 1;
        if self.passed_signed.q.val().get_bit(15) {
            self.half_passed.next = (self.passed_signed.q.val() >> 1) | 0x8000;
        }
        self.mg.next = self.mg_signed.q.val() + self.half_passed.val();
        self.eg.next = self.eg_signed.q.val() + self.passed_signed.q.val();
        self.mg_wide.next = bit_cast::<17, 16>(self.mg.val());
        if self.mg.val().get_bit(15) {
            self.mg_wide.next = bit_cast::<17, 16>(self.mg.val()) | 0x1_0000;
        }
        self.eg_wide.next = bit_cast::<17, 16>(self.eg.val());
        if self.eg.val().get_bit(15) {
            self.eg_wide.next = bit_cast::<17, 16>(self.eg.val()) | 0x1_0000;
        }
        self.fall.d.next = self.mg_wide.val() - self.eg_wide.val();
        self.base.d.next = self.eg.val() + self.structure_signed.q.val();

        // Stage 11: the taper, rounded down.
        self.phase_sum.next = self.thread_10.val().phase;
        self.phase.next = self.phase_sum.val().get_bits::<6>(0);
        if self.phase_sum.val().get_bits::<3>(5).any() {
            self.phase.next = 32.into();
        }
        self.fall_wide.next = bit_cast::<23, 17>(self.fall.q.val());
        if self.fall.q.val().get_bit(16) {
            self.fall_wide.next = bit_cast::<23, 17>(self.fall.q.val()) | 0x7e_0000;
        }
        self.parts[0].next = self.fall_wide.val();
        self.parts[1].next = self.fall_wide.val() << 1;
        self.parts[2].next = self.fall_wide.val() << 2;
        self.parts[3].next = self.fall_wide.val() << 3;
        self.parts[4].next = self.fall_wide.val() << 4;
        self.parts[5].next = self.fall_wide.val() << 5;
        for k in 0..6 {
            if !self.phase.val().get_bit(k) {
                self.parts[k].next = 0.into();
            }
        }
        self.product.next = ((self.parts[0].val() + self.parts[1].val()) + (self.parts[2].val() + self.parts[3].val()))
            + (self.parts[4].val() + self.parts[5].val());
        self.value_state.d.next = self.base.q.val() + self.product.val().get_bits::<16>(5);
        self.value.next = self.value_state.q.val();
    }
}
