use rust_hdl::prelude::*;

use super::device::Timing;

/// Tells when a bank can open another row: not while one is open, and not before that one is closed
/// again after the burst, which the chip does by itself.
#[derive(LogicBlock)]
pub struct BankTimer {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Commands to this bank, in the cycle in which they are decided on
    /// A row is opened; not while `busy`.
    pub activate: Signal<In, Bit>,
    /// The row is read, and closed.
    pub read: Signal<In, Bit>,
    /// The row is written, and closed.
    pub write: Signal<In, Bit>,

    /// No row can be opened.
    pub busy: Signal<Out, Bit>,

    after_read: Constant<Bits<5>>,
    after_write: Constant<Bits<5>>,

    occupied: DFF<Bit>,
    left: DFF<Bits<5>>,
}

impl BankTimer {
    /// The block.
    pub fn new(timing: &Timing) -> BankTimer {
        BankTimer {
            clock: Signal::default(),
            activate: Signal::default(),
            read: Signal::default(),
            write: Signal::default(),
            busy: Signal::default(),
            after_read: Constant::new((timing.read_to_activate - 1).to_bits()),
            after_write: Constant::new((timing.write_to_activate - 1).to_bits()),
            occupied: DFF::default(),
            left: DFF::default(),
        }
    }
}

impl Logic for BankTimer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, occupied, left);
        if self.left.q.val() != 0 {
            self.left.d.next = self.left.q.val() - 1;
        }
        if self.left.q.val() == 1 {
            self.occupied.d.next = false;
        }
        if self.activate.val() {
            self.occupied.d.next = true;
        }
        if self.read.val() {
            self.left.d.next = self.after_read.val();
        }
        if self.write.val() {
            self.left.d.next = self.after_write.val();
        }
        self.busy.next = self.occupied.q.val();
    }
}
