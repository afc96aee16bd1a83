//! The life of a board: opened, worked with, lost, opened again.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bluebelle_spec::wire::{Decoder, ErrorCode, Features, Identity, Message, Reply, Request, WeightWords, weights_crc};
use tokio::time::{Instant, sleep, timeout};

use super::check::Lie;
use super::dispatch::{LineFacts, Shared, threads};
use super::flight::Flights;
use super::reporter::Reporter;
use super::session::Session;
use crate::link::{Line, Link, Silence, describe, identify};

/// Opening a port should take milliseconds. Building a simulated chip takes minutes, but then it is the build that is
/// waited for, and nobody waits for the board.
const OPENING: Duration = Duration::from_secs(600);

/// How often a chip is sent its weights before it is given up: the line may damage some.
const WEIGHT_TRIES: u32 = 4;

/// Why a board cannot be used, or not any more.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("cannot be opened: {0}")]
    Opening(io::Error),
    #[error(transparent)]
    Silence(#[from] Silence),
    #[error("the line failed ({0}): unplugged?")]
    Line(io::Error),
    #[error("no answer for {} ms", .0.as_millis())]
    Silent(Duration),
    #[error("jobs were not answered, {0} times in a row")]
    Forgetful(u32),
    #[error("a wrong result: {0}")]
    Lied(Lie),
    #[error("refuses jobs: {0:?}")]
    Refused(ErrorCode),
    #[error("evaluates with other weights, and did not take ours")]
    Weights,
    #[error("cannot search: its bitstream has no such feature")]
    NoSearch,
}

/// Opens a board, gives it jobs, and opens it again whenever it is lost. Ends when the pool is dropped.
pub(super) async fn keep(shared: Arc<Shared>, seat: usize, mut link: Box<dyn Link>) {
    let timing = shared.settings.timing.clone();
    let mut reporter = Reporter::new(link.name(), &shared.settings);
    // Ids go on where they were, whatever happens to the line.
    let mut flights = Flights::default();
    let mut back_off = timing.back_off;
    loop {
        let began = Instant::now();
        let fault = match open(&shared, &mut *link).await {
            Ok(Opened {
                line,
                decoder,
                identity,
                round_trip,
            }) => {
                for hint in link.warnings() {
                    reporter.hint(&hint);
                }
                let room = room(&identity);
                let most = usize::from(identity.max_children).clamp(1, room);
                let facts = LineFacts {
                    round_trip: round_trip / timing.dilation,
                    bytes_per_second: link.bytes_per_second(),
                };
                reporter.in_use(&describe(&identity));
                shared.ready(seat, identity.clone(), facts, room, most);
                let mut session = Session::new(&shared, seat, identity, line, decoder, &mut flights, &mut reporter);
                session.work().await
            }
            Err(fault) => fault,
        };
        let lost = flights.clear();
        let (unwanted, wanted): (Vec<_>, Vec<_>) = lost.into_iter().partition(|flight| flight.is_cancelled());
        // Those that were aborted are gone already.
        shared.gone(unwanted.iter().filter(|flight| !flight.aborted).count());
        let jobs = wanted.into_iter().map(|flight| flight.into_piece(seat)).collect();
        shared.lost(seat, jobs);
        // A board that worked well for a while starts again at the shortest wait.
        if began.elapsed() > 2 * timing.back_off_most {
            back_off = timing.back_off;
        }
        reporter.lost(&fault.to_string());
        sleep(back_off).await;
        back_off = (back_off * 2).min(timing.back_off_most);
    }
}

/// How many jobs a board may have: those in its queue, and those it works on. If the queue alone keeps all threads busy,
/// it is enough, and then no burst can overflow it.
fn room(identity: &Identity) -> usize {
    let (queue, threads) = (usize::from(identity.queue), threads(identity));
    match queue >= 2 * threads {
        true => queue,
        false => (threads + queue / 2).max(queue.min(threads)),
    }
}

/// An open line and who answered on it.
struct Opened {
    line: Box<dyn Line>,
    decoder: Decoder<Reply>,
    identity: Identity,
    /// How long the answer took, in tokio's time.
    round_trip: Duration,
}

/// An open line to a board that has said who it is, has no jobs, and evaluates as we do.
async fn open(shared: &Shared, link: &mut dyn Link) -> Result<Opened, Fault> {
    let patience = shared.settings.timing.identify;
    let opened = timeout(OPENING, link.open()).await;
    let mut line = opened
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        .map_err(Fault::Opening)?;
    let mut decoder = Decoder::new();
    let mut before = encode(&Request::Reset);
    let expected = weights_crc(shared.settings.evaluator.weights());
    for _ in 0..WEIGHT_TRIES {
        let asked = Instant::now();
        let identity = identify(&mut *line, &mut decoder, &before, patience).await?;
        if !identity.features.has(Features::SEARCH) {
            return Err(Fault::NoSearch);
        }
        if identity.weights_crc == expected {
            return Ok(Opened {
                line,
                decoder,
                identity,
                round_trip: asked.elapsed(),
            });
        }
        if !identity.features.has(Features::WEIGHTS) {
            break;
        }
        let words = WeightWords::all(shared.settings.evaluator.weights());
        before = words
            .into_iter()
            .flat_map(|words| encode(&Request::LoadWeights(words)))
            .collect();
    }
    Err(Fault::Weights)
}

/// A request that can always be said; what could not would be nothing on the wire.
pub(super) fn encode(request: &Request) -> Vec<u8> {
    request.encode().unwrap_or_default()
}
