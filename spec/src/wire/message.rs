use std::fmt;
use std::ops::RangeInclusive;

use super::layout::{BatchBytes, ChildBytes, ErrorBytes, IdentityBytes, JobBytes, Le16, ResultBytes, StatusBytes};
use super::{ContentError, DecodeError, Frame, MAX_CHILDREN, MAX_IDS, MAX_RESULTS, MAX_WORDS};

/// What one side says to the other: a [`super::Request`] to the chip or a [`super::Reply`] from it.
pub trait Message: Sized {
    /// Whether it is the chip that says such things.
    const FROM_CHIP: bool;

    /// What frame carries it.
    fn kind(&self) -> Kind;

    /// The payload of that frame.
    ///
    /// # Errors
    /// If the message says what the other side would refuse.
    fn payload(&self) -> Result<Vec<u8>, ContentError>;

    /// The message with this payload, whose length fits the [shape](Kind::shape) of its kind.
    ///
    /// # Errors
    /// Says what is wrong with it. Whatever is accepted encodes to the same payload again.
    fn from_payload(kind: Kind, payload: &[u8]) -> Result<Self, DecodeError>;

    /// The message in a frame.
    ///
    /// # Errors
    /// If its kind is for the other side, or its payload is refused.
    fn from_frame(frame: Frame<'_>) -> Result<Self, DecodeError> {
        let kind = Kind::from_code(frame.kind).ok_or(DecodeError::Kind(frame.kind))?;
        if kind.from_chip() != Self::FROM_CHIP {
            return Err(DecodeError::Kind(frame.kind));
        }
        if !kind.shape().fits(frame.payload.len()) {
            return Err(DecodeError::Length {
                kind,
                found: frame.payload.len(),
            });
        }
        Self::from_payload(kind, frame.payload)
    }

    /// Appends the message's frame to `out` as it goes over the wire, with its delimiter.
    ///
    /// # Errors
    /// If the message says what the other side would refuse; `out` is then as it was.
    fn encode_to(&self, out: &mut Vec<u8>) -> Result<(), ContentError> {
        let (kind, payload) = (self.kind(), self.payload()?);
        let frame = Frame {
            kind: kind as u8,
            payload: &payload,
        };
        frame.encode(out).map_err(|_| ContentError::Count {
            kind,
            found: payload.len(),
        })
    }

    /// The message's frame, as [`Message::encode_to`] makes it.
    ///
    /// # Errors
    /// If the message says what the other side would refuse.
    fn encode(&self) -> Result<Vec<u8>, ContentError> {
        let mut out = Vec::new();
        self.encode_to(&mut out).map(|()| out)
    }
}

/// The kinds of frames. Bit 7 tells who speaks, and an answer has the number of its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Host: who are you?
    Identify = 0x01,
    /// Host: drop all jobs, set all counters to zero.
    Reset = 0x02,
    /// Host: some of the weights.
    LoadWeights = 0x03,
    /// Host: one job.
    Job = 0x04,
    /// Host: many jobs around one position.
    Batch = 0x05,
    /// Host: stop jobs.
    Abort = 0x06,
    /// Host: how are you?
    StatusRequest = 0x07,
    /// Chip: who I am.
    Identity = 0x81,
    /// Chip: what jobs found.
    Results = 0x84,
    /// Chip: my counters.
    Status = 0x87,
    /// Chip: a frame arrived well, but cannot be done.
    Error = 0xff,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 11] = [
        Kind::Identify,
        Kind::Reset,
        Kind::LoadWeights,
        Kind::Job,
        Kind::Batch,
        Kind::Abort,
        Kind::StatusRequest,
        Kind::Identity,
        Kind::Results,
        Kind::Status,
        Kind::Error,
    ];

    /// The kind with this number.
    pub fn from_code(code: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| kind as u8 == code)
    }

    /// Whether it is the chip that sends such frames.
    pub const fn from_chip(self) -> bool {
        self as u8 & 0x80 != 0
    }

    /// What its payload is made of.
    pub const fn shape(self) -> Shape {
        match self {
            Kind::Identify | Kind::Reset | Kind::StatusRequest => Shape::fixed::<()>(),
            Kind::LoadWeights => Shape::list::<Le16, Le16>(1..=MAX_WORDS),
            Kind::Job => Shape::fixed::<JobBytes>(),
            Kind::Batch => Shape::list::<BatchBytes, ChildBytes>(1..=MAX_CHILDREN),
            Kind::Abort => Shape::list::<(), Le16>(0..=MAX_IDS),
            Kind::Identity => Shape::fixed::<IdentityBytes>(),
            Kind::Results => Shape::list::<(), ResultBytes>(1..=MAX_RESULTS),
            Kind::Status => Shape::fixed::<StatusBytes>(),
            Kind::Error => Shape::fixed::<ErrorBytes>(),
        }
    }
}

/// What a payload is made of: a head, then items of equal size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The bytes before the items.
    pub head: usize,
    /// The bytes of an item.
    pub item: usize,
    /// How many items there may be.
    pub items: RangeInclusive<usize>,
}

impl Shape {
    const fn fixed<H>() -> Shape {
        Shape {
            head: size_of::<H>(),
            item: 0,
            items: 0..=0,
        }
    }

    const fn list<H, I>(items: RangeInclusive<usize>) -> Shape {
        Shape {
            head: size_of::<H>(),
            item: size_of::<I>(),
            items,
        }
    }

    /// Whether a payload may have this length.
    pub fn fits(&self, length: usize) -> bool {
        match (length.checked_sub(self.head), self.item) {
            (Some(rest), 0) => rest == 0,
            (Some(rest), item) => rest % item == 0 && self.items.contains(&(rest / item)),
            (None, _) => false,
        }
    }

    /// The longest payload.
    pub const fn longest(&self) -> usize {
        self.head + self.item * *self.items.end()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.item {
            0 => write!(f, "{}", self.head),
            item => write!(
                f,
                "{} and {} to {} times {item}",
                self.head,
                self.items.start(),
                self.items.end()
            ),
        }
    }
}
