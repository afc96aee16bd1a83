use bluebelle_spec::wire::{DropCause, MAX_FRAME, VERSION};
use rust_hdl::prelude::*;

use super::crc32::Crc32;
use crate::queue::Memory;

/// Keeps the frame that comes in, unstuffed, and judges it: its CRC, its length, its version.
///
/// It does what `bluebelle_spec::wire::Frame::open` does, byte by byte. All payloads are made of 16-bit words, so the RAM is too: the
/// low byte waits for the high one. The count of bytes starts at -4, so that the payload starts at word 0 and the header goes
/// to the end of the RAM, where no payload reaches.
#[derive(LogicBlock)]
pub struct FrameBuffer {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Frame in, while `ready`: `start`, then one byte in every cycle with `byte_valid`, then `finish`. `start` and `finish` may come
    // in one cycle.
    /// No frame is held.
    pub ready: Signal<Out, Bit>,
    /// A frame begins.
    pub start: Signal<In, Bit>,
    /// There is a byte.
    pub byte_valid: Signal<In, Bit>,
    /// The byte.
    pub byte_data: Signal<In, Bits<8>>,
    /// The frame has ended.
    pub finish: Signal<In, Bit>,
    /// With `finish`: it was cut off.
    pub broken: Signal<In, Bit>,
    /// With `finish`: it was too long to be sent here at all.
    pub too_long: Signal<In, Bit>,

    // Frame out: held until `frame_done`.
    /// A frame has ended.
    pub frame_valid: Signal<Out, Bit>,
    /// Why it is dropped, a [`DropCause`]; 7 if it is good so far.
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

    first_count: Constant<Bits<11>>,
    limit: Constant<Bits<11>>,
    version: Constant<Bits<8>>,
    cause_crc: Constant<Bits<3>>,
    cause_framing: Constant<Bits<3>>,
    cause_length: Constant<Bits<3>>,
    cause_version: Constant<Bits<3>>,
    cause_overflow: Constant<Bits<3>>,

    memory: Memory<Bits<16>, 10>,
    crc: Crc32,
    /// The frame has ended.
    ended: DFF<Bit>,
    /// Bytes of the frame, less 4.
    count: DFF<Bits<11>>,
    overflow: DFF<Bit>,
    cut_off: DFF<Bit>,
    low: DFF<Bits<8>>,
    kind: DFF<Bits<8>>,
    version_differs: DFF<Bit>,
    said: DFF<Bits<16>>,
    /// What is known of it is in the registers below.
    judged: DFF<Bit>,
    cause: DFF<Bits<3>>,
    length: DFF<Bits<11>>,

    word: Signal<Local, Bits<16>>,
    less_overhead: Signal<Local, Bits<11>>,
    wide_length: Signal<Local, Bits<16>>,
    too_short: Signal<Local, Bit>,
}

impl FrameBuffer {
    /// The block.
    pub fn new() -> FrameBuffer {
        let cause = |cause: DropCause| Constant::new((cause as u8).to_bits());
        FrameBuffer {
            clock: Signal::default(),
            ready: Signal::default(),
            start: Signal::default(),
            byte_valid: Signal::default(),
            byte_data: Signal::default(),
            finish: Signal::default(),
            broken: Signal::default(),
            too_long: Signal::default(),
            frame_valid: Signal::default(),
            frame_cause: Signal::default(),
            frame_kind: Signal::default(),
            frame_length: Signal::default(),
            frame_done: Signal::default(),
            read_address: Signal::default(),
            read_data: Signal::default(),
            first_count: Constant::new(2044.into()),
            limit: Constant::new((MAX_FRAME - 4).to_bits()),
            version: Constant::new(VERSION.to_bits()),
            cause_crc: cause(DropCause::Crc),
            cause_framing: cause(DropCause::Framing),
            cause_length: cause(DropCause::Length),
            cause_version: cause(DropCause::Version),
            cause_overflow: cause(DropCause::Overflow),
            memory: Memory::default(),
            crc: Crc32::new(),
            ended: DFF::default(),
            count: DFF::default(),
            overflow: DFF::default(),
            cut_off: DFF::default(),
            low: DFF::default(),
            kind: DFF::default(),
            version_differs: DFF::default(),
            said: DFF::default(),
            judged: DFF::default(),
            cause: DFF::default(),
            length: DFF::default(),
            word: Signal::default(),
            less_overhead: Signal::default(),
            wide_length: Signal::default(),
            too_short: Signal::default(),
        }
    }
}

impl Default for FrameBuffer {
    fn default() -> FrameBuffer {
        FrameBuffer::new()
    }
}

impl Logic for FrameBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            ended,
            count,
            overflow,
            cut_off,
            low,
            kind,
            version_differs,
            said,
            judged,
            cause,
            length
        );
        clock!(self, clock, crc);
        self.memory.clock.next = self.clock.val();
        self.ready.next = !self.ended.q.val();

        // Keep the bytes.
        self.word.next = bit_cast::<16, 8>(self.low.q.val()) | (bit_cast::<16, 8>(self.byte_data.val()) << 8);
        self.memory.write_address.next = self.count.q.val().get_bits::<10>(1);
        self.memory.write_data.next = self.word.val();
        self.memory.write_enable.next = false;
        self.crc.clear.next = self.start.val();
        self.crc.enable.next = false;
        self.crc.data.next = self.byte_data.val();
        if self.byte_valid.val() {
            if self.count.q.val() == self.limit.val() {
                self.overflow.d.next = true;
            } else {
                self.count.d.next = self.count.q.val() + 1;
                self.crc.enable.next = true;
                if self.count.q.val().get_bit(0) {
                    self.memory.write_enable.next = true;
                } else {
                    self.low.d.next = self.byte_data.val();
                }
                if self.count.q.val() == 2045 {
                    self.kind.d.next = self.low.q.val();
                    self.version_differs.d.next = self.byte_data.val() != self.version.val();
                }
                if self.count.q.val() == 2047 {
                    self.said.d.next = self.word.val();
                }
            }
        }

        if self.start.val() {
            self.count.d.next = self.first_count.val();
            self.overflow.d.next = false;
        }
        if self.finish.val() {
            self.ended.d.next = true;
            self.cut_off.d.next = self.broken.val();
            if self.too_long.val() {
                self.overflow.d.next = true;
            }
        }

        // Judge the frame: the first that holds, in the order of the specification.
        self.less_overhead.next = self.count.q.val() - 4;
        self.wide_length.next = bit_cast::<16, 11>(self.less_overhead.val());
        self.too_short.next = (self.count.q.val().get_bits::<9>(2) == 0) | (self.count.q.val().get_bits::<9>(2) == 511);
        self.cause.d.next = 7.into();
        if self.overflow.q.val() {
            self.cause.d.next = self.cause_overflow.val();
        } else if self.cut_off.q.val() | self.too_short.val() {
            self.cause.d.next = self.cause_framing.val();
        } else if !self.crc.good.val() {
            self.cause.d.next = self.cause_crc.val();
        } else if self.said.q.val() != self.wide_length.val() {
            self.cause.d.next = self.cause_length.val();
        } else if self.version_differs.q.val() {
            self.cause.d.next = self.cause_version.val();
        }
        self.length.d.next = self.less_overhead.val();
        self.judged.d.next = self.ended.q.val();
        self.frame_valid.next = self.judged.q.val();
        self.frame_cause.next = self.cause.q.val();
        self.frame_kind.next = self.kind.q.val();
        self.frame_length.next = self.length.q.val();
        if self.frame_done.val() {
            self.ended.d.next = false;
            self.judged.d.next = false;
        }

        self.memory.read_address.next = self.read_address.val();
        self.read_data.next = self.memory.read_data.val();
    }
}
