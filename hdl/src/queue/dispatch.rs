use rust_hdl::prelude::*;

use super::signals;

/// Gives waiting jobs to cores, a word a cycle: to each in turn that can take one.
///
/// Jobs that were aborted while they waited become results at once.
#[derive(LogicBlock)]
pub struct Dispatch {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Jobs in: `pop` takes a word; the next one is there a cycle later. `aborted` takes three cycles.
    /// How many jobs wait.
    pub jobs: Signal<In, Bits<8>>,
    /// A word of the oldest job.
    pub word: Signal<In, Bits<18>>,
    /// The last word of the job.
    pub word_last: Signal<In, Bit>,
    /// The job was aborted.
    pub aborted: Signal<In, Bit>,
    /// The word is taken.
    pub pop: Signal<Out, Bit>,

    // Jobs out, to the cores' docks: one that `can_take` gets a whole job, a word in every cycle with `load`.
    /// This core can take a job.
    pub can_take: Vec<Signal<In, Bit>>,
    /// There is a word.
    pub load: Signal<Out, Bit>,
    /// For this core.
    pub load_core: Signal<Out, Bits<4>>,
    /// The word.
    pub load_word: Signal<Out, Bits<16>>,
    /// The last word of the job.
    pub load_last: Signal<Out, Bit>,

    // Aborted jobs out: held until `dropped_ready`.
    /// A job was aborted while it waited.
    pub dropped_valid: Signal<Out, Bit>,
    /// Its id.
    pub dropped_id: Signal<Out, Bits<16>>,
    /// It is taken.
    pub dropped_ready: Signal<In, Bit>,

    // Pause in: `resting` says that no job is on its way, and none will be while `pause`.
    /// Send no more jobs.
    pub pause: Signal<In, Bit>,
    /// No job is on its way.
    pub resting: Signal<Out, Bit>,

    last_core: Constant<Bits<4>>,

    step: DFF<DispatchStep>,
    core: DFF<Bits<4>>,
    /// A register towards the cores, which are far away.
    offered: DFF<Bits<16>>,
    offered_last: DFF<Bit>,
    offered_valid: DFF<Bit>,
    id: DFF<Bits<16>>,
    rested: DFF<Bits<2>>,

    free: Signal<Local, Bit>,
    next_core: Signal<Local, Bits<4>>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum DispatchStep {
    Rest,
    Idle,
    Word,
    KeepId,
    DropWord,
    Dropped,
}

impl Dispatch {
    /// The block, for so many cores.
    pub fn new(cores: usize) -> Dispatch {
        Dispatch {
            clock: Signal::default(),
            jobs: Signal::default(),
            word: Signal::default(),
            word_last: Signal::default(),
            aborted: Signal::default(),
            pop: Signal::default(),
            can_take: signals(cores),
            load: Signal::default(),
            load_core: Signal::default(),
            load_word: Signal::default(),
            load_last: Signal::default(),
            dropped_valid: Signal::default(),
            dropped_id: Signal::default(),
            dropped_ready: Signal::default(),
            pause: Signal::default(),
            resting: Signal::default(),
            last_core: Constant::new((cores - 1).to_bits()),
            step: DFF::default(),
            core: DFF::default(),
            offered: DFF::default(),
            offered_last: DFF::default(),
            offered_valid: DFF::default(),
            id: DFF::default(),
            rested: DFF::default(),
            free: Signal::default(),
            next_core: Signal::default(),
        }
    }
}

impl Logic for Dispatch {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            step,
            core,
            offered,
            offered_last,
            offered_valid,
            id,
            rested
        );
        self.pop.next = false;
        self.dropped_valid.next = false;
        self.resting.next = false;
        self.dropped_id.next = self.id.q.val();
        self.offered_valid.d.next = false;

        self.free.next = false;
        for i in 0..self.can_take.len() {
            if self.core.q.val() == i.to_bits() {
                self.free.next = self.can_take[i].val();
            }
        }
        self.next_core.next = self.core.q.val() + 1;
        if self.core.q.val() == self.last_core.val() {
            self.next_core.next = 0.into();
        }

        match self.step.q.val() {
            // Until the mark of the next job comes out of its RAM, and the first dock's `can_take` knows of this job. For each
            // dock further on that takes a cycle more, but so does coming round to it again.
            DispatchStep::Rest => {
                self.rested.d.next = self.rested.q.val() + 1;
                if self.rested.q.val() == 3 {
                    self.core.d.next = self.next_core.val();
                    self.step.d.next = DispatchStep::Idle;
                }
            }
            DispatchStep::Idle => {
                self.resting.next = true;
                if !self.pause.val() & (self.jobs.val() != 0) {
                    if self.aborted.val() {
                        self.step.d.next = DispatchStep::KeepId;
                    } else if self.free.val() {
                        self.step.d.next = DispatchStep::Word;
                    } else {
                        self.core.d.next = self.next_core.val();
                    }
                }
            }
            DispatchStep::Word => {
                self.offered.d.next = self.word.val().get_bits::<16>(0);
                self.offered_last.d.next = self.word_last.val();
                self.offered_valid.d.next = true;
                self.pop.next = true;
                if self.word_last.val() {
                    self.step.d.next = DispatchStep::Rest;
                }
            }
            DispatchStep::KeepId => {
                self.id.d.next = self.word.val().get_bits::<16>(0);
                self.step.d.next = DispatchStep::DropWord;
            }
            DispatchStep::DropWord => {
                self.pop.next = true;
                if self.word_last.val() {
                    self.step.d.next = DispatchStep::Dropped;
                }
            }
            DispatchStep::Dropped => {
                self.dropped_valid.next = true;
                if self.dropped_ready.val() {
                    self.step.d.next = DispatchStep::Rest;
                }
            }
            _ => {
                self.step.d.next = DispatchStep::Rest;
            }
        }
        self.load.next = self.offered_valid.q.val();
        self.load_core.next = self.core.q.val();
        self.load_word.next = self.offered.q.val();
        self.load_last.next = self.offered_last.q.val();
    }
}
