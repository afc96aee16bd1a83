use std::collections::VecDeque;

use bluebelle_spec::leaf::{self, Ending, Job, MAX_DEPTH, MAX_PERFT_DEPTH, MAX_PLY, Outcome};
use bluebelle_spec::wire::{
    Decoder, ErrorCode, ErrorReply, Features, Identity, JobResult, Kind, MAX_CHILDREN, MAX_RESULTS, Message, Reply,
    Request, Status, VERSION, WeightWords, weights_crc,
};
use bluebelle_spec::{Evaluator, Weights};

use crate::clocked::{Answer, ChipError, ClockedChip, Until};

/// A chip that speaks the wire protocol and keeps the chip's time, with the golden search inside: a board for those who have
/// neither Verilator nor patience.
///
/// A job takes `slots × stages` cycles of one thread; reading and writing frames takes none.
pub struct ModelChip {
    identity: Identity,
    words: Vec<i16>,
    evaluator: Evaluator,
    decoder: Decoder<Request>,
    waiting: VecDeque<(u16, Job)>,
    running: Vec<Running>,
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
    /// How many jobs can wait.
    pub queue: u16,
    /// The clock in kHz.
    pub clock_khz: u32,
}

/// One core of 13 threads at 25 MHz, with the queue of the real chip.
impl Default for ModelConfig {
    fn default() -> ModelConfig {
        ModelConfig {
            cores: 1,
            threads: 13,
            stages: 13,
            queue: 107,
            clock_khz: 25_000,
        }
    }
}

/// A job on a thread. What it will find is known already, but not told before its time.
struct Running {
    id: u16,
    outcome: Outcome,
    began: u64,
    ends: u64,
}

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
                features: Features::ALL,
                weights_crc: weights_crc(weights),
            },
            words: weights.to_words().to_vec(),
            evaluator: Evaluator::new(weights),
            decoder: Decoder::new(),
            waiting: VecDeque::new(),
            running: Vec::new(),
            results: Vec::new(),
            out: Vec::new(),
            cycle: 0,
            counting_since: 0,
            slots_done: 0,
            jobs_done: 0,
        }
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
            let (ended, running): (Vec<_>, _) = std::mem::take(&mut self.running)
                .into_iter()
                .partition(|running| running.ends <= end);
            self.running = running;
            for job in ended {
                self.finish(job.id, job.outcome);
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
        while self.running.len() < self.threads()
            && let Some((id, job)) = self.waiting.pop_front()
        {
            let outcome = leaf::run(&job, &self.evaluator);
            let cycles = u64::from(outcome.slots) * u64::from(self.identity.stages);
            self.running.push(Running {
                id,
                outcome,
                began: self.cycle,
                ends: self.cycle + cycles,
            });
        }
    }

    fn finish(&mut self, id: u16, outcome: Outcome) {
        self.slots_done += u64::from(outcome.slots);
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
        let aborted = |slots| Outcome {
            ending: Ending::Aborted,
            score: 0,
            best: bluebelle_spec::Move::NONE,
            nodes: 0,
            slots,
        };
        for (id, _) in stopped {
            self.finish(id, aborted(0));
        }
        let (stopped, kept): (Vec<_>, _) = std::mem::take(&mut self.running)
            .into_iter()
            .partition(|running| meant(running.id));
        self.running = kept;
        for running in stopped {
            let slots = (self.cycle - running.began) / u64::from(self.identity.stages);
            self.finish(running.id, aborted(u32::try_from(slots).unwrap_or(u32::MAX)));
        }
    }

    fn load(&mut self, weights: &WeightWords) {
        let start = usize::from(weights.offset);
        self.words[start..start + weights.words.len()].copy_from_slice(&weights.words);
        if let Ok(weights) = Weights::from_words(&self.words) {
            self.identity.weights_crc = weights_crc(&weights);
            self.evaluator = Evaluator::new(&weights);
        }
    }

    fn status(&self) -> Status {
        let stages = u64::from(self.identity.stages);
        let began = |running: &Running| (self.cycle - running.began) / stages;
        let queued = self.waiting.len() as u16;
        Status {
            slots_busy: self.slots_done + self.running.iter().map(began).sum::<u64>(),
            slots_total: (self.cycle - self.counting_since) * u64::from(self.identity.cores),
            jobs_done: self.jobs_done,
            frames_ok: self.decoder.frames_ok(),
            dropped: *self.decoder.dropped(),
            jobs_queued: queued,
            credits: self.identity.queue.saturating_sub(queued),
        }
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
