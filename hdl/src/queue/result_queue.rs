use bluebelle_spec::leaf::Ending;
use rust_hdl::prelude::*;

use super::memory::Memory;
use super::signals;

/// Collects results from the cores' docks, each in its turn, and keeps them until they are sent.
///
/// A result is 8 words of 16 bits, in the order of the wire. They come from the last dock, whichever sends them.
#[derive(LogicBlock)]
pub struct ResultQueue {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Results in, from the docks: after a `grant`, which is for one cycle while `pending`, 8 words come within a few cycles.
    /// There is a result.
    pub pending: Vec<Signal<In, Bit>>,
    /// Send it.
    pub grant: Vec<Signal<Out, Bit>>,
    /// A word.
    pub result_word: Signal<In, Bits<16>>,
    /// There is a word.
    pub result_word_valid: Signal<In, Bit>,

    // Aborted jobs in: held until `dropped_ready`.
    /// A job was aborted while it waited.
    pub dropped_valid: Signal<In, Bit>,
    /// Its id.
    pub dropped_id: Signal<In, Bits<16>>,
    /// It is taken.
    pub dropped_ready: Signal<Out, Bit>,

    // Results out: `pop` takes a word; the next one is there two cycles later.
    /// How many results there are; follows two cycles later.
    pub results: Signal<Out, Bits<8>>,
    /// A word of the oldest result.
    pub word: Signal<Out, Bits<16>>,
    /// It is taken.
    pub pop: Signal<In, Bit>,

    // Discard and clear in.
    /// Take results and forget them, even if there is no room.
    pub discard: Signal<In, Bit>,
    /// Forget all results; while nothing is popped, and `discard`.
    pub clear: Signal<In, Bit>,

    aborted: Constant<Bits<16>>,
    sources: Constant<Bits<5>>,

    words: Memory<Bits<16>, 10>,
    step: DFF<CollectStep>,
    /// The core whose turn it is; one beyond the last for aborted jobs.
    source: DFF<Bits<5>>,
    /// The words of an aborted job that are on their way.
    own_at: DFF<Bits<3>>,
    /// The word on its way into the RAM, and its place.
    joined: DFF<Bits<16>>,
    joined_valid: DFF<Bit>,
    at: DFF<Bits<3>>,
    tail: DFF<Bits<7>>,
    head: DFF<Bits<10>>,
    /// The results that wait.
    waiting: DFF<Bits<7>>,

    full: Signal<Local, Bit>,
    own: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum CollectStep {
    Seek,
    Grant,
    Own,
    Copy,
    Take,
}

impl ResultQueue {
    /// The block, for so many cores.
    pub fn new(cores: usize) -> ResultQueue {
        ResultQueue {
            clock: Signal::default(),
            pending: signals(cores),
            grant: signals(cores),
            result_word: Signal::default(),
            result_word_valid: Signal::default(),
            dropped_valid: Signal::default(),
            dropped_id: Signal::default(),
            dropped_ready: Signal::default(),
            results: Signal::default(),
            word: Signal::default(),
            pop: Signal::default(),
            discard: Signal::default(),
            clear: Signal::default(),
            aborted: Constant::new((Ending::Aborted as u8).to_bits()),
            sources: Constant::new(cores.to_bits()),
            words: Memory::default(),
            step: DFF::default(),
            source: DFF::default(),
            own_at: DFF::default(),
            joined: DFF::default(),
            joined_valid: DFF::default(),
            at: DFF::default(),
            tail: DFF::default(),
            head: DFF::default(),
            waiting: DFF::default(),
            full: Signal::default(),
            own: Signal::default(),
            valid: Signal::default(),
        }
    }
}

impl Logic for ResultQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            step,
            source,
            own_at,
            joined,
            joined_valid,
            at,
            tail,
            head,
            waiting
        );
        self.words.clock.next = self.clock.val();

        self.waiting.d.next = self.tail.q.val() - self.head.q.val().get_bits::<7>(3);
        self.results.next = bit_cast::<8, 7>(self.waiting.q.val());
        // `waiting` is a cycle late, so the last place stays free.
        self.full.next = self.waiting.q.val().get_bits::<6>(1).all();
        self.own.next = self.source.q.val() == self.sources.val();

        // Whose turn it is.
        self.valid.next = self.dropped_valid.val() & self.own.val();
        for i in 0..self.pending.len() {
            self.grant[i].next = false;
            if self.source.q.val() == i.to_bits() {
                self.valid.next = self.valid.val() | self.pending[i].val();
                self.grant[i].next = self.step.q.val() == CollectStep::Grant;
            }
        }
        self.joined.d.next = self.result_word.val();
        self.joined_valid.d.next = self.result_word_valid.val();
        self.words.write_enable.next = self.joined_valid.q.val();
        self.words.write_address.next =
            bit_cast::<10, 3>(self.at.q.val()) | (bit_cast::<10, 7>(self.tail.q.val()) << 3);
        self.words.write_data.next = self.joined.q.val();
        if self.joined_valid.q.val() {
            self.at.d.next = self.at.q.val() + 1;
        }
        self.dropped_ready.next = false;

        match self.step.q.val() {
            CollectStep::Seek => {
                if self.valid.val() & (self.discard.val() | !self.full.val()) {
                    self.step.d.next = CollectStep::Grant;
                    if self.own.val() {
                        self.step.d.next = CollectStep::Own;
                    }
                } else if self.own.val() {
                    self.source.d.next = 0.into();
                } else {
                    self.source.d.next = self.source.q.val() + 1;
                }
            }
            CollectStep::Grant => {
                self.step.d.next = CollectStep::Copy;
            }
            // Of an aborted job there is the id and the ending.
            CollectStep::Own => {
                self.joined_valid.d.next = true;
                if self.own_at.q.val() == 0 {
                    self.joined.d.next = self.dropped_id.val();
                } else if self.own_at.q.val() == 1 {
                    self.joined.d.next = self.aborted.val();
                }
                self.own_at.d.next = self.own_at.q.val() + 1;
                if self.own_at.q.val() == 7 {
                    self.dropped_ready.next = true;
                    self.step.d.next = CollectStep::Copy;
                }
            }
            CollectStep::Copy => {
                if self.joined_valid.q.val() & (self.at.q.val() == 7) {
                    self.step.d.next = CollectStep::Take;
                }
            }
            CollectStep::Take => {
                if !self.discard.val() {
                    self.tail.d.next = self.tail.q.val() + 1;
                }
                self.source.d.next = self.source.q.val() + 1;
                if self.own.val() {
                    self.source.d.next = 0.into();
                }
                self.step.d.next = CollectStep::Seek;
            }
            _ => {
                self.step.d.next = CollectStep::Seek;
            }
        }

        self.words.read_address.next = self.head.q.val();
        self.word.next = self.words.read_data.val();
        if self.pop.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.clear.val() {
            self.tail.d.next = 0.into();
            self.head.d.next = 0.into();
        }
    }
}
