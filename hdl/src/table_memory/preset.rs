use rust_hdl::prelude::*;

/// A register that wakes up with another value than zero, and whose output is the flip-flops
/// themselves: a pin of the SDRAM must be high before the first clock edge, and follow that edge
/// without logic in between.
#[derive(LogicBlock)]
pub struct Preset<T: Synth> {
    /// The clock.
    pub clock: Signal<In, Clock>,
    /// The next value.
    pub d: Signal<In, T>,
    /// The value.
    pub q: Signal<Out, T>,

    _value: T,
}

impl<T: Synth> Preset<T> {
    /// A register with its first value.
    pub fn new(first: T) -> Preset<T> {
        Preset {
            clock: Signal::default(),
            d: Signal::default(),
            q: Signal::default(),
            _value: first,
        }
    }
}

impl<T: Synth> Logic for Preset<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self._value = self.d.val();
        }
        self.q.next = self._value;
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "initial q = {};\nalways @(posedge clock) q <= d;\n",
            self._value.verilog()
        ))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "preset".into(),
            clock: "clock".into(),
            inputs: vec!["d".into()],
            outputs: vec!["q".into()],
        }]
    }
}
