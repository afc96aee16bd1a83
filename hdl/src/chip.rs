//! The chip: cores in a shell, and a way in.

mod rings;
mod shell;
mod uart;
mod works;

use std::thread;

use rust_hdl::prelude::*;

use crate::config::Config;
use crate::link::{CobsDecode, CobsEncode};

pub use rings::ChipRings;
pub use shell::Shell;
pub use uart::ChipUart;
pub use works::Works;

/// The chip behind a stream of bytes.
#[derive(LogicBlock)]
pub struct Chip {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Bytes in: taken when `rx_valid` and `rx_ready`.
    /// A byte from the host.
    pub rx_data: Signal<In, Bits<8>>,
    /// There is a byte.
    pub rx_valid: Signal<In, Bit>,
    /// It is taken.
    pub rx_ready: Signal<Out, Bit>,

    // Bytes out: held until `tx_ready`.
    /// A byte for the host.
    pub tx_data: Signal<Out, Bits<8>>,
    /// There is a byte.
    pub tx_valid: Signal<Out, Bit>,
    /// It is taken.
    pub tx_ready: Signal<In, Bit>,

    // Lights out.
    /// Cores have jobs.
    pub working: Signal<Out, Bit>,
    /// A frame is being dropped.
    pub dropped: Signal<Out, Bit>,

    decode: CobsDecode,
    works: Works,
    encode: CobsEncode,
}

impl Chip {
    /// The chip with this configuration.
    ///
    /// # Panics
    /// If the configuration asks for what there cannot be.
    pub fn new(config: &Config) -> Chip {
        Chip {
            clock: Signal::default(),
            rx_data: Signal::default(),
            rx_valid: Signal::default(),
            rx_ready: Signal::default(),
            tx_data: Signal::default(),
            tx_valid: Signal::default(),
            tx_ready: Signal::default(),
            working: Signal::default(),
            dropped: Signal::default(),
            decode: CobsDecode::default(),
            works: Works::new(config),
            encode: CobsEncode::default(),
        }
    }
}

impl Logic for Chip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, decode, works, encode);

        // Bytes to frames.
        self.decode.rx_data.next = self.rx_data.val();
        self.decode.rx_valid.next = self.rx_valid.val();
        self.rx_ready.next = self.decode.rx_ready.val();
        self.works.frame_valid.next = self.decode.frame_valid.val();
        self.works.frame_cause.next = self.decode.frame_cause.val();
        self.works.frame_kind.next = self.decode.frame_kind.val();
        self.works.frame_length.next = self.decode.frame_length.val();
        self.decode.frame_done.next = self.works.frame_done.val();
        self.decode.read_address.next = self.works.read_address.val();
        self.works.read_data.next = self.decode.read_data.val();

        // Frames to bytes.
        self.encode.byte_valid.next = self.works.byte_valid.val();
        self.encode.byte_data.next = self.works.byte_data.val();
        self.encode.finish.next = self.works.finish.val();
        self.works.byte_ready.next = self.encode.byte_ready.val();
        self.works.finished.next = self.encode.finished.val();
        self.works.room.next = self.encode.room.val();
        self.tx_data.next = self.encode.tx_data.val();
        self.tx_valid.next = self.encode.tx_valid.val();
        self.encode.tx_ready.next = self.tx_ready.val();
        self.working.next = self.works.working.val();
        self.dropped.next = self.works.dropped.val();
    }
}

/// The Verilog of the chip behind a stream of bytes; its top module is `top`.
///
/// # Panics
/// If the configuration asks for what there cannot be.
pub fn verilog(config: &Config) -> String {
    emit(|| Chip::new(config))
}

/// The Verilog of the chip behind a serial line; its top module is `top`.
///
/// # Panics
/// If the configuration asks for what there cannot be.
pub fn verilog_uart(config: &Config) -> String {
    emit(|| ChipUart::new(config))
}

/// The Verilog of the chip behind rings and AXI4-Lite; its top module is `top`.
///
/// # Panics
/// If the configuration asks for what there cannot be.
pub fn verilog_axi(config: &Config) -> String {
    emit(|| ChipRings::new(config))
}

/// A core is a large value, and there are several of them on the stack while it is put together.
const STACK: usize = 256 << 20;

fn emit<B: Block>(chip: impl FnOnce() -> B + Send) -> String {
    let emit = || {
        let mut chip = chip();
        chip.connect_all();
        generate_verilog(&chip)
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, emit);
        let verilog = thread.expect("a thread can be started").join();
        verilog.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
