//! Prints the Verilog of one core: `cargo run -p bluebelle-hdl --example core_verilog > core.v`; `-- gangs` for one with gangs.

use bluebelle_hdl::core::Core;
use rust_hdl::prelude::*;

fn main() {
    let mut core = Core::new(std::env::args().any(|argument| argument == "gangs"));
    core.connect_all();
    println!("{}", generate_verilog(&core));
}
