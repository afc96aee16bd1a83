use std::collections::HashMap;

use bluebelle_spec::Weights;
use bluebelle_spec::leaf::{Job, Outcome};
use bluebelle_spec::wire::{Decoder, Features, Identity, Message, Reply, Request, WeightWords, weights_crc};

use crate::clocked::{ChipError, ClockedChip, Until};

/// Cycles in one go: few enough that a simulation soon notices that its host has gone.
const GO: u64 = 100_000;

/// Cycles in which a chip says who or how it is, and after which a quiet one is asked how it is.
const PATIENCE: u64 = 2_000_000;

/// The host's side of a conversation with a chip. It never has more jobs with the chip than the chip's queue holds, so
/// that no queue can overflow.
pub(crate) struct Session<C> {
    line: Line<C>,
    identity: Identity,
    /// Whether the chip may have jobs of a run that failed.
    stale: bool,
}

impl<C: ClockedChip> Session<C> {
    /// Asks the chip who it is, and gives it these weights if it has others.
    pub(crate) fn open(chip: C, weights: &Weights) -> Result<Session<C>, ChipError> {
        let mut line = Line {
            chip,
            decoder: Decoder::new(),
            cycle: 0,
        };
        // A delimiter first: the chip may have heard noise.
        let mut identity = line.identify(vec![0])?;
        let expected = weights_crc(weights);
        if identity.weights_crc != expected && identity.features.has(Features::WEIGHTS) {
            let mut bytes = Vec::new();
            for words in WeightWords::all(weights) {
                let request = Request::LoadWeights(words);
                request.encode_to(&mut bytes).expect("weights are in range");
            }
            identity = line.identify(bytes)?;
        }
        if identity.weights_crc != expected {
            return Err(ChipError::Weights {
                expected,
                found: identity.weights_crc,
                why: match identity.features.has(Features::WEIGHTS) {
                    true => "did not take these",
                    false => "cannot load these",
                },
            });
        }
        Ok(Session {
            line,
            identity,
            stale: false,
        })
    }

    /// Who the chip is.
    pub(crate) const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Cycles since the chip was started.
    pub(crate) const fn cycle(&self) -> u64 {
        self.line.cycle
    }

    /// The chip itself.
    pub(crate) fn chip_mut(&mut self) -> &mut C {
        &mut self.line.chip
    }

    /// Runs jobs; see [`crate::Accelerator::run`].
    pub(crate) fn run(&mut self, jobs: &[Job], done: &(dyn Fn(usize) + Sync)) -> Result<Vec<Outcome>, ChipError> {
        if self.stale {
            let reset = Request::Reset.encode().expect("it has no content");
            // Whatever comes before the answer is of the past.
            self.line.identify(reset)?;
        }
        self.stale = true;
        let outcomes = Run::new(jobs, &self.identity).finish(&mut self.line, done)?;
        self.stale = false;
        Ok(outcomes)
    }
}

/// Some jobs on their way.
struct Run<'a> {
    waiting: std::iter::Enumerate<std::slice::Iter<'a, Job>>,
    /// The ids that no job has; as many as the chip has room for.
    free: Vec<u16>,
    running: HashMap<u16, usize>,
    outcomes: Vec<Option<Outcome>>,
    /// The slots that had been busy when the chip was asked, if no result has come since.
    busy: Option<u64>,
}

impl<'a> Run<'a> {
    fn new(jobs: &'a [Job], identity: &Identity) -> Run<'a> {
        Run {
            waiting: jobs.iter().enumerate(),
            free: (0..identity.queue).rev().collect(),
            running: HashMap::new(),
            outcomes: vec![None; jobs.len()],
            busy: None,
        }
    }

    fn finish(
        mut self,
        line: &mut Line<impl ClockedChip>,
        done: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Outcome>, ChipError> {
        let mut bytes = Vec::new();
        let mut heard = line.cycle;
        let mut asked = false;
        loop {
            self.fill(&mut bytes)?;
            if self.running.is_empty() {
                return Ok(self.outcomes.into_iter().flatten().collect());
            }
            if line.cycle - heard >= PATIENCE {
                if asked {
                    return Err(ChipError::Silent { cycles: PATIENCE });
                }
                Request::Status.encode_to(&mut bytes).expect("it has no content");
                asked = true;
                heard = line.cycle;
            }
            let replies = line.step(&bytes)?;
            bytes.clear();
            for reply in replies {
                heard = line.cycle;
                asked = false;
                self.hear(reply, done)?;
            }
        }
    }

    /// Writes down as many jobs as there are ids for.
    fn fill(&mut self, bytes: &mut Vec<u8>) -> Result<(), ChipError> {
        while let Some(&id) = self.free.last()
            && let Some((index, &job)) = self.waiting.next()
        {
            let request = Request::Job { id, job };
            let encoded = request.encode_to(bytes);
            encoded.map_err(|error| ChipError::BadJob { index, error })?;
            self.free.pop();
            self.running.insert(id, index);
        }
        Ok(())
    }

    fn hear(&mut self, reply: Reply, done: &(dyn Fn(usize) + Sync)) -> Result<(), ChipError> {
        match reply {
            Reply::Results(results) => {
                self.busy = None;
                for result in results {
                    // A result that nobody waits for is not ours to judge.
                    if let Some(index) = self.running.remove(&result.id) {
                        self.outcomes[index] = Some(result.outcome);
                        self.free.push(result.id);
                        done(index);
                    }
                }
                Ok(())
            }
            Reply::Status(status) if self.busy.replace(status.slots_busy) == Some(status.slots_busy) => {
                Err(ChipError::Forgotten {
                    jobs: self.running.len(),
                })
            }
            Reply::Error(error) => Err(ChipError::Refused {
                index: error.id.and_then(|id| self.running.get(&id).copied()),
                code: error.code,
            }),
            Reply::Status(_) | Reply::Identity(_) => Ok(()),
        }
    }
}

/// The bytes to and from the chip, as requests and replies.
struct Line<C> {
    chip: C,
    decoder: Decoder<Reply>,
    cycle: u64,
}

impl<C: ClockedChip> Line<C> {
    /// Sends these bytes and *identify*; gives the answer, and forgets what came before it.
    fn identify(&mut self, mut bytes: Vec<u8>) -> Result<Identity, ChipError> {
        Request::Identify.encode_to(&mut bytes).expect("it has no content");
        let end = self.cycle + PATIENCE;
        while self.cycle < end {
            for reply in self.step(&bytes)? {
                match reply {
                    Reply::Identity(identity) => return Ok(identity),
                    Reply::Error(error) => {
                        return Err(ChipError::Refused {
                            index: None,
                            code: error.code,
                        });
                    }
                    Reply::Results(_) | Reply::Status(_) => {}
                }
            }
            bytes.clear();
        }
        Err(ChipError::Silent { cycles: PATIENCE })
    }

    /// Runs until the chip says something, or [`GO`] cycles. Replies that cannot be read are as good as lost.
    fn step(&mut self, bytes: &[u8]) -> Result<Vec<Reply>, ChipError> {
        let until = Until { frames: 1, cycles: GO };
        let answer = self.chip.exchange(bytes, until)?;
        self.cycle = answer.cycle;
        Ok(self.decoder.push(&answer.bytes).filter_map(Result::ok).collect())
    }
}

#[cfg(test)]
mod tests;
