//! The report: one page that needs nothing else. The same seeded run writes the same page on every
//! machine, except for the lines with the date and the machine.

use std::fmt::Write as _;

use super::outcome::{BoardFigures, Column, Comparison, Row};
use super::plot::{Curve, Plot, Point, escape, short};
use super::strength::{AtOdds, Strength};
use crate::matches::EvenOdds;
use crate::score::UciScore;

const STYLE: &str = include_str!("report.css");

/// What is written where a figure is not known.
const UNKNOWN: &str = "not measured";

/// Where a page is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The command that made it.
    pub command: String,
    /// When, in words.
    pub date: String,
    /// The machine that ran it.
    pub machine: String,
}

/// The whole page.
pub fn page(comparison: &Comparison, origin: &Origin) -> String {
    let mut body = summary(comparison);
    body += &conditions(comparison, origin);
    body += &strength(&comparison.strength);
    body += &by_clock(comparison);
    body += &totals(comparison);
    body += &positions(comparison);
    body += &glossary();
    frame(
        "Bluebelle: accelerated against software",
        "Accelerated against software, in the same time",
        &body,
    )
}

/// A page with this title for the browser, this heading and this body.
pub(crate) fn frame(title: &str, heading: &str, body: &str) -> String {
    let (title, heading) = (escape(title), escape(heading));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n\
         {STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// A table inside something that scrolls, so that the page does not.
pub(crate) fn table<H: AsRef<str>>(head: &[H], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut out = "<div class=\"scroll\"><table><thead><tr>".to_owned();
    for cell in head {
        let _ = write!(out, "<th>{}</th>", escape(cell.as_ref()));
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

fn percent(share: Option<f64>) -> String {
    share.map_or(UNKNOWN.to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

fn score(column: &Column) -> String {
    let told = UciScore(column.score).to_string();
    told.strip_prefix("cp ").unwrap_or(&told).to_owned()
}

fn summary(comparison: &Comparison) -> String {
    let total = &comparison.total;
    let mut told: Vec<String> = comparison.strength.iter().map(|one| format!("{one}.")).collect();
    if told.is_empty() {
        told.push(
            "Strength is not measured here: `bluebelle compare --games N` and `bluebelle match --accelerated` play for it."
                .to_owned(),
        );
    }
    told.push(format!(
        "{} of {} wanted moves found by the accelerated search, {} by the software.",
        total.accelerated.found, total.wanting, total.software.found
    ));
    let paragraph = |text: String| format!("<p class=\"summary\">{}</p>\n", escape(&text));
    told.into_iter().map(paragraph).collect()
}

fn conditions(comparison: &Comparison, origin: &Origin) -> String {
    let asked = &comparison.asked;
    let limit = match (asked.time, asked.depth) {
        (Some(time), _) => format!("{time} s for each search"),
        (None, depth) => format!(
            "{} plies for each search, whatever time that takes",
            depth.unwrap_or_default()
        ),
    };
    let cost = match &comparison.host_cost {
        Some(cost) => format!(
            "{} ns a node, {} a job, {} to write or read one",
            cost.node, cost.job, cost.carried
        ),
        None => "measured on this machine".to_owned(),
    };
    let mut rows = vec![
        ["command".to_owned(), origin.command.clone()],
        ["date".to_owned(), origin.date.clone()],
        ["machine".to_owned(), origin.machine.clone()],
        ["version".to_owned(), comparison.version.to_owned()],
        [
            "positions".to_owned(),
            format!("{}, {limit}, tables empty before each", comparison.total.positions),
        ],
        ["accelerated search".to_owned(), accelerated(comparison)],
        [
            "software search".to_owned(),
            threads(comparison.software_is, asked.software_threads),
        ],
        ["host's work".to_owned(), cost],
        ["table".to_owned(), format!("{} MiB for each search", asked.hash)],
        [
            "seed".to_owned(),
            asked.seed.map_or("none".to_owned(), |seed| seed.to_string()),
        ],
    ];
    if let Some(board) = &comparison.board {
        rows.extend(board_rows(board));
    }
    let rows = rows.into_iter().map(Vec::from);
    let table = table(&["what", "how"], rows).replacen("class=\"scroll\"", "class=\"scroll prose\"", 1);
    "<h2>What was compared</h2>\n".to_owned() + &table
}

fn accelerated(comparison: &Comparison) -> String {
    let told = threads(comparison.accelerated_is, comparison.asked.threads);
    match &comparison.asked.accelerators {
        Some(names) => format!("{told}, with {names}"),
        None => told,
    }
}

fn threads(what: &str, threads: usize) -> String {
    format!("{what}, {threads} thread{}", if threads == 1 { "" } else { "s" })
}

fn board_rows(board: &BoardFigures) -> [[String; 2]; 3] {
    [
        ["board".to_owned(), format!("{} × {}", board.boards, board.name)],
        [
            "chip".to_owned(),
            format!(
                "{} cores of {} threads at {:.1} MHz, {}",
                board.cores, board.threads, board.mhz, board.source
            ),
        ],
        ["line".to_owned(), board.line.clone()],
    ]
}

fn strength(strength: &[Strength]) -> String {
    if strength.is_empty() {
        return String::new();
    }
    let mut out = "<h2>Strength</h2>\n".to_owned();
    out += "<p>Games in virtual time, each opening with both colours, tables kept within a game. The gain must grow with \
            the time of a move. Bars are 95 % intervals.</p>\n<div class=\"plots\">\n";
    for plot in [even_plot(strength), elo_plot(strength)] {
        out += &plot.figure();
        out.push('\n');
    }
    out += "</div>\n";
    let row = |one: &Strength, at: &AtOdds| {
        let interval = |(low, high): (f64, f64)| format!("{low:+.0} to {high:+.0}").replace("inf", "∞");
        vec![
            format!("{} s", one.time),
            format!("{} ×", at.odds),
            at.score.games().to_string(),
            format!("+{} ={} -{}", at.score.wins, at.score.draws, at.score.losses),
            format!("{:.1} %", 100.0 * at.score.share()),
            format!("{:+.0}", at.elo.estimate).replace("inf", "∞"),
            at.elo.interval.map_or("error not known".to_owned(), interval),
            one.file.clone().unwrap_or("this command".to_owned()),
            one.boards.clone(),
        ]
    };
    let rows = strength
        .iter()
        .flat_map(|one| one.matches.iter().map(move |at| row(one, at)));
    let head = [
        "a move",
        "software's time",
        "games",
        "result",
        "score",
        "Elo",
        "95 %",
        "from",
        "boards",
    ];
    out + &table(&head, rows)
}

/// Matches with the same boards are one line.
fn by_boards(strength: &[Strength], point: impl Fn(&Strength) -> Option<Point>) -> Vec<Curve> {
    let mut kinds: Vec<&Strength> = Vec::new();
    for one in strength {
        if kinds.iter().all(|kind| kind.boards != one.boards) {
            kinds.push(one);
        }
    }
    let curve = |kind: &&Strength| {
        let same = strength.iter().filter(|one| one.boards == kind.boards);
        let mut points: Vec<Point> = same.filter_map(&point).collect();
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        let name = match &kind.file {
            Some(file) if kinds.len() > 1 => format!("boards of {file}"),
            _ => "accelerated".to_owned(),
        };
        Curve { name, points }
    };
    kinds.iter().map(curve).collect()
}

fn even_plot(strength: &[Strength]) -> Plot {
    let point = |one: &Strength| {
        let EvenOdds { odds, low, high } = one.even_odds?;
        Some(Point {
            x: one.time,
            y: odds,
            bar: Some((low, high)),
        })
    };
    Plot {
        title: "Effective speed-up by the time of a move".to_owned(),
        x_label: "seconds a move".to_owned(),
        y_label: "times the time".to_owned(),
        logarithmic: true,
        mark: Some(1.0),
        values: true,
        lines: by_boards(strength, point),
    }
}

fn elo_plot(strength: &[Strength]) -> Plot {
    let point = |one: &Strength| {
        let elo = one.at_equal_time()?.elo;
        Some(Point {
            x: one.time,
            y: elo.estimate,
            bar: elo.interval,
        })
    };
    Plot {
        title: "Elo in the same time, by the time of a move".to_owned(),
        x_label: "seconds a move".to_owned(),
        y_label: "Elo".to_owned(),
        logarithmic: false,
        mark: Some(0.0),
        values: true,
        lines: by_boards(strength, point),
    }
}

fn by_clock(comparison: &Comparison) -> String {
    let total = &comparison.total;
    let mut out = "<h2>Wanted moves by the clock</h2>\n".to_owned();
    if total.wanting == 0 {
        return out + "<p>No position says which move is wanted.</p>\n";
    }
    // Both have the same time, and what is played in the end is the last row.
    let rows = comparison.by_clock.iter();
    let mut rows: Vec<(f64, usize, usize)> = rows
        .map(|row| (row.seconds, row.software_solved, row.accelerated_solved))
        .collect();
    if let Some(time) = comparison.asked.time {
        rows.retain(|row| row.0 < time);
        rows.push((time, total.software.found, total.accelerated.found));
    }
    let curve = |name: &str, found: fn(&(f64, usize, usize)) -> usize| Curve {
        name: name.to_owned(),
        points: rows
            .iter()
            .map(|row| Point {
                x: row.0,
                y: found(row) as f64,
                bar: None,
            })
            .collect(),
    };
    let plot = Plot {
        title: format!("Wanted moves, of {}", total.wanting),
        x_label: "seconds a position".to_owned(),
        y_label: "found".to_owned(),
        logarithmic: false,
        mark: None,
        values: false,
        lines: vec![curve("software", |row| row.1), curve("accelerated", |row| row.2)],
    };
    out += "<div class=\"plots\">\n";
    out += &plot.figure();
    out += "\n</div>\n";
    let rows = rows
        .iter()
        .map(|row| vec![format!("{} s", row.0), row.1.to_string(), row.2.to_string()]);
    out + &table(&["after", "software", "accelerated"], rows)
}

fn totals(comparison: &Comparison) -> String {
    let total = &comparison.total;
    let hardware = &total.hardware;
    let (ours, theirs) = (&total.accelerated, &total.software);
    let a_job = hardware.nodes_per_job();
    let rows = [
        ["time", &format!("{:.3} s", theirs.time), &format!("{:.3} s", ours.time)],
        ["nodes", &short(theirs.nodes as f64), &short(ours.nodes as f64)],
        ["nodes/s", &short(theirs.nps), &short(ours.nps)],
        [
            "wanted moves found",
            &format!("{} of {}", theirs.found, total.wanting),
            &format!("{} of {}", ours.found, total.wanting),
        ],
        ["same move", "", &format!("{} of {}", total.same_move, total.positions)],
        ["jobs", "", &hardware.jobs.to_string()],
        ["nodes a job", "", &a_job.map_or("no jobs".to_owned(), short)],
        ["host busy", "", &percent(hardware.host_busy)],
        ["line busy", "", &percent(hardware.line_busy)],
        ["chip busy", "", &percent(hardware.chip_busy)],
    ];
    let rows = rows.into_iter().map(|row| row.map(str::to_owned).to_vec());
    "<h2>In total</h2>\n".to_owned() + &table(&["what", "software", "accelerated"], rows)
}

fn positions(comparison: &Comparison) -> String {
    let engines = comparison.positions.first().map_or(&[][..], |row| &row.engines[..]);
    let mut head: Vec<String> = ["position"].map(str::to_owned).into();
    for who in ["software", "accelerated"] {
        head.extend([who, "depth", "wanted", "nodes/s"].map(str::to_owned));
    }
    head.extend(["jobs", "nodes a job", "host", "line", "chip"].map(str::to_owned));
    for engine in engines {
        head.extend([engine.name.clone(), "wanted".to_owned(), "nodes/s".to_owned()]);
    }
    let rows = comparison.positions.iter().map(|row| {
        let mut cells = vec![row.id.clone()];
        for column in [&row.software, &row.accelerated] {
            let play = format!("{} {}", column.best, score(column));
            cells.extend([
                play,
                column.depth.to_string(),
                found(row, column.found),
                short(column.nps),
            ]);
        }
        let hardware = &row.hardware;
        let a_job = hardware.nodes_per_job();
        cells.extend([hardware.jobs.to_string(), a_job.map_or("no jobs".to_owned(), short)]);
        cells.extend([hardware.host_busy, hardware.line_busy, hardware.chip_busy].map(percent));
        for engine in &row.engines {
            cells.extend([engine.best.clone(), found(row, engine.found), short(engine.nps)]);
        }
        cells
    });
    "<h2>Position by position</h2>\n".to_owned() + &table(&head, rows)
}

fn found(row: &Row, seconds: Option<f64>) -> String {
    match (row.wants_a_move, seconds) {
        (false, _) => "none wanted".to_owned(),
        (true, Some(seconds)) => format!("after {seconds:.3} s"),
        (true, None) => "missed".to_owned(),
    }
}

/// What the words of the page mean.
const WORDS: [(&str, &str); 14] = [
    ("accelerated", "The search whose host puts questions to boards."),
    ("software", "The same search without boards, on the host alone."),
    (
        "projected",
        "Computed in virtual time: the real search and the real dispatcher, and boards that exist as a model.",
    ),
    (
        "hypothetical",
        "Projected for a board that was never routed so: its cores or its clock are supposed.",
    ),
    (
        "measured",
        "Taken by the clock of this machine, on whatever hardware was there.",
    ),
    (
        "virtual time",
        "A clock that the work advances: a fixed price for each piece of the host's work, cycles of the \
         chip, bytes on the line.",
    ),
    (
        "job",
        "A question for a board: is this position worth at least a given score, to a given depth?",
    ),
    (
        "nodes",
        "Positions looked at. A node of a board is not worth a node of the software, so that nodes/s say \
         nothing about strength.",
    ),
    (
        "depth",
        "Plies of the last iteration. A ply of one search is not worth a ply of the other.",
    ),
    (
        "wanted move",
        "The move that the file of positions names as right, or any but those that it names as wrong. The \
         time is that from which on the move was kept.",
    ),
    (
        "host, line, chip busy",
        "The share of the time in which the host's first thread had work, the busier direction of the line \
         had bytes, the cores had jobs.",
    ),
    (
        "Elo",
        "A difference in strength: 100 Elo are 64 % of the points, 200 are 76 %.",
    ),
    (
        "95 %",
        "The interval in which the truth lies 95 times of 100, with the error of pairs of games from the \
         same opening.",
    ),
    (
        "effective speed-up",
        "How many times as much time the software needs for an even match, from matches at several odds.",
    ),
];

fn glossary() -> String {
    let mut out = "<h2>Words</h2>\n<dl>\n".to_owned();
    for (word, meaning) in WORDS {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(word), escape(meaning));
    }
    out + "</dl>\n"
}
