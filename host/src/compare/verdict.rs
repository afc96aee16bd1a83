use super::outcome::{Comparison, Total};

/// What is the limit, by who is busiest.
pub fn limit(hardware: f64, link: f64, host: f64) -> &'static str {
    /// Busy so much of the time, it is what the others wait for.
    const LIMITING: f64 = 0.5;
    let busiest = hardware.max(link).max(host);
    match busiest {
        // A board that is not simulated does not tell.
        _ if busiest.is_nan() => "unknown",
        _ if busiest < LIMITING => "waiting",
        _ if busiest == hardware => "chip",
        _ if busiest == link => "link",
        _ => "host",
    }
}

/// A comparison in words.
pub fn verdict(comparison: &Comparison) -> String {
    let Total {
        speedup,
        hardware_busy,
        link_busy,
        host_busy,
        lines_busy,
        host_alone_time,
        board_gain,
        jobs,
        ..
    } = comparison.total;
    let what = comparison.accelerated_is;
    if comparison.positions.is_empty() {
        return "nothing was compared: there are no positions".to_owned();
    }
    let depth = match (
        comparison.positions.iter().map(|row| row.depth).min().unwrap_or(0),
        comparison.positions.iter().map(|row| row.depth).max().unwrap_or(0),
    ) {
        (least, most) if least == most => format!("depth {most}"),
        (least, most) => format!("depths {least} to {most}"),
    };
    if jobs == 0 && what != "measured" {
        return format!(
            "{what}: the board had no jobs up to {depth}, so this says nothing about it; search deeper, or with shallower leaves"
        );
    }
    let compared = match speedup {
        // A tenth either way is nothing to speak of.
        speedup if speedup > 1.1 => format!("{what} {speedup:.1} times faster to {depth}"),
        speedup if speedup >= 0.9 => format!("{what} as fast as software to {depth}"),
        speedup if speedup > 0.0 => format!("{what} {:.1} times slower than software to {depth}", 1.0 / speedup),
        _ => format!("{what}: no depth was reached by both"),
    };
    let compared = match comparison.by_clock.last() {
        Some(last) => format!(
            "{compared}; after {} s a position it plays {} of {} wanted moves, the software {}",
            last.seconds, last.accelerated_solved, last.positions, last.software_solved
        ),
        None => compared,
    };
    let limit = match limit(hardware_busy, link_busy, host_busy.max(lines_busy)) {
        "chip" => format!("the chip is the limit, busy {:.0} % of the time", 100.0 * hardware_busy),
        "link" => format!("the link is the limit, busy {:.0} % of the time", 100.0 * link_busy),
        "host" if lines_busy > host_busy => format!(
            "the host is the limit, its thread that writes jobs and reads results busy {:.0} % of the time",
            100.0 * lines_busy
        ),
        "host" => format!("the host is the limit, busy {:.0} % of the time", 100.0 * host_busy),
        "unknown" => return compared,
        _ => format!(
            "nobody is the limit but waiting for each other: the hardware is busy {:.0} % of the time, the link {:.0} %, the host {:.0} %",
            100.0 * hardware_busy,
            100.0 * link_busy,
            100.0 * host_busy
        ),
    };
    let share = match board_gain {
        _ if host_alone_time.is_nan() => return format!("{compared}; {limit}"),
        gain if gain > 1.1 => format!("the board makes it {gain:.1} times faster than the same tree without one"),
        gain if gain >= 0.9 => "the same tree without a board is as fast".to_owned(),
        gain => format!("the same tree without a board is {:.1} times faster", 1.0 / gain),
    };
    format!("{compared}; {limit}; {share}")
}
