//! The SDRAM beside the FPGA: which chip, on which pins, and the phase of its clock.
//!
//! All signals go through pins twice: a command reaches the SDRAM late, and its data come back
//! late. The clock pin is fed by a second output of the PLL with a phase of its own, so that
//! commands have settled when the SDRAM takes them and data have when the FPGA does. An inverted
//! clock from an ODDR would be a phase of 180°: [`Sdram::clock_phase`] shows that at 85 to 100 MHz
//! the data then change nearly when they are taken, and that 207° to 240° is the middle of what is
//! possible.

use bluebelle_hdl::table_memory::{Device, Timing, TimingError};

use crate::board::Pin;

/// An SDRAM beside the FPGA.
#[derive(Clone, Copy, Debug)]
pub struct Sdram {
    /// The chip; if a board was made with several, the slower of all their times.
    pub device: Device,
    /// Where it is.
    pub pins: SdramPins,
}

/// The pins of an SDRAM, each as the site of a ball; the lowest bit first.
#[derive(Clone, Copy, Debug)]
pub struct SdramPins {
    /// CLK.
    pub clock: &'static str,
    /// CKE, unless it is tied to the supply.
    pub clock_enable: Option<&'static str>,
    /// CS#, unless it is tied to ground.
    pub select_n: Option<&'static str>,
    /// RAS#.
    pub ras_n: &'static str,
    /// CAS#.
    pub cas_n: &'static str,
    /// WE#.
    pub we_n: &'static str,
    /// BA.
    pub bank: [&'static str; 2],
    /// A.
    pub address: &'static [&'static str],
    /// DQ.
    pub data: &'static [&'static str],
    /// DQM; empty if they are tied to ground.
    pub mask: &'static [&'static str],
}

impl SdramPins {
    /// All pins with the name of their port.
    pub fn ports(&self) -> Vec<(String, Pin)> {
        let single = [
            ("sdram_clk", Some(self.clock)),
            ("sdram_cke", self.clock_enable),
            ("sdram_cs_n", self.select_n),
            ("sdram_ras_n", Some(self.ras_n)),
            ("sdram_cas_n", Some(self.cas_n)),
            ("sdram_we_n", Some(self.we_n)),
        ];
        let buses = [
            ("sdram_ba", &self.bank[..]),
            ("sdram_a", self.address),
            ("sdram_dq", self.data),
            ("sdram_dqm", self.mask),
        ];
        let single = single
            .into_iter()
            .filter_map(|(name, site)| Some((name.to_owned(), Pin::new(site?))));
        let bits = buses.into_iter().flat_map(|(name, sites)| {
            let bit = move |(bit, site): (usize, &&'static str)| (format!("{name}[{bit}]"), Pin::new(site));
            sites.iter().enumerate().map(bit)
        });
        single.chain(bits).collect()
    }
}

/// The delays of pins and wires, in picoseconds. They are assumptions for an ECP5 of speed grade 6
/// with registers at its pins; a board is to be measured.
mod delay {
    /// From the FPGA's clock to a pin, and from a pin to a register, together.
    pub(super) const LEAST: i64 = 3_500;
    pub(super) const MOST: i64 = 5_500;
    /// What data must be there before the FPGA's clock edge.
    pub(super) const SETUP: i64 = 1_000;
    /// What a command must be there before the SDRAM's clock edge (1.5 ns) and after it (0.8 ns),
    /// with 1 ns between two pins.
    pub(super) const COMMAND_SETUP: i64 = 2_500;
    pub(super) const COMMAND_HOLD: i64 = 1_800;
}

/// The phase of the SDRAM's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockPhase {
    /// Degrees by which the SDRAM's clock is later than the chip's.
    pub degrees: u32,
    /// Cycles by which data come later than they would without delays.
    pub flight: u32,
    /// Picoseconds to each side within which the phase may be wrong.
    pub margin: u32,
}

/// Why a clock has no phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SdramError {
    /// The chip does not run at that clock.
    #[error(transparent)]
    Timing(#[from] TimingError),
    /// No phase serves commands and data.
    #[error("no phase of the SDRAM's clock serves both commands and data at {0} kHz; ask for another clock")]
    Phase(u32),
}

impl Sdram {
    /// The timing of the controller for a clock, and the phase of the SDRAM's.
    ///
    /// # Errors
    /// If the chip does not run at that clock, or no phase serves it.
    pub fn timing(&self, clock_khz: u32) -> Result<(Timing, ClockPhase), SdramError> {
        // What is refused for the clock says so, before a phase is looked for.
        self.device.timing(clock_khz, 0)?;
        let phase = self.clock_phase(clock_khz).ok_or(SdramError::Phase(clock_khz))?;
        Ok((self.device.timing(clock_khz, phase.flight)?, phase))
    }

    /// The phase in the middle of the widest window in which commands and data are taken while they
    /// are steady.
    ///
    /// A command leaves the FPGA at 0, and the SDRAM takes it one phase later. With a CAS latency
    /// of 2, the first word leaves the SDRAM a cycle after that, tAC late at most, and stays for
    /// tOH after the next edge. The FPGA takes it `2 + flight` cycles after the command.
    pub fn clock_phase(&self, clock_khz: u32) -> Option<ClockPhase> {
        let cycle = 1_000_000_000 / i64::from(clock_khz.max(1));
        let (access, hold) = (i64::from(self.device.access), i64::from(self.device.hold));
        let window = |flight: u32| {
            let taken = i64::from(2 + flight) * cycle;
            let first = (taken - 2 * cycle - hold - delay::LEAST).max(delay::COMMAND_SETUP);
            let last = (taken - cycle - access - delay::MOST - delay::SETUP).min(cycle - delay::COMMAND_HOLD);
            (flight, first, last)
        };
        let windows = (0..2).map(window).filter(|(_, first, last)| first < last);
        let (flight, first, last) = windows.max_by_key(|(_, first, last)| last - first)?;
        Some(ClockPhase {
            degrees: ((first + last) * 180 / cycle) as u32,
            flight,
            margin: ((last - first) / 2) as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::boards;

    #[test]
    fn phases_of_common_clocks() {
        let sdram = |name| boards::find(name).expect("a board").sdram.expect("an SDRAM");
        let phase = |name, khz| {
            let (timing, phase) = sdram(name).timing(khz).expect("a timing");
            assert_eq!(timing.capture, 2 + phase.flight);
            (phase.flight, phase.degrees)
        };
        for khz in [85_000, 87_500, 92_857, 95_833, 100_000] {
            for name in ["ulx3s-85f", "colorlight-i5"] {
                let (flight, degrees) = phase(name, khz);
                assert_eq!(flight, 1);
                assert!((200..=255).contains(&degrees), "{name}: {khz} kHz, {degrees}°");
                let margin = sdram(name).clock_phase(khz).expect("a phase").margin;
                assert!(margin > 1_200, "{name}: {khz} kHz, {margin} ps");
            }
        }
        // LiteX runs a ULX3S at 50 MHz with 90°.
        let (flight, degrees) = phase("ulx3s-85f", 50_000);
        assert!(flight == 0 && (60..=120).contains(&degrees), "{flight}, {degrees}°");
        let error = sdram("ulx3s-85f").timing(130_000).expect_err("too fast").to_string();
        assert!(
            error.contains("CAS latency of 2") && error.ends_with("ask for fewer MHz"),
            "{error}"
        );
    }
}
