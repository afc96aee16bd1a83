//! OrangeCrab r0.2. Pins: amaranth-boards and litex-boards agree on them.

use crate::board::{Board, Pin, Pins, Pull};
use crate::device::{self, Device};

pub(super) const ORANGECRAB_85F: Board = orangecrab(
    "orangecrab-85f",
    "OrangeCrab r0.2 85F",
    device::LFE5U_85F,
    6,
    48_000,
    &[],
);
pub(super) const ORANGECRAB_25F: Board = orangecrab(
    "orangecrab-25f",
    "OrangeCrab r0.2 25F",
    device::LFE5U_25F,
    1,
    104_000,
    &[include_str!("../../reports/orangecrab-25f.json")],
);

const fn orangecrab(
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
        device: device.packaged("CSFBGA285", "8"),
        oscillator_khz: 48_000,
        pins: Pins {
            clock: Pin::new("A9"),
            rx: Pin::new("N17").pull(Pull::Up),
            tx: Pin::new("M18"),
            // One RGB LED: green blinks, blue is busy, red is an error.
            alive: Some(Pin::new("M3").low()),
            busy: Some(Pin::new("J3").low()),
            error: Some(Pin::new("K4").low()),
            // On the memory's bank, which has 1.35 V.
            button: Some(Pin::new("J17").low().standard("SSTL135_I")),
            reload: Some(Pin::new("V17").low()),
        },
        sdram: None,
        cores,
        clock_khz,
        baud: 1_000_000,
        loader: &["-b", "orangeCrab"],
        documentation: "https://orangecrab-fpga.github.io/orangecrab-hardware/",
        note: "needs a 3.3 V serial adapter: its TX on pin 0, its RX on pin 1; hold the button while plugging in to flash",
        unfit: None,
        reports,
    }
}
