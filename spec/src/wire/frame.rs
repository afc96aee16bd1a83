use crc::{CRC_32_ISO_HDLC, Crc};

use super::{FrameError, VERSION};
use crate::weights::Weights;

/// The longest payload of a frame.
pub const MAX_PAYLOAD: usize = 1024;

/// The longest frame before it is stuffed: what the chip's buffer must hold.
pub const MAX_FRAME: usize = HEADER + MAX_PAYLOAD + CHECK;

/// The longest frame on the wire, with its delimiter.
pub const MAX_ENCODED: usize = cobs::max_encoding_length(MAX_FRAME) + 1;

/// The bytes of a frame besides its payload.
pub const FRAME_OVERHEAD: usize = HEADER + CHECK;

/// Kind, version and length.
const HEADER: usize = 4;

/// The CRC.
const CHECK: usize = 4;

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A frame as it came or goes: its payload has not been looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What it is; see [`super::Kind`].
    pub kind: u8,
    /// What it says, at most [`MAX_PAYLOAD`] bytes.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Appends the frame to `out` as it goes over the wire, with its delimiter.
    ///
    /// # Errors
    /// If the payload is too long; `out` is then as it was.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), FrameError> {
        if self.payload.len() > MAX_PAYLOAD {
            return Err(FrameError::Overflow);
        }
        let mut plain = [0; MAX_FRAME];
        let [low, high] = (self.payload.len() as u16).to_le_bytes();
        plain[..HEADER].copy_from_slice(&[self.kind, VERSION, low, high]);
        let end = HEADER + self.payload.len();
        plain[HEADER..end].copy_from_slice(self.payload);
        let check = CRC.checksum(&plain[..end]).to_le_bytes();
        plain[end..end + CHECK].copy_from_slice(&check);

        stuff(&plain[..end + CHECK], out)
    }

    /// The frame in these bytes: unstuffed, without delimiter.
    ///
    /// # Errors
    /// The first that holds: too short, wrong CRC, wrong length, unknown version.
    pub fn open(plain: &'a [u8]) -> Result<Frame<'a>, FrameError> {
        let short = FrameError::Short(plain.len());
        let (checked, check) = plain.split_last_chunk::<CHECK>().ok_or(short.clone())?;
        let (&[kind, version, low, high], payload) = checked.split_first_chunk::<HEADER>().ok_or(short)?;
        let (expected, found) = (CRC.checksum(checked), u32::from_le_bytes(*check));
        if expected != found {
            return Err(FrameError::Crc { expected, found });
        }
        let said = u16::from_le_bytes([low, high]);
        if usize::from(said) != payload.len() {
            return Err(FrameError::Length {
                kind,
                said,
                found: payload.len(),
            });
        }
        if version != VERSION {
            return Err(FrameError::Version { kind, version });
        }
        Ok(Frame { kind, payload })
    }
}

/// Appends a frame, unstuffed and without delimiter, to `out` as it goes over a serial line.
///
/// # Errors
/// If it is longer than any frame; `out` is then as it was.
pub fn stuff(plain: &[u8], out: &mut Vec<u8>) -> Result<(), FrameError> {
    if plain.len() > MAX_FRAME {
        return Err(FrameError::Overflow);
    }
    let mut stuffed = [0; MAX_ENCODED];
    let length = cobs::encode(plain, &mut stuffed);
    out.extend_from_slice(&stuffed[..length]);
    out.push(0);
    Ok(())
}

/// The checksum by which host and chip compare their weights: the frames' CRC over the [words](Weights::to_words),
/// little-endian.
pub fn weights_crc(weights: &Weights) -> u32 {
    let mut digest = CRC.digest();
    for word in weights.to_words() {
        digest.update(&word.to_le_bytes());
    }
    digest.finalize()
}
