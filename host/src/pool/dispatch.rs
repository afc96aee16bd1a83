use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bluebelle_spec::leaf::{MAX_DEPTH, Outcome};
use bluebelle_spec::wire::{Features, Identity, Status};
use tokio::sync::Notify;

use super::batch::{Answer, Batch, Order};
use super::{BoardState, Resources, Settings};

/// The seat of the golden search in this process.
pub(super) const WORKERS: usize = 0;

/// Jobs that the workers are given beyond those they work on, for each thread.
const WORKER_QUEUE: usize = 4;

/// A job that came back so often is done by the workers.
const MOST_FAILURES: u32 = 2;

/// What the pool, the boards' tasks and the workers have in common.
pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) outstanding: AtomicUsize,
    /// The jobs that can be worked on at once. A search asks before every move.
    pub(super) threads: AtomicUsize,
    pub(super) nodes: AtomicU64,
    pub(super) board_jobs: AtomicU64,
    pub(super) board_nodes: AtomicU64,
    pub(super) worker_jobs: AtomicU64,
    /// The number of the search in which the boards' load is measured.
    pub(super) measured: AtomicU64,
    /// Slots that boards were busy, and slots that there were, as far as they were measured.
    pub(super) slots_busy: AtomicU64,
    pub(super) slots_total: AtomicU64,
    /// Bytes to and from all boards.
    pub(super) bytes_sent: AtomicU64,
    pub(super) bytes_received: AtomicU64,
    /// How often an answer was dropped: only then do boards look for jobs that nobody waits for.
    pub(super) cancellations: AtomicU64,
    /// How often the boards' counters were asked for.
    pub(super) looks: AtomicU64,
    /// Wakes workers that have threads of their own.
    pub(super) bell: Condvar,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) closed: bool,
    waiting: VecDeque<Piece>,
    seats: Vec<Seat>,
}

/// Some children of a batch that go the same way.
pub(super) struct Piece {
    pub(super) order: Arc<Order>,
    pub(super) children: Vec<usize>,
    /// How often they were given out in vain.
    pub(super) failures: u32,
    /// Who failed last.
    pub(super) failed_by: Option<usize>,
}

/// What is known of the line to a board.
#[derive(Clone, Copy, Default)]
pub(super) struct LineFacts {
    /// From a question to its answer, in the board's time.
    pub(super) round_trip: Duration,
    pub(super) bytes_per_second: Option<f64>,
}

/// Whoever takes jobs: the workers, or a board.
struct Seat {
    name: String,
    identity: Option<Identity>,
    line: LineFacts,
    /// The board's counters, and the number of the look that asked for them.
    counters: Option<(u64, Status)>,
    ready: bool,
    tried: bool,
    /// Takes part only if no other is ready.
    last_resort: bool,
    /// How many more jobs it may be given. The workers may be given more than that.
    free: isize,
    /// The most jobs in a piece.
    most: usize,
    inbox: VecDeque<Piece>,
    wake: Arc<Notify>,
}

impl Shared {
    pub(super) fn new(boards: Vec<String>, settings: Settings) -> Shared {
        let mut workers = Seat::new("workers".to_owned());
        workers.ready = true;
        workers.tried = true;
        workers.last_resort = !settings.model && !boards.is_empty();
        workers.free = (settings.threads.max(1) * WORKER_QUEUE) as isize;
        workers.most = usize::MAX;
        let seats = [workers].into_iter().chain(boards.into_iter().map(Seat::new));
        let shared = Shared {
            outstanding: AtomicUsize::new(0),
            threads: AtomicUsize::new(0),
            nodes: AtomicU64::new(0),
            board_jobs: AtomicU64::new(0),
            board_nodes: AtomicU64::new(0),
            worker_jobs: AtomicU64::new(0),
            measured: AtomicU64::new(0),
            slots_busy: AtomicU64::new(0),
            slots_total: AtomicU64::new(0),
            bytes_sent: AtomicU64::new(0),
            bytes_received: AtomicU64::new(0),
            cancellations: AtomicU64::new(0),
            looks: AtomicU64::new(0),
            bell: Condvar::new(),
            state: Mutex::new(State {
                closed: false,
                waiting: VecDeque::new(),
                seats: seats.collect(),
            }),
            settings,
        };
        shared.count_threads(&shared.lock());
        shared
    }

    /// Nobody panics while they hold it; if somebody did, the counts may be off by one job.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn submit(self: &Arc<Shared>, batch: Batch) -> Vec<Answer> {
        let count = batch.children.len();
        let (order, answers) = Order::new(batch, self);
        if count > 0 {
            self.outstanding.fetch_add(count, Ordering::Relaxed);
            let mut state = self.lock();
            state.waiting.push_back(Piece {
                order,
                children: (0..count).collect(),
                failures: 0,
                failed_by: None,
            });
            self.distribute(&mut state);
        }
        answers
    }

    /// A result that is used.
    pub(super) fn answer(&self, seat: usize, order: &Order, index: usize, outcome: Outcome) {
        self.nodes.fetch_add(outcome.nodes.into(), Ordering::Relaxed);
        if seat == WORKERS {
            self.worker_jobs.fetch_add(1, Ordering::Relaxed);
        } else {
            self.board_jobs.fetch_add(1, Ordering::Relaxed);
            self.board_nodes.fetch_add(outcome.nodes.into(), Ordering::Relaxed);
        }
        self.gone(1);
        order.answer(index, outcome);
    }

    /// So many jobs are neither waiting nor being worked on any more.
    pub(super) fn gone(&self, count: usize) {
        self.outstanding.fetch_sub(count, Ordering::Relaxed);
    }

    /// Somebody dropped their answer.
    pub(super) fn forget_cancelled(&self) {
        self.cancellations.fetch_add(1, Ordering::Release);
        let mut state = self.lock();
        state.waiting.retain_mut(|piece| {
            self.gone(piece.forget_cancelled());
            !piece.children.is_empty()
        });
        for seat in &state.seats[WORKERS + 1..] {
            seat.wake.notify_one();
        }
    }

    /// A board is there and has room for `room` jobs, at most `most` of them in a batch.
    pub(super) fn ready(&self, seat: usize, identity: Identity, line: LineFacts, room: usize, most: usize) {
        let mut state = self.lock();
        let place = &mut state.seats[seat];
        (place.ready, place.tried, place.free, place.most) = (true, true, room as isize, most.max(1));
        place.identity = Some(identity);
        place.line = line;
        self.count_threads(&state);
        self.distribute(&mut state);
    }

    /// A board is not there, or not any more; these jobs of it are to be done by others.
    pub(super) fn lost(&self, seat: usize, jobs: Vec<Piece>) {
        let mut state = self.lock();
        let place = &mut state.seats[seat];
        (place.ready, place.tried, place.free) = (false, true, 0);
        place.identity = None;
        place.counters = None;
        // These were never sent: nobody failed.
        let unsent = std::mem::take(&mut place.inbox);
        state.waiting.extend(unsent);
        for piece in jobs.into_iter().rev() {
            state.waiting.push_front(piece);
        }
        self.count_threads(&state);
        self.distribute(&mut state);
    }

    /// Jobs that a board could not do, but others may.
    pub(super) fn again(&self, pieces: Vec<Piece>) {
        let mut state = self.lock();
        for piece in pieces.into_iter().rev() {
            state.waiting.push_front(piece);
        }
        self.distribute(&mut state);
    }

    /// A seat can take so many more jobs.
    pub(super) fn credit(&self, seat: usize, count: usize) {
        if count > 0 {
            let mut state = self.lock();
            state.seats[seat].free += count as isize;
            self.distribute(&mut state);
        }
    }

    /// What a seat was given since it last looked.
    pub(super) fn inbox(&self, seat: usize) -> VecDeque<Piece> {
        std::mem::take(&mut self.lock().seats[seat].inbox)
    }

    pub(super) fn wake(&self, seat: usize) -> Arc<Notify> {
        Arc::clone(&self.lock().seats[seat].wake)
    }

    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.clear();
        for seat in &mut state.seats {
            seat.inbox.clear();
            seat.wake.notify_one();
        }
        self.bell.notify_all();
    }

    pub(super) fn all_tried(&self) -> bool {
        self.lock().seats.iter().all(|seat| seat.tried)
    }

    /// Boards have come or gone.
    fn count_threads(&self, state: &State) {
        let boards: usize = state
            .at_work()
            .filter_map(|seat| seat.identity.as_ref())
            .map(threads)
            .sum();
        let threads = match state.seats[WORKERS].last_resort && boards > 0 {
            true => boards,
            false => boards + self.settings.threads.max(1),
        };
        self.threads.store(threads, Ordering::Relaxed);
    }

    pub(super) fn max_depth(&self) -> u8 {
        let state = self.lock();
        let depths = state
            .at_work()
            .filter_map(|seat| seat.identity.as_ref())
            .map(|identity| identity.max_depth);
        depths.min().unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    pub(super) fn has_boards(&self) -> bool {
        self.lock().at_work().any(|seat| seat.identity.is_some())
    }

    /// What the boards that are there can do; no cores if there are none.
    pub(super) fn resources(&self) -> Resources {
        let state = self.lock();
        let mut all = Resources {
            gangs: true,
            max_depth: MAX_DEPTH,
            threads: usize::MAX,
            slots_per_second: f64::INFINITY,
            ..Resources::default()
        };
        for seat in state.at_work() {
            let Some(board) = &seat.identity else { continue };
            all.cores += usize::from(board.cores);
            all.threads = all.threads.min(board.threads.into());
            all.slots_per_second = all.slots_per_second.min(f64::from(board.clock_khz) * 1000.0);
            all.gangs &= board.features.has(Features::GANG);
            all.max_depth = all.max_depth.min(board.max_depth);
            all.round_trip = all.round_trip.max(seat.line.round_trip);
            let rates = [all.bytes_per_second, seat.line.bytes_per_second].into_iter().flatten();
            all.bytes_per_second = rates.reduce(f64::min);
        }
        all
    }

    pub(super) fn boards(&self) -> Vec<BoardState> {
        let state = self.lock();
        let seats = state.seats[WORKERS + 1..].iter();
        seats
            .map(|seat| BoardState {
                name: seat.name.clone(),
                identity: seat.identity.clone(),
            })
            .collect()
    }

    /// Asks all boards for their counters; the number of this look.
    pub(super) fn look(&self) -> u64 {
        let look = 1 + self.looks.fetch_add(1, Ordering::AcqRel);
        for seat in &self.lock().seats[WORKERS + 1..] {
            seat.wake.notify_one();
        }
        look
    }

    /// The counters that a board has told.
    pub(super) fn told_counters(&self, seat: usize, look: u64, status: &Status) {
        self.lock().seats[seat].counters = Some((look, status.clone()));
    }

    /// The counters of each board, if the board has told them since this look.
    pub(super) fn counters(&self, since: u64) -> Vec<Option<Status>> {
        let state = self.lock();
        let seats = state.seats[WORKERS + 1..].iter();
        let told = seats.map(|seat| seat.counters.as_ref().filter(|(look, _)| *look >= since));
        told.map(|told| told.map(|(_, status)| status.clone())).collect()
    }

    /// Gives out what waits, to whoever has the most room.
    fn distribute(&self, state: &mut State) {
        while let Some(piece) = state.waiting.front_mut() {
            self.gone(piece.forget_cancelled());
            if piece.children.is_empty() {
                state.waiting.pop_front();
                continue;
            }
            let piece = &state.waiting[0];
            let Some(index) = state.choose(piece) else { return };
            let Some(mut piece) = state.waiting.pop_front() else {
                return;
            };
            let seat = &mut state.seats[index];
            // The workers must take what has failed elsewhere, room or not.
            let count = piece.children.len().min(seat.free.max(1) as usize).min(seat.most);
            let rest = piece.children.split_off(count);
            if !rest.is_empty() {
                let (order, failures, failed_by) = (Arc::clone(&piece.order), piece.failures, piece.failed_by);
                state.waiting.push_front(Piece {
                    order,
                    children: rest,
                    failures,
                    failed_by,
                });
            }
            seat.free -= count as isize;
            seat.inbox.push_back(piece);
            seat.wake.notify_one();
            if index == WORKERS {
                self.bell.notify_all();
            }
        }
    }
}

impl State {
    /// Whoever takes part and is there.
    fn at_work(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|seat| seat.ready)
    }

    /// Who gets a piece: of those that may have it, the one with the most room. `None` if it has to wait.
    fn choose(&self, piece: &Piece) -> Option<usize> {
        if piece.failures >= MOST_FAILURES {
            return Some(WORKERS);
        }
        let may = |&(index, seat): &(usize, &Seat)| {
            seat.ready && !seat.last_resort && piece.failed_by.is_none_or(|failed_by| failed_by != index)
        };
        let mut best = None;
        for (index, seat) in self.seats.iter().enumerate().filter(may) {
            if best.is_none_or(|best: usize| seat.free > self.seats[best].free) {
                best = Some(index);
            }
        }
        match best {
            Some(best) => Some(best).filter(|&best| self.seats[best].free > 0),
            // Nobody else is left.
            None => Some(WORKERS).filter(|_| self.seats[WORKERS].free > 0 || piece.failures > 0),
        }
    }

    /// The next job of the workers.
    pub(super) fn next_for_workers(&mut self) -> Option<(Arc<Order>, usize)> {
        let inbox = &mut self.seats[WORKERS].inbox;
        let piece = inbox.front_mut()?;
        let order = Arc::clone(&piece.order);
        let child = piece.children.remove(0);
        if piece.children.is_empty() {
            inbox.pop_front();
        }
        Some((order, child))
    }
}

impl Piece {
    /// Drops the children that nobody waits for any more; how many.
    pub(super) fn forget_cancelled(&mut self) -> usize {
        let before = self.children.len();
        self.children.retain(|&child| !self.order.is_cancelled(child));
        before - self.children.len()
    }
}

impl Seat {
    fn new(name: String) -> Seat {
        Seat {
            name,
            identity: None,
            line: LineFacts::default(),
            counters: None,
            ready: false,
            tried: false,
            last_resort: false,
            free: 0,
            most: 1,
            inbox: VecDeque::new(),
            wake: Arc::new(Notify::new()),
        }
    }
}

/// The jobs that a board works on at once.
pub(super) fn threads(identity: &Identity) -> usize {
    usize::from(identity.cores) * usize::from(identity.threads)
}
