use std::time::Duration;

use tokio::time::Instant;

use super::settings::Report;

/// Says what happens to one board, but not too often.
pub(super) struct Reporter {
    name: String,
    report: Report,
    quiet: Duration,
    last: Option<Instant>,
    /// Warnings that were not printed since the last one.
    withheld: u32,
    /// The hint that was printed last.
    hint: Option<String>,
}

impl Reporter {
    pub(super) fn new(name: &str, report: Report, quiet: Duration) -> Reporter {
        Reporter {
            name: name.to_owned(),
            report,
            quiet,
            last: None,
            withheld: 0,
            hint: None,
        }
    }

    /// One line, unless there was one a moment ago: then it is counted, and the next line says so.
    pub(super) fn warn(&mut self, what: &str) {
        let now = Instant::now();
        if self.last.is_some_and(|last| now - last < self.quiet) {
            self.withheld += 1;
            return;
        }
        let more = match std::mem::take(&mut self.withheld) {
            0 => String::new(),
            count => format!(" ({count} more warnings since the last)"),
        };
        self.last = Some(now);
        (self.report)(&format!("{}: {what}{more}", self.name));
    }

    /// A line about the board's line, once for as long as the hint stays the same. Warnings that follow are not withheld for it.
    pub(super) fn hint(&mut self, what: &str) {
        if self.hint.as_deref() != Some(what) {
            self.hint = Some(what.to_owned());
            (self.report)(&format!("{}: {what}", self.name));
        }
    }
}
