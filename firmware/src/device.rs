//! The FPGAs: what the tools call them and what they hold.

use crate::pll::{self, Limits};

/// A family: it decides tools, PLL and the form of the constraint file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// Gowin GW1N and GW2A.
    Gowin,
    /// Lattice iCE40 UltraPlus.
    Ice40,
}

/// An FPGA.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// Its family.
    pub family: Family,
    /// Its name.
    pub name: &'static str,
    /// What nextpnr calls it: `85k`, `up5k`, or Gowin's whole part number.
    pub part: &'static str,
    /// Gowin's name of the die, which nextpnr and the packer want; empty for others.
    pub die: &'static str,
    /// The package.
    pub package: &'static str,
    /// The speed grade.
    pub speed: &'static str,
    /// What it holds.
    pub capacity: Resources,
    /// What its PLL can do.
    pub pll: Limits,
}

/// What a device holds, or a design takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Look-up tables with four inputs, carry cells included.
    pub luts: u32,
    /// Flip-flops.
    pub flip_flops: u32,
    /// Block RAMs.
    pub block_rams: u32,
    /// Multipliers of 18 × 18 bits (iCE40: 16 × 16).
    pub multipliers: u32,
}

impl Device {
    pub(crate) const fn packaged(self, package: &'static str, speed: &'static str) -> Device {
        Device { package, speed, ..self }
    }
}

pub(crate) const LFE5U_85F: Device = ecp5("LFE5U-85F", "85k", [83_640, 83_640, 208, 156]);
pub(crate) const LFE5U_45F: Device = ecp5("LFE5U-45F", "45k", [43_848, 43_848, 108, 72]);
pub(crate) const LFE5U_25F: Device = ecp5("LFE5U-25F", "25k", [24_288, 24_288, 56, 28]);
/// Sold as half of a 25F; it is the same die, and nextpnr uses all of it.
pub(crate) const LFE5U_12F: Device = ecp5("LFE5U-12F", "12k", [24_288, 24_288, 56, 28]);

pub(crate) const GW2AR_18: Device = Device {
    family: Family::Gowin,
    name: "GW2AR-18",
    part: "GW2AR-LV18QN88C8/I7",
    die: "GW2A-18C",
    package: "QN88",
    speed: "C8/I7",
    capacity: resources([20_736, 15_552, 46, 48]),
    pll: pll::GW2AR,
};

pub(crate) const GW1NR_9: Device = Device {
    family: Family::Gowin,
    name: "GW1NR-9",
    part: "GW1NR-LV9QN88PC6/I5",
    die: "GW1N-9C",
    package: "QN88P",
    speed: "C6/I5",
    capacity: resources([8_640, 6_480, 26, 20]),
    pll: pll::GW1NR,
};

pub(crate) const ICE40UP5K: Device = Device {
    family: Family::Ice40,
    name: "iCE40UP5K",
    part: "up5k",
    die: "",
    package: "sg48",
    speed: "",
    capacity: resources([5_280, 5_280, 30, 8]),
    pll: pll::ICE40,
};

const fn ecp5(name: &'static str, part: &'static str, capacity: [u32; 4]) -> Device {
    Device {
        family: Family::Ecp5,
        name,
        part,
        die: "",
        package: "",
        speed: "",
        capacity: resources(capacity),
        pll: pll::ECP5,
    }
}

const fn resources([luts, flip_flops, block_rams, multipliers]: [u32; 4]) -> Resources {
    Resources {
        luts,
        flip_flops,
        block_rams,
        multipliers,
    }
}
