//! What a board file says.

use bluebelle_hdl::config::Config;

use crate::device::Device;
use crate::pll::{Pll, PllError};
use crate::report::{Report, ReportError};
use crate::sdram::Sdram;

/// A board. All boards are in [`crate::boards`], a file a kind.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// What `--board` takes.
    pub name: &'static str,

    /// Its name in full, with the revision that the pins are for.
    pub title: &'static str,

    /// Its FPGA.
    pub device: Device,

    /// The oscillator on the clock pin, in kHz.
    pub oscillator_khz: u32,

    /// Where things are.
    pub pins: Pins,

    /// The SDRAM beside the FPGA, if there is one that can hold a table.
    pub sdram: Option<Sdram>,

    /// How many cores are built if nothing is said.
    pub cores: usize,

    /// The clock that is asked for if nothing is said, in kHz.
    pub clock_khz: u32,

    /// Bits a second on the serial line, at most a quarter of the clock.
    pub baud: u32,

    /// What openFPGALoader is told, before the name of the bitstream.
    pub loader: &'static [&'static str],

    /// Where the board is documented.
    pub documentation: &'static str,

    /// What its owner must know or do.
    pub note: &'static str,

    /// Why the chip does not fit, if it does not.
    pub unfit: Option<&'static str>,

    /// The committed `report.json` of each routed build. The first is what is built if nothing is said.
    pub reports: &'static [&'static str],
}

/// The pins that the chip needs.
#[derive(Clone, Copy, Debug)]
pub struct Pins {
    /// The oscillator.
    pub clock: Pin,
    /// The serial line from the host.
    pub rx: Pin,
    /// The serial line to the host.
    pub tx: Pin,
    /// Blinks; on while bytes come or go.
    pub alive: Option<Pin>,
    /// Cores have jobs.
    pub busy: Option<Pin>,
    /// A frame was dropped, or the clock is not locked.
    pub error: Option<Pin>,
    /// Lights all LEDs; with a `reload` pin, loads the bitstream again instead.
    pub button: Option<Pin>,
    /// Low loads the bitstream again.
    pub reload: Option<Pin>,
}

/// A pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Its ball or number.
    pub site: &'static str,
    /// On, or pressed, is low.
    pub active_low: bool,
    /// The electrical standard, as the family's constraint file names it.
    pub standard: &'static str,
    /// The resistor inside.
    pub pull: Pull,
}

/// The resistor inside a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pull {
    /// None.
    None,
    /// To the supply.
    Up,
    /// To ground.
    Down,
}

impl Pin {
    /// A 3.3 V pin, on when high.
    pub const fn new(site: &'static str) -> Pin {
        Pin {
            site,
            active_low: false,
            standard: "LVCMOS33",
            pull: Pull::None,
        }
    }

    /// On when low.
    pub const fn low(self) -> Pin {
        Pin {
            active_low: true,
            ..self
        }
    }

    /// With a resistor.
    pub const fn pull(self, pull: Pull) -> Pin {
        Pin { pull, ..self }
    }

    /// With another electrical standard.
    pub const fn standard(self, standard: &'static str) -> Pin {
        Pin { standard, ..self }
    }
}

impl Pins {
    /// All pins with the name of their port, inputs and outputs.
    pub(crate) fn ports(&self) -> Vec<(&'static str, Pin)> {
        let needed = [("clk", self.clock), ("rx", self.rx), ("tx", self.tx)];
        let others = [
            ("led_alive", self.alive),
            ("led_busy", self.busy),
            ("led_error", self.error),
            ("button", self.button),
            ("reload", self.reload),
        ];
        let others = others.into_iter().filter_map(|(name, pin)| Some((name, pin?)));
        needed.into_iter().chain(others).collect()
    }
}

impl Board {
    /// The PLL for a clock of at most so many kHz.
    ///
    /// # Errors
    /// If the PLL cannot make it.
    pub fn pll(&self, clock_khz: u32) -> Result<Pll, PllError> {
        Pll::new(&self.device.pll, self.oscillator_khz, clock_khz)
    }

    /// The chip for this board. Its clock is what the PLL makes; its cores wake up with weights of zero, as they tell the host.
    pub fn config(&self, cores: usize, clock_khz: u32) -> Config {
        Config {
            cores,
            clock_khz,
            baud: self.baud,
            gangs: false,
            ..Config::default()
        }
    }

    /// The committed reports of routed builds, the one that counts if nothing is said first.
    ///
    /// # Errors
    /// If one is no report.
    pub fn all_routed(&self) -> Result<Vec<Report>, ReportError> {
        self.reports.iter().map(|text| Report::from_json(text)).collect()
    }

    /// The committed report of a routed build: of one with gangs or without, if that is asked for and there is one, else the first.
    ///
    /// # Errors
    /// If one is no report.
    pub fn routed(&self, gangs: Option<bool>) -> Result<Option<Report>, ReportError> {
        let mut reports = self.all_routed()?;
        let asked = reports.iter().position(|report| gangs == Some(report.gangs));
        Ok(match reports.is_empty() {
            true => None,
            false => Some(reports.swap_remove(asked.unwrap_or(0))),
        })
    }
}
