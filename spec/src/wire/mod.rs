//! The wire: frames between host and chip, over a stream of bytes that may lose, repeat or change anything.
//!
//! # A frame
//! | bytes | field |
//! |---|---|
//! | 0 | kind |
//! | 1 | version, 1 |
//! | 2–3 | length of the payload, at most 1024 |
//! | 4–… | payload |
//! | the last 4 | CRC-32/ISO-HDLC (that of Ethernet and zip) of all bytes before it |
//!
//! stuffed with COBS, so that no byte is 0, and then a delimiter: 0. Numbers are little-endian. A sender may send more
//! zeros at any time: nothing between two delimiters is no frame. It does well to begin with one, because the other side
//! may have heard noise. The longest frame has 1032 bytes before stuffing, and fits a block RAM of 2 KiB.
//!
//! # Host to chip
//! | kind | frame | payload, by byte |
//! |---|---|---|
//! | 01 | Identify | none |
//! | 02 | Reset | none |
//! | 03 | LoadWeights | 0–1 index of the first word, then 1 to 256 words (i16) |
//! | 04 | Job | 0–1 id · 2 task · 3 zero · 4–5 beta (i16) · 6–9 node limit · 10–11 first move or 0 · 12–37 position |
//! | 05 | Batch | 0–1 step (i16) · 2 task · 3 zero · 4–5 beta (i16) · 6–9 node limit · 10–11 number of children · 12–37 position, then 1 to 246 children: 0–1 id · 2–3 first move or 0 |
//! | 06 | Abort | 0 to 256 ids (u16); none for all jobs |
//! | 07 | StatusRequest | none |
//!
//! Task: bit 7 perft, bit 6 pruning (of no meaning to perft), bit 5 a gang (only of a search that prunes), bits 0–4 depth; perft has beta 0 and step 0. [Position](crate::packed) and
//! [move](crate::Move) have layouts of their own. Id ffff is no job.
//!
//! # Chip to host
//! | kind | frame | payload, by byte |
//! |---|---|---|
//! | 81 | Identity | 0–15 build · 16 newest wire version · 17 cores · 18 threads of a core · 19 stages · 20–23 clock in kHz · 24–25 queue in jobs · 26–27 most children of a batch · 28 deepest search · 29 deepest perft · 30 deepest ply · 31 zero · 32–35 features · 36–39 CRC of the weights |
//! | 84 | Results | 1 to 32 times: 0–1 id · 2 ending · 3 zero · 4–5 score (i16) · 6–7 best move or 0 · 8–11 nodes · 12–15 slots |
//! | 87 | Status | 0–7 busy slots · 8–15 all slots · 16–19 jobs done · 20–23 frames understood · 24–51 frames dropped, u32 each: CRC, framing, length, version, kind, content, overflow · 52–53 jobs queued · 54–55 credits |
//! | ff | Error | 0 code · 1 kind of the frame · 2–3 id or ffff |
//!
//! # What is promised
//! - **Never misread**: whatever is not listed here is an error, counted and dropped. What decodes encodes to the same
//!   payload. A frame is done as a whole or not at all.
//! - **Resynchronised**: after any garbage, the first frame that follows a delimiter is understood.
//! - **Repeated frames are done again**: the chip remembers nothing. A result whose id nobody waits for is ignored.
//! - **Stable**: the layouts of version 1 do not change, nor does the frame in any version. What is new gets a new kind, a
//!   new feature bit or a new error code.
//!
//! ```
//! use bluebelle_spec::leaf::{Job, Task};
//! use bluebelle_spec::wire::{Decoder, Message, Request};
//! use bluebelle_spec::Position;
//!
//! let job = Job::new(Position::initial(), Task::Search { depth: 4, beta: 20 });
//! let request = Request::Job { id: 7, job };
//! let mut bytes = b"line noise\0".to_vec();
//! request.encode_to(&mut bytes)?;
//! assert_eq!(bytes.len(), 11 + 48);
//!
//! let mut chip = Decoder::<Request>::new();
//! let (first, second) = bytes.split_at(30); // however the bytes come
//! assert_eq!(chip.push(first).filter_map(Result::ok).count(), 0);
//! assert_eq!(chip.push(second).next(), Some(Ok(request)));
//! assert_eq!(chip.dropped().total(), 1); // the noise
//! # Ok::<(), bluebelle_spec::wire::ContentError>(())
//! ```

mod decoder;
mod error;
mod frame;
mod layout;
mod message;
mod reply;
mod request;

pub use decoder::{Decoder, Dropped, Incoming};
pub use error::{ContentError, DecodeError, DropCause, FrameError};
pub use frame::{FRAME_OVERHEAD, Frame, MAX_ENCODED, MAX_FRAME, MAX_PAYLOAD, stuff, weights_crc};
pub use message::{Kind, Message, Shape};
pub use reply::{ErrorCode, ErrorReply, Features, Identity, JobResult, MAX_RESULTS, Reply, Status};
pub use request::{Batch, Child, MAX_CHILDREN, MAX_IDS, MAX_WORDS, Request, WeightWords};

/// The version of the frames.
pub const VERSION: u8 = 1;

/// The id that is no job: in an error reply that blames none.
pub const NO_JOB: u16 = u16::MAX;
