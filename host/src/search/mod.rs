//! The search.
//!
//! `node` has the steps that every node goes through and `moves` those of its moves, `root` the same for the first one,
//! `quiescence` the end of a line; `deepening` drives them, `below` asks about single positions, [`parameters`] holds their
//! numbers. These rules exist once. A `team` says who searches what by them: `team::Alone` is a thread of software, whose
//! calls are the tree; a `crew` is many searches on one thread, each on a stack of its own, that share the moves of
//! nodes (`split`) and leave questions to boards. Threads help each other through the transposition table alone.

pub(crate) mod below;
pub(crate) mod crew;
mod deepening;
pub mod history;
pub mod ideal;
mod moves;
mod node;
pub mod parameters;
pub mod picker;
mod quiescence;
mod reductions;
mod root;
pub mod scouts;
mod searcher;
mod split;
mod tally;
pub(crate) mod team;
pub mod together;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bluebelle_spec::leaf::remember::Remembering;
use bluebelle_spec::{Color, Position, Weights};

use crate::draws::Draws;
use crate::endgame::Tables;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Budget, Control, Limits};
use crate::memory::{self, MemoryError};
use crate::report::{Line, Listener, Outcome, Silent};
use crate::score::DRAW;
use crate::table::Table;

pub(crate) use ideal::IdealWork;
use ideal::{Ideal, IdealTeam};
use searcher::Searcher;
pub(crate) use searcher::{Memory, Shared, Signals};
pub use tally::Tally;
use team::Alone;

/// How to search, whatever the position.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads.
    pub threads: usize,
    /// Best lines to tell.
    pub multipv: usize,
    /// What a move loses between here and the clock.
    pub overhead: Duration,
    /// Whether lines tell the chances of win, draw and loss.
    pub chances: bool,
    /// Endgame tables.
    pub tables: Option<Arc<Tables>>,
    /// What positions are worth that the tables call drawn.
    pub draws: Draws,
    /// Whether no reply to a root move is pruned. A search of few plies otherwise overlooks, say, that
    /// a piece which is attacked can step aside: for the best move that seldom matters, and for
    /// the scores of all moves it does.
    pub all_replies: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            multipv: 1,
            overhead: Duration::from_millis(10),
            chances: false,
            tables: None,
            draws: Draws::Plain,
            all_replies: false,
        }
    }
}

/// Tells a search how late it is.
pub trait Timekeeper: Send + Sync {
    /// How long our clock has been running.
    fn elapsed(&self) -> Duration;
    /// How long the search has been going on, pondering included.
    fn searching(&self) -> Duration {
        self.elapsed()
    }
    /// Whether the search is to end.
    fn is_stopped(&self) -> bool;
    /// Whether the opponent is still thinking.
    fn is_pondering(&self) -> bool;
}

impl Timekeeper for Control {
    fn elapsed(&self) -> Duration {
        Control::elapsed(self)
    }

    fn searching(&self) -> Duration {
        Control::searching(self)
    }

    fn is_stopped(&self) -> bool {
        Control::is_stopped(self)
    }

    fn is_pondering(&self) -> bool {
        Control::is_pondering(self)
    }
}

/// The software search with what it remembers from move to move.
pub struct Software {
    table: Arc<Table>,
    evaluator: Arc<Evaluator>,
    memories: Vec<Memory>,
    shading: Shading,
}

/// Whose draws are shaded, and whether the tables are off in the tree. Scores of one shading mean
/// nothing in another, so the transposition table forgets them when the shading changes.
type Shading = Option<(Color, bool)>;

impl Software {
    /// A search with a transposition table of `megabytes` mebibytes.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn try_new(megabytes: usize) -> Result<Software, MemoryError> {
        Ok(Software {
            table: Arc::new(Table::try_new(megabytes)?),
            evaluator: Arc::new(Evaluator::new(Weights::standard())),
            memories: Vec::new(),
            shading: None,
        })
    }

    /// The same for a size that was checked, or is small.
    ///
    /// # Panics
    /// If there is no memory for the table.
    pub fn new(megabytes: usize) -> Software {
        Software::try_new(megabytes).unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// The same with these weights.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn with_weights(megabytes: usize, weights: &Weights) -> Result<Software, MemoryError> {
        Ok(Software {
            evaluator: Arc::new(Evaluator::new(weights)),
            ..Software::try_new(megabytes)?
        })
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> Arc<Evaluator> {
        Arc::clone(&self.evaluator)
    }

    /// Plays with other weights.
    pub fn set_weights(&mut self, weights: &Weights) {
        self.evaluator = Arc::new(Evaluator::new(weights));
        self.clear();
    }

    /// Changes the size of the transposition table, which forgets it.
    ///
    /// # Errors
    /// If there is no memory for such a table; then the size stays what it was.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        let before = self.table.megabytes();
        memory::check_exchange(megabytes, before)?;
        if let Ok(table) = Table::try_new(megabytes) {
            self.table = Arc::new(table);
            return Ok(());
        }
        // Both do not fit at once: the old table goes before the new one comes.
        self.table = Arc::new(Table::try_new(1)?);
        let resized = Table::try_new(megabytes).map(|table| self.table = Arc::new(table));
        if resized.is_err()
            && let Ok(table) = Table::try_new(before)
        {
            self.table = Arc::new(table);
        }
        resized
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.clear();
    }

    /// Searches a position, whatever weights its board was made with. `control` may end it from another thread.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        listener: &dyn Listener,
    ) -> Outcome {
        let game = &game.weighed(&self.evaluator);
        self.search_led(game, limits, settings, control, listener, |first| {
            Searcher::new(first.shared, first.memory, game, 0, Alone).lead()
        })
    }

    /// The same on one thread, with an ideal board.
    pub(crate) fn search_with_ideal(
        &mut self,
        game: &Game,
        limits: &Limits,
        ideal: Ideal,
        (board, work): (Rc<Remembering>, &mut IdealWork),
    ) -> Outcome {
        let settings = Settings {
            overhead: Duration::ZERO,
            ..Settings::default()
        };
        let team = IdealTeam::new(ideal, board, work);
        self.search_led(game, limits, &settings, &Control::new(false), &Silent, |first| {
            Searcher::new(first.shared, first.memory, game, 0, team).lead()
        })
    }

    /// The same on one thread, while all threads of a chip search ahead.
    pub(crate) fn search_with_scouts(
        &mut self,
        (game, root): (&Game, Position),
        limits: &Limits,
        scouts: scouts::Scouts,
        (board, work): (Rc<Remembering>, &mut IdealWork),
    ) -> Outcome {
        let settings = Settings {
            overhead: Duration::ZERO,
            ..Settings::default()
        };
        let team = scouts::ScoutTeam::new(scouts, board, root, work);
        self.search_led(game, limits, &settings, &Control::new(false), &Silent, |first| {
            Searcher::new(first.shared, first.memory, game, 0, team).lead()
        })
    }

    /// The same, with the first thread's search by `lead`.
    pub(crate) fn search_led(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        listener: &dyn Listener,
        lead: impl FnOnce(First<'_>) -> Vec<Line>,
    ) -> Outcome {
        let threads = settings.threads.max(1);
        let tables = settings.tables.as_deref();
        let known = tables.and_then(|tables| tables.probe_root(game.board(), &self.evaluator));
        // Among moves that all draw, the search chooses by what it sees without tables.
        let shades = tables.is_some() && settings.draws == Draws::Shaded;
        let restricted = shades && known.as_ref().is_some_and(|&(_, value)| value == DRAW);
        let without = restricted.then(|| Settings {
            tables: None,
            ..settings.clone()
        });
        let all_tables = tables;
        let settings = without.as_ref().unwrap_or(settings);
        let shading = shades.then(|| (game.board().turn(), restricted));
        if std::mem::replace(&mut self.shading, shading) != shading {
            self.clear();
        }
        self.memories.resize_with(threads, Memory::default);
        self.table.begin_search();
        let signals = Arc::new(Signals::new(threads));
        let hits = known.as_ref().map_or(0, |(moves, _)| moves.len() as u64);
        signals.table_hits.store(hits, Relaxed);
        let shared = Shared {
            table: &self.table,
            evaluator: &self.evaluator,
            limits,
            budget: Budget::new(limits, settings.overhead),
            settings,
            time: control,
            listener,
            signals: &signals,
            known,
        };
        let (first, helpers) = self.memories.split_at_mut(1);
        let lines = std::thread::scope(|scope| {
            for (index, memory) in helpers.iter_mut().enumerate() {
                // What a thread remembers is its own while it searches.
                let (shared, memory) = (&shared, &mut *memory);
                scope.spawn(move || Searcher::new(shared, memory, game, index + 1, Alone).help());
            }
            let lines = lead(First {
                shared: &shared,
                table: &self.table,
                evaluator: &self.evaluator,
                signals: &signals,
                memory: &mut first[0],
            });
            signals.abort.store(true, Relaxed);
            lines
        });
        if let Some(problem) = all_tables.and_then(Tables::take_problem) {
            listener.message(&problem);
        }
        Outcome {
            nodes: signals.all_nodes(),
            time: control.searching(),
            lines,
        }
    }
}

/// What the first thread of a search has, whoever searches for it.
pub(crate) struct First<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) table: &'a Arc<Table>,
    pub(crate) evaluator: &'a Arc<Evaluator>,
    pub(crate) signals: &'a Arc<Signals>,
    pub(crate) memory: &'a mut Memory,
}

#[cfg(test)]
mod tests;
