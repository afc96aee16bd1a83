use bluebelle_spec::wire::{DropCause, MAX_FRAME, VERSION};
use rust_hdl::prelude::*;

use super::crc32::Crc32;
use crate::queue::Memory;

/// Finds frames in the bytes from the wire: undoes COBS, checks the CRC and keeps the payload.
///
/// It does what `bluebelle_spec::wire::Decoder` does, byte by byte. All payloads are made of 16-bit words, so the RAM is too:
/// the low byte waits for the high one. The count of bytes starts at -4, so that the payload starts at word 0 and the
/// header goes to the end of the RAM, where no payload reaches.
#[derive(LogicBlock)]
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

    start: Constant<Bits<11>>,
    limit: Constant<Bits<11>>,
    version: Constant<Bits<8>>,
    cause_crc: Constant<Bits<3>>,
    cause_framing: Constant<Bits<3>>,
    cause_length: Constant<Bits<3>>,
    cause_version: Constant<Bits<3>>,
    cause_overflow: Constant<Bits<3>>,

    memory: Memory<Bits<16>, 10>,
    crc: Crc32,
    /// Inside a frame.
    started: DFF<Bit>,
    /// The frame has ended.
    ended: DFF<Bit>,
    /// Bytes before the next code.
    left: DFF<Bits<8>>,
    /// No zero follows this block.
    chain: DFF<Bit>,
    /// Bytes of the frame, less 4.
    count: DFF<Bits<11>>,
    overflow: DFF<Bit>,
    broken: DFF<Bit>,
    low: DFF<Bits<8>>,
    kind: DFF<Bits<8>>,
    version_differs: DFF<Bit>,
    said: DFF<Bits<16>>,

    take: Signal<Local, Bit>,
    out_valid: Signal<Local, Bit>,
    out_data: Signal<Local, Bits<8>>,
    word: Signal<Local, Bits<16>>,
    code: Signal<Local, Bits<8>>,
    less: Signal<Local, Bits<8>>,
    length: Signal<Local, Bits<11>>,
    wide_length: Signal<Local, Bits<16>>,
    too_short: Signal<Local, Bit>,
}

impl CobsDecode {
    /// The block.
    pub fn new() -> CobsDecode {
        let cause = |cause: DropCause| Constant::new((cause as u8).to_bits());
        CobsDecode {
            clock: Signal::default(),
            rx_data: Signal::default(),
            rx_valid: Signal::default(),
            rx_ready: Signal::default(),
            frame_valid: Signal::default(),
            frame_cause: Signal::default(),
            frame_kind: Signal::default(),
            frame_length: Signal::default(),
            frame_done: Signal::default(),
            read_address: Signal::default(),
            read_data: Signal::default(),
            start: Constant::new(2044.into()),
            limit: Constant::new((MAX_FRAME - 4).to_bits()),
            version: Constant::new(VERSION.to_bits()),
            cause_crc: cause(DropCause::Crc),
            cause_framing: cause(DropCause::Framing),
            cause_length: cause(DropCause::Length),
            cause_version: cause(DropCause::Version),
            cause_overflow: cause(DropCause::Overflow),
            memory: Memory::default(),
            crc: Crc32::new(),
            started: DFF::default(),
            ended: DFF::default(),
            left: DFF::default(),
            chain: DFF::default(),
            count: DFF::default(),
            overflow: DFF::default(),
            broken: DFF::default(),
            low: DFF::default(),
            kind: DFF::default(),
            version_differs: DFF::default(),
            said: DFF::default(),
            take: Signal::default(),
            out_valid: Signal::default(),
            out_data: Signal::default(),
            word: Signal::default(),
            code: Signal::default(),
            less: Signal::default(),
            length: Signal::default(),
            wide_length: Signal::default(),
            too_short: Signal::default(),
        }
    }
}

impl Default for CobsDecode {
    fn default() -> CobsDecode {
        CobsDecode::new()
    }
}

impl Logic for CobsDecode {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            started,
            ended,
            left,
            chain,
            count,
            overflow,
            broken,
            low,
            kind,
            version_differs,
            said
        );
        clock!(self, clock, crc);
        self.memory.clock.next = self.clock.val();

        self.rx_ready.next = !self.ended.q.val();
        self.take.next = self.rx_valid.val() & !self.ended.q.val();

        // Undo COBS: a code byte stands for the zero before it, unless it opens the frame or follows a full block.
        self.out_valid.next = false;
        self.out_data.next = self.rx_data.val();
        self.code.next = self.left.q.val();
        if !self.started.q.val() | (self.left.q.val() == 0) {
            self.code.next = self.rx_data.val();
        }
        self.less.next = self.code.val() - 1;
        self.crc.clear.next = false;
        if self.take.val() {
            if self.rx_data.val() == 0 {
                if self.started.q.val() {
                    self.started.d.next = false;
                    self.ended.d.next = true;
                    self.broken.d.next = self.left.q.val() != 0;
                }
            } else if !self.started.q.val() {
                self.started.d.next = true;
                self.left.d.next = self.less.val();
                self.chain.d.next = self.rx_data.val() == 0xff;
                self.count.d.next = self.start.val();
                self.overflow.d.next = false;
                self.crc.clear.next = true;
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

        // Keep the bytes.
        self.word.next = bit_cast::<16, 8>(self.low.q.val()) | (bit_cast::<16, 8>(self.out_data.val()) << 8);
        self.memory.write_address.next = self.count.q.val().get_bits::<10>(1);
        self.memory.write_data.next = self.word.val();
        self.memory.write_enable.next = false;
        self.crc.enable.next = false;
        self.crc.data.next = self.out_data.val();
        if self.out_valid.val() {
            if self.count.q.val() == self.limit.val() {
                self.overflow.d.next = true;
            } else {
                self.count.d.next = self.count.q.val() + 1;
                self.crc.enable.next = true;
                if self.count.q.val().get_bit(0) {
                    self.memory.write_enable.next = true;
                } else {
                    self.low.d.next = self.out_data.val();
                }
                if self.count.q.val() == 2045 {
                    self.kind.d.next = self.low.q.val();
                    self.version_differs.d.next = self.out_data.val() != self.version.val();
                }
                if self.count.q.val() == 2047 {
                    self.said.d.next = self.word.val();
                }
            }
        }

        // Judge the frame: the first that holds, in the order of the specification.
        self.length.next = self.count.q.val() - 4;
        self.wide_length.next = bit_cast::<16, 11>(self.length.val());
        self.too_short.next = (self.count.q.val().get_bits::<9>(2) == 0) | (self.count.q.val().get_bits::<9>(2) == 511);
        self.frame_cause.next = 7.into();
        if self.overflow.q.val() {
            self.frame_cause.next = self.cause_overflow.val();
        } else if self.broken.q.val() | self.too_short.val() {
            self.frame_cause.next = self.cause_framing.val();
        } else if !self.crc.good.val() {
            self.frame_cause.next = self.cause_crc.val();
        } else if self.said.q.val() != self.wide_length.val() {
            self.frame_cause.next = self.cause_length.val();
        } else if self.version_differs.q.val() {
            self.frame_cause.next = self.cause_version.val();
        }
        self.frame_valid.next = self.ended.q.val();
        self.frame_kind.next = self.kind.q.val();
        self.frame_length.next = self.length.val();
        if self.frame_done.val() {
            self.ended.d.next = false;
        }

        self.memory.read_address.next = self.read_address.val();
        self.read_data.next = self.memory.read_data.val();
    }
}
