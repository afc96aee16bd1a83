//! Radiona ULX3S. Pins: `doc/constraints/ulx3s_v20.lpf` of the board's repository.

use bluebelle_hdl::table_memory::device::ANY_32_MB;

use crate::board::{Board, Pin, Pins, Pull};
use crate::device::{self, Device};
use crate::sdram::{Sdram, SdramPins};

pub(super) const ULX3S_85F: Board = ulx3s(
    "ulx3s-85f",
    "ULX3S 85F (v2.0 to v3.1)",
    device::LFE5U_85F,
    6,
    92_857,
    &[
        include_str!("../../reports/ulx3s-85f.json"),
        include_str!("../../reports/ulx3s-85f-no-gangs.json"),
    ],
);
pub(super) const ULX3S_45F: Board = ulx3s(
    "ulx3s-45f",
    "ULX3S 45F (v2.0 to v3.1)",
    device::LFE5U_45F,
    3,
    92_857,
    &[include_str!("../../reports/ulx3s-45f.json")],
);
pub(super) const ULX3S_25F: Board = ulx3s(
    "ulx3s-25f",
    "ULX3S 25F (v2.0 to v3.1)",
    device::LFE5U_25F,
    1,
    95_833,
    &[include_str!("../../reports/ulx3s-25f.json")],
);
pub(super) const ULX3S_12F: Board = ulx3s(
    "ulx3s-12f",
    "ULX3S 12F (v2.0 to v3.1)",
    device::LFE5U_12F,
    1,
    95_833,
    &[include_str!("../../reports/ulx3s-12f.json")],
);

/// 32 MB on 16 pins. Pins: amaranth-boards 0.0.21 and litex-boards 2023.12 agree on them.
const SDRAM: Sdram = Sdram {
    device: ANY_32_MB,
    pins: SdramPins {
        clock: "F19",
        clock_enable: Some("F20"),
        select_n: Some("P20"),
        ras_n: "R20",
        cas_n: "T19",
        we_n: "T20",
        bank: ["P19", "N20"],
        address: &[
            "M20", "M19", "L20", "L19", "K20", "K19", "K18", "J20", "J19", "H20", "N19", "G20", "G19",
        ],
        data: &[
            "J16", "L18", "M18", "N18", "P18", "T18", "T17", "U20", "E19", "D20", "D19", "C20", "E18", "F18", "J18",
            "J17",
        ],
        mask: &["U19", "E20"],
    },
};

const fn ulx3s(
    name: &'static str,
    title: &'static str,
    device: Device,
    cores: usize,
    clock_khz: u32,
    reports: &'static [&'static str],
) -> Board {
    Board {
        name,
        title,
        device: device.packaged("CABGA381", "6"),
        oscillator_khz: 25_000,
        pins: Pins {
            clock: Pin::new("G2"),
            // FTDI's names are FTDI's view: its TXD is what the FPGA hears.
            rx: Pin::new("M1").pull(Pull::Up),
            tx: Pin::new("L4").pull(Pull::Up),
            alive: Some(Pin::new("B2")),
            busy: Some(Pin::new("C2")),
            error: Some(Pin::new("C1")),
            button: Some(Pin::new("R1").pull(Pull::Down)),
            reload: Some(Pin::new("M4").low().pull(Pull::Up)),
        },
        sdram: Some(SDRAM),
        cores,
        clock_khz,
        baud: 3_000_000,
        loader: &["-b", "ulx3s"],
        documentation: "https://ulx3s.github.io",
        note: "FIRE 1 loads the bitstream in the flash again; the serial line is US1",
        unfit: None,
        reports,
    }
}
