//! How fast an accelerator really is: jobs as the search has them, as many at once as it takes, for
//! some seconds.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bluebelle::backend::{self, Request};
use bluebelle::pool::{Batch, Done, Pool};
use bluebelle_spec::Fen;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde::Serialize;

use crate::output::{note, say};

/// What was measured.
#[derive(Serialize)]
struct Report {
    accelerator: String,
    seconds: f64,
    jobs: u64,
    nodes: u64,
    jobs_per_second: f64,
    nodes_per_second: f64,
    nodes_per_job: f64,
    /// The share of the chip's slots that had work, by its own counters; `null` if it did not tell.
    busy: Option<f64>,
    /// The share of what the line can carry, in the direction that carries more; `null` if nothing
    /// limits it.
    line: Option<f64>,
    cores: usize,
    threads: usize,
    megahertz: f64,
}

/// Mebibytes of a table that is not used.
const HASH: usize = 1;

/// How many jobs are out for each thread of a core: one that is worked on, and others that wait for
/// it.
const AHEAD: usize = 3;

/// Questions around a level score: some are answered at once, some take long.
const BETAS: [i16; 4] = [-150, -20, 20, 150];

/// The most nodes of a job, as the search has it.
const NODE_LIMIT: u32 = 1 << 13;

/// How long the accelerator works before it is measured.
const WARM_UP: Duration = Duration::from_millis(300);

/// Measures it on these positions.
pub(super) fn run(name: &str, positions: &str, (seconds, depth): (f64, u8), json: bool) -> anyhow::Result<ExitCode> {
    let request = Request {
        accelerator: name.to_owned(),
        hash: HASH,
        ..Request::default()
    };
    let backend = backend::open(&request)?;
    let pool = backend
        .pool()
        .with_context(|| format!("'{name}' is the software: expected an accelerator"))?;
    if let Some(board) = pool.boards().iter().find(|board| board.identity.is_none()) {
        bail!("{} does not answer: bluebelle doctor says what to do", board.name);
    }
    let mut batches = Vec::new();
    for line in positions.lines().filter(|line| !line.starts_with('#')) {
        let fen: Fen = line.parse().with_context(|| format!("'{line}'"))?;
        batches.extend(BETAS.map(|beta| Batch {
            pruning: true,
            gang: pool.resources().gangs,
            ..Batch::one(fen.position, depth.min(pool.max_depth()), beta, NODE_LIMIT)
        }));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let (done, seconds) = runtime.block_on(measure(pool, &batches, Duration::from_secs_f64(seconds)));
    let report = Report::new(name, pool, &done, seconds);
    if report.jobs == 0 {
        bail!("{name} has answered no job in {seconds:.1} s: bluebelle selftest --accel {name} says more");
    }
    if done.software_jobs > 0 && !pool.has_model() {
        note!(
            "{} jobs were searched in software instead, and are not counted",
            done.software_jobs
        );
    }
    match json {
        true => say!("{}", serde_json::to_string(&report)?),
        false => report.print()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Keeps the pool at work; what was done after the warm-up, and in how many seconds.
async fn measure(pool: &Pool, batches: &[Batch], time: Duration) -> (Done, f64) {
    let at_once = AHEAD * pool.threads().max(1);
    let mut next = batches.iter().cycle();
    let mut out = FuturesUnordered::new();
    let started = Instant::now();
    let mut since = None;
    loop {
        while out.len() < at_once {
            let Some(batch) = next.next() else { break };
            out.extend(pool.submit(batch.clone()));
        }
        if since.is_none() && started.elapsed() >= WARM_UP {
            since = Some((Instant::now(), pool.begin_search()));
        }
        if let Some((began, before)) = since
            && began.elapsed() >= time
        {
            return (pool.done().since(&before), began.elapsed().as_secs_f64());
        }
        // An accelerator that falls silent does not hold the clock.
        let _ = tokio::time::timeout(Duration::from_millis(50), out.next()).await;
    }
}

impl Report {
    fn new(name: &str, pool: &Pool, done: &Done, seconds: f64) -> Report {
        let resources = pool.resources();
        let (jobs, nodes) = match pool.has_model() {
            true => (done.jobs + done.software_jobs, done.nodes + done.software_nodes),
            false => (done.jobs, done.nodes),
        };
        let bytes = done.bytes_sent.max(done.bytes_received) as f64 / seconds;
        Report {
            accelerator: name.to_owned(),
            seconds,
            jobs,
            nodes,
            jobs_per_second: jobs as f64 / seconds,
            nodes_per_second: nodes as f64 / seconds,
            nodes_per_job: nodes as f64 / jobs.max(1) as f64,
            busy: done.busy(),
            line: resources.bytes_per_second.map(|rate| bytes / rate),
            cores: resources.cores,
            threads: resources.threads,
            megahertz: resources.slots_per_second / 1e6,
        }
    }

    fn print(&self) -> std::io::Result<()> {
        let share =
            |share: Option<f64>| share.map_or("not measured".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        say!(
            "accelerator  {}, {} × {} threads",
            self.accelerator,
            self.cores,
            self.threads
        );
        say!(
            "jobs         {} in {:.1} s, {:.0}/s, {:.0} nodes each",
            self.jobs,
            self.seconds,
            self.jobs_per_second,
            self.nodes_per_job
        );
        say!(
            "nodes/s      {:.0}, measured over the line and back",
            self.nodes_per_second
        );
        say!("chip busy    {}", share(self.busy));
        say!("line busy    {}", share(self.line));
        Ok(())
    }
}
