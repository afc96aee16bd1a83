//! Constraint files: LPF for ECP5, CST for Gowin, PCF for iCE40.

use crate::board::{Board, Pull};
use crate::device::Family;

/// The name of the constraint file.
pub(crate) fn file_name(family: Family) -> &'static str {
    match family {
        Family::Ecp5 => "board.lpf",
        Family::Gowin => "board.cst",
        Family::Ice40 => "board.pcf",
    }
}

/// The board's constraint file.
pub(crate) fn constraints(board: &Board) -> String {
    let mhz = f64::from(board.oscillator_khz) / 1000.0;
    let mut text = match board.device.family {
        Family::Ecp5 => format!("# {}\nFREQUENCY PORT \"clk\" {mhz} MHZ;\n", board.title),
        Family::Gowin => format!("// {}\n", board.title),
        Family::Ice40 => format!("# {}\nset_frequency clk {mhz}\n", board.title),
    };
    for (port, pin) in board.pins.ports() {
        let site = pin.site;
        let standard = pin.standard;
        let pull = match pin.pull {
            Pull::None => "NONE",
            Pull::Up => "UP",
            Pull::Down => "DOWN",
        };
        text += &match board.device.family {
            // A reference-voltage input has no resistor to set.
            Family::Ecp5 if standard.starts_with("SSTL") => {
                format!("LOCATE COMP \"{port}\" SITE \"{site}\";\nIOBUF PORT \"{port}\" IO_TYPE={standard};\n")
            }
            Family::Ecp5 => format!(
                "LOCATE COMP \"{port}\" SITE \"{site}\";\nIOBUF PORT \"{port}\" IO_TYPE={standard} PULLMODE={pull};\n"
            ),
            Family::Gowin => {
                format!("IO_LOC \"{port}\" {site};\nIO_PORT \"{port}\" IO_TYPE={standard} PULL_MODE={pull};\n")
            }
            Family::Ice40 if pin.pull == Pull::Up => format!("set_io -pullup yes {port} {site}\n"),
            Family::Ice40 => format!("set_io {port} {site}\n"),
        };
    }
    text
}
