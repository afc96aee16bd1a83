//! Products of a count and its weight. Combinational.

use rust_hdl::prelude::*;

/// A count times a weight, in a multiplier block where the device has one.
#[derive(LogicBlock, Default)]
pub struct Product {
    pub count: Signal<In, Signed<8>>,
    pub weight: Signal<In, Signed<9>>,
    pub product: Signal<Out, Signed<16>>,
    wide_count: Signal<Local, Signed<16>>,
    wide_weight: Signal<Local, Signed<16>>,
    wide_product: Signal<Local, Signed<32>>,
}

impl Logic for Product {
    #[hdl_gen]
    fn update(&mut self) {
        // rust-hdl multiplies 16 bits by 16; Yosys takes the copies of the sign away again.
        self.wide_count.next = signed_bit_cast::<16, 8>(self.count.val());
        self.wide_weight.next = signed_bit_cast::<16, 9>(self.weight.val());
        self.wide_product.next = self.wide_count.val() * self.wide_weight.val();
        self.product.next = signed_bit_cast::<16, 32>(self.wide_product.val());
    }
}

/// A weight times a number from -2 to 2, but for the 1 that a complement lacks of the negative.
#[derive(LogicBlock, Default)]
pub struct Double {
    pub once: Signal<In, Bit>,
    pub twice: Signal<In, Bit>,
    pub negative: Signal<In, Bit>,
    pub weight: Signal<In, Bits<9>>,
    pub product: Signal<Out, Bits<10>>,
    single: Signal<Local, Bits<10>>,
    chosen: Signal<Local, Bits<10>>,
    complement: Signal<Local, Bits<10>>,
}

impl Logic for Double {
    #[hdl_gen]
    fn update(&mut self) {
        self.single.next = bit_cast::<10, 9>(self.weight.val());
        if self.weight.val().get_bit(8) {
            self.single.next = bit_cast::<10, 9>(self.weight.val()) | 0x200;
        }
        self.chosen.next = 0.into();
        if self.once.val() {
            self.chosen.next = self.single.val();
        }
        if self.twice.val() {
            self.chosen.next = self.single.val() << 1;
        }
        self.complement.next = 0.into();
        if self.negative.val() {
            self.complement.next = 0x3ff.into();
        }
        self.product.next = self.chosen.val() ^ self.complement.val();
    }
}
