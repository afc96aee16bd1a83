//! The report: one page that needs nothing else.

use std::fmt::Write as _;

use super::outcome::{ClockRow, Comparison, SweepRow};
use super::plot::{Curve, Plot, escape, short};

const STYLE: &str = include_str!("report.css");

/// The whole page.
pub fn page(comparison: &Comparison) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>Bluebelle: accelerated against software</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Accelerated against software</h1>\n<p class=\"verdict\">{}</p>\n",
        escape(&comparison.verdict)
    );
    out += &conditions(comparison);
    out += &totals(comparison);
    if !comparison.by_clock.is_empty() {
        out += &by_clock(&comparison.by_clock);
    }
    out += "<h2>Plots</h2>\n<div class=\"plots\">\n";
    for plot in plots(comparison) {
        out += &plot.figure();
        out.push('\n');
    }
    out += "</div>\n";
    out += &limits(&comparison.sweeps);
    out += &positions(comparison);
    out += "</main>\n</body>\n</html>\n";
    out
}

/// A table inside something that scrolls, so that the page does not.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut out = "<div class=\"scroll\"><table><thead><tr>".to_owned();
    for cell in head {
        let _ = write!(out, "<th>{}</th>", escape(cell));
    }
    out += "</tr></thead><tbody>";
    for row in rows {
        out += "<tr>";
        for cell in row {
            let _ = write!(out, "<td>{}</td>", escape(&cell));
        }
        out += "</tr>";
    }
    out += "</tbody></table></div>\n";
    out
}

fn percent(share: f64) -> String {
    match share.is_nan() {
        true => "unknown".to_owned(),
        false => format!("{:.1} %", 100.0 * share),
    }
}

fn seconds(value: f64) -> String {
    match value.is_nan() {
        true => "unknown".to_owned(),
        false => format!("{value:.3} s"),
    }
}

fn number(value: f64) -> String {
    match value.is_nan() {
        true => "unknown".to_owned(),
        false => short((value * 100.0).round() / 100.0),
    }
}

fn conditions(comparison: &Comparison) -> String {
    let mut rows = vec![
        vec!["accelerated search".to_owned(), comparison.accelerated_is.to_owned()],
        vec![
            "software search".to_owned(),
            format!(
                "{}, {} thread(s)",
                comparison.software_is, comparison.asked.software_threads
            ),
        ],
    ];
    if let Some(board) = &comparison.board {
        let boards = match board.boards {
            1 => board.name.clone(),
            count => format!("{count} × {}", board.name),
        };
        rows.push(vec!["board".to_owned(), boards]);
        rows.push(vec![
            "chip".to_owned(),
            format!(
                "{} cores of {} threads at {:.1} MHz: {}",
                board.cores, board.threads, board.mhz, board.source
            ),
        ]);
        rows.push(vec!["line".to_owned(), board.line.clone()]);
    }
    "<h2>What was compared</h2>\n".to_owned() + &table(&["what", "how"], rows)
}

fn totals(comparison: &Comparison) -> String {
    let total = &comparison.total;
    let rows = [
        ("time, software", seconds(total.software_time)),
        ("time, accelerated", seconds(total.accelerated_time)),
        ("speed-up", number(total.speedup)),
        ("time, the same tree without a board", seconds(total.host_alone_time)),
        ("speed-up by the board", number(total.board_gain)),
        ("nodes/s, software", short(total.software_nps)),
        ("nodes/s, accelerated", short(total.accelerated_nps)),
        ("hardware busy", percent(total.hardware_busy)),
        ("line to the board busy", percent(total.link_busy_out)),
        ("line from the board busy", percent(total.link_busy_in)),
        (
            "host busy, with the tree and with the lines",
            format!("{} and {}", percent(total.host_busy), percent(total.lines_busy)),
        ),
        ("work on leaves, against one job at a time", number(total.overhead)),
        ("nodes, against software", number(total.node_factor)),
        ("jobs", total.jobs.to_string()),
        ("nodes a job", number(total.nodes_per_job)),
        ("same move", format!("{} of {}", total.same_move, total.positions)),
        (
            "wanted move found, software and accelerated",
            format!("{} and {}", total.software_solved, total.accelerated_solved),
        ),
    ];
    let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]);
    "<h2>In total</h2>\n".to_owned() + &table(&["what", "value"], rows)
}

fn by_clock(rows: &[ClockRow]) -> String {
    let rows = rows.iter().map(|row| {
        vec![
            format!("{} s", row.seconds),
            row.software_solved.to_string(),
            row.accelerated_solved.to_string(),
        ]
    });
    let head = ["after", "software", "accelerated"];
    "<h2>Wanted moves by the clock</h2>\n".to_owned() + &table(&head, rows)
}

fn plots(comparison: &Comparison) -> Vec<Plot> {
    let by_depth = |each: &dyn Fn(&super::DepthRow) -> f64| {
        let rows = comparison.by_depth.iter();
        rows.map(|row| (f64::from(row.depth), each(row))).collect::<Vec<_>>()
    };
    let sweep = |kind: &str, each: &dyn Fn(&SweepRow) -> f64| {
        let rows = comparison.sweeps.iter().filter(|row| row.kind == kind);
        rows.map(|row| (row.value, each(row))).collect::<Vec<_>>()
    };
    let curve = |name: &str, points: Vec<(f64, f64)>| Curve {
        name: name.to_owned(),
        points,
    };
    let plot = |title: &str, x: &str, y: &str, logarithmic: bool, lines: Vec<Curve>| Plot {
        title: title.to_owned(),
        x_label: x.to_owned(),
        y_label: y.to_owned(),
        logarithmic,
        lines,
    };
    vec![
        plot(
            "Speed-up by depth",
            "depth",
            "times faster",
            false,
            vec![curve("accelerated against software", by_depth(&|row| row.speedup))],
        ),
        plot(
            "Time to depth",
            "depth",
            "seconds",
            true,
            vec![
                curve("software", by_depth(&|row| row.software_time)),
                curve("accelerated", by_depth(&|row| row.accelerated_time)),
            ],
        ),
        plot(
            "Nodes a second by number of cores",
            "cores",
            "nodes/s",
            false,
            vec![curve("accelerated", sweep("cores", &|row| row.nps))],
        ),
        plot(
            "Who is busy, by leaf depth",
            "plies of a leaf",
            "share of the time",
            false,
            vec![
                curve("hardware", sweep("leaf depth", &|row| row.hardware_busy)),
                curve("line to the board", sweep("leaf depth", &|row| row.link_out)),
                curve("line from the board", sweep("leaf depth", &|row| row.link_in)),
                curve("host", sweep("leaf depth", &|row| row.host_busy)),
            ],
        ),
        plot(
            "Speed-up by number of cores",
            "cores",
            "times faster",
            false,
            vec![curve("one board", sweep("cores", &|row| row.speedup))],
        ),
        plot(
            "Speed-up by number of boards",
            "boards",
            "times faster",
            false,
            vec![curve("boards alike", sweep("boards", &|row| row.speedup))],
        ),
    ]
}

fn limits(sweeps: &[SweepRow]) -> String {
    let rows = sweeps.iter().filter(|row| row.kind == "link").map(|row| {
        vec![
            row.label.clone(),
            row.leaf_depth.to_string(),
            number(row.speedup),
            short(row.nps),
            percent(row.hardware_busy),
            percent(row.link_out),
            percent(row.link_in),
            percent(row.host_busy),
            row.limit.to_owned(),
        ]
    });
    let head = [
        "line",
        "leaf depth",
        "speed-up",
        "nodes/s",
        "hardware",
        "line out",
        "line in",
        "host",
        "limit",
    ];
    "<h2>What limits it</h2>\n".to_owned() + &table(&head, rows)
}

fn positions(comparison: &Comparison) -> String {
    let engines = comparison.positions.first().map_or(&[][..], |row| &row.engines[..]);
    let mut head = vec![
        "position".to_owned(),
        "depth".to_owned(),
        "software s".to_owned(),
        "accelerated s".to_owned(),
        "speed-up".to_owned(),
        "software".to_owned(),
        "accelerated".to_owned(),
        "nodes".to_owned(),
        "nodes".to_owned(),
    ];
    for engine in engines {
        head.extend([engine.name.clone(), "found s".to_owned(), "nodes/s".to_owned()]);
    }
    let rows = comparison.positions.iter().map(|row| {
        let mut cells = vec![
            row.id.clone(),
            row.depth.to_string(),
            format!("{:.4}", row.software.time),
            format!("{:.4}", row.accelerated.time),
            number(row.speedup),
            format!("{} {}", row.software.best, row.software.score),
            format!("{} {}", row.accelerated.best, row.accelerated.score),
            short(row.software.nodes as f64),
            short(row.accelerated.nodes as f64),
        ];
        for engine in &row.engines {
            let found = engine.found.map_or("not".to_owned(), |time| format!("{time:.3}"));
            cells.extend([engine.best.clone(), found, short(engine.nps)]);
        }
        cells
    });
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    "<h2>Position by position</h2>\n".to_owned() + &table(&head, rows)
}
