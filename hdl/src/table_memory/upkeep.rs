use rust_hdl::prelude::*;

use super::device::Timing;

/// What an SDRAM needs besides accesses: the ceremony after power-up, and a refresh now and then.
///
/// After power-up: a pause, all banks closed, some refreshes, the mode set. Then a refresh in every
/// interval, for which accesses stop until all rows are closed.
#[derive(LogicBlock)]
pub struct Upkeep {
    /// The clock.
    pub clock: Signal<In, Clock>,

    /// No row is open or about to be opened, and each bank could open one.
    pub idle: Signal<In, Bit>,

    // What accesses hear
    /// No new access may begin.
    pub hold: Signal<Out, Bit>,
    /// The chip is ready for accesses, and stays so.
    pub awake: Signal<Out, Bit>,

    // A command for the chip, in the cycle in which it must go out; zeros if there is none
    /// `ras`, `cas` and `we`, the highest bit first; a one is a low pin.
    pub command: Signal<Out, Bits<3>>,
    /// The address pins that go with it.
    pub address: Signal<Out, Bits<13>>,

    interval: Constant<Bits<14>>,
    pause: Constant<Bits<6>>,
    refreshes: Constant<Bits<4>>,
    after_precharge: Constant<Bits<5>>,
    after_refresh: Constant<Bits<5>>,
    after_mode: Constant<Bits<5>>,
    mode: Constant<Bits<13>>,
    every_bank: Constant<Bits<13>>,
    precharge_command: Constant<Bits<3>>,
    refresh_command: Constant<Bits<3>>,
    mode_command: Constant<Bits<3>>,

    step: DFF<UpkeepStep>,
    /// Cycles to the next interval.
    ticks: DFF<Bits<14>>,
    /// An interval begins.
    tick: DFF<Bit>,
    /// Intervals of the pause that are over.
    paused: DFF<Bits<6>>,
    /// Refreshes of the ceremony that are done.
    done: DFF<Bits<4>>,
    /// Cycles until the chip takes another command.
    blocked: DFF<Bits<5>>,
    /// A refresh is due.
    due: DFF<Bit>,
    up: DFF<Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum UpkeepStep {
    Pause,
    Ceremony,
    Run,
}

impl Upkeep {
    /// The block.
    pub fn new(timing: &Timing) -> Upkeep {
        Upkeep {
            clock: Signal::default(),
            idle: Signal::default(),
            hold: Signal::default(),
            awake: Signal::default(),
            command: Signal::default(),
            address: Signal::default(),
            interval: Constant::new((timing.refresh_interval - 1).to_bits()),
            pause: Constant::new(timing.pause_intervals.to_bits()),
            refreshes: Constant::new(timing.wake_refreshes.to_bits()),
            after_precharge: Constant::new((timing.precharge - 1).to_bits()),
            after_refresh: Constant::new((timing.refresh - 1).to_bits()),
            after_mode: Constant::new((timing.mode - 1).to_bits()),
            mode: Constant::new(timing.mode_register().to_bits()),
            every_bank: Constant::new(0x400_u32.to_bits()),
            precharge_command: Constant::new(0b101_u32.to_bits()),
            refresh_command: Constant::new(0b110_u32.to_bits()),
            mode_command: Constant::new(0b111_u32.to_bits()),
            step: DFF::default(),
            ticks: DFF::default(),
            tick: DFF::default(),
            paused: DFF::default(),
            done: DFF::default(),
            blocked: DFF::default(),
            due: DFF::default(),
            up: DFF::default(),
        }
    }
}

impl Logic for Upkeep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, ticks, tick, paused, done, blocked, due, up);
        self.tick.d.next = false;
        self.ticks.d.next = self.ticks.q.val() - 1;
        if self.ticks.q.val() == 0 {
            self.ticks.d.next = self.interval.val();
            self.tick.d.next = true;
        }
        if self.tick.q.val() {
            self.due.d.next = true;
        }
        if self.blocked.q.val() != 0 {
            self.blocked.d.next = self.blocked.q.val() - 1;
        }

        self.command.next = 0.into();
        self.address.next = self.every_bank.val();
        match self.step.q.val() {
            UpkeepStep::Pause => {
                if self.tick.q.val() {
                    self.paused.d.next = self.paused.q.val() + 1;
                    if self.paused.q.val() == self.pause.val() {
                        self.command.next = self.precharge_command.val();
                        self.blocked.d.next = self.after_precharge.val();
                        self.step.d.next = UpkeepStep::Ceremony;
                    }
                }
            }
            UpkeepStep::Ceremony => {
                if self.blocked.q.val() == 0 {
                    if self.done.q.val() == self.refreshes.val() {
                        self.command.next = self.mode_command.val();
                        self.address.next = self.mode.val();
                        self.blocked.d.next = self.after_mode.val();
                        self.step.d.next = UpkeepStep::Run;
                        self.up.d.next = true;
                    } else {
                        self.command.next = self.refresh_command.val();
                        self.done.d.next = self.done.q.val() + 1;
                        self.blocked.d.next = self.after_refresh.val();
                    }
                }
            }
            UpkeepStep::Run => {
                if self.due.q.val() & self.idle.val() & (self.blocked.q.val() == 0) {
                    self.command.next = self.refresh_command.val();
                    self.blocked.d.next = self.after_refresh.val();
                    self.due.d.next = false;
                }
            }
            _ => {
                self.step.d.next = UpkeepStep::Pause;
            }
        }
        self.awake.next = self.up.q.val();
        // An access that is let in now opens its row in the next cycle at the earliest.
        self.hold.next = !self.up.q.val() | self.due.q.val() | self.blocked.q.val().get_bits::<4>(1).any();
    }
}
