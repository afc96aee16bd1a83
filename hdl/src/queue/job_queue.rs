use rust_hdl::prelude::*;

use super::memory::Memory;
use crate::config::MAX_QUEUE;

/// The jobs that wait for a core, whole and in the order of their arrival, as the words that a core takes.
///
/// A second RAM keeps the id of each waiting job and whether it was aborted, so that an abort need not search the words.
/// An aborted job stays in the queue; who takes it sees the mark.
#[derive(LogicBlock)]
pub struct JobQueue {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Jobs in: a word in every cycle with `push`; only whole jobs, and no more than there are `credits`.
    /// There is a word.
    pub push: Signal<In, Bit>,
    /// A word of a job; the first is its id.
    pub push_word: Signal<In, Bits<18>>,
    /// The last word of a job.
    pub push_last: Signal<In, Bit>,
    // Both follow three cycles later.
    /// How many jobs fit.
    pub credits: Signal<Out, Bits<8>>,
    /// How many jobs wait.
    pub jobs: Signal<Out, Bits<8>>,

    // Job out: `pop` takes a word; the next one is there a cycle later. `aborted` takes three cycles.
    /// A word of the oldest job.
    pub word: Signal<Out, Bits<18>>,
    /// The last word of the job.
    pub word_last: Signal<Out, Bit>,
    /// The job was aborted.
    pub aborted: Signal<Out, Bit>,
    /// The word is taken.
    pub pop: Signal<In, Bit>,

    // Abort in: held until `mark_done`, while nothing is pushed or popped.
    /// Mark jobs as aborted.
    pub mark: Signal<In, Bit>,
    /// All of them.
    pub mark_all: Signal<In, Bit>,
    /// Those with this id.
    pub mark_id: Signal<In, Bits<16>>,
    /// Done.
    pub mark_done: Signal<Out, Bit>,

    // Clear in: while nothing is pushed or popped.
    /// Forget all jobs.
    pub clear: Signal<In, Bit>,

    depth: Constant<Bits<7>>,

    /// Words. Bit 17, which no job uses, says that the next word is the last of its job: known a word before, because the RAM is
    /// slow.
    words: Memory<Bits<18>, 12>,
    /// Ids, with the mark in bit 16.
    ids: Memory<Bits<17>, 7>,
    word_tail: DFF<Bits<12>>,
    word_head: DFF<Bits<12>>,
    tail: DFF<Bits<7>>,
    head: DFF<Bits<7>>,
    /// The jobs that wait.
    waiting: DFF<Bits<7>>,
    // The word that was pushed, until it is known whether the next one is the last.
    held: DFF<Bits<18>>,
    held_valid: DFF<Bit>,
    held_last: DFF<Bit>,
    /// The word that was written before was not the last of its job.
    half_written: DFF<Bit>,
    /// The word at `word_head` is the last of its job.
    at_last: DFF<Bit>,
    /// The oldest job is marked.
    marked: DFF<Bit>,
    // Stages of marking: the job to read, the one that is read, the one to compare, the one to write.
    mark_at: DFF<Bits<7>>,
    reading: DFF<Bit>,
    read_at: DFF<Bits<7>>,
    seen: DFF<Bit>,
    seen_id: DFF<Bits<16>>,
    seen_at: DFF<Bits<7>>,
    matched: DFF<Bit>,
    write_at: DFF<Bits<7>>,

    write: Signal<Local, Bit>,
    room: Signal<Local, Bits<7>>,
    next_word: Signal<Local, Bits<12>>,
}

impl JobQueue {
    /// A queue of at most `depth` jobs.
    ///
    /// # Panics
    /// If `depth` is more than [`MAX_QUEUE`].
    pub fn new(depth: u8) -> JobQueue {
        assert!(depth <= MAX_QUEUE, "{depth} jobs: the queue holds at most {MAX_QUEUE}");
        JobQueue {
            clock: Signal::default(),
            push: Signal::default(),
            push_word: Signal::default(),
            push_last: Signal::default(),
            credits: Signal::default(),
            jobs: Signal::default(),
            word: Signal::default(),
            word_last: Signal::default(),
            aborted: Signal::default(),
            pop: Signal::default(),
            mark: Signal::default(),
            mark_all: Signal::default(),
            mark_id: Signal::default(),
            mark_done: Signal::default(),
            clear: Signal::default(),
            depth: Constant::new(depth.to_bits()),
            words: Memory::default(),
            ids: Memory::default(),
            word_tail: DFF::default(),
            word_head: DFF::default(),
            tail: DFF::default(),
            head: DFF::default(),
            waiting: DFF::default(),
            held: DFF::default(),
            held_valid: DFF::default(),
            held_last: DFF::default(),
            half_written: DFF::default(),
            at_last: DFF::default(),
            marked: DFF::default(),
            mark_at: DFF::default(),
            reading: DFF::default(),
            read_at: DFF::default(),
            seen: DFF::default(),
            seen_id: DFF::default(),
            seen_at: DFF::default(),
            matched: DFF::default(),
            write_at: DFF::default(),
            write: Signal::default(),
            room: Signal::default(),
            next_word: Signal::default(),
        }
    }
}

impl Logic for JobQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            word_tail,
            word_head,
            tail,
            head,
            waiting,
            held,
            held_valid,
            held_last,
            half_written,
            at_last,
            marked,
            mark_at,
            reading,
            read_at,
            seen,
            seen_id,
            seen_at,
            matched,
            write_at
        );
        self.words.clock.next = self.clock.val();
        self.ids.clock.next = self.clock.val();

        self.next_word.next = self.word_head.q.val() + 1;
        self.waiting.d.next = self.tail.q.val() - self.head.q.val();
        self.room.next = self.depth.val() - self.waiting.q.val();
        self.jobs.next = bit_cast::<8, 7>(self.waiting.q.val());
        self.credits.next = bit_cast::<8, 7>(self.room.val());

        self.write.next = self.held_valid.q.val() & (self.push.val() | self.held_last.q.val());
        self.words.write_enable.next = self.write.val();
        self.words.write_address.next = self.word_tail.q.val();
        self.words.write_data.next = self.held.q.val();
        if self.push_last.val() & !self.held_last.q.val() {
            self.words.write_data.next = self.held.q.val() | 0x20000;
        }
        self.ids.write_enable.next = self.write.val() & !self.half_written.q.val();
        self.ids.write_address.next = self.tail.q.val();
        self.ids.write_data.next = bit_cast::<17, 18>(self.held.q.val());
        if self.write.val() {
            self.held_valid.d.next = false;
            self.word_tail.d.next = self.word_tail.q.val() + 1;
            self.half_written.d.next = !self.held_last.q.val();
            if self.held_last.q.val() {
                self.tail.d.next = self.tail.q.val() + 1;
            }
        }
        if self.push.val() {
            self.held.d.next = self.push_word.val();
            self.held_last.d.next = self.push_last.val();
            self.held_valid.d.next = true;
        }

        self.words.read_address.next = self.word_head.q.val();
        if self.pop.val() {
            self.words.read_address.next = self.next_word.val();
        }
        self.ids.read_address.next = self.head.q.val();
        self.word.next = self.words.read_data.val() & 0x1ffff;
        self.word_last.next = self.at_last.q.val();
        self.marked.d.next = self.ids.read_data.val().get_bit(16);
        self.aborted.next = self.marked.q.val();
        if self.pop.val() {
            self.word_head.d.next = self.next_word.val();
            self.at_last.d.next = self.words.read_data.val().get_bit(17);
            if self.at_last.q.val() {
                self.head.d.next = self.head.q.val() + 1;
            }
        }

        // A job a cycle, in four stages: one is read, one comes out of the RAM, one is compared, one is written. With a mark the rest of the id is of no
        // use any more, so it is not written back.
        self.mark_done.next = false;
        self.read_at.d.next = self.mark_at.q.val();
        self.seen_at.d.next = self.read_at.q.val();
        self.write_at.d.next = self.seen_at.q.val();
        self.reading.d.next = false;
        self.seen.d.next = self.reading.q.val();
        self.seen_id.d.next = self.ids.read_data.val().get_bits::<16>(0);
        self.matched.d.next = self.seen.q.val() & (self.mark_all.val() | (self.seen_id.q.val() == self.mark_id.val()));
        if !self.mark.val() {
            self.mark_at.d.next = self.head.q.val();
        } else {
            self.ids.read_address.next = self.mark_at.q.val();
            if self.mark_at.q.val() != self.tail.q.val() {
                self.reading.d.next = true;
                self.mark_at.d.next = self.mark_at.q.val() + 1;
            } else {
                self.mark_done.next = !self.reading.q.val() & !self.seen.q.val() & !self.matched.q.val();
            }
            self.ids.write_enable.next = self.matched.q.val();
            self.ids.write_address.next = self.write_at.q.val();
            self.ids.write_data.next = bit_cast::<17, 16>(self.mark_id.val()) | 0x10000;
        }

        if self.clear.val() {
            self.word_tail.d.next = 0.into();
            self.word_head.d.next = 0.into();
            self.tail.d.next = 0.into();
            self.head.d.next = 0.into();
            self.held_valid.d.next = false;
            self.half_written.d.next = false;
            self.at_last.d.next = false;
        }
    }
}
