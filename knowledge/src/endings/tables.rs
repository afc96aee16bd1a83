//! A folder of tables: what it says of a position.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use bluebelle_spec::{Bitboard, Castling, Color, Move, Piece, Position, attacks, leaf};

use super::file::{self, FileError, TableFile};
use super::index::Men;
use super::material::{MOST_MEN, Material};
use super::value::{Kind, Value, Wdl, code};

/// The tables of a folder.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    tables: HashMap<Material, [Option<TableFile>; 3]>,
}

/// Why a position cannot be looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// More men than tables have, or castling rights.
    #[error("tables have positions with up to {MOST_MEN} men and no castling rights")]
    Beyond,
    /// A table that is not in the folder.
    #[error("{} is missing in {}: build it with `bluebelle endings build {material}`", file::name(*material, *kind), folder.display())]
    Missing {
        /// The table's material.
        material: Material,
        /// The table's kind.
        kind: Kind,
        /// The folder.
        folder: PathBuf,
    },
    /// A file that cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Tables {
    /// Opens all tables of a folder. Their blocks are read when they are looked at, and then stay
    /// in memory.
    ///
    /// # Errors
    /// If the folder cannot be read, or the head of a table is damaged.
    pub fn open(folder: impl AsRef<Path>) -> Result<Tables, FileError> {
        let folder = folder.as_ref();
        let system = || FileError::system(folder);
        let mut tables: HashMap<Material, [Option<TableFile>; 3]> = HashMap::new();
        for entry in fs::read_dir(folder).map_err(system())? {
            let path = entry.map_err(system())?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            let kind = Kind::ALL.into_iter().find(|kind| extension == Some(kind.extension()));
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let material = stem.and_then(|stem| stem.parse::<Material>().ok());
            if let (Some(kind), Some(material)) = (kind, material)
                && stem == Some(&material.to_string())
            {
                let files = tables.entry(material).or_default();
                files[usize::from(kind.byte())] = Some(TableFile::open(&path, material, kind)?);
            }
        }
        Ok(Tables {
            folder: folder.to_owned(),
            tables,
        })
    }

    /// The materials of which there is a table of this kind, by name.
    pub fn materials(&self, kind: Kind) -> Vec<Material> {
        let known = self.tables.iter();
        let known = known.filter(|(_, files)| files[usize::from(kind.byte())].is_some());
        let mut materials: Vec<Material> = known.map(|(&material, _)| material).collect();
        materials.sort_by_key(|material| (material.men(), material.to_string()));
        materials
    }

    /// The most men that a table of this kind has; 0 without tables.
    pub fn most_men(&self, kind: Kind) -> usize {
        self.materials(kind).iter().map(Material::men).max().unwrap_or(0)
    }

    /// The bytes of a table's file and how many placements it has, if there is that table.
    pub fn size(&self, material: Material, kind: Kind) -> Option<(u64, u64)> {
        let table = self.table(material, kind).ok()?;
        Some((table.bytes(), table.index.cells() as u64))
    }

    /// Checks every block of every file against its checksum.
    ///
    /// # Errors
    /// Names the first file that is damaged.
    pub fn check(&self) -> Result<(), FileError> {
        for files in self.tables.values() {
            files.iter().flatten().try_for_each(TableFile::check)?;
        }
        Ok(())
    }

    /// The longest win of a table, with White to move and with Black to move, and how many
    /// positions of each class there are: wins, draws, losses of the side to move. Placements that
    /// mirror each other at the diagonal of both kings count as two.
    ///
    /// # Errors
    /// If there is no such table, or it is damaged.
    pub fn survey(&self, material: Material, kind: Kind) -> Result<Survey, ProbeError> {
        let table = self.table(material, kind)?;
        let mut survey = Survey::default();
        for (cell, code) in table.all_codes()?.into_iter().enumerate() {
            if !table.index.is_broken(cell) {
                let side = usize::from(cell >= table.index.placements());
                survey.add(side, code::value(code), || {
                    let men = table.index.decode(cell)?;
                    position_of(table.index.slots(), &men)
                });
            }
        }
        Ok(survey)
    }

    /// Win, draw or loss for the side to move, without regard to the fifty-move rule.
    ///
    /// # Errors
    /// If no table knows the position, or a file is damaged.
    pub fn probe_wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        let place = Place::of(position)?;
        let exits = if may_leave(position) {
            exits(position)
        } else {
            Vec::new()
        };
        let mut best = None;
        for &mv in &exits {
            best = best.max(Some(opposite(self.probe_wdl(&position.after(mv))?)));
            if best == Some(Wdl::Win) {
                return Ok(Wdl::Win);
            }
        }
        if position.en_passant().is_some() && only_in_passing(position) {
            // The table has this placement without the right to take in passing.
            return Ok(best.unwrap_or(Wdl::Draw));
        }
        let stored = code::wdl(self.code(&place, Kind::Wdl)?);
        Ok(best.map_or(stored, |best| best.max(stored)))
    }

    /// The value of a position by a kind of distance.
    ///
    /// # Errors
    /// If no table knows the position, or a file is damaged.
    pub fn probe(&self, position: &Position, kind: Kind) -> Result<Value, ProbeError> {
        if kind == Kind::Wdl {
            return Ok(match self.probe_wdl(position)? {
                Wdl::Win => Value::Win(0),
                Wdl::Draw => Value::Draw,
                Wdl::Loss => Value::Loss(0),
            });
        }
        let place = Place::of(position)?;
        let mut taken = None;
        if position.en_passant().is_some() {
            for mv in exits(position).into_iter().filter(|&mv| is_in_passing(position, mv)) {
                let value = self.after_exit(&position.after(mv), kind)?;
                taken = better(taken, value);
            }
            if let Some(taken) = taken.filter(|_| only_in_passing(position)) {
                return Ok(taken);
            }
        }
        let stored = code::value(self.code(&place, kind)?);
        Ok(better(taken, stored).unwrap_or(stored))
    }

    /// What a capture is worth to the side that makes it; the position is that after it.
    fn after_exit(&self, after: &Position, kind: Kind) -> Result<Value, ProbeError> {
        let mate = self.probe(after, Kind::Mate)?;
        Ok(match (mate, kind) {
            (Value::Draw, _) => Value::Draw,
            (Value::Loss(_), Kind::Conversion) => Value::Win(1),
            (Value::Win(_), Kind::Conversion) => Value::Loss(0),
            (Value::Loss(moves), _) => Value::Win(moves + 1),
            (Value::Win(moves), _) => Value::Loss(moves),
        })
    }

    fn table(&self, material: Material, kind: Kind) -> Result<&TableFile, ProbeError> {
        let files = self.tables.get(&material);
        let file = files.and_then(|files| files[usize::from(kind.byte())].as_ref());
        file.ok_or_else(|| ProbeError::Missing {
            material,
            kind,
            folder: self.folder.clone(),
        })
    }

    fn code(&self, place: &Place, kind: Kind) -> Result<u16, ProbeError> {
        if place.material == Material::BARE {
            return Ok(code::DRAW);
        }
        let table = self.table(place.material, kind)?;
        let men = place.men(table.index.slots());
        let cell = table.index.encode(&men).ok_or(ProbeError::Beyond)?;
        Ok(table.code(cell)?)
    }
}

/// What [`Tables::survey`] finds.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Wins, draws and losses of the side to move: White's moves, then Black's.
    pub counts: [[u64; 3]; 2],
    /// The longest win with White to move and with Black to move, with a position.
    pub longest: [Option<(u16, Position)>; 2],
}

impl Survey {
    fn add(&mut self, side: usize, value: Value, position: impl FnOnce() -> Option<Position>) {
        self.counts[side][Wdl::Win as usize - value.wdl() as usize] += 1;
        if let Value::Win(moves) = value
            && self.longest[side].is_none_or(|(known, _)| moves > known)
        {
            self.longest[side] = position().map(|position| (moves, position));
        }
    }
}

/// A position's place in the tables.
struct Place<'p> {
    position: &'p Position,
    material: Material,
    exchanged: bool,
}

impl Place<'_> {
    fn of(position: &Position) -> Result<Place<'_>, ProbeError> {
        if position.castling() != Castling::NONE {
            return Err(ProbeError::Beyond);
        }
        let (material, exchanged) = Material::of_position(position).ok_or(ProbeError::Beyond)?;
        Ok(Place {
            position,
            material,
            exchanged,
        })
    }

    fn men(&self, slots: &[(Color, Piece)]) -> Men {
        let flip = if self.exchanged { 56 } else { 0 };
        let side = |color: Color| if self.exchanged { !color } else { color };
        let mut men = Men {
            squares: [0; MOST_MEN],
            turn: side(self.position.turn()),
        };
        let mut taken: Bitboard = 0;
        for (slot, &(color, piece)) in slots.iter().enumerate() {
            let left = self.position.pieces(side(color), piece) & !taken;
            taken |= left & left.wrapping_neg();
            men.squares[slot] = (left.trailing_zeros() & 63) as u8 ^ flip;
        }
        men
    }
}

fn position_of(slots: &[(Color, Piece)], men: &Men) -> Option<Position> {
    let mut planes = bluebelle_spec::Planes::default();
    for (&(color, piece), &square) in slots.iter().zip(&men.squares) {
        planes.toggle(color, piece, 1 << square);
    }
    Position::new(planes, men.turn, Castling::NONE, None).ok()
}

const fn opposite(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}

/// The better of two values for the side to move: it hurries to win and delays a loss.
fn better(one: Option<Value>, other: Value) -> Option<Value> {
    let rank = |value: Value| match value {
        Value::Win(moves) => 100_000 - i32::from(moves),
        Value::Draw => 0,
        Value::Loss(moves) => i32::from(moves) - 100_000,
    };
    match one {
        Some(one) if rank(one) >= rank(other) => Some(one),
        _ => Some(other),
    }
}

/// Whether the side to move attacks a man, or has a pawn that may promote: without either it has no
/// exit.
fn may_leave(position: &Position) -> bool {
    let (us, occupied) = (position.turn(), position.occupied());
    let seventh = attacks::relative(attacks::RANK_1 << 48, us);
    if position.en_passant().is_some() || position.pieces(us, Piece::Pawn) & seventh != 0 {
        return true;
    }
    let mut men = position.side(!us) & !position.pieces(!us, Piece::King);
    while men != 0 {
        let square = bluebelle_spec::Square::new(men.trailing_zeros() as u8);
        if position.attackers(square, us, occupied) != 0 {
            return true;
        }
        men &= men - 1;
    }
    false
}

/// The legal moves that capture or promote.
fn exits(position: &Position) -> Vec<Move> {
    let mut moves = leaf::legal_moves(position);
    moves.retain(|&mv| mv.promotion().is_some() || position.at(mv.to()).is_some() || is_in_passing(position, mv));
    moves
}

fn is_in_passing(position: &Position, mv: Move) -> bool {
    let pawn = position.pieces(position.turn(), Piece::Pawn) & mv.from().bit() != 0;
    pawn && position.en_passant() == Some(mv.to()) && mv.from().file() != mv.to().file()
}

/// Whether every legal move takes a pawn in passing, and there is one.
fn only_in_passing(position: &Position) -> bool {
    let moves = leaf::legal_moves(position);
    !moves.is_empty() && moves.iter().all(|&mv| is_in_passing(position, mv))
}
