use rust_hdl::prelude::*;

/// Bytes from a serial line: 8 data bits, no parity, one stop bit.
///
/// Time is a 16-bit fraction of a bit, so that the baud rate need not divide the clock. The falling edge of the start bit
/// sets it to a half; whenever it overflows, it is the middle of a bit.
#[derive(LogicBlock)]
pub struct UartRx {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Line in: asynchronous.
    /// The pin; high while nothing is sent.
    pub rx: Signal<In, Bit>,

    // Bytes out: each for one cycle, whether anybody looks or not.
    /// A byte.
    pub data: Signal<Out, Bits<8>>,
    /// There is a byte.
    pub valid: Signal<Out, Bit>,

    bit_step: Constant<Bits<17>>,

    step: DFF<RxStep>,
    /// Two registers against metastability; inverted, so that the line rests at 0.
    first: DFF<Bit>,
    second: DFF<Bit>,
    phase: DFF<Bits<16>>,
    shift: DFF<Bits<8>>,
    bits_left: DFF<Bits<3>>,

    sum: Signal<Local, Bits<17>>,
    tick: Signal<Local, Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum RxStep {
    Idle,
    Start,
    Data,
    Stop,
    Broken,
}

impl UartRx {
    /// The block, for a line with so many bits in 65536 cycles.
    pub fn new(baud_step: u16) -> UartRx {
        UartRx {
            clock: Signal::default(),
            rx: Signal::default(),
            data: Signal::default(),
            valid: Signal::default(),
            bit_step: Constant::new(baud_step.to_bits()),
            step: DFF::default(),
            first: DFF::default(),
            second: DFF::default(),
            phase: DFF::default(),
            shift: DFF::default(),
            bits_left: DFF::default(),
            sum: Signal::default(),
            tick: Signal::default(),
        }
    }
}

impl Logic for UartRx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, first, second, phase, shift, bits_left);
        self.first.d.next = !self.rx.val();
        self.second.d.next = self.first.q.val();
        self.sum.next = bit_cast::<17, 16>(self.phase.q.val()) + self.bit_step.val();
        self.tick.next = self.sum.val().get_bit(16);
        self.phase.d.next = self.sum.val().get_bits::<16>(0);
        self.data.next = self.shift.q.val();
        self.valid.next = false;

        match self.step.q.val() {
            RxStep::Idle => {
                self.phase.d.next = 0x8000.into();
                self.bits_left.d.next = 7.into();
                if self.second.q.val() {
                    self.step.d.next = RxStep::Start;
                }
            }
            RxStep::Start => {
                if self.tick.val() {
                    self.step.d.next = RxStep::Data;
                    if !self.second.q.val() {
                        self.step.d.next = RxStep::Idle;
                    }
                }
            }
            RxStep::Data => {
                if self.tick.val() {
                    self.shift.d.next = self.shift.q.val() >> 1;
                    if !self.second.q.val() {
                        self.shift.d.next = (self.shift.q.val() >> 1) | 0x80;
                    }
                    self.bits_left.d.next = self.bits_left.q.val() - 1;
                    if self.bits_left.q.val() == 0 {
                        self.step.d.next = RxStep::Stop;
                    }
                }
            }
            RxStep::Stop => {
                if self.tick.val() {
                    self.step.d.next = RxStep::Broken;
                    if !self.second.q.val() {
                        self.valid.next = true;
                        self.step.d.next = RxStep::Idle;
                    }
                }
            }
            // Without a stop bit it was no byte, and what follows is no start bit.
            RxStep::Broken => {
                if !self.second.q.val() {
                    self.step.d.next = RxStep::Idle;
                }
            }
            _ => {
                self.step.d.next = RxStep::Idle;
            }
        }
    }
}
