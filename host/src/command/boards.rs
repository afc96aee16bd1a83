use std::process::ExitCode;

use anyhow::Context;
use bluebelle_firmware::board::Board;
use bluebelle_firmware::report::{ChipAge, Report, SLOTS_PER_NODE};
use bluebelle_firmware::{boards, tools};
use serde::Serialize;

use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A board as scripts see it. Figures are from the committed report of a routed build; without one there are none.
#[derive(Serialize)]
struct Row {
    board: &'static str,
    /// Of the routed build, or what `bluebelle build` would build.
    cores: usize,
    /// The clock of the routed build.
    mhz: Option<f64>,
    slots_per_node: f64,
    projected_mnps: Option<f64>,
    /// Whether the routed chip is the chip of today.
    chip: Option<ChipAge>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let rows: Vec<Row> = boards::ALL.iter().map(row).collect::<anyhow::Result<_>>()?;
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(ExitCode::SUCCESS);
    }
    say!(
        "{:<16}{:<12}{:>5}{:>8}{:>12}{:>18}  {:<14}  tools",
        "board",
        "device",
        "cores",
        "MHz",
        "slots/node",
        "projected Mnps",
        "chip"
    );
    let mut missing: Vec<&str> = Vec::new();
    for (board, row) in boards::ALL.iter().zip(&rows) {
        let tools = tools::for_building(board.device.family).into_iter();
        let lacking: Vec<&str> = tools
            .filter(|&tool| !tools::is_there(tool))
            .map(|tool| tool.programs[0])
            .collect();
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        say!(
            "{:<16}{:<12}{:>5}{:>8}{:>12.2}{:>18}  {:<14}  {}",
            row.board,
            board.device.name,
            row.cores,
            number(row.mhz),
            row.slots_per_node,
            number(row.projected_mnps),
            row.chip.map_or("-", age),
            if lacking.is_empty() { "found" } else { "missing" }
        );
        missing.extend(lacking);
    }
    if rows
        .iter()
        .any(|row| matches!(row.chip, Some(ChipAge::Older | ChipAge::Unknown)))
    {
        say!(
            "\nchip: figures are of the chip that was routed, and the chip of today may be slower or faster: \
             `bluebelle build --board BOARD` tells"
        );
    }
    if !missing.is_empty() {
        missing.sort_unstable();
        missing.dedup();
        say!(
            "\ntools: {} not found. `bluebelle build` installs what is missing from PyPI in {}; or install the \
             OSS CAD Suite, which has all, and put its bin folder on the PATH",
            missing.join(", "),
            tools::cache().join("tools").display()
        );
    }
    for (board, row) in boards::ALL.iter().zip(&rows) {
        match (board.unfit, row.mhz) {
            (Some(why), _) => say!("\n{}: it does not fit: {why}", board.name),
            (None, None) => say!("\n{}: {}, so nothing is projected", board.name, missed(board)?),
            (None, Some(_)) => {}
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the chip of a report is the chip of today.
fn age(age: ChipAge) -> &'static str {
    match age {
        ChipAge::Current => "of today",
        ChipAge::Older => "older",
        ChipAge::Unknown => "not recorded",
    }
}

/// Why a board has no figures.
fn missed(board: &Board) -> anyhow::Result<String> {
    Ok(match report(board)? {
        Some(slow) => format!(
            "its build for {} MHz with {} cores routed for {:.1} MHz only",
            slow.clock_mhz, slow.cores, slow.mhz
        ),
        None => "no routed build has been reported".to_owned(),
    })
}

fn report(board: &Board) -> anyhow::Result<Option<Report>> {
    board
        .routed(None)
        .with_context(|| format!("the report of {}", board.name))
}

fn row(board: &Board) -> anyhow::Result<Row> {
    let routed = report(board)?.filter(|report| report.timing_met);
    Ok(Row {
        board: board.name,
        cores: routed.as_ref().map_or(board.cores, |report| report.cores),
        mhz: routed.as_ref().map(|report| report.clock_mhz),
        slots_per_node: SLOTS_PER_NODE,
        projected_mnps: routed.as_ref().map(Report::projected_mnps),
        chip: routed.as_ref().map(Report::chip_age),
    })
}
