//! Sipeed Tang Nano 20K and 9K. Pins: litex-boards, and amaranth-boards for the 9K.

use crate::board::{Board, Pin, Pins, Pull};
use crate::device;

pub(super) const TANG_NANO_20K: Board = Board {
    name: "tang-nano-20k",
    title: "Tang Nano 20K",
    device: device::GW2AR_18,
    oscillator_khz: 27_000,
    pins: Pins {
        clock: Pin::new("4"),
        rx: Pin::new("70").pull(Pull::Up),
        tx: Pin::new("69"),
        alive: Some(Pin::new("15").low()),
        busy: Some(Pin::new("16").low()),
        error: Some(Pin::new("17").low()),
        button: Some(Pin::new("88").pull(Pull::Down)),
        reload: None,
    },
    sdram: None,
    cores: 1,
    clock_khz: 27_000,
    baud: 1_000_000,
    loader: &["-b", "tangnano20k"],
    documentation: "https://wiki.sipeed.com/hardware/en/tang/tang-nano-20k/nano-20k.html",
    note: "S1 lights all LEDs",
    unfit: None,
    reports: &[],
};

pub(super) const TANG_NANO_9K: Board = Board {
    name: "tang-nano-9k",
    title: "Tang Nano 9K",
    device: device::GW1NR_9,
    oscillator_khz: 27_000,
    pins: Pins {
        clock: Pin::new("52"),
        rx: Pin::new("18").pull(Pull::Up),
        tx: Pin::new("17"),
        // LEDs and buttons are on a bank with 1.8 V.
        alive: Some(Pin::new("10").low().standard("LVCMOS18")),
        busy: Some(Pin::new("11").low().standard("LVCMOS18")),
        error: Some(Pin::new("13").low().standard("LVCMOS18")),
        button: Some(Pin::new("3").low().standard("LVCMOS18").pull(Pull::Up)),
        reload: None,
    },
    sdram: None,
    cores: 1,
    clock_khz: 27_000,
    baud: 1_000_000,
    loader: &["-b", "tangnano9k"],
    documentation: "https://wiki.sipeed.com/hardware/en/tang/Tang-Nano-9K/Nano-9K.html",
    note: "S2 lights all LEDs",
    unfit: Some(
        "a core and the chip around it take more than 11,000 LUT4 on an ECP5, and this FPGA has 8,640; \
         a chip with fewer plies and placement evaluation only does not exist yet",
    ),
    reports: &[],
};
