//! What moves are in a table: moves that stay in it, exits to smaller tables, and moves taken back.

use std::ops::ControlFlow;
use std::sync::Arc;

use bluebelle_spec::{Color, Piece, Square, attacks};

use super::super::codec::Wanted;
use super::super::index::{Index, Men};
use super::super::material::{MOST_MEN, Material};
use super::super::value::{Wdl, code};

/// A table with all its values, to look up what a capture or a promotion leads to.
#[derive(Debug)]
pub(in crate::endings) struct Whole {
    pub(in crate::endings) index: Index,
    /// A [`code`] by number.
    pub(in crate::endings) codes: Vec<u16>,
}

impl Whole {
    /// Two bare kings, always drawn.
    pub(in crate::endings) fn bare() -> Whole {
        let index = Index::new(Material::BARE);
        let codes = vec![code::DRAW; index.cells()];
        Whole { index, codes }
    }

    /// Marks the cells that are no position, of which a file says nothing.
    pub(in crate::endings) fn mark_broken(&mut self, threads: usize) {
        let cells = self.codes.len();
        let size = cells.div_ceil(threads.max(1)).max(1);
        let index = &self.index;
        std::thread::scope(|scope| {
            for (part, codes) in self.codes.chunks_mut(size).enumerate() {
                scope.spawn(move || {
                    for (at, code) in codes.iter_mut().enumerate() {
                        if index.is_broken(part * size + at) {
                            *code = code::BROKEN;
                        }
                    }
                });
            }
        });
    }

    #[inline]
    fn code(&self, men: &Men) -> u16 {
        self.index.encode(men).map_or(code::BROKEN, |cell| self.codes[cell])
    }
}

/// The squares that a man attacks.
#[inline]
fn attacks_of((color, piece): (Color, Piece), square: u8, occupied: u64) -> u64 {
    let square = Square::new(square);
    match piece {
        Piece::Pawn => attacks::pawn(square, color),
        Piece::Knight => attacks::knight(square),
        Piece::Bishop => attacks::bishop(square, occupied),
        Piece::Rook => attacks::rook(square, occupied),
        Piece::Queen => attacks::bishop(square, occupied) | attacks::rook(square, occupied),
        Piece::King => attacks::king(square),
    }
}

impl Index {
    /// Whether a cell is no position: two men on a square, or the side that has moved is in check.
    pub(in crate::endings) fn is_broken(&self, cell: usize) -> bool {
        self.decode(cell).is_none_or(|men| self.in_check(&men, !men.turn))
    }

    /// Whether the king of `color` is attacked.
    fn in_check(&self, men: &Men, color: Color) -> bool {
        let king = men.squares[color.index()];
        let occupied = men.occupied(self.slots().len());
        let slots = self.slots().iter().enumerate();
        slots
            .filter(|(_, man)| man.0 != color)
            .any(|(slot, &man)| attacks_of(man, men.squares[slot], occupied) >> king & 1 != 0)
    }
}

/// A move of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A move that stays in the table; the placement after it.
    Inside(Men),
    /// A pawn's double step that a pawn may answer by taking in passing; the placement after it.
    Double(Men),
    /// A capture or promotion, and the code of what it leads to, which may be `BROKEN`.
    Exit(u16),
}

/// A way into a smaller table.
#[derive(Clone, Debug)]
struct Exit {
    whole: Arc<Whole>,
    /// From which slot each slot of the smaller table has its man.
    from: [usize; MOST_MEN],
    men: usize,
    exchanged: bool,
}

const NO_CAPTURE: usize = MOST_MEN;
const WAYS: usize = (MOST_MEN + 1) * MOST_MEN * (Piece::PROMOTIONS.len() + 1);

/// A material's men and where its moves lead.
#[derive(Debug)]
pub(in crate::endings) struct Ground {
    pub(in crate::endings) index: Index,
    /// By captured slot, moving slot and promotion.
    exits: Vec<Option<Exit>>,
    men: usize,
    /// Whether a pawn may be taken in passing.
    passing: bool,
}

impl Ground {
    /// The ground of a material; `smaller` has the table of each of its successors.
    pub(in crate::endings) fn new(
        material: Material,
        smaller: impl Fn(Material) -> Option<Arc<Whole>>,
    ) -> Option<Ground> {
        let index = Index::new(material);
        let slots = index.slots().to_vec();
        let [white, black] = material.counts();
        let mut ground = Ground {
            men: slots.len(),
            exits: vec![None; WAYS],
            passing: white[4] > 0 && black[4] > 0,
            index,
        };
        for captured in 0..=NO_CAPTURE {
            for mover in 0..slots.len() {
                for promotion in 0..=Piece::PROMOTIONS.len() {
                    let takes = captured != NO_CAPTURE;
                    let promotes = promotion > 0;
                    let possible = (takes || promotes)
                        && (!takes || captured >= 2 && captured < slots.len() && slots[captured].0 != slots[mover].0)
                        && (!promotes || slots[mover].1 == Piece::Pawn);
                    if possible {
                        let exit = Exit::new(&slots, captured, mover, promotion, &smaller)?;
                        ground.exits[way(captured, mover, promotion)] = Some(exit);
                    }
                }
            }
        }
        Some(ground)
    }

    #[inline]
    pub(super) fn occupied(&self, men: &Men) -> u64 {
        men.occupied(self.men)
    }

    /// The squares that the man in a slot attacks.
    #[inline]
    fn attacks(&self, slot: usize, square: u8, occupied: u64) -> u64 {
        attacks_of(self.index.slots()[slot], square, occupied)
    }

    /// Whether the king of `color` is attacked.
    pub(super) fn in_check(&self, men: &Men, color: Color) -> bool {
        self.index.in_check(men, color)
    }

    /// What a file of wins, draws and losses must tell of a cell. A probe looks at exits
    /// first: the better of the file's value and of theirs counts, so what an exit decides does not
    /// matter.
    pub(in crate::endings) fn wanted(&self, cell: usize, known: u16) -> Wanted {
        if known == code::BROKEN {
            return Wanted::ANYTHING;
        }
        let Some(men) = self.index.decode(cell) else {
            return Wanted::ANYTHING;
        };
        let mut best = None;
        let _ = self.steps(&men, |step| {
            if let Step::Exit(found) = step
                && found != code::BROKEN
            {
                best = best.max(Some(match code::wdl(found) {
                    Wdl::Loss => Wdl::Win,
                    Wdl::Draw => Wdl::Draw,
                    Wdl::Win => Wdl::Loss,
                }));
            }
            ControlFlow::<()>::Continue(())
        });
        match best {
            Some(Wdl::Win) => Wanted::ANYTHING,
            Some(Wdl::Draw) if code::wdl(known) == Wdl::Draw => Wanted::NO_WIN,
            _ => Wanted::Exactly(known),
        }
    }

    /// Visits the moves, legal or not: an illegal move leads to a broken placement.
    #[inline]
    pub(super) fn steps<B>(&self, men: &Men, mut visit: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        let occupied = self.occupied(men);
        let (mut own, mut enemy) = (0_u64, 0_u64);
        for (slot, &(color, _)) in self.index.slots().iter().enumerate() {
            let bit = 1 << men.squares[slot];
            *(if color == men.turn { &mut own } else { &mut enemy }) |= bit;
        }
        for (slot, &(color, piece)) in self.index.slots().iter().enumerate() {
            if color != men.turn {
                continue;
            }
            let from = men.squares[slot];
            if piece == Piece::Pawn {
                self.pawn_steps(men, slot, occupied, enemy, &mut visit)?;
                continue;
            }
            let targets = self.attacks(slot, from, occupied) & !own;
            for to in Square::all_of(targets) {
                let after = moved(men, slot, to.byte());
                visit(if enemy & to.bit() == 0 {
                    Step::Inside(after)
                } else {
                    self.capture(&after, slot, to.byte(), 0)
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawn_steps<B>(
        &self,
        men: &Men,
        slot: usize,
        occupied: u64,
        enemy: u64,
        visit: &mut impl FnMut(Step) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let from = men.squares[slot];
        let attacked = self.attacks(slot, from, occupied) & enemy;
        for to in Square::all_of(attacked) {
            let after = moved(men, slot, to.byte());
            if on_last_rank(to.byte()) {
                for promotion in 1..=Piece::PROMOTIONS.len() {
                    visit(self.capture(&after, slot, to.byte(), promotion))?;
                }
            } else {
                visit(self.capture(&after, slot, to.byte(), 0))?;
            }
        }
        let to = ahead(from, men.turn);
        if occupied >> to & 1 != 0 {
            return ControlFlow::Continue(());
        }
        let after = moved(men, slot, to);
        if on_last_rank(to) {
            for promotion in 1..=Piece::PROMOTIONS.len() {
                visit(Step::Exit(self.exit(&after, NO_CAPTURE, slot, promotion)))?;
            }
            return ControlFlow::Continue(());
        }
        visit(Step::Inside(after))?;
        let home = from >> 3 == if men.turn == Color::White { 1 } else { 6 };
        if home {
            let to = ahead(to, men.turn);
            if occupied >> to & 1 == 0 {
                let after = moved(men, slot, to);
                let beside = self.passing && self.beside(men, to, !men.turn);
                visit(if beside {
                    Step::Double(after)
                } else {
                    Step::Inside(after)
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a pawn of `color` stands beside a square.
    fn beside(&self, men: &Men, square: u8, color: Color) -> bool {
        let slots = self.index.slots().iter().enumerate();
        slots
            .filter(|(_, man)| **man == (color, Piece::Pawn))
            .any(|(slot, _)| are_beside(men.squares[slot], square))
    }

    fn capture(&self, after: &Men, slot: usize, to: u8, promotion: usize) -> Step {
        let mut captured = (2..self.men).filter(|&other| other != slot && after.squares[other] == to);
        // A captured king is no position either.
        Step::Exit(
            captured
                .next()
                .map_or(code::BROKEN, |captured| self.exit(after, captured, slot, promotion)),
        )
    }

    fn exit(&self, after: &Men, captured: usize, mover: usize, promotion: usize) -> u16 {
        match &self.exits[way(captured, mover, promotion)] {
            Some(exit) => exit.code(after),
            None => code::BROKEN,
        }
    }

    /// Visits the codes of the captures in passing, after a double step to this placement: the pawn
    /// that stepped stands beside a pawn of the side to move.
    pub(super) fn captures_in_passing(&self, before: &Men, after: &Men, mut visit: impl FnMut(u16)) {
        let Some(stepped) = (2..self.men).find(|&slot| before.squares[slot] != after.squares[slot]) else {
            return;
        };
        let to = after.squares[stepped];
        let passed = (before.squares[stepped] + to) / 2;
        for (slot, &man) in self.index.slots().iter().enumerate() {
            if man == (after.turn, Piece::Pawn) && are_beside(after.squares[slot], to) {
                visit(self.exit(&moved(after, slot, passed), stepped, slot, 0));
            }
        }
    }

    /// Visits the placements from which a move inside of the table leads here, except by a double
    /// step that a pawn could have answered in passing.
    #[inline]
    pub(super) fn steps_back(&self, men: &Men, mut visit: impl FnMut(&Men)) {
        let occupied = self.occupied(men);
        let mover = !men.turn;
        for (slot, &(color, piece)) in self.index.slots().iter().enumerate() {
            if color != mover {
                continue;
            }
            let to = men.squares[slot];
            if piece != Piece::Pawn {
                for from in Square::all_of(self.attacks(slot, to, occupied) & !occupied) {
                    visit(&moved(men, slot, from.byte()));
                }
                continue;
            }
            let from = ahead(to, men.turn);
            let rank = if mover == Color::White { to >> 3 } else { 7 - (to >> 3) };
            if rank < 2 || occupied >> from & 1 != 0 {
                continue;
            }
            visit(&moved(men, slot, from));
            let start = ahead(from, men.turn);
            if rank == 3 && occupied >> start & 1 == 0 && !(self.passing && self.beside(men, to, men.turn)) {
                visit(&moved(men, slot, start));
            }
        }
    }
}

impl Exit {
    fn new(
        slots: &[(Color, Piece)],
        captured: usize,
        mover: usize,
        promotion: usize,
        smaller: &impl Fn(Material) -> Option<Arc<Whole>>,
    ) -> Option<Exit> {
        let mut left: Vec<(usize, (Color, Piece))> = slots.iter().copied().enumerate().collect();
        if promotion > 0 {
            left[mover].1.1 = Piece::PROMOTIONS[promotion - 1];
        }
        left.retain(|&(slot, _)| slot != captured);
        let (material, exchanged) = Material::of_men(left.iter().map(|&(_, man)| man));
        let whole = smaller(material)?;
        let mut from = [0; MOST_MEN];
        for (slot, &(color, piece)) in whole.index.slots().iter().enumerate() {
            let color = if exchanged { !color } else { color };
            let at = left.iter().position(|&(_, man)| man == (color, piece))?;
            from[slot] = left.remove(at).0;
        }
        Some(Exit {
            men: whole.index.slots().len(),
            whole,
            from,
            exchanged,
        })
    }

    #[inline]
    fn code(&self, after: &Men) -> u16 {
        let flip = if self.exchanged { 56 } else { 0 };
        let mut men = Men {
            squares: [0; MOST_MEN],
            turn: if self.exchanged { !after.turn } else { after.turn },
        };
        for slot in 0..self.men {
            men.squares[slot] = after.squares[self.from[slot]] ^ flip;
        }
        self.whole.code(&men)
    }
}

const fn way(captured: usize, mover: usize, promotion: usize) -> usize {
    (captured * MOST_MEN + mover) * (Piece::PROMOTIONS.len() + 1) + promotion
}

/// The placement after the man in a slot goes to a square, or comes from there.
#[inline]
fn moved(men: &Men, slot: usize, to: u8) -> Men {
    let mut after = *men;
    after.squares[slot] = to;
    after.turn = !men.turn;
    after
}

const fn ahead(square: u8, color: Color) -> u8 {
    match color {
        Color::White => square.wrapping_add(8),
        Color::Black => square.wrapping_sub(8),
    }
}

const fn on_last_rank(square: u8) -> bool {
    square < 8 || square >= 56
}

const fn are_beside(one: u8, other: u8) -> bool {
    one >> 3 == other >> 3 && one.abs_diff(other) == 1
}
