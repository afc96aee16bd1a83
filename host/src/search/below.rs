//! The software search of a single position, a leaf below a tree that somebody else searches.

use super::Settings;
use super::node::Expected;
use super::searcher::{Memory, Searcher, Shared, Signals};
use super::team::Alone;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Budget, Control, Limits};
use crate::report::Silent;
use crate::table::Table;

/// A null-window question about a position.
#[derive(Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) game: &'q Game,
    /// Is it worth so much?
    pub(crate) beta: i32,
    /// Plies before quiescence.
    pub(crate) depth: i32,
}

impl Question<'_> {
    /// A bound that answers it, and the nodes that it took: with an empty table and no history, because what
    /// others have searched before is no merit of this search.
    pub(crate) fn ask(&self, evaluator: &Evaluator) -> (i32, u64) {
        let (table, settings, limits) = (Table::new(1), Settings::default(), Limits::default());
        let shared = Shared {
            table: &table,
            evaluator,
            limits: &limits,
            budget: Budget::new(&limits, settings.overhead),
            settings: &settings,
            time: &Control::new(false),
            listener: &Silent,
            signals: &Signals::new(1),
            known: None,
        };
        let memory = Memory::default();
        let mut searcher = Searcher::new(&shared, &memory, self.game, 0, Alone);
        searcher.iteration = usize::try_from(self.depth).unwrap_or(1);
        let board = self.game.board();
        let score = searcher.search::<false>(board, self.beta - 1, self.beta, self.depth, 0, Expected::Cut);
        (score, searcher.nodes)
    }
}
