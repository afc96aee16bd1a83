use std::collections::BTreeMap;

use rust_hdl::prelude::*;

/// A block RAM with one port to write and one to read, both with the same clock.
///
/// It differs from rust-hdl's `RAM` in two attributes for the synthesis: it is always block RAM, and nobody may look at a word
/// that is read in the very cycle in which it is written. With `RAM`, Yosys builds a bypass around the block for that case: a
/// comparator, two registers and a multiplexer for every bit.
#[derive(LogicBlock, Default)]
pub struct Memory<D: Synth, const N: usize> {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Read: the word at `read_address`, one cycle later.
    /// Which word.
    pub read_address: Signal<In, Bits<N>>,
    /// The word.
    pub read_data: Signal<Out, D>,

    // Write: one word in every cycle with `write_enable`.
    /// There is a word.
    pub write_enable: Signal<In, Bit>,
    /// Where it goes.
    pub write_address: Signal<In, Bits<N>>,
    /// The word.
    pub write_data: Signal<In, D>,

    _words: BTreeMap<Bits<N>, D>,
}

impl<D: Synth, const N: usize> Memory<D, N> {
    /// A memory that wakes up with these words, from address 0.
    pub fn with(words: impl IntoIterator<Item = D>) -> Memory<D, N> {
        Memory {
            _words: (0u64..).map(Bits::from).zip(words).collect(),
            ..Memory::default()
        }
    }
}

impl<D: Synth, const N: usize> Logic for Memory<D, N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = self._words.get(&self.read_address.val()).copied().unwrap_or_default();
            if self.write_enable.val() {
                self._words.insert(self.write_address.val(), self.write_data.val());
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let first_words: String = self
            ._words
            .iter()
            .map(|(address, word)| format!("    mem[{}] = {};\n", address.verilog(), word.verilog()))
            .collect();
        let initial = match first_words.as_str() {
            "" => String::new(),
            words => format!("initial begin\n{words}end\n"),
        };
        Verilog::Custom(format!(
            "\
(* ram_style = \"block\", no_rw_check *) reg [{width}:0] mem [{last}:0];

{initial}
always @(posedge clock) begin
    read_data <= mem[read_address];
    if (write_enable) mem[write_address] <= write_data;
end
",
            width = D::BITS - 1,
            last = (1 << N) - 1,
        ))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "memory".into(),
            clock: "clock".into(),
            inputs: ["read_address", "write_enable", "write_address", "write_data"]
                .map(String::from)
                .to_vec(),
            outputs: vec!["read_data".into()],
        }]
    }
}
