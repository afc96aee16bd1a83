use bluebelle_spec::leaf::Ending;
use rust_hdl::prelude::*;

use super::memory::Memory;
use super::signals;

/// Collects results from the cores, each in its turn, and keeps them until they are sent.
///
/// A result is 8 words of 16 bits, in the order of the wire, and is copied a word a cycle.
#[derive(LogicBlock)]
pub struct ResultQueue {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Results in, from the cores: held until `result_ready`.
    /// There is a result.
    pub result_valid: Vec<Signal<In, Bit>>,
    /// It is taken; for one cycle.
    pub result_ready: Vec<Signal<Out, Bit>>,
    /// The job.
    pub result_id: Vec<Signal<In, Bits<16>>>,
    /// How it ended, an [`Ending`].
    pub result_ending: Vec<Signal<In, Bits<3>>>,
    /// The score.
    pub result_score: Vec<Signal<In, Bits<16>>>,
    /// The best move.
    pub result_best: Vec<Signal<In, Bits<16>>>,
    /// The nodes.
    pub result_nodes: Vec<Signal<In, Bits<32>>>,
    /// The slots.
    pub result_slots: Vec<Signal<In, Bits<32>>>,

    // Aborted jobs in: held until `dropped_ready`.
    /// A job was aborted while it waited.
    pub dropped_valid: Signal<In, Bit>,
    /// Its id.
    pub dropped_id: Signal<In, Bits<16>>,
    /// It is taken.
    pub dropped_ready: Signal<Out, Bit>,

    // Results out: `pop` takes a word; the next one is there two cycles later.
    /// How many results there are.
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

    aborted: Constant<Bits<3>>,
    sources: Constant<Bits<5>>,

    words: Memory<Bits<16>, 10>,
    step: DFF<CollectStep>,
    /// The core whose turn it is; one beyond the last for aborted jobs.
    source: DFF<Bits<5>>,
    at: DFF<Bits<3>>,
    tail: DFF<Bits<7>>,
    head: DFF<Bits<10>>,

    waiting: Signal<Local, Bits<7>>,
    valid: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    /// The word at `at` of each core's result.
    core_word: Vec<Signal<Local, Bits<16>>>,
    chosen_word: Signal<Local, Bits<16>>,
    chosen_ending: Signal<Local, Bits<3>>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum CollectStep {
    Seek,
    Copy,
    Take,
}

impl ResultQueue {
    /// The block, for so many cores.
    pub fn new(cores: usize) -> ResultQueue {
        ResultQueue {
            clock: Signal::default(),
            result_valid: signals(cores),
            result_ready: signals(cores),
            result_id: signals(cores),
            result_ending: signals(cores),
            result_score: signals(cores),
            result_best: signals(cores),
            result_nodes: signals(cores),
            result_slots: signals(cores),
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
            at: DFF::default(),
            tail: DFF::default(),
            head: DFF::default(),
            waiting: Signal::default(),
            valid: Signal::default(),
            take: Signal::default(),
            core_word: signals(cores),
            chosen_word: Signal::default(),
            chosen_ending: Signal::default(),
        }
    }
}

impl Logic for ResultQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, source, at, tail, head);
        self.words.clock.next = self.clock.val();

        self.waiting.next = self.tail.q.val() - self.head.q.val().get_bits::<7>(3);
        self.results.next = bit_cast::<8, 7>(self.waiting.val());
        self.take.next = self.step.q.val() == CollectStep::Take;

        // Whose turn it is. Of an aborted job there is the id and the ending.
        self.valid.next = self.dropped_valid.val() & (self.source.q.val() == self.sources.val());
        self.dropped_ready.next = self.take.val() & (self.source.q.val() == self.sources.val());
        self.chosen_word.next = 0.into();
        self.chosen_ending.next = 0.into();
        if self.source.q.val() == self.sources.val() {
            self.chosen_ending.next = self.aborted.val();
            if self.at.q.val() == 0 {
                self.chosen_word.next = self.dropped_id.val();
            }
        }
        for i in 0..self.result_valid.len() {
            if self.at.q.val().get_bit(2) {
                if self.at.q.val().get_bit(1) {
                    self.core_word[i].next = self.result_slots[i].val().get_bits::<16>(0);
                    if self.at.q.val().get_bit(0) {
                        self.core_word[i].next = self.result_slots[i].val().get_bits::<16>(16);
                    }
                } else {
                    self.core_word[i].next = self.result_nodes[i].val().get_bits::<16>(0);
                    if self.at.q.val().get_bit(0) {
                        self.core_word[i].next = self.result_nodes[i].val().get_bits::<16>(16);
                    }
                }
            } else if self.at.q.val().get_bit(1) {
                self.core_word[i].next = self.result_score[i].val();
                if self.at.q.val().get_bit(0) {
                    self.core_word[i].next = self.result_best[i].val();
                }
            } else {
                self.core_word[i].next = self.result_id[i].val();
                if self.at.q.val().get_bit(0) {
                    self.core_word[i].next = 0.into();
                }
            }
            self.result_ready[i].next = false;
            if self.source.q.val() == i.to_bits() {
                self.valid.next = self.valid.val() | self.result_valid[i].val();
                self.chosen_word.next = self.chosen_word.val() | self.core_word[i].val();
                self.chosen_ending.next = self.chosen_ending.val() | self.result_ending[i].val();
                self.result_ready[i].next = self.take.val();
            }
        }
        self.words.write_enable.next = self.step.q.val() == CollectStep::Copy;
        self.words.write_address.next =
            bit_cast::<10, 3>(self.at.q.val()) | (bit_cast::<10, 7>(self.tail.q.val()) << 3);
        self.words.write_data.next = self.chosen_word.val();
        if self.at.q.val() == 1 {
            self.words.write_data.next = bit_cast::<16, 3>(self.chosen_ending.val());
        }

        match self.step.q.val() {
            CollectStep::Seek => {
                self.at.d.next = 0.into();
                if self.valid.val() & self.discard.val() {
                    self.step.d.next = CollectStep::Take;
                } else if self.valid.val() & (self.waiting.val() != 127) {
                    self.step.d.next = CollectStep::Copy;
                } else if self.source.q.val() == self.sources.val() {
                    self.source.d.next = 0.into();
                } else {
                    self.source.d.next = self.source.q.val() + 1;
                }
            }
            CollectStep::Copy => {
                self.at.d.next = self.at.q.val() + 1;
                if self.at.q.val() == 7 {
                    self.step.d.next = CollectStep::Take;
                }
            }
            CollectStep::Take => {
                if !self.discard.val() {
                    self.tail.d.next = self.tail.q.val() + 1;
                }
                self.source.d.next = self.source.q.val() + 1;
                if self.source.q.val() == self.sources.val() {
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
