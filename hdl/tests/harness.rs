//! The harness finds what it is there to find.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bluebelle_hdl::harness::{Bench, Cosim, Divergence, Simulator, synthesis_check, synthesis_problems};
use rust_hdl::prelude::*;

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Phase {
    Rest,
    Up,
    Down,
}

#[derive(Copy, Clone, PartialEq, Default, Debug, LogicStruct)]
struct Pair {
    low: Bits<5>,
    high: Bits<90>,
}

#[derive(LogicInterface, Default)]
struct Bus {
    pub valid: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
}

/// One port of every sort, and registers.
#[derive(LogicBlock, Default)]
struct Counter {
    pub clock: Signal<In, Clock>,
    pub bus: Bus,
    pub pair: Signal<In, Pair>,
    pub offset: Signal<In, Signed<7>>,
    pub count: Signal<Out, Bits<8>>,
    pub phase: Signal<Out, Phase>,
    pub echo: Signal<Out, Pair>,
    pub moved: Signal<Out, Signed<7>>,
    state: DFF<Bits<8>>,
    phase_state: DFF<Phase>,
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, phase_state);
        match self.phase_state.q.val() {
            Phase::Rest => {
                if self.bus.valid.val() {
                    self.phase_state.d.next = Phase::Up;
                }
            }
            Phase::Up => {
                self.state.d.next = self.state.q.val() + 1;
                if !self.bus.valid.val() {
                    self.phase_state.d.next = Phase::Down;
                }
            }
            Phase::Down => {
                self.state.d.next = self.state.q.val() - 1;
                self.phase_state.d.next = Phase::Rest;
            }
            _ => {
                self.phase_state.d.next = Phase::Rest;
            }
        }
        self.bus.ready.next = self.phase_state.q.val() == Phase::Rest;
        self.count.next = self.state.q.val();
        self.phase.next = self.phase_state.q.val();
        self.echo.next = self.pair.val();
        self.moved.next = self.offset.val() + self.offset.val();
    }
}

/// `a & b == c` is `(a & b) == c` in Rust, and `a & (b == c)` in Verilog.
#[derive(LogicBlock, Default)]
struct Unparenthesised {
    pub a: Signal<In, Bits<2>>,
    pub b: Signal<In, Bits<2>>,
    pub c: Signal<In, Bits<2>>,
    pub same: Signal<Out, Bit>,
}

impl Logic for Unparenthesised {
    #[hdl_gen]
    fn update(&mut self) {
        self.same.next = self.a.val() & self.b.val() == self.c.val();
    }
}

/// Shows what its RAM holds.
#[derive(LogicBlock, Default)]
struct Memory {
    pub clock: Signal<In, Clock>,
    pub address: Signal<In, Bits<2>>,
    pub write: Signal<In, Bit>,
    pub data: Signal<In, Bits<4>>,
    pub read: Signal<Out, Bits<4>>,
    ram: RAM<Bits<4>, 2>,
}

impl Logic for Memory {
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.read_clock.next = self.clock.val();
        self.ram.write_clock.next = self.clock.val();
        self.ram.read_address.next = self.address.val();
        self.ram.write_address.next = self.address.val();
        self.ram.write_data.next = self.data.val();
        self.ram.write_enable.next = self.write.val();
        self.read.next = self.ram.read_data.val();
    }
}

/// Its output hangs on no input.
#[derive(LogicBlock, Default)]
struct Tied {
    pub clock: Signal<In, Clock>,
    pub high: Signal<Out, Bits<3>>,
}

impl Logic for Tied {
    #[hdl_gen]
    fn update(&mut self) {
        self.high.next = 5.into();
    }
}

/// `held` keeps its value while `enable` is low.
#[derive(LogicBlock, Default)]
struct Latch {
    pub enable: Signal<In, Bit>,
    pub value: Signal<In, Bits<4>>,
    pub held: Signal<Out, Bits<4>>,
}

impl Logic for Latch {
    #[hdl_gen]
    fn update(&mut self) {
        if self.enable.val() {
            self.held.next = self.value.val();
        }
    }
}

/// Two inverters in a ring of one.
#[derive(LogicBlock, Default)]
struct Ring {
    pub enable: Signal<In, Bit>,
    pub level: Signal<Out, Bit>,
    inner: Inverter,
}

#[derive(LogicBlock, Default)]
struct Inverter {
    pub level: Signal<In, Bit>,
    pub inverse: Signal<Out, Bit>,
}

impl Logic for Inverter {
    #[hdl_gen]
    fn update(&mut self) {
        self.inverse.next = !self.level.val();
    }
}

impl Logic for Ring {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.level.next = self.inner.inverse.val() & self.enable.val();
        self.level.next = self.inner.inverse.val();
    }
}

fn run_counter(mut cosim: Cosim<Counter>, simulator: Simulator) {
    let mut seed = 1_u64;
    for _ in 0..500 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        cosim.cycle(|uut| {
            uut.bus.valid.next = seed >> 62 != 0;
            uut.pair.next.low = ((seed >> 40) & 31).into();
            uut.pair.next.high = (u128::from(seed) << 20).to_bits();
            uut.offset.next = (((seed >> 30) & 63) as i64 - 32).to_signed_bits();
        });
    }
    assert!(cosim.uut.count.val() != 0);
    assert_eq!(cosim.cycles(), 500);
    cosim.finish_with(simulator);
}

fn message_of(run: impl FnOnce()) -> String {
    let error = catch_unwind(AssertUnwindSafe(run)).expect_err("it should panic");
    error.downcast_ref::<String>().expect("a panic with a message").clone()
}

#[test]
fn a_right_block_agrees_in_icarus() {
    run_counter(Cosim::new(Counter::default(), |uut| &mut uut.clock), Simulator::Icarus);
}

#[test]
fn a_right_block_agrees_in_verilator() {
    run_counter(
        Cosim::new(Counter::default(), |uut| &mut uut.clock),
        Simulator::Verilator,
    );
}

#[test]
fn a_missing_parenthesis_is_found() {
    let mut cosim = Cosim::combinational(Unparenthesised::default());
    for (a, b, c) in [(0, 0, 1), (3, 1, 1), (1, 2, 0)] {
        cosim.cycle(|uut| {
            uut.a.next = a.into();
            uut.b.next = b.into();
            uut.c.next = c.into();
        });
    }
    let divergence = cosim.compare(Simulator::Icarus).expect_err("they differ");
    let message = divergence.to_string();
    let expected = "in cycle 2, same is 1 in Rust and 0 in Verilog (inputs, in hex: a 1, b 2, c 0); see ";
    assert!(message.starts_with(expected), "{message}");
    fs::remove_dir_all(divergence.files).expect("the files are kept");
}

#[test]
fn a_divergence_panics_with_its_block_and_port() {
    let message = message_of(|| {
        let mut cosim = Cosim::combinational(Unparenthesised::default());
        cosim.tick();
        cosim.cycle(|uut| uut.a.next = 1.into());
        cosim.finish();
    });
    assert!(
        message.starts_with("Unparenthesised: in cycle 0, same is 1"),
        "{message}"
    );
}

#[test]
fn constant_outputs_agree() {
    let mut cosim = Cosim::new(Tied::default(), |uut| &mut uut.clock);
    for _ in 0..3 {
        cosim.tick();
    }
    cosim.finish_with(Simulator::Icarus);
}

/// Writes 1 to 3 into the places 0 to 2, and reads all four.
fn run_memory(mut cosim: Cosim<Memory>) -> Result<(), Box<Divergence>> {
    for (address, write) in [
        (0, true),
        (1, true),
        (2, true),
        (0, false),
        (1, false),
        (2, false),
        (3, false),
        (0, false),
    ] {
        cosim.cycle(|uut| {
            uut.address.next = address.into();
            uut.data.next = (address + 1).into();
            uut.write.next = write;
        });
    }
    cosim.compare(Simulator::Icarus)
}

#[test]
fn an_undefined_output_is_found_once_it_was_defined() {
    let memory = || Cosim::new(Memory::default(), |uut| &mut uut.clock);
    let divergence = run_memory(memory()).expect_err("place 3 was never written");
    assert_eq!((divergence.cycle, divergence.verilog.as_str()), (7, "x"));
    fs::remove_dir_all(divergence.files).expect("the files are kept");
    assert_eq!(run_memory(memory().allow_undefined()), Ok(()));
}

#[test]
fn a_right_block_synthesises() {
    synthesis_check(&Bench::new(Counter::default(), |uut| &mut uut.clock).uut);
}

#[test]
fn a_latch_is_found() {
    let message = message_of(|| synthesis_check(&Bench::combinational(Latch::default()).uut));
    assert!(message.contains("Latch") && message.contains("held"), "{message}");
}

#[test]
fn a_loop_is_found() {
    let message = message_of(|| {
        let mut bench = Bench::combinational(Ring::default());
        bench.cycle(|uut| uut.enable.next = true);
    });
    assert!(
        message.starts_with("Ring does not settle in cycle 0: after 100 passes these still change:"),
        "{message}"
    );
    assert!(message.contains("inner$level"), "{message}");
}

#[test]
fn wrong_verilog_is_found() {
    for (verilog, expected) in [
        ("module top(output y); assign y = undeclared; endmodule", "undeclared"),
        (
            "module top(output y); wire nobody; assign y = nobody; endmodule",
            "no driver",
        ),
        (
            "module top(input a, b, output y); assign y = a; assign y = b; endmodule",
            "driver",
        ),
        (
            "module top(input a, output y); wire w = y ^ a; assign y = w; endmodule",
            "loop",
        ),
        (
            "module top(input a, output y); missing part(a, y); endmodule",
            "missing",
        ),
        (
            "module top(input a, output reg y); always @(*) if (a) y = a; endmodule",
            "Latch",
        ),
    ] {
        let problems = synthesis_problems(verilog).join("\n");
        assert!(problems.contains(expected), "{verilog}\n{problems}");
    }
}

#[test]
fn a_word_that_ripples_through_itself_is_no_loop() {
    let verilog =
        "module top(input [3:0] a, output [3:0] y); wire [3:0] w = a | {w[2:0], 1'b0}; assign y = w; endmodule";
    assert_eq!(synthesis_problems(verilog), Vec::<String>::new());
}

#[test]
fn waiting_counts_ticks() {
    let mut bench = Bench::new(Counter::default(), |uut| &mut uut.clock);
    bench.uut.bus.valid.next = true;
    assert_eq!(bench.tick_until(20, |uut| uut.count.val() == 7), 8);
    assert_eq!(bench.cycles(), 8);
    let message = message_of(|| {
        bench.tick_until(3, |uut| uut.count.val() == 0);
    });
    assert!(message.contains("in 3 cycles"), "{message}");
}
