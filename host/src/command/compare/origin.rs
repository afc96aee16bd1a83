//! Where a report is from.

use std::time::{SystemTime, UNIX_EPOCH};

use bluebelle::compare::Origin;

use crate::command::play_match::cores;

/// This command, on this machine, now.
pub(crate) fn now() -> Origin {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Origin {
        command: command_line(),
        date: date(since.as_secs()),
        machine: machine(),
    }
}

/// Seconds since 1970 as `2026-11-19 06:00 UTC`.
fn date(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    // Years begin in March here, so that a leap day is the last of its year; 1970 began 719,468 days
    // after March of the year 0.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 {
        (era * 400 + year, month + 3)
    } else {
        (era * 400 + year + 1, month - 9)
    };
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

/// The system, the processor and its cores, as far as the system tells.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map(|model| model.trim_start_matches([' ', '\t', ':']).trim());
    let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    let cores = cores();
    let cores = format!("{cores} core{}", if cores == 1 { "" } else { "s" });
    match model.filter(|model| !model.is_empty()) {
        Some(model) => format!("{model}, {cores}, {system}"),
        None => format!("{architecture}, {cores}, {system}"),
    }
}

/// The command that this process is, as a shell takes it.
pub(crate) fn command_line() -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./,:=@+".contains(character);
    let quoted = |text: String| {
        if !text.is_empty() && text.chars().all(is_plain) {
            text
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    let arguments = std::env::args_os().skip(1);
    let words = arguments.map(|argument| quoted(argument.to_string_lossy().into_owned()));
    ["bluebelle".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_795_046_400, "2026-11-19 00:00 UTC"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }
}
