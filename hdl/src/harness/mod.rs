//! What tests every block: a bench that drives the rust-hdl simulation by hand, the same vectors through the emitted Verilog,
//! and a synthesis check.
//!
//! ```
//! use bluebelle_hdl::harness::{Cosim, synthesis_check};
//! use rust_hdl::prelude::*;
//!
//! #[derive(LogicBlock, Default)]
//! struct Counter {
//!     pub clock: Signal<In, Clock>,
//!     pub enable: Signal<In, Bit>,
//!     pub count: Signal<Out, Bits<8>>,
//!     state: DFF<Bits<8>>,
//! }
//!
//! impl Logic for Counter {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         dff_setup!(self, clock, state);
//!         if self.enable.val() {
//!             self.state.d.next = self.state.q.val() + 1;
//!         }
//!         self.count.next = self.state.q.val();
//!     }
//! }
//!
//! let mut cosim = Cosim::new(Counter::default(), |uut| &mut uut.clock);
//! synthesis_check(&cosim.uut);
//! for cycle in 0..1000_u64 {
//!     cosim.cycle(|uut| uut.enable.next = cycle % 3 != 0); // inputs, then one rising edge
//! }
//! assert_eq!(cosim.uut.count.val(), 154); // 666 modulo 256
//! cosim.finish(); // the same 1000 cycles as Verilog; panics at the first output that differs
//! ```
//!
//! # When things happen
//! The clock rests low. A cycle is: inputs change, the logic settles, **inputs and outputs are recorded**, the clock rises,
//! the logic settles, the clock falls. What a test reads after [`Bench::settle`] is what the next rising edge will see; what
//! it reads after [`Bench::tick`] is the new state with the old inputs.
//!
//! Both simulations begin with all registers at their initial values. A RAM that was given no contents holds zeros in Rust
//! and nothing defined in Icarus: see [`Cosim::allow_undefined`].

mod bench;
mod cosim;
mod ports;
mod sdram;
mod synthesis;
mod tool;

pub use bench::Bench;
pub use cosim::{Cosim, Divergence, Simulator};
pub use sdram::{Complaint, Sdram, SdramPins};
pub use synthesis::{synthesis_check, synthesis_problems};
