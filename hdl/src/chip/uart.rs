use rust_hdl::prelude::*;

use super::Chip;
use crate::config::Config;
use crate::link::{ByteFifo, UartRx, UartTx};

/// The chip behind a serial line.
#[derive(LogicBlock)]
pub struct ChipUart {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Line.
    /// From the host.
    pub rx: Signal<In, Bit>,
    /// To the host.
    pub tx: Signal<Out, Bit>,

    // Lights out.
    /// 0 cores have jobs, 1 bytes come, 2 bytes go, 3 a frame was dropped, 4 zero, 5 to 7 a clock that counts.
    pub leds: Signal<Out, Bits<8>>,

    chip: Chip,
    uart_rx: UartRx,
    uart_tx: UartTx,
    fifo: ByteFifo,
    /// How long the lights for bytes and dropped frames stay on, and the clock that counts.
    uptime: DFF<Bits<24>>,
    receiving: DFF<Bit>,
    sending: DFF<Bit>,
    failing: DFF<Bit>,

    light: Signal<Local, Bits<8>>,
}

impl ChipUart {
    /// The chip with this configuration.
    pub fn new(config: &Config) -> ChipUart {
        let baud_step = config.baud_step();
        ChipUart {
            clock: Signal::default(),
            rx: Signal::default(),
            tx: Signal::default(),
            leds: Signal::default(),
            chip: Chip::new(config),
            uart_rx: UartRx::new(baud_step),
            uart_tx: UartTx::new(baud_step),
            fifo: ByteFifo::default(),
            uptime: DFF::default(),
            receiving: DFF::default(),
            sending: DFF::default(),
            failing: DFF::default(),
            light: Signal::default(),
        }
    }
}

impl Logic for ChipUart {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, uptime, receiving, sending, failing);
        clock!(self, clock, chip, uart_rx, uart_tx, fifo);
        self.uart_rx.rx.next = self.rx.val();
        self.fifo.push.next = self.uart_rx.valid.val();
        self.fifo.push_data.next = self.uart_rx.data.val();
        self.chip.rx_data.next = self.fifo.data.val();
        self.chip.rx_valid.next = self.fifo.valid.val();
        self.fifo.ready.next = self.chip.rx_ready.val();
        self.uart_tx.data.next = self.chip.tx_data.val();
        self.uart_tx.valid.next = self.chip.tx_valid.val();
        self.chip.tx_ready.next = self.uart_tx.ready.val();
        self.tx.next = self.uart_tx.tx.val();

        self.uptime.d.next = self.uptime.q.val() + 1;
        if self.uptime.q.val().get_bits::<20>(0) == 0 {
            self.receiving.d.next = false;
            self.sending.d.next = false;
        }
        // Errors are rare, and are to be seen.
        if self.uptime.q.val().get_bits::<23>(0) == 0 {
            self.failing.d.next = false;
        }
        if self.chip.dropped.val() {
            self.failing.d.next = true;
        }
        if self.uart_rx.valid.val() {
            self.receiving.d.next = true;
        }
        if self.chip.tx_valid.val() {
            self.sending.d.next = true;
        }
        self.light.next = bit_cast::<8, 3>(self.uptime.q.val().get_bits::<3>(21)) << 5;
        if self.chip.working.val() {
            self.light.next = self.light.val() | 1;
        }
        if self.receiving.q.val() {
            self.light.next = self.light.val() | 2;
        }
        if self.sending.q.val() {
            self.light.next = self.light.val() | 4;
        }
        if self.failing.q.val() {
            self.light.next = self.light.val() | 8;
        }
        self.leds.next = self.light.val();
    }
}
