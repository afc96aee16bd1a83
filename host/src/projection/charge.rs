use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

use super::DILATION;
use super::cost::{CpuTime, HostCost, Turn};
use crate::link::HostClock;
use crate::meter::WorkMeter;

/// A search, or the task of a board, whose thread is charged for its work: after each turn it does nothing for as long as that turn takes
/// by its cost, and what it has sent leaves only then. What happens meanwhile is its next turn. Tasks of one thread have the same
/// clock, and wait for each other.
pub(super) struct Charged<F: Future> {
    search: Pin<Box<F>>,
    cost: HostCost,
    work: WorkMeter,
    host: HostClock,
    /// Its place among those that wait for the thread.
    ticket: Option<u64>,
    bill: SharedBill,
    bell: Arc<Bell>,
    resting: Option<Pin<Box<Sleep>>>,
    found: Option<F::Output>,
}

/// What a thread was charged so far, and for what.
#[derive(Clone, Default)]
pub(super) struct SharedBill(Arc<Mutex<Bill>>);

impl SharedBill {
    fn charge(&self, turn: Turn, spent: Duration) {
        let mut bill = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bill.turns.push(turn);
        bill.charged += spent;
    }

    /// What it comes to.
    pub(super) fn take(&self) -> Bill {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// See [`SharedBill`].
#[derive(Default)]
pub(super) struct Bill {
    pub(super) charged: Duration,
    pub(super) turns: Vec<Turn>,
}

/// Remembers that it rang while nobody could listen.
#[derive(Default)]
struct Bell {
    rang: AtomicBool,
    listener: Mutex<Option<Waker>>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.rang.store(true, Ordering::Relaxed);
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listener) = listener {
            listener.wake();
        }
    }
}

impl<F: Future> Charged<F> {
    pub(super) fn new(search: F, cost: HostCost, work: &WorkMeter, host: HostClock, bill: SharedBill) -> Charged<F> {
        let bell = Bell {
            rang: AtomicBool::new(true), // the first turn
            ..Bell::default()
        };
        Charged {
            search: Box::pin(search),
            cost,
            work: work.clone(),
            host,
            ticket: None,
            bill,
            bell: Arc::new(bell),
            resting: None,
            found: None,
        }
    }
}

/// The shortest time that tokio's timers know.
const TICK: Duration = Duration::from_millis(1);

impl<F: Future> Drop for Charged<F> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.host.return_ticket(ticket);
        }
    }
}

impl<F: Future> Future for Charged<F>
where
    F::Output: Unpin,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        *this.bell.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.waker().clone());
        loop {
            if let Some(resting) = &mut this.resting {
                ready!(resting.as_mut().poll(context));
                this.resting = None;
            }
            if let Some(found) = this.found.take() {
                return Poll::Ready(found);
            }
            if !this.bell.rang.load(Ordering::Relaxed) {
                return Poll::Pending;
            }
            let now = Instant::now();
            let ticket = *this.ticket.get_or_insert_with(|| this.host.draw_ticket());
            let free = this.host.free_at(now);
            if free > now {
                this.resting = Some(Box::pin(sleep_until(free)));
                continue;
            }
            if !this.host.is_first(ticket) {
                // Whoever is first has its turn at this very moment.
                this.resting = Some(Box::pin(sleep_until(now + TICK)));
                continue;
            }
            this.host.return_ticket(ticket);
            this.ticket = None;
            this.bell.rang.store(false, Ordering::Relaxed);
            let waker = Waker::from(Arc::clone(&this.bell));
            // Others on the same thread count with the same meter.
            let before = this.work.read();
            let began = CpuTime::now();
            let polled = this.search.as_mut().poll(&mut Context::from_waker(&waker));
            let measured = began.elapsed_but_for_clock();
            let work = this.work.read().since(&before);
            let spent = this.cost.of(&work, measured);
            this.bill.charge(Turn { work, measured }, spent);
            if let Poll::Ready(found) = polled {
                this.found = Some(found);
            }
            if spent.is_zero() {
                continue;
            }
            let free = Instant::now() + spent * DILATION;
            this.host.busy_until(free);
            this.resting = Some(Box::pin(sleep_until(free)));
        }
    }
}
