use rust_hdl::prelude::*;

use crate::queue::Memory;

/// 2047 bytes between a serial line, which cannot wait, and the chip, which may be busy with a batch.
///
/// When it is full, bytes are lost; the CRC finds out.
#[derive(LogicBlock, Default)]
pub struct ByteFifo {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Bytes in: one in every cycle with `push`.
    /// There is a byte.
    pub push: Signal<In, Bit>,
    /// The byte.
    pub push_data: Signal<In, Bits<8>>,

    // Bytes out: held until `ready`.
    /// A byte.
    pub data: Signal<Out, Bits<8>>,
    /// There is a byte.
    pub valid: Signal<Out, Bit>,
    /// It is taken.
    pub ready: Signal<In, Bit>,

    memory: Memory<Bits<8>, 11>,
    tail: DFF<Bits<11>>,
    head: DFF<Bits<11>>,
    /// The memory is being read.
    reading: DFF<Bit>,
    /// What the memory gave: it answers so late in a cycle that nothing can follow.
    shown: DFF<Bits<8>>,
    loaded: DFF<Bit>,

    next_tail: Signal<Local, Bits<11>>,
}

impl Logic for ByteFifo {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tail, head, reading, shown, loaded);
        self.memory.clock.next = self.clock.val();
        self.memory.write_address.next = self.tail.q.val();
        self.memory.write_data.next = self.push_data.val();
        self.memory.write_enable.next = false;
        self.next_tail.next = self.tail.q.val() + 1;
        if self.push.val() & (self.next_tail.val() != self.head.q.val()) {
            self.memory.write_enable.next = true;
            self.tail.d.next = self.next_tail.val();
        }

        self.memory.read_address.next = self.head.q.val();
        self.shown.d.next = self.memory.read_data.val();
        self.data.next = self.shown.q.val();
        self.valid.next = self.loaded.q.val();
        self.reading.d.next = false;
        if self.loaded.q.val() {
            if self.ready.val() {
                self.head.d.next = self.head.q.val() + 1;
                self.loaded.d.next = false;
            }
        } else if self.reading.q.val() {
            self.loaded.d.next = true;
        } else {
            self.reading.d.next = self.head.q.val() != self.tail.q.val();
        }
    }
}
