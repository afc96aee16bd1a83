//! What the data sheets of SDRAM chips say, and what that is in cycles of a clock.

use thiserror::Error;

/// An SDRAM chip, in the words of its data sheet. Times are in picoseconds.
///
/// Sizes and most times are those of `litedram/modules.py` (LiteDRAM 2024.12), where the chip is
/// listed; a time that the list leaves out is that of the slowest common grade (PC133).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The part's number.
    pub name: &'static str,
    /// Data pins: 16 or 32.
    pub width: u8,
    /// Bits of a row's number; the chip has 4 banks.
    pub row_bits: u8,
    /// Bits of a column's number; a column is `width` bits.
    pub column_bits: u8,
    /// tRCD: from activating a row to reading or writing it.
    pub activate_to_column: u32,
    /// tRP: from closing a row to activating another one of its bank.
    pub precharge: u32,
    /// tRAS: the least time for which a row is open.
    pub row_open: u32,
    /// tRC: from activating a row to activating another one of its bank.
    pub row_cycle: u32,
    /// tRRD: from activating a row to activating one of another bank.
    pub activate_to_activate: u32,
    /// tWR: from the last word written to closing the row; at least `write_clocks` cycles.
    pub write: u32,
    /// The least tWR in cycles.
    pub write_clocks: u32,
    /// tRFC: the duration of a refresh.
    pub refresh: u32,
    /// tMRD in cycles: from setting the mode to any other command.
    pub mode_clocks: u32,
    /// The mean distance of refreshes: 64 ms through the number of refreshes in 64 ms.
    pub refresh_interval: u32,
    /// The pause after power-up.
    pub pause: u32,
    /// Refreshes before the first access.
    pub wake_refreshes: u32,
    /// The shortest cycle with a CAS latency of 2, and with one of 3.
    pub shortest_cycle: [u32; 2],
    /// tAC: from a clock edge to valid data, at most.
    pub access: u32,
    /// tOH: the time for which data stay valid after the next clock edge, at least.
    pub hold: u32,
}

/// Micron MT48LC16M16A2-75, 32 MB.
pub const MT48LC16M16A2: Device = Device {
    name: "MT48LC16M16A2-75",
    width: 16,
    row_bits: 13,
    column_bits: 9,
    activate_to_column: 20_000,
    precharge: 20_000,
    row_open: 44_000,
    row_cycle: 66_000,
    activate_to_activate: 15_000,
    write: 15_000,
    write_clocks: 2,
    refresh: 66_000,
    mode_clocks: 2,
    refresh_interval: 7_812_500,
    pause: 200_000_000,
    wake_refreshes: 8,
    shortest_cycle: [10_000, 7_500],
    access: 6_000,
    hold: 2_700,
};

/// ISSI IS42S16160G-7, 32 MB.
pub const IS42S16160G: Device = Device {
    name: "IS42S16160G-7",
    row_open: 45_000,
    row_cycle: 67_500,
    write: 20_000,
    refresh: 70_000,
    shortest_cycle: [10_000, 7_000],
    hold: 2_500,
    ..MT48LC16M16A2
};

/// Winbond W9825G6KH-6, 32 MB.
pub const W9825G6KH: Device = Device {
    name: "W9825G6KH-6",
    activate_to_column: 15_000,
    precharge: 15_000,
    row_open: 42_000,
    row_cycle: 60_000,
    activate_to_activate: 12_000,
    refresh: 60_000,
    shortest_cycle: [7_500, 6_000],
    ..MT48LC16M16A2
};

/// ESMT M12L64322A-6, 8 MB in words of 32 bits.
pub const M12L64322A: Device = Device {
    name: "M12L64322A-6",
    width: 32,
    row_bits: 11,
    column_bits: 8,
    activate_to_column: 18_000,
    precharge: 18_000,
    row_open: 42_000,
    row_cycle: 60_000,
    activate_to_activate: 12_000,
    write: 12_000,
    refresh: 60_000,
    refresh_interval: 15_625_000,
    shortest_cycle: [10_000, 6_000],
    hold: 2_500,
    ..MT48LC16M16A2
};

/// Any of the three chips of 32 MB, whichever a board was made with.
pub const ANY_32_MB: Device = MT48LC16M16A2
    .slower(&IS42S16160G)
    .slower(&W9825G6KH)
    .named("MT48LC16M16A2-75, IS42S16160G-7 or W9825G6KH-6");

/// Bits of an entry.
pub const ENTRY_BITS: u32 = 64;

impl Device {
    /// The same chip under another name.
    pub const fn named(self, name: &'static str) -> Device {
        Device { name, ..self }
    }

    /// What holds for this chip and for another one of the same size: the slower of all times.
    pub const fn slower(self, other: &Device) -> Device {
        assert!(
            self.width == other.width && self.row_bits == other.row_bits && self.column_bits == other.column_bits,
            "chips of different sizes have no common times"
        );
        Device {
            activate_to_column: most(self.activate_to_column, other.activate_to_column),
            precharge: most(self.precharge, other.precharge),
            row_open: most(self.row_open, other.row_open),
            row_cycle: most(self.row_cycle, other.row_cycle),
            activate_to_activate: most(self.activate_to_activate, other.activate_to_activate),
            write: most(self.write, other.write),
            write_clocks: most(self.write_clocks, other.write_clocks),
            refresh: most(self.refresh, other.refresh),
            mode_clocks: most(self.mode_clocks, other.mode_clocks),
            refresh_interval: least(self.refresh_interval, other.refresh_interval),
            pause: most(self.pause, other.pause),
            wake_refreshes: most(self.wake_refreshes, other.wake_refreshes),
            shortest_cycle: [
                most(self.shortest_cycle[0], other.shortest_cycle[0]),
                most(self.shortest_cycle[1], other.shortest_cycle[1]),
            ],
            access: most(self.access, other.access),
            hold: least(self.hold, other.hold),
            ..self
        }
    }

    /// Words of the chip in an entry: the length of a burst.
    pub const fn burst(&self) -> u32 {
        ENTRY_BITS / self.width as u32
    }

    /// Bits of an entry's address: 22 for 32 MB, 20 for 8 MB.
    pub const fn address_bits(&self) -> u32 {
        2 + self.row_bits as u32 + self.column_bits as u32 - self.burst().trailing_zeros()
    }

    /// Bytes in all.
    pub const fn bytes(&self) -> u64 {
        8 << self.address_bits()
    }

    /// The timing for a clock of `clock_khz`, whose data reach the chip's input register `flight`
    /// cycles later than they would without any delay of pins and wires.
    ///
    /// # Errors
    /// If the chip does not run at that clock.
    pub const fn timing(&self, clock_khz: u32, flight: u32) -> Result<Timing, TimingError> {
        Timing::new(self, clock_khz, flight)
    }
}

/// What the controller waits, in cycles of its clock.
///
/// A distance of `n` means that the second command is `n` cycles after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Words of a burst: 4 on 16 bits, 2 on 32.
    pub burst: u32,
    /// The CAS latency that is set.
    pub cas: u32,
    /// From a read command on the pins to its first word in the input register.
    pub capture: u32,
    /// From activating a row to reading or writing it: tRCD, and more where the row, which a read
    /// closes as it ends, would not be open for tRAS.
    pub activate_to_column: u32,
    /// From a read to activating another row of the bank: the burst and tRP, or what tRC leaves.
    pub read_to_activate: u32,
    /// From a write to activating another row of the bank: the burst, tWR and tRP.
    pub write_to_activate: u32,
    /// From a read to a write: its words, and a cycle in which nothing drives the data pins.
    pub read_to_write: u32,
    /// tRP.
    pub precharge: u32,
    /// tRFC.
    pub refresh: u32,
    /// tMRD.
    pub mode: u32,
    /// From a refresh to the next.
    pub refresh_interval: u32,
    /// The pause after power-up, in refresh intervals.
    pub pause_intervals: u32,
    /// Refreshes before the first access.
    pub wake_refreshes: u32,
}

/// Why a chip does not run at a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("SDRAM {device} cannot run at {clock_khz} kHz: {limit}")]
pub struct TimingError {
    /// The chip.
    pub device: &'static str,
    /// The clock.
    pub clock_khz: u32,
    /// What is wrong.
    pub limit: Limit,
}

/// What limits a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Limit {
    /// The clock is too fast for a CAS latency of 2.
    #[error("a CAS latency of 2 needs a cycle of {0} ps or more; ask for fewer MHz")]
    Cas(u32),
    /// The clock is so slow that refreshes would come too late.
    #[error("the controller needs at least 10,000 kHz to refresh in time")]
    Slow,
    /// Pins and wires take too long.
    #[error("data that come {0} cycles late are not supported; the most is {MAX_FLIGHT}")]
    Flight(u32),
    /// Rows of two banks would be activated too quickly one after the other.
    #[error("tRRD takes {0} cycles, and the controller leaves {1} between two rows")]
    Activate(u32, u32),
}

/// The most cycles that pins and wires may take.
pub const MAX_FLIGHT: u32 = 3;

impl Timing {
    /// The timing of a chip, as [`Device::timing`] gives it.
    ///
    /// # Errors
    /// If the chip does not run at that clock.
    const fn new(device: &Device, clock_khz: u32, flight: u32) -> Result<Timing, TimingError> {
        macro_rules! refuse {
            ($limit:expr) => {
                return Err(TimingError {
                    device: device.name,
                    clock_khz,
                    limit: $limit,
                })
            };
        }
        if clock_khz < 10_000 {
            refuse!(Limit::Slow);
        }
        // A cycle is 10⁹ / kHz picoseconds; products with kHz keep all digits.
        if (device.shortest_cycle[0] as u64) * clock_khz as u64 > 1_000_000_000 {
            refuse!(Limit::Cas(device.shortest_cycle[0]));
        }
        if flight > MAX_FLIGHT {
            refuse!(Limit::Flight(flight));
        }
        let clock = Clock { khz: clock_khz };
        let (burst, cas) = (device.burst(), 2);
        let open = clock.at_least(device.row_open).saturating_sub(burst);
        let activate_to_column = most(clock.at_least(device.activate_to_column), open);
        let precharge = clock.at_least(device.precharge);
        let write = most(clock.at_least(device.write), device.write_clocks);
        let cycle = clock.at_least(device.row_cycle).saturating_sub(activate_to_column);
        let apart = clock.at_least(device.activate_to_activate);
        if apart > activate_to_column + 1 {
            refuse!(Limit::Activate(apart, activate_to_column + 1));
        }
        let refresh_interval = clock.at_most(device.refresh_interval);
        Ok(Timing {
            burst,
            cas,
            capture: cas + flight,
            activate_to_column,
            read_to_activate: most(burst + precharge, cycle),
            write_to_activate: most(burst - 1 + write + precharge, cycle),
            read_to_write: cas + burst + 1,
            precharge,
            refresh: clock.at_least(device.refresh),
            mode: device.mode_clocks,
            refresh_interval,
            pause_intervals: clock.at_least(device.pause).div_ceil(refresh_interval) + 1,
            wake_refreshes: device.wake_refreshes,
        })
    }

    /// The word of the mode register: the burst's length, in order, and the CAS latency.
    pub const fn mode_register(&self) -> u32 {
        self.cas << 4 | self.burst.trailing_zeros()
    }
}

const fn most(one: u32, other: u32) -> u32 {
    if one > other { one } else { other }
}

const fn least(one: u32, other: u32) -> u32 {
    if one < other { one } else { other }
}

/// Turns picoseconds into cycles.
#[derive(Clone, Copy)]
struct Clock {
    khz: u32,
}

impl Clock {
    const fn at_least(self, picoseconds: u32) -> u32 {
        (picoseconds as u64 * self.khz as u64).div_ceil(1_000_000_000) as u32
    }

    const fn at_most(self, picoseconds: u32) -> u32 {
        (picoseconds as u64 * self.khz as u64 / 1_000_000_000) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_at_100_mhz() {
        let timing = MT48LC16M16A2.timing(100_000, 1).expect("a timing");
        let expected = Timing {
            burst: 4,
            cas: 2,
            capture: 3,
            activate_to_column: 2,
            read_to_activate: 6,
            write_to_activate: 7,
            read_to_write: 7,
            precharge: 2,
            refresh: 7,
            mode: 2,
            refresh_interval: 781,
            pause_intervals: 27,
            wake_refreshes: 8,
        };
        assert_eq!(timing, expected);
        assert_eq!(timing.mode_register(), 0x22);
        let timing = M12L64322A.timing(100_000, 1).expect("a timing");
        // A row is open for 42 ns: a read of two words may begin after 3 cycles, not 2.
        assert_eq!((timing.burst, timing.activate_to_column), (2, 3));
        assert_eq!(timing.mode_register(), 0x21);
    }

    #[test]
    fn sizes() {
        assert_eq!((ANY_32_MB.address_bits(), ANY_32_MB.bytes()), (22, 32 << 20));
        assert_eq!((M12L64322A.address_bits(), M12L64322A.bytes()), (20, 8 << 20));
        assert_eq!(
            (ANY_32_MB.write, ANY_32_MB.refresh, ANY_32_MB.hold),
            (20_000, 70_000, 2_500)
        );
    }

    #[test]
    fn impossible_clocks_are_refused() {
        let refusal = |khz, flight| {
            let error = MT48LC16M16A2.timing(khz, flight).expect_err("an impossible clock");
            error.to_string()
        };
        assert_eq!(
            refusal(120_000, 1),
            "SDRAM MT48LC16M16A2-75 cannot run at 120000 kHz: a CAS latency of 2 needs a cycle of \
             10000 ps or more; ask for fewer MHz"
        );
        assert!(refusal(0, 1).ends_with("needs at least 10,000 kHz to refresh in time"));
        assert!(refusal(100_000, 4).contains("data that come 4 cycles late"));
        assert!(W9825G6KH.timing(120_000, 1).is_ok());
    }
}
