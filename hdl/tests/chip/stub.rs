//! A chip whose cores only pretend: for the shell's tests.

use bluebelle_hdl::chip::Shell;
use bluebelle_hdl::config::Config;
use bluebelle_hdl::job_words::job_words;
use bluebelle_hdl::link::{CobsDecode, CobsEncode};
use bluebelle_spec::leaf::{Ending, Job, Outcome, Task};
use rust_hdl::prelude::*;

/// A core with one thread, which answers a job after 128 cycles for each ply of its depth: nodes are the pieces, slots the sum
/// of the job's words.
#[derive(LogicBlock)]
pub(crate) struct StubCore {
    pub clock: Signal<In, Clock>,

    pub job_word: Signal<In, Bits<18>>,
    pub job_valid: Signal<In, Bit>,
    pub job_ready: Signal<Out, Bit>,

    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_id: Signal<Out, Bits<16>>,
    pub result_ending: Signal<Out, Bits<3>>,
    pub result_score: Signal<Out, Bits<16>>,
    pub result_best: Signal<Out, Bits<16>>,
    pub result_nodes: Signal<Out, Bits<32>>,
    pub result_slots: Signal<Out, Bits<32>>,

    pub weight_write: Signal<In, Bit>,
    pub weight_index: Signal<In, Bits<10>>,
    pub weight_data: Signal<In, Bits<16>>,

    pub abort_valid: Signal<In, Bit>,
    pub abort_all: Signal<In, Bit>,
    pub abort_id: Signal<In, Bits<16>>,

    pub busy: Signal<Out, Bit>,

    lower: Constant<Bits<3>>,
    aborted: Constant<Bits<3>>,

    step: DFF<StubStep>,
    at: DFF<Bits<3>>,
    id: DFF<Bits<16>>,
    score: DFF<Bits<16>>,
    best: DFF<Bits<16>>,
    pieces: DFF<Bits<32>>,
    sum: DFF<Bits<32>>,
    delay: DFF<Bits<11>>,
    ending: DFF<Bits<3>>,
    /// Sum of weights, so that they are not for nothing.
    pub weights: DFF<Bits<16>>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum StubStep {
    Load,
    Work,
    Answer,
}

impl Default for StubCore {
    fn default() -> StubCore {
        StubCore {
            clock: Signal::default(),
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
            weight_write: Signal::default(),
            weight_index: Signal::default(),
            weight_data: Signal::default(),
            abort_valid: Signal::default(),
            abort_all: Signal::default(),
            abort_id: Signal::default(),
            busy: Signal::default(),
            lower: Constant::new((Ending::Lower as u8).to_bits()),
            aborted: Constant::new((Ending::Aborted as u8).to_bits()),
            step: DFF::default(),
            at: DFF::default(),
            id: DFF::default(),
            score: DFF::default(),
            best: DFF::default(),
            pieces: DFF::default(),
            sum: DFF::default(),
            delay: DFF::default(),
            ending: DFF::default(),
            weights: DFF::default(),
        }
    }
}

impl Logic for StubCore {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, step, at, id, score, best, pieces, sum, delay, ending, weights
        );
        self.job_ready.next = self.step.q.val() == StubStep::Load;
        self.result_valid.next = self.step.q.val() == StubStep::Answer;
        self.result_id.next = self.id.q.val();
        self.result_ending.next = self.ending.q.val();
        self.result_score.next = self.score.q.val();
        self.result_best.next = self.best.q.val();
        self.result_nodes.next = self.pieces.q.val();
        self.result_slots.next = self.sum.q.val();
        self.busy.next = self.step.q.val() == StubStep::Work;
        if self.weight_write.val() {
            self.weights.d.next =
                self.weights.q.val() + self.weight_data.val() + bit_cast::<16, 10>(self.weight_index.val());
        }

        match self.step.q.val() {
            StubStep::Load => {
                self.ending.d.next = self.lower.val();
                if self.job_valid.val() {
                    self.sum.d.next = self.sum.q.val() + bit_cast::<32, 18>(self.job_word.val());
                    if self.at.q.val() == 0 {
                        self.sum.d.next = bit_cast::<32, 18>(self.job_word.val());
                        self.pieces.d.next = 0.into();
                        self.id.d.next = self.job_word.val().get_bits::<16>(0);
                    }
                    if self.at.q.val() == 1 {
                        self.delay.d.next = bit_cast::<11, 4>(self.job_word.val().get_bits::<4>(9)) << 7;
                    }
                    if self.at.q.val() == 2 {
                        self.score.d.next = self.job_word.val().get_bits::<16>(0);
                    }
                    if self.at.q.val() == 5 {
                        self.best.d.next = self.job_word.val().get_bits::<16>(0);
                    }
                    if self.at.q.val() == 6 {
                        self.pieces.d.next = self.pieces.q.val() + 1;
                        if self.job_word.val().get_bit(10) {
                            self.at.d.next = 0.into();
                            self.step.d.next = StubStep::Work;
                        }
                    } else {
                        self.at.d.next = self.at.q.val() + 1;
                    }
                }
            }
            StubStep::Work => {
                self.delay.d.next = self.delay.q.val() - 1;
                if self.delay.q.val() == 0 {
                    self.step.d.next = StubStep::Answer;
                }
                if self.abort_valid.val() & (self.abort_all.val() | (self.abort_id.val() == self.id.q.val())) {
                    self.ending.d.next = self.aborted.val();
                    self.step.d.next = StubStep::Answer;
                }
            }
            StubStep::Answer => {
                if self.result_ready.val() {
                    self.step.d.next = StubStep::Load;
                }
            }
            _ => {
                self.step.d.next = StubStep::Load;
            }
        }
    }
}

/// What the stub core answers.
pub(crate) fn stub_outcome(id: u16, job: &Job) -> Outcome {
    let words = job_words(id, job);
    let beta = match job.task {
        Task::Search { beta, .. } => beta,
        Task::Perft { .. } => 0,
    };
    Outcome {
        ending: Ending::Lower,
        score: beta,
        best: job.first,
        nodes: words.len() as u32 - 6,
        slots: words.iter().sum(),
    }
}

/// The shell with stub cores.
#[derive(LogicBlock)]
pub(crate) struct StubChip {
    pub clock: Signal<In, Clock>,
    pub rx_data: Signal<In, Bits<8>>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_ready: Signal<Out, Bit>,
    pub tx_data: Signal<Out, Bits<8>>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_ready: Signal<In, Bit>,
    pub dropped: Signal<Out, Bit>,
    decode: CobsDecode,
    encode: CobsEncode,
    shell: Shell,
    pub cores: Vec<StubCore>,
}

impl StubChip {
    pub(crate) fn new(config: &Config) -> StubChip {
        StubChip {
            clock: Signal::default(),
            rx_data: Signal::default(),
            rx_valid: Signal::default(),
            rx_ready: Signal::default(),
            tx_data: Signal::default(),
            tx_valid: Signal::default(),
            tx_ready: Signal::default(),
            dropped: Signal::default(),
            decode: CobsDecode::default(),
            encode: CobsEncode::default(),
            shell: Shell::new(config),
            cores: (0..config.cores).map(|_| StubCore::default()).collect(),
        }
    }
}

impl Logic for StubChip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, decode, encode, shell);
        self.decode.rx_data.next = self.rx_data.val();
        self.decode.rx_valid.next = self.rx_valid.val();
        self.rx_ready.next = self.decode.rx_ready.val();
        self.shell.frame_valid.next = self.decode.frame_valid.val();
        self.shell.frame_cause.next = self.decode.frame_cause.val();
        self.shell.frame_kind.next = self.decode.frame_kind.val();
        self.shell.frame_length.next = self.decode.frame_length.val();
        self.decode.frame_done.next = self.shell.frame_done.val();
        self.decode.read_address.next = self.shell.read_address.val();
        self.shell.read_data.next = self.decode.read_data.val();
        self.encode.byte_valid.next = self.shell.byte_valid.val();
        self.encode.byte_data.next = self.shell.byte_data.val();
        self.encode.finish.next = self.shell.finish.val();
        self.shell.byte_ready.next = self.encode.byte_ready.val();
        self.shell.finished.next = self.encode.finished.val();
        self.shell.room.next = self.encode.room.val();
        self.tx_data.next = self.encode.tx_data.val();
        self.tx_valid.next = self.encode.tx_valid.val();
        self.encode.tx_ready.next = self.tx_ready.val();
        self.dropped.next = self.shell.dropped.val();
        for i in 0..self.cores.len() {
            self.cores[i].clock.next = self.clock.val();
            self.cores[i].job_word.next = self.shell.job_word[i].val();
            self.cores[i].job_valid.next = self.shell.job_valid[i].val();
            self.shell.job_ready[i].next = self.cores[i].job_ready.val();
            self.shell.result_valid[i].next = self.cores[i].result_valid.val();
            self.shell.result_id[i].next = self.cores[i].result_id.val();
            self.shell.result_ending[i].next = self.cores[i].result_ending.val();
            self.shell.result_score[i].next = self.cores[i].result_score.val();
            self.shell.result_best[i].next = self.cores[i].result_best.val();
            self.shell.result_nodes[i].next = self.cores[i].result_nodes.val();
            self.shell.result_slots[i].next = self.cores[i].result_slots.val();
            self.cores[i].result_ready.next = self.shell.result_ready[i].val();
            self.cores[i].weight_write.next = self.shell.weight_write[i].val();
            self.cores[i].weight_index.next = self.shell.weight_index[i].val();
            self.cores[i].weight_data.next = self.shell.weight_data[i].val();
            self.cores[i].abort_valid.next = self.shell.abort_valid[i].val();
            self.cores[i].abort_all.next = self.shell.abort_all[i].val();
            self.cores[i].abort_id.next = self.shell.abort_id[i].val();
            self.shell.busy[i].next = self.cores[i].busy.val();
        }
    }
}
