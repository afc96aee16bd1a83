use rust_hdl::prelude::*;
use std::collections::BTreeMap;

/// 16 words in LUTs, read without a clock: the word at `read_address` is there in the same cycle.
///
/// [`crate::queue::Memory`] is the same in block RAM, of which a chip with six cores has few left,
/// and answers a cycle later.
#[derive(LogicBlock, Default)]
pub struct LutMemory<D: Synth> {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Read: at any time.
    /// Which word.
    pub read_address: Signal<In, Bits<4>>,
    /// The word.
    pub read_data: Signal<Out, D>,

    // Write: one word in every cycle with `write_enable`.
    /// There is a word.
    pub write_enable: Signal<In, Bit>,
    /// Where it goes.
    pub write_address: Signal<In, Bits<4>>,
    /// The word.
    pub write_data: Signal<In, D>,

    _words: BTreeMap<Bits<4>, D>,
}

impl<D: Synth> Logic for LutMemory<D> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            self._words.insert(self.write_address.val(), self.write_data.val());
        }
        let word = self._words.get(&self.read_address.val());
        self.read_data.next = word.copied().unwrap_or_default();
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
(* ram_style = \"distributed\" *) reg [{high}:0] mem [15:0];

always @(posedge clock) if (write_enable) mem[write_address] <= write_data;
always @(*) read_data = mem[read_address];
",
            high = D::BITS - 1,
        ))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "lut_memory".into(),
            clock: "clock".into(),
            inputs: ["write_enable", "write_address", "write_data"]
                .map(String::from)
                .to_vec(),
            outputs: vec![],
        }]
    }
}
