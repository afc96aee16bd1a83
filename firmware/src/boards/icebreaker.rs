//! 1BitSquared iCEBreaker. Pins: amaranth-boards and litex-boards agree on them.

use crate::board::{Board, Pin, Pins, Pull};
use crate::device;

pub(super) const ICEBREAKER: Board = Board {
    name: "icebreaker",
    title: "iCEBreaker v1.0",
    device: device::ICE40UP5K,
    oscillator_khz: 12_000,
    pins: Pins {
        clock: Pin::new("35"),
        rx: Pin::new("6").pull(Pull::Up),
        tx: Pin::new("9"),
        alive: Some(Pin::new("37").low()),
        busy: None,
        error: Some(Pin::new("11").low()),
        button: Some(Pin::new("10").low()),
        reload: None,
    },
    sdram: None,
    cores: 1,
    clock_khz: 18_000,
    baud: 1_000_000,
    loader: &["-b", "ice40_generic"],
    documentation: "https://docs.icebreaker-fpga.org",
    note: "green blinks, red is an error",
    unfit: Some(
        "a core and the chip around it take more than 11,000 LUT4 on an ECP5, and this FPGA has 5,280; \
         a chip with fewer plies and placement evaluation only does not exist yet",
    ),
    reports: &[],
};
