//! The golden search in this process: an accelerator without a board, and the last resort of all others.

use std::io;
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};

use bluebelle_spec::leaf::{Ending, Search};

use super::batch::Order;
use super::dispatch::{Shared, WORKERS};

/// Starts threads that work until the pool is closed.
pub(super) fn start(shared: &Arc<Shared>, count: usize) -> io::Result<Vec<JoinHandle<()>>> {
    let start = |index| {
        let shared = Arc::clone(shared);
        let builder = thread::Builder::new().name(format!("worker {index}"));
        builder.spawn(move || work(&shared))
    };
    (0..count).map(start).collect()
}

fn work(shared: &Shared) {
    loop {
        let (order, child) = {
            let mut state = shared.lock();
            loop {
                if state.closed {
                    return;
                }
                match state.next_for_workers() {
                    Some(next) => break next,
                    None => state = shared.bell.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        run(shared, &order, child);
    }
}

/// Works on the runtime itself, one job after the other.
pub(super) async fn inline(shared: Arc<Shared>) {
    let wake = shared.wake(WORKERS);
    loop {
        let next = shared.lock().next_for_workers();
        match next {
            Some((order, child)) => {
                run(&shared, &order, child);
                tokio::task::yield_now().await;
            }
            None if shared.lock().closed => return,
            None => wake.notified().await,
        }
    }
}

fn run(shared: &Shared, order: &Order, child: usize) {
    let job = order.batch.job(child);
    let search = Search::new(&job, &shared.settings.evaluator);
    let outcome = match order.is_cancelled(child) {
        true => None,
        false => Some(search.stop_when(order.cancelled(child)).run()),
    };
    match outcome {
        Some(outcome) if outcome.ending != Ending::Aborted => shared.answer(WORKERS, order, child, outcome),
        _ => shared.gone(1),
    }
    shared.credit(WORKERS, 1);
}
