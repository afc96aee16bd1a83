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
