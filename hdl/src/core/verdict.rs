//! Stages 9 to 12: the comparisons with the null window.

use bluebelle_spec::leaf::MATE;
use bluebelle_spec::leaf::pruning::{
    DELTA_DEPTH, DELTA_MARGIN, FUTILITY_DEPTH, FUTILITY_MARGIN, REVERSE_FUTILITY_MARGIN, WORTH,
};
use rust_hdl::prelude::*;

use super::thread::{Findings, Thread};

/// Whether a value reaches the bound of its ply, beta for the root's side, 1 minus beta for the other, or falls short of it by
/// so much that nothing the slot could begin is worth it.
///
/// While the value is still computed, the margins are chosen (stages 9 and 10) and added to the bound (stage 11), so that only
/// comparisons are left.
#[derive(LogicBlock)]
pub struct Verdict {
    pub clock: Signal<In, Clock>,
    // In, every cycle: the slot after stage 8, beta after stage 10, value and ply after stage 11
    pub thread: Signal<In, Thread>,
    pub findings: Signal<In, Findings>,
    pub beta: Signal<In, Bits<16>>,
    pub value: Signal<In, Bits<16>>,
    pub ply: Signal<In, Bits<5>>,
    // Out, after stage 12
    /// The value is at least the bound.
    pub value_holds: Signal<Out, Bit>,
    /// The node is entered, and its value is enough to reach the bound without a search.
    pub value_stands: Signal<Out, Bit>,
    /// The slot has looked for a victim, and the value is too low for the one found, or for quiet moves.
    pub value_fails: Signal<Out, Bit>,
    pub mate_holds: Signal<Out, Bit>,
    pub draw_holds: Signal<Out, Bit>,

    mated: Constant<Bits<16>>,
    sign: Constant<Bits<16>>,
    /// By depth.
    reverse: [Constant<Bits<16>>; 4],
    /// By class of the victim, then by depth. All below 0.
    delta: [Constant<Bits<16>>; 4],
    futile: [Constant<Bits<16>>; 4],

    // After stage 9: which margins
    stands_by: DFF<Bits<2>>,
    fails_by: DFF<Bits<2>>,
    fails_quiet: DFF<Bit>,
    may_stand: DFF<Bit>,
    may_fail: DFF<Bit>,
    odd: DFF<Bit>,
    // After stage 10: the margins
    surplus: DFF<Bits<16>>,
    shortfall: DFF<Bits<16>>,
    may_stand_10: DFF<Bit>,
    may_fail_10: DFF<Bit>,
    odd_10: DFF<Bit>,
    // After stage 11: the bounds. With the sign turned over, numbers compare as if they had none
    bound: DFF<Bits<16>>,
    stand_bound: DFF<Bits<16>>,
    fail_bound: DFF<Bits<16>>,
    may_stand_11: DFF<Bit>,
    may_fail_11: DFF<Bit>,
    // After stage 12
    value_state: DFF<Bit>,
    stand_state: DFF<Bit>,
    fail_state: DFF<Bit>,
    mate_state: DFF<Bit>,
    draw_state: DFF<Bit>,

    left: Signal<Local, Bits<5>>,
    near: Signal<Local, Bit>,
    above_leaf: Signal<Local, Bit>,
    at_leaf: Signal<Local, Bit>,
    deciding: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    prunes: Signal<Local, Bit>,
    code: Signal<Local, Bits<3>>,
    square: Signal<Local, Bits<6>>,
    worth: Signal<Local, Bits<2>>,
    node_ply: Signal<Local, Bits<5>>,
    odd_17: Signal<Local, Bits<17>>,
    flip: Signal<Local, Bits<16>>,
    base: Signal<Local, Bits<17>>,
    plain_sum: Signal<Local, Bits<17>>,
    stand_sum: Signal<Local, Bits<17>>,
    fail_sum: Signal<Local, Bits<17>>,
    biased_value: Signal<Local, Bits<16>>,
    biased_mate: Signal<Local, Bits<16>>,
}

/// How the kernel below counts: classes and the depth of futility in two bits, delta to depth 1, and margins whose lowest bit is free.
const _: () = {
    assert!(WORTH.len() == 4 && FUTILITY_DEPTH == 3 && DELTA_DEPTH == 1);
    assert!(REVERSE_FUTILITY_MARGIN % 2 == 0 && FUTILITY_MARGIN % 2 == 0 && DELTA_MARGIN % 2 == 0);
    let mut class = 0;
    while class < WORTH.len() {
        assert!(WORTH[class] % 2 == 0);
        class += 1;
    }
};

fn constant(number: i32) -> Constant<Bits<16>> {
    Constant::new(u64::from(number as u16).into())
}

impl Default for Verdict {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            thread: Default::default(),
            findings: Default::default(),
            beta: Default::default(),
            value: Default::default(),
            ply: Default::default(),
            value_holds: Default::default(),
            value_stands: Default::default(),
            value_fails: Default::default(),
            mate_holds: Default::default(),
            draw_holds: Default::default(),
            mated: constant(-i32::from(MATE)),
            sign: constant(0x8000),
            reverse: std::array::from_fn(|depth| constant(REVERSE_FUTILITY_MARGIN * depth as i32)),
            delta: std::array::from_fn(|class| constant(-(WORTH[class] + DELTA_MARGIN))),
            futile: std::array::from_fn(|depth| constant(-FUTILITY_MARGIN * depth as i32)),
            stands_by: Default::default(),
            fails_by: Default::default(),
            fails_quiet: Default::default(),
            may_stand: Default::default(),
            may_fail: Default::default(),
            odd: Default::default(),
            surplus: Default::default(),
            shortfall: Default::default(),
            may_stand_10: Default::default(),
            may_fail_10: Default::default(),
            odd_10: Default::default(),
            bound: Default::default(),
            stand_bound: Default::default(),
            fail_bound: Default::default(),
            may_stand_11: Default::default(),
            may_fail_11: Default::default(),
            value_state: Default::default(),
            stand_state: Default::default(),
            fail_state: Default::default(),
            mate_state: Default::default(),
            draw_state: Default::default(),
            left: Default::default(),
            near: Default::default(),
            above_leaf: Default::default(),
            at_leaf: Default::default(),
            deciding: Default::default(),
            full: Default::default(),
            prunes: Default::default(),
            code: Default::default(),
            square: Default::default(),
            worth: Default::default(),
            node_ply: Default::default(),
            odd_17: Default::default(),
            flip: Default::default(),
            base: Default::default(),
            plain_sum: Default::default(),
            stand_sum: Default::default(),
            fail_sum: Default::default(),
            biased_value: Default::default(),
            biased_mate: Default::default(),
        }
    }
}

impl Logic for Verdict {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            stands_by,
            fails_by,
            fails_quiet,
            may_stand,
            may_fail,
            odd,
            surplus,
            shortfall,
            may_stand_10,
            may_fail_10,
            odd_10,
            bound,
            stand_bound,
            fail_bound,
            may_stand_11,
            may_fail_11,
            value_state,
            stand_state,
            fail_state,
            mate_state,
            draw_state
        );

        // Stage 9. Which rules apply, as in the golden search.
        self.left.next = self.thread.val().depth - self.thread.val().ply;
        self.at_leaf.next = self.thread.val().ply == self.thread.val().depth;
        self.above_leaf.next = self.thread.val().ply < self.thread.val().depth;
        self.deciding.next = self.thread.val().active & !self.thread.val().hop & !self.thread.val().load;
        self.full.next = self.thread.val().full;
        if self.thread.val().enter {
            self.full.next = self.above_leaf.val() | (self.at_leaf.val() & self.findings.val().in_check);
        }
        self.near.next = !self.left.val().get_bits::<3>(2).any();
        self.prunes.next = self.thread.val().pruning & self.above_leaf.val() & !self.findings.val().in_check;
        self.stands_by.d.next = 0.into();
        if self.above_leaf.val() {
            self.stands_by.d.next = self.left.val().get_bits::<2>(0);
        }
        self.may_stand.d.next = self.deciding.val()
            & self.thread.val().enter
            & !self.thread.val().perft
            & (!self.full.val() | (self.prunes.val() & self.near.val() & (self.thread.val().ply != 0)));

        // From the queen down: 0 queen or promotion, 1 rook, 2 bishop or knight, 3 pawn or en passant.
        self.code.next = self.findings.val().code;
        self.square.next = self.findings.val().square;
        self.worth.next = 0.into();
        if (self.code.val() == 1)
            | ((self.code.val() == 0)
                & (self.square.val().get_bits::<3>(3) != 0)
                & (self.square.val().get_bits::<3>(3) != 7))
        {
            self.worth.next = 3.into();
        }
        if self.code.val() == 6 {
            self.worth.next = 1.into();
        }
        if (self.code.val() == 5) | (self.code.val() == 2) {
            self.worth.next = 2.into();
        }
        self.fails_by.d.next = self.worth.val();
        self.fails_quiet.d.next = !self.findings.val().found;
        if !self.findings.val().found {
            self.fails_by.d.next = self.left.val().get_bits::<2>(0);
        }
        self.may_fail.d.next = self.deciding.val()
            & self.thread.val().pruning
            & self.thread.val().victim
            & ((self.full.val() & self.prunes.val() & (self.left.val() == 1))
                | (self.full.val() & self.prunes.val() & self.near.val() & !self.findings.val().found)
                | (!self.full.val() & self.findings.val().found));
        self.node_ply.next = self.thread.val().ply;
        self.odd.d.next = self.node_ply.val().get_bit(0);

        // Stage 10. The margins.
        self.surplus.d.next = self.reverse[0].val();
        self.shortfall.d.next = self.delta[0].val();
        for k in 1..4 {
            if self.stands_by.q.val() == k.to_bits() {
                self.surplus.d.next = self.reverse[k].val();
            }
        }
        for k in 1..4 {
            if self.fails_by.q.val() == k.to_bits() {
                self.shortfall.d.next = self.delta[k].val();
            }
        }
        if self.fails_quiet.q.val() {
            self.shortfall.d.next = self.futile[0].val();
            for k in 1..4 {
                if self.fails_by.q.val() == k.to_bits() {
                    self.shortfall.d.next = self.futile[k].val();
                }
            }
        }
        self.may_stand_10.d.next = self.may_stand.q.val();
        self.may_fail_10.d.next = self.may_fail.q.val();
        self.odd_10.d.next = self.odd.q.val();

        // Stage 11. The bounds: 1 - beta is !beta + 2. One of the 2 is the lowest bit of the margin, which is 0; the other
        // comes as a carry from a bit below.
        self.odd_17.next = 0.into();
        self.flip.next = self.sign.val();
        if self.odd_10.q.val() {
            self.odd_17.next = 3.into();
            self.flip.next = !self.sign.val();
        }
        self.base.next = (bit_cast::<17, 16>(self.beta.val() ^ self.flip.val()) << 1) | (self.odd_17.val() & 1);
        self.plain_sum.next = self.base.val() + self.odd_17.val();
        self.stand_sum.next = self.base.val() + ((bit_cast::<17, 16>(self.surplus.q.val()) << 1) | self.odd_17.val());
        self.fail_sum.next = self.base.val() + ((bit_cast::<17, 16>(self.shortfall.q.val()) << 1) | self.odd_17.val());
        self.bound.d.next = self.plain_sum.val().get_bits::<16>(1);
        self.stand_bound.d.next = self.stand_sum.val().get_bits::<16>(1);
        self.fail_bound.d.next = self.fail_sum.val().get_bits::<16>(1);
        self.may_stand_11.d.next = self.may_stand_10.q.val();
        self.may_fail_11.d.next = self.may_fail_10.q.val();

        // Stage 12. The comparisons.
        self.biased_value.next = self.value.val() ^ self.sign.val();
        self.biased_mate.next = (self.mated.val() + bit_cast::<16, 5>(self.ply.val())) ^ self.sign.val();
        self.value_state.d.next = self.biased_value.val() >= self.bound.q.val();
        self.stand_state.d.next = self.biased_value.val() >= self.stand_bound.q.val();
        self.fail_state.d.next = self.biased_value.val() < self.fail_bound.q.val();
        // On their own, so that they become the resets of the registers and take no LUT behind the comparisons.
        if !self.may_stand_11.q.val() {
            self.stand_state.d.next = false;
        }
        if !self.may_fail_11.q.val() {
            self.fail_state.d.next = false;
        }
        self.mate_state.d.next = self.biased_mate.val() >= self.bound.q.val();
        self.draw_state.d.next = self.sign.val() >= self.bound.q.val();
        self.value_holds.next = self.value_state.q.val();
        self.value_stands.next = self.stand_state.q.val();
        self.value_fails.next = self.fail_state.q.val();
        self.mate_holds.next = self.mate_state.q.val();
        self.draw_holds.next = self.draw_state.q.val();
    }
}
