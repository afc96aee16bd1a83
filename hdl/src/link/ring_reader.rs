use bluebelle_spec::rings::Header;
use bluebelle_spec::wire::{FRAME_OVERHEAD, MAX_PAYLOAD};
use rust_hdl::prelude::*;

/// Takes frames out of the down ring, a byte at a time, as `bluebelle_spec::rings::Receiver` does.
///
/// A tail that cannot be makes it begin anew where the tail is, and a length that cannot be makes it drop all up to the tail; both
/// count as a frame that was dropped.
#[derive(LogicBlock)]
pub struct RingReader {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Ring in: the word at `address`, one cycle after `read`.
    /// The host has written up to here.
    pub tail: Signal<In, Bits<32>>,
    /// This block has read up to here.
    pub head: Signal<Out, Bits<32>>,
    /// A word is wanted.
    pub read: Signal<Out, Bit>,
    /// Which.
    pub address: Signal<Out, Bits<11>>,
    /// The word.
    pub data: Signal<In, Bits<32>>,

    // Frame out, begun only when `ready`: one byte in every cycle with `byte_valid`, then `finish`.
    /// There is room for a frame.
    pub ready: Signal<In, Bit>,
    /// A frame begins.
    pub start: Signal<Out, Bit>,
    /// There is a byte.
    pub byte_valid: Signal<Out, Bit>,
    /// The byte.
    pub byte_data: Signal<Out, Bits<8>>,
    /// The frame has ended.
    pub finish: Signal<Out, Bit>,
    /// It is none, because it goes on beyond the tail.
    pub broken: Signal<Out, Bit>,
    /// It is none, because it is too long.
    pub too_long: Signal<Out, Bit>,

    size: Constant<Bits<32>>,
    most: Constant<Bits<16>>,
    overhead: Constant<Bits<16>>,

    step: DFF<ReaderStep>,
    at: DFF<Bits<32>>,
    /// The tail and the words before it, when this frame began.
    seen_tail: DFF<Bits<32>>,
    used: DFF<Bits<32>>,
    /// The word whose bytes go out, and the next one.
    word: DFF<Bits<32>>,
    next_word: DFF<Bits<32>>,
    /// Bytes to go.
    left: DFF<Bits<16>>,
    /// Which byte of a word is next.
    phase: DFF<Bits<2>>,
    overflow: DFF<Bit>,

    full: Signal<Local, Bits<32>>,
    length: Signal<Local, Bits<16>>,
    bytes: Signal<Local, Bits<16>>,
    rounded: Signal<Local, Bits<16>>,
    words: Signal<Local, Bits<32>>,
    next_at: Signal<Local, Bits<32>>,
    // Outputs are written once: in an event-driven simulation a default and an override would wake whoever listens, and they us,
    // for ever.
    out_read: Signal<Local, Bit>,
    out_address: Signal<Local, Bits<11>>,
    out_start: Signal<Local, Bit>,
    out_byte_valid: Signal<Local, Bit>,
    out_finish: Signal<Local, Bit>,
    out_broken: Signal<Local, Bit>,
    out_too_long: Signal<Local, Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum ReaderStep {
    Look,
    Judge,
    Fetch,
    First,
    Check,
    Send,
    Finish,
    Drop,
}

impl RingReader {
    /// The block.
    pub fn new() -> RingReader {
        RingReader {
            clock: Signal::default(),
            tail: Signal::default(),
            head: Signal::default(),
            read: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            ready: Signal::default(),
            start: Signal::default(),
            byte_valid: Signal::default(),
            byte_data: Signal::default(),
            finish: Signal::default(),
            broken: Signal::default(),
            too_long: Signal::default(),
            size: Constant::new(Bits::from(u64::from(Header::OURS.down.size))),
            most: Constant::new(MAX_PAYLOAD.to_bits()),
            overhead: Constant::new(FRAME_OVERHEAD.to_bits()),
            step: DFF::default(),
            at: DFF::default(),
            seen_tail: DFF::default(),
            used: DFF::default(),
            word: DFF::default(),
            next_word: DFF::default(),
            left: DFF::default(),
            phase: DFF::default(),
            overflow: DFF::default(),
            full: Signal::default(),
            length: Signal::default(),
            bytes: Signal::default(),
            rounded: Signal::default(),
            words: Signal::default(),
            next_at: Signal::default(),
            out_read: Signal::default(),
            out_address: Signal::default(),
            out_start: Signal::default(),
            out_byte_valid: Signal::default(),
            out_finish: Signal::default(),
            out_broken: Signal::default(),
            out_too_long: Signal::default(),
        }
    }
}

impl Default for RingReader {
    fn default() -> RingReader {
        RingReader::new()
    }
}

impl Logic for RingReader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, step, at, seen_tail, used, word, next_word, left, phase, overflow
        );
        self.full.next = self.tail.val() - self.at.q.val();
        self.length.next = self.word.q.val().get_bits::<16>(16);
        self.bytes.next = self.length.val() + self.overhead.val();
        self.rounded.next = self.bytes.val() + 3;
        self.words.next = bit_cast::<32, 14>(self.rounded.val().get_bits::<14>(2));
        self.next_at.next = self.at.q.val() + 1;

        self.head.next = self.at.q.val();
        self.out_read.next = false;
        self.out_address.next = self.at.q.val().get_bits::<11>(0);
        self.out_start.next = false;
        self.out_byte_valid.next = false;
        self.byte_data.next = self.word.q.val().get_bits::<8>(0);
        self.out_finish.next = false;
        self.out_broken.next = false;
        self.out_too_long.next = false;

        match self.step.q.val() {
            ReaderStep::Look => {
                self.seen_tail.d.next = self.tail.val();
                self.used.d.next = self.full.val();
                self.overflow.d.next = false;
                if self.ready.val() & (self.tail.val() != self.at.q.val()) {
                    self.step.d.next = ReaderStep::Judge;
                }
            }
            ReaderStep::Judge => {
                self.step.d.next = ReaderStep::Fetch;
                if self.used.q.val() > self.size.val() {
                    self.step.d.next = ReaderStep::Drop;
                }
            }
            ReaderStep::Fetch => {
                self.out_read.next = true;
                self.step.d.next = ReaderStep::First;
            }
            ReaderStep::First => {
                self.word.d.next = self.data.val();
                self.step.d.next = ReaderStep::Check;
            }
            ReaderStep::Check => {
                self.out_start.next = true;
                self.left.d.next = self.bytes.val();
                self.phase.d.next = 0.into();
                self.step.d.next = ReaderStep::Send;
                if self.length.val() > self.most.val() {
                    self.overflow.d.next = true;
                    self.step.d.next = ReaderStep::Drop;
                } else if self.words.val() > self.used.q.val() {
                    self.step.d.next = ReaderStep::Drop;
                }
            }
            // The index counts on with every word, so the next word is fetched while the bytes of this one go out.
            ReaderStep::Send => {
                self.out_byte_valid.next = true;
                self.left.d.next = self.left.q.val() - 1;
                self.phase.d.next = self.phase.q.val() + 1;
                self.word.d.next = self.word.q.val() >> 8;
                self.out_address.next = self.next_at.val().get_bits::<11>(0);
                self.out_read.next = self.phase.q.val() == 0;
                if self.phase.q.val() == 1 {
                    self.next_word.d.next = self.data.val();
                }
                if self.phase.q.val() == 3 {
                    self.word.d.next = self.next_word.q.val();
                    self.at.d.next = self.next_at.val();
                }
                if self.left.q.val() == 1 {
                    self.at.d.next = self.next_at.val();
                    self.step.d.next = ReaderStep::Finish;
                }
            }
            ReaderStep::Finish => {
                self.out_finish.next = true;
                self.step.d.next = ReaderStep::Look;
            }
            ReaderStep::Drop => {
                self.out_start.next = true;
                self.out_finish.next = true;
                self.out_broken.next = !self.overflow.q.val();
                self.out_too_long.next = self.overflow.q.val();
                self.at.d.next = self.seen_tail.q.val();
                self.step.d.next = ReaderStep::Look;
            }
            _ => {
                self.step.d.next = ReaderStep::Look;
            }
        }

        self.read.next = self.out_read.val();
        self.address.next = self.out_address.val();
        self.start.next = self.out_start.val();
        self.byte_valid.next = self.out_byte_valid.val();
        self.finish.next = self.out_finish.val();
        self.broken.next = self.out_broken.val();
        self.too_long.next = self.out_too_long.val();
    }
}
