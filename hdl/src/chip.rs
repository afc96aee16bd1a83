//! The chip: cores in a shell.

mod shell;
mod uart;

use std::thread;

use rust_hdl::prelude::*;

use crate::config::{Config, MAX_CORES};
use crate::core::Core;

pub use shell::Shell;
pub use uart::ChipUart;

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

    shell: Shell,
    cores: Vec<Core>,
}

impl Chip {
    /// The chip with this configuration.
    ///
    /// # Panics
    /// If the configuration asks for what there cannot be.
    pub fn new(config: &Config) -> Chip {
        let cores = config.cores;
        assert!(
            (1..=MAX_CORES).contains(&cores),
            "{cores} cores: a chip has 1 to {MAX_CORES}"
        );
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
            shell: Shell::new(config),
            cores: (0..cores).map(|_| Core::default()).collect(),
        }
    }
}

impl Logic for Chip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, shell);
        self.shell.rx_data.next = self.rx_data.val();
        self.shell.rx_valid.next = self.rx_valid.val();
        self.rx_ready.next = self.shell.rx_ready.val();
        self.tx_data.next = self.shell.tx_data.val();
        self.tx_valid.next = self.shell.tx_valid.val();
        self.shell.tx_ready.next = self.tx_ready.val();
        self.working.next = self.shell.working.val();
        self.dropped.next = self.shell.dropped.val();
        for i in 0..self.cores.len() {
            self.cores[i].clock.next = self.clock.val();
            self.cores[i].job_word.next = self.shell.job_word[i].val();
            self.cores[i].job_valid.next = self.shell.job_valid[i].val();
            self.shell.job_ready[i].next = self.cores[i].job_ready.val();
            self.shell.result_valid[i].next = self.cores[i].result_valid.val();
            self.shell.result_id[i].next = self.cores[i].result_id.val();
            self.shell.result_ending[i].next = self.cores[i].result_ending.val();
            self.shell.result_score[i].next = self.cores[i].result_score.val();
            self.shell.result_best[i].next = self.cores[i].result_best.val();
            self.shell.result_nodes[i].next = self.cores[i].result_nodes.val();
            self.shell.result_slots[i].next = self.cores[i].result_slots.val();
            self.cores[i].result_ready.next = self.shell.result_ready[i].val();
            self.cores[i].weight_write.next = self.shell.weight_write[i].val();
            self.cores[i].weight_index.next = self.shell.weight_index[i].val();
            self.cores[i].weight_data.next = self.shell.weight_data[i].val();
            self.cores[i].abort_valid.next = self.shell.abort_valid[i].val();
            self.cores[i].abort_all.next = self.shell.abort_all[i].val();
            self.cores[i].abort_id.next = self.shell.abort_id[i].val();
            self.shell.busy[i].next = self.cores[i].busy.val();
        }
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
