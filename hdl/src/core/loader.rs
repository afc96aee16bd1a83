//! Where jobs enter the core.

use rust_hdl::prelude::*;

/// Takes the words of a job: the header at once, then a piece whenever the thread that loads passes by.
#[derive(LogicBlock, Default)]
pub struct Loader {
    pub clock: Signal<In, Clock>,
    // Job in: words, taken when valid and ready
    pub job_word: Signal<In, Bits<18>>,
    pub job_valid: Signal<In, Bit>,
    pub job_ready: Signal<Out, Bit>,
    // Header out, held until the thread has begun
    pub ready: Signal<Out, Bit>,
    pub id: Signal<Out, Bits<16>>,
    pub rules: Signal<Out, Bits<16>>,
    pub beta: Signal<Out, Bits<16>>,
    pub limit: Signal<Out, Bits<29>>,
    pub first: Signal<Out, Bits<16>>,
    pub first_piece: Signal<Out, Bits<3>>,
    pub first_captured: Signal<Out, Bits<3>>,
    // Pieces out, each held until taken
    pub piece_valid: Signal<Out, Bit>,
    pub piece_square: Signal<Out, Bits<6>>,
    pub piece_code: Signal<Out, Bits<3>>,
    pub piece_black: Signal<Out, Bit>,
    pub piece_last: Signal<Out, Bit>,
    pub piece_start: Signal<Out, Bit>,
    pub take_job: Signal<In, Bit>,
    pub take_piece: Signal<In, Bit>,
    pub begun: Signal<In, Bit>,

    count: DFF<Bits<3>>,
    taken: DFF<Bit>,
    started: DFF<Bit>,
    ended: DFF<Bit>,
    id_state: DFF<Bits<16>>,
    rules_state: DFF<Bits<16>>,
    beta_state: DFF<Bits<16>>,
    limit_low: DFF<Bits<16>>,
    limit_high: DFF<Bits<13>>,
    first_state: DFF<Bits<16>>,
    first_piece_state: DFF<Bits<3>>,
    first_captured_state: DFF<Bits<3>>,
    word: Signal<Local, Bits<18>>,
    header: Signal<Local, Bit>,
    square: Signal<Local, Bits<6>>,
    code: Signal<Local, Bits<3>>,
}

impl Logic for Loader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            count,
            taken,
            started,
            ended,
            id_state,
            rules_state,
            beta_state,
            limit_low,
            limit_high,
            first_state,
            first_piece_state,
            first_captured_state
        );
        self.word.next = self.job_word.val();
        self.header.next = self.count.q.val() != 6;
        if self.header.val() & self.job_valid.val() {
            self.count.d.next = self.count.q.val() + 1;
            if self.count.q.val() == 0 {
                self.id_state.d.next = self.word.val().get_bits::<16>(0);
            }
            if self.count.q.val() == 1 {
                self.rules_state.d.next = self.word.val().get_bits::<16>(0);
            }
            if self.count.q.val() == 2 {
                self.beta_state.d.next = self.word.val().get_bits::<16>(0);
            }
            if self.count.q.val() == 3 {
                self.limit_low.d.next = self.word.val().get_bits::<16>(0);
            }
            if self.count.q.val() == 4 {
                self.limit_high.d.next = self.word.val().get_bits::<13>(0);
            }
            if self.count.q.val() == 5 {
                self.first_state.d.next = self.word.val().get_bits::<16>(0);
                self.first_piece_state.d.next = 0.into();
                self.first_captured_state.d.next = 0.into();
            }
        }

        // Pieces. What stands on the first move's squares is noted as it goes by.
        self.square.next = self.word.val().get_bits::<6>(0);
        self.code.next = self.word.val().get_bits::<3>(6);
        self.piece_valid.next = !self.header.val() & !self.ended.q.val() & self.job_valid.val();
        self.piece_square.next = self.square.val();
        self.piece_code.next = self.code.val();
        self.piece_black.next = self.word.val().get_bit(9);
        self.piece_last.next = self.word.val().get_bit(10);
        self.piece_start.next = !self.started.q.val();
        if self.take_piece.val() {
            self.started.d.next = true;
            self.ended.d.next = self.word.val().get_bit(10);
            if self.square.val() == self.first_state.q.val().get_bits::<6>(0) {
                self.first_piece_state.d.next = self.code.val();
            }
            if self.square.val() == self.first_state.q.val().get_bits::<6>(6) {
                self.first_captured_state.d.next = self.code.val();
            }
        }
        if self.take_job.val() {
            self.taken.d.next = true;
        }
        if self.begun.val() {
            self.count.d.next = 0.into();
            self.taken.d.next = false;
            self.started.d.next = false;
            self.ended.d.next = false;
        }

        self.job_ready.next = self.header.val() | self.take_piece.val();
        self.ready.next = !self.header.val() & !self.taken.q.val();
        self.id.next = self.id_state.q.val();
        self.rules.next = self.rules_state.q.val();
        self.beta.next = self.beta_state.q.val();
        self.limit.next =
            bit_cast::<29, 16>(self.limit_low.q.val()) | (bit_cast::<29, 13>(self.limit_high.q.val()) << 16);
        self.first.next = self.first_state.q.val();
        self.first_piece.next = self.first_piece_state.q.val();
        self.first_captured.next = self.first_captured_state.q.val();
    }
}
