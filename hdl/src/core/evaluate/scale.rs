//! Small products, as a sum of shifted weights: no multiplier block, and so no long way to one. Combinational. Numbers are
//! in two's complement; 14 bits hold every product and every sum of them.

use rust_hdl::prelude::*;

/// A difference from -4 to 3.
#[derive(LogicBlock, Default)]
pub struct Scale3 {
    pub difference: Signal<In, Bits<3>>,
    pub weight: Signal<In, Bits<14>>,
    pub product: Signal<Out, Bits<14>>,
    parts: [Signal<Local, Bits<14>>; 3],
}

impl Logic for Scale3 {
    #[hdl_gen]
    fn update(&mut self) {
        self.parts[0].next = 0.into();
        if self.difference.val().get_bit(0) {
            self.parts[0].next = self.weight.val();
        }
        self.parts[1].next = 0.into();
        if self.difference.val().get_bit(1) {
            self.parts[1].next = self.weight.val() << 1;
        }
        self.parts[2].next = 0.into();
        if self.difference.val().get_bit(2) {
            self.parts[2].next = self.weight.val() << 2;
        }
        self.product.next = (self.parts[0].val() + self.parts[1].val()) - self.parts[2].val();
    }
}

/// A difference from -16 to 15.
#[derive(LogicBlock, Default)]
pub struct Scale5 {
    pub difference: Signal<In, Bits<5>>,
    pub weight: Signal<In, Bits<14>>,
    pub product: Signal<Out, Bits<14>>,
    parts: [Signal<Local, Bits<14>>; 5],
}

impl Logic for Scale5 {
    #[hdl_gen]
    fn update(&mut self) {
        self.parts[0].next = 0.into();
        if self.difference.val().get_bit(0) {
            self.parts[0].next = self.weight.val();
        }
        self.parts[1].next = 0.into();
        if self.difference.val().get_bit(1) {
            self.parts[1].next = self.weight.val() << 1;
        }
        self.parts[2].next = 0.into();
        if self.difference.val().get_bit(2) {
            self.parts[2].next = self.weight.val() << 2;
        }
        self.parts[3].next = 0.into();
        if self.difference.val().get_bit(3) {
            self.parts[3].next = self.weight.val() << 3;
        }
        self.parts[4].next = 0.into();
        if self.difference.val().get_bit(4) {
            self.parts[4].next = self.weight.val() << 4;
        }
        self.product.next = ((self.parts[0].val() + self.parts[1].val()) + (self.parts[2].val() + self.parts[3].val()))
            - self.parts[4].val();
    }
}

/// A difference from -128 to 127.
#[derive(LogicBlock, Default)]
pub struct Scale8 {
    pub difference: Signal<In, Bits<8>>,
    pub weight: Signal<In, Bits<14>>,
    pub product: Signal<Out, Bits<14>>,
    parts: [Signal<Local, Bits<14>>; 8],
}

impl Logic for Scale8 {
    #[hdl_gen]
    fn update(&mut self) {
        self.parts[0].next = 0.into();
        if self.difference.val().get_bit(0) {
            self.parts[0].next = self.weight.val();
        }
        self.parts[1].next = 0.into();
        if self.difference.val().get_bit(1) {
            self.parts[1].next = self.weight.val() << 1;
        }
        self.parts[2].next = 0.into();
        if self.difference.val().get_bit(2) {
            self.parts[2].next = self.weight.val() << 2;
        }
        self.parts[3].next = 0.into();
        if self.difference.val().get_bit(3) {
            self.parts[3].next = self.weight.val() << 3;
        }
        self.parts[4].next = 0.into();
        if self.difference.val().get_bit(4) {
            self.parts[4].next = self.weight.val() << 4;
        }
        self.parts[5].next = 0.into();
        if self.difference.val().get_bit(5) {
            self.parts[5].next = self.weight.val() << 5;
        }
        self.parts[6].next = 0.into();
        if self.difference.val().get_bit(6) {
            self.parts[6].next = self.weight.val() << 6;
        }
        self.parts[7].next = 0.into();
        if self.difference.val().get_bit(7) {
            self.parts[7].next = self.weight.val() << 7;
        }
        self.product.next = ((self.parts[0].val() + self.parts[1].val()) + (self.parts[2].val() + self.parts[3].val()))
            + ((self.parts[4].val() + self.parts[5].val()) + (self.parts[6].val() - self.parts[7].val()));
    }
}
