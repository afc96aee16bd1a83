//! From counts to the value.

use rust_hdl::prelude::*;

use super::count::{Difference, UpToTwo};
use super::officers::Officers;
use super::scale::Product;
use super::side::Side;
use crate::core::thread::Thread;

/// The evaluation's sum. It follows a thread from stage 3 to stage 11, and reads it where it needs to. Whatever can be is summed
/// up as White's minus Black's, two numbers at a time; the mover comes in at the end.
#[derive(LogicBlock, Default)]
pub struct Weigh {
    pub clock: Signal<In, Clock>,
    // Pawns and sources at stage 3 in
    pub white_pawns: Signal<In, Bits<64>>,
    pub black_pawns: Signal<In, Bits<64>>,
    pub own_straight: Signal<In, Bits<64>>,
    pub own_diagonal: Signal<In, Bits<64>>,
    pub enemy_straight: Signal<In, Bits<64>>,
    pub enemy_diagonal: Signal<In, Bits<64>>,
    // The thread at stages 3, 7, 9, 10 and 11 in
    pub thread_2: Signal<In, Thread>,
    pub thread_6: Signal<In, Thread>,
    pub thread_8: Signal<In, Thread>,
    pub thread_9: Signal<In, Thread>,
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
    own_officers: Officers,
    enemy_officers: Officers,
    white: Side,
    black: Side,
    white_pair: DFF<Bit>,
    black_pair: DFF<Bit>,
    // White's minus Black's: doubled, isolated, open, half open, near, far, bare, then passed from rank to rank, then the pair of bishops
    differences: [Difference; 7],
    up_to_two: [UpToTwo; 6],
    counts: [DFF<Signed<8>>; 14],
    products: [Product; 16],
    terms: [DFF<Signed<12>>; 14],
    // Sums, at stage 6
    pawns_6: DFF<Signed<13>>,
    rooks_6: DFF<Signed<13>>,
    shelter_6: DFF<Signed<13>>,
    bare_6: DFF<Signed<12>>,
    pair_6: DFF<Signed<12>>,
    passed_low_6: DFF<Signed<13>>,
    passed_mid_6: DFF<Signed<13>>,
    passed_high_6: DFF<Signed<13>>,
    // At stage 7
    structure_7: DFF<Signed<14>>,
    endgame_7: DFF<Signed<16>>,
    shelter_7: DFF<Signed<13>>,
    passed_7: DFF<Signed<13>>,
    passed_high_7: DFF<Signed<13>>,
    fall_7: DFF<Signed<17>>,
    minor_7: DFF<Signed<8>>,
    major_7: DFF<Signed<8>>,
    // At stage 8
    endgame_8: DFF<Signed<16>>,
    passed_8: DFF<Signed<13>>,
    fall_8: DFF<Signed<17>>,
    minor_8: DFF<Signed<16>>,
    major_8: DFF<Signed<16>>,
    // At stage 9
    endgame_9: DFF<Bits<16>>,
    fall_9: DFF<Bits<17>>,
    mover_9: DFF<Bits<16>>,
    phase_9: DFF<Bits<6>>,
    // At stages 10 and 11
    base_10: DFF<Bits<16>>,
    taper_10: DFF<Bits<16>>,
    rest_10: DFF<Bits<5>>,
    value_11: DFF<Bits<16>>,

    offset: Signal<Local, Bits<5>>,
    selected: Signal<Local, Bits<32>>,
    one: Signal<Local, Bits<32>>,
    white_mirrored: Signal<Local, Bits<64>>,
    black_mirrored: Signal<Local, Bits<64>>,
    pair: Signal<Local, Bits<8>>,
    tempo: Signal<Local, Signed<9>>,
    passed: Signal<Local, Bits<13>>,
    half: Signal<Local, Bits<12>>,
    half_signed: Signal<Local, Signed<17>>,
    half_wide: Signal<Local, Bits<17>>,
    fall: Signal<Local, Bits<17>>,
    rounds: Signal<Local, Bit>,
    fall_sum: Signal<Local, Bits<18>>,
    endgame_sum: Signal<Local, Signed<16>>,
    mover_sum: Signal<Local, Signed<16>>,
    unclipped: Signal<Local, Bits<8>>,
    white_view: Signal<Local, Bits<16>>,
    base_sum: Signal<Local, Bits<17>>,
    fall_low: Signal<Local, Bits<16>>,
    /// With a name of its own: Yosys takes a second multiplier for the zeros of the cast.
    wide_phase: Signal<Local, Bits<16>>,
    product: Signal<Local, Bits<32>>,
    lift: Signal<Local, Bits<5>>,
    lift_carry: Signal<Local, Bit>,
    base_high: Signal<Local, Bits<6>>,
    taper: Signal<Local, Bits<16>>,
    value_sum: Signal<Local, Bits<17>>,
}

impl Logic for Weigh {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            white_pair,
            black_pair,
            pawns_6,
            rooks_6,
            shelter_6,
            bare_6,
            pair_6,
            passed_low_6,
            passed_mid_6,
            passed_high_6,
            structure_7,
            endgame_7,
            shelter_7,
            passed_7,
            passed_high_7,
            fall_7,
            minor_7,
            major_7,
            endgame_8,
            passed_8,
            fall_8,
            minor_8,
            major_8,
            endgame_9,
            fall_9,
            mover_9,
            phase_9,
            base_10,
            taper_10,
            rest_10,
            value_11
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

        // Stage 3: what is to be counted, from each side's own point of view.
        self.own_officers.straight.next = self.own_straight.val();
        self.own_officers.diagonal.next = self.own_diagonal.val();
        self.enemy_officers.straight.next = self.enemy_straight.val();
        self.enemy_officers.diagonal.next = self.enemy_diagonal.val();
        if self.thread_2.val().turn {
            self.white.rook_files.next = self.enemy_officers.rook_files.val();
            self.black.rook_files.next = self.own_officers.rook_files.val();
            self.white_pair.d.next = self.enemy_officers.pair.val();
            self.black_pair.d.next = self.own_officers.pair.val();
        } else {
            self.white.rook_files.next = self.own_officers.rook_files.val();
            self.black.rook_files.next = self.enemy_officers.rook_files.val();
            self.white_pair.d.next = self.own_officers.pair.val();
            self.black_pair.d.next = self.enemy_officers.pair.val();
        }
        self.white_mirrored.next = bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(56))
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(48)) << 8)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(40)) << 16)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(32)) << 24)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(24)) << 32)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(16)) << 40)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(8)) << 48)
            | (bit_cast::<64, 8>(self.white_pawns.val().get_bits::<8>(0)) << 56);
        self.black_mirrored.next = bit_cast::<64, 8>(self.black_pawns.val().get_bits::<8>(56))
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
        self.white.king.next = self.thread_2.val().white_king;
        self.black.clock.next = self.clock.val();
        self.black.pawns.next = self.black_mirrored.val();
        self.black.enemy_pawns.next = self.white_mirrored.val();
        self.black.king.next = self.thread_2.val().black_king ^ 56;

        // Stage 4: how many more White has.
        for k in 0..7 {
            self.differences[k].ours.next = self.white.files[k].val();
            self.differences[k].theirs.next = self.black.files[k].val();
            self.counts[k].d.next = self.differences[k].difference.val();
        }
        for k in 0..6 {
            self.up_to_two[k].ours.next = self.white.passed[k].val();
            self.up_to_two[k].theirs.next = self.black.passed[k].val();
            self.counts[k + 7].d.next = self.up_to_two[k].difference.val();
        }
        self.pair.next = 0.into();
        if self.white_pair.q.val() & !self.black_pair.q.val() {
            self.pair.next = 1.into();
        }
        if self.black_pair.q.val() & !self.white_pair.q.val() {
            self.pair.next = 0xff.into();
        }
        self.counts[13].d.next = signed_cast(self.pair.val());

        // Stage 5: products. The weights are in the order of the spec's terms.
        for k in 0..7 {
            self.products[k].weight.next = signed_cast(self.weights[k + 2].q.val());
        }
        for k in 0..6 {
            self.products[k + 7].weight.next = signed_cast(self.weights[k + 11].q.val());
        }
        self.products[13].weight.next = signed_cast(self.weights[1].q.val());
        for k in 0..14 {
            self.counts[k].clock.next = self.clock.val();
            self.products[k].count.next = self.counts[k].q.val();
            self.terms[k].clock.next = self.clock.val();
            self.terms[k].d.next = signed_bit_cast::<12, 16>(self.products[k].product.val());
        }

        // Stage 6: pairs of terms.
        self.pawns_6.d.next =
            signed_bit_cast::<13, 12>(self.terms[0].q.val()) + signed_bit_cast::<13, 12>(self.terms[1].q.val());
        self.rooks_6.d.next =
            signed_bit_cast::<13, 12>(self.terms[2].q.val()) + signed_bit_cast::<13, 12>(self.terms[3].q.val());
        self.shelter_6.d.next =
            signed_bit_cast::<13, 12>(self.terms[4].q.val()) + signed_bit_cast::<13, 12>(self.terms[5].q.val());
        self.bare_6.d.next = self.terms[6].q.val();
        self.passed_low_6.d.next =
            signed_bit_cast::<13, 12>(self.terms[7].q.val()) + signed_bit_cast::<13, 12>(self.terms[8].q.val());
        self.passed_mid_6.d.next =
            signed_bit_cast::<13, 12>(self.terms[9].q.val()) + signed_bit_cast::<13, 12>(self.terms[10].q.val());
        self.passed_high_6.d.next =
            signed_bit_cast::<13, 12>(self.terms[11].q.val()) + signed_bit_cast::<13, 12>(self.terms[12].q.val());
        self.pair_6.d.next = self.terms[13].q.val();

        // Stage 7: with placement. The fall is from middle game to endgame.
        self.structure_7.d.next =
            signed_bit_cast::<14, 13>(self.pawns_6.q.val()) + signed_bit_cast::<14, 13>(self.rooks_6.q.val());
        self.endgame_7.d.next = signed_cast(self.thread_6.val().eg) + signed_bit_cast::<16, 12>(self.pair_6.q.val());
        self.shelter_7.d.next = self.shelter_6.q.val() + signed_bit_cast::<13, 12>(self.bare_6.q.val());
        self.passed_7.d.next = self.passed_low_6.q.val() + self.passed_mid_6.q.val();
        self.passed_high_7.d.next = self.passed_high_6.q.val();
        self.fall_7.d.next = signed_bit_cast::<17, 16>(signed_cast(self.thread_6.val().mg))
            - signed_bit_cast::<17, 16>(signed_cast(self.thread_6.val().eg));
        self.minor_7.d.next = self.minor.val();
        self.major_7.d.next = self.major.val();

        // Stage 8, with mobility's products.
        self.endgame_8.d.next = self.endgame_7.q.val() + signed_bit_cast::<16, 14>(self.structure_7.q.val());
        self.passed_8.d.next = self.passed_7.q.val() + self.passed_high_7.q.val();
        self.fall_8.d.next = self.fall_7.q.val() + signed_bit_cast::<17, 13>(self.shelter_7.q.val());
        self.products[14].count.next = self.minor_7.q.val();
        self.products[14].weight.next = signed_cast(self.weights[9].q.val());
        self.products[15].count.next = self.major_7.q.val();
        self.products[15].weight.next = signed_cast(self.weights[10].q.val());
        self.minor_8.d.next = self.products[14].product.val();
        self.major_8.d.next = self.products[15].product.val();

        // Stage 9: half of the passed pawns count in the middle game, rounded down for the mover. So the fall loses the other
        // half: rounded up for White, and down for Black. Tempo and mobility are the mover's already.
        self.endgame_sum.next = self.endgame_8.q.val() + signed_bit_cast::<16, 13>(self.passed_8.q.val());
        self.endgame_9.d.next = unsigned_cast(self.endgame_sum.val());
        self.passed.next = unsigned_cast(self.passed_8.q.val());
        self.half.next = self.passed.val().get_bits::<12>(1);
        // The sign goes as far as the name of a signal does: both casts at once lose it in Verilog.
        self.half_signed.next = signed_bit_cast::<17, 12>(signed_cast(self.half.val()));
        self.half_wide.next = unsigned_cast(self.half_signed.val());
        self.rounds.next = self.thread_8.val().turn | !self.passed.val().get_bit(0);
        self.fall.next = unsigned_cast(self.fall_8.q.val());
        self.fall_sum.next = ((bit_cast::<18, 17>(self.fall.val()) << 1) | 1)
            + ((bit_cast::<18, 17>(!self.half_wide.val()) << 1) | bit_cast::<18, 1>(self.rounds.val().into()));
        self.fall_9.d.next = self.fall_sum.val().get_bits::<17>(1);
        self.tempo.next = signed_cast(self.weights[0].q.val());
        self.mover_sum.next = self.minor_8.q.val() + self.major_8.q.val() + signed_bit_cast::<16, 9>(self.tempo.val());
        self.mover_9.d.next = unsigned_cast(self.mover_sum.val());
        self.unclipped.next = self.thread_8.val().phase;
        self.phase_9.d.next = bit_cast::<6, 5>(self.unclipped.val().get_bits::<5>(0));
        if self.unclipped.val().get_bits::<3>(5).any() {
            self.phase_9.d.next = 32.into();
        }

        // Stage 10: the endgame for the mover, with its own terms; the taper. The sign of the fall is worth -65536 phases, and the
        // multiplier is slow: so the sign counts in what the taper is added to.
        self.white_view.next = self.endgame_9.q.val();
        if self.thread_9.val().turn {
            self.white_view.next = !self.endgame_9.q.val();
        }
        self.base_sum.next = ((bit_cast::<17, 16>(self.mover_9.q.val()) << 1) | 1)
            + ((bit_cast::<17, 16>(self.white_view.val()) << 1) | bit_cast::<17, 1>(self.thread_9.val().turn.into()));
        self.lift.next = 0.into();
        self.lift_carry.next = false;
        if self.fall_9.q.val().get_bit(16) {
            self.lift.next = self.phase_9.q.val().get_bits::<5>(0);
            if !self.thread_9.val().turn {
                self.lift.next = !self.phase_9.q.val().get_bits::<5>(0);
                self.lift_carry.next = true;
            }
        }
        self.base_high.next = ((bit_cast::<6, 5>(self.base_sum.val().get_bits::<5>(12)) << 1) | 1)
            + ((bit_cast::<6, 5>(self.lift.val()) << 1) | bit_cast::<6, 1>(self.lift_carry.val().into()));
        self.base_10.d.next = bit_cast::<16, 11>(self.base_sum.val().get_bits::<11>(1))
            | (bit_cast::<16, 5>(self.base_high.val().get_bits::<5>(1)) << 11);
        self.fall_low.next = self.fall_9.q.val().get_bits::<16>(0);
        self.wide_phase.next = bit_cast::<16, 6>(self.phase_9.q.val());
        self.product.next = self.fall_low.val() * self.wide_phase.val();
        self.taper_10.d.next = self.product.val().get_bits::<16>(5);
        self.rest_10.d.next = self.product.val().get_bits::<5>(0);

        // Stage 11: the value, rounded down for the mover.
        self.taper.next = self.taper_10.q.val();
        if self.thread_10.val().turn {
            self.taper.next = !self.taper_10.q.val();
        }
        self.value_sum.next = ((bit_cast::<17, 16>(self.base_10.q.val()) << 1) | 1)
            + ((bit_cast::<17, 16>(self.taper.val()) << 1)
                | bit_cast::<17, 1>((self.thread_10.val().turn & (self.rest_10.q.val() == 0)).into()));
        self.value_11.d.next = self.value_sum.val().get_bits::<16>(1);
        self.value.next = self.value_11.q.val();
    }
}
