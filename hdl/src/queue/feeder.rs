use rust_hdl::prelude::*;

use super::memory::Memory;

/// Feeds one core: takes a job at the queue's speed and hands it on at the core's, which is a piece a trip round the ring.
///
/// It also counts the jobs that the core has. A job is taken only when a thread is free for it, so a job never waits here for a
/// core that is busy while another core is not, and always leaves within a few hundred cycles.
#[derive(LogicBlock)]
pub struct Feeder {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Job in: when `can_take`, a whole job may come, a word in every cycle with `load`.
    /// The core can take a job.
    pub can_take: Signal<Out, Bit>,
    /// There is a word.
    pub load: Signal<In, Bit>,
    /// A word of a job.
    pub load_word: Signal<In, Bits<16>>,
    /// The last word of the job.
    pub load_last: Signal<In, Bit>,

    // Job out, to the core: a word is taken when `job_valid` and `job_ready`.
    /// A word of a job.
    pub job_word: Signal<Out, Bits<18>>,
    /// There is a word.
    pub job_valid: Signal<Out, Bit>,
    /// It is taken.
    pub job_ready: Signal<In, Bit>,

    // The jobs that the core has.
    /// A result of the core was taken; for one cycle.
    pub result_taken: Signal<In, Bit>,
    /// There are no words left here.
    pub empty: Signal<Out, Bit>,
    /// The core has no job.
    pub idle: Signal<Out, Bit>,
    /// Whatever there is, is to be forgotten.
    pub clear: Signal<In, Bit>,

    threads: Constant<Bits<6>>,

    words: Memory<Bits<16>, 6>,
    tail: DFF<Bits<6>>,
    head: DFF<Bits<6>>,
    /// The whole job is here.
    full: DFF<Bit>,
    /// The word at `head` has come out of the RAM.
    loaded: DFF<Bit>,
    jobs: DFF<Bits<6>>,

    next_head: Signal<Local, Bits<6>>,
    more: Signal<Local, Bit>,
    fewer: Signal<Local, Bit>,
    change: Signal<Local, Bits<6>>,
}

impl Feeder {
    /// A feeder for a core with so many threads.
    pub fn new(threads: u8) -> Feeder {
        Feeder {
            clock: Signal::default(),
            can_take: Signal::default(),
            load: Signal::default(),
            load_word: Signal::default(),
            load_last: Signal::default(),
            job_word: Signal::default(),
            job_valid: Signal::default(),
            job_ready: Signal::default(),
            result_taken: Signal::default(),
            empty: Signal::default(),
            idle: Signal::default(),
            clear: Signal::default(),
            threads: Constant::new(threads.to_bits()),
            words: Memory::default(),
            tail: DFF::default(),
            head: DFF::default(),
            full: DFF::default(),
            loaded: DFF::default(),
            jobs: DFF::default(),
            next_head: Signal::default(),
            more: Signal::default(),
            fewer: Signal::default(),
            change: Signal::default(),
        }
    }
}

impl Logic for Feeder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tail, head, full, loaded, jobs);
        self.words.clock.next = self.clock.val();
        self.words.write_enable.next = self.load.val();
        self.words.write_address.next = self.tail.q.val();
        self.words.write_data.next = self.load_word.val();
        self.words.read_address.next = self.head.q.val();

        if self.load.val() {
            self.tail.d.next = self.tail.q.val() + 1;
            if self.load_last.val() {
                self.full.d.next = true;
            }
        }
        self.next_head.next = self.head.q.val() + 1;
        self.loaded.d.next = self.full.q.val();
        if self.loaded.q.val() & self.job_ready.val() {
            self.loaded.d.next = false;
            self.head.d.next = self.next_head.val();
            if self.next_head.val() == self.tail.q.val() {
                self.full.d.next = false;
                self.head.d.next = 0.into();
                self.tail.d.next = 0.into();
            }
        }

        // One adder: up by 1, down by 1 or 0.
        self.more.next = self.load.val() & self.load_last.val();
        self.fewer.next = self.result_taken.val() & self.jobs.q.val().any();
        self.change.next = 0.into();
        if self.more.val() & !self.fewer.val() {
            self.change.next = 1.into();
        } else if self.fewer.val() & !self.more.val() {
            self.change.next = 63.into();
        }
        self.jobs.d.next = self.jobs.q.val() + self.change.val();
        if self.clear.val() {
            self.tail.d.next = 0.into();
            self.head.d.next = 0.into();
            self.full.d.next = false;
            self.loaded.d.next = false;
            self.jobs.d.next = 0.into();
        }

        self.job_word.next = bit_cast::<18, 16>(self.words.read_data.val());
        self.job_valid.next = self.loaded.q.val();
        self.empty.next = !self.full.q.val() & !self.loaded.q.val();
        self.idle.next = self.jobs.q.val() == 0;
        self.can_take.next = !self.full.q.val() & !self.loaded.q.val() & (self.jobs.q.val() < self.threads.val());
    }
}
