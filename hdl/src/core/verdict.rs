//! Stage 12: the comparisons with the null window.

use rust_hdl::prelude::*;

/// Whether a value reaches the bound of its ply: beta for the root's side, 1 minus beta for the other.
#[derive(LogicBlock)]
pub struct Verdict {
    pub clock: Signal<In, Clock>,
    // In, every cycle
    pub value: Signal<In, Bits<16>>,
    pub beta: Signal<In, Bits<16>>,
    pub ply: Signal<In, Bits<5>>,
    // Out, a cycle later
    pub value_holds: Signal<Out, Bit>,
    pub mate_holds: Signal<Out, Bit>,
    pub draw_holds: Signal<Out, Bit>,

    mated: Constant<Bits<16>>,
    one: Constant<Bits<16>>,
    sign: Constant<Bits<16>>,
    value_state: DFF<Bit>,
    mate_state: DFF<Bit>,
    draw_state: DFF<Bit>,
    bound: Signal<Local, Bits<16>>,
    mate: Signal<Local, Bits<16>>,
    biased_bound: Signal<Local, Bits<16>>,
    biased_value: Signal<Local, Bits<16>>,
    biased_mate: Signal<Local, Bits<16>>,
}

impl Default for Verdict {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            value: Default::default(),
            beta: Default::default(),
            ply: Default::default(),
            value_holds: Default::default(),
            mate_holds: Default::default(),
            draw_holds: Default::default(),
            mated: Constant::new(u64::from((-bluebelle_spec::leaf::MATE) as u16).into()),
            one: Constant::new(1.into()),
            sign: Constant::new(0x8000.into()),
            value_state: Default::default(),
            mate_state: Default::default(),
            draw_state: Default::default(),
            bound: Default::default(),
            mate: Default::default(),
            biased_bound: Default::default(),
            biased_value: Default::default(),
            biased_mate: Default::default(),
        }
    }
}

impl Logic for Verdict {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, value_state, mate_state, draw_state);
        self.bound.next = self.beta.val();
        if self.ply.val().get_bit(0) {
            self.bound.next = self.one.val() - self.beta.val();
        }
        self.mate.next = self.mated.val() + bit_cast::<16, 5>(self.ply.val());
        // With the sign turned over, numbers compare as if they had none.
        self.biased_bound.next = self.bound.val() ^ self.sign.val();
        self.biased_value.next = self.value.val() ^ self.sign.val();
        self.biased_mate.next = self.mate.val() ^ self.sign.val();
        self.value_state.d.next = self.biased_value.val() >= self.biased_bound.val();
        self.mate_state.d.next = self.biased_mate.val() >= self.biased_bound.val();
        self.draw_state.d.next = self.sign.val() >= self.biased_bound.val();
        self.value_holds.next = self.value_state.q.val();
        self.mate_holds.next = self.mate_state.q.val();
        self.draw_holds.next = self.draw_state.q.val();
    }
}
