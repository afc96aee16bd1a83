use rust_hdl::prelude::*;

use super::signals;

/// The chip's counters, laid out in RAM as the status reply sends them.
///
/// | words | counter |
/// |---|---|
/// | 0–3 | busy slots |
/// | 4–7 | all slots |
/// | 8–9 | results sent |
/// | 10–11 | frames understood |
/// | 12–25 | frames dropped, by cause |
///
/// One 16-bit adder walks over the words of a counter. Slots come too fast for that: they are added up in windows of 1024
/// cycles, and so the status lags behind by that much.
#[derive(LogicBlock)]
pub struct Counters {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Frames in: held until `frame_ready`.
    /// A frame is to be counted.
    pub frame_valid: Signal<In, Bit>,
    /// As good, or as dropped for this cause.
    pub frame_good: Signal<In, Bit>,
    /// The cause.
    pub frame_cause: Signal<In, Bits<3>>,
    /// It is counted.
    pub frame_ready: Signal<Out, Bit>,

    // Results in: held until `sent_ready`.
    /// Results were sent.
    pub sent_valid: Signal<In, Bit>,
    /// How many.
    pub sent_count: Signal<In, Bits<6>>,
    /// They are counted.
    pub sent_ready: Signal<Out, Bit>,

    // Slots in.
    /// This core did a slot in this cycle.
    pub busy: Vec<Signal<In, Bit>>,

    // Clear in: held until `cleared`.
    /// Set all counters to zero.
    pub clear: Signal<In, Bit>,
    /// Done.
    pub cleared: Signal<Out, Bit>,

    // Counters out: the word at `read_address`, one cycle later, while `hold` and `held`.
    /// Stand still, to be read.
    pub hold: Signal<In, Bit>,
    /// They do.
    pub held: Signal<Out, Bit>,
    /// Which word.
    pub read_address: Signal<In, Bits<5>>,
    /// The word.
    pub read_data: Signal<Out, Bits<16>>,

    /// The slots of all cores in a window.
    window_slots: Constant<Bits<16>>,
    full: Constant<Bits<16>>,

    words: RAM<Bits<16>, 5>,
    step: DFF<CountStep>,
    /// There was a frame in the cycle before, and it is not counted yet.
    frame_waits: DFF<Bit>,
    job: DFF<CountJob>,
    at: DFF<Bits<5>>,
    amount: DFF<Bits<16>>,
    /// This counter does not overflow, because it has 64 bits.
    long: DFF<Bit>,
    /// The cycle of the window, and its busy slots so far.
    cycle: DFF<Bits<10>>,
    busy_slots: DFF<Bits<15>>,
    /// The cores that were busy in the cycle before.
    busy_cores: DFF<Bits<5>>,
    /// The busy slots of the window before, until they are added.
    window_valid: DFF<Bit>,
    window_busy: DFF<Bits<15>>,

    busy_sum: Signal<Local, Bits<5>>,
    busy_now: Signal<Local, Bits<15>>,
    sum: Signal<Local, Bits<17>>,
    last_word: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    frame_counted: Signal<Local, Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum CountStep {
    Clear,
    Idle,
    Read,
    Add,
    Saturate,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum CountJob {
    Frame,
    Sent,
    BusySlots,
    AllSlots,
}

impl Counters {
    /// The counters of a chip with so many cores.
    pub fn new(cores: usize) -> Counters {
        Counters {
            clock: Signal::default(),
            frame_valid: Signal::default(),
            frame_good: Signal::default(),
            frame_cause: Signal::default(),
            frame_ready: Signal::default(),
            sent_valid: Signal::default(),
            sent_count: Signal::default(),
            sent_ready: Signal::default(),
            busy: signals(cores),
            clear: Signal::default(),
            cleared: Signal::default(),
            hold: Signal::default(),
            held: Signal::default(),
            read_address: Signal::default(),
            read_data: Signal::default(),
            window_slots: Constant::new((cores << 10).to_bits()),
            full: Constant::new(0xffff.into()),
            words: RAM::default(),
            step: DFF::default(),
            frame_waits: DFF::default(),
            job: DFF::default(),
            at: DFF::default(),
            amount: DFF::default(),
            long: DFF::default(),
            cycle: DFF::default(),
            busy_slots: DFF::default(),
            busy_cores: DFF::default(),
            window_valid: DFF::default(),
            window_busy: DFF::default(),
            busy_sum: Signal::default(),
            busy_now: Signal::default(),
            sum: Signal::default(),
            last_word: Signal::default(),
            done: Signal::default(),
            frame_counted: Signal::default(),
        }
    }
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            step,
            frame_waits,
            job,
            at,
            amount,
            long,
            cycle,
            busy_slots,
            busy_cores,
            window_valid,
            window_busy
        );
        self.words.read_clock.next = self.clock.val();
        self.words.write_clock.next = self.clock.val();

        self.busy_sum.next = 0.into();
        for i in 0..self.busy.len() {
            if self.busy[i].val() {
                self.busy_sum.next = self.busy_sum.val() + 1;
            }
        }
        self.busy_cores.d.next = self.busy_sum.val();
        self.busy_now.next = self.busy_slots.q.val() + bit_cast::<15, 5>(self.busy_cores.q.val());
        self.busy_slots.d.next = self.busy_now.val();
        self.cycle.d.next = self.cycle.q.val() + 1;
        if self.cycle.q.val() == 1023 {
            self.busy_slots.d.next = 0.into();
            self.window_busy.d.next = self.busy_now.val();
            self.window_valid.d.next = true;
        }

        self.sum.next = bit_cast::<17, 16>(self.words.read_data.val()) + bit_cast::<17, 16>(self.amount.q.val());
        // Short counters begin at even words, long ones at words that 4 divides.
        self.last_word.next = self.at.q.val().get_bit(0) & (self.at.q.val().get_bit(1) | !self.long.q.val());

        self.done.next = false;
        self.cleared.next = false;
        self.held.next = false;
        self.words.write_enable.next = false;
        self.words.write_address.next = self.at.q.val();
        self.words.write_data.next = self.sum.val().get_bits::<16>(0);
        self.words.read_address.next = self.at.q.val();

        match self.step.q.val() {
            // Also the first thing that the chip does.
            CountStep::Clear => {
                self.words.write_enable.next = true;
                self.words.write_data.next = 0.into();
                self.cycle.d.next = 0.into();
                self.busy_slots.d.next = 0.into();
                self.window_valid.d.next = false;
                self.at.d.next = self.at.q.val() + 1;
                if self.at.q.val() == 31 {
                    self.cleared.next = true;
                    self.step.d.next = CountStep::Idle;
                }
            }
            CountStep::Idle => {
                self.amount.d.next = 1.into();
                self.long.d.next = false;
                self.words.read_address.next = self.read_address.val();
                if self.clear.val() {
                    self.at.d.next = 0.into();
                    self.step.d.next = CountStep::Clear;
                } else if self.frame_waits.q.val() {
                    self.job.d.next = CountJob::Frame;
                    self.at.d.next = 10.into();
                    if !self.frame_good.val() {
                        self.at.d.next = (bit_cast::<5, 3>(self.frame_cause.val()) << 1) + 12;
                    }
                    self.step.d.next = CountStep::Read;
                } else if self.sent_valid.val() {
                    self.job.d.next = CountJob::Sent;
                    self.at.d.next = 8.into();
                    self.amount.d.next = bit_cast::<16, 6>(self.sent_count.val());
                    self.step.d.next = CountStep::Read;
                } else if self.hold.val() {
                    self.held.next = true;
                } else if self.window_valid.q.val() {
                    self.job.d.next = CountJob::BusySlots;
                    self.at.d.next = 0.into();
                    self.long.d.next = true;
                    self.amount.d.next = bit_cast::<16, 15>(self.window_busy.q.val());
                    self.window_valid.d.next = false;
                    self.step.d.next = CountStep::Read;
                }
            }
            CountStep::Read => {
                self.step.d.next = CountStep::Add;
            }
            // The carry becomes the amount for the next word.
            CountStep::Add => {
                self.words.write_enable.next = true;
                self.amount.d.next = bit_cast::<16, 1>(self.sum.val().get_bits::<1>(16));
                self.at.d.next = self.at.q.val() + 1;
                self.step.d.next = CountStep::Read;
                if self.last_word.val() {
                    self.done.next = true;
                    if self.sum.val().get_bit(16) & !self.long.q.val() {
                        self.done.next = false;
                        self.words.write_data.next = self.full.val();
                        self.at.d.next = self.at.q.val() - 1;
                        self.step.d.next = CountStep::Saturate;
                    }
                }
            }
            CountStep::Saturate => {
                self.words.write_enable.next = true;
                self.words.write_data.next = self.full.val();
                self.done.next = true;
            }
            _ => {
                self.step.d.next = CountStep::Idle;
            }
        }

        if self.done.val() {
            self.step.d.next = CountStep::Idle;
            if self.job.q.val() == CountJob::BusySlots {
                self.job.d.next = CountJob::AllSlots;
                self.at.d.next = 4.into();
                self.amount.d.next = self.window_slots.val();
                self.step.d.next = CountStep::Read;
            }
        }
        self.frame_counted.next = self.done.val() & (self.job.q.val() == CountJob::Frame);
        self.frame_ready.next = self.frame_counted.val();
        self.frame_waits.d.next = self.frame_valid.val() & !self.frame_counted.val();
        self.sent_ready.next = self.done.val() & (self.job.q.val() == CountJob::Sent);
        self.read_data.next = self.words.read_data.val();
    }
}
