use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bluebelle_spec::leaf::Ending;
use bluebelle_spec::wire::{
    Decoder, ErrorCode, ErrorReply, Features, Identity, JobResult, MAX_IDS, Reply, Request, Status,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::{Instant, sleep_until};

use super::board::{Fault, encode};
use super::check::check;
use super::dispatch::{Piece, Shared, threads};
use super::flight::{Flight, Flights};
use super::reporter::Reporter;
use super::settings::Timing;
use crate::link::Line;
use crate::meter::Work;

/// Work with a board that is there, until it is not.
pub(super) struct Session<'a> {
    shared: &'a Shared,
    seat: usize,
    identity: Identity,
    timing: Timing,
    reader: ReadHalf<Box<dyn Line>>,
    writer: WriteHalf<Box<dyn Line>>,
    decoder: Decoder<Reply>,
    flights: &'a mut Flights,
    reporter: &'a mut Reporter,
    /// Bytes that the line has not taken yet.
    out: Vec<u8>,
    ping: Ping,
    /// How often in a row jobs were given up without a good result in between.
    failures: u32,
    /// When the last whole frame came.
    heard: Instant,
    /// How long a job takes from its frame to its result, a running mean.
    latency: Duration,
    damaged_frames: u64,
    /// Of the pool's [`cancellations`](Shared::cancellations), those that were looked at.
    cancellations: u64,
    /// The board's load when it was last asked.
    load: Option<Load>,
    /// Of the pool's [`looks`](Shared::looks), the last that the board was asked for.
    look: u64,
}

/// Slots that a board has counted.
#[derive(Clone, Copy)]
struct Load {
    /// The search in which the board was asked, by its number in [`Shared::measured`].
    search: u64,
    busy: u64,
    total: u64,
}

/// The question of how the board is, and what it said last.
struct Ping {
    asked: Option<Instant>,
    /// When to ask, or to ask again.
    next: Instant,
    /// Busy slots, if no result has come since; and when that was asked.
    before: Option<(u64, Instant)>,
    dropped: u64,
}

/// Board time beyond which a slot is not taken by a node: the golden search has 2.8 a node on average.
const SLOTS_A_NODE: u64 = 6;

/// Board time for jobs on top of what they may need.
const SLACK: Duration = Duration::from_millis(500);

/// A board that leaves jobs unanswered so often in a row is opened anew.
const MOST_FAILURES: u32 = 4;

/// How often a question is asked in the time that an answer may take: the line may lose it.
const ASK_AGAIN: u32 = 4;

/// A board that says other things, but does not answer, has so many times longer.
const BABBLING: u32 = 4;

impl<'a> Session<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        seat: usize,
        identity: Identity,
        line: Box<dyn Line>,
        decoder: Decoder<Reply>,
        flights: &'a mut Flights,
        reporter: &'a mut Reporter,
    ) -> Session<'a> {
        let (reader, writer) = tokio::io::split(line);
        let timing = shared.settings.timing.clone();
        Session {
            shared,
            seat,
            identity,
            reader,
            writer,
            decoder,
            flights,
            reporter,
            out: Vec::new(),
            ping: Ping {
                asked: None,
                next: Instant::now() + timing.ping,
                before: None,
                dropped: 0,
            },
            failures: 0,
            heard: Instant::now(),
            latency: Duration::ZERO,
            damaged_frames: 0,
            cancellations: 0,
            load: None,
            look: 0,
            timing,
        }
    }

    /// Gives the board what its seat is given, until something is wrong with it.
    pub(super) async fn work(&mut self) -> Fault {
        let wake = self.shared.wake(self.seat);
        let mut buffer = [0; 4096];
        let mut alarm = pin!(sleep_until(self.next_alarm()));
        loop {
            self.send_jobs();
            self.abort_cancelled();
            self.ask_for_counters();
            // To set an alarm takes longer than to look at it.
            let next = self.next_alarm();
            if alarm.deadline() != next {
                alarm.as_mut().reset(next);
            }
            let done = tokio::select! {
                biased;
                read = self.reader.read(&mut buffer) => match read {
                    Ok(0) => Err(Fault::Line(std::io::ErrorKind::UnexpectedEof.into())),
                    Ok(length) => {
                        self.shared.bytes_received.fetch_add(length as u64, Ordering::Relaxed);
                        self.hear(&buffer[..length])
                    }
                    Err(error) => Err(Fault::Line(error)),
                },
                written = self.writer.write(&self.out), if !self.out.is_empty() => match written {
                    Ok(0) => Err(Fault::Line(std::io::ErrorKind::WriteZero.into())),
                    Ok(length) => {
                        self.shared.bytes_sent.fetch_add(length as u64, Ordering::Relaxed);
                        self.out.drain(..length);
                        Ok(())
                    }
                    Err(error) => Err(Fault::Line(error)),
                },
                () = wake.notified() => Ok(()),
                () = &mut alarm => self.look_at_the_clock(),
            };
            if let Err(fault) = done {
                return fault;
            }
        }
    }

    /// Writes down the jobs in the inbox.
    fn send_jobs(&mut self) {
        let mut unsendable = Vec::new();
        let had = self.flights.len();
        let mut carried = 0;
        for mut piece in self.shared.inbox(self.seat) {
            let cancelled = piece.forget_cancelled();
            self.shared.gone(cancelled);
            self.shared.credit(self.seat, cancelled);
            carried += piece.children.len() as u64;
            if let Err(piece) = self.flights.send(piece, self.identity.features, &mut self.out) {
                unsendable.push(Piece {
                    failures: u32::MAX,
                    ..piece
                });
            }
        }
        self.count(carried);
        if had == 0 && !self.flights.is_empty() {
            self.ping.next = self.ping.next.min(Instant::now() + self.timing.ping);
        }
        if !unsendable.is_empty() {
            self.shared
                .credit(self.seat, unsendable.iter().map(|piece| piece.children.len()).sum());
            self.shared.again(unsendable);
        }
    }

    fn count(&self, carried: u64) {
        self.shared.settings.work.count(Work {
            carried,
            ..Work::default()
        });
    }

    /// Tells the board which jobs nobody waits for any more.
    fn abort_cancelled(&mut self) {
        let cancellations = self.shared.cancellations.load(Ordering::Acquire);
        if std::mem::replace(&mut self.cancellations, cancellations) == cancellations {
            return;
        }
        let mut ids = Vec::new();
        for (id, flight) in self.flights.iter_mut() {
            if !flight.aborted && flight.is_cancelled() {
                flight.aborted = true;
                ids.push(id);
            }
        }
        self.shared.gone(ids.len());
        self.abort(&ids);
    }

    /// Asks for the counters at once if they are wanted.
    fn ask_for_counters(&mut self) {
        let look = self.shared.looks.load(Ordering::Acquire);
        if std::mem::replace(&mut self.look, look) != look {
            self.ping.next = Instant::now();
        }
    }

    fn abort(&mut self, ids: &[u16]) {
        if self.identity.features.has(Features::ABORT) {
            for ids in ids.chunks(MAX_IDS) {
                self.out.extend(encode(&Request::Abort(ids.to_vec())));
            }
        }
    }

    /// When to look at the clock next.
    fn next_alarm(&mut self) -> Instant {
        let next = self.ping.next;
        self.flights.next_deadline().map_or(next, |deadline| deadline.min(next))
    }

    fn look_at_the_clock(&mut self) -> Result<(), Fault> {
        let now = Instant::now();
        self.give_up(|_, flight| flight.deadline.is_some_and(|deadline| deadline <= now))?;
        if now >= self.ping.next {
            let asked = *self.ping.asked.get_or_insert(now);
            let silence = self.timing.silence;
            if now >= self.heard.max(asked) + silence || now >= asked + BABBLING * silence {
                return Err(Fault::Silent(now - asked));
            }
            self.out.extend(encode(&Request::Status));
            self.ping.next = now + silence / ASK_AGAIN;
        }
        Ok(())
    }

    fn hear(&mut self, mut bytes: &[u8]) -> Result<(), Fault> {
        let mut credits = 0;
        let mut heard = Ok(());
        while let Some(reply) = self.decoder.next_message(&mut bytes) {
            if reply.is_ok() {
                self.heard = Instant::now();
            }
            heard = match reply {
                Ok(Reply::Results(results)) => {
                    self.ping.before = None;
                    self.count(results.len() as u64);
                    results
                        .into_iter()
                        .try_for_each(|result| self.take_result(result, &mut credits))
                }
                Ok(Reply::Status(status)) => self.take_status(&status),
                Ok(Reply::Error(error)) => self.take_error(error),
                // The answer to a question asked twice.
                Ok(Reply::Identity(_)) => Ok(()),
                Err(_) => {
                    self.damage(1);
                    Ok(())
                }
            };
            if heard.is_err() {
                break;
            }
        }
        self.shared.credit(self.seat, credits);
        heard
    }

    fn take_result(&mut self, result: JobResult, credits: &mut usize) -> Result<(), Fault> {
        let JobResult { id, outcome } = result;
        let Some(flight) = self.flights.land(id) else {
            // Nobody waits for it: a result that came twice, or too late.
            *credits += usize::from(self.flights.is_late(id));
            return Ok(());
        };
        *credits += 1;
        if flight.aborted {
            return Ok(());
        }
        if outcome.ending == Ending::Aborted {
            // Not by us.
            self.shared.again(vec![flight.into_piece(self.seat)]);
            return Ok(());
        }
        let job = flight.order.batch.job(flight.child);
        if let Err(lie) = check(&job, &outcome) {
            self.shared.again(vec![flight.into_piece(self.seat)]);
            return Err(Fault::Lied(lie));
        }
        self.failures = 0;
        self.latency = (self.latency * 15 + flight.sent.elapsed()) / 16;
        if let Some(audit) = &self.shared.settings.audit {
            audit(&job, &outcome);
        }
        self.shared.answer(self.seat, &flight.order, flight.child, outcome);
        Ok(())
    }

    fn take_status(&mut self, status: &Status) -> Result<(), Fault> {
        let now = Instant::now();
        let Some(asked) = self.ping.asked.take() else {
            return Ok(()); // it came twice
        };
        self.shared.told_counters(self.seat, self.look, status);
        let pause = match self.flights.holds_credits() {
            true => self.timing.ping,
            false => self.timing.idle_ping,
        };
        self.ping.next = now + pause;
        // The board has dropped frames of ours.
        let dropped = status.dropped.total();
        if dropped > self.ping.dropped {
            self.damage(dropped - self.ping.dropped);
        }
        self.ping.dropped = dropped;

        // A board that has done nothing since it was last asked has none of the jobs that were sent before that.
        let idle = status.jobs_queued == 0 && self.ping.before.is_some_and(|(busy, _)| busy == status.slots_busy);
        if let Some((_, before)) = self.ping.before.filter(|_| idle) {
            self.give_up(|_, flight| flight.sent < before)?;
            let freed = self.flights.none_given_up();
            self.shared.credit(self.seat, freed);
        }
        self.ping.before = Some((status.slots_busy, asked));
        self.count_load(status);

        // By the board's own clock, each job has its time: that of all jobs before it, and its own.
        let total = status.slots_total;
        self.give_up(|_, flight| flight.slots_deadline.is_some_and(|deadline| deadline < total))?;
        let (count, threads) = (self.flights.len(), threads(&self.identity));
        let slots_per_ms = u64::from(self.identity.clock_khz) * u64::from(self.identity.cores);
        let slack = SLACK.as_millis() as u64 * slots_per_ms;
        let cycles_a_node = SLOTS_A_NODE * u64::from(self.identity.stages);
        let cores = u64::from(self.identity.cores);
        for (_, flight) in self.flights.iter_mut() {
            // Gangs are searched one after the other in each core.
            let at_once = if flight.order.batch.gang {
                cores as usize
            } else {
                threads
            };
            let rounds = 1 + (count / at_once) as u64;
            let own = flight.most_nodes() * cycles_a_node * cores * rounds;
            flight.slots_deadline.get_or_insert(total + slack + own);
        }
        Ok(())
    }

    /// What the board did since its last report, if both reports belong to one search: what the
    /// board did before the search is of no interest.
    fn count_load(&mut self, status: &Status) {
        let now = Load {
            search: self.shared.measured.load(Ordering::Relaxed),
            busy: status.slots_busy,
            total: status.slots_total,
        };
        if let Some(before) = self.load.replace(now)
            && before.search == now.search
            && let (Some(busy), Some(total)) = (now.busy.checked_sub(before.busy), now.total.checked_sub(before.total))
        {
            self.shared.slots_busy.fetch_add(busy, Ordering::Relaxed);
            self.shared.slots_total.fetch_add(total, Ordering::Relaxed);
        }
    }

    fn take_error(&mut self, error: ErrorReply) -> Result<(), Fault> {
        let frame = error
            .id
            .and_then(|id| self.flights.iter_mut().find(|&(other, _)| other == id))
            .map(|(_, flight)| flight.frame);
        match (error.code, frame) {
            // Nothing of that frame was done, so nothing of it holds credits.
            (_, Some(frame)) => {
                self.give_up(|_, flight| flight.frame == frame)?;
                let freed = self.flights.none_given_up();
                self.shared.credit(self.seat, freed);
            }
            (ErrorCode::QueueFull, None) => self.suspect_all(),
            // Frames that arrive well and cannot be done: this board and we do not speak the same language.
            (code, None) => return Err(Fault::Refused(code)),
        }
        Ok(())
    }

    /// Frames were damaged on the way, and with them perhaps any of the jobs or results.
    fn damage(&mut self, frames: u64) {
        self.damaged_frames += frames;
        let total = self.damaged_frames;
        self.reporter
            .warn(&format!("{total} damaged frames; their jobs are sent again"));
        self.suspect_all();
    }

    /// Gives all jobs only a little longer.
    fn suspect_all(&mut self) {
        let grace = self.timing.grace.max(self.latency * 4);
        let deadline = Instant::now() + grace;
        for (_, flight) in self.flights.iter_mut() {
            flight.deadline = Some(flight.deadline.map_or(deadline, |before| before.min(deadline)));
        }
        self.flights.are_suspect = true;
    }

    /// Others are to do these jobs.
    fn give_up(&mut self, which: impl FnMut(u16, &Flight) -> bool) -> Result<(), Fault> {
        let gone = self.flights.give_up(which);
        if gone.is_empty() {
            return Ok(());
        }
        let ids: Vec<u16> = gone.iter().map(|&(id, _)| id).collect();
        self.abort(&ids);
        let wanted = gone
            .into_iter()
            .map(|(_, flight)| flight)
            .filter(|flight| !flight.aborted);
        let pieces: Vec<Piece> = wanted.map(|flight| flight.into_piece(self.seat)).collect();
        self.failures += u32::from(!pieces.is_empty());
        self.shared.again(pieces);
        match self.failures {
            MOST_FAILURES.. => Err(Fault::Forgetful(self.failures)),
            _ => Ok(()),
        }
    }
}
