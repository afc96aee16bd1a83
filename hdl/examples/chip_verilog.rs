//! Prints the Verilog of the whole chip behind a serial line, the number of its cores an argument:
//! `cargo run -p bluebelle-hdl --example chip_verilog -- 4 > chip.v`.

use bluebelle_hdl::chip;
use bluebelle_hdl::config::Config;

fn main() {
    let cores = std::env::args().nth(1).map_or(Ok(1), |cores| cores.parse());
    match cores {
        Ok(cores @ 1..=16) => println!(
            "{}",
            chip::verilog_uart(&Config {
                cores,
                ..Config::default()
            })
        ),
        _ => {
            eprintln!("expected a number of cores from 1 to 16");
            std::process::exit(2);
        }
    }
}
