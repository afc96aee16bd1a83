use std::collections::VecDeque;
use std::sync::Mutex;

use bluebelle_spec::leaf::{self, Task};
use bluebelle_spec::wire::{ErrorCode, ErrorReply, JobResult, Status, VERSION};
use bluebelle_spec::{Evaluator, Position};

use super::*;
use crate::clocked::Answer;

/// What is wrong with a chip.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Answers nothing.
    Dumb,
    /// Forgets every job.
    Forgetful,
    /// Says that every job is too deep.
    Shallow,
    /// Keeps the weights that it has.
    Stubborn,
    /// Sends noise, and results that nobody asked for, before each result.
    Noisy,
}

/// The golden model behind the wire: one job at a time, the newest first, so that results come out of order.
struct Fake {
    fault: Fault,
    decoder: Decoder<Request>,
    evaluator: Evaluator,
    jobs: VecDeque<(u16, Job)>,
    most_jobs: usize,
    words: Vec<i16>,
    cycle: u64,
}

const QUEUE: u16 = 5;

impl Fake {
    fn new(fault: Fault) -> Fake {
        Fake {
            fault,
            decoder: Decoder::new(),
            evaluator: Evaluator::new(Weights::standard()),
            jobs: VecDeque::new(),
            most_jobs: 0,
            words: Weights::standard().to_words().to_vec(),
            cycle: 0,
        }
    }

    fn identity(&self) -> Identity {
        let weights = Weights::from_words(&self.words).expect("in range");
        Identity {
            build: [7; 16],
            wire_version: VERSION,
            cores: 1,
            threads: 4,
            stages: 4,
            clock_khz: 50_000,
            queue: QUEUE,
            max_children: 8,
            max_depth: 12,
            max_perft_depth: 6,
            max_ply: 31,
            features: Features::ALL,
            weights_crc: weights_crc(&weights),
        }
    }

    fn take(&mut self, request: Request) -> Option<Reply> {
        match request {
            Request::Identify => Some(Reply::Identity(self.identity())),
            Request::Status => Some(Reply::Status(Status::default())),
            Request::Reset => {
                self.jobs.clear();
                None
            }
            Request::LoadWeights(words) => {
                let start = usize::from(words.offset);
                if self.fault != Fault::Stubborn {
                    self.words[start..start + words.words.len()].copy_from_slice(&words.words);
                }
                None
            }
            Request::Job { id, .. } if self.fault == Fault::Shallow => Some(Reply::Error(ErrorReply {
                code: ErrorCode::BadDepth,
                kind: 4,
                id: Some(id),
            })),
            Request::Job { id, job } => {
                self.jobs.push_back((id, job));
                self.most_jobs = self.most_jobs.max(self.jobs.len());
                None
            }
            Request::Batch(_) | Request::Abort(_) => None,
        }
    }
}

impl ClockedChip for &mut Fake {
    fn exchange(&mut self, bytes: &[u8], until: Until) -> Result<Answer, ChipError> {
        let requests: Vec<Request> = self.decoder.push(bytes).filter_map(Result::ok).collect();
        let mut replies: Vec<Reply> = requests.into_iter().filter_map(|request| self.take(request)).collect();
        let mut bytes = Vec::new();
        if replies.is_empty()
            && self.fault != Fault::Forgetful
            && let Some((id, job)) = self.jobs.pop_back()
        {
            let outcome = leaf::run(&job, &self.evaluator);
            if self.fault == Fault::Noisy {
                bytes.extend(b"noise\0");
                replies.push(Reply::Results(vec![JobResult { id: 999, outcome }]));
            }
            replies.push(Reply::Results(vec![JobResult { id, outcome }]));
        }
        for reply in replies {
            reply.encode_to(&mut bytes).expect("a good reply");
        }
        self.cycle += if bytes.is_empty() { until.cycles } else { 100 };
        if self.fault == Fault::Dumb {
            bytes.clear();
        }
        Ok(Answer {
            bytes,
            untaken: 0,
            cycle: self.cycle,
        })
    }
}

fn perfts(count: u8) -> Vec<Job> {
    let job = |index| Job::new(Position::initial(), Task::Perft { depth: index % 3 });
    (0..count).map(job).collect()
}

fn run(fake: &mut Fake, jobs: &[Job]) -> Result<Vec<Outcome>, ChipError> {
    Session::open(fake, Weights::standard())?.run(jobs, &|_| {})
}

#[test]
fn results_find_their_jobs_and_the_queue_never_overflows() {
    for fault in [Fault::None, Fault::Noisy] {
        let mut fake = Fake::new(fault);
        let heard = Mutex::new(Vec::new());
        let mut session = Session::open(&mut fake, Weights::standard()).expect("the chip answers");
        let done = |index| heard.lock().expect("no panic").push(index);
        let outcomes = session.run(&perfts(40), &done).expect("all done");
        let nodes: Vec<u32> = outcomes.iter().map(|outcome| outcome.nodes).collect();
        let expected: Vec<u32> = [1, 20, 400].into_iter().cycle().take(40).collect();
        assert_eq!(nodes, expected);
        assert_eq!(fake.most_jobs, usize::from(QUEUE));
        let mut heard = heard.into_inner().expect("no panic");
        assert_ne!(heard, (0..40).collect::<Vec<_>>(), "the fake is to answer out of order");
        heard.sort_unstable();
        assert_eq!(heard, (0..40).collect::<Vec<_>>());
    }
}

#[test]
fn no_jobs_are_no_work() {
    assert_eq!(run(&mut Fake::new(Fault::None), &[]), Ok(Vec::new()));
}

#[test]
fn weights_are_loaded_where_they_differ() {
    let mut fake = Fake::new(Fault::None);
    fake.words[3] += 1;
    run(&mut fake, &perfts(1)).expect("the weights are loaded");
    assert_eq!(fake.words, Weights::standard().to_words());

    let mut fake = Fake::new(Fault::Stubborn);
    fake.words[3] += 1;
    let error = run(&mut fake, &perfts(1)).expect_err("it keeps its weights");
    assert!(error.to_string().contains("did not take these"), "{error}");
}

#[test]
fn faults_are_named() {
    let error = run(&mut Fake::new(Fault::Dumb), &perfts(1)).expect_err("no answer");
    assert_eq!(error, ChipError::Silent { cycles: PATIENCE });
    let error = run(&mut Fake::new(Fault::Forgetful), &perfts(3)).expect_err("no results");
    assert_eq!(error, ChipError::Forgotten { jobs: 3 });
    let error = run(&mut Fake::new(Fault::Shallow), &perfts(3)).expect_err("refused");
    assert_eq!(error.to_string(), "the chip refused job 0: BadDepth");
    let deep = Job::new(Position::initial(), Task::Perft { depth: 15 });
    let error = run(&mut Fake::new(Fault::None), &[deep]).expect_err("too deep to say");
    assert!(error.to_string().starts_with("job 0 is not one for a chip"), "{error}");
}

#[test]
fn a_run_that_failed_leaves_no_jobs_behind() {
    let mut fake = Fake::new(Fault::Forgetful);
    let mut session = Session::open(&mut fake, Weights::standard()).expect("the chip answers");
    session.run(&perfts(3), &|_| {}).expect_err("no results");
    session.line.chip.fault = Fault::None;
    let outcomes = session.run(&perfts(2), &|_| {}).expect("all done");
    assert_eq!(outcomes.len(), 2);
    assert_eq!(session.line.chip.jobs.len(), 0);
}
