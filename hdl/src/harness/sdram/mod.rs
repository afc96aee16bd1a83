//! An SDRAM chip for simulations, which complains when its data sheet is not kept.
//!
//! The chip knows times in picoseconds and the clock's cycle; what a controller believes a time to
//! be in cycles is nothing to it. Complaints say what came when, and what the data sheet asks for.

mod bank;
mod cells;

use std::collections::VecDeque;
use std::fmt;

use crate::table_memory::Device;
use bank::{Bank, Row};
use cells::Cells;

/// What the chip sees on its pins at a rising edge of its clock. CKE is high and CS low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdramPins {
    /// RAS#, CAS# and WE#.
    pub command: [bool; 3],
    /// BA.
    pub bank: u8,
    /// A.
    pub address: u16,
    /// All DQM pins.
    pub dqm: bool,
    /// What the other side drives on the data pins, if it does.
    pub dq: Option<u32>,
}

impl SdramPins {
    /// No command, and nothing on the data pins.
    pub const IDLE: SdramPins = SdramPins {
        command: [true; 3],
        bank: 0,
        address: 0,
        dqm: true,
        dq: None,
    };
}

/// What was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The chip's clock edge, from 0.
    pub edge: u64,
    /// What came, and what the data sheet asks for.
    pub text: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edge {}: {}", self.edge, self.text)
    }
}

/// The most complaints that are kept; the rest is counted.
const KEPT: usize = 100;

/// The most refreshes that may be late, and then made up for.
const MOST_LATE: u64 = 2;

/// An SDRAM chip.
///
/// A caller steps it once in a cycle, with the pins as they are before the chip's clock edge; the
/// answer is what the chip drives after it.
#[derive(Debug)]
pub struct Sdram {
    device: Device,
    khz: u64,
    edge: u64,
    banks: [Bank; 4],
    cells: Cells,
    /// The burst and the CAS latency that are set.
    mode: Option<(u64, u64)>,
    precharged: bool,
    wake_refreshes: u32,
    refreshes: u64,
    awake_since: u64,
    last_refresh: Option<u64>,
    last_mode: Option<u64>,
    last_activate: Option<(u8, u64)>,
    /// The last burst that began, and those whose words are not all over.
    last_burst: Option<Burst>,
    bursts: VecDeque<Burst>,
    complaints: Vec<Complaint>,
    more: u64,
}

/// A burst under way.
#[derive(Clone, Copy, Debug)]
struct Burst {
    write: bool,
    /// The edge of the command.
    from: u64,
    bank: u8,
    row: u16,
    column: u16,
    words: u64,
}

impl Sdram {
    /// A chip with a clock of `clock_khz`, before power-up, with noise in its cells.
    pub fn new(device: Device, clock_khz: u32) -> Sdram {
        Sdram {
            device,
            khz: u64::from(clock_khz),
            edge: 0,
            banks: [Bank::default(); 4],
            cells: Cells::new(&device),
            mode: None,
            precharged: false,
            wake_refreshes: 0,
            refreshes: 0,
            awake_since: 0,
            last_refresh: None,
            last_mode: None,
            last_activate: None,
            last_burst: None,
            bursts: VecDeque::new(),
            complaints: Vec::new(),
            more: 0,
        }
    }

    /// From now on each word that is read has a wrong bit once in `one_in` words; 0 for never.
    pub fn flip_bits(&mut self, seed: u64, one_in: u64) {
        self.cells.flip_bits(seed, one_in);
    }

    /// The wrong bits so far.
    pub const fn flipped(&self) -> u64 {
        self.cells.flipped()
    }

    /// What was wrong so far, at most the first hundred.
    pub fn complaints(&self) -> &[Complaint] {
        &self.complaints
    }

    /// A rising edge of the chip's clock; what the chip drives on the data pins until the next.
    pub fn step(&mut self, pins: &SdramPins) -> Option<u32> {
        self.command(pins);
        self.take_word(pins);
        let word = self.give_word(pins);
        self.watch_refreshes();
        self.edge += 1;
        let (edge, cas) = (self.edge, self.mode.map_or(0, |(_, cas)| cas));
        self.bursts.retain(|burst| edge <= burst.from + cas + burst.words);
        word
    }

    fn command(&mut self, pins: &SdramPins) {
        let early = self.is_shorter(self.edge, self.device.pause);
        if early && pins.command != [true; 3] {
            self.complain("a command in the pause after power-up");
        }
        match pins.command {
            [true, true, true] => {}
            [false, true, true] => self.activate(pins),
            [true, false, true] => self.column(pins, false),
            [true, false, false] => self.column(pins, true),
            [false, true, false] => self.precharge(pins),
            [false, false, true] => self.refresh(),
            [false, false, false] => self.set_mode(pins),
            [true, true, false] => self.complain("a burst stopped"),
        }
    }

    fn activate(&mut self, pins: &SdramPins) {
        if self.mode.is_none() {
            self.complain("a row activated before the mode is set");
        }
        self.after_mode("activate");
        self.after("tRFC", self.last_refresh, self.device.refresh, "activate");
        if let Some((bank, edge)) = self.last_activate
            && bank != pins.bank
        {
            let apart = self.device.activate_to_activate;
            self.after("tRRD", Some(edge), apart, "activate");
        }
        if u32::from(pins.address) >> self.device.row_bits != 0 {
            self.complain(format!("row {:#x}, which the chip does not have", pins.address));
        }
        let bank = self.banks[usize::from(pins.bank)];
        match bank.row(self.edge) {
            Row::Open(row) => self.complain(format!("activate bank {}, where row {row:#x} is open", pins.bank)),
            Row::Closed(since) => {
                self.after("tRP", since, self.device.precharge, "activate");
                self.after("tRC", bank.activated, self.device.row_cycle, "activate");
            }
        }
        self.banks[usize::from(pins.bank)].activate(self.edge, pins.address);
        self.last_activate = Some((pins.bank, self.edge));
    }

    fn column(&mut self, pins: &SdramPins, write: bool) {
        let name = if write { "write" } else { "read" };
        let Some((words, cas)) = self.mode else {
            return self.complain(format!("{name} before the mode is set"));
        };
        let bank = self.banks[usize::from(pins.bank)];
        let Row::Open(row) = bank.row(self.edge) else {
            return self.complain(format!("{name} in bank {}, where no row is open", pins.bank));
        };
        if bank.closes.is_some() {
            self.complain(format!("{name} in bank {}, whose row is about to close", pins.bank));
        }
        let opened = self.device.activate_to_column;
        self.after("tRCD", bank.activated, opened, name);
        if let Some(before) = self.last_burst {
            self.check_pins_free(&before, write, cas);
        }
        let column = pins.address & 0x3ff;
        if u32::from(column) >> self.device.column_bits != 0 {
            self.complain(format!("column {column:#x}, which the chip does not have"));
        }
        let burst = Burst {
            write,
            from: self.edge,
            bank: pins.bank,
            row,
            column,
            words,
        };
        self.last_burst = Some(burst);
        self.bursts.push_back(burst);
        let last_in = self.edge + words - 1;
        if pins.address & 0x400 != 0 {
            // The row closes by itself: when a read has sent its words, when a write's are in and
            // tWR is over.
            let closes = if write {
                let cycles = self.time(self.device.write).max(u64::from(self.device.write_clocks));
                last_in + cycles
            } else {
                self.edge + words
            };
            self.check_open_long_enough(bank, closes);
            self.banks[usize::from(pins.bank)].closes = Some(closes);
        }
        if write {
            self.banks[usize::from(pins.bank)].last_in = Some(last_in);
        }
    }

    /// The words of two bursts must not meet on the pins.
    fn check_pins_free(&mut self, before: &Burst, write: bool, cas: u64) {
        let distance = self.edge - before.from;
        if distance < before.words {
            return self.complain("a burst cut short by another");
        }
        if write && !before.write && distance < cas + before.words + 1 {
            self.complain(format!(
                "a write {distance} cycles after a read, whose words are on the data pins"
            ));
        }
    }

    fn check_open_long_enough(&mut self, bank: Bank, closes: u64) {
        let (open, needed) = (closes - bank.activated.unwrap_or(0), self.device.row_open);
        if self.is_shorter(open, needed) {
            self.complain(format!("tRAS: a row open for {open} cycles, not {needed} ps"));
        }
    }

    fn precharge(&mut self, pins: &SdramPins) {
        let all = pins.address & 0x400 != 0;
        for index in 0..4 {
            if !all && index != usize::from(pins.bank) {
                continue;
            }
            let bank = self.banks[index];
            if let Row::Open(_) = bank.row(self.edge) {
                self.check_open_long_enough(bank, self.edge);
                let recovery = self.time(self.device.write).max(u64::from(self.device.write_clocks));
                if bank.last_in.is_some_and(|last| self.edge < last + recovery) {
                    self.complain("tWR: a row closed too soon after the last word written");
                }
                self.banks[index].closes = Some(self.edge);
            } else if bank.closes.is_none() {
                self.banks[index].closes = Some(self.edge);
            }
        }
        self.precharged |= all;
    }

    fn refresh(&mut self) {
        if !self.precharged {
            self.complain("a refresh before all banks were precharged after power-up");
        }
        self.check_all_closed("refresh");
        self.after("tRFC", self.last_refresh, self.device.refresh, "refresh");
        self.after_mode("refresh");
        if self.mode.is_none() {
            self.wake_refreshes += 1;
        }
        self.refreshes += 1;
        self.last_refresh = Some(self.edge);
    }

    fn check_all_closed(&mut self, what: &str) {
        for index in 0..4 {
            match self.banks[index].row(self.edge) {
                Row::Open(row) => self.complain(format!("{what} while row {row:#x} of bank {index} is open")),
                Row::Closed(since) => self.after("tRP", since, self.device.precharge, what),
            }
        }
    }

    fn set_mode(&mut self, pins: &SdramPins) {
        self.check_all_closed("set the mode");
        self.after("tRFC", self.last_refresh, self.device.refresh, "set the mode");
        let needed = self.device.wake_refreshes;
        if self.wake_refreshes < needed {
            let done = self.wake_refreshes;
            self.complain(format!("the mode set after {done} refreshes, not {needed}"));
        }
        let words = match pins.address & 7 {
            length @ 0..=3 => 1 << length,
            length => return self.complain(format!("burst length {length}, which is not known here")),
        };
        let cas = u64::from(pins.address >> 4 & 7);
        if !(2..=3).contains(&cas) || pins.address & 0x0f88 != 0 || pins.bank != 0 {
            return self.complain(format!("mode {:#x}, which is not known here", pins.address));
        }
        let shortest = self.device.shortest_cycle[cas as usize - 2];
        if self.is_shorter(1, shortest) {
            self.complain(format!("a CAS latency of {cas} with a cycle below {shortest} ps"));
        }
        self.mode = Some((words, cas));
        self.last_mode = Some(self.edge);
        // From now on, cells forget; the refreshes before are not counted.
        (self.awake_since, self.refreshes) = (self.edge, 0);
    }

    /// Takes a word of a write in, and minds who drives the pins.
    fn take_word(&mut self, pins: &SdramPins) {
        let edge = self.edge;
        let word_of =
            |burst: &Burst| (burst.write && edge - burst.from < burst.words).then(|| burst.word(edge - burst.from));
        match (self.bursts.iter().find_map(word_of), pins.dq) {
            (Some(at), Some(word)) if !pins.dqm => self.cells.write(at, word),
            (Some(_), Some(_)) => self.complain("a word written that DQM masks"),
            (Some(_), None) => self.complain("nothing on the data pins in a write"),
            (None, Some(_)) => self.complain("the data pins are driven, and nothing is written"),
            (None, None) => {}
        }
        // The chip begins to drive the pins soon after the edge before the one at which its first
        // word is taken, and lets go some time after the one at which its last is taken.
        let cas = self.mode.map_or(2, |(_, cas)| cas);
        let read = |burst: &&Burst| !burst.write && (cas - 1..=cas + burst.words).contains(&(edge - burst.from));
        if pins.dq.is_some()
            && let Some(burst) = self.bursts.iter().find(read)
        {
            let since = edge - burst.from;
            self.complain(format!("both sides drive the data pins {since} cycles after a read"));
        }
    }

    /// A word of a read is there after the edge before the one at which it is taken.
    fn give_word(&mut self, pins: &SdramPins) -> Option<u32> {
        let (_, cas) = self.mode?;
        let edge = self.edge;
        let word_of = |burst: &Burst| {
            let word = (edge + 1).checked_sub(burst.from + cas)?;
            (!burst.write && word < burst.words).then(|| burst.word(word))
        };
        let at = self.bursts.iter().find_map(word_of)?;
        if pins.dqm {
            self.complain("a word read that DQM masks");
        }
        Some(self.cells.read(at))
    }

    fn complain(&mut self, text: impl Into<String>) {
        if self.complaints.len() == KEPT {
            self.more += 1;
            return;
        }
        let (edge, text) = (self.edge, text.into());
        self.complaints.push(Complaint { edge, text });
    }

    /// How many complaints there were in all.
    pub const fn complained(&self) -> u64 {
        self.complaints.len() as u64 + self.more
    }

    /// A command must come `time` picoseconds after an edge, if there was such an edge.
    fn after(&mut self, name: &str, since: Option<u64>, time: u32, what: &str) {
        let Some(since) = since else {
            return;
        };
        let passed = self.edge - since;
        if self.is_shorter(passed, time) {
            self.complain(format!("{name}: {what} after {passed} cycles, not {time} ps"));
        }
    }

    fn after_mode(&mut self, what: &str) {
        let clocks = u64::from(self.device.mode_clocks);
        if let Some(since) = self.last_mode
            && self.edge - since < clocks
        {
            let passed = self.edge - since;
            self.complain(format!("tMRD: {what} after {passed} cycles, not {clocks}"));
        }
    }

    /// Whether `cycles` are shorter than a time. A cycle is 10⁹ / kHz picoseconds.
    const fn is_shorter(&self, cycles: u64, picoseconds: u32) -> bool {
        cycles * 1_000_000_000 < picoseconds as u64 * self.khz
    }

    fn watch_refreshes(&mut self) {
        if self.mode.is_none() {
            return;
        }
        let passed = (self.edge - self.awake_since) * 1_000_000_000 / self.khz;
        let due = passed / u64::from(self.device.refresh_interval);
        if self.refreshes + MOST_LATE < due {
            let done = self.refreshes;
            self.complain(format!("refresh {done} is late: {due} were due"));
            // One complaint for each that is late.
            self.refreshes += 1;
        }
    }

    /// A time in whole cycles, rounded up.
    fn time(&self, picoseconds: u32) -> u64 {
        (u64::from(picoseconds) * self.khz).div_ceil(1_000_000_000)
    }
}

impl Burst {
    /// Where the burst's word with this number is: bank, row and column, which wraps within the
    /// burst.
    const fn word(&self, number: u64) -> (u8, u16, u16) {
        let within = self.words as u16 - 1;
        let column = self.column & !within | (self.column + number as u16) & within;
        (self.bank, self.row, column)
    }
}
