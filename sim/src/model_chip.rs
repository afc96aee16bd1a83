use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bluebelle_hdl::config::Config;
use bluebelle_spec::leaf::gang::Gang;
use bluebelle_spec::leaf::{self, Ending, Job, MAX_DEPTH, MAX_PERFT_DEPTH, MAX_PLY, Outcome, Task};
use bluebelle_spec::wire::{
    Decoder, ErrorCode, ErrorReply, Features, Identity, JobResult, Kind, MAX_CHILDREN, MAX_RESULTS, Message, Reply,
    Request, Status, VERSION, WeightWords, weights_crc,
};
use bluebelle_spec::{Evaluator, Move, Position, Weights};

use crate::clocked::{Answer, ChipError, ClockedChip, Until};

/// A chip that speaks the wire protocol and keeps the chip's time, with the golden search inside: a board for those who have
/// neither Verilator nor patience.
///
/// A job takes `slots × stages` cycles of one thread, or of a gang, which has a core to itself. Before that its words go through the chip, one job after the other,
/// and a core loads one job at a time.
pub struct ModelChip {
    identity: Identity,
    words: Vec<i16>,
    evaluator: Arc<Evaluator>,
    decoder: Decoder<Request>,
    cache: LeafCache,
    waiting: VecDeque<(u16, Job)>,
    running: Vec<Running>,
    road: Road,
    results: Vec<JobResult>,
    out: Vec<u8>,
    cycle: u64,
    /// When the counters were last set to zero.
    counting_since: u64,
    /// Slots of the jobs that have ended.
    slots_done: u64,
    jobs_done: u32,
}

/// What can be chosen about a [`ModelChip`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelConfig {
    /// How many cores.
    pub cores: u8,
    /// Threads of a core.
    pub threads: u8,
    /// Cycles of a slot.
    pub stages: u8,
    /// Whether a core searches a job by all threads if asked to.
    pub gangs: bool,
    /// How many jobs can wait.
    pub queue: u16,
    /// The clock in kHz.
    pub clock_khz: u32,
}

/// What [`Config`] builds if nothing is said.
impl Default for ModelConfig {
    fn default() -> ModelConfig {
        let config = Config::default();
        ModelConfig {
            cores: config.cores as u8,
            threads: config.threads,
            stages: config.stages,
            gangs: config.gangs,
            queue: config.queue.into(),
            clock_khz: config.clock_khz,
        }
    }
}

/// A job on a thread, or on a core. Many jobs are aborted, so each is searched a little ahead of the clock only.
struct Running {
    id: u16,
    job: Job,
    core: usize,
    search: Ahead,
    began: u64,
    /// The cycle at which it ends, or up to which it is searched.
    ends: u64,
}

/// How far a job is searched.
enum Ahead {
    /// To its end. The slots of all threads that search it are beside what it finds.
    Known(Outcome, u32),
    /// One thread's job has had so many nodes and slots, and is not done.
    Thread { nodes: u32, slots: u32 },
    /// A gang's is where it is.
    Gang(Box<Gang<Arc<Evaluator>>>),
}

const ABORTED: Outcome = Outcome {
    ending: Ending::Aborted,
    score: 0,
    best: Move::NONE,
    nodes: 0,
    slots: 0,
};

/// How many slots, or nodes, ahead of the clock a job is searched at least.
const LEAST_LOOK: u32 = 400;

/// A job with a limit of nodes has fewer slots than this after it has had them.
const SLOTS_TO_LIMIT: u32 = 64;

impl ModelChip {
    /// A chip that wakes up with these weights.
    pub fn new(config: &ModelConfig, weights: &Weights) -> ModelChip {
        ModelChip {
            identity: Identity {
                build: *b"golden model    ",
                wire_version: VERSION,
                cores: config.cores.max(1),
                threads: config.threads.max(1),
                stages: config.stages.max(1),
                clock_khz: config.clock_khz.max(1),
                queue: config.queue.max(1),
                max_children: config.queue.clamp(1, MAX_CHILDREN as u16),
                max_depth: MAX_DEPTH,
                max_perft_depth: MAX_PERFT_DEPTH,
                max_ply: MAX_PLY,
                features: Features::with_gangs_if(config.gangs),
                weights_crc: weights_crc(weights),
            },
            words: weights.to_words().to_vec(),
            evaluator: Arc::new(Evaluator::new(weights)),
            decoder: Decoder::new(),
            cache: LeafCache::default(),
            waiting: VecDeque::new(),
            running: Vec::new(),
            road: Road::new(config.cores.max(1).into()),
            results: Vec::new(),
            out: Vec::new(),
            cycle: 0,
            counting_since: 0,
            slots_done: 0,
            jobs_done: 0,
        }
    }

    /// Asks here before it searches, and tells what it found. For chips with the same weights only.
    #[must_use]
    pub fn with_cache(mut self, cache: LeafCache) -> ModelChip {
        self.cache = cache;
        self
    }

    /// Slots and jobs so far, aborted ones too.
    pub fn work_done(&self) -> (u64, u64) {
        (self.slots_done, self.jobs_done.into())
    }

    /// What it answers to *identify*.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Bytes from the host, at this cycle.
    pub fn hear(&mut self, mut bytes: &[u8]) {
        while let Some(message) = self.decoder.next_message(&mut bytes) {
            match message {
                Ok(request) => self.take(request),
                Err(error) => {
                    if let Some(reply) = error.reply() {
                        self.say(&Reply::Error(reply));
                    }
                }
            }
        }
        self.start_jobs();
    }

    /// The cycle at which the next job ends.
    pub fn next_end(&self) -> Option<u64> {
        self.running.iter().map(|running| running.ends).min()
    }

    /// Runs the clock up to a cycle.
    pub fn advance_to(&mut self, cycle: u64) {
        while let Some(end) = self.next_end().filter(|&end| end <= cycle) {
            self.cycle = self.cycle.max(end);
            let (met, running): (Vec<_>, _) = std::mem::take(&mut self.running)
                .into_iter()
                .partition(|running| running.ends <= end);
            self.running = running;
            for mut job in met {
                match job.search {
                    Ahead::Known(outcome, busy) => {
                        self.road.leave(job.core);
                        self.finish(job.id, outcome, busy);
                    }
                    Ahead::Thread { .. } | Ahead::Gang(_) => {
                        self.look_ahead(&mut job);
                        self.running.push(job);
                    }
                }
            }
            self.start_jobs();
        }
        self.cycle = self.cycle.max(cycle);
    }

    /// What it has said since it was last asked, and the results so far.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.flush_results();
        std::mem::take(&mut self.out)
    }

    fn threads(&self) -> usize {
        usize::from(self.identity.cores) * usize::from(self.identity.threads)
    }

    fn start_jobs(&mut self) {
        let stages = u64::from(self.identity.stages);
        while let Some(core) = self.road.next_core(self.identity.threads.into())
            && let Some((id, job)) = self.waiting.pop_front()
        {
            let pieces = u64::from(job.position.occupied().count_ones());
            let began = self.road.bring(core, self.cycle, pieces, stages, job.gang);
            let mut running = Running {
                id,
                job,
                core,
                search: Ahead::Thread { nodes: 0, slots: 0 },
                began,
                ends: began,
            };
            if let Some((outcome, busy)) = self.cache.find(&job) {
                running.search = Ahead::Known(outcome, busy);
            } else if job.gang && job.pruning {
                let threads = leaf::gang::THREADS;
                running.search = Ahead::Gang(Box::new(Gang::new(job, Arc::clone(&self.evaluator), threads)));
            }
            self.look_ahead(&mut running);
            self.running.push(running);
        }
    }

    /// Searches a job further, to its end or beyond the cycle that it has come to.
    fn look_ahead(&self, running: &mut Running) {
        let stages = u64::from(self.identity.stages);
        let elapsed = running.slots_at(self.cycle.max(running.ends), stages);
        let (found, searched) = match &mut running.search {
            Ahead::Known(outcome, busy) => (Some((*outcome, *busy)), 0),
            Ahead::Gang(gang) => {
                let slots = elapsed + (elapsed / 2).max(LEAST_LOOK);
                (gang.run_to(slots), slots)
            }
            Ahead::Thread { nodes, slots } => loop {
                *nodes = nodes.saturating_mul(4).max(LEAST_LOOK);
                let is_whole = *nodes >= running.job.most_nodes() || matches!(running.job.task, Task::Perft { .. });
                let job = Job {
                    node_limit: if is_whole { running.job.node_limit } else { *nodes },
                    ..running.job
                };
                let (outcome, busy) = leaf::run_measured(&job, &self.evaluator);
                if is_whole || outcome.ending != Ending::Limit {
                    break (Some((outcome, busy)), 0);
                }
                // With more nodes it would have come as far as this, too.
                *slots = outcome.slots.saturating_sub(SLOTS_TO_LIMIT);
                if *slots > elapsed {
                    break (None, *slots);
                }
            },
        };
        running.ends = running.began + u64::from(searched) * stages;
        if let Some((outcome, busy)) = found {
            self.cache.keep(&running.job, (outcome, busy));
            running.search = Ahead::Known(outcome, busy);
            running.ends = running.began + (u64::from(outcome.slots) + 1) * stages + self.road.cores.len() as u64;
        }
    }

    fn finish(&mut self, id: u16, outcome: Outcome, busy: u32) {
        self.slots_done += u64::from(busy);
        self.jobs_done = self.jobs_done.saturating_add(1);
        self.results.push(JobResult { id, outcome });
        if self.results.len() == MAX_RESULTS {
            self.flush_results();
        }
    }

    fn flush_results(&mut self) {
        if !self.results.is_empty() {
            let results = std::mem::take(&mut self.results);
            self.say(&Reply::Results(results));
        }
    }

    fn say(&mut self, reply: &Reply) {
        let encoded = reply.encode_to(&mut self.out);
        encoded.expect("the model says nothing that cannot be said");
    }

    fn take(&mut self, request: Request) {
        match request {
            Request::Identify => self.say(&Reply::Identity(self.identity.clone())),
            Request::Status => {
                let status = self.status();
                self.say(&Reply::Status(status));
            }
            Request::Reset => {
                self.waiting.clear();
                self.running.clear();
                self.road = Road::new(self.identity.cores.into());
                self.results.clear();
                self.decoder.reset_counters();
                self.counting_since = self.cycle;
                (self.slots_done, self.jobs_done) = (0, 0);
            }
            Request::LoadWeights(words) => self.load(&words),
            Request::Job { id, job } => self.accept(Kind::Job, vec![(id, job)]),
            Request::Batch(batch) => self.accept(Kind::Batch, batch.jobs().collect()),
            Request::Abort(ids) => self.abort(&ids),
        }
    }

    /// A frame's jobs: all of them or none.
    fn accept(&mut self, kind: Kind, jobs: Vec<(u16, Job)>) {
        // A thread that waits takes its job off the queue at once.
        let idle = self.threads() - self.running.len();
        let room = usize::from(self.identity.queue) + idle;
        if self.waiting.len() + jobs.len() > room || jobs.len() > usize::from(self.identity.queue) {
            self.say(&Reply::Error(ErrorReply {
                code: ErrorCode::QueueFull,
                kind: kind as u8,
                id: jobs.first().map(|&(id, _)| id).filter(|_| kind == Kind::Job),
            }));
            return;
        }
        self.waiting.extend(jobs);
    }

    fn abort(&mut self, ids: &[u16]) {
        let meant = |id: u16| ids.is_empty() || ids.contains(&id);
        let (stopped, kept): (VecDeque<_>, _) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|&(id, _)| meant(id));
        self.waiting = kept;
        let aborted = |slots| Outcome { slots, ..ABORTED };
        for (id, _) in stopped {
            self.finish(id, aborted(0), 0);
        }
        let (stopped, kept): (Vec<_>, _) = std::mem::take(&mut self.running)
            .into_iter()
            .partition(|running| meant(running.id));
        self.running = kept;
        for running in stopped {
            self.road.leave(running.core);
            let slots = self.slots_of(&running);
            let busy = running.busy_after(slots, self.stages());
            self.finish(running.id, aborted(slots), busy);
        }
    }

    fn load(&mut self, weights: &WeightWords) {
        let start = usize::from(weights.offset);
        self.words[start..start + weights.words.len()].copy_from_slice(&weights.words);
        if let Ok(weights) = Weights::from_words(&self.words) {
            self.identity.weights_crc = weights_crc(&weights);
            self.evaluator = Arc::new(Evaluator::new(&weights));
        }
    }

    fn status(&self) -> Status {
        let busy = |running: &Running| u64::from(running.busy_after(self.slots_of(running), self.stages()));
        let queued = self.waiting.len() as u16;
        Status {
            slots_busy: self.slots_done + self.running.iter().map(busy).sum::<u64>(),
            slots_total: (self.cycle - self.counting_since) * u64::from(self.identity.cores),
            jobs_done: self.jobs_done,
            frames_ok: self.decoder.frames_ok(),
            dropped: *self.decoder.dropped(),
            jobs_queued: queued,
            credits: self.identity.queue.saturating_sub(queued),
        }
    }

    /// The trips that a job has had so far.
    fn slots_of(&self, running: &Running) -> u32 {
        running.slots_at(self.cycle, self.stages())
    }

    fn stages(&self) -> u64 {
        self.identity.stages.into()
    }
}

impl Running {
    fn slots_at(&self, cycle: u64, stages: u64) -> u32 {
        u32::try_from(cycle.saturating_sub(self.began) / stages).unwrap_or(u32::MAX)
    }

    /// What its threads have done after so many trips, if they are equally busy for as long as the job is known.
    fn busy_after(&self, slots: u32, stages: u64) -> u32 {
        let (searched, busy) = match &self.search {
            Ahead::Known(outcome, busy) => (outcome.slots, *busy),
            Ahead::Thread { .. } => (self.slots_at(self.ends, stages), self.slots_at(self.ends, stages)),
            Ahead::Gang(gang) => gang.slots(),
        };
        let share = f64::from(busy) / f64::from(searched.max(1));
        (share * f64::from(slots)) as u32
    }
}

/// The way of jobs through the chip, by the cycle at which each part of it is free again.
struct Road {
    /// Words go from the queue to the docks, one a cycle.
    queue_free: u64,
    cores: Vec<CoreRoad>,
    last_core: usize,
}

#[derive(Clone, Copy, Default)]
struct CoreRoad {
    jobs: usize,
    /// The last of them has a gang, and so the core to itself.
    ganged: bool,
    loader_free: u64,
}

/// Words of a job besides its pieces.
const HEADER_WORDS: u64 = 6;

/// Cycles between two jobs that a core loads.
const LOADER_GAP: u64 = 20;

impl Road {
    fn new(cores: usize) -> Road {
        Road {
            queue_free: 0,
            cores: vec![CoreRoad::default(); cores],
            last_core: cores - 1,
        }
    }

    /// The next core in turn that has a thread to spare.
    fn next_core(&self, threads: usize) -> Option<usize> {
        let count = self.cores.len();
        let mut in_turn = (1..=count).map(|step| (self.last_core + step) % count);
        in_turn.find(|&core| match self.cores[core] {
            CoreRoad { jobs, ganged: true, .. } => jobs == 0,
            CoreRoad { jobs, .. } => jobs < threads,
        })
    }

    /// Brings a job to a core: the cycle at which its first piece is placed.
    fn bring(&mut self, core: usize, now: u64, pieces: u64, stages: u64, ganged: bool) -> u64 {
        self.queue_free = self.queue_free.max(now) + HEADER_WORDS + pieces;
        self.last_core = core;
        let core = &mut self.cores[core];
        core.jobs += 1;
        core.ganged = ganged;
        let began = core.loader_free.max(self.queue_free);
        core.loader_free = began + pieces * stages + LOADER_GAP;
        began
    }

    fn leave(&mut self, core: usize) {
        self.cores[core].jobs = self.cores[core].jobs.saturating_sub(1);
    }
}

/// Outcomes of jobs, for several chips that are asked the same: the golden search takes longer than anything else here.
#[derive(Clone, Debug, Default)]
pub struct LeafCache(Arc<Mutex<HashMap<JobKey, (Outcome, u32)>>>);

type JobKey = (Position, Move, Task, u32, bool, bool);

/// Beyond so many outcomes it forgets them all.
const MOST_OUTCOMES: usize = 4_000_000;

impl LeafCache {
    fn find(&self, job: &Job) -> Option<(Outcome, u32)> {
        self.outcomes().get(&LeafCache::key(job)).copied()
    }

    fn keep(&self, job: &Job, found: (Outcome, u32)) {
        let mut known = self.outcomes();
        if known.len() >= MOST_OUTCOMES {
            known.clear();
        }
        known.insert(LeafCache::key(job), found);
    }

    fn outcomes(&self) -> MutexGuard<'_, HashMap<JobKey, (Outcome, u32)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key(job: &Job) -> JobKey {
        (job.position, job.first, job.task, job.node_limit, job.pruning, job.gang)
    }
}

impl ClockedChip for ModelChip {
    fn exchange(&mut self, bytes: &[u8], until: Until) -> Result<Answer, ChipError> {
        self.hear(bytes);
        let end = self.cycle.saturating_add(until.cycles);
        let mut said = Vec::new();
        loop {
            said.extend(self.take_output());
            let frames = said.iter().filter(|&&byte| byte == 0).count();
            if frames >= until.frames as usize {
                break;
            }
            match self.next_end().filter(|&next| next <= end) {
                Some(next) => self.advance_to(next),
                None => {
                    self.advance_to(end);
                    break;
                }
            }
        }
        Ok(Answer {
            bytes: said,
            untaken: 0,
            cycle: self.cycle,
        })
    }

    fn credits(&self) -> Option<u16> {
        Some(self.status().credits)
    }
}

#[cfg(test)]
mod tests;
