use bytemuck::{bytes_of, cast_slice, from_bytes};

use super::layout::{BatchBytes, ChildBytes, CommonBytes, JobBytes, Le16, LeI16};
use super::message::{Kind, Message};
use super::{ContentError, DecodeError, MAX_PAYLOAD, NO_JOB};
use crate::leaf::{Job, MATE, MAX_DEPTH, MAX_NODES, MAX_PERFT_DEPTH, Task, legal_moves};
use crate::packed::PackedPosition;
use crate::position::Position;
use crate::types::Move;
use crate::weights::{PLACEMENT_LIMIT, Term, Weights};

/// What the host says to the chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Who are you? Answered by [`super::Identity`].
    Identify,
    /// Drop all jobs without results, set all counters to zero.
    Reset,
    /// Some of the weights. Meant for an idle chip; [`super::Identity::weights_crc`] tells when all have arrived.
    LoadWeights(WeightWords),
    /// One job.
    Job {
        /// The name of its result; not [`NO_JOB`].
        id: u16,
        /// What to do.
        job: Job,
    },
    /// Many jobs around one position.
    Batch(Batch),
    /// Stop the jobs with these ids, at most [`MAX_IDS`]; all jobs if there are none. What was running or waiting ends as
    /// [`crate::leaf::Ending::Aborted`].
    Abort(Vec<u16>),
    /// How are you? Answered by [`super::Status`].
    Status,
}

/// Jobs around one position: its children, or the position itself under many windows.
///
/// The chip only asks whether a value is at least `beta`. Siblings all get the same question (`step` 0). Probes put
/// questions `step` apart to one position at once, with [`Move::NONE`] as each first move: the exact value lies between
/// the last yes and the first no, so one round of 128 probes narrows a window 129 times where bisection halves it.
///
/// A frame costs 48 bytes and 4 more a child, and 1 more for every 254 bytes without a zero. At 3 Mbaud, 10 bits a byte,
/// the line carries 300,000 bytes/s, and so:
///
/// | children | bytes | bytes a child | children a second |
/// |---|---|---|---|
/// | 1, as a [`Request::Job`] | 48 | 48 | 6,250 |
/// | 8 | 80 | 10.0 | 30,000 |
/// | 32 | 176 | 5.5 | 54,545 |
/// | 128 | 560 | 4.4 | 68,571 |
///
/// Results come back at 16 bytes each and 10 a frame: 32 of them are 522 bytes, 18,390 results a second. At that rate the
/// way back is the narrower one, and jobs want to be deep enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The position that all have in common.
    pub parent: Position,
    /// What to do, and the first child's `beta`.
    pub task: Task,
    /// Child *i* is searched with `beta + i * step`; 0 for perft.
    pub step: i16,
    /// The node limit of each job.
    pub node_limit: u32,
    /// Whether the jobs prune.
    pub pruning: bool,
    /// Whether each is searched by a gang.
    pub gang: bool,
    /// The jobs, from 1 to [`MAX_CHILDREN`].
    pub children: Vec<Child>,
}

/// One job of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// The name of its result; not [`NO_JOB`].
    pub id: u16,
    /// The move to make first; [`Move::NONE`] to start from the parent itself.
    pub first: Move,
}

/// Consecutive words of the weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightWords {
    /// The index of the first in [`Weights::to_words`].
    pub offset: u16,
    /// The words, from 1 to [`MAX_WORDS`].
    pub words: Vec<i16>,
}

/// The most children in a batch.
pub const MAX_CHILDREN: usize = (MAX_PAYLOAD - size_of::<BatchBytes>()) / size_of::<ChildBytes>();

/// The most words of weights in a frame.
pub const MAX_WORDS: usize = 256;

/// The most ids to abort in a frame.
pub const MAX_IDS: usize = 256;

impl Batch {
    /// The jobs that the chip will run, with their ids.
    pub fn jobs(&self) -> impl ExactSizeIterator<Item = (u16, Job)> {
        self.children.iter().enumerate().map(|(index, child)| {
            let task = match self.task {
                Task::Search { depth, beta } => Task::Search {
                    depth,
                    beta: beta_of(beta, self.step, index).clamp(i16::MIN.into(), i16::MAX.into()) as i16,
                },
                perft => perft,
            };
            let job = Job {
                position: self.parent,
                first: child.first,
                task,
                node_limit: self.node_limit,
                pruning: self.pruning,
                gang: self.gang,
            };
            (child.id, job)
        })
    }
}

/// The window of a batch's child.
fn beta_of(beta: i16, step: i16, index: usize) -> i32 {
    i32::from(beta) + i32::from(step) * index as i32
}

impl WeightWords {
    /// A whole set of weights, in as few frames as there can be.
    pub fn all(weights: &Weights) -> Vec<WeightWords> {
        let words = weights.to_words();
        let chunks = words.chunks(MAX_WORDS).enumerate();
        chunks
            .map(|(index, words)| WeightWords {
                offset: (index * MAX_WORDS) as u16,
                words: words.to_vec(),
            })
            .collect()
    }

    fn check(&self) -> Result<(), ContentError> {
        check_count(Kind::LoadWeights, self.words.len())?;
        let offset = usize::from(self.offset);
        if offset + self.words.len() > Weights::WORDS {
            return Err(ContentError::WeightRange {
                offset: self.offset,
                count: self.words.len(),
            });
        }
        for (index, &value) in (offset..).zip(&self.words) {
            let term = (index + Term::COUNT).checked_sub(Weights::WORDS);
            let most = term.map_or(PLACEMENT_LIMIT, |term| Term::ALL[term].limit());
            if !(-most..=most).contains(&value) {
                return Err(ContentError::Weight { index, value, most });
            }
        }
        Ok(())
    }
}

impl Message for Request {
    const FROM_CHIP: bool = false;

    fn kind(&self) -> Kind {
        match self {
            Request::Identify => Kind::Identify,
            Request::Reset => Kind::Reset,
            Request::LoadWeights(_) => Kind::LoadWeights,
            Request::Job { .. } => Kind::Job,
            Request::Batch(_) => Kind::Batch,
            Request::Abort(_) => Kind::Abort,
            Request::Status => Kind::StatusRequest,
        }
    }

    fn payload(&self) -> Result<Vec<u8>, ContentError> {
        let mut payload = Vec::new();
        match self {
            Request::Identify | Request::Reset | Request::Status => {}
            Request::LoadWeights(weights) => {
                weights.check()?;
                payload.extend(weights.offset.to_le_bytes());
                payload.extend(weights.words.iter().flat_map(|word| word.to_le_bytes()));
            }
            Request::Job { id, job } => {
                let position = check_position(&job.position)?;
                let fields = JobBytes {
                    id: check_id(*id)?.into(),
                    common: pack_common(&Common::of_job(job), (0, 1))?,
                    first: FirstMoves::of(job.position).check(job.first)?.bits().into(),
                    position,
                };
                payload.extend(bytes_of(&fields));
            }
            Request::Batch(batch) => {
                let position = check_position(&batch.parent)?;
                let fields = BatchBytes {
                    step: batch.step.into(),
                    common: pack_common(&Common::of_batch(batch), (batch.step, batch.children.len()))?,
                    count: (check_count(Kind::Batch, batch.children.len())? as u16).into(),
                    position,
                };
                payload.extend(bytes_of(&fields));
                let mut moves = FirstMoves::of(batch.parent);
                for child in &batch.children {
                    let fields = ChildBytes {
                        id: check_id(child.id)?.into(),
                        first: moves.check(child.first)?.bits().into(),
                    };
                    payload.extend(bytes_of(&fields));
                }
            }
            Request::Abort(ids) => {
                check_count(Kind::Abort, ids.len())?;
                for &id in ids {
                    payload.extend(check_id(id)?.to_le_bytes());
                }
            }
        }
        Ok(payload)
    }

    fn from_payload(kind: Kind, payload: &[u8]) -> Result<Request, DecodeError> {
        let (head, items) = payload.split_at(kind.shape().head);
        // Who is to blame: most errors are the frame's.
        let by = |id| move |error| DecodeError::Content { kind, id, error };
        Ok(match kind {
            Kind::Identify => Request::Identify,
            Kind::Reset => Request::Reset,
            Kind::StatusRequest => Request::Status,
            Kind::LoadWeights => {
                let weights = WeightWords {
                    offset: from_bytes::<Le16>(head).get(),
                    words: cast_slice::<_, LeI16>(items).iter().map(|word| word.get()).collect(),
                };
                weights.check().map_err(by(None))?;
                Request::LoadWeights(weights)
            }
            Kind::Job => {
                let fields: &JobBytes = from_bytes(head);
                let id = check_id(fields.id.get()).map_err(by(None))?;
                let job = unpack_job(fields).map_err(by(Some(id)))?;
                Request::Job { id, job }
            }
            Kind::Batch => {
                let children: &[ChildBytes] = cast_slice(items);
                let (mut batch, mut moves) = unpack_batch(from_bytes(head), children.len()).map_err(by(None))?;
                for child in children {
                    let id = check_id(child.id.get()).map_err(by(None))?;
                    let first = moves.unpack(child.first).map_err(by(Some(id)))?;
                    batch.children.push(Child { id, first });
                }
                Request::Batch(batch)
            }
            Kind::Abort => {
                let ids = cast_slice::<_, Le16>(items).iter().map(|id| check_id(id.get()));
                Request::Abort(ids.collect::<Result<_, _>>().map_err(by(None))?)
            }
            Kind::Identity | Kind::Results | Kind::Status | Kind::Error => return Err(DecodeError::Kind(kind as u8)),
        })
    }
}

fn unpack_job(fields: &JobBytes) -> Result<Job, ContentError> {
    let common = unpack_common(&fields.common, (0, 1))?;
    let position = fields.position.unpack()?;
    Ok(Job {
        position,
        first: FirstMoves::of(position).unpack(fields.first)?,
        task: common.task,
        node_limit: common.node_limit,
        pruning: common.pruning,
        gang: common.gang,
    })
}

/// The batch without its children, and the moves that they may make.
fn unpack_batch(fields: &BatchBytes, count: usize) -> Result<(Batch, FirstMoves), ContentError> {
    if usize::from(fields.count.get()) != count {
        return Err(ContentError::Children {
            said: fields.count.get(),
            found: count,
        });
    }
    let step = fields.step.get();
    let common = unpack_common(&fields.common, (step, count))?;
    let parent = fields.position.unpack()?;
    let batch = Batch {
        parent,
        task: common.task,
        step,
        node_limit: common.node_limit,
        pruning: common.pruning,
        gang: common.gang,
        children: Vec::with_capacity(count),
    };
    Ok((batch, FirstMoves::of(parent)))
}

const PERFT: u8 = 0x80;
const PRUNING: u8 = 0x40;
const GANG: u8 = 0x20;
const DEPTH: u8 = 0x1f;

/// What [`CommonBytes`] say.
struct Common {
    task: Task,
    pruning: bool,
    gang: bool,
    node_limit: u32,
}

impl Common {
    fn of_job(job: &Job) -> Common {
        Common {
            task: job.task,
            pruning: job.pruning,
            gang: job.gang,
            node_limit: job.node_limit,
        }
    }

    fn of_batch(batch: &Batch) -> Common {
        Common {
            task: batch.task,
            pruning: batch.pruning,
            gang: batch.gang,
            node_limit: batch.node_limit,
        }
    }
}

/// `steps` are the step of a batch and the number of its children.
fn pack_common(common: &Common, steps: (i16, usize)) -> Result<CommonBytes, ContentError> {
    let Common {
        task,
        pruning,
        gang,
        node_limit,
    } = *common;
    check_depth(task)?;
    let (task, beta) = match task {
        Task::Search { depth, beta } => (depth, beta),
        Task::Perft { depth } => (depth | PERFT, 0),
    };
    let fields = CommonBytes {
        task: task | if pruning { PRUNING } else { 0 } | if gang { GANG } else { 0 },
        reserved: 0,
        beta: beta.into(),
        node_limit: node_limit.into(),
    };
    unpack_common(&fields, steps).map(|_| fields)
}

fn unpack_common(fields: &CommonBytes, (step, count): (i16, usize)) -> Result<Common, ContentError> {
    const TASK: usize = 2;
    if fields.reserved != 0 {
        return Err(ContentError::Reserved(TASK + 1));
    }
    // Only a search that prunes may have a gang.
    let gang = fields.task & GANG != 0;
    if gang && fields.task & (PERFT | PRUNING) != PRUNING {
        return Err(ContentError::Reserved(TASK));
    }
    let (depth, beta) = (fields.task & DEPTH, fields.beta.get());
    let task = match fields.task & PERFT {
        0 => Task::Search { depth, beta },
        _ => Task::Perft { depth },
    };
    check_depth(task)?;
    match task {
        Task::Search { .. } => {
            // The windows are evenly spaced: if the first and the last are good, all are.
            for index in [0, count.saturating_sub(1)] {
                check_beta(beta_of(beta, step, index))?;
            }
        }
        Task::Perft { .. } if beta != 0 || step != 0 => return Err(ContentError::PerftWindow { beta, step }),
        Task::Perft { .. } => {}
    }
    match fields.node_limit.get() {
        node_limit @ 0..=MAX_NODES => Ok(Common {
            task,
            pruning: fields.task & PRUNING != 0,
            gang,
            node_limit,
        }),
        limit => Err(ContentError::NodeLimit(limit)),
    }
}

/// The legal moves of a position, found when the first one is asked for.
struct FirstMoves {
    position: Position,
    legal: Option<Vec<Move>>,
}

impl FirstMoves {
    fn of(position: Position) -> FirstMoves {
        FirstMoves { position, legal: None }
    }

    fn check(&mut self, first: Move) -> Result<Move, ContentError> {
        if first.is_none() {
            return Ok(first);
        }
        let legal = self.legal.get_or_insert_with(|| legal_moves(&self.position));
        match legal.contains(&first) {
            true => Ok(first),
            false => Err(ContentError::IllegalMove(first)),
        }
    }

    fn unpack(&mut self, bits: Le16) -> Result<Move, ContentError> {
        let bits = bits.get();
        self.check(Move::from_bits(bits).ok_or(ContentError::Move(bits))?)
    }
}

/// A position that a careless [`Position::make`] has led to need not be one that unpacks.
fn check_position(position: &Position) -> Result<PackedPosition, ContentError> {
    let packed = PackedPosition::pack(position);
    packed.unpack()?;
    Ok(packed)
}

fn check_depth(task: Task) -> Result<(), ContentError> {
    let (found, most) = match task {
        Task::Search { depth, .. } => (depth, MAX_DEPTH),
        Task::Perft { depth } => (depth, MAX_PERFT_DEPTH),
    };
    match found <= most {
        true => Ok(()),
        false => Err(ContentError::Depth { found, most }),
    }
}

fn check_beta(beta: i32) -> Result<(), ContentError> {
    match (i32::from(1 - MATE)..=i32::from(MATE)).contains(&beta) {
        true => Ok(()),
        false => Err(ContentError::Beta(beta)),
    }
}

pub(super) fn check_id(id: u16) -> Result<u16, ContentError> {
    match id {
        NO_JOB => Err(ContentError::Id),
        _ => Ok(id),
    }
}

pub(super) fn check_count(kind: Kind, found: usize) -> Result<usize, ContentError> {
    match kind.shape().items.contains(&found) {
        true => Ok(found),
        false => Err(ContentError::Count { kind, found }),
    }
}
