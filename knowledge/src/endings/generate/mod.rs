//! The retrograde generator: from mates and exits to smaller tables back to every position.
//!
//! Values are found in the order of their keys (see [`code`]): a position from which a move leads
//! to a loss is won, and a position whose every move leads to a win of the other side is lost.
//! Moves are taken back to find the positions concerned; whether a position is lost is looked up
//! forward, move by move, so that no count of moves has to be kept. Exits to smaller tables and
//! captures in passing are looked up forward too.

mod ground;
mod parallel;
mod passing;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU16, Ordering};

pub(super) use ground::{Ground, Whole};
pub(super) use parallel::in_chunks;

use super::index::Men;
use super::value::{Kind, Wdl, code};
use ground::Step;

/// Where a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment<'c> {
    /// A part of the first pass is done: parts done, and parts in all.
    Seeding(usize, usize),
    /// All positions with keys below this one are settled; the codes so far.
    Level(u16, &'c [AtomicCode]),
}

/// A code that several threads settle.
#[derive(Debug)]
pub(super) struct AtomicCode(AtomicU16);

impl AtomicCode {
    #[inline]
    pub(super) fn load(&self) -> u16 {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    fn lower(&self, code: u16) {
        if self.load() > code {
            self.0.fetch_min(code, Ordering::Relaxed);
        }
    }
}

impl PartialEq for AtomicCode {
    fn eq(&self, other: &AtomicCode) -> bool {
        self.load() == other.load()
    }
}

impl Eq for AtomicCode {}

/// Cells that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The codes of a whole table; from a stage of an earlier build, if there is one.
pub(super) fn generate(
    ground: &Ground,
    kind: Kind,
    threads: usize,
    stage: Option<(u16, Vec<u16>)>,
    mut notice: impl FnMut(Moment<'_>) -> std::io::Result<()>,
) -> std::io::Result<Vec<u16>> {
    let (level, codes) = match stage {
        Some((level, codes)) => (level, codes),
        None => (0, vec![code::DRAW; ground.index.cells()]),
    };
    let fresh = level == 0;
    let work = Work {
        highest: AtomicU16::new(
            codes
                .iter()
                .copied()
                .filter(|&code| code != code::DRAW)
                .max()
                .unwrap_or(0),
        ),
        codes: codes.into_iter().map(|code| AtomicCode(AtomicU16::new(code))).collect(),
        ground,
        kind,
        threads,
    };
    if fresh {
        work.mark_broken(&mut notice)?;
        work.seed(&mut notice)?;
    }
    let mut special = work.special();
    for key in level.. {
        notice(Moment::Level(key, &work.codes))?;
        work.settle(key);
        work.settle_special(&mut special, key);
        if code::of_key(key) >= work.highest.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(work.codes.into_iter().map(|code| code.0.into_inner()).collect())
}

/// A table in the making.
struct Work<'g> {
    ground: &'g Ground,
    kind: Kind,
    codes: Vec<AtomicCode>,
    /// The highest code of any win or loss.
    highest: AtomicU16,
    threads: usize,
}

/// What is known of the moves of a position that may be lost.
enum Verdict {
    /// Every move leads to a win of the other side; the key of the loss.
    Lost(u16),
    /// Perhaps lost, once keys up to this one are settled.
    Later(u16),
    /// Not lost as far as is known.
    Open,
}

impl Work<'_> {
    fn store(&self, cell: usize, key: u16) {
        self.codes[cell].lower(code::of_key(key));
        if self.highest.load(Ordering::Relaxed) < code::of_key(key) {
            self.highest.fetch_max(code::of_key(key), Ordering::Relaxed);
        }
    }

    fn code_of(&self, men: &Men) -> u16 {
        let cell = self.ground.index.encode(men);
        cell.map_or(code::BROKEN, |cell| self.codes[cell].load())
    }

    /// The key of a win by an exit to this loss of the other side.
    const fn key_of_exit_win(&self, lost: u16) -> u16 {
        match self.kind {
            Kind::Mate => code::key(lost) + 1,
            Kind::Conversion | Kind::Wdl => 1,
        }
    }

    /// The key of a loss by an exit to this win of the other side.
    const fn key_of_exit_loss(&self, won: u16) -> u16 {
        match self.kind {
            Kind::Mate => code::key(won) + 1,
            Kind::Conversion | Kind::Wdl => 0,
        }
    }

    /// Passes over all cells, with word of each part done.
    fn pass(
        &self,
        done_before: usize,
        notice: &mut impl FnMut(Moment<'_>) -> std::io::Result<()>,
        each: impl Fn(usize) + Sync,
    ) -> std::io::Result<()> {
        const PARTS: usize = 50;
        let size = self.codes.len().div_ceil(PARTS);
        for part in 0..PARTS {
            let cells = (part * size).min(self.codes.len())..((part + 1) * size).min(self.codes.len());
            in_chunks(self.threads, cells, CHUNK, |cells| cells.for_each(&each));
            notice(Moment::Seeding(done_before + part + 1, 2 * PARTS))?;
        }
        Ok(())
    }

    fn mark_broken(&self, notice: &mut impl FnMut(Moment<'_>) -> std::io::Result<()>) -> std::io::Result<()> {
        self.pass(0, notice, |cell| {
            if self.ground.index.is_broken(cell) {
                self.codes[cell].lower(code::BROKEN);
            }
        })
    }

    /// Settles mates, and what exits alone decide; wins by exits may be improved later.
    fn seed(&self, notice: &mut impl FnMut(Moment<'_>) -> std::io::Result<()>) -> std::io::Result<()> {
        self.pass(50, notice, |cell| {
            if self.codes[cell].load() == code::BROKEN {
                return;
            }
            if let Some(men) = self.ground.index.decode(cell) {
                self.seed_cell(cell, &men);
            }
        })
    }

    fn seed_cell(&self, cell: usize, men: &Men) {
        let mut stays = false;
        let mut draws = false;
        let (mut win, mut loss) = (None::<u16>, None::<u16>);
        let _ = self.ground.steps(men, |step| {
            match step {
                Step::Exit(code::BROKEN) => {}
                Step::Exit(found) => match code::wdl(found) {
                    Wdl::Loss => win = min_some(win, self.key_of_exit_win(found)),
                    Wdl::Draw => draws = true,
                    Wdl::Win => loss = loss.max(Some(self.key_of_exit_loss(found))),
                },
                Step::Inside(after) | Step::Double(after) => {
                    stays = stays || self.code_of(&after) != code::BROKEN;
                }
            }
            ControlFlow::<()>::Continue(())
        });
        match (win, loss) {
            (Some(win), _) => self.store(cell, win),
            _ if stays || draws => {}
            (None, Some(loss)) => self.store(cell, loss),
            (None, None) if self.ground.in_check(men, men.turn) => self.store(cell, 0),
            (None, None) => {}
        }
    }

    /// Takes the moves back that lead to positions with this key.
    fn settle(&self, key: u16) {
        let wanted = code::of_key(key);
        in_chunks(self.threads, 0..self.codes.len(), CHUNK, |cells| {
            for cell in cells {
                if self.codes[cell].load() != wanted {
                    continue;
                }
                let Some(men) = self.ground.index.decode(cell) else {
                    continue;
                };
                self.ground.steps_back(&men, |before| {
                    if key.is_multiple_of(2) {
                        self.win(before, key + 1);
                    } else {
                        self.perhaps_lose(before, key);
                    }
                });
            }
        });
    }

    fn win(&self, men: &Men, key: u16) {
        if let Some((cell, twin)) = self.ground.index.encode_all(men) {
            for cell in [Some(cell), twin].into_iter().flatten() {
                let known = self.codes[cell].load();
                if known != code::BROKEN && known > code::of_key(key) {
                    self.store(cell, key);
                }
            }
        }
    }

    fn perhaps_lose(&self, men: &Men, level: u16) {
        let Some((cell, twin)) = self.ground.index.encode_all(men) else {
            return;
        };
        if self.codes[cell].load() != code::DRAW {
            return;
        }
        if let Verdict::Lost(key) = self.verdict(men, level) {
            for cell in [Some(cell), twin].into_iter().flatten() {
                self.store(cell, key);
            }
        }
    }

    /// Whether a position is lost, as far as keys up to `level` tell.
    fn verdict(&self, men: &Men, level: u16) -> Verdict {
        // A side without a legal move is not lost by its moves.
        let mut longest = None;
        let mut later = None;
        let open = self.ground.steps(men, |step| {
            match step {
                Step::Exit(code::BROKEN) => {}
                Step::Exit(found) if code::wdl(found) == Wdl::Win => {
                    longest = longest.max(Some(self.key_of_exit_loss(found)));
                }
                Step::Exit(_) => return ControlFlow::Break(()),
                Step::Inside(after) => match self.code_of(&after) {
                    code::BROKEN => {}
                    found if code::wdl(found) == Wdl::Win && code::key(found) <= level => {
                        longest = longest.max(Some(code::key(found) + 1));
                    }
                    _ => return ControlFlow::Break(()),
                },
                Step::Double(after) => match self.in_passing(men, &after, level) {
                    passing::Reply::Illegal => {}
                    passing::Reply::Win(key) if key <= level => longest = longest.max(Some(key + 1)),
                    passing::Reply::Win(key) | passing::Reply::Later(key) => later = later.max(Some(key)),
                    passing::Reply::Loss(_) | passing::Reply::Open => return ControlFlow::Break(()),
                },
            }
            ControlFlow::Continue(())
        });
        match (open, later) {
            (ControlFlow::Break(()), _) => Verdict::Open,
            (ControlFlow::Continue(()), Some(key)) => Verdict::Later(key),
            (ControlFlow::Continue(()), None) => longest.map_or(Verdict::Open, Verdict::Lost),
        }
    }
}

fn min_some(known: Option<u16>, found: u16) -> Option<u16> {
    Some(known.map_or(found, |known| known.min(found)))
}
