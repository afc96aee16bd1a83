use bytemuck::{bytes_of, cast_slice, from_bytes};

use super::layout::{ErrorBytes, IdentityBytes, ResultBytes, StatusBytes};
use super::message::{Kind, Message};
use super::request::{check_count, check_id};
use super::{ContentError, DecodeError, Dropped, NO_JOB, VERSION};
use crate::leaf::{Ending, MATE, Outcome};
use crate::types::Move;

/// What the chip says to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Who it is.
    Identity(Identity),
    /// What jobs found, from 1 to [`MAX_RESULTS`].
    Results(Vec<JobResult>),
    /// Its counters.
    Status(Status),
    /// A frame arrived well, but cannot be done. Nothing of it was.
    Error(ErrorReply),
}

/// What the chip says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Names the bitstream.
    pub build: [u8; 16],
    /// The newest wire version that it speaks; it answers in the version it was asked in.
    pub wire_version: u8,
    /// How many cores.
    pub cores: u8,
    /// Threads of a core: jobs that it works on at once.
    pub threads: u8,
    /// Stages of a core's ring: the cycles of a slot.
    pub stages: u8,
    /// The clock of the cores, in kHz.
    pub clock_khz: u32,
    /// The credits: how many jobs it can hold beyond those that it works on.
    pub queue: u16,
    /// The most children that it takes in a batch, up to [`super::MAX_CHILDREN`].
    pub max_children: u16,
    /// The deepest search, up to [`crate::leaf::MAX_DEPTH`].
    pub max_depth: u8,
    /// The deepest perft, up to [`crate::leaf::MAX_PERFT_DEPTH`].
    pub max_perft_depth: u8,
    /// The depth of its stack, up to [`crate::leaf::MAX_PLY`].
    pub max_ply: u8,
    /// What it can do.
    pub features: Features,
    /// The [checksum](super::weights_crc) of the weights that it evaluates with.
    pub weights_crc: u32,
}

/// What a chip can do: one bit each. A bit that this host does not know is kept and means nothing to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features(pub u32);

impl Features {
    /// Runs searches.
    pub const SEARCH: Features = Features(1);
    /// Counts move sequences.
    pub const PERFT: Features = Features(1 << 1);
    /// Takes batches.
    pub const BATCH: Features = Features(1 << 2);
    /// Stops jobs when told to.
    pub const ABORT: Features = Features(1 << 3);
    /// Loads weights.
    pub const WEIGHTS: Features = Features(1 << 4);
    /// Prunes and reduces by today's [rules](crate::leaf::pruning) when asked to. Bits 5 to 7 told of earlier rules: a chip that
    /// has no others is not asked to prune.
    pub const PRUNING: Features = Features(1 << 8);
    /// Searches a job by [all threads of a core](crate::leaf::gang) when asked to.
    pub const GANG: Features = Features(1 << 9);
    /// All that there are in this version.
    pub const ALL: Features = Features(0x31f);

    /// All, but gangs only if the chip was built with them.
    pub const fn with_gangs_if(gangs: bool) -> Features {
        match gangs {
            true => Features::ALL,
            false => Features(Features::ALL.0 & !Features::GANG.0),
        }
    }

    /// Whether all of `others` are among these.
    pub const fn has(self, others: Features) -> bool {
        self.0 & others.0 == others.0
    }

    /// These and those.
    pub const fn with(self, others: Features) -> Features {
        Features(self.0 | others.0)
    }
}

/// What one job found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobResult {
    /// The job.
    pub id: u16,
    /// What it found.
    pub outcome: Outcome,
}

/// The chip's counters, since it was configured or [reset](super::Request::Reset). They stop at their largest value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Slots that a job used, over all cores.
    pub slots_busy: u64,
    /// Slots that there were, over all cores.
    pub slots_total: u64,
    /// Results sent.
    pub jobs_done: u32,
    /// Frames understood.
    pub frames_ok: u32,
    /// Frames dropped.
    pub dropped: Dropped,
    /// Jobs that wait.
    pub jobs_queued: u16,
    /// Jobs that it has room for.
    pub credits: u16,
}

/// Why the chip did not do what a frame asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorReply {
    /// What was wrong.
    pub code: ErrorCode,
    /// The [kind](Kind) of the frame, known or not.
    pub kind: u8,
    /// The job that is to blame, if it is one.
    pub id: Option<u16>,
}

/// What can be wrong with a frame that arrived well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ErrorCode {
    /// Not a frame that this chip knows.
    UnknownKind = 1,
    /// Not a version that this chip speaks.
    BadVersion = 2,
    /// A payload of the wrong length.
    BadLength = 3,
    /// A bit set that must be zero.
    BadReserved = 4,
    /// Not a position.
    BadPosition = 5,
    /// Not a move, or not a legal one.
    BadMove = 6,
    /// Too deep.
    BadDepth = 7,
    /// A window outside of all scores.
    BadWindow = 8,
    /// A node limit beyond the largest.
    BadNodeLimit = 9,
    /// The id that is no job.
    BadId = 10,
    /// Weights that do not fit.
    BadWeights = 11,
    /// More jobs than there were credits.
    QueueFull = 12,
    /// A feature that this chip does not have.
    Unsupported = 13,
}

/// The most results in a frame.
pub const MAX_RESULTS: usize = 32;

impl ErrorCode {
    /// Every code, from 1.
    pub const ALL: [ErrorCode; 13] = [
        ErrorCode::UnknownKind,
        ErrorCode::BadVersion,
        ErrorCode::BadLength,
        ErrorCode::BadReserved,
        ErrorCode::BadPosition,
        ErrorCode::BadMove,
        ErrorCode::BadDepth,
        ErrorCode::BadWindow,
        ErrorCode::BadNodeLimit,
        ErrorCode::BadId,
        ErrorCode::BadWeights,
        ErrorCode::QueueFull,
        ErrorCode::Unsupported,
    ];
}

impl Message for Reply {
    const FROM_CHIP: bool = true;

    fn kind(&self) -> Kind {
        match self {
            Reply::Identity(_) => Kind::Identity,
            Reply::Results(_) => Kind::Results,
            Reply::Status(_) => Kind::Status,
            Reply::Error(_) => Kind::Error,
        }
    }

    fn payload(&self) -> Result<Vec<u8>, ContentError> {
        Ok(match self {
            Reply::Identity(identity) => bytes_of(&identity.pack()?).to_vec(),
            Reply::Results(results) => {
                check_count(Kind::Results, results.len())?;
                let results = results.iter().map(JobResult::pack).collect::<Result<Vec<_>, _>>()?;
                cast_slice(&results).to_vec()
            }
            Reply::Status(status) => bytes_of(&status.pack()).to_vec(),
            Reply::Error(error) => bytes_of(&error.pack()?).to_vec(),
        })
    }

    fn from_payload(kind: Kind, payload: &[u8]) -> Result<Reply, DecodeError> {
        let content = |error| DecodeError::Content { kind, id: None, error };
        Ok(match kind {
            Kind::Identity => Reply::Identity(Identity::unpack(from_bytes(payload)).map_err(content)?),
            Kind::Results => {
                let results = cast_slice(payload).iter().enumerate().map(JobResult::unpack);
                Reply::Results(results.collect::<Result<_, _>>().map_err(content)?)
            }
            Kind::Status => Reply::Status(Status::unpack(from_bytes(payload))),
            Kind::Error => Reply::Error(ErrorReply::unpack(from_bytes(payload)).map_err(content)?),
            _ => return Err(DecodeError::Kind(kind as u8)),
        })
    }
}

impl Identity {
    fn pack(&self) -> Result<IdentityBytes, ContentError> {
        self.check()?;
        Ok(IdentityBytes {
            build: self.build,
            wire_version: self.wire_version,
            cores: self.cores,
            threads: self.threads,
            stages: self.stages,
            clock_khz: self.clock_khz.into(),
            queue: self.queue.into(),
            max_children: self.max_children.into(),
            max_depth: self.max_depth,
            max_perft_depth: self.max_perft_depth,
            max_ply: self.max_ply,
            reserved: 0,
            features: self.features.0.into(),
            weights_crc: self.weights_crc.into(),
        })
    }

    fn unpack(fields: &IdentityBytes) -> Result<Identity, ContentError> {
        if fields.reserved != 0 {
            return Err(ContentError::Reserved(31));
        }
        let identity = Identity {
            build: fields.build,
            wire_version: fields.wire_version,
            cores: fields.cores,
            threads: fields.threads,
            stages: fields.stages,
            clock_khz: fields.clock_khz.get(),
            queue: fields.queue.get(),
            max_children: fields.max_children.get(),
            max_depth: fields.max_depth,
            max_perft_depth: fields.max_perft_depth,
            max_ply: fields.max_ply,
            features: Features(fields.features.get()),
            weights_crc: fields.weights_crc.get(),
        };
        identity.check().map(|()| identity)
    }

    /// Hosts divide by these.
    fn check(&self) -> Result<(), ContentError> {
        let needed = [
            ("wire version", self.wire_version >= VERSION),
            ("cores", self.cores > 0),
            ("threads", self.threads > 0),
            ("stages", self.stages > 0),
            ("clock", self.clock_khz > 0),
            ("queue", self.queue > 0),
        ];
        match needed.into_iter().find(|(_, there)| !there) {
            Some((what, _)) => Err(ContentError::Identity(what)),
            None => Ok(()),
        }
    }
}

impl JobResult {
    fn pack(&self) -> Result<ResultBytes, ContentError> {
        let outcome = &self.outcome;
        Ok(ResultBytes {
            id: check_id(self.id)?.into(),
            ending: outcome.ending as u8,
            reserved: 0,
            score: check_score(outcome.score)?.into(),
            best: outcome.best.bits().into(),
            nodes: outcome.nodes.into(),
            slots: outcome.slots.into(),
        })
    }

    fn unpack((index, fields): (usize, &ResultBytes)) -> Result<JobResult, ContentError> {
        if fields.reserved != 0 {
            return Err(ContentError::Reserved(index * size_of::<ResultBytes>() + 3));
        }
        let best = fields.best.get();
        Ok(JobResult {
            id: check_id(fields.id.get())?,
            outcome: Outcome {
                ending: unpack_ending(fields.ending)?,
                score: check_score(fields.score.get())?,
                best: Move::from_bits(best).ok_or(ContentError::Move(best))?,
                nodes: fields.nodes.get(),
                slots: fields.slots.get(),
            },
        })
    }
}

impl Status {
    fn pack(&self) -> StatusBytes {
        StatusBytes {
            slots_busy: self.slots_busy.into(),
            slots_total: self.slots_total.into(),
            jobs_done: self.jobs_done.into(),
            frames_ok: self.frames_ok.into(),
            dropped: self.dropped.by_cause().map(Into::into),
            jobs_queued: self.jobs_queued.into(),
            credits: self.credits.into(),
        }
    }

    fn unpack(fields: &StatusBytes) -> Status {
        Status {
            slots_busy: fields.slots_busy.get(),
            slots_total: fields.slots_total.get(),
            jobs_done: fields.jobs_done.get(),
            frames_ok: fields.frames_ok.get(),
            dropped: Dropped::from_causes(fields.dropped.map(|count| count.get())),
            jobs_queued: fields.jobs_queued.get(),
            credits: fields.credits.get(),
        }
    }
}

impl ErrorReply {
    fn pack(&self) -> Result<ErrorBytes, ContentError> {
        Ok(ErrorBytes {
            code: self.code as u8,
            kind: self.kind,
            id: self.id.map_or(Ok(NO_JOB), check_id)?.into(),
        })
    }

    fn unpack(fields: &ErrorBytes) -> Result<ErrorReply, ContentError> {
        let code = ErrorCode::ALL.into_iter().find(|&code| code as u8 == fields.code);
        Ok(ErrorReply {
            code: code.ok_or(ContentError::ErrorCode(fields.code))?,
            kind: fields.kind,
            id: Some(fields.id.get()).filter(|&id| id != NO_JOB),
        })
    }
}

fn unpack_ending(code: u8) -> Result<Ending, ContentError> {
    const ALL: [Ending; 6] = [
        Ending::Lower,
        Ending::Upper,
        Ending::Counted,
        Ending::Limit,
        Ending::Aborted,
        Ending::Illegal,
    ];
    let ending = ALL.into_iter().find(|&ending| ending as u8 == code);
    ending.ok_or(ContentError::Ending(code))
}

fn check_score(score: i16) -> Result<i16, ContentError> {
    match (-MATE..=MATE).contains(&score) {
        true => Ok(score),
        false => Err(ContentError::Score(score)),
    }
}
