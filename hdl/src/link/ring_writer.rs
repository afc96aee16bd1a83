use bluebelle_spec::rings::{Header, Ring};
use rust_hdl::prelude::*;

/// Puts frames into the up ring, as `bluebelle_spec::rings::Sender` does: bytes to words, and the tail when a frame is complete.
///
/// A host whose head cannot be gets nothing until it has mended it.
#[derive(LogicBlock)]
pub struct RingWriter {
    /// The clock.
    pub clock: Signal<In, Clock>,

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

    // Ring out: one word in every cycle with `write`.
    /// The host has read up to here.
    pub head: Signal<In, Bits<32>>,
    /// This block has written up to here.
    pub tail: Signal<Out, Bits<32>>,
    /// There is a word.
    pub write: Signal<Out, Bit>,
    /// Where it goes.
    pub address: Signal<Out, Bits<11>>,
    /// The word.
    pub data: Signal<Out, Bits<32>>,

    too_full: Constant<Bits<32>>,

    /// What the host knows, and where the next word goes.
    told: DFF<Bits<32>>,
    at: DFF<Bits<32>>,
    /// The bytes of the next word so far.
    word: DFF<Bits<32>>,
    phase: DFF<Bits<2>>,
    roomy: DFF<Bit>,

    used: Signal<Local, Bits<32>>,
    wide: Signal<Local, Bits<32>>,
    placed: Signal<Local, Bits<32>>,
    next_at: Signal<Local, Bits<32>>,
    // Outputs are written once: in an event-driven simulation a default and an override would wake whoever listens, and they us,
    // for ever.
    out_finished: Signal<Local, Bit>,
    out_write: Signal<Local, Bit>,
}

impl RingWriter {
    /// The block.
    pub fn new() -> RingWriter {
        RingWriter {
            clock: Signal::default(),
            byte_valid: Signal::default(),
            byte_data: Signal::default(),
            byte_ready: Signal::default(),
            finish: Signal::default(),
            finished: Signal::default(),
            room: Signal::default(),
            head: Signal::default(),
            tail: Signal::default(),
            write: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            too_full: Constant::new(Bits::from(u64::from(Header::OURS.up.size - Ring::LEAST + 1))),
            told: DFF::default(),
            at: DFF::default(),
            word: DFF::default(),
            phase: DFF::default(),
            roomy: DFF::default(),
            used: Signal::default(),
            wide: Signal::default(),
            placed: Signal::default(),
            next_at: Signal::default(),
            out_finished: Signal::default(),
            out_write: Signal::default(),
        }
    }
}

impl Default for RingWriter {
    fn default() -> RingWriter {
        RingWriter::new()
    }
}

impl Logic for RingWriter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, told, at, word, phase, roomy);
        // A cycle late: the sum and the comparison are long. Nobody begins a frame in the cycle after the one before.
        self.used.next = self.told.q.val() - self.head.val();
        self.roomy.d.next = self.used.val() < self.too_full.val();
        self.room.next = self.roomy.q.val();

        self.next_at.next = self.at.q.val() + 1;
        self.tail.next = self.told.q.val();
        self.byte_ready.next = true;
        self.out_finished.next = false;
        self.out_write.next = false;
        self.address.next = self.at.q.val().get_bits::<11>(0);
        self.wide.next = bit_cast::<32, 8>(self.byte_data.val());
        self.placed.next = self.word.q.val();
        if self.byte_valid.val() {
            if self.phase.q.val() == 0 {
                self.placed.next = self.wide.val();
            } else if self.phase.q.val() == 1 {
                self.placed.next = self.word.q.val() | (self.wide.val() << 8);
            } else if self.phase.q.val() == 2 {
                self.placed.next = self.word.q.val() | (self.wide.val() << 16);
            } else {
                self.placed.next = self.word.q.val() | (self.wide.val() << 24);
                self.out_write.next = true;
                self.at.d.next = self.next_at.val();
            }
            self.phase.d.next = self.phase.q.val() + 1;
        } else if self.finish.val() {
            // The last word is filled up with zeros, and the tail follows when all words are there.
            if self.phase.q.val() == 0 {
                self.told.d.next = self.at.q.val();
                self.out_finished.next = true;
            } else {
                self.out_write.next = true;
                self.at.d.next = self.next_at.val();
                self.phase.d.next = 0.into();
            }
        }
        self.word.d.next = self.placed.val();
        self.data.next = self.placed.val();

        self.finished.next = self.out_finished.val();
        self.write.next = self.out_write.val();
    }
}
