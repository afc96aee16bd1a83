//! Prints the Verilog of the table's memory for 32 MB on 16 pins at 92.857 MHz: `cargo run -p
//! bluebelle-hdl --example table_memory_verilog > table_memory.v`; `-- 32` for 8 MB on 32 pins.

use bluebelle_hdl::table_memory::TableMemory;
use bluebelle_hdl::table_memory::device::{ANY_32_MB, M12L64322A, TimingError};
use rust_hdl::prelude::*;

fn main() -> Result<(), TimingError> {
    let verilog = if std::env::args().any(|argument| argument == "32") {
        verilog(TableMemory::<32>::new(&M12L64322A.timing(92_857, 1)?))
    } else {
        verilog(TableMemory::<16>::new(&ANY_32_MB.timing(92_857, 1)?))
    };
    println!("{verilog}");
    Ok(())
}

fn verilog<const W: usize>(mut memory: TableMemory<W>) -> String {
    memory.connect_all();
    generate_verilog(&memory)
}
