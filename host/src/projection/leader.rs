use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;

use super::cost::{CpuTime, HostCost};
use super::{DILATION, Diary, VirtualTime, lock};
use crate::accelerated::{Lead, Leading, Timekeeper};
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::report::{Line, Listener, Outcome};
use crate::search::{Settings, Software};
use crate::table::Table;

/// The software search in virtual time. It has a thread of its own, but runs only while it is waited for, some nodes at a time; then it
/// rests for as long as those nodes take. So what it meets in the table depends on no machine.
pub(super) struct Leader {
    go: Sender<()>,
    reached: Receiver<Reached>,
    control: Arc<Control>,
    now: Arc<AtomicU64>,
    time_limit: Option<Duration>,
}

enum Reached {
    /// So many nodes since the last rest, and the processor time that they took.
    Rest { nodes: u64, measured: Duration },
    /// It is done.
    End(Outcome),
}

impl Leader {
    /// Prepares a search. The diary has its iterations, by its own clock.
    pub(super) fn new(game: &Game, limits: &Limits, table: Arc<Table>, lead: &Arc<Lead>, diary: &Arc<Diary>) -> Leader {
        let (go, going) = channel();
        let (tell, reached) = channel();
        let (control, now) = (Arc::new(Control::new(false)), Arc::new(AtomicU64::new(0)));
        let leader = Leader {
            go,
            reached,
            control: Arc::clone(&control),
            now: Arc::clone(&now),
            time_limit: limits.movetime,
        };
        // Its time is not this machine's: whoever waits for it ends it.
        let limits = Limits {
            movetime: None,
            infinite: limits.movetime.is_some(),
            ..limits.clone()
        };
        let (game, lead, diary) = (game.clone(), Arc::clone(lead), Arc::clone(diary));
        std::thread::spawn(move || {
            let going = Mutex::new(going);
            if lock(&going).recv().is_err() {
                return;
            }
            let rest = {
                let (tell, control) = (tell.clone(), Arc::clone(&control));
                let since = Mutex::new((0, CpuTime::now()));
                move |nodes: u64| {
                    let mut since = lock(&since);
                    let rest = Reached::Rest {
                        nodes: nodes - since.0,
                        measured: since.1.elapsed_but_for_clock(),
                    };
                    if tell.send(rest).is_err() || lock(&going).recv().is_err() {
                        control.stop();
                    }
                    *since = (nodes, CpuTime::now());
                }
            };
            let clocked = Clocked { now, diary: &diary };
            let leading = Leading {
                lead: &lead,
                listener: &clocked,
            };
            let settings = Settings {
                overhead: Duration::ZERO,
                ..Settings::default()
            };
            let outcome = Software::sharing(table)
                .paced(Box::new(rest))
                .search(&game, &limits, &settings, &control, &leading);
            let _ = tell.send(Reached::End(outcome));
        });
        leader
    }

    /// The search, which takes what its nodes cost; `None` if its thread is gone.
    pub(super) async fn search(self, time: &VirtualTime, cost: HostCost) -> Option<Outcome> {
        loop {
            self.now.store(time.elapsed().as_nanos() as u64, Relaxed);
            self.go.send(()).ok()?;
            match self.reached.recv().ok()? {
                Reached::Rest { nodes, measured } => sleep(cost.of_software(nodes, measured) * DILATION).await,
                Reached::End(mut outcome) => {
                    for line in &mut outcome.lines {
                        line.time = time.elapsed();
                    }
                    return Some(outcome);
                }
            }
            if self.time_limit.is_some_and(|limit| time.elapsed() >= limit) {
                self.control.stop();
            }
        }
    }
}

/// Writes lines down by the leader's own clock.
struct Clocked<'a> {
    now: Arc<AtomicU64>,
    diary: &'a Diary,
}

impl Listener for Clocked<'_> {
    fn line(&self, line: &Line) {
        let time = Duration::from_nanos(self.now.load(Relaxed));
        self.diary.line(&Line { time, ..line.clone() });
    }
}
