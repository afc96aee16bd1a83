use std::fmt;
use std::future::Future;
use std::io::Write as _;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bluebelle_spec::leaf::{Job, Outcome};
use bluebelle_spec::{Evaluator, Weights};

use crate::meter::WorkMeter;

/// How a pool works.
#[derive(Clone)]
pub struct Settings {
    /// Threads for the golden search in this process; with 0 it runs on the runtime itself, one job after the other, so
    /// that nothing depends on threads.
    pub threads: usize,
    /// Whether that search is an accelerator like the others, and not only the last resort.
    pub model: bool,
    /// The weights that all evaluate with.
    pub evaluator: Arc<Evaluator>,
    /// How long is waited for what.
    pub timing: Timing,
    /// Where warnings go, a line each.
    pub report: Report,
    /// Where good news goes, a line each: that a board is in use.
    pub news: Report,
    /// Hears of every result of a board that is about to be used.
    pub audit: Option<Audit>,
    /// Counts the jobs and results that boards' tasks carry.
    pub work: WorkMeter,
    /// Puts a board's task where it is to run, such as on a thread whose time is charged; `None` for the runtime as it is.
    pub place: Option<Place>,
}

/// Takes a line of text.
pub type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// The life of a board.
pub type BoardTask = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Takes a board's task, and gives one that runs elsewhere.
pub type Place = Arc<dyn Fn(BoardTask) -> BoardTask + Send + Sync>;

/// Takes a job and the result that is used for it.
pub type Audit = Arc<dyn Fn(&Job, &Outcome) + Send + Sync>;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            model: true,
            evaluator: Arc::new(Evaluator::new(Weights::standard())),
            timing: Timing::default(),
            report: Arc::new(|line| drop(writeln!(std::io::stderr(), "warning: {line}"))),
            news: Arc::new(|_| {}),
            audit: None,
            work: WorkMeter::default(),
            place: None,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Settings");
        out.field("threads", &self.threads).field("model", &self.model);
        out.field("timing", &self.timing).finish_non_exhaustive()
    }
}

/// How long is waited for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// For an answer to *identify*, each time.
    pub identify: Duration,
    /// Between two questions of how a board with jobs is.
    pub ping: Duration,
    /// The same for a board without jobs.
    pub idle_ping: Duration,
    /// For the answer to that. A board that takes longer is lost.
    pub silence: Duration,
    /// The least time that jobs are given after a damaged frame, which may have been theirs.
    pub grace: Duration,
    /// Before a lost board is opened again; doubled each time, up to `back_off_most`.
    pub back_off: Duration,
    /// The longest of these.
    pub back_off_most: Duration,
    /// Between two lines of warning about one board.
    pub quiet: Duration,
    /// Tokio's clock is this many times faster than the boards'.
    pub dilation: u32,
}

impl Timing {
    /// The same for a clock that runs so many times faster.
    #[must_use]
    pub fn dilated(self, dilation: u32) -> Timing {
        Timing {
            identify: self.identify * dilation,
            ping: self.ping * dilation,
            idle_ping: self.idle_ping * dilation,
            silence: self.silence * dilation,
            grace: self.grace * dilation,
            back_off: self.back_off * dilation,
            back_off_most: self.back_off_most * dilation,
            quiet: self.quiet * dilation,
            dilation: self.dilation * dilation,
        }
    }
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            identify: Duration::from_millis(300),
            ping: Duration::from_millis(25),
            idle_ping: Duration::from_secs(1),
            silence: Duration::from_millis(500),
            grace: Duration::from_millis(50),
            back_off: Duration::from_millis(50),
            back_off_most: Duration::from_secs(2),
            quiet: Duration::from_secs(10),
            dilation: 1,
        }
    }
}
