mod steps;

use bluebelle_spec::leaf::{MATE, MAX_NODES};
use bluebelle_spec::wire::{DropCause, ErrorCode, Kind, NO_JOB};
use rust_hdl::prelude::*;

use super::limits::Limits;
use super::unpack::Unpack;
use crate::queue::Memory;

/// Does what good frames ask for.
///
/// A frame is done as a whole or not at all: it is read twice, first to check everything in the order of the specification,
/// then to do it. The words of a job are laid out in a small RAM, the *template*; a child of a batch only changes three
/// of them.
#[derive(LogicBlock)]
pub struct Request {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Frame in: held until `frame_done`.
    /// There is a frame.
    pub frame_valid: Signal<In, Bit>,
    /// Why it is dropped, a [`DropCause`]; 7 if it is good so far.
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

    // Jobs out: a word in every cycle with `job_valid`; only whole jobs, and no more than there are `credits`.
    /// There is a word.
    pub job_valid: Signal<Out, Bit>,
    /// A word of a job.
    pub job_word: Signal<Out, Bits<18>>,
    /// The last word of a job.
    pub job_last: Signal<Out, Bit>,
    /// How many jobs fit.
    pub credits: Signal<In, Bits<8>>,

    // Weights out: one in every cycle with `weight_write`.
    /// There is a weight.
    pub weight_write: Signal<Out, Bit>,
    /// Which.
    pub weight_index: Signal<Out, Bits<10>>,
    /// Its value.
    pub weight_data: Signal<Out, Bits<16>>,

    // Control out: held until `control_done`.
    /// Stop jobs.
    pub control_valid: Signal<Out, Bit>,
    /// Drop all jobs and set the counters to zero.
    pub control_reset: Signal<Out, Bit>,
    /// Stop all jobs.
    pub control_all: Signal<Out, Bit>,
    /// Stop the jobs with this id.
    pub control_id: Signal<Out, Bits<16>>,
    /// More will follow.
    pub control_more: Signal<Out, Bit>,
    /// Done.
    pub control_done: Signal<In, Bit>,

    // Count out: held until `count_ready`.
    /// A frame is to be counted.
    pub count_valid: Signal<Out, Bit>,
    /// As good, or as dropped for this cause.
    pub count_good: Signal<Out, Bit>,
    /// The cause.
    pub count_cause: Signal<Out, Bits<3>>,
    /// It is counted.
    pub count_ready: Signal<In, Bit>,

    // Reply out: held until `reply_ready`.
    /// Something is to be answered.
    pub reply_valid: Signal<Out, Bit>,
    /// The answer is the chip's status.
    pub reply_status: Signal<Out, Bit>,
    /// The answer is an error; without either, it is the chip's identity.
    pub reply_error: Signal<Out, Bit>,
    /// The error.
    pub error_code: Signal<Out, Bits<4>>,
    /// The job to blame.
    pub error_id: Signal<Out, Bits<16>>,
    /// It is answered.
    pub reply_ready: Signal<In, Bit>,

    kind_identify: Constant<Bits<8>>,
    kind_reset: Constant<Bits<8>>,
    kind_weights: Constant<Bits<8>>,
    kind_job: Constant<Bits<8>>,
    kind_batch: Constant<Bits<8>>,
    kind_abort: Constant<Bits<8>>,
    kind_status: Constant<Bits<8>>,
    cause_length: Constant<Bits<3>>,
    cause_version: Constant<Bits<3>>,
    cause_kind: Constant<Bits<3>>,
    cause_content: Constant<Bits<3>>,
    unknown_kind: Constant<Bits<4>>,
    bad_version: Constant<Bits<4>>,
    bad_length: Constant<Bits<4>>,
    bad_reserved: Constant<Bits<4>>,
    bad_position: Constant<Bits<4>>,
    bad_move: Constant<Bits<4>>,
    bad_depth: Constant<Bits<4>>,
    bad_window: Constant<Bits<4>>,
    bad_node_limit: Constant<Bits<4>>,
    bad_id: Constant<Bits<4>>,
    bad_weights: Constant<Bits<4>>,
    queue_full: Constant<Bits<4>>,
    no_job: Constant<Bits<16>>,
    /// Makes the least window 0, and so the range of windows one comparison.
    least_window: Constant<Bits<17>>,
    most_window: Constant<Bits<17>>,
    all_nodes: Constant<Bits<16>>,

    limits: Limits,
    unpack: Unpack,
    template: Memory<Bits<16>, 6>,
    // What goes into the template, a cycle later.
    writing: DFF<Bit>,
    writing_address: DFF<Bits<6>>,
    writing_data: DFF<Bits<16>>,
    step: DFF<RequestStep>,
    /// The next word of the payload to read; the one before it is in `read_data`.
    at: DFF<Bits<10>>,
    /// What `read_data` was a cycle before.
    previous: DFF<Bits<16>>,
    /// Checked: now do it.
    checked: DFF<Bit>,
    /// There are more items after this one.
    more: DFF<Bit>,
    code: DFF<Bits<4>>,
    cause: DFF<Bits<3>>,
    /// The frame was found to be wrong in the cycle before, and why.
    failed: DFF<Bit>,
    // What is asked of `previous`, the word that was in `read_data` then
    asked_count: DFF<Bit>,
    asked_id: DFF<Bit>,
    asked_task: DFF<Bit>,
    asked_nodes: DFF<Bit>,
    asked_first: DFF<Bit>,
    asked_move: DFF<Bit>,
    no_limit: DFF<Bit>,
    child_id: DFF<Bits<16>>,
    /// How many children the frame's length has room for.
    children_here: DFF<Bits<16>>,
    failed_code: DFF<Bits<4>>,
    failed_cause: DFF<Bits<3>>,
    id: DFF<Bits<16>>,
    children: DFF<Bits<8>>,
    windows_left: DFF<Bits<8>>,
    distance: DFF<Bits<16>>,
    window: DFF<Bits<17>>,
    first_window: DFF<Bits<16>>,
    perft: DFF<Bit>,
    pruning: DFF<Bit>,
    gang: DFF<Bit>,
    depth: DFF<Bits<5>>,
    low_limit_zero: DFF<Bit>,
    move_refused: DFF<Bit>,
    /// The next word of the template to read; the one before it is in `read_data`.
    word_at: DFF<Bits<6>>,
    weight_at: DFF<Bits<16>>,

    // The input of a block is written once: in an event-driven simulation a default and an override would wake it, and it
    // us, for ever.
    start_unpack: Signal<Local, Bit>,
    counting: Signal<Local, Bit>,
    is_job: Signal<Local, Bit>,
    is_batch: Signal<Local, Bit>,
    last_item: Signal<Local, Bit>,
    fail: Signal<Local, Bit>,
    fail_code: Signal<Local, Bits<4>>,
    fail_cause: Signal<Local, Bits<3>>,
    asks_count: Signal<Local, Bit>,
    asks_id: Signal<Local, Bit>,
    asks_task: Signal<Local, Bit>,
    asks_nodes: Signal<Local, Bit>,
    asks_first: Signal<Local, Bit>,
    asks_move: Signal<Local, Bit>,
    move_wrong: Signal<Local, Bit>,
    task_wrong: Signal<Local, Bit>,
    wrong: Signal<Local, Bit>,
    words: Signal<Local, Bits<10>>,
    wide_data: Signal<Local, Bits<17>>,
    wide_distance: Signal<Local, Bits<17>>,
    lifted_window: Signal<Local, Bits<17>>,
    last_word: Signal<Local, Bits<6>>,
    job_done: Signal<Local, Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum RequestStep {
    Idle,
    Drop,
    Fail,
    AnswerError,
    Finish,
    Accept,
    Act,
    Answer,
    Control,
    SeekCount,
    Count,
    Id,
    Task,
    Window,
    Windows,
    LowLimit,
    HighLimit,
    First,
    Position,
    Unpacked,
    SeekChild,
    ChildId,
    ChildMove,
    Emit,
    Emitting,
    SeekWeights,
    Offset,
    ReadWeight,
    Weight,
    SeekIds,
    Ids,
    AbortId,
}

impl Request {
    /// The block.
    pub fn new() -> Request {
        let kind = |kind: Kind| Constant::new((kind as u8).to_bits());
        let cause = |cause: DropCause| Constant::new((cause as u8).to_bits());
        let code = |code: ErrorCode| Constant::new((code as u8).to_bits());
        Request {
            clock: Signal::default(),
            frame_valid: Signal::default(),
            frame_cause: Signal::default(),
            frame_kind: Signal::default(),
            frame_length: Signal::default(),
            frame_done: Signal::default(),
            read_address: Signal::default(),
            read_data: Signal::default(),
            job_valid: Signal::default(),
            job_word: Signal::default(),
            job_last: Signal::default(),
            credits: Signal::default(),
            weight_write: Signal::default(),
            weight_index: Signal::default(),
            weight_data: Signal::default(),
            control_valid: Signal::default(),
            control_reset: Signal::default(),
            control_all: Signal::default(),
            control_id: Signal::default(),
            control_more: Signal::default(),
            control_done: Signal::default(),
            count_valid: Signal::default(),
            count_good: Signal::default(),
            count_cause: Signal::default(),
            count_ready: Signal::default(),
            reply_valid: Signal::default(),
            reply_status: Signal::default(),
            reply_error: Signal::default(),
            error_code: Signal::default(),
            error_id: Signal::default(),
            reply_ready: Signal::default(),
            kind_identify: kind(Kind::Identify),
            kind_reset: kind(Kind::Reset),
            kind_weights: kind(Kind::LoadWeights),
            kind_job: kind(Kind::Job),
            kind_batch: kind(Kind::Batch),
            kind_abort: kind(Kind::Abort),
            kind_status: kind(Kind::StatusRequest),
            cause_length: cause(DropCause::Length),
            cause_version: cause(DropCause::Version),
            cause_kind: cause(DropCause::Kind),
            cause_content: cause(DropCause::Content),
            unknown_kind: code(ErrorCode::UnknownKind),
            bad_version: code(ErrorCode::BadVersion),
            bad_length: code(ErrorCode::BadLength),
            bad_reserved: code(ErrorCode::BadReserved),
            bad_position: code(ErrorCode::BadPosition),
            bad_move: code(ErrorCode::BadMove),
            bad_depth: code(ErrorCode::BadDepth),
            bad_window: code(ErrorCode::BadWindow),
            bad_node_limit: code(ErrorCode::BadNodeLimit),
            bad_id: code(ErrorCode::BadId),
            bad_weights: code(ErrorCode::BadWeights),
            queue_full: code(ErrorCode::QueueFull),
            no_job: Constant::new(NO_JOB.to_bits()),
            least_window: Constant::new((MATE as u64 - 1).into()),
            most_window: Constant::new((2 * MATE as u64 - 1).into()),
            all_nodes: Constant::new((MAX_NODES >> 16).to_bits()),
            limits: Limits::default(),
            unpack: Unpack::default(),
            template: Memory::default(),
            writing: DFF::default(),
            writing_address: DFF::default(),
            writing_data: DFF::default(),
            step: DFF::default(),
            at: DFF::default(),
            previous: DFF::default(),
            checked: DFF::default(),
            more: DFF::default(),
            code: DFF::default(),
            cause: DFF::default(),
            failed: DFF::default(),
            asked_count: DFF::default(),
            asked_id: DFF::default(),
            asked_task: DFF::default(),
            asked_nodes: DFF::default(),
            asked_first: DFF::default(),
            asked_move: DFF::default(),
            no_limit: DFF::default(),
            child_id: DFF::default(),
            children_here: DFF::default(),
            failed_code: DFF::default(),
            failed_cause: DFF::default(),
            id: DFF::default(),
            children: DFF::default(),
            windows_left: DFF::default(),
            distance: DFF::default(),
            window: DFF::default(),
            first_window: DFF::default(),
            perft: DFF::default(),
            pruning: DFF::default(),
            gang: DFF::default(),
            depth: DFF::default(),
            low_limit_zero: DFF::default(),
            move_refused: DFF::default(),
            word_at: DFF::default(),
            weight_at: DFF::default(),
            start_unpack: Signal::default(),
            counting: Signal::default(),
            is_job: Signal::default(),
            is_batch: Signal::default(),
            last_item: Signal::default(),
            fail: Signal::default(),
            fail_code: Signal::default(),
            fail_cause: Signal::default(),
            asks_count: Signal::default(),
            asks_id: Signal::default(),
            asks_task: Signal::default(),
            asks_nodes: Signal::default(),
            asks_first: Signal::default(),
            asks_move: Signal::default(),
            move_wrong: Signal::default(),
            task_wrong: Signal::default(),
            wrong: Signal::default(),
            words: Signal::default(),
            wide_data: Signal::default(),
            wide_distance: Signal::default(),
            lifted_window: Signal::default(),
            last_word: Signal::default(),
            job_done: Signal::default(),
        }
    }
}

impl Default for Request {
    fn default() -> Request {
        Request::new()
    }
}
