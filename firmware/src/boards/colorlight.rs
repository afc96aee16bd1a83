//! Colorlight i5 (v7.0) and i9 (v7.2) on Muse Lab's extension board. Pins: `colorlight_i5_v7.0.md` and
//! `colorlight_i9_v7.2.md` of wuxx/Colorlight-FPGA-Projects, as litex-boards has them.

use crate::board::{Board, Pin, Pins, Pull};
use crate::device::{self, Device};

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
