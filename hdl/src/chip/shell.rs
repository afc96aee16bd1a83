use rust_hdl::prelude::*;

use crate::config::Config;
use crate::link::{Reply, Request};
use crate::queue::{Control, Counters, Dispatch, Dock, JobQueue, ResultQueue, signals};

/// All of the chip but its cores and the way in: requests, replies, queues, counters.
#[derive(LogicBlock)]
pub struct Shell {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Frame in: held until `frame_done`.
    /// There is a frame.
    pub frame_valid: Signal<In, Bit>,
    /// Why it is dropped, a `DropCause`; 7 if it is good so far.
    pub frame_cause: Signal<In, Bits<3>>,
    /// Its kind.
    pub frame_kind: Signal<In, Bits<8>>,
    /// The bytes of its payload.
    pub frame_length: Signal<In, Bits<11>>,
    /// It has been dealt with.
    pub frame_done: Signal<Out, Bit>,

    // Payload in: the word at `read_address`, one cycle later.
    /// Which word of the payload.
    pub read_address: Signal<Out, Bits<10>>,
    /// The word.
    pub read_data: Signal<In, Bits<16>>,

    // Frame out: bytes are taken when `byte_valid` and `byte_ready`; then `finish` is held until `finished`. A frame begins only
    // when there is `room` for it.
    /// There is a byte.
    pub byte_valid: Signal<Out, Bit>,
    /// The byte.
    pub byte_data: Signal<Out, Bits<8>>,
    /// It is taken.
    pub byte_ready: Signal<In, Bit>,
    /// The frame is complete.
    pub finish: Signal<Out, Bit>,
    /// It will be sent.
    pub finished: Signal<In, Bit>,
    /// There is room for a frame.
    pub room: Signal<In, Bit>,

    // Credits out.
    /// How many jobs fit.
    pub credits: Signal<Out, Bits<8>>,

    // Jobs out: a word is taken when `job_valid` and `job_ready`. No core gets more jobs than it has threads.
    /// A word of a job.
    pub job_word: Vec<Signal<Out, Bits<18>>>,
    /// There is a word.
    pub job_valid: Vec<Signal<Out, Bit>>,
    /// It is taken.
    pub job_ready: Vec<Signal<In, Bit>>,

    // Results in: held until `result_ready`.
    /// There is a result.
    pub result_valid: Vec<Signal<In, Bit>>,
    /// It is taken.
    pub result_ready: Vec<Signal<Out, Bit>>,
    /// The job.
    pub result_id: Vec<Signal<In, Bits<16>>>,
    /// How it ended.
    pub result_ending: Vec<Signal<In, Bits<3>>>,
    /// The score.
    pub result_score: Vec<Signal<In, Bits<16>>>,
    /// The best move.
    pub result_best: Vec<Signal<In, Bits<16>>>,
    /// The nodes.
    pub result_nodes: Vec<Signal<In, Bits<32>>>,
    /// The slots.
    pub result_slots: Vec<Signal<In, Bits<32>>>,

    // Weights out, the same to all cores: one in every cycle with `weight_write`.
    /// There is a weight.
    pub weight_write: Vec<Signal<Out, Bit>>,
    /// Which.
    pub weight_index: Vec<Signal<Out, Bits<10>>>,
    /// Its value.
    pub weight_data: Vec<Signal<Out, Bits<16>>>,

    // Abort out, the same to all cores: held for at least 32 cycles.
    /// Jobs are to be aborted.
    pub abort_valid: Vec<Signal<Out, Bit>>,
    /// All of them.
    pub abort_all: Vec<Signal<Out, Bit>>,
    /// Those with this id.
    pub abort_id: Vec<Signal<Out, Bits<16>>>,

    // Counters in.
    /// This core did a slot in this cycle.
    pub busy: Vec<Signal<In, Bit>>,

    // Lights out.
    /// Cores have jobs.
    pub working: Signal<Out, Bit>,
    /// A frame is being dropped.
    pub dropped: Signal<Out, Bit>,

    last_core: Constant<Bits<4>>,

    request: Request,
    reply: Reply,
    job_queue: JobQueue,
    dispatch: Dispatch,
    docks: Vec<Dock>,
    result_queue: ResultQueue,
    control: Control,
    counters: Counters,
    loading: DFF<Bit>,
    loading_index: DFF<Bits<10>>,
    loading_data: DFF<Bits<16>>,
    docks_empty: DFF<Bit>,
    docks_idle: DFF<Bit>,

    // The bus along the docks: what comes to each of them, and what the last one passes on.
    bus_load: Vec<Signal<Local, Bit>>,
    bus_core: Vec<Signal<Local, Bits<4>>>,
    bus_word: Vec<Signal<Local, Bits<16>>>,
    bus_last: Vec<Signal<Local, Bit>>,
    bus_result: Vec<Signal<Local, Bits<16>>>,
    bus_result_valid: Vec<Signal<Local, Bit>>,
    bus_abort: Vec<Signal<Local, Bit>>,
    bus_abort_all: Vec<Signal<Local, Bit>>,
    bus_abort_id: Vec<Signal<Local, Bits<16>>>,
    bus_weight: Vec<Signal<Local, Bit>>,
    bus_weight_index: Vec<Signal<Local, Bits<10>>>,
    bus_weight_data: Vec<Signal<Local, Bits<16>>>,
    all_empty: Signal<Local, Bit>,
    all_idle: Signal<Local, Bit>,
}

impl Shell {
    /// The block, for a chip with this configuration.
    pub fn new(config: &Config) -> Shell {
        let cores = config.cores;
        Shell {
            clock: Signal::default(),
            frame_valid: Signal::default(),
            frame_cause: Signal::default(),
            frame_kind: Signal::default(),
            frame_length: Signal::default(),
            frame_done: Signal::default(),
            read_address: Signal::default(),
            read_data: Signal::default(),
            byte_valid: Signal::default(),
            byte_data: Signal::default(),
            byte_ready: Signal::default(),
            finish: Signal::default(),
            finished: Signal::default(),
            room: Signal::default(),
            credits: Signal::default(),
            job_word: signals(cores),
            job_valid: signals(cores),
            job_ready: signals(cores),
            result_valid: signals(cores),
            result_ready: signals(cores),
            result_id: signals(cores),
            result_ending: signals(cores),
            result_score: signals(cores),
            result_best: signals(cores),
            result_nodes: signals(cores),
            result_slots: signals(cores),
            weight_write: signals(cores),
            weight_index: signals(cores),
            weight_data: signals(cores),
            abort_valid: signals(cores),
            abort_all: signals(cores),
            abort_id: signals(cores),
            busy: signals(cores),
            working: Signal::default(),
            dropped: Signal::default(),
            last_core: Constant::new((cores - 1).to_bits()),
            request: Request::new(),
            reply: Reply::new(config),
            job_queue: JobQueue::new(config.queue),
            dispatch: Dispatch::new(cores),
            docks: (0..cores).map(|index| Dock::new(index, config.threads)).collect(),
            result_queue: ResultQueue::new(cores),
            control: Control::default(),
            counters: Counters::new(cores),
            loading: DFF::default(),
            loading_index: DFF::default(),
            loading_data: DFF::default(),
            docks_empty: DFF::default(),
            docks_idle: DFF::default(),
            bus_load: signals(cores + 1),
            bus_core: signals(cores + 1),
            bus_word: signals(cores + 1),
            bus_last: signals(cores + 1),
            bus_result: signals(cores + 1),
            bus_result_valid: signals(cores + 1),
            bus_abort: signals(cores + 1),
            bus_abort_all: signals(cores + 1),
            bus_abort_id: signals(cores + 1),
            bus_weight: signals(cores + 1),
            bus_weight_index: signals(cores + 1),
            bus_weight_data: signals(cores + 1),
            all_empty: Signal::default(),
            all_idle: Signal::default(),
        }
    }
}

impl Logic for Shell {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            loading,
            loading_index,
            loading_data,
            docks_empty,
            docks_idle
        );
        clock!(
            self,
            clock,
            request,
            reply,
            job_queue,
            dispatch,
            result_queue,
            control,
            counters
        );

        // Frames to requests.
        self.request.frame_valid.next = self.frame_valid.val();
        self.request.frame_cause.next = self.frame_cause.val();
        self.request.frame_kind.next = self.frame_kind.val();
        self.request.frame_length.next = self.frame_length.val();
        self.request.read_data.next = self.read_data.val();
        self.frame_done.next = self.request.frame_done.val();
        self.read_address.next = self.request.read_address.val();

        // Requests to jobs.
        self.request.credits.next = self.job_queue.credits.val();
        self.job_queue.push.next = self.request.job_valid.val();
        self.job_queue.push_word.next = self.request.job_word.val();
        self.job_queue.push_last.next = self.request.job_last.val();

        // Jobs to cores.
        self.dispatch.jobs.next = self.job_queue.jobs.val();
        self.dispatch.word.next = self.job_queue.word.val();
        self.dispatch.word_last.next = self.job_queue.word_last.val();
        self.dispatch.aborted.next = self.job_queue.aborted.val();
        self.job_queue.pop.next = self.dispatch.pop.val();
        self.bus_load[0].next = self.dispatch.load.val();
        self.bus_core[0].next = self.dispatch.load_core.val();
        self.bus_word[0].next = self.dispatch.load_word.val();
        self.bus_last[0].next = self.dispatch.load_last.val();
        self.all_empty.next = true;
        self.all_idle.next = true;
        for i in 0..self.busy.len() {
            self.docks[i].clock.next = self.clock.val();
            self.dispatch.can_take[i].next = self.docks[i].can_take.val();
            self.docks[i].load.next = self.bus_load[i].val();
            self.docks[i].load_core.next = self.bus_core[i].val();
            self.docks[i].load_word.next = self.bus_word[i].val();
            self.docks[i].load_last.next = self.bus_last[i].val();
            self.bus_load[i + 1].next = self.docks[i].next_load.val();
            self.bus_core[i + 1].next = self.docks[i].next_core.val();
            self.bus_word[i + 1].next = self.docks[i].next_word.val();
            self.bus_last[i + 1].next = self.docks[i].next_last.val();
            self.docks[i].clear.next = self.control.clear_queues.val();
            self.job_word[i].next = self.docks[i].job_word.val();
            self.job_valid[i].next = self.docks[i].job_valid.val();
            self.docks[i].job_ready.next = self.job_ready[i].val();
            if !self.docks[i].empty.val() {
                self.all_empty.next = false;
            }
            if !self.docks[i].idle.val() {
                self.all_idle.next = false;
            }
        }
        self.docks_empty.d.next = self.all_empty.val();
        self.docks_idle.d.next = self.all_idle.val();

        // Results from cores.
        self.bus_result[0].next = 0.into();
        self.bus_result_valid[0].next = false;
        self.result_queue.result_word.next = 0.into();
        self.result_queue.result_word_valid.next = false;
        for i in 0..self.busy.len() {
            self.docks[i].result_valid.next = self.result_valid[i].val();
            self.docks[i].result_id.next = self.result_id[i].val();
            self.docks[i].result_ending.next = self.result_ending[i].val();
            self.docks[i].result_score.next = self.result_score[i].val();
            self.docks[i].result_best.next = self.result_best[i].val();
            self.docks[i].result_nodes.next = self.result_nodes[i].val();
            self.docks[i].result_slots.next = self.result_slots[i].val();
            self.result_ready[i].next = self.docks[i].result_ready.val();
            self.result_queue.pending[i].next = self.docks[i].pending.val();
            self.docks[i].grant.next = self.result_queue.grant[i].val();
            self.docks[i].word_before.next = self.bus_result[i].val();
            self.docks[i].word_before_valid.next = self.bus_result_valid[i].val();
            self.bus_result[i + 1].next = self.docks[i].word.val();
            self.bus_result_valid[i + 1].next = self.docks[i].word_valid.val();
            if self.last_core.val() == i.to_bits() {
                self.result_queue.result_word.next = self.docks[i].word.val();
                self.result_queue.result_word_valid.next = self.docks[i].word_valid.val();
            }
        }
        self.result_queue.dropped_valid.next = self.dispatch.dropped_valid.val();
        self.result_queue.dropped_id.next = self.dispatch.dropped_id.val();
        self.dispatch.dropped_ready.next = self.result_queue.dropped_ready.val();

        // Replies to frames.
        self.reply.reply_valid.next = self.request.reply_valid.val();
        self.reply.reply_status.next = self.request.reply_status.val();
        self.reply.reply_error.next = self.request.reply_error.val();
        self.reply.error_code.next = self.request.error_code.val();
        self.reply.error_kind.next = self.frame_kind.val();
        self.reply.error_id.next = self.request.error_id.val();
        self.request.reply_ready.next = self.reply.reply_ready.val();
        self.reply.results.next = self.result_queue.results.val();
        self.reply.result_word.next = self.result_queue.word.val();
        self.result_queue.pop.next = self.reply.result_pop.val();
        self.reply.jobs.next = self.job_queue.jobs.val();
        self.reply.credits.next = self.job_queue.credits.val();
        self.byte_valid.next = self.reply.byte_valid.val();
        self.byte_data.next = self.reply.byte_data.val();
        self.reply.byte_ready.next = self.byte_ready.val();
        self.finish.next = self.reply.finish.val();
        self.reply.finished.next = self.finished.val();
        self.reply.room.next = self.room.val();
        self.credits.next = self.job_queue.credits.val();

        // Counters.
        self.counters.frame_valid.next = self.request.count_valid.val();
        self.counters.frame_good.next = self.request.count_good.val();
        self.counters.frame_cause.next = self.request.count_cause.val();
        self.request.count_ready.next = self.counters.frame_ready.val();
        self.dropped.next = self.request.count_valid.val() & !self.request.count_good.val();
        self.counters.sent_valid.next = self.reply.sent_valid.val();
        self.counters.sent_count.next = self.reply.sent_count.val();
        self.reply.sent_ready.next = self.counters.sent_ready.val();
        self.counters.hold.next = self.reply.counter_hold.val();
        self.reply.counter_held.next = self.counters.held.val();
        self.counters.read_address.next = self.reply.counter_address.val();
        self.reply.counter_word.next = self.counters.read_data.val();
        for i in 0..self.busy.len() {
            self.docks[i].core_busy.next = self.busy[i].val();
            self.counters.busy[i].next = self.docks[i].busy.val();
        }

        // Aborts and resets.
        self.control.control_valid.next = self.request.control_valid.val();
        self.control.control_reset.next = self.request.control_reset.val();
        self.control.control_all.next = self.request.control_all.val();
        self.control.control_id.next = self.request.control_id.val();
        self.request.control_done.next = self.control.control_done.val();
        self.control.control_more.next = self.request.control_more.val();
        self.control.feeders_empty.next = self.docks_empty.q.val();
        self.control.cores_idle.next = self.docks_idle.q.val();
        self.dispatch.pause.next = self.control.pause_jobs.val();
        self.control.jobs_resting.next = self.dispatch.resting.val();
        self.reply.pause.next = self.control.pause_replies.val();
        self.control.replies_resting.next = self.reply.resting.val();
        self.job_queue.mark.next = self.control.mark.val();
        self.job_queue.mark_all.next = self.request.control_all.val();
        self.job_queue.mark_id.next = self.request.control_id.val();
        self.control.mark_done.next = self.job_queue.mark_done.val();
        self.job_queue.clear.next = self.control.clear_queues.val();
        self.result_queue.clear.next = self.control.clear_queues.val();
        self.result_queue.discard.next = self.control.discard.val();
        self.counters.clear.next = self.control.clear_counters.val();
        self.control.counters_cleared.next = self.counters.cleared.val();
        self.bus_abort[0].next = self.control.abort_valid.val();
        self.bus_abort_all[0].next = self.control.abort_all.val();
        self.bus_abort_id[0].next = self.control.abort_id.val();
        for i in 0..self.busy.len() {
            self.docks[i].abort_valid.next = self.bus_abort[i].val();
            self.docks[i].abort_all.next = self.bus_abort_all[i].val();
            self.docks[i].abort_id.next = self.bus_abort_id[i].val();
            self.bus_abort[i + 1].next = self.docks[i].core_abort_valid.val();
            self.bus_abort_all[i + 1].next = self.docks[i].core_abort_all.val();
            self.bus_abort_id[i + 1].next = self.docks[i].core_abort_id.val();
            self.abort_valid[i].next = self.docks[i].core_abort_valid.val();
            self.abort_all[i].next = self.docks[i].core_abort_all.val();
            self.abort_id[i].next = self.docks[i].core_abort_id.val();
        }
        self.working.next = !self.docks_idle.q.val();

        // Weights: to the cores, and to the copy whose checksum the host asks for.
        self.reply.weight_write.next = self.loading.q.val();
        self.reply.weight_index.next = self.loading_index.q.val();
        self.reply.weight_data.next = self.loading_data.q.val();
        self.loading.d.next = self.request.weight_write.val();
        self.loading_index.d.next = self.request.weight_index.val();
        self.loading_data.d.next = self.request.weight_data.val();
        self.bus_weight[0].next = self.loading.q.val();
        self.bus_weight_index[0].next = self.loading_index.q.val();
        self.bus_weight_data[0].next = self.loading_data.q.val();
        for i in 0..self.busy.len() {
            self.docks[i].weight_write.next = self.bus_weight[i].val();
            self.docks[i].weight_index.next = self.bus_weight_index[i].val();
            self.docks[i].weight_data.next = self.bus_weight_data[i].val();
            self.bus_weight[i + 1].next = self.docks[i].core_weight_write.val();
            self.bus_weight_index[i + 1].next = self.docks[i].core_weight_index.val();
            self.bus_weight_data[i + 1].next = self.docks[i].core_weight_data.val();
            self.weight_write[i].next = self.docks[i].core_weight_write.val();
            self.weight_index[i].next = self.docks[i].core_weight_index.val();
            self.weight_data[i].next = self.docks[i].core_weight_data.val();
        }
    }
}
