use rust_hdl::prelude::*;

use super::axi_lite::AxiLite;
use super::frame_buffer::FrameBuffer;
use super::ring_reader::RingReader;
use super::ring_writer::RingWriter;
use super::window::Window;

/// The link through rings: a window behind AXI4-Lite, frames from the down ring, and frames to the up ring.
#[derive(LogicBlock, Default)]
pub struct RingLink {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // AXI4-Lite, a slave.
    /// Low: transfers that are under way are forgotten.
    pub aresetn: Signal<In, Bit>,
    /// The address of a write.
    pub awaddr: Signal<In, Bits<15>>,
    /// There is one.
    pub awvalid: Signal<In, Bit>,
    /// It is taken.
    pub awready: Signal<Out, Bit>,
    /// The word of a write.
    pub wdata: Signal<In, Bits<32>>,
    /// Which of its bytes.
    pub wstrb: Signal<In, Bits<4>>,
    /// There is one.
    pub wvalid: Signal<In, Bit>,
    /// It is taken.
    pub wready: Signal<Out, Bit>,
    /// OKAY.
    pub bresp: Signal<Out, Bits<2>>,
    /// A word was written.
    pub bvalid: Signal<Out, Bit>,
    /// That is known.
    pub bready: Signal<In, Bit>,
    /// The address of a read.
    pub araddr: Signal<In, Bits<15>>,
    /// There is one.
    pub arvalid: Signal<In, Bit>,
    /// It is taken.
    pub arready: Signal<Out, Bit>,
    /// The word of a read.
    pub rdata: Signal<Out, Bits<32>>,
    /// OKAY.
    pub rresp: Signal<Out, Bits<2>>,
    /// There is one.
    pub rvalid: Signal<Out, Bit>,
    /// It is taken.
    pub rready: Signal<In, Bit>,

    // Frame out: held until `frame_done`.
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

    // Frame in: bytes are taken when `byte_valid` and `byte_ready`; then `finish` is held until `finished`. A frame may begin
    // when there is `room`, and then fits.
    /// There is a byte.
    pub byte_valid: Signal<In, Bit>,
    /// The byte.
    pub byte_data: Signal<In, Bits<8>>,
    /// It is taken.
    pub byte_ready: Signal<Out, Bit>,
    /// The frame is complete.
    pub finish: Signal<In, Bit>,
    /// The host can see it.
    pub finished: Signal<Out, Bit>,
    /// There is room for a frame.
    pub room: Signal<Out, Bit>,

    // Credits in.
    /// How many jobs fit.
    pub credits: Signal<In, Bits<8>>,

    axi: AxiLite,
    window: Window,
    reader: RingReader,
    writer: RingWriter,
    buffer: FrameBuffer,
}

impl Logic for RingLink {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, axi, window, reader, writer, buffer);

        // The bus and the window.
        self.axi.aresetn.next = self.aresetn.val();
        self.axi.awaddr.next = self.awaddr.val();
        self.axi.awvalid.next = self.awvalid.val();
        self.awready.next = self.axi.awready.val();
        self.axi.wdata.next = self.wdata.val();
        self.axi.wstrb.next = self.wstrb.val();
        self.axi.wvalid.next = self.wvalid.val();
        self.wready.next = self.axi.wready.val();
        self.bresp.next = self.axi.bresp.val();
        self.bvalid.next = self.axi.bvalid.val();
        self.axi.bready.next = self.bready.val();
        self.axi.araddr.next = self.araddr.val();
        self.axi.arvalid.next = self.arvalid.val();
        self.arready.next = self.axi.arready.val();
        self.rdata.next = self.axi.rdata.val();
        self.rresp.next = self.axi.rresp.val();
        self.rvalid.next = self.axi.rvalid.val();
        self.axi.rready.next = self.rready.val();
        self.window.write.next = self.axi.write.val();
        self.window.write_word.next = self.axi.write_word.val();
        self.window.write_data.next = self.axi.write_data.val();
        self.window.write_bytes.next = self.axi.write_bytes.val();
        self.window.read.next = self.axi.read.val();
        self.window.read_word.next = self.axi.read_word.val();
        self.axi.read_ready.next = self.window.read_ready.val();
        self.axi.read_data.next = self.window.read_data.val();
        self.window.credits.next = self.credits.val();

        // The down ring to frames.
        self.reader.tail.next = self.window.down_tail.val();
        self.window.down_head.next = self.reader.head.val();
        self.window.down_read.next = self.reader.read.val();
        self.window.down_address.next = self.reader.address.val();
        self.reader.data.next = self.window.down_data.val();
        self.reader.ready.next = self.buffer.ready.val();
        self.buffer.start.next = self.reader.start.val();
        self.buffer.byte_valid.next = self.reader.byte_valid.val();
        self.buffer.byte_data.next = self.reader.byte_data.val();
        self.buffer.finish.next = self.reader.finish.val();
        self.buffer.broken.next = self.reader.broken.val();
        self.buffer.too_long.next = self.reader.too_long.val();
        self.frame_valid.next = self.buffer.frame_valid.val();
        self.frame_cause.next = self.buffer.frame_cause.val();
        self.frame_kind.next = self.buffer.frame_kind.val();
        self.frame_length.next = self.buffer.frame_length.val();
        self.buffer.frame_done.next = self.frame_done.val();
        self.buffer.read_address.next = self.read_address.val();
        self.read_data.next = self.buffer.read_data.val();

        // Frames to the up ring.
        self.writer.byte_valid.next = self.byte_valid.val();
        self.writer.byte_data.next = self.byte_data.val();
        self.byte_ready.next = self.writer.byte_ready.val();
        self.writer.finish.next = self.finish.val();
        self.finished.next = self.writer.finished.val();
        self.room.next = self.writer.room.val();
        self.writer.head.next = self.window.up_head.val();
        self.window.up_tail.next = self.writer.tail.val();
        self.window.up_write.next = self.writer.write.val();
        self.window.up_address.next = self.writer.address.val();
        self.window.up_data.next = self.writer.data.val();
    }
}
