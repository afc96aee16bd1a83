//! Stage 5, first half: which candidates are still to be tried. Combinational.

use rust_hdl::prelude::*;

use super::masks::Masks;

/// Keeps the candidates that parry a check and that come after the last one tried.
#[derive(LogicBlock, Default)]
pub struct Filter {
    // Candidates in
    pub candidates: Signal<In, Bits<64>>,
    pub parrying: Signal<In, Bits<64>>,
    pub parries: Signal<In, Bits<64>>,
    pub in_check: Signal<In, Bit>,
    pub class_high: Signal<In, Bits<64>>,
    pub class_low: Signal<In, Bits<64>>,
    // What was tried in
    pub fresh: Signal<In, Bit>,
    pub tried_class: Signal<In, Bits<2>>,
    pub after_move: Signal<In, Bits<64>>,
    // Candidates left out
    pub left: Signal<Out, Bits<64>>,

    masks: Masks,
    parried: Signal<Local, Bits<64>>,
    later: Signal<Local, Bits<64>>,
    same: Signal<Local, Bits<64>>,
}

impl Logic for Filter {
    #[hdl_gen]
    fn update(&mut self) {
        self.parried.next = self.candidates.val() | self.parrying.val();
        if self.in_check.val() {
            self.parried.next = self.candidates.val() | (self.parrying.val() & self.parries.val());
        }
        self.later.next = self.class_high.val() | self.class_low.val();
        self.same.next = !self.class_high.val() & !self.class_low.val();
        if self.tried_class.val() == 1 {
            self.later.next = self.class_high.val();
            self.same.next = !self.class_high.val() & self.class_low.val();
        }
        if self.tried_class.val() == 2 {
            self.later.next = self.class_high.val() & self.class_low.val();
            self.same.next = self.class_high.val() & !self.class_low.val();
        }
        if self.tried_class.val() == 3 {
            self.later.next = 0.into();
            self.same.next = self.class_high.val() & self.class_low.val();
        }
        self.left.next = self.parried.val() & (self.later.val() | (self.same.val() & self.after_move.val()));
        if self.fresh.val() {
            self.left.next = self.parried.val();
        }
    }
}
