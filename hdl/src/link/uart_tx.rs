use rust_hdl::prelude::*;

/// Bytes to a serial line: 8 data bits, no parity, one stop bit.
#[derive(LogicBlock)]
pub struct UartTx {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Bytes in: taken when `valid` and `ready`.
    /// A byte.
    pub data: Signal<In, Bits<8>>,
    /// There is a byte.
    pub valid: Signal<In, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,

    // Line out.
    /// The pin; high while nothing is sent.
    pub tx: Signal<Out, Bit>,

    bit_step: Constant<Bits<17>>,

    phase: DFF<Bits<16>>,
    /// The bits to send, lowest first, inverted, so that the line rests high.
    shift: DFF<Bits<10>>,
    bits_left: DFF<Bits<4>>,

    sum: Signal<Local, Bits<17>>,
    /// On its own, because `!` inside of a cast inverts all bits of the wider word in Verilog.
    inverted: Signal<Local, Bits<8>>,
}

impl UartTx {
    /// The block, for a line with so many bits in 65536 cycles.
    pub fn new(baud_step: u16) -> UartTx {
        UartTx {
            clock: Signal::default(),
            data: Signal::default(),
            valid: Signal::default(),
            ready: Signal::default(),
            tx: Signal::default(),
            bit_step: Constant::new(baud_step.to_bits()),
            phase: DFF::default(),
            shift: DFF::default(),
            bits_left: DFF::default(),
            sum: Signal::default(),
            inverted: Signal::default(),
        }
    }
}

impl Logic for UartTx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, shift, bits_left);
        self.sum.next = bit_cast::<17, 16>(self.phase.q.val()) + self.bit_step.val();
        self.phase.d.next = self.sum.val().get_bits::<16>(0);
        self.inverted.next = !self.data.val();
        self.ready.next = self.bits_left.q.val() == 0;
        self.tx.next = !self.shift.q.val().get_bit(0);
        if self.bits_left.q.val() == 0 {
            self.phase.d.next = 0.into();
            if self.valid.val() {
                self.shift.d.next = (bit_cast::<10, 8>(self.inverted.val()) << 1) | 1;
                self.bits_left.d.next = 10.into();
            }
        } else if self.sum.val().get_bit(16) {
            self.shift.d.next = self.shift.q.val() >> 1;
            self.bits_left.d.next = self.bits_left.q.val() - 1;
        }
    }
}
