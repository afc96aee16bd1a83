use std::collections::HashMap;

use bluebelle_spec::wire::{Decoder, ErrorReply, Kind, Reply, Request};

use super::Tally;

/// Listens to both sides, to know whether the chip has work: a job may be silent for minutes.
#[derive(Default)]
pub(super) struct Traffic {
    requests: Decoder<Request>,
    replies: Decoder<Reply>,
    /// The jobs whose results have not been seen, and the number of the frame that brought each.
    jobs: HashMap<u16, u64>,
    frames: u64,
    tally: Tally,
}

impl Traffic {
    /// How many jobs the chip has.
    pub(super) fn jobs(&self) -> usize {
        self.jobs.len()
    }

    /// What has gone through so far.
    pub(super) const fn tally(&self) -> Tally {
        self.tally
    }

    pub(super) fn hear_host(&mut self, bytes: &[u8]) {
        for request in self.requests.push(bytes).filter_map(Result::ok) {
            self.tally.requests += 1;
            match request {
                Request::Job { id, .. } => {
                    self.frames += 1;
                    self.jobs.insert(id, self.frames);
                }
                Request::Batch(batch) => {
                    self.frames += 1;
                    self.jobs
                        .extend(batch.children.iter().map(|child| (child.id, self.frames)));
                }
                Request::Reset => self.jobs.clear(),
                // The results of aborted jobs come too.
                Request::Abort(_) | Request::Identify | Request::LoadWeights(_) | Request::Status => {}
            }
        }
    }

    pub(super) fn hear_chip(&mut self, bytes: &[u8]) {
        for reply in self.replies.push(bytes).filter_map(Result::ok) {
            match reply {
                Reply::Results(results) => {
                    self.tally.results += results.len() as u64;
                    for result in results {
                        self.jobs.remove(&result.id);
                    }
                }
                Reply::Error(ErrorReply { kind, id, .. }) if kind == Kind::Job as u8 || kind == Kind::Batch as u8 => {
                    // Nothing of that frame was done. One that is not named was, most likely, the last.
                    let frame = id.and_then(|id| self.jobs.get(&id).copied()).unwrap_or(self.frames);
                    self.jobs.retain(|_, &mut brought_by| brought_by != frame);
                }
                Reply::Error(_) | Reply::Identity(_) | Reply::Status(_) => {}
            }
        }
    }
}
