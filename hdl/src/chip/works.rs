use rust_hdl::prelude::*;

use super::Shell;
use crate::config::{Config, MAX_CORES};
use crate::core::Core;

/// The chip without its way in: frames come and go, however the host sent them.
#[derive(LogicBlock)]
pub struct Works {
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

    // Lights out.
    /// Cores have jobs.
    pub working: Signal<Out, Bit>,
    /// A frame is being dropped.
    pub dropped: Signal<Out, Bit>,

    shell: Shell,
    cores: Vec<Core>,
}

impl Works {
    /// The block, for a chip with this configuration.
    ///
    /// # Panics
    /// If the configuration asks for what there cannot be.
    pub fn new(config: &Config) -> Works {
        let cores = config.cores;
        assert!(
            (1..=MAX_CORES).contains(&cores),
            "{cores} cores: a chip has 1 to {MAX_CORES}"
        );
        Works {
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
            working: Signal::default(),
            dropped: Signal::default(),
            shell: Shell::new(config),
            cores: (0..cores).map(|_| Core::new(config.gangs)).collect(),
        }
    }
}

impl Logic for Works {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, shell);
        self.shell.frame_valid.next = self.frame_valid.val();
        self.shell.frame_cause.next = self.frame_cause.val();
        self.shell.frame_kind.next = self.frame_kind.val();
        self.shell.frame_length.next = self.frame_length.val();
        self.frame_done.next = self.shell.frame_done.val();
        self.read_address.next = self.shell.read_address.val();
        self.shell.read_data.next = self.read_data.val();
        self.byte_valid.next = self.shell.byte_valid.val();
        self.byte_data.next = self.shell.byte_data.val();
        self.shell.byte_ready.next = self.byte_ready.val();
        self.finish.next = self.shell.finish.val();
        self.shell.finished.next = self.finished.val();
        self.shell.room.next = self.room.val();
        self.credits.next = self.shell.credits.val();
        self.working.next = self.shell.working.val();
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
