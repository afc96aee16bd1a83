use std::thread::sleep;
use std::time::Duration;

/// Waits between two looks at a window, which tells nobody that it has changed: ever longer while nothing happens.
pub(super) struct Pause {
    next: Duration,
}

const SHORTEST: Duration = Duration::from_micros(20);
const LONGEST: Duration = Duration::from_millis(2);

impl Pause {
    pub(super) const fn new() -> Pause {
        Pause { next: SHORTEST }
    }

    /// Something has happened.
    pub(super) fn restart(&mut self) {
        self.next = SHORTEST;
    }

    /// Waits, but no longer than `most`.
    pub(super) fn wait(&mut self, most: Duration) {
        sleep(self.next.min(most));
        self.next = (self.next * 2).min(LONGEST);
    }
}
