//! Stage 9: whether the attacker found would lose by taking. Combinational.

use rust_hdl::prelude::*;

use super::thread::{Findings, Thread};

/// Compares what takes with what is taken, if that is protected and only captures are searched. Attackers come the least
/// valuable first, so that one that loses is followed by none that does not.
#[derive(LogicBlock, Default)]
pub struct Losing {
    // The slot after stage 8
    pub thread: Signal<In, Thread>,
    pub findings: Signal<In, Findings>,
    // Out, at once
    pub loses: Signal<Out, Bit>,

    attacker: Signal<Local, Bits<3>>,
    victim: Signal<Local, Bits<3>>,
    minor: Signal<Local, Bit>,
    queen: Signal<Local, Bit>,
    outweighs: Signal<Local, Bit>,
}

impl Logic for Losing {
    #[hdl_gen]
    fn update(&mut self) {
        self.attacker.next = self.findings.val().code;
        self.victim.next = self.thread.val().captured;
        self.minor.next = (self.attacker.val() == 2) | (self.attacker.val() == 5);
        self.queen.next = (self.attacker.val() == 7) | (self.attacker.val() == 4);
        // A square of promotion holds nothing, and no attacker outweighs a queen.
        self.outweighs.next = ((self.victim.val() == 1) & (self.attacker.val() != 1))
            | (((self.victim.val() == 2) | (self.victim.val() == 5)) & (self.attacker.val() != 1) & !self.minor.val())
            | ((self.victim.val() == 6) & self.queen.val());
        self.loses.next = self.thread.val().pruning
            & self.thread.val().attacker
            & !self.thread.val().full
            & self.findings.val().found
            & self.findings.val().in_check
            & self.outweighs.val();
    }
}
