//! Prints the Verilog of the chip without its cores, their number an argument:
//! `cargo run -p bluebelle-hdl --example shell_verilog -- 4 > shell.v`.

use bluebelle_hdl::chip::Shell;
use bluebelle_hdl::config::Config;
use rust_hdl::prelude::*;

fn main() {
    let cores = std::env::args()
        .nth(1)
        .and_then(|cores| cores.parse().ok())
        .unwrap_or(1);
    let mut shell = Shell::new(&Config {
        cores,
        ..Config::default()
    });
    shell.connect_all();
    println!("{}", generate_verilog(&shell));
}
