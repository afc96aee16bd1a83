use std::time::Duration;

use tokio::time::Instant;

use super::settings::{Report, Settings};

/// Says what happens to one board, but not too often.
pub(super) struct Reporter {
    name: String,
    report: Report,
    news: Report,
    quiet: Duration,
    last: Option<Instant>,
    /// Warnings that were not printed since the last one.
    withheld: u32,
    /// The hint that was printed last.
    hint: Option<String>,
    /// Whether the board is in use, as it was told last.
    state: State,
}

enum State {
    Unsaid,
    InUse,
    /// Why not.
    Lost(String),
}

impl Reporter {
    pub(super) fn new(name: &str, settings: &Settings) -> Reporter {
        Reporter {
            name: name.to_owned(),
            report: Report::clone(&settings.report),
            news: Report::clone(&settings.news),
            quiet: settings.timing.quiet,
            last: None,
            withheld: 0,
            hint: None,
            state: State::Unsaid,
        }
    }

    /// The board is in use, or in use again. A return is told only after a loss that was told.
    pub(super) fn in_use(&mut self, what: &str) {
        if !matches!(self.state, State::InUse) {
            self.state = State::InUse;
            (self.news)(&format!("{}: in use: {what}", self.name));
        }
    }

    /// The board cannot be used. The same reason is told once for as long as it lasts.
    pub(super) fn lost(&mut self, why: &str) {
        let known = matches!(&self.state, State::Lost(before) if before == why);
        if !known && self.warn(&format!("{why}; going on without it, and trying again")) {
            self.state = State::Lost(why.to_owned());
        }
    }

    /// One line, unless there was one a moment ago: then it is counted, and the next line says so.
    /// The answer is whether the line was told.
    pub(super) fn warn(&mut self, what: &str) -> bool {
        let now = Instant::now();
        if self.last.is_some_and(|last| now - last < self.quiet) {
            self.withheld += 1;
            return false;
        }
        let more = match std::mem::take(&mut self.withheld) {
            0 => String::new(),
            count => format!(" ({count} more warnings since the last)"),
        };
        self.last = Some(now);
        (self.report)(&format!("{}: {what}{more}", self.name));
        true
    }

    /// A line about the board's line, once for as long as the hint stays the same. Warnings that follow are not withheld for it.
    pub(super) fn hint(&mut self, what: &str) {
        if self.hint.as_deref() != Some(what) {
            self.hint = Some(what.to_owned());
            (self.report)(&format!("{}: {what}", self.name));
        }
    }
}
