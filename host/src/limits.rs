//! What ends a search: the limits of `go`, the clock, and the two flags that the outside may set.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bluebelle_spec::Move;

/// The limits of one search; with none of them it goes on until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes, of all threads together.
    pub nodes: Option<u64>,
    /// Exactly so long.
    pub movetime: Option<Duration>,
    /// Until a mate in so many moves is found.
    pub mate: Option<u32>,
    /// The side's clock.
    pub clock: Option<Clock>,
    /// Until stopped, whatever the search finds.
    pub infinite: bool,
    /// The opponent is thinking: time counts from `ponderhit` on.
    pub ponder: bool,
    /// Only these moves, if there are any.
    pub searchmoves: Vec<Move>,
}

impl Limits {
    /// Whether the search may go on until it is told to stop. Looking for a mate alone may, because
    /// there may be none.
    pub fn is_endless(&self) -> bool {
        let plies_or_nodes = self.depth.is_some() || self.nodes.is_some();
        self.infinite || !plies_or_nodes && self.movetime.is_none() && self.clock.is_none()
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until the clock is set anew.
    pub moves_to_go: Option<u32>,
}

/// How long to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// After this no new iteration begins, more or less: the search stretches or shortens it as the position asks.
    pub optimum: Option<Duration>,
    /// After this the search ends at once.
    pub maximum: Option<Duration>,
}

/// How the budget is cut from the clock.
mod share {
    /// How many moves we plan for without a time control in sight.
    pub(super) const MOVES_AHEAD: u32 = 24;
    /// For how many moves the overhead is kept back.
    pub(super) const RESERVED_MOVES: u32 = 12;
    /// How much of the increment may be spent at once, in hundredths.
    pub(super) const INCREMENT: u32 = 75;
    /// How many times the optimum a single move may take, in hundredths.
    pub(super) const STRETCH: u32 = 450;
    /// The most of what is left that a single move may take, in hundredths.
    pub(super) const MOST: u32 = 40;
}

impl Budget {
    /// The budget under these limits; `overhead` is what a move loses between here and the clock.
    pub fn new(limits: &Limits, overhead: Duration) -> Budget {
        let none = Budget {
            optimum: None,
            maximum: None,
        };
        if limits.infinite {
            return none;
        }
        if let Some(movetime) = limits.movetime {
            return Budget {
                optimum: None,
                maximum: Some(movetime.saturating_sub(overhead).max(LEAST)),
            };
        }
        let Some(clock) = limits.clock else {
            return none;
        };
        // Overheads of moves to come are kept back, but not more than half of what there is.
        let reserve = (overhead * share::RESERVED_MOVES).min(clock.remaining / 2);
        let left = clock.remaining.saturating_sub(reserve.max(overhead)).max(LEAST);
        let moves = clock
            .moves_to_go
            .map_or(share::MOVES_AHEAD, |moves| moves.clamp(1, share::MOVES_AHEAD));
        let most = match moves {
            1 => left * 90 / 100,
            _ => left * share::MOST / 100,
        };
        // The increment comes only after the move: it is not counted on when little else is left.
        let increment = (clock.increment * share::INCREMENT / 100).min(left / 4);
        let optimum = (left / moves + increment).min(most);
        let maximum = (optimum * share::STRETCH / 100).min(most);
        Budget {
            optimum: Some(optimum.max(LEAST)),
            maximum: Some(maximum.max(LEAST)),
        }
    }
}

/// Even with no time at all there is a move to find.
const LEAST: Duration = Duration::from_millis(1);

/// What the outside tells a search while it runs.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the search began.
    began: Instant,
    /// When the clock began to run: at the start, or at `ponderhit`.
    started: Mutex<Instant>,
    changed: Condvar,
}

impl Control {
    /// For a search that begins now.
    pub fn new(ponder: bool) -> Control {
        let began = Instant::now();
        Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            began,
            started: Mutex::new(began),
            changed: Condvar::new(),
        }
    }

    /// Ends the search.
    pub fn stop(&self) {
        let _held = self.lock();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// The opponent has played the expected move: our clock runs from now on.
    pub fn ponderhit(&self) {
        *self.lock() = Instant::now();
        self.pondering.store(false, Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the opponent is still thinking.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// How long our clock has been running.
    pub fn elapsed(&self) -> Duration {
        self.lock().elapsed()
    }

    /// How long the search has been going on, pondering included.
    pub fn searching(&self) -> Duration {
        self.began.elapsed()
    }

    /// Waits until a result may be told: not while pondering, and not before `stop` if the search is without end.
    pub fn wait_for_leave(&self, infinite: bool) {
        let mut held = self.lock();
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            held = self.changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Instant> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let limits = Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            ..Limits::default()
        };
        let budget = Budget::new(&limits, Duration::from_millis(10));
        (budget.optimum.expect("an optimum"), budget.maximum.expect("a maximum"))
    }

    #[test]
    fn no_move_takes_more_than_there_is() {
        for remaining in [0, 1, 5, 11, 50, 100, 1000, 60_000] {
            for increment in [0, 10, 100, 5000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let (optimum, maximum) = budget(remaining, increment, moves_to_go);
                    assert!(optimum <= maximum);
                    let left = Duration::from_millis(remaining.saturating_sub(10).max(1));
                    assert!(maximum <= left, "{maximum:?} of {left:?}");
                }
            }
        }
    }

    #[test]
    fn a_control_in_sight_is_shared_among_its_moves() {
        let (near, _) = budget(10_000, 0, Some(2));
        let (far, _) = budget(10_000, 0, Some(20));
        assert!(near > far * 4);
        let (last, _) = budget(10_000, 0, Some(1));
        assert!(last > Duration::from_millis(8_000));
    }

    #[test]
    fn movetime_is_kept_and_infinite_has_no_end() {
        let mut limits = Limits {
            movetime: Some(Duration::from_millis(500)),
            ..Limits::default()
        };
        let overhead = Duration::from_millis(10);
        assert_eq!(Budget::new(&limits, overhead).maximum, Some(Duration::from_millis(490)));
        limits.infinite = true;
        assert_eq!(Budget::new(&limits, overhead).maximum, None);
    }

    #[test]
    fn the_clock_runs_from_ponderhit() {
        let control = Control::new(true);
        std::thread::sleep(Duration::from_millis(20));
        assert!(control.is_pondering());
        control.ponderhit();
        assert!(!control.is_pondering());
        assert!(control.searching() >= control.elapsed() + Duration::from_millis(20));
        control.wait_for_leave(false);
        control.stop();
        control.wait_for_leave(true);
        assert!(control.is_stopped());
    }
}
