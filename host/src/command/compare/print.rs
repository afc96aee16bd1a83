use std::io::Write as _;

use bluebelle::compare::{Comparison, LeafFactors, Row};

use crate::input::say;

pub(super) fn print_row(row: &Row) -> std::io::Result<()> {
    let mut line = format!(
        "{:<8} depth {:2}  software {:>9.4} s {:>10} nodes {:>6} {:>5}  accelerated {:>9.4} s {:>10} nodes {:>6} {:>5}  × {:.2}",
        row.id,
        row.depth,
        row.software.time,
        row.software.nodes,
        row.software.best,
        row.software.score,
        row.accelerated.time,
        row.accelerated.nodes,
        row.accelerated.best,
        row.accelerated.score,
        row.speedup,
    );
    for engine in &row.engines {
        let found = engine
            .found
            .map_or("not found".to_owned(), |time| format!("found in {time:.3} s"));
        line += &format!("  {}: {} {found}, {:.0} nodes/s", engine.name, engine.best, engine.nps);
    }
    writeln!(std::io::stdout(), "{line}")
}

pub(super) fn print_total(comparison: &Comparison) -> anyhow::Result<()> {
    let total = &comparison.total;
    let percent = |share: f64| match share.is_nan() {
        true => "-".to_owned(),
        false => format!("{:.1} %", 100.0 * share),
    };
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
    say!(
        "software         {:.3} s, {:.2} million nodes/s ({})",
        total.software_time,
        total.software_nps / 1e6,
        comparison.software_is
    );
    say!(
        "accelerated      {:.3} s, {:.2} million nodes/s ({})",
        total.accelerated_time,
        total.accelerated_nps / 1e6,
        comparison.accelerated_is
    );
    if !total.host_alone_time.is_nan() {
        say!(
            "without board    {:.3} s: the same search, all leaves on the host",
            total.host_alone_time
        );
    }
    say!(
        "busy             hardware {}, line out {}, line in {}, host {} with the tree, {} with the lines",
        percent(total.hardware_busy),
        percent(total.link_busy_out),
        percent(total.link_busy_in),
        percent(total.host_busy),
        percent(total.lines_busy)
    );
    let overhead = match comparison.asked.led {
        true => "software leads, hardware scouts".to_owned(),
        false => format!("× {:.2} of the slots of one job at a time", total.overhead),
    };
    say!(
        "overhead         {overhead}; nodes × {:.2} of the software's; {} jobs of {:.0} nodes",
        total.node_factor,
        total.jobs,
        total.nodes_per_job
    );
    say!(
        "moves            {} of {} the same; wanted ones found: software {}, accelerated {}",
        total.same_move,
        total.positions,
        total.software_solved,
        total.accelerated_solved
    );
    if !comparison.by_clock.is_empty() {
        let rows = comparison.by_clock.iter();
        let told = rows.map(|row| format!("{} s {}, {}", row.seconds, row.software_solved, row.accelerated_solved));
        let told: Vec<String> = told.collect();
        say!("by the clock     software, accelerated: {}", told.join("; "));
    }
    if comparison.sweeps.iter().any(|row| row.kind == "link") {
        say!(
            "\n{:<18}{:>5}{:>10}{:>10}{:>10}{:>10}{:>10}  limit",
            "line",
            "leaf",
            "speed-up",
            "hardware",
            "line out",
            "line in",
            "host"
        );
        for row in comparison.sweeps.iter().filter(|row| row.kind == "link") {
            say!(
                "{:<18}{:>5}{:>10.2}{:>10}{:>10}{:>10}{:>10}  {}",
                row.label,
                row.leaf_depth,
                row.speedup,
                percent(row.hardware_busy),
                percent(row.link_out),
                percent(row.link_in),
                percent(row.host_busy),
                row.limit
            );
        }
    }
    say!("\n{}", comparison.verdict);
    Ok(())
}

pub(super) fn print_leaves(factors: &LeafFactors) -> anyhow::Result<()> {
    say!("{} leaves, nodes of each on average\n", factors.leaves);
    say!(
        "{:>5}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>16}",
        "depth",
        "software",
        "chip",
        "unpruned",
        "×",
        "unpruned",
        "slots",
        "most",
        "agreed",
        "both as deep"
    );
    let known = |number: Option<f64>| number.map_or("–".to_owned(), |number| format!("{number:.1}"));
    for row in &factors.depths {
        say!(
            "{:>5}{:>10.1}{:>10.1}{:>10}{:>10.1}{:>10}{:>10.0}{:>10.1}{:>8.0} %{:>8.0}, {:.0} %",
            row.depth,
            row.software,
            row.pruned,
            known(row.unpruned),
            row.pruned_factor,
            known(row.unpruned_factor),
            row.slots,
            row.most,
            100.0 * row.agreed,
            100.0 * row.software_right,
            100.0 * row.right
        );
    }
    say!(
        "\nmost: how many times sooner than software at {} ns a node the cores would be done, never idle and without line or host\n\
         agreed: leaves about which both say the same; both as deep: about which software and chip say what software says at 18 plies",
        factors.software_node
    );
    Ok(())
}
