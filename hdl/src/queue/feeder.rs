use rust_hdl::prelude::*;

use super::memory::Memory;

/// Feeds one core: takes jobs at the queue's speed, a word a cycle, and hands them on at the core's, which is a piece a trip
/// round the ring.
///
/// It also counts the jobs that the core has. A job is taken only when a thread is free for it, so none waits here for another
/// to end; but the next one may come while one is being handed on, so that the core need not wait for the queue. A gang takes all threads,
/// and so no other job until it is done.
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
    /// No job is here.
    pub empty: Signal<Out, Bit>,
    /// The core has no job.
    pub idle: Signal<Out, Bit>,
    /// Whatever there is, is to be forgotten.
    pub clear: Signal<In, Bit>,

    threads: Constant<Bits<6>>,

    /// Words, with the end of a job in bit 16; room for two jobs and more.
    words: Memory<Bits<17>, 7>,
    tail: DFF<Bits<7>>,
    head: DFF<Bits<7>>,
    /// The word at `head` has come out of the RAM.
    fetched: DFF<Bit>,
    /// The word for the core: a register, because the RAM is slow.
    word: DFF<Bits<17>>,
    word_valid: DFF<Bit>,
    /// The jobs that have come and whose last word the core has not taken.
    waiting: DFF<Bits<2>>,
    /// The jobs that have come and whose results have not been taken.
    jobs: DFF<Bits<6>>,
    /// Words of the job that have come, up to 2.
    come: DFF<Bits<2>>,
    /// The last of them was for a gang.
    ganged: DFF<Bit>,

    taken: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
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
            fetched: DFF::default(),
            word: DFF::default(),
            word_valid: DFF::default(),
            waiting: DFF::default(),
            jobs: DFF::default(),
            come: DFF::default(),
            ganged: DFF::default(),
            taken: Signal::default(),
            comes: Signal::default(),
            leaves: Signal::default(),
            ends: Signal::default(),
        }
    }
}

impl Logic for Feeder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, tail, head, fetched, word, word_valid, waiting, jobs, come, ganged
        );
        self.words.clock.next = self.clock.val();
        self.words.write_enable.next = self.load.val();
        self.words.write_address.next = self.tail.q.val();
        self.words.write_data.next = bit_cast::<17, 16>(self.load_word.val());
        if self.load_last.val() {
            self.words.write_data.next = bit_cast::<17, 16>(self.load_word.val()) | 0x10000;
        }
        self.words.read_address.next = self.head.q.val();
        if self.load.val() {
            self.tail.d.next = self.tail.q.val() + 1;
            if !self.come.q.val().get_bit(1) {
                self.come.d.next = self.come.q.val() + 1;
            }
            if self.come.q.val() == 1 {
                self.ganged.d.next = self.load_word.val().get_bits::<2>(14).all();
            }
            if self.load_last.val() {
                self.come.d.next = 0.into();
            }
        }

        self.taken.next = self.word_valid.q.val() & self.job_ready.val();
        self.fetched.d.next = self.head.q.val() != self.tail.q.val();
        if self.taken.val() {
            self.word_valid.d.next = false;
        }
        if self.fetched.q.val() & (self.taken.val() | !self.word_valid.q.val()) {
            self.word.d.next = self.words.read_data.val();
            self.word_valid.d.next = true;
            self.head.d.next = self.head.q.val() + 1;
            self.fetched.d.next = false;
        }

        self.comes.next = self.load.val() & self.load_last.val();
        self.leaves.next = self.taken.val() & self.word.q.val().get_bit(16);
        if self.comes.val() & !self.leaves.val() {
            self.waiting.d.next = self.waiting.q.val() + 1;
        } else if self.leaves.val() & !self.comes.val() {
            self.waiting.d.next = self.waiting.q.val() - 1;
        }
        self.ends.next = self.result_taken.val() & self.jobs.q.val().any();
        if self.comes.val() & !self.ends.val() {
            self.jobs.d.next = self.jobs.q.val() + 1;
        } else if self.ends.val() & !self.comes.val() {
            self.jobs.d.next = self.jobs.q.val() - 1;
        }

        if self.clear.val() {
            self.tail.d.next = 0.into();
            self.head.d.next = 0.into();
            self.fetched.d.next = false;
            self.word_valid.d.next = false;
            self.waiting.d.next = 0.into();
            self.jobs.d.next = 0.into();
            self.come.d.next = 0.into();
        }

        self.job_word.next = bit_cast::<18, 16>(self.word.q.val().get_bits::<16>(0));
        self.job_valid.next = self.word_valid.q.val();
        self.empty.next = self.waiting.q.val() == 0;
        self.idle.next = self.jobs.q.val() == 0;
        self.can_take.next = !self.waiting.q.val().get_bit(1)
            & ((self.jobs.q.val() == 0) | (!self.ganged.q.val() & (self.jobs.q.val() < self.threads.val())));
    }
}
