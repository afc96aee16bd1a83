use std::any::type_name;

use rust_hdl::prelude::{Block, Clock, In, Signal};

use super::ports::{self, Recording};

/// Where a block's clock is.
pub(super) type ClockOf<B> = fn(&mut B) -> &mut Signal<In, Clock>;

/// The passes after which rust-hdl's own simulator gives up too.
const MAX_PASSES: usize = 100;

/// A block under test, driven edge by edge. This is some 20 times as fast as rust-hdl's `Simulation`.
///
/// See [the module](super) for when things happen.
pub struct Bench<B> {
    /// The block under test: write its inputs' `next`, read its outputs' `val()`.
    pub uut: B,
    clock: Option<ClockOf<B>>,
    cycles: u64,
    pub(super) recording: Option<Recording>,
}

impl<B: Block> Bench<B> {
    /// A bench for a block with a clock, which starts low: `Bench::new(Counter::default(), |uut| &mut uut.clock)`.
    pub fn new(uut: B, clock: ClockOf<B>) -> Bench<B> {
        Bench::with(uut, Some(clock))
    }

    /// A bench for a block without registers. A tick only settles it.
    pub fn combinational(uut: B) -> Bench<B> {
        Bench::with(uut, None)
    }

    pub(super) fn with(mut uut: B, clock: Option<ClockOf<B>>) -> Bench<B> {
        uut.connect_all();
        let mut bench = Bench {
            uut,
            clock,
            cycles: 0,
            recording: None,
        };
        bench.settle();
        bench
    }

    /// Sets inputs, then ticks.
    #[track_caller]
    pub fn cycle(&mut self, inputs: impl FnOnce(&mut B)) {
        inputs(&mut self.uut);
        self.tick();
    }

    /// One rising edge, with the inputs as they are.
    #[track_caller]
    pub fn tick(&mut self) {
        self.settle();
        if let Some(recording) = &mut self.recording {
            recording.record(&self.uut);
        }
        self.cycles += 1;
        if self.clock.is_some() {
            self.drive_clock(true);
            self.drive_clock(false);
        }
    }

    /// Ticks until `condition` holds, looking before each tick, and gives the number of ticks.
    ///
    /// # Panics
    /// If it does not hold after `limit` ticks.
    #[track_caller]
    pub fn tick_until(&mut self, limit: u64, condition: impl Fn(&B) -> bool) -> u64 {
        for ticks in 0..=limit {
            self.settle();
            if condition(&self.uut) {
                return ticks;
            }
            if ticks < limit {
                self.tick();
            }
        }
        panic!("{}: what was waited for did not happen in {limit} cycles", self.name());
    }

    /// Lets the inputs' `next` take effect, without an edge.
    ///
    /// # Panics
    /// If the logic does not come to rest: it has a combinational loop, or a chain of more than 100 signals.
    #[track_caller]
    pub fn settle(&mut self) {
        for _ in 0..MAX_PASSES {
            self.uut.update_all();
            if !self.uut.has_changed() {
                return;
            }
        }
        panic!(
            "{} does not settle in cycle {}: after {MAX_PASSES} passes these still change: {}",
            self.name(),
            self.cycles,
            ports::changing(&self.uut).join(", ")
        );
    }

    /// The rising edges so far.
    pub const fn cycles(&self) -> u64 {
        self.cycles
    }

    pub(super) fn name(&self) -> &'static str {
        block_name::<B>()
    }

    pub(super) fn clock_signal(&mut self) -> Option<&mut Signal<In, Clock>> {
        self.clock.map(|clock| clock(&mut self.uut))
    }

    #[track_caller]
    fn drive_clock(&mut self, level: bool) {
        if let Some(clock) = self.clock_signal() {
            clock.next = Clock { clk: level };
            self.settle();
        }
    }
}

/// The block's type, without its path.
pub(super) fn block_name<B>() -> &'static str {
    let path = type_name::<B>();
    let end = path.find('<').unwrap_or(path.len());
    path[..end].rfind("::").map_or(path, |at| &path[at + 2..])
}
