//! Accelerated against software: the same positions in the same time.
//!
//! `search` runs both, `outcome` is the JSON, `clock` counts wanted moves by the clock, `strength`
//! is what matches say, `leaves` counts nodes for the same questions, `html` and `plot` are the
//! report, `engine` is any UCI engine. A depth of one search is not worth the same depth of
//! another, so that nothing here divides times to a depth.

mod clock;
mod engine;
pub(crate) mod html;
mod leaves;
mod outcome;
pub(crate) mod plot;
mod search;
mod strength;

pub use clock::by_clock;
pub use engine::{Engine, EngineError};
pub use html::{Origin, page};
pub use leaves::{LeafFactors, LeafRow, leaf_factors};
pub use outcome::{
    Asked, BoardFigures, ClockRow, Column, Comparison, CostFigures, EngineColumn, Hardware, Row, SearchTotal, Total,
};
pub use search::{Searched, SoftwareClock, search_measured, search_projected, search_software};
pub use strength::{AtOdds, GainError, Strength};

use crate::epd::Problem;
use crate::projection::share;

/// One position's row.
pub fn row(problem: &Problem, software: &Searched, accelerated: &Searched) -> Row {
    Row {
        id: problem.id.clone(),
        fen: problem.fen.to_string(),
        wants_a_move: problem.wants_a_move(),
        software: software.column(problem),
        accelerated: accelerated.column(problem),
        hardware: accelerated.hardware,
        engines: Vec::new(),
        warnings: accelerated.warnings.clone(),
    }
}

/// The total of all rows.
pub fn total(rows: &[Row]) -> Total {
    // Shares of time weigh as much as the time does.
    let busy = |each: fn(&Hardware) -> Option<f64>| {
        let weighed = rows
            .iter()
            .map(|row| Some((each(&row.hardware)? * row.accelerated.time, row.accelerated.time)));
        let weighed: Vec<(f64, f64)> = weighed.collect::<Option<_>>()?;
        let (busy, whole) = weighed
            .iter()
            .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (whole > 0.0).then(|| busy / whole)
    };
    let hardware = Hardware {
        jobs: rows.iter().map(|row| row.hardware.jobs).sum(),
        job_nodes: rows.iter().map(|row| row.hardware.job_nodes).sum(),
        host_busy: busy(|hardware| hardware.host_busy),
        line_busy: busy(|hardware| hardware.line_busy),
        chip_busy: busy(|hardware| hardware.chip_busy),
    };
    let same_move = |row: &&Row| row.software.best == row.accelerated.best;
    Total {
        positions: rows.len(),
        wanting: rows.iter().filter(|row| row.wants_a_move).count(),
        same_move: rows.iter().filter(same_move).count(),
        software: search_total(rows, |row| &row.software),
        accelerated: search_total(rows, |row| &row.accelerated),
        hardware,
    }
}

fn search_total(rows: &[Row], search: fn(&Row) -> &Column) -> SearchTotal {
    let columns = || rows.iter().map(search);
    let (time, nodes) = (
        columns().map(|column| column.time).sum(),
        columns().map(|column| column.nodes).sum(),
    );
    SearchTotal {
        time,
        nodes,
        nps: share(nodes as f64, time),
        found: columns().filter(|column| column.found.is_some()).count(),
    }
}

#[cfg(test)]
mod tests;
