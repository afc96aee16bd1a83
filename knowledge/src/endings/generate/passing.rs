//! Captures in passing: tables have positions without that right only, so what a double step leads
//! to is the better of the table's value and of the captures.
//!
//! Positions with such a double step are few. They are looked up forward at every level until they
//! are settled, and no move is taken back to reach them by that step.

use std::ops::ControlFlow;

use super::super::index::Men;
use super::super::value::{Wdl, code};
use super::ground::Step;
use super::{CHUNK, Verdict, Work, in_chunks, min_some};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// The value of a position in which a pawn can be taken in passing, for the side that may take.
pub(super) enum Reply {
    /// The double step leaves its king in check.
    Illegal,
    /// Won, with this key.
    Win(u16),
    /// Lost, with this key.
    Loss(u16),
    /// Won, with this key or a smaller one that is not settled yet.
    Later(u16),
    /// Drawn, or not known yet.
    Open,
}

impl Work<'_> {
    /// The positions with a double step that a pawn may answer by taking in passing.
    pub(super) fn special(&self) -> Vec<usize> {
        let [white, black] = self.ground.index.material().counts();
        if white[4] == 0 || black[4] == 0 {
            return Vec::new();
        }
        let found = Mutex::new(Vec::new());
        in_chunks(self.threads, 0..self.codes.len(), CHUNK, |cells| {
            let special = cells.filter(|&cell| {
                self.codes[cell].load() != code::BROKEN
                    && self
                        .ground
                        .index
                        .decode(cell)
                        .is_some_and(|men| self.has_double_step(&men))
            });
            let special: Vec<usize> = special.collect();
            found
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .extend(special);
        });
        found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn has_double_step(&self, men: &Men) -> bool {
        let found = self.ground.steps(men, |step| match step {
            Step::Double(_) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        found.is_break()
    }

    /// Looks the special positions up whose keys may be one more than `level`, and drops those
    /// that are settled.
    pub(super) fn settle_special(&self, special: &mut Vec<usize>, level: u16) {
        let cells: &[usize] = special;
        in_chunks(self.threads, 0..cells.len(), 1 << 8, |range| {
            for &cell in &cells[range] {
                if let Some(men) = self.ground.index.decode(cell) {
                    self.settle_one(cell, &men, level);
                }
            }
        });
        special.retain(|&cell| {
            let known = self.codes[cell].load();
            known == code::DRAW || code::wdl(known) == Wdl::Win && code::key(known) > level + 1
        });
    }

    fn settle_one(&self, cell: usize, men: &Men, level: u16) {
        let mut win = None;
        let _ = self.ground.steps(men, |step| {
            if let Step::Double(after) = step
                && let Reply::Loss(key) = self.in_passing(men, &after, level)
            {
                win = min_some(win, key + 1);
            }
            ControlFlow::<()>::Continue(())
        });
        if let Some(key) = win {
            self.store(cell, key);
        } else if self.codes[cell].load() == code::DRAW {
            match self.verdict(men, level) {
                Verdict::Lost(key) => self.store(cell, key),
                Verdict::Later(key) => {
                    self.highest.fetch_max(code::of_key(key), Ordering::Relaxed);
                }
                Verdict::Open => {}
            }
        }
    }

    /// What a double step leads to, as far as keys up to `level` tell.
    pub(super) fn in_passing(&self, before: &Men, after: &Men, level: u16) -> Reply {
        let table = self.code_of(after);
        if table == code::BROKEN {
            return Reply::Illegal;
        }
        let (mut win, mut draws, mut loss) = (None, false, None);
        self.ground.captures_in_passing(before, after, |found| match found {
            code::BROKEN => {}
            found => match code::wdl(found) {
                Wdl::Loss => win = min_some(win, self.key_of_exit_win(found)),
                Wdl::Draw => draws = true,
                Wdl::Win => loss = loss.max(Some(self.key_of_exit_loss(found))),
            },
        });
        let known = (table != code::DRAW).then(|| (code::wdl(table), code::key(table)));
        match (known, win) {
            (Some((Wdl::Win, key)), Some(win)) if key <= level => Reply::Win(key.min(win)),
            (Some((Wdl::Win, key)), None) if key <= level => Reply::Win(key),
            (Some((Wdl::Loss, _)), Some(win)) => Reply::Win(win),
            (_, Some(win)) if win <= level => Reply::Win(win),
            (_, Some(win)) => Reply::Later(win),
            _ if draws => Reply::Open,
            (Some((Wdl::Loss, key)), None) => match loss {
                Some(loss) if !self.has_step(after) => Reply::Loss(loss),
                loss => Reply::Loss(loss.map_or(key, |loss| loss.max(key))),
            },
            (_, None) => match loss {
                Some(loss) if !self.has_step(after) => Reply::Loss(loss),
                _ => Reply::Open,
            },
        }
    }

    /// Whether there is a legal move besides captures in passing.
    fn has_step(&self, men: &Men) -> bool {
        let found = self.ground.steps(men, |step| {
            let legal = match step {
                Step::Exit(found) => found != code::BROKEN,
                Step::Inside(after) | Step::Double(after) => self.code_of(&after) != code::BROKEN,
            };
            if legal {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found.is_break()
    }
}
