use super::message::Kind;
use super::reply::{ErrorCode, ErrorReply};
use super::{MAX_PAYLOAD, NO_JOB, VERSION};
use crate::leaf::{MATE, MAX_NODES};
use crate::packed::UnpackError;
use crate::types::Move;
use crate::weights::Weights;

/// Why a frame was dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// Not a frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A frame that means nothing to this side.
    #[error("frame kind {0:#04x} is not known here: a newer peer, or requests echoed back; identify the chip first")]
    Kind(u8),
    /// A payload that is too short, too long or cut in the middle of an item.
    #[error("{kind:?} frame with a payload of {found} bytes: expected {}", .kind.shape())]
    Length {
        /// What frame.
        kind: Kind,
        /// The length of its payload.
        found: usize,
    },
    /// A payload that says something impossible.
    #[error("{kind:?} frame refused: {error}")]
    Content {
        /// What frame.
        kind: Kind,
        /// The job that is to blame, if it is one.
        id: Option<u16>,
        /// What is wrong with it.
        #[source]
        error: ContentError,
    },
}

/// Why bytes are not a frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The delimiter came inside a block.
    #[error("the frame ends inside a COBS block: bytes were lost or changed; send it again")]
    Framing,
    /// Not even a header and a CRC.
    #[error("a frame of {0} bytes: header and CRC alone have 8; bytes were lost, send it again")]
    Short(usize),
    /// More bytes than the buffer holds.
    #[error("the frame is too long: a payload has at most {MAX_PAYLOAD} bytes; split it, or look for a lost delimiter")]
    Overflow,
    /// Something was changed on the way.
    #[error("the frame's CRC is {found:#010x}, but its bytes give {expected:#010x}: send it again")]
    Crc {
        /// What the bytes give.
        expected: u32,
        /// What the frame says.
        found: u32,
    },
    /// The length in the header is wrong, although the CRC is right.
    #[error("the header says {said} bytes of payload, but there are {found}: the sender is broken")]
    Length {
        /// What frame it would be.
        kind: u8,
        /// The length in the header.
        said: u16,
        /// The bytes there are.
        found: usize,
    },
    /// A version that this side does not speak.
    #[error("frame of wire version {version}: expected {VERSION}; use a host and a bitstream of the same release")]
    Version {
        /// What frame it would be.
        kind: u8,
        /// Its version.
        version: u8,
    },
}

/// What is wrong with the contents of a message, on the way in or out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContentError {
    /// A bit that must be zero is not.
    #[error("byte {0} of the payload has bits set that must be zero")]
    Reserved(usize),
    /// Not a position.
    #[error("no such position: {0}")]
    Position(#[from] UnpackError),
    /// Not a move.
    #[error("{0:#06x} is no move: expected from, to and a promotion to queen, rook, bishop or knight, or 0 for none")]
    Move(u16),
    /// A move that cannot be made first.
    #[error("{0} is not legal in the job's position: send legal moves only, or none")]
    IllegalMove(Move),
    /// Deeper than the chip goes.
    #[error("depth {found}: at most {most} for this task")]
    Depth {
        /// The depth asked for.
        found: u8,
        /// The deepest there is.
        most: u8,
    },
    /// A window outside of all scores.
    #[error("beta {0}: expected {least} to {MATE}, for every child of a batch", least = 1 - MATE)]
    Beta(i32),
    /// A window for a task that has none.
    #[error("beta {beta} and step {step} for a perft: expected 0, it has no window")]
    PerftWindow {
        /// Beta.
        beta: i16,
        /// Step.
        step: i16,
    },
    /// More nodes than a job may visit.
    #[error("node limit {0}: at most {MAX_NODES}, or 0 for that")]
    NodeLimit(u32),
    /// The id that is no job.
    #[error("job id {NO_JOB} means no job: use 0 to {}", NO_JOB - 1)]
    Id,
    /// Too few or too many of something.
    #[error("{found} items for a frame of kind {kind:?}: expected {} to {}; use more frames", .kind.shape().items.start(), .kind.shape().items.end())]
    Count {
        /// What frame.
        kind: Kind,
        /// How many there are.
        found: usize,
    },
    /// A batch that miscounts its children.
    #[error("a batch that says it has {said} children has {found}: the sender is broken")]
    Children {
        /// The count in the payload.
        said: u16,
        /// The children there are.
        found: usize,
    },
    /// Words beyond the end of the weights.
    #[error("{count} weights from word {offset}: a set has {}", Weights::WORDS)]
    WeightRange {
        /// The first word.
        offset: u16,
        /// How many.
        count: usize,
    },
    /// A weight that does not fit the chip.
    #[error("weight {index} is {value}: at most {most} either way fits the chip")]
    Weight {
        /// Which word.
        index: usize,
        /// The weight.
        value: i16,
        /// The largest that fits.
        most: i16,
    },
    /// Not an ending.
    #[error("{0} is no ending of a job: expected 1 to 6")]
    Ending(u8),
    /// A score beyond mate.
    #[error("score {0}: expected {least} to {MATE}", least = -MATE)]
    Score(i16),
    /// A chip with none of something that every chip has.
    #[error("the chip says that it has no {0}: the bitstream is broken")]
    Identity(&'static str),
    /// Not an error code.
    #[error("{0} is no error code: expected 1 to {most}", most = ErrorCode::ALL.len())]
    ErrorCode(u8),
}

/// The chip's counters of dropped frames tell these apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum DropCause {
    /// Wrong CRC.
    Crc,
    /// Cut off, or too short to be a frame.
    Framing,
    /// A length that is wrong for the header or the kind.
    Length,
    /// Another wire version.
    Version,
    /// A kind that is unknown, or meant for the other side.
    Kind,
    /// A payload that says something impossible.
    Content,
    /// Longer than the buffer.
    Overflow,
}

impl DropCause {
    /// Every cause, in the order of the wire.
    pub const ALL: [DropCause; 7] = [
        DropCause::Crc,
        DropCause::Framing,
        DropCause::Length,
        DropCause::Version,
        DropCause::Kind,
        DropCause::Content,
        DropCause::Overflow,
    ];
}

impl DecodeError {
    /// Under which cause it is counted.
    pub const fn cause(&self) -> DropCause {
        match self {
            DecodeError::Frame(error) => error.cause(),
            DecodeError::Kind(_) => DropCause::Kind,
            DecodeError::Length { .. } => DropCause::Length,
            DecodeError::Content { .. } => DropCause::Content,
        }
    }

    /// What the chip answers. A frame that did not arrive whole gets no answer, because nobody knows who sent it.
    pub fn reply(&self) -> Option<ErrorReply> {
        let (code, kind, id) = match *self {
            DecodeError::Frame(FrameError::Version { kind, .. }) => (ErrorCode::BadVersion, kind, None),
            DecodeError::Frame(FrameError::Length { kind, .. }) => (ErrorCode::BadLength, kind, None),
            DecodeError::Frame(_) => return None,
            DecodeError::Kind(kind) => (ErrorCode::UnknownKind, kind, None),
            DecodeError::Length { kind, .. } => (ErrorCode::BadLength, kind as u8, None),
            DecodeError::Content { kind, id, ref error } => (error.code()?, kind as u8, id),
        };
        Some(ErrorReply { code, kind, id })
    }
}

impl FrameError {
    /// Under which cause it is counted.
    pub const fn cause(&self) -> DropCause {
        match self {
            FrameError::Framing | FrameError::Short(_) => DropCause::Framing,
            FrameError::Overflow => DropCause::Overflow,
            FrameError::Crc { .. } => DropCause::Crc,
            FrameError::Length { .. } => DropCause::Length,
            FrameError::Version { .. } => DropCause::Version,
        }
    }
}

impl ContentError {
    /// The chip's word for it; `None` for what only a chip can get wrong.
    const fn code(&self) -> Option<ErrorCode> {
        Some(match self {
            ContentError::Reserved(_) => ErrorCode::BadReserved,
            ContentError::Position(_) => ErrorCode::BadPosition,
            ContentError::Move(_) | ContentError::IllegalMove(_) => ErrorCode::BadMove,
            ContentError::Depth { .. } => ErrorCode::BadDepth,
            ContentError::Beta(_) | ContentError::PerftWindow { .. } => ErrorCode::BadWindow,
            ContentError::NodeLimit(_) => ErrorCode::BadNodeLimit,
            ContentError::Id => ErrorCode::BadId,
            ContentError::Count { .. } | ContentError::Children { .. } => ErrorCode::BadLength,
            ContentError::WeightRange { .. } | ContentError::Weight { .. } => ErrorCode::BadWeights,
            ContentError::Ending(_)
            | ContentError::Score(_)
            | ContentError::Identity(_)
            | ContentError::ErrorCode(_) => return None,
        })
    }
}
