use rust_hdl::prelude::*;

use super::lut_memory::LutMemory;

/// 16 places in LUTs, first in, first out; a word shows at the other end a cycle after it came.
#[derive(LogicBlock, Default)]
pub struct WaitingLine<D: Synth> {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Words in: one in every cycle with `push`, which must not be while `full`.
    /// There is a word.
    pub push: Signal<In, Bit>,
    /// The word.
    pub push_data: Signal<In, D>,
    /// There is no place.
    pub full: Signal<Out, Bit>,

    // Words out: `pop` takes the first, which must be `valid`.
    /// There is a word.
    pub valid: Signal<Out, Bit>,
    /// The first word.
    pub data: Signal<Out, D>,
    /// It is taken.
    pub pop: Signal<In, Bit>,

    /// How many words wait.
    pub waiting: Signal<Out, Bits<5>>,

    memory: LutMemory<D>,
    tail: DFF<Bits<4>>,
    head: DFF<Bits<4>>,
    count: DFF<Bits<5>>,
    /// Whether `count` is not zero, in a register of its own.
    any: DFF<Bit>,
}

impl<D: Synth> Logic for WaitingLine<D> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tail, head, count, any);
        self.memory.clock.next = self.clock.val();
        self.memory.write_address.next = self.tail.q.val();
        self.memory.write_data.next = self.push_data.val();
        self.memory.write_enable.next = self.push.val();
        self.memory.read_address.next = self.head.q.val();
        self.data.next = self.memory.read_data.val();
        self.valid.next = self.any.q.val();
        self.full.next = self.count.q.val().get_bit(4);
        self.waiting.next = self.count.q.val();
        if self.push.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.pop.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.push.val() & !self.pop.val() {
            self.count.d.next = self.count.q.val() + 1;
            self.any.d.next = true;
        } else if self.pop.val() & !self.push.val() {
            self.count.d.next = self.count.q.val() - 1;
            self.any.d.next = self.count.q.val() != 1;
        }
    }
}
