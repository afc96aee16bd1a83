//! A bank's row, and when it opened and closes.

/// One of the four banks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bank {
    /// The edge at which a row was last activated.
    pub(super) activated: Option<u64>,
    row: u16,
    /// The edge at which that row closes, if that is decided.
    pub(super) closes: Option<u64>,
    /// The edge of the last word written to the row.
    pub(super) last_in: Option<u64>,
}

/// What a bank has open.
pub(super) enum Row {
    /// This row.
    Open(u16),
    /// None, since the edge at which the last one closed.
    Closed(Option<u64>),
}

impl Bank {
    /// The row at this edge.
    pub(super) fn row(&self, edge: u64) -> Row {
        match (self.activated, self.closes) {
            (None, since) => Row::Closed(since),
            (Some(_), Some(closes)) if closes <= edge => Row::Closed(Some(closes)),
            (Some(_), _) => Row::Open(self.row),
        }
    }

    /// A row opens.
    pub(super) fn activate(&mut self, edge: u64, row: u16) {
        *self = Bank {
            activated: Some(edge),
            row,
            ..Bank::default()
        };
    }
}
