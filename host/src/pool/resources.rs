use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::Pool;
use super::dispatch::Shared;

/// What there is to ask: all boards that are there, as one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resources {
    /// Cores of all boards; without boards, the threads of the golden search.
    pub cores: usize,
    /// Jobs that a core works on at once.
    pub threads: usize,
    /// Slots a second of the slowest core.
    pub slots_per_second: f64,
    /// Whether every core searches a job by all its threads if asked to.
    pub gangs: bool,
    /// The deepest job that all take.
    pub max_depth: u8,
    /// From a question to its answer on the slowest line, if the board takes no time for it.
    pub round_trip: Duration,
    /// Bytes a second of the slowest line, if a line limits anything.
    pub bytes_per_second: Option<f64>,
}

/// What a job takes to find its way to a worker and back: threads have to be woken.
const WORKER_ROUND_TRIP: Duration = Duration::from_micros(25);

/// Slots a second of the golden search on one thread of a server.
const WORKER_SLOTS_PER_SECOND: f64 = 25e6;

impl Resources {
    /// No boards: as many questions at once as a crew puts whose host answers them itself.
    pub fn of_crew(questions: usize) -> Resources {
        Resources {
            cores: questions,
            max_depth: bluebelle_spec::leaf::MAX_DEPTH,
            ..Resources::default()
        }
    }
}

impl Pool {
    /// What there is to ask now.
    pub fn resources(&self) -> Resources {
        Resources::of(&self.shared)
    }
}

impl Resources {
    pub(super) fn of(shared: &Shared) -> Resources {
        let boards = shared.resources();
        match boards.cores {
            0 => Resources {
                cores: shared.threads.load(Relaxed),
                threads: 1,
                slots_per_second: WORKER_SLOTS_PER_SECOND,
                gangs: false,
                max_depth: shared.max_depth(),
                round_trip: WORKER_ROUND_TRIP,
                bytes_per_second: None,
            },
            _ => boards,
        }
    }
}
