use rust_hdl::prelude::*;

use crate::queue::Memory;

/// Stuffs frames with COBS and sends them.
///
/// A COBS code comes before the bytes that it counts. So the bytes go into a ring in RAM with a hole for the code, and what
/// closes a block (a zero, the 254th byte or the end) writes the code into the hole: one write a cycle is enough,
/// because a zero itself takes no place. Only whole frames are sent. The first thing the chip ever says is a delimiter.
#[derive(LogicBlock, Default)]
pub struct CobsEncode {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Frame in: bytes are taken when `byte_valid` and `byte_ready`; then `finish` is held until `finished`. A frame may begin
    // when there is `room`, and then fits if it has at most 1000 bytes.
    /// There is a byte.
    pub byte_valid: Signal<In, Bit>,
    /// The byte.
    pub byte_data: Signal<In, Bits<8>>,
    /// It is taken.
    pub byte_ready: Signal<Out, Bit>,
    /// The frame is complete.
    pub finish: Signal<In, Bit>,
    /// It will be sent.
    pub finished: Signal<Out, Bit>,
    /// There is room for a frame.
    pub room: Signal<Out, Bit>,

    // Bytes out: held until `tx_ready`.
    /// A byte.
    pub tx_data: Signal<Out, Bits<8>>,
    /// There is a byte.
    pub tx_valid: Signal<Out, Bit>,
    /// It is taken.
    pub tx_ready: Signal<In, Bit>,

    memory: Memory<Bits<8>, 11>,
    step: DFF<EncodeStep>,
    // The byte that was taken.
    taken: DFF<Bits<8>>,
    taken_valid: DFF<Bit>,
    taken_zero: DFF<Bit>,
    /// Where the next byte goes.
    tail: DFF<Bits<11>>,
    /// Where the code of this block goes.
    hole: DFF<Bits<11>>,
    /// The bytes of this block.
    run: DFF<Bits<8>>,
    /// The block before was full: if the frame ends here, this one does not exist.
    chained: DFF<Bit>,
    /// The end of the last whole frame.
    whole: DFF<Bits<11>>,
    /// The next byte to send.
    head: DFF<Bits<11>>,
    loaded: DFF<Bit>,

    close: Signal<Local, Bit>,
    code: Signal<Local, Bits<8>>,
    used: Signal<Local, Bits<11>>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum EncodeStep {
    Delimit,
    Body,
    Full,
}

impl Logic for CobsEncode {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            step,
            taken,
            taken_valid,
            taken_zero,
            tail,
            hole,
            run,
            chained,
            whole,
            head,
            loaded
        );
        self.memory.clock.next = self.clock.val();

        self.code.next = self.run.q.val() + 1;
        self.used.next = self.tail.q.val() - self.head.q.val();
        self.room.next = !self.used.val().get_bit(10);
        self.byte_ready.next = !self.taken_valid.q.val();
        self.taken.d.next = self.byte_data.val();
        self.taken_zero.d.next = self.byte_data.val() == 0;
        if self.taken_valid.q.val() {
            self.taken.d.next = self.taken.q.val();
            self.taken_zero.d.next = self.taken_zero.q.val();
        } else {
            self.taken_valid.d.next = self.byte_valid.val();
        }
        self.finished.next = false;
        self.close.next = false;
        self.memory.write_enable.next = false;
        self.memory.write_address.next = self.tail.q.val();
        self.memory.write_data.next = self.taken.q.val();

        match self.step.q.val() {
            EncodeStep::Delimit => {
                self.memory.write_enable.next = true;
                self.memory.write_data.next = 0.into();
                self.whole.d.next = self.tail.q.val() + 1;
                self.hole.d.next = self.tail.q.val() + 1;
                self.tail.d.next = self.tail.q.val() + 2;
                self.run.d.next = 0.into();
                self.chained.d.next = false;
                self.finished.next = true;
                self.step.d.next = EncodeStep::Body;
            }
            EncodeStep::Body => {
                if self.taken_valid.q.val() {
                    self.taken_valid.d.next = false;
                    self.chained.d.next = false;
                    if self.taken_zero.q.val() {
                        self.close.next = true;
                    } else {
                        self.memory.write_enable.next = true;
                        self.tail.d.next = self.tail.q.val() + 1;
                        self.run.d.next = self.code.val();
                        if self.code.val() == 254 {
                            self.step.d.next = EncodeStep::Full;
                        }
                    }
                } else if self.finish.val() {
                    self.step.d.next = EncodeStep::Delimit;
                    if self.chained.q.val() {
                        self.tail.d.next = self.hole.q.val();
                    } else {
                        self.memory.write_enable.next = true;
                        self.memory.write_address.next = self.hole.q.val();
                        self.memory.write_data.next = self.code.val();
                    }
                }
            }
            EncodeStep::Full => {
                self.close.next = true;
                self.chained.d.next = true;
                self.step.d.next = EncodeStep::Body;
            }
            _ => {
                self.step.d.next = EncodeStep::Body;
            }
        }
        if self.close.val() {
            self.memory.write_enable.next = true;
            self.memory.write_address.next = self.hole.q.val();
            self.memory.write_data.next = self.code.val();
            self.hole.d.next = self.tail.q.val();
            self.tail.d.next = self.tail.q.val() + 1;
            self.run.d.next = 0.into();
        }

        self.memory.read_address.next = self.head.q.val();
        self.tx_data.next = self.memory.read_data.val();
        self.tx_valid.next = self.loaded.q.val();
        if self.loaded.q.val() {
            if self.tx_ready.val() {
                self.head.d.next = self.head.q.val() + 1;
                self.loaded.d.next = false;
            }
        } else {
            self.loaded.d.next = self.head.q.val() != self.whole.q.val();
        }
    }
}
