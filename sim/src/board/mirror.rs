use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use bluebelle_spec::rings::{Header, Memory, Ring, WINDOW_BYTES, words};
use bluebelle_spec::wire::{FRAME_OVERHEAD, stuff};

use super::pause::Pause;
use super::traffic::Traffic;
use super::{BoardError, GO, IDLE, LINGER, Tally};
use crate::bar::Bar;
use crate::clocked::{ChipError, ClockedChip, Until};

/// The most cycles that a transfer on the bus takes, with much to spare.
const TRANSFER: u64 = 1_000;

/// Makes a file and a chip behind AXI4-Lite look like one device: what the host writes to the file goes over the bus to the chip,
/// and what the chip says about itself over the bus to the file. This is what a PCIe core does, only that a core hears of a write,
/// while a file must be looked at.
///
/// The chip is a program of [`crate::verilated::build_axi`].
pub struct Mirror<'a, C> {
    bar: &'a Bar,
    chip: &'a mut C,
    header: Header,
    cycle: u64,
    /// As far as each ring was passed on, and the host's last word on the up ring.
    down_tail: u32,
    up_tail: u32,
    up_head: u32,
    traffic: Traffic,
}

impl<'a, C: ClockedChip> Mirror<'a, C> {
    /// Empties the file and copies the chip's header into it: a host may open it now.
    ///
    /// # Errors
    /// If the chip is lost, or has rings of another layout.
    pub fn new(bar: &'a Bar, chip: &'a mut C) -> Result<Mirror<'a, C>, BoardError> {
        bar.release(words::MAGIC, 0);
        for word in 0..WINDOW_BYTES / 4 {
            bar.write(word, 0);
        }
        let mut mirror = Mirror {
            bar,
            chip,
            header: Header::OURS,
            cycle: 0,
            down_tail: 0,
            up_tail: 0,
            up_head: 0,
            traffic: Traffic::default(),
        };
        let header: Vec<usize> = (0..words::END).collect();
        let found = mirror.read(&header)?;
        for (word, value) in header.into_iter().zip(found).rev() {
            bar.release(word, value);
        }
        mirror.header = Header::check(bar).map_err(|error| ChipError::Board {
            board: "the simulated chip".to_owned(),
            problem: error.to_string(),
        })?;
        Ok(mirror)
    }

    /// Passes on what either side writes until `stop` is set. The clock stands while there is nothing to do.
    ///
    /// # Errors
    /// If the chip is lost, or the file is cut off.
    pub fn serve(mut self, stop: &AtomicBool) -> Result<Tally, BoardError> {
        let (mut quiet_since, mut pause) = (None, Pause::new());
        while !stop.load(Ordering::Relaxed) {
            if self.bar.is_lost() {
                return Err(io::Error::other("the file behind the window was cut off").into());
            }
            if self.host_to_chip()? {
                quiet_since = Some(self.cycle);
            }
            let working = self.traffic.jobs() > 0 || quiet_since.is_some_and(|since| self.cycle - since < LINGER);
            if !working {
                pause.wait(IDLE);
                continue;
            }
            pause.restart();
            self.run(GO)?;
            if self.chip_to_host()? {
                quiet_since = Some(self.cycle);
            }
        }
        Ok(self.traffic.tally())
    }

    /// What the host has written since the last time; says whether there was anything.
    fn host_to_chip(&mut self) -> Result<bool, BoardError> {
        let mut transfers = Vec::new();
        let tail = self.bar.acquire(words::DOWN_TAIL);
        if tail != self.down_tail {
            // An index that cannot be is passed on too: the chip knows what to do.
            if tail.wrapping_sub(self.down_tail) <= self.header.down.size {
                let places = places(self.header.down, self.down_tail, tail);
                let data: Vec<u32> = places.iter().map(|&place| self.bar.read(place)).collect();
                transfers.extend(places.into_iter().zip(data.iter().copied()));
                self.traffic.hear_host(&stuffed(&data));
            }
            transfers.push((words::DOWN_TAIL, tail));
            self.down_tail = tail;
        }
        let head = self.bar.acquire(words::UP_HEAD);
        if head != self.up_head {
            transfers.push((words::UP_HEAD, head));
            self.up_head = head;
        }
        self.write(&transfers)?;
        Ok(!transfers.is_empty())
    }

    /// What the chip has written since the last time; says whether there was anything.
    fn chip_to_host(&mut self) -> Result<bool, BoardError> {
        let indices = [words::UP_TAIL, words::DOWN_HEAD, words::CREDITS];
        let found = self.read(&indices)?;
        let (tail, head, credits) = (found[0], found[1], found[2]);
        let places = places(self.header.up, self.up_tail, tail);
        if !places.is_empty() {
            let data = self.read(&places)?;
            for (&place, &word) in places.iter().zip(&data) {
                self.bar.write(place, word);
            }
            self.traffic.hear_chip(&stuffed(&data));
            self.bar.release(words::UP_TAIL, tail);
            self.up_tail = tail;
        }
        self.bar.release(words::DOWN_HEAD, head);
        self.bar.write(words::CREDITS, credits);
        Ok(!places.is_empty())
    }

    fn run(&mut self, cycles: u64) -> Result<(), BoardError> {
        self.transfer(&[], u32::MAX, cycles).map(|_| ())
    }

    fn write(&mut self, words: &[(usize, u32)]) -> Result<(), BoardError> {
        const WRITE: u32 = 1 << 31;
        let transfer = |&(word, value): &(usize, u32)| [WRITE | (word * 4) as u32, value];
        let transfers: Vec<[u32; 2]> = words.iter().map(transfer).collect();
        self.transfer(&transfers, 0, words.len() as u64 * TRANSFER).map(|_| ())
    }

    fn read(&mut self, words: &[usize]) -> Result<Vec<u32>, BoardError> {
        let transfers: Vec<[u32; 2]> = words.iter().map(|&word| [(word * 4) as u32, 0]).collect();
        let found = self.transfer(&transfers, words.len() as u32, words.len() as u64 * TRANSFER)?;
        match found.len() == words.len() {
            true => Ok(found),
            false => Err(ChipError::Silent {
                cycles: words.len() as u64 * TRANSFER,
            }
            .into()),
        }
    }

    /// Transfers on the bus, and the words that were read.
    fn transfer(&mut self, transfers: &[[u32; 2]], frames: u32, cycles: u64) -> Result<Vec<u32>, BoardError> {
        let bytes: Vec<u8> = transfers.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        let answer = self.chip.exchange(&bytes, Until { frames, cycles })?;
        self.cycle = answer.cycle;
        if answer.untaken > 0 {
            return Err(ChipError::Silent { cycles }.into());
        }
        let words = answer.bytes.chunks_exact(4);
        Ok(words
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect())
    }
}

/// Where the words between two indices lie; at most as many as the ring has.
fn places(ring: Ring, from: u32, to: u32) -> Vec<usize> {
    let count = to.wrapping_sub(from).min(ring.size);
    let place = |offset| ring.first + (from.wrapping_add(offset) & (ring.size - 1)) as usize;
    (0..count).map(place).collect()
}

/// The frames in these words, as the bytes of a serial line; what is no frame is left out.
fn stuffed(words: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut rest = &bytes[..];
    let mut out = Vec::new();
    while let [_, _, low, high, ..] = *rest {
        let length = usize::from(u16::from_le_bytes([low, high])) + FRAME_OVERHEAD;
        let Some(frame) = rest.get(..length).filter(|frame| stuff(frame, &mut Vec::new()).is_ok()) else {
            break;
        };
        let fits = stuff(frame, &mut out);
        debug_assert!(fits.is_ok(), "it was tried");
        rest = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    out
}
