use rust_hdl::prelude::*;

/// Stops jobs: aborts them wherever they are, or resets the chip.
///
/// A job on its way from the queue to a core is in neither, so first the way is closed. After that an abort marks jobs in the
/// queue while the cores hear of it. A reset aborts all, throws away what they answer until no core has a job, and
/// then clears the queues and counters.
#[derive(LogicBlock, Default)]
pub struct Control {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Control in: held until `control_done`.
    /// Stop jobs.
    pub control_valid: Signal<In, Bit>,
    /// Drop all jobs and set the counters to zero.
    pub control_reset: Signal<In, Bit>,
    /// Stop all jobs.
    pub control_all: Signal<In, Bit>,
    /// Stop the jobs with this id.
    pub control_id: Signal<In, Bits<16>>,
    /// More will follow: keep the way closed.
    pub control_more: Signal<In, Bit>,
    /// Done.
    pub control_done: Signal<Out, Bit>,

    // To the cores: held for at least 32 cycles.
    /// Jobs are to be aborted.
    pub abort_valid: Signal<Out, Bit>,
    /// All of them.
    pub abort_all: Signal<Out, Bit>,
    /// Those with this id.
    pub abort_id: Signal<Out, Bits<16>>,

    // From the feeders.
    /// No job is on its way into a core.
    pub feeders_empty: Signal<In, Bit>,
    /// No core has a job.
    pub cores_idle: Signal<In, Bit>,

    // To the queues.
    /// Send no more jobs to cores.
    pub pause_jobs: Signal<Out, Bit>,
    /// No job is on its way.
    pub jobs_resting: Signal<In, Bit>,
    /// Begin no more frames of results.
    pub pause_replies: Signal<Out, Bit>,
    /// No frame is being built.
    pub replies_resting: Signal<In, Bit>,
    /// Mark waiting jobs as aborted; held until `mark_done`.
    pub mark: Signal<Out, Bit>,
    /// They are marked.
    pub mark_done: Signal<In, Bit>,
    /// Take results and forget them.
    pub discard: Signal<Out, Bit>,
    /// Forget all jobs and results.
    pub clear_queues: Signal<Out, Bit>,
    /// Set the counters to zero; held until `counters_cleared`.
    pub clear_counters: Signal<Out, Bit>,
    /// They are zero.
    pub counters_cleared: Signal<In, Bit>,

    step: DFF<ControlStep>,
    timer: DFF<Bits<17>>,
    /// How long no job has been on its way, up to 31 cycles.
    quiet: DFF<Bits<5>>,
    /// Registers towards the cores, which are far away.
    aborting: DFF<Bit>,
    aborting_all: DFF<Bit>,
    aborting_id: DFF<Bits<16>>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum ControlStep {
    Idle,
    Pause,
    Mark,
    Wait,
    Drain,
    Clear,
    Done,
}

impl Logic for Control {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, timer, quiet, aborting, aborting_all, aborting_id);
        self.control_done.next = false;
        self.pause_jobs.next = true;
        self.pause_replies.next = self.control_reset.val();
        self.discard.next = self.control_reset.val();
        self.mark.next = false;
        self.clear_queues.next = false;
        self.clear_counters.next = false;
        self.timer.d.next = self.timer.q.val() + 1;
        self.quiet.d.next = 0.into();
        if self.jobs_resting.val() & self.feeders_empty.val() & !self.quiet.q.val().all() {
            self.quiet.d.next = self.quiet.q.val() + 1;
        } else if self.jobs_resting.val() & self.feeders_empty.val() {
            self.quiet.d.next = self.quiet.q.val();
        }
        self.aborting.d.next = false;
        self.aborting_all.d.next = self.control_all.val();
        self.aborting_id.d.next = self.control_id.val();

        match self.step.q.val() {
            ControlStep::Idle => {
                self.timer.d.next = 0.into();
                self.pause_jobs.next = self.control_more.val();
                self.pause_replies.next = false;
                self.discard.next = false;
                if self.control_valid.val() {
                    self.step.d.next = ControlStep::Pause;
                }
            }
            // The last word of a job takes up to 20 cycles to its dock. A core that takes no job for 65536 cycles never will;
            // better to go on without it.
            ControlStep::Pause => {
                if self.quiet.q.val().all() | self.timer.q.val().get_bit(16) {
                    if !self.control_reset.val() {
                        self.timer.d.next = 0.into();
                        self.step.d.next = ControlStep::Mark;
                    } else if self.replies_resting.val() {
                        self.timer.d.next = 0.into();
                        self.step.d.next = ControlStep::Drain;
                    }
                }
            }
            ControlStep::Mark => {
                self.aborting.d.next = true;
                self.mark.next = true;
                if self.mark_done.val() {
                    self.step.d.next = ControlStep::Wait;
                }
            }
            ControlStep::Wait => {
                self.aborting.d.next = true;
                if self.timer.q.val().get_bits::<3>(5) != 0 {
                    self.step.d.next = ControlStep::Done;
                }
            }
            // The same for a core that does not answer.
            ControlStep::Drain => {
                self.aborting.d.next = true;
                if self.timer.q.val().get_bit(16) | (self.cores_idle.val() & self.timer.q.val().get_bit(5)) {
                    self.step.d.next = ControlStep::Clear;
                }
            }
            ControlStep::Clear => {
                self.clear_queues.next = true;
                self.clear_counters.next = true;
                if self.counters_cleared.val() {
                    self.step.d.next = ControlStep::Done;
                }
            }
            ControlStep::Done => {
                self.control_done.next = true;
                self.step.d.next = ControlStep::Idle;
            }
            _ => {
                self.step.d.next = ControlStep::Idle;
            }
        }

        self.abort_valid.next = self.aborting.q.val();
        self.abort_all.next = self.aborting_all.q.val();
        self.abort_id.next = self.aborting_id.q.val();
    }
}
