//! Builds of tables: smaller endings first, each file written whole or not at all.
//!
//! A build that was killed goes on where it was: files that are there are kept, and a table in the
//! making leaves a stage behind, its codes up to a level. What a stage holds depends on its level
//! only, so that the files come out the same, byte for byte, however often a build is killed.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::codec::Wanted;
use super::file::{self, FileError, TableFile};
use super::generate::{AtomicCode, Ground, Moment, Whole, generate};
use super::index::Index;
use super::material::Material;
use super::value::{Kind, code};

/// Builds tables in a folder.
#[derive(Clone, Debug)]
pub struct Builder {
    folder: PathBuf,
    threads: usize,
    stage_every: Duration,
}

/// How far a build is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The table in the making.
    pub material: Material,
    /// What is computed for that table.
    pub kind: Kind,
    /// The moves of the winner that the generator has come to; 0 before it takes moves back.
    pub moves: u16,
    /// Tables that are finished, and tables in all.
    pub tables: (usize, usize),
    /// The share of the whole build that is done, by the number of placements: an estimate.
    pub share: f64,
}

impl Builder {
    /// Builds tables in this folder, with as many threads as the machine has cores.
    pub fn new(folder: impl Into<PathBuf>) -> Builder {
        Builder {
            folder: folder.into(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stage_every: Duration::from_secs(60),
        }
    }

    /// How many threads work.
    pub fn threads(mut self, threads: usize) -> Builder {
        self.threads = threads.max(1);
        self
    }

    /// How much time passes at least between stages that a build can go on from.
    pub fn stage_every(mut self, time: Duration) -> Builder {
        self.stage_every = time;
        self
    }

    /// Builds the tables of these materials and of all that they lead to.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is damaged.
    pub fn build(&self, materials: &[Material], mut progress: impl FnMut(&Progress)) -> Result<(), FileError> {
        fs::create_dir_all(&self.folder).map_err(FileError::system(&self.folder))?;
        let mut order: Vec<Material> = Vec::new();
        for material in materials {
            for needed in material.with_dependencies() {
                if needed != Material::BARE && !order.contains(&needed) {
                    order.push(needed);
                }
            }
        }
        let weights: Vec<f64> = order
            .iter()
            .map(|&material| Index::new(material).cells() as f64)
            .collect();
        let total: f64 = weights.iter().sum();
        let mut smaller = HashMap::from([(Material::BARE, Arc::new(Whole::bare()))]);
        let mut before = 0.0;
        for (number, (&material, weight)) in order.iter().zip(&weights).enumerate() {
            let mut tell = |kind: Kind, moves, part: f64| {
                progress(&Progress {
                    material,
                    kind,
                    moves,
                    tables: (number, order.len()),
                    share: (before + weight * part) / total,
                });
            };
            self.build_one(material, &mut smaller, &mut tell)?;
            before += weight;
        }
        Ok(())
    }

    fn path(&self, material: Material, kind: Kind) -> PathBuf {
        self.folder.join(file::name(material, kind))
    }

    fn build_one(
        &self,
        material: Material,
        smaller: &mut HashMap<Material, Arc<Whole>>,
        tell: &mut impl FnMut(Kind, u16, f64),
    ) -> Result<(), FileError> {
        let mut missing = Vec::new();
        for kind in Kind::ALL {
            let path = self.path(material, kind);
            if path.try_exists().map_err(FileError::system(&path))? {
                // A file of another format is no table to build upon.
                TableFile::open(&path, material, kind)?;
            } else {
                missing.push(kind);
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        for next in material.successors() {
            self.load(next, smaller)?;
        }
        let ground = Ground::new(material, |next| smaller.get(&next).cloned());
        let Some(ground) = ground else {
            unreachable!("the table of every successor was loaded");
        };
        if missing.contains(&Kind::Mate) {
            self.distances(&ground, Kind::Mate, &mut |moves, part| {
                tell(Kind::Mate, moves, part * 0.45)
            })?;
        }
        if missing.contains(&Kind::Conversion) {
            let mut tell = |moves, part| tell(Kind::Conversion, moves, 0.45 + part * 0.45);
            self.distances(&ground, Kind::Conversion, &mut tell)?;
        }
        if missing.contains(&Kind::Wdl) {
            tell(Kind::Wdl, 0, 0.9);
            let whole = self.load(material, smaller)?;
            let path = self.path(material, Kind::Wdl);
            file::write(&path, &ground.index, Kind::Wdl, self.threads, |cell| {
                ground.wanted(cell, whole.codes[cell])
            })?;
        }
        Ok(())
    }

    /// All values of a table that is built, to mate.
    fn load(&self, material: Material, smaller: &mut HashMap<Material, Arc<Whole>>) -> Result<Arc<Whole>, FileError> {
        if let Some(whole) = smaller.get(&material) {
            return Ok(Arc::clone(whole));
        }
        let table = TableFile::open(&self.path(material, Kind::Mate), material, Kind::Mate)?;
        let mut whole = Whole {
            codes: table.all_codes()?,
            index: table.index,
        };
        whole.mark_broken(self.threads);
        let whole = Arc::new(whole);
        smaller.insert(material, Arc::clone(&whole));
        Ok(whole)
    }

    fn distances(&self, ground: &Ground, kind: Kind, tell: &mut dyn FnMut(u16, f64)) -> Result<(), FileError> {
        let material = ground.index.material();
        let path = self.path(material, kind);
        let stage = Stage {
            path: path.with_extension(format!("{}.stage", kind.extension())),
            material,
            kind,
        };
        let begun = stage.read(ground.index.cells());
        let mut staged = Instant::now();
        let notice = |moment: Moment<'_>| {
            match moment {
                Moment::Seeding(done, parts) => tell(0, 0.3 * done as f64 / parts as f64),
                Moment::Level(level, codes) => {
                    // How many levels there are is not known: each is worth less than the one
                    // before.
                    tell(level / 2, 0.3 + 0.65 * (f64::from(level) / (f64::from(level) + 40.0)));
                    if level > 0 && staged.elapsed() >= self.stage_every {
                        stage.write(level, codes)?;
                        staged = Instant::now();
                    }
                }
            }
            Ok(())
        };
        let codes = generate(ground, kind, self.threads, begun, notice).map_err(FileError::system(&stage.path))?;
        tell(0, 0.95);
        file::write(&path, &ground.index, kind, self.threads, |cell| match codes[cell] {
            code::BROKEN => Wanted::ANYTHING,
            code => Wanted::Exactly(code),
        })?;
        stage.remove()
    }
}

/// The file that a table in the making goes on from.
struct Stage {
    path: PathBuf,
    material: Material,
    kind: Kind,
}

const STAGE_MAGIC: &[u8; 8] = b"BBSTAGE1";
const STAGE_HEAD: usize = 21;

impl Stage {
    fn head(&self, level: u16) -> [u8; STAGE_HEAD] {
        let mut head = [0; STAGE_HEAD];
        head[..8].copy_from_slice(STAGE_MAGIC);
        head[8] = self.kind.byte();
        head[9..19].copy_from_slice(self.material.counts().as_flattened());
        head[19..].copy_from_slice(&level.to_le_bytes());
        head
    }

    fn write(&self, level: u16, codes: &[AtomicCode]) -> io::Result<()> {
        let mut bytes = self.head(level).to_vec();
        bytes.extend(codes.iter().flat_map(|code| code.load().to_le_bytes()));
        let sum = file::checksum(&bytes).to_le_bytes();
        file::write_whole(&self.path, &[&bytes, &sum]).map_err(io::Error::other)
    }

    /// The level and the codes; `None` without a stage that is whole: the table is then made from
    /// the beginning.
    fn read(&self, cells: usize) -> Option<(u16, Vec<u16>)> {
        let bytes = fs::read(&self.path).ok()?;
        let (told, sum) = bytes.split_last_chunk::<4>()?;
        let (head, codes) = told.split_at_checked(STAGE_HEAD)?;
        let level = u16::from_le_bytes([head[19], head[20]]);
        let whole = file::checksum(told).to_le_bytes() == *sum && head == self.head(level) && codes.len() == 2 * cells;
        whole.then(|| {
            let codes = codes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            (level, codes.collect())
        })
    }

    fn remove(&self) -> Result<(), FileError> {
        match fs::remove_file(&self.path) {
            Err(problem) if problem.kind() != io::ErrorKind::NotFound => {
                let file = Path::to_owned(&self.path);
                Err(FileError::System { file, problem })
            }
            _ => Ok(()),
        }
    }
}
