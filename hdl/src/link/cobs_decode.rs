use rust_hdl::prelude::*;

use super::frame_buffer::FrameBuffer;

/// Finds frames in the bytes from the wire: undoes COBS, and leaves the rest to a [`FrameBuffer`].
///
/// Together they do what `bluebelle_spec::wire::Decoder` does, byte by byte.
#[derive(LogicBlock, Default)]
pub struct CobsDecode {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Bytes in: taken when `rx_valid` and `rx_ready`.
    /// A byte.
    pub rx_data: Signal<In, Bits<8>>,
    /// There is a byte.
    pub rx_valid: Signal<In, Bit>,
    /// It is taken.
    pub rx_ready: Signal<Out, Bit>,

    // Frame out: held, while no byte is taken, until `frame_done`.
    /// A frame has ended.
    pub frame_valid: Signal<Out, Bit>,
    /// Why it is dropped, a `DropCause`; 7 if it is good so far.
    pub frame_cause: Signal<Out, Bits<3>>,
    /// Its kind.
    pub frame_kind: Signal<Out, Bits<8>>,
    /// The bytes of its payload.
    pub frame_length: Signal<Out, Bits<11>>,
    /// It has been dealt with.
    pub frame_done: Signal<In, Bit>,

    // Payload out: the word at `read_address`, one cycle later.
    /// Which word of the payload.
    pub read_address: Signal<In, Bits<10>>,
    /// The word.
    pub read_data: Signal<Out, Bits<16>>,

    buffer: FrameBuffer,
    /// Inside a frame.
    started: DFF<Bit>,
    /// Bytes before the next code.
    left: DFF<Bits<8>>,
    /// No zero follows this block.
    chain: DFF<Bit>,

    take: Signal<Local, Bit>,
    code: Signal<Local, Bits<8>>,
    less: Signal<Local, Bits<8>>,
    // The inputs of a block that answers in the same cycle are written once.
    start: Signal<Local, Bit>,
    out_valid: Signal<Local, Bit>,
    out_data: Signal<Local, Bits<8>>,
    finish: Signal<Local, Bit>,
}

impl Logic for CobsDecode {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, started, left, chain);
        clock!(self, clock, buffer);

        self.rx_ready.next = self.buffer.ready.val();
        self.take.next = self.rx_valid.val() & self.buffer.ready.val();

        // A code byte stands for the zero before it, unless it opens the frame or follows a full block.
        self.start.next = false;
        self.out_valid.next = false;
        self.out_data.next = self.rx_data.val();
        self.finish.next = false;
        self.code.next = self.left.q.val();
        if !self.started.q.val() | (self.left.q.val() == 0) {
            self.code.next = self.rx_data.val();
        }
        self.less.next = self.code.val() - 1;
        if self.take.val() {
            if self.rx_data.val() == 0 {
                self.started.d.next = false;
                self.finish.next = self.started.q.val();
            } else if !self.started.q.val() {
                self.started.d.next = true;
                self.left.d.next = self.less.val();
                self.chain.d.next = self.rx_data.val() == 0xff;
                self.start.next = true;
            } else if self.left.q.val() == 0 {
                self.out_valid.next = !self.chain.q.val();
                self.out_data.next = 0.into();
                self.left.d.next = self.less.val();
                self.chain.d.next = self.rx_data.val() == 0xff;
            } else {
                self.out_valid.next = true;
                self.left.d.next = self.less.val();
            }
        }

        self.buffer.start.next = self.start.val();
        self.buffer.byte_valid.next = self.out_valid.val();
        self.buffer.byte_data.next = self.out_data.val();
        self.buffer.finish.next = self.finish.val();
        self.buffer.broken.next = self.left.q.val() != 0;
        self.buffer.too_long.next = false;
        self.frame_valid.next = self.buffer.frame_valid.val();
        self.frame_cause.next = self.buffer.frame_cause.val();
        self.frame_kind.next = self.buffer.frame_kind.val();
        self.frame_length.next = self.buffer.frame_length.val();
        self.buffer.frame_done.next = self.frame_done.val();
        self.buffer.read_address.next = self.read_address.val();
        self.read_data.next = self.buffer.read_data.val();
    }
}
