use rust_hdl::prelude::*;

use super::feeder::Feeder;

/// Ties one core to the chip.
///
/// Cores are far from the queues, so all that goes to a core or comes from it passes a register here. What goes to all cores
/// goes from dock to dock: jobs, weights and aborts come to the first dock and reach each one a cycle later than the one
/// before it. Results leave the same way, as 8 words of 16 bits in the order of the wire. So no wire is longer than
/// the way to the next core, however many there are.
#[derive(LogicBlock)]
pub struct Dock {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Jobs in, and on to the next dock: when `can_take`, a whole job may come, a word in every cycle with `load`.
    /// The core can take a job.
    pub can_take: Signal<Out, Bit>,
    /// There is a word.
    pub load: Signal<In, Bit>,
    /// For this core.
    pub load_core: Signal<In, Bits<4>>,
    /// A word of a job.
    pub load_word: Signal<In, Bits<16>>,
    /// The last word of the job.
    pub load_last: Signal<In, Bit>,
    /// There is a word, for the next dock.
    pub next_load: Signal<Out, Bit>,
    /// For this core.
    pub next_core: Signal<Out, Bits<4>>,
    /// A word of a job.
    pub next_word: Signal<Out, Bits<16>>,
    /// The last word of the job.
    pub next_last: Signal<Out, Bit>,

    // Job out, to the core: a word is taken when `job_valid` and `job_ready`.
    /// A word of a job.
    pub job_word: Signal<Out, Bits<18>>,
    /// There is a word.
    pub job_valid: Signal<Out, Bit>,
    /// It is taken.
    pub job_ready: Signal<In, Bit>,

    // Result in, from the core: held until `result_ready`.
    /// There is a result.
    pub result_valid: Signal<In, Bit>,
    /// It is taken; for one cycle.
    pub result_ready: Signal<Out, Bit>,
    /// The job.
    pub result_id: Signal<In, Bits<16>>,
    /// How it ended.
    pub result_ending: Signal<In, Bits<3>>,
    /// The score.
    pub result_score: Signal<In, Bits<16>>,
    /// The best move.
    pub result_best: Signal<In, Bits<16>>,
    /// The nodes.
    pub result_nodes: Signal<In, Bits<32>>,
    /// The slots.
    pub result_slots: Signal<In, Bits<32>>,

    // Results on to the next dock: `grant` for one cycle while `pending`, then 8 words in 8 cycles. Only one dock is sending.
    /// There is a result.
    pub pending: Signal<Out, Bit>,
    /// Send it.
    pub grant: Signal<In, Bit>,
    /// A word from the dock before.
    pub word_before: Signal<In, Bits<16>>,
    /// There is a word.
    pub word_before_valid: Signal<In, Bit>,
    /// A word from here or before; zero when there is none.
    pub word: Signal<Out, Bits<16>>,
    /// There is a word.
    pub word_valid: Signal<Out, Bit>,

    // Weights in, and on to the core and to the next dock.
    /// There is a weight.
    pub weight_write: Signal<In, Bit>,
    /// Which.
    pub weight_index: Signal<In, Bits<10>>,
    /// Its value.
    pub weight_data: Signal<In, Bits<16>>,
    /// There is a weight, for the core.
    pub core_weight_write: Signal<Out, Bit>,
    /// Which.
    pub core_weight_index: Signal<Out, Bits<10>>,
    /// Its value.
    pub core_weight_data: Signal<Out, Bits<16>>,

    // Abort in, and on to the core and to the next dock.
    /// Jobs are to be aborted.
    pub abort_valid: Signal<In, Bit>,
    /// All of them.
    pub abort_all: Signal<In, Bit>,
    /// Those with this id.
    pub abort_id: Signal<In, Bits<16>>,
    /// Jobs are to be aborted, for the core.
    pub core_abort_valid: Signal<Out, Bit>,
    /// All of them.
    pub core_abort_all: Signal<Out, Bit>,
    /// Those with this id.
    pub core_abort_id: Signal<Out, Bits<16>>,

    // How things are.
    /// The core did a slot in this cycle.
    pub core_busy: Signal<In, Bit>,
    /// The same, a cycle later.
    pub busy: Signal<Out, Bit>,
    /// No job is on its way into the core.
    pub empty: Signal<Out, Bit>,
    /// The core has no job.
    pub idle: Signal<Out, Bit>,
    /// Whatever there is, is to be forgotten.
    pub clear: Signal<In, Bit>,

    index: Constant<Bits<4>>,

    feeder: Feeder,
    taking: DFF<Bit>,
    loading: DFF<Bit>,
    loading_core: DFF<Bits<4>>,
    loading_word: DFF<Bits<16>>,
    loading_last: DFF<Bit>,
    waits: DFF<Bit>,
    granted: DFF<Bit>,
    sending: DFF<Bit>,
    at: DFF<Bits<3>>,
    sent: DFF<Bits<16>>,
    sent_valid: DFF<Bit>,
    writing: DFF<Bit>,
    writing_index: DFF<Bits<10>>,
    writing_data: DFF<Bits<16>>,
    aborting: DFF<Bit>,
    aborting_all: DFF<Bit>,
    aborting_id: DFF<Bits<16>>,
    working: DFF<Bit>,
    clearing: DFF<Bit>,

    chosen: Signal<Local, Bits<16>>,
    last_word: Signal<Local, Bit>,
}

impl Dock {
    /// The dock of the core with this index, and so many threads.
    pub fn new(index: usize, threads: u8) -> Dock {
        Dock {
            clock: Signal::default(),
            can_take: Signal::default(),
            load: Signal::default(),
            load_core: Signal::default(),
            load_word: Signal::default(),
            load_last: Signal::default(),
            next_load: Signal::default(),
            next_core: Signal::default(),
            next_word: Signal::default(),
            next_last: Signal::default(),
            job_word: Signal::default(),
            job_valid: Signal::default(),
            job_ready: Signal::default(),
            result_valid: Signal::default(),
            result_ready: Signal::default(),
            result_id: Signal::default(),
            result_ending: Signal::default(),
            result_score: Signal::default(),
            result_best: Signal::default(),
            result_nodes: Signal::default(),
            result_slots: Signal::default(),
            pending: Signal::default(),
            grant: Signal::default(),
            word_before: Signal::default(),
            word_before_valid: Signal::default(),
            word: Signal::default(),
            word_valid: Signal::default(),
            weight_write: Signal::default(),
            weight_index: Signal::default(),
            weight_data: Signal::default(),
            core_weight_write: Signal::default(),
            core_weight_index: Signal::default(),
            core_weight_data: Signal::default(),
            abort_valid: Signal::default(),
            abort_all: Signal::default(),
            abort_id: Signal::default(),
            core_abort_valid: Signal::default(),
            core_abort_all: Signal::default(),
            core_abort_id: Signal::default(),
            core_busy: Signal::default(),
            busy: Signal::default(),
            empty: Signal::default(),
            idle: Signal::default(),
            clear: Signal::default(),
            index: Constant::new(index.to_bits()),
            feeder: Feeder::new(threads),
            taking: DFF::default(),
            loading: DFF::default(),
            loading_core: DFF::default(),
            loading_word: DFF::default(),
            loading_last: DFF::default(),
            waits: DFF::default(),
            granted: DFF::default(),
            sending: DFF::default(),
            at: DFF::default(),
            sent: DFF::default(),
            sent_valid: DFF::default(),
            writing: DFF::default(),
            writing_index: DFF::default(),
            writing_data: DFF::default(),
            aborting: DFF::default(),
            aborting_all: DFF::default(),
            aborting_id: DFF::default(),
            working: DFF::default(),
            clearing: DFF::default(),
            chosen: Signal::default(),
            last_word: Signal::default(),
        }
    }
}

impl Logic for Dock {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            taking,
            loading,
            loading_core,
            loading_word,
            loading_last,
            waits,
            granted,
            sending,
            at,
            sent,
            sent_valid,
            writing,
            writing_index,
            writing_data,
            aborting,
            aborting_all,
            aborting_id,
            working,
            clearing
        );
        clock!(self, clock, feeder);

        // Jobs.
        self.loading.d.next = self.load.val();
        self.loading_word.d.next = self.load_word.val();
        self.loading_last.d.next = self.load_last.val();
        self.loading_core.d.next = self.load_core.val();
        self.next_load.next = self.loading.q.val();
        self.next_core.next = self.loading_core.q.val();
        self.next_word.next = self.loading_word.q.val();
        self.next_last.next = self.loading_last.q.val();
        self.feeder.load.next = self.loading.q.val() & (self.loading_core.q.val() == self.index.val());
        self.feeder.load_word.next = self.loading_word.q.val();
        self.feeder.load_last.next = self.loading_last.q.val();
        self.taking.d.next = self.feeder.can_take.val();
        self.can_take.next = self.taking.q.val();
        self.job_word.next = self.feeder.job_word.val();
        self.job_valid.next = self.feeder.job_valid.val();
        self.feeder.job_ready.next = self.job_ready.val();
        self.clearing.d.next = self.clear.val();
        self.feeder.clear.next = self.clearing.q.val();
        self.empty.next = self.feeder.empty.val();
        self.idle.next = self.feeder.idle.val();

        // The word at `at` of the result.
        if self.at.q.val().get_bit(2) {
            if self.at.q.val().get_bit(1) {
                self.chosen.next = self.result_slots.val().get_bits::<16>(0);
                if self.at.q.val().get_bit(0) {
                    self.chosen.next = self.result_slots.val().get_bits::<16>(16);
                }
            } else {
                self.chosen.next = self.result_nodes.val().get_bits::<16>(0);
                if self.at.q.val().get_bit(0) {
                    self.chosen.next = self.result_nodes.val().get_bits::<16>(16);
                }
            }
        } else if self.at.q.val().get_bit(1) {
            self.chosen.next = self.result_score.val();
            if self.at.q.val().get_bit(0) {
                self.chosen.next = self.result_best.val();
            }
        } else {
            self.chosen.next = self.result_id.val();
            if self.at.q.val().get_bit(0) {
                self.chosen.next = bit_cast::<16, 3>(self.result_ending.val());
            }
        }
        self.last_word.next = self.sending.q.val() & (self.at.q.val() == 7);
        self.granted.d.next = self.grant.val();
        self.waits.d.next = self.result_valid.val() & !self.grant.val() & !self.granted.q.val() & !self.sending.q.val();
        self.sent.d.next = self.word_before.val();
        self.sent_valid.d.next = self.word_before_valid.val() | self.sending.q.val();
        if self.granted.q.val() {
            self.sending.d.next = true;
            self.at.d.next = 0.into();
        }
        if self.sending.q.val() {
            self.sent.d.next = self.word_before.val() | self.chosen.val();
            self.at.d.next = self.at.q.val() + 1;
            self.sending.d.next = !self.last_word.val();
        }
        self.pending.next = self.waits.q.val();
        self.word.next = self.sent.q.val();
        self.word_valid.next = self.sent_valid.q.val();
        self.result_ready.next = self.last_word.val();
        self.feeder.result_taken.next = self.last_word.val();

        // All the rest.
        self.writing.d.next = self.weight_write.val();
        self.writing_index.d.next = self.weight_index.val();
        self.writing_data.d.next = self.weight_data.val();
        self.core_weight_write.next = self.writing.q.val();
        self.core_weight_index.next = self.writing_index.q.val();
        self.core_weight_data.next = self.writing_data.q.val();
        self.aborting.d.next = self.abort_valid.val();
        self.aborting_all.d.next = self.abort_all.val();
        self.aborting_id.d.next = self.abort_id.val();
        self.core_abort_valid.next = self.aborting.q.val();
        self.core_abort_all.next = self.aborting_all.q.val();
        self.core_abort_id.next = self.aborting_id.q.val();
        self.working.d.next = self.core_busy.val();
        self.busy.next = self.working.q.val();
    }
}
