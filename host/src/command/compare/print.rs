use bluebelle::compare::{Column, Comparison, LeafFactors, Row, Strength};
use bluebelle::projection::share;
use bluebelle::score::UciScore;

use crate::output::{self, say};

/// What is written where a figure is not known.
const UNKNOWN: &str = "not measured";

pub(super) fn print_head() -> anyhow::Result<()> {
    let search = |who: &str| format!("{who:<11}  depth  score  nodes/s  wanted  ");
    say!(
        "{:<9}{}{}{:>6}  nodes/job  busy: host, line, chip",
        "position",
        search("software"),
        search("accelerated"),
        "jobs"
    );
    Ok(())
}

pub(super) fn print_row(row: &Row) -> std::io::Result<()> {
    let search = |column: &Column| {
        let score = UciScore(column.score).to_string();
        format!(
            "{:<11}{:>7}{:>7}{:>8.2}M  {:<8}",
            column.best,
            column.depth,
            score.strip_prefix("cp ").unwrap_or(&score),
            column.nps / 1e6,
            found(row, column.found)
        )
    };
    let hardware = &row.hardware;
    let a_job = hardware.nodes_per_job();
    let mut line = format!(
        "{:<9}{}{}{:>6}{:>11}  {}",
        row.id,
        search(&row.software),
        search(&row.accelerated),
        hardware.jobs,
        a_job.map_or("no jobs".to_owned(), |nodes| format!("{nodes:.0}")),
        busy([hardware.host_busy, hardware.line_busy, hardware.chip_busy])
    );
    for engine in &row.engines {
        let found = found(row, engine.found);
        line += &format!(
            "  {}: {} {found}, {:.2}M nodes/s",
            engine.name,
            engine.best,
            engine.nps / 1e6
        );
    }
    output::line(format_args!("{line}"))
}

fn found(row: &Row, seconds: Option<f64>) -> &'static str {
    match (row.wants_a_move, seconds) {
        (false, _) => "none",
        (true, Some(_)) => "found",
        (true, None) => "missed",
    }
}

fn busy(shares: [Option<f64>; 3]) -> String {
    if shares == [None; 3] {
        return UNKNOWN.to_owned();
    }
    shares.map(percent).join(", ")
}

fn percent(share: Option<f64>) -> String {
    share.map_or(UNKNOWN.to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

pub(super) fn print_total(comparison: &Comparison) -> anyhow::Result<()> {
    let total = &comparison.total;
    say!("");
    if let Some(board) = &comparison.board {
        say!(
            "board            {} × {}, {} cores of {} threads at {:.1} MHz ({})",
            board.boards,
            board.name,
            board.cores,
            board.threads,
            board.mhz,
            board.source
        );
        say!("line             {}", board.line);
    }
    for (name, side, is) in [
        ("software", &total.software, comparison.software_is),
        ("accelerated", &total.accelerated, comparison.accelerated_is),
    ] {
        say!(
            "{name:<17}{} of {} wanted moves found, {:.2} million nodes/s, {:.3} s ({is})",
            side.found,
            total.wanting,
            side.nps / 1e6,
            side.time
        );
    }
    let clock = comparison.by_clock.iter();
    let clock: Vec<String> = clock
        .map(|row| format!("{} s {}, {}", row.seconds, row.software_solved, row.accelerated_solved))
        .collect();
    if !clock.is_empty() {
        say!("by the clock     found by software, accelerated: {}", clock.join("; "));
    }
    say!(
        "same move        in {} of {} positions",
        total.same_move,
        total.positions
    );
    let hardware = &total.hardware;
    match hardware.nodes_per_job() {
        Some(nodes) => say!(
            "jobs             {} of {nodes:.0} nodes, {:.2} million nodes/s",
            hardware.jobs,
            share(hardware.job_nodes as f64, total.accelerated.time) / 1e6
        ),
        None => {
            say!("jobs             none with a result in time, so that this says nothing about a board; search longer")
        }
    }
    let shares = [hardware.host_busy, hardware.line_busy, hardware.chip_busy];
    if shares == [None; 3] {
        say!("busy             {UNKNOWN}");
    } else {
        let [host, line, chip] = shares.map(percent);
        say!("busy             host {host}, line {line}, chip {chip}");
    }
    print_strength(&comparison.strength)
}

fn print_strength(strength: &[Strength]) -> anyhow::Result<()> {
    if strength.is_empty() {
        say!(
            "strength         {UNKNOWN}: `bluebelle compare --games N` and `bluebelle match --accelerated` play for it"
        );
        return Ok(());
    }
    for one in strength {
        let file = one.file.as_ref().map_or(String::new(), |file| format!(" ({file})"));
        say!("strength         {one}{file}");
        for at in &one.matches {
            say!("                 {at}");
        }
        if one.even_odds.is_none() {
            say!("                 to know the even odds, play more games, or at odds further apart");
        }
    }
    Ok(())
}

pub(super) fn print_leaves(factors: &LeafFactors) -> anyhow::Result<()> {
    say!(
        "{} questions of searches to depth {}, nodes of each on average\n",
        factors.leaves,
        factors.search_depth
    );
    say!(
        "{:>5}{:>10}{:>10}{:>12}{:>10}{:>12}{:>10}{:>10}{:>16}",
        "depth",
        "software",
        "chip",
        "unpruned",
        "×",
        "unpruned",
        "slots",
        "agreed",
        "both as deep"
    );
    let known = |number: Option<f64>| number.map_or("not done".to_owned(), |number| format!("{number:.1}"));
    for row in &factors.depths {
        say!(
            "{:>5}{:>10.1}{:>10.1}{:>12}{:>10.1}{:>12}{:>10.0}{:>8.0} %{:>8.0}, {:.0} %",
            row.depth,
            row.software,
            row.pruned,
            known(row.unpruned),
            row.pruned_factor,
            known(row.unpruned_factor),
            row.slots,
            100.0 * row.agreed,
            100.0 * row.software_right,
            100.0 * row.right
        );
    }
    say!(
        "\ndepth: plies of the question; ×: the chip's nodes for each of the software's\n\
         agreed: questions about which both say the same; both as deep: about which software and chip say what software \
         says at 18 plies"
    );
    Ok(())
}
