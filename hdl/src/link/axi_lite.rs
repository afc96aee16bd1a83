use rust_hdl::prelude::*;

/// An AXI4-Lite slave in front of a window of 32 KiB: one write and one read at a time, and always OKAY.
///
/// Addresses and data of writes may come in any order. A read waits until the memory behind has a cycle for it.
#[derive(LogicBlock, Default)]
pub struct AxiLite {
    /// The clock.
    pub clock: Signal<In, Clock>,
    /// Low: transfers that are under way are forgotten. The window is not.
    pub aresetn: Signal<In, Bit>,

    // Write address: taken when `awvalid` and `awready`.
    /// The address in bytes; the last two bits are ignored.
    pub awaddr: Signal<In, Bits<15>>,
    /// There is an address.
    pub awvalid: Signal<In, Bit>,
    /// It is taken.
    pub awready: Signal<Out, Bit>,

    // Write data: taken when `wvalid` and `wready`.
    /// The word.
    pub wdata: Signal<In, Bits<32>>,
    /// Which of its bytes.
    pub wstrb: Signal<In, Bits<4>>,
    /// There is a word.
    pub wvalid: Signal<In, Bit>,
    /// It is taken.
    pub wready: Signal<Out, Bit>,

    // Write response: held until `bready`.
    /// OKAY.
    pub bresp: Signal<Out, Bits<2>>,
    /// A word was written.
    pub bvalid: Signal<Out, Bit>,
    /// The response is taken.
    pub bready: Signal<In, Bit>,

    // Read address: taken when `arvalid` and `arready`.
    /// The address in bytes; the last two bits are ignored.
    pub araddr: Signal<In, Bits<15>>,
    /// There is an address.
    pub arvalid: Signal<In, Bit>,
    /// It is taken.
    pub arready: Signal<Out, Bit>,

    // Read data: held until `rready`.
    /// The word.
    pub rdata: Signal<Out, Bits<32>>,
    /// OKAY.
    pub rresp: Signal<Out, Bits<2>>,
    /// There is a word.
    pub rvalid: Signal<Out, Bit>,
    /// It is taken.
    pub rready: Signal<In, Bit>,

    // To the window, writes: one word in every cycle with `write`.
    /// There is a word.
    pub write: Signal<Out, Bit>,
    /// Where it goes.
    pub write_word: Signal<Out, Bits<13>>,
    /// The word.
    pub write_data: Signal<Out, Bits<32>>,
    /// Which of its bytes.
    pub write_bytes: Signal<Out, Bits<4>>,

    // To the window, reads: `read` is held until `read_ready`; the word is there in the cycle after that, and in no other.
    /// A word is wanted.
    pub read: Signal<Out, Bit>,
    /// Which.
    pub read_word: Signal<Out, Bits<13>>,
    /// The window has a cycle for it.
    pub read_ready: Signal<In, Bit>,
    /// The word.
    pub read_data: Signal<In, Bits<32>>,

    // What has come of a write.
    addressed: DFF<Bit>,
    address: DFF<Bits<13>>,
    given: DFF<Bit>,
    data: DFF<Bits<32>>,
    bytes: DFF<Bits<4>>,
    responding: DFF<Bit>,

    step: DFF<ReadStep>,
    word: DFF<Bits<13>>,
    found: DFF<Bits<32>>,

    done: Signal<Local, Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum ReadStep {
    Idle,
    Ask,
    Take,
    Hold,
}

impl Logic for AxiLite {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, addressed, address, given, data, bytes, responding, step, word, found
        );

        // Writes: when address and data are here and the response before has gone.
        self.awready.next = !self.addressed.q.val();
        self.wready.next = !self.given.q.val();
        self.bresp.next = 0.into();
        self.bvalid.next = self.responding.q.val();
        self.done.next = self.addressed.q.val() & self.given.q.val() & !self.responding.q.val();
        self.write.next = self.done.val();
        self.write_word.next = self.address.q.val();
        self.write_data.next = self.data.q.val();
        self.write_bytes.next = self.bytes.q.val();
        if self.awvalid.val() & !self.addressed.q.val() {
            self.addressed.d.next = true;
            self.address.d.next = self.awaddr.val().get_bits::<13>(2);
        }
        if self.wvalid.val() & !self.given.q.val() {
            self.given.d.next = true;
            self.data.d.next = self.wdata.val();
            self.bytes.d.next = self.wstrb.val();
        }
        if self.responding.q.val() & self.bready.val() {
            self.responding.d.next = false;
        }
        if self.done.val() {
            self.addressed.d.next = false;
            self.given.d.next = false;
            self.responding.d.next = true;
        }

        // Reads.
        self.arready.next = self.step.q.val() == ReadStep::Idle;
        self.read.next = self.step.q.val() == ReadStep::Ask;
        self.read_word.next = self.word.q.val();
        self.rresp.next = 0.into();
        self.rdata.next = self.found.q.val();
        self.rvalid.next = self.step.q.val() == ReadStep::Hold;
        match self.step.q.val() {
            ReadStep::Idle => {
                self.word.d.next = self.araddr.val().get_bits::<13>(2);
                if self.arvalid.val() {
                    self.step.d.next = ReadStep::Ask;
                }
            }
            ReadStep::Ask => {
                if self.read_ready.val() {
                    self.step.d.next = ReadStep::Take;
                }
            }
            ReadStep::Take => {
                self.found.d.next = self.read_data.val();
                self.step.d.next = ReadStep::Hold;
            }
            ReadStep::Hold => {
                if self.rready.val() {
                    self.step.d.next = ReadStep::Idle;
                }
            }
            _ => {
                self.step.d.next = ReadStep::Idle;
            }
        }

        if !self.aresetn.val() {
            self.addressed.d.next = false;
            self.given.d.next = false;
            self.responding.d.next = false;
            self.step.d.next = ReadStep::Idle;
        }
    }
}
