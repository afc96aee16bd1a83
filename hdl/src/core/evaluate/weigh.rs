//! From counts to the value.

use rust_hdl::prelude::*;

use super::count::{Difference, UpToTwo};
use super::scale::{Double, Product};
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
    pub minor: Signal<In, Signed<8>>,
    pub major: Signal<In, Signed<8>>,
    // Value for the mover out, with the thread of stage 12
    pub value: Signal<Out, Bits<16>>,
    // Weights in: written at once
    pub weight_write: Signal<In, Bit>,
    pub weight_index: Signal<In, Bits<10>>,
    pub weight_data: Signal<In, Bits<16>>,

    weights: [DFF<Bits<9>>; 17],
    white: Side,
    black: Side,
    // White's minus Black's: doubled, isolated, open, half open, near, far, bare
    differences: [Difference; 7],
    counts: [DFF<Signed<8>>; 7],
    pair_plus: DFF<Bit>,
    pair_minus: DFF<Bit>,
    up_to_two: [UpToTwo; 6],
    once: [DFF<Bit>; 6],
    twice: [DFF<Bit>; 6],
    negative: [DFF<Bit>; 6],
    products: [Product; 9],
    doubles: [Double; 6],
    file_products: [DFF<Signed<12>>; 7],
    passed_products: [DFF<Bits<10>>; 6],
    pair_product: DFF<Signed<9>>,
    passed_carry: DFF<Bits<6>>,
    carry_sum: DFF<Signed<4>>,
    minor_product: DFF<Signed<12>>,
    major_product: DFF<Signed<12>>,
    // Halves of the sums, at stage 7
    doubled_isolated: DFF<Signed<13>>,
    rooks_pair: DFF<Signed<13>>,
    shelter: DFF<Signed<13>>,
    passed_low: DFF<Signed<13>>,
    passed_high: DFF<Signed<13>>,
    // Sums, at stage 8
    mg_sum: DFF<Signed<16>>,
    eg_sum: DFF<Signed<16>>,
    passed_sum: DFF<Signed<13>>,
    structure_sum: DFF<Signed<14>>,
    mover_sum: DFF<Signed<14>>,
    mg_signed: DFF<Signed<16>>,
    eg_signed: DFF<Signed<16>>,
    passed_signed: DFF<Signed<13>>,
    structure_signed: DFF<Signed<16>>,
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
    pair_weight: Signal<Local, Signed<9>>,
    carries: Signal<Local, Bits<6>>,
    carry_count: Signal<Local, Bits<4>>,
    passed_parts: [Signal<Local, Signed<10>>; 6],
    tempo: Signal<Local, Signed<9>>,
    zero_9: Signal<Local, Signed<9>>,
    zero_13: Signal<Local, Signed<13>>,
    zero_16: Signal<Local, Signed<16>>,
    passed: Signal<Local, Bits<13>>,
    half_passed: Signal<Local, Bits<12>>,
    mg: Signal<Local, Signed<17>>,
    eg: Signal<Local, Signed<17>>,
    fall_signed: Signal<Local, Signed<17>>,
    base_signed: Signal<Local, Signed<17>>,
    base_bits: Signal<Local, Bits<17>>,
    phase_sum: Signal<Local, Bits<8>>,
    phase: Signal<Local, Bits<16>>,
    fall_low: Signal<Local, Bits<16>>,
    product: Signal<Local, Bits<32>>,
    product_high: Signal<Local, Bits<5>>,
    phase_low: Signal<Local, Bits<5>>,
}

impl Logic for Weigh {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            pair_plus,
            pair_minus,
            pair_product,
            passed_carry,
            carry_sum,
            minor_product,
            major_product,
            doubled_isolated,
            rooks_pair,
            shelter,
            passed_low,
            passed_high,
            mg_sum,
            eg_sum,
            passed_sum,
            structure_sum,
            mover_sum,
            mg_signed,
            eg_signed,
            passed_signed,
            structure_signed,
            fall,
            base,
            value_state
        );

        // Weights 768 and on are the structural terms.
        self.offset.next = self.weight_index.val().get_bits::<5>(0);
        self.one.next = 1.into();
        self.selected.next = 0.into();
        if self.weight_write.val() & (self.weight_index.val().get_bits::<2>(8) == 3) {
            self.selected.next = self.one.val() << self.offset.val();
        }
        for k in 0..17 {
            self.weights[k].clock.next = self.clock.val();
            self.weights[k].d.next = self.weights[k].q.val();
            if self.selected.val().get_bit(k) {
                self.weights[k].d.next = self.weight_data.val().get_bits::<9>(0);
            }
        }

        // Stage 4: what is to be counted, from each side's own point of view.
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

        // Stage 5: how many more White has.
        for k in 0..7 {
            self.differences[k].ours.next = self.white.files[k].val();
            self.differences[k].theirs.next = self.black.files[k].val();
            self.counts[k].clock.next = self.clock.val();
            self.counts[k].d.next = self.differences[k].difference.val();
        }
        self.pair_plus.d.next = self.white.pair.val() & !self.black.pair.val();
        self.pair_minus.d.next = self.black.pair.val() & !self.white.pair.val();
        for k in 0..6 {
            self.up_to_two[k].ours.next = self.white.passed[k].val();
            self.up_to_two[k].theirs.next = self.black.passed[k].val();
            self.once[k].clock.next = self.clock.val();
            self.twice[k].clock.next = self.clock.val();
            self.negative[k].clock.next = self.clock.val();
            self.once[k].d.next = self.up_to_two[k].once.val();
            self.twice[k].d.next = self.up_to_two[k].twice.val();
            self.negative[k].d.next = self.up_to_two[k].negative.val();
        }

        // Stage 6: products. The weights are in the order of the spec's terms.
        for k in 0..7 {
            self.products[k].count.next = self.counts[k].q.val();
            self.products[k].weight.next = signed_cast(self.weights[k + 2].q.val());
            self.file_products[k].clock.next = self.clock.val();
            self.file_products[k].d.next = signed_bit_cast::<12, 16>(self.products[k].product.val());
        }
        self.zero_9.next = signed_cast(bits::<9>(0));
        self.pair_weight.next = signed_cast(self.weights[1].q.val());
        self.pair_product.d.next = self.zero_9.val();
        if self.pair_plus.q.val() {
            self.pair_product.d.next = self.pair_weight.val();
        }
        if self.pair_minus.q.val() {
            self.pair_product.d.next = self.zero_9.val() - self.pair_weight.val();
        }
        for k in 0..6 {
            self.doubles[k].once.next = self.once[k].q.val();
            self.doubles[k].twice.next = self.twice[k].q.val();
            self.doubles[k].negative.next = self.negative[k].q.val();
            self.doubles[k].weight.next = self.weights[k + 11].q.val();
            self.passed_products[k].clock.next = self.clock.val();
            self.passed_products[k].d.next = self.doubles[k].product.val();
        }
        self.passed_carry.d.next = bit_cast::<6, 1>(self.negative[0].q.val().into())
            | (bit_cast::<6, 1>(self.negative[1].q.val().into()) << 1)
            | (bit_cast::<6, 1>(self.negative[2].q.val().into()) << 2)
            | (bit_cast::<6, 1>(self.negative[3].q.val().into()) << 3)
            | (bit_cast::<6, 1>(self.negative[4].q.val().into()) << 4)
            | (bit_cast::<6, 1>(self.negative[5].q.val().into()) << 5);

        // Stage 7: halves of the sums, and mobility.
        self.doubled_isolated.d.next = signed_bit_cast::<13, 12>(self.file_products[0].q.val())
            + signed_bit_cast::<13, 12>(self.file_products[1].q.val());
        self.rooks_pair.d.next = signed_bit_cast::<13, 12>(self.file_products[2].q.val())
            + signed_bit_cast::<13, 12>(self.file_products[3].q.val())
            + signed_bit_cast::<13, 9>(self.pair_product.q.val());
        self.shelter.d.next = signed_bit_cast::<13, 12>(self.file_products[4].q.val())
            + signed_bit_cast::<13, 12>(self.file_products[5].q.val())
            + signed_bit_cast::<13, 12>(self.file_products[6].q.val());
        for k in 0..6 {
            self.passed_parts[k].next = signed_cast(self.passed_products[k].q.val());
        }
        self.passed_low.d.next = signed_bit_cast::<13, 10>(self.passed_parts[0].val())
            + signed_bit_cast::<13, 10>(self.passed_parts[1].val())
            + signed_bit_cast::<13, 10>(self.passed_parts[2].val());
        self.passed_high.d.next = signed_bit_cast::<13, 10>(self.passed_parts[3].val())
            + signed_bit_cast::<13, 10>(self.passed_parts[4].val())
            + signed_bit_cast::<13, 10>(self.passed_parts[5].val());
        self.carries.next = self.passed_carry.q.val();
        self.carry_count.next = (bit_cast::<4, 1>(self.carries.val().get_bits::<1>(0))
            + bit_cast::<4, 1>(self.carries.val().get_bits::<1>(1))
            + bit_cast::<4, 1>(self.carries.val().get_bits::<1>(2)))
            + (bit_cast::<4, 1>(self.carries.val().get_bits::<1>(3))
                + bit_cast::<4, 1>(self.carries.val().get_bits::<1>(4))
                + bit_cast::<4, 1>(self.carries.val().get_bits::<1>(5)));
        self.carry_sum.d.next = signed_cast(self.carry_count.val());
        self.products[7].count.next = self.minor.val();
        self.products[7].weight.next = signed_cast(self.weights[9].q.val());
        self.products[8].count.next = self.major.val();
        self.products[8].weight.next = signed_cast(self.weights[10].q.val());
        self.minor_product.d.next = signed_bit_cast::<12, 16>(self.products[7].product.val());
        self.major_product.d.next = signed_bit_cast::<12, 16>(self.products[8].product.val());

        // Stage 8: sums. Tempo and mobility are the mover's already.
        self.mg_sum.d.next = signed_cast(self.thread_7.val().mg) + signed_bit_cast::<16, 13>(self.shelter.q.val());
        self.eg_sum.d.next = signed_cast(self.thread_7.val().eg);
        self.passed_sum.d.next =
            self.passed_low.q.val() + self.passed_high.q.val() + signed_bit_cast::<13, 4>(self.carry_sum.q.val());
        self.structure_sum.d.next = signed_bit_cast::<14, 13>(self.doubled_isolated.q.val())
            + signed_bit_cast::<14, 13>(self.rooks_pair.q.val());
        self.tempo.next = signed_cast(self.weights[0].q.val());
        self.mover_sum.d.next = signed_bit_cast::<14, 12>(self.minor_product.q.val())
            + signed_bit_cast::<14, 12>(self.major_product.q.val())
            + signed_bit_cast::<14, 9>(self.tempo.val());

        // Stage 9: for the mover.
        self.zero_13.next = signed_cast(bits::<13>(0));
        self.zero_16.next = signed_cast(bits::<16>(0));
        self.mg_signed.d.next = self.mg_sum.q.val();
        self.eg_signed.d.next = self.eg_sum.q.val();
        self.passed_signed.d.next = self.passed_sum.q.val();
        self.structure_signed.d.next =
            signed_bit_cast::<16, 14>(self.mover_sum.q.val()) + signed_bit_cast::<16, 14>(self.structure_sum.q.val());
        if self.thread_8.val().turn {
            self.mg_signed.d.next = self.zero_16.val() - self.mg_sum.q.val();
            self.eg_signed.d.next = self.zero_16.val() - self.eg_sum.q.val();
            self.passed_signed.d.next = self.zero_13.val() - self.passed_sum.q.val();
            self.structure_signed.d.next = signed_bit_cast::<16, 14>(self.mover_sum.q.val())
                - signed_bit_cast::<16, 14>(self.structure_sum.q.val());
        }

        // Stage 10: middle game minus endgame; half of the passed pawns count in the middle game, rounded down.
        self.passed.next = unsigned_cast(self.passed_signed.q.val());
        self.half_passed.next = self.passed.val().get_bits::<12>(1);
        self.mg.next = signed_bit_cast::<17, 16>(self.mg_signed.q.val())
            + signed_bit_cast::<17, 12>(signed_cast(self.half_passed.val()));
        self.eg.next =
            signed_bit_cast::<17, 16>(self.eg_signed.q.val()) + signed_bit_cast::<17, 13>(self.passed_signed.q.val());
        self.fall_signed.next = self.mg.val() - self.eg.val();
        self.fall.d.next = unsigned_cast(self.fall_signed.val());
        self.base_signed.next = self.eg.val() + signed_bit_cast::<17, 16>(self.structure_signed.q.val());
        self.base_bits.next = unsigned_cast(self.base_signed.val());
        self.base.d.next = self.base_bits.val().get_bits::<16>(0);

        // Stage 11: the taper, rounded down. The sign of the fall is worth -65536 phases.
        self.phase_sum.next = self.thread_10.val().phase;
        self.phase.next = bit_cast::<16, 5>(self.phase_sum.val().get_bits::<5>(0));
        if self.phase_sum.val().get_bits::<3>(5).any() {
            self.phase.next = 32.into();
        }
        self.fall_low.next = self.fall.q.val().get_bits::<16>(0);
        self.product.next = self.fall_low.val() * self.phase.val();
        self.phase_low.next = self.phase.val().get_bits::<5>(0);
        self.product_high.next = self.product.val().get_bits::<5>(16);
        if self.fall.q.val().get_bit(16) {
            self.product_high.next = self.product.val().get_bits::<5>(16) - self.phase_low.val();
        }
        self.value_state.d.next = self.base.q.val()
            + (bit_cast::<16, 11>(self.product.val().get_bits::<11>(5))
                | (bit_cast::<16, 5>(self.product_high.val()) << 11));
        self.value.next = self.value_state.q.val();
    }
}
