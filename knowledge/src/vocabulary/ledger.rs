//! The ledger: a file of records that only grows, for whatever a program learns.
//!
//! A ledger begins with a signature and its *kind*, a text that says what its records are. A record
//! is four parts: its length, the checksum of the length, the bytes, and the checksum of the bytes.
//! A program may be killed at any moment: the file then ends in the middle of a record. Opening the
//! ledger recognises such a torn record, cuts it, and returns all records before it. A record that
//! is whole but has a wrong checksum was damaged by something else: that is an error, and the file
//! stays as it is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc::{CRC_32_ISO_HDLC, Crc};

/// How every ledger begins; the last character is the version of the format.
const SIGNATURE: &[u8; 8] = b"bbledgr1";

/// The longest record in bytes. A longer one in a file is damage, and is not read into memory.
pub const MOST_BYTES: usize = 1 << 24;

/// The bytes of a record's length and its checksum.
const HEAD: usize = 8;

/// The bytes of the checksum at a record's end.
const TAIL: usize = 4;

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Why a ledger is of no use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The operating system refuses.
    #[error("cannot {doing} the ledger {path}: {source}", path = path.display())]
    System {
        /// What was to be done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Another process has the file.
    #[error("another process writes to the ledger {path}: let it end, or give another file", path = path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is no ledger of this kind.
    #[error("{path} is no ledger of the kind '{expected}': found '{found}'; give another file", path = path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The kind that was asked for.
        expected: String,
        /// How the file begins, or its kind.
        found: String,
    },
    /// A record was changed after it was written.
    #[error(
        "record {record} of the ledger {path}, at byte {at}, is damaged: {what}; restore the file from a copy",
        path = path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the record, from 1.
        record: usize,
        /// Where the record begins.
        at: usize,
        /// What is wrong with the record.
        what: &'static str,
    },
    /// A record longer than [`MOST_BYTES`].
    #[error("a record of {0} bytes is too long for a ledger: expected at most {MOST_BYTES}")]
    TooLong(usize),
}

/// A file to which records are added.
#[derive(Debug)]
pub struct Ledger {
    file: File,
    path: PathBuf,
    /// The bytes of all whole records.
    length: u64,
}

/// A ledger and what is in it.
#[derive(Debug)]
pub struct Opened {
    /// The ledger, ready for more records.
    pub ledger: Ledger,
    /// All records, the oldest first.
    pub records: Vec<Vec<u8>>,
    /// The bytes of a torn record that were cut from the end; 0 for a file that ended well.
    pub cut: u64,
}

impl Ledger {
    /// Opens the ledger of this kind at `path`, or begins one. The file is locked until the ledger
    /// is dropped.
    ///
    /// # Errors
    /// If the file is of another kind, damaged, or in use.
    pub fn open(path: &Path, kind: &str) -> Result<Opened, LedgerError> {
        let system = |doing| {
            let path = path.to_owned();
            move |source| LedgerError::System { doing, path, source }
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(system("open"))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(LedgerError::Busy { path: path.to_owned() }),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(system("read"))?;

        let mut beginning = SIGNATURE.to_vec();
        encode(kind.as_bytes(), &mut beginning)?;
        let mut ledger = Ledger {
            file,
            path: path.to_owned(),
            length: 0,
        };
        if beginning.starts_with(&bytes) && bytes.len() < beginning.len() {
            // A new file, or one whose beginning was torn.
            ledger.truncate()?;
            ledger.write(&beginning)?;
            let cut = bytes.len() as u64;
            return Ok(Opened {
                ledger,
                records: Vec::new(),
                cut,
            });
        }
        if !bytes.starts_with(&beginning) {
            return Err(LedgerError::OtherKind {
                path: path.to_owned(),
                expected: kind.to_owned(),
                found: found_kind(&bytes),
            });
        }
        let (records, end) = read_records(&bytes, beginning.len()).map_err(|damage| LedgerError::Damaged {
            path: path.to_owned(),
            record: damage.record,
            at: damage.at,
            what: damage.what,
        })?;
        ledger.length = end as u64;
        ledger.truncate()?;
        let cut = (bytes.len() - end) as u64;
        Ok(Opened { ledger, records, cut })
    }

    /// Adds a record; it is on disk when this returns.
    ///
    /// # Errors
    /// If the record is too long or the operating system does not write it; the records before it
    /// stay readable.
    pub fn append(&mut self, record: &[u8]) -> Result<(), LedgerError> {
        let mut bytes = Vec::with_capacity(HEAD + record.len() + TAIL);
        encode(record, &mut bytes)?;
        let written = self.write(&bytes);
        if written.is_err() {
            // The part that was written would stand before the next record. If cutting fails too,
            // the first error says more.
            let _ = self.truncate();
        }
        written
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LedgerError> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        written.map_err(|source| self.failed("write", source))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Cuts what is behind the last whole record.
    fn truncate(&mut self) -> Result<(), LedgerError> {
        let cut = self.file.set_len(self.length);
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        cut.map(drop).map_err(|source| self.failed("shorten", source))
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> LedgerError {
        LedgerError::System {
            doing,
            path: self.path.clone(),
            source,
        }
    }
}

fn encode(record: &[u8], bytes: &mut Vec<u8>) -> Result<(), LedgerError> {
    let too_long = || LedgerError::TooLong(record.len());
    let length = u32::try_from(record.len()).ok().filter(|_| record.len() <= MOST_BYTES);
    let length = length.ok_or_else(too_long)?.to_le_bytes();
    bytes.extend(length);
    bytes.extend(CHECKSUM.checksum(&length).to_le_bytes());
    bytes.extend(record);
    bytes.extend(CHECKSUM.checksum(record).to_le_bytes());
    Ok(())
}

struct Damage {
    record: usize,
    at: usize,
    what: &'static str,
}

/// The whole records from byte `at` on, and where the last one ends.
fn read_records(bytes: &[u8], mut at: usize) -> Result<(Vec<Vec<u8>>, usize), Damage> {
    let mut records = Vec::new();
    loop {
        let rest = &bytes[at..];
        // A file system that loses power may have lengthened the file and written nothing.
        if rest.iter().all(|&byte| byte == 0) {
            return Ok((records, at));
        }
        let damage = |what| Damage {
            record: records.len() + 1,
            at,
            what,
        };
        let (Some(length), Some(length_sum)) = (word(rest, 0), word(rest, 4)) else {
            return Ok((records, at));
        };
        if CHECKSUM.checksum(&length.to_le_bytes()) != length_sum {
            return Err(damage("the checksum of its length is wrong"));
        }
        let length = length as usize;
        if length > MOST_BYTES {
            return Err(damage("its length is more than a record may have"));
        }
        let Some(sum) = word(rest, HEAD + length) else {
            return Ok((records, at));
        };
        let record = &rest[HEAD..HEAD + length];
        if CHECKSUM.checksum(record) != sum {
            return Err(damage("its checksum is wrong"));
        }
        records.push(record.to_vec());
        at += HEAD + length + TAIL;
    }
}

/// The little-endian number at byte `at`, if the bytes reach so far.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    bytes.try_into().ok().map(u32::from_le_bytes)
}

/// What a file is instead, for a message.
fn found_kind(bytes: &[u8]) -> String {
    let shown = match bytes.strip_prefix(SIGNATURE) {
        Some(rest) => {
            let length = word(rest, 0).map_or(0, |length| length as usize);
            rest.get(HEAD..HEAD + length.min(MOST_BYTES)).unwrap_or(&[])
        }
        None => bytes,
    };
    String::from_utf8_lossy(shown)
        .chars()
        .filter(|c| !c.is_control())
        .take(40)
        .collect()
}
