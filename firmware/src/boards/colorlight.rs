//! Colorlight i5 (v7.0) and i9 (v7.2) on Muse Lab's extension board. Pins: `colorlight_i5_v7.0.md` and
//! `colorlight_i9_v7.2.md` of wuxx/Colorlight-FPGA-Projects, as litex-boards has them.

use bluebelle_hdl::table_memory::device::M12L64322A;

use crate::board::{Board, Pin, Pins, Pull};
use crate::device::{self, Device};
use crate::sdram::{Sdram, SdramPins};

pub(super) const I9: Board = colorlight(
    "colorlight-i9",
    "Colorlight i9 v7.2 with extension board",
    device::LFE5U_45F,
    "L2",
    3,
    87_500,
    &["-b", "colorlight-i9"],
    &[include_str!("../../reports/colorlight-i9.json")],
);
pub(super) const I5: Board = colorlight(
    "colorlight-i5",
    "Colorlight i5 v7.0 with extension board",
    device::LFE5U_25F,
    "U16",
    1,
    95_833,
    &["-b", "colorlight-i5"],
    &[include_str!("../../reports/colorlight-i5.json")],
);

/// 8 MB on 32 pins, the same on both boards; CKE is high, CS and DQM are low. Pins: litex-boards 2023.12.
const SDRAM: Sdram = Sdram {
    device: M12L64322A,
    pins: SdramPins {
        clock: "B9",
        clock_enable: None,
        select_n: None,
        ras_n: "B10",
        cas_n: "A9",
        we_n: "A10",
        bank: ["B11", "C8"],
        address: &[
            "B13", "C14", "A16", "A17", "B16", "B15", "A14", "A13", "A12", "A11", "B12",
        ],
        data: &[
            "D15", "E14", "E13", "D12", "E12", "D11", "C10", "B17", "B8", "A8", "C7", "A7", "A6", "B6", "A5", "B5",
            "D5", "C5", "D6", "C6", "E7", "D7", "E8", "D8", "E9", "D9", "E11", "C11", "C12", "D13", "D14", "C15",
        ],
        mask: &[],
    },
};

#[allow(clippy::too_many_arguments, reason = "what differs between two boards")]
const fn colorlight(
    name: &'static str,
    title: &'static str,
    device: Device,
    led: &'static str,
    cores: usize,
    clock_khz: u32,
    loader: &'static [&'static str],
    reports: &'static [&'static str],
) -> Board {
    Board {
        name,
        title,
        device: device.packaged("CABGA381", "6"),
        oscillator_khz: 25_000,
        pins: Pins {
            clock: Pin::new("P3"),
            rx: Pin::new("H18").pull(Pull::Up),
            tx: Pin::new("J17"),
            alive: Some(Pin::new(led).low()),
            busy: None,
            error: None,
            button: Some(Pin::new("K18").low().pull(Pull::Up)),
            reload: None,
        },
        sdram: Some(SDRAM),
        cores,
        clock_khz,
        baud: 1_000_000,
        loader,
        documentation: "https://github.com/wuxx/Colorlight-FPGA-Projects",
        note: "the serial line is the extension board's USB; the one LED blinks",
        unfit: None,
        reports,
    }
}
