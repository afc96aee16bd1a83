//! A table memory with an SDRAM on its pins, and what goes through them.

use std::collections::{HashMap, VecDeque};
use std::ops::{Deref, DerefMut};

use bluebelle_hdl::harness::{Bench, Sdram, SdramPins};
use bluebelle_hdl::table_memory::{Device, TableMemory, Timing};
use bluebelle_spec::rng::SplitMix64;

/// A request: an entry's address, and what is written there, if it is a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) address: u64,
    pub(crate) data: Option<u64>,
    pub(crate) may_drop: bool,
}

/// The bench or co-simulation of a table memory, the chip, and the delay of the wires between.
pub(crate) struct Board<B> {
    pub(crate) bench: B,
    pub(crate) sdram: Sdram,
    /// Words on their way back.
    flight: VecDeque<Option<u32>>,
    random: SplitMix64,
    /// All that was written to each entry, with the number of the write.
    pub(crate) memory: HashMap<u64, Vec<(u64, u64)>>,
    /// The reads under way: the cycle in which each was taken, the writes before, and the address.
    pub(crate) reads: VecDeque<(u64, u64, u64)>,
    /// The writes that were taken and not dropped.
    pub(crate) written: u64,
    pub(crate) dropped: u64,
    pub(crate) answers: u64,
    /// The answers of which it is known what they must be.
    pub(crate) compared: u64,
    /// Cycles from a read's being taken to its answer.
    pub(crate) latencies: Vec<u64>,
    /// Whether a wrong answer is a failure, and how many there were.
    pub(crate) compares: bool,
    pub(crate) wrong: u64,
    /// Each cycle's pins, the complaints so far, and what the SDRAM drives, if that is asked for.
    pub(crate) trace: Option<Vec<(SdramPins, u64, Option<u32>)>>,
}

/// A bench for a device at a clock, as the data sheet has it.
pub(crate) fn timing(device: &Device, clock_khz: u32) -> Timing {
    device.timing(clock_khz, 1).expect("a clock that the chip runs at")
}

impl<B> Board<B> {
    pub(crate) fn new(bench: B, sdram: Sdram, flight: u32) -> Board<B> {
        Board {
            bench,
            sdram,
            flight: vec![None; flight as usize].into(),
            random: SplitMix64::new(1),
            memory: HashMap::new(),
            reads: VecDeque::new(),
            written: 0,
            dropped: 0,
            answers: 0,
            compared: 0,
            latencies: Vec::new(),
            compares: true,
            wrong: 0,
            trace: None,
        }
    }

    /// A cycle with a request or none; whether it was taken.
    pub(crate) fn cycle<const W: usize>(&mut self, request: Option<Request>) -> bool
    where
        B: DerefMut<Target = Bench<TableMemory<W>>>,
    {
        let uut = &mut self.bench.uut;
        uut.valid.next = request.is_some();
        let filler = self.random.next_u64();
        uut.address.next = request.map_or(filler & 0x3f_ffff, |request| request.address).into();
        uut.write.next = request.map_or(filler >> 22 & 1 == 1, |request| request.data.is_some());
        uut.may_drop.next = request.map_or(filler >> 23 & 1 == 1, |request| request.may_drop);
        uut.data.next = request.and_then(|request| request.data).unwrap_or(filler).into();
        self.bench.settle();
        let pins = pins(&self.bench.uut);
        let word = self.sdram.step(&pins);
        if let Some(trace) = &mut self.trace {
            trace.push((pins, self.sdram.complained(), word));
        }
        self.flight.push_back(word);
        let word = self.flight.pop_front().flatten();
        // Pins that are not driven say anything.
        let word = u64::from(word.unwrap_or(self.random.next_u64() as u32));
        self.bench.uut.dq_in.next = (word & (u64::MAX >> (64 - W))).into();
        self.bench.settle();
        let uut = &self.bench.uut;
        let taken = request.is_some() && uut.ready.val();
        let dropped = taken && uut.dropped.val();
        let answer = uut.answer_valid.val().then(|| uut.answer.val().to_u64());
        let now = self.bench.cycles();
        if let Some(answer) = answer {
            self.check_answer(now, answer);
        }
        if let Some(request) = request.filter(|_| taken) {
            self.note(now, request, dropped);
        }
        self.bench.tick();
        taken
    }

    /// An answer is the newest write that is no longer waiting, or one of those after it: at most
    /// 16 writes wait, and a read may overtake them, or be overtaken.
    fn check_answer(&mut self, now: u64, answer: u64) {
        let (since, writes, address) = self.reads.pop_front().expect("an answer to a read");
        self.answers += 1;
        self.latencies.push(now - since);
        let Some(history) = self.memory.get(&address) else {
            return;
        };
        let done = history.iter().rposition(|(number, _)| number + 16 < writes);
        let possible = &history[done.unwrap_or(0)..];
        let known = possible.iter().any(|(_, data)| *data == answer);
        self.wrong += u64::from(!known && done.is_some());
        assert!(
            known || done.is_none() || !self.compares,
            "cycle {now}: entry {address:#x} is {answer:#018x}, not one of {possible:x?}"
        );
        self.compared += u64::from(done.is_some());
    }

    fn note(&mut self, now: u64, request: Request, dropped: bool) {
        match request.data {
            None => self.reads.push_back((now, self.written, request.address)),
            Some(_) if dropped => {
                assert!(request.may_drop, "a write is dropped that must not be");
                self.dropped += 1;
            }
            Some(data) => {
                let history = self.memory.entry(request.address).or_default();
                history.push((self.written, data));
                self.written += 1;
            }
        }
    }

    /// Runs until all reads are answered and everything waiting is written.
    pub(crate) fn drain<const W: usize>(&mut self)
    where
        B: DerefMut<Target = Bench<TableMemory<W>>>,
    {
        for _ in 0..600 {
            self.cycle(None);
        }
        assert!(self.reads.is_empty(), "{} reads are not answered", self.reads.len());
    }

    /// Runs until the chip is awake.
    pub(crate) fn wake<const W: usize>(&mut self)
    where
        B: DerefMut<Target = Bench<TableMemory<W>>>,
    {
        for _ in 0..60_000 {
            if self.bench.uut.awake.val() {
                return;
            }
            self.cycle(None);
        }
        panic!("the chip is not awake after 60,000 cycles");
    }

    pub(crate) fn assert_content(&self) {
        assert_eq!(self.sdram.complaints(), [], "the data sheet is not kept");
    }
}

fn pins<const W: usize>(uut: &TableMemory<W>) -> SdramPins {
    SdramPins {
        command: [uut.ras_n.val(), uut.cas_n.val(), uut.we_n.val()],
        bank: uut.bank.val().to_u8(),
        address: uut.pins_address.val().to_u16(),
        dqm: uut.dqm.val(),
        dq: uut.dq_oe.val().then(|| uut.dq_out.val().to_u32()),
    }
}

/// A bench of its own, for runs that are not repeated as Verilog.
pub(crate) struct Plain<const W: usize>(pub(crate) Bench<TableMemory<W>>);

impl<const W: usize> Deref for Plain<W> {
    type Target = Bench<TableMemory<W>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<const W: usize> DerefMut for Plain<W> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
