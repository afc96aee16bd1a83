//! A table's file: one kind of numbers of one material, in blocks, each with a checksum.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `BBENDING` |
//! | 1, 1 | version of the format; kind: 0 win/draw/loss, 1 to conversion, 2 to mate |
//! | 10 | queens, rooks, bishops, knights, pawns of White; the same of Black |
//! | 4, 4 | bytes of the model; blocks |
//! | … | the model: the probabilities that each block begins with |
//! | 6 each | for each block: its bytes (2), its CRC-32 (4) |
//! | 4 | CRC-32 of everything before |
//! | … | the blocks |
//!
//! Numbers are little-endian. No bit of a file is without a checksum, and a file ends with its last
//! block.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crc::{CRC_32_ISO_HDLC, Crc, Table};

use super::codec::{BLOCK, Model, Neighbours, Wanted};
use super::generate::in_chunks;
use super::index::Index;
use super::material::Material;
use super::value::{Kind, code};

const MAGIC: &[u8; 8] = b"BBENDING";
const VERSION: u8 = 1;
const HEADER: usize = 28;
/// No model is larger.
const MOST_MODEL: usize = 1 << 16;
const CHECKSUM: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// The CRC-32 of bytes, as files have it.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    CHECKSUM.checksum(bytes)
}

/// Why a table's file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system could not read or write it.
    #[error("{}: {problem}", file.display())]
    System {
        /// The file.
        file: PathBuf,
        /// What the system says.
        problem: io::Error,
    },
    /// Not a table, or one of another format.
    #[error("{} is no endgame table that this version reads: {what}", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// A table that has changed since it was written.
    #[error("{} is damaged: {part} does not match its checksum; delete the file and build it again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Which part.
        part: String,
    },
    /// A table whose length is not what its header says.
    #[error("{} is damaged: it has {found} bytes, expected {expected}; delete the file and build it again", file.display())]
    Length {
        /// The file.
        file: PathBuf,
        /// Its length.
        found: u64,
        /// What its length should be.
        expected: u64,
    },
}

impl FileError {
    pub(super) fn system(file: &Path) -> impl FnOnce(io::Error) -> FileError {
        let file = file.to_owned();
        |problem| FileError::System { file, problem }
    }
}

/// The name of a table's file.
pub(super) fn name(material: Material, kind: Kind) -> String {
    format!("{material}.{}", kind.extension())
}

/// Writes a file so that it is there whole or not at all, whatever happens meanwhile.
pub(super) fn write_whole(path: &Path, parts: &[&[u8]]) -> Result<(), FileError> {
    let mut begun = path.to_owned().into_os_string();
    begun.push(".tmp");
    let begun = PathBuf::from(begun);
    let write = || -> io::Result<()> {
        let mut file = File::create(&begun)?;
        for part in parts {
            file.write_all(part)?;
        }
        file.sync_all()?;
        fs::rename(&begun, path)?;
        // A rename is kept once its folder is: systems without folders that can be opened do so by
        // themselves.
        if let Some(Ok(folder)) = path.parent().map(File::open) {
            folder.sync_all()?;
        }
        Ok(())
    };
    write().map_err(FileError::system(path))
}

/// Compresses a table and writes its file.
pub(super) fn write(
    path: &Path,
    index: &Index,
    kind: Kind,
    threads: usize,
    wanted: impl Fn(usize) -> Wanted + Sync,
) -> Result<(), FileError> {
    let neighbours = Neighbours::new(index);
    let cells = index.cells();
    let distances = kind != Kind::Wdl;
    let model = Model::train(&neighbours, distances, cells, &wanted);
    let blocks: Vec<OnceLock<Vec<u8>>> = (0..cells.div_ceil(BLOCK)).map(|_| OnceLock::new()).collect();
    in_chunks(threads, 0..blocks.len(), 1, |numbers| {
        for block in numbers {
            blocks[block].get_or_init(|| model.encode(&neighbours, distances, range_of(block, cells), &wanted));
        }
    });
    let mut head = MAGIC.to_vec();
    head.extend([VERSION, kind.byte()]);
    head.extend(index.material().counts().as_flattened());
    let model = model.to_bytes();
    head.extend((model.len() as u32).to_le_bytes());
    head.extend((blocks.len() as u32).to_le_bytes());
    head.extend(model);
    let mut body = Vec::new();
    for block in blocks.iter().filter_map(OnceLock::get) {
        // A block has 2¹⁴ cells with three bits at least and some 20 at most: 40 kB.
        head.extend((block.len() as u16).to_le_bytes());
        head.extend(checksum(block).to_le_bytes());
        body.extend(block);
    }
    head.extend(checksum(&head).to_le_bytes());
    write_whole(path, &[&head, &body])
}

fn range_of(block: usize, cells: usize) -> Range<usize> {
    block * BLOCK..((block + 1) * BLOCK).min(cells)
}

/// A table's file, open to look values up. Blocks that were looked at stay in memory, decoded.
#[derive(Debug)]
pub(super) struct TableFile {
    path: PathBuf,
    pub(super) index: Index,
    kind: Kind,
    neighbours: Neighbours,
    model: Model,
    /// Where each block begins, how long it is, and its checksum.
    blocks: Vec<(u64, u16, u32)>,
    file: Mutex<File>,
    decoded: Vec<OnceLock<Box<[u16]>>>,
}

/// Classes of win, draw and loss that are packed in one word.
const PACKED: usize = 8;

impl TableFile {
    /// Opens a file and checks its head; the blocks are checked when they are looked at.
    pub(super) fn open(path: &Path, material: Material, kind: Kind) -> Result<TableFile, FileError> {
        let system = || FileError::system(path);
        let mut file = File::open(path).map_err(system())?;
        let length = file.metadata().map_err(system())?.len();
        let foreign = |what| FileError::Foreign {
            file: path.to_owned(),
            what,
        };
        let mut head = vec![0; HEADER];
        if length < HEADER as u64 {
            return Err(foreign("it is too short"));
        }
        file.read_exact(&mut head).map_err(system())?;
        if head[..8] != *MAGIC {
            return Err(foreign("it does not begin with BBENDING"));
        }
        if head[8] != VERSION {
            return Err(foreign("its format has another version"));
        }
        let index = Index::new(material);
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
        let (model_length, blocks) = (number(20), number(24));
        if head[9] != kind.byte() || head[10..20] != *material.counts().as_flattened() {
            return Err(foreign("its head names another table than its name does"));
        }
        if blocks != index.cells().div_ceil(BLOCK) || model_length > MOST_MODEL {
            return Err(foreign("its head is impossible"));
        }
        let rest = model_length + blocks * 6 + 4;
        if length < (HEADER + rest) as u64 {
            return Err(foreign("it is too short"));
        }
        head.resize(HEADER + rest, 0);
        file.read_exact(&mut head[HEADER..]).map_err(system())?;
        let (checked, sum) = head.split_at(HEADER + rest - 4);
        if checksum(checked).to_le_bytes() != sum {
            return Err(FileError::Damaged {
                file: path.to_owned(),
                part: "the head".to_owned(),
            });
        }
        let model = Model::from_bytes(&checked[HEADER..HEADER + model_length]);
        let mut start = (HEADER + rest) as u64;
        let entries = checked[HEADER + model_length..].chunks_exact(6).map(|entry| {
            let length = u16::from_le_bytes([entry[0], entry[1]]);
            let block = (
                start,
                length,
                u32::from_le_bytes([entry[2], entry[3], entry[4], entry[5]]),
            );
            start += u64::from(length);
            block
        });
        let entries: Vec<_> = entries.collect();
        if start != length {
            return Err(FileError::Length {
                file: path.to_owned(),
                found: length,
                expected: start,
            });
        }
        Ok(TableFile {
            path: path.to_owned(),
            neighbours: Neighbours::new(&index),
            index,
            kind,
            model: model.ok_or_else(|| foreign("its model is impossible"))?,
            decoded: entries.iter().map(|_| OnceLock::new()).collect(),
            blocks: entries,
            file: Mutex::new(file),
        })
    }

    /// The bytes of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.blocks
            .last()
            .map_or(0, |&(start, length, _)| start + u64::from(length))
    }

    /// The code of a cell; a win or a loss in a file without distances has the smallest key of its
    /// kind.
    #[inline]
    pub(super) fn code(&self, cell: usize) -> Result<u16, FileError> {
        let block = cell / BLOCK;
        let decoded = match self.decoded[block].get() {
            Some(decoded) => decoded,
            None => {
                let codes = self.block(block)?;
                self.decoded[block].get_or_init(|| self.kept(codes))
            }
        };
        let at = cell % BLOCK;
        if self.kind != Kind::Wdl {
            return Ok(decoded[at]);
        }
        Ok(match decoded[at / PACKED] >> (2 * (at % PACKED)) & 3 {
            0 => code::DRAW,
            code => code,
        })
    }

    /// All codes. Cells that are no position have any.
    pub(super) fn all_codes(&self) -> Result<Vec<u16>, FileError> {
        let mut codes = Vec::with_capacity(self.index.cells());
        for block in 0..self.blocks.len() {
            codes.extend(self.block(block)?);
        }
        Ok(codes)
    }

    /// Checks every block against its checksum.
    pub(super) fn check(&self) -> Result<(), FileError> {
        (0..self.blocks.len()).try_for_each(|block| self.read(block).map(drop))
    }

    fn read(&self, block: usize) -> Result<Vec<u8>, FileError> {
        let (start, length, sum) = self.blocks[block];
        let mut bytes = vec![0; usize::from(length)];
        let mut read = || {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut bytes)
        };
        read().map_err(FileError::system(&self.path))?;
        if checksum(&bytes) != sum {
            return Err(FileError::Damaged {
                file: self.path.clone(),
                part: format!("block {block} of {}", self.blocks.len()),
            });
        }
        Ok(bytes)
    }

    fn block(&self, block: usize) -> Result<Vec<u16>, FileError> {
        let bytes = self.read(block)?;
        let range = range_of(block, self.index.cells());
        Ok(self
            .model
            .decode(&self.neighbours, self.kind != Kind::Wdl, range, &bytes))
    }

    fn kept(&self, codes: Vec<u16>) -> Box<[u16]> {
        if self.kind != Kind::Wdl {
            return codes.into();
        }
        let pack = |codes: &[u16]| {
            let classes = codes.iter().map(|&code| if code == code::DRAW { 0 } else { code });
            classes.rev().fold(0, |word, class| word << 2 | class)
        };
        codes.chunks(PACKED).map(pack).collect()
    }
}
