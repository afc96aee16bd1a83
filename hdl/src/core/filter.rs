//! Stage 5, first half: which candidates are still to be tried. Combinational.

use rust_hdl::prelude::*;

use super::masks::Masks;

/// Keeps the candidates that may move as they must, and that come after the last one tried.
#[derive(LogicBlock, Default)]
pub struct Filter {
    // Candidates in
    pub candidates: Signal<In, Bits<64>>,
    pub must_shield: Signal<In, Bit>,
    pub shields: Signal<In, Bits<64>>,
    pub class_high: Signal<In, Bits<64>>,
    pub class_low: Signal<In, Bits<64>>,
    // What was tried in
    pub tried_class: Signal<In, Bits<2>>,
    pub after_move: Signal<In, Bits<64>>,
    // Candidates left out
    pub left: Signal<Out, Bits<64>>,

    masks: Masks,
    allowed: Signal<Local, Bits<64>>,
    later: Signal<Local, Bits<64>>,
    same: Signal<Local, Bits<64>>,
}

impl Logic for Filter {
    #[hdl_gen]
    fn update(&mut self) {
        self.allowed.next = self.masks.all.val();
        if self.must_shield.val() {
            self.allowed.next = self.shields.val();
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
        self.left.next =
            self.candidates.val() & self.allowed.val() & (self.later.val() | (self.same.val() & self.after_move.val()));
    }
}
