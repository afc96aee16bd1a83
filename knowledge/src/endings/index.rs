//! A number for every placement of the men of an ending, so that a table is an array.
//!
//! The kings come first: by symmetry White's king stands on ten squares (462 pairs of kings that
//! are not side by side), or on 32 with pawns (1,806 pairs). The other men follow, group by group;
//! men of the same kind and side are a combination of squares. Placements with two men on a square
//! keep their numbers, which mean nothing. Two placements that mirror each other at the diagonal of
//! both kings have a number each and the same value.

use std::sync::LazyLock;

use bluebelle_spec::{Color, Piece, Square};

use super::material::{MOST_MEN, Material};

/// The squares of all men, by slot: White's king, Black's king, then group by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Men {
    pub(super) squares: [u8; MOST_MEN],
    pub(super) turn: Color,
}

/// The numbers of all placements of one material.
#[derive(Clone, Debug)]
pub(super) struct Index {
    material: Material,
    /// What stands in each slot.
    slots: Vec<(Color, Piece)>,
    groups: Vec<Span>,
    kings: &'static Kings,
    /// Where each slot's man goes when the colours are exchanged; for symmetric material only.
    exchanged: [usize; MOST_MEN],
    /// Placements for one side to move.
    placements: usize,
}

/// A group's share of the number.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// Its first slot.
    first: usize,
    /// How many men it has.
    count: usize,
    /// Its first square: 8 for pawns.
    base: u8,
    /// How many combinations of squares it has.
    pub(super) size: usize,
    /// What a step of its combination adds to the number.
    pub(super) stride: usize,
    /// The squares of each combination, ascending, without the base.
    pub(super) combinations: &'static [[u8; 3]],
}

/// The pairs of kings, and the symmetry that brings a pair to its place.
#[derive(Debug)]
struct Kings {
    /// The number of each pair and its symmetry; `NO_PAIR` for kings that are side by side.
    pairs: Vec<(u16, u8)>,
    squares: Vec<[u8; 2]>,
}

const NO_PAIR: u16 = u16::MAX;
/// The symmetry that mirrors at the diagonal a1–h8.
const TRANSPOSE: u8 = 4;

static PLAIN: LazyLock<Kings> = LazyLock::new(|| Kings::new(false));
static WITH_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::new(true));
static SYMMETRIES: [[u8; 64]; 8] = symmetries();

/// Bit 0 mirrors files, bit 1 ranks, and bit 2 mirrors at the diagonal afterwards.
const fn symmetries() -> [[u8; 64]; 8] {
    let mut all = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            let mut image = square as u8;
            if symmetry & 1 != 0 {
                image ^= 7;
            }
            if symmetry & 2 != 0 {
                image ^= 56;
            }
            if symmetry & 4 != 0 {
                image = image >> 3 | (image & 7) << 3;
            }
            all[symmetry][square] = image;
            square += 1;
        }
        symmetry += 1;
    }
    all
}

const fn on_diagonal(square: u8) -> bool {
    square >> 3 == square & 7
}

impl Kings {
    fn new(pawns: bool) -> Kings {
        let mut kings = Kings {
            pairs: vec![(NO_PAIR, 0); 64 * 64],
            squares: Vec::new(),
        };
        for white in 0..64_u8 {
            for black in 0..64_u8 {
                let symmetry = Kings::symmetry(white, black, pawns);
                let adjacent = bluebelle_spec::attacks::king(Square::new(white)) >> black & 1 != 0;
                if adjacent || white == black {
                    continue;
                }
                let image = &SYMMETRIES[usize::from(symmetry)];
                let pair = [image[usize::from(white)], image[usize::from(black)]];
                let known = kings.squares.iter().position(|&known| known == pair);
                let number = known.unwrap_or_else(|| {
                    kings.squares.push(pair);
                    kings.squares.len() - 1
                });
                kings.pairs[usize::from(white) << 6 | usize::from(black)] = (number as u16, symmetry);
            }
        }
        kings
    }

    fn symmetry(white: u8, black: u8, pawns: bool) -> u8 {
        let mut symmetry = u8::from(white & 7 > 3);
        if pawns {
            return symmetry;
        }
        symmetry |= u8::from(white >> 3 > 3) << 1;
        let image = |square: u8| SYMMETRIES[usize::from(symmetry)][usize::from(square)];
        let above = |square: u8| square >> 3 > square & 7;
        if above(image(white)) || on_diagonal(image(white)) && above(image(black)) {
            symmetry |= TRANSPOSE;
        }
        symmetry
    }
}

impl Span {
    /// How many men the group has.
    pub(super) const fn count(&self) -> usize {
        self.count
    }
}

impl Index {
    pub(super) fn new(material: Material) -> Index {
        let mut slots = vec![(Color::White, Piece::King), (Color::Black, Piece::King)];
        let mut groups = Vec::new();
        for group in material.groups() {
            let pawns = group.piece == Piece::Pawn;
            let combinations = combinations(group.count, pawns);
            groups.push(Span {
                first: slots.len(),
                count: group.count,
                base: if pawns { 8 } else { 0 },
                size: combinations.len(),
                stride: 1,
                combinations,
            });
            slots.extend([(group.color, group.piece)].repeat(group.count));
        }
        let mut size = 1;
        for group in groups.iter_mut().rev() {
            group.stride = size;
            size *= group.size;
        }
        let kings: &Kings = if material.has_pawns() { &WITH_PAWNS } else { &PLAIN };
        let mut exchanged = [0, 1, 2, 3, 4];
        if material.is_symmetric() {
            let other = slots.len() / 2 - 1;
            exchanged[..2].copy_from_slice(&[1, 0]);
            for slot in 2..2 + other {
                exchanged[slot] = slot + other;
                exchanged[slot + other] = slot;
            }
        }
        Index {
            material,
            placements: kings.squares.len() * size,
            slots,
            groups,
            kings,
            exchanged,
        }
    }

    pub(super) const fn material(&self) -> Material {
        self.material
    }

    /// What stands in each slot.
    pub(super) fn slots(&self) -> &[(Color, Piece)] {
        &self.slots
    }

    pub(super) fn groups(&self) -> &[Span] {
        &self.groups
    }

    /// Placements with White to move, then with Black to move unless both sides have the same men.
    pub(super) fn cells(&self) -> usize {
        self.placements * self.sides()
    }

    pub(super) const fn placements(&self) -> usize {
        self.placements
    }

    pub(super) fn sides(&self) -> usize {
        if self.material.is_symmetric() { 1 } else { 2 }
    }

    /// The number of a placement; `None` if the kings are side by side. The men stand on squares of
    /// their own.
    #[inline]
    pub(super) fn encode(&self, men: &Men) -> Option<usize> {
        let men = self.oriented(men);
        let (pair, symmetry) = self.pair(&men)?;
        Some(self.number(pair, &SYMMETRIES[usize::from(symmetry)], &men))
    }

    /// The number of a placement and of its mirror image, if that has a number of its own.
    #[inline]
    pub(super) fn encode_all(&self, men: &Men) -> Option<(usize, Option<usize>)> {
        let men = self.oriented(men);
        let (pair, symmetry) = self.pair(&men)?;
        let first = self.number(pair, &SYMMETRIES[usize::from(symmetry)], &men);
        let [white, black] = self.kings.squares[pair];
        if self.material.has_pawns() || !on_diagonal(white) || !on_diagonal(black) {
            return Some((first, None));
        }
        let mirrored = &SYMMETRIES[usize::from(symmetry ^ TRANSPOSE)];
        Some((first, Some(self.number(pair, mirrored, &men))))
    }

    /// The placement with this number; `None` if two men would stand on one square.
    #[inline]
    pub(super) fn decode(&self, cell: usize) -> Option<Men> {
        let black = cell >= self.placements;
        let mut rest = if black { cell - self.placements } else { cell };
        let mut men = Men {
            squares: [0; MOST_MEN],
            turn: if black { Color::Black } else { Color::White },
        };
        let mut occupied = 0_u64;
        for group in self.groups.iter().rev() {
            let squares = &group.combinations[rest % group.size];
            rest /= group.size;
            for (man, square) in squares[..group.count].iter().enumerate() {
                let square = square + group.base;
                if occupied >> square & 1 != 0 {
                    return None;
                }
                occupied |= 1 << square;
                men.squares[group.first + man] = square;
            }
        }
        let [white, black] = self.kings.squares[rest];
        men.squares[0] = white;
        men.squares[1] = black;
        (occupied & (1 << white | 1 << black) == 0).then_some(men)
    }

    /// With the same men on both sides, it is always White's move.
    #[inline]
    fn oriented(&self, men: &Men) -> Men {
        if men.turn == Color::White || !self.material.is_symmetric() {
            return *men;
        }
        let mut squares = [0; MOST_MEN];
        for slot in 0..self.slots.len() {
            squares[self.exchanged[slot]] = men.squares[slot] ^ 56;
        }
        Men {
            squares,
            turn: Color::White,
        }
    }

    #[inline]
    fn pair(&self, men: &Men) -> Option<(usize, u8)> {
        let (pair, symmetry) = self.kings.pairs[usize::from(men.squares[0]) << 6 | usize::from(men.squares[1])];
        (pair != NO_PAIR).then_some((usize::from(pair), symmetry))
    }

    #[inline]
    fn number(&self, pair: usize, image: &[u8; 64], men: &Men) -> usize {
        let mut number = pair;
        for group in &self.groups {
            let at = |man: usize| usize::from(image[usize::from(men.squares[group.first + man])] - group.base);
            let combination = match group.count {
                1 => at(0),
                2 => rank_of_two(at(0), at(1)),
                _ => rank_of_three([at(0), at(1), at(2)]),
            };
            number = number * group.size + combination;
        }
        if men.turn == Color::Black {
            number += self.placements;
        }
        number
    }
}

impl Men {
    #[inline]
    pub(super) fn occupied(&self, men: usize) -> u64 {
        self.squares[..men].iter().fold(0, |set, &square| set | 1 << square)
    }
}

#[inline]
const fn rank_of_two(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (high * high - high) / 2 + low
}

#[inline]
fn rank_of_three(mut squares: [usize; 3]) -> usize {
    squares.sort_unstable();
    let [low, middle, high] = squares;
    // Two men on a square have no rank; a number of any kind will do.
    let choose3 = high * high.saturating_sub(1) * high.saturating_sub(2) / 6;
    choose3 + rank_of_two(low, middle)
}

/// All ways to choose one to three squares, in the order of their ranks.
fn combinations(count: usize, pawns: bool) -> &'static [[u8; 3]] {
    static ALL: LazyLock<Vec<Vec<[u8; 3]>>> = LazyLock::new(|| {
        let list = |count: usize, squares: u8| {
            let mut list = Vec::new();
            match count {
                1 => list.extend((0..squares).map(|a| [a, 0, 0])),
                2 => list.extend((0..squares).flat_map(|b| (0..b).map(move |a| [a, b, 0]))),
                _ => list.extend((0..squares).flat_map(|c| (0..c).flat_map(move |b| (0..b).map(move |a| [a, b, c])))),
            }
            list
        };
        [48, 64]
            .iter()
            .flat_map(|&squares| (1..=3).map(move |count| list(count, squares)))
            .collect()
    });
    &ALL[if pawns { 0 } else { 3 } + count - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn index(text: &str) -> Index {
        Index::new(text.parse().expect("a material"))
    }

    #[test]
    fn there_are_462_and_1806_pairs_of_kings() {
        assert_eq!(PLAIN.squares.len(), 462);
        assert_eq!(WITH_PAWNS.squares.len(), 1_806);
    }

    #[test]
    fn every_number_is_the_number_of_its_placement() {
        for text in ["KRvK", "KPvK", "KNNvK", "KRvKR", "KPvKP", "KQvKN", "KPPvK"] {
            let index = index(text);
            for cell in 0..index.cells() {
                if let Some(men) = index.decode(cell) {
                    assert_eq!(index.encode(&men), Some(cell), "{text} {men:?}");
                }
            }
        }
    }

    #[test]
    fn every_number_of_three_like_men_is_the_number_of_its_placement() {
        for text in ["KBBBvK", "KPPPvK", "KBBvKN", "KRPvKR"] {
            let index = index(text);
            for cell in (0..index.cells()).step_by(97) {
                if let Some(men) = index.decode(cell) {
                    assert_eq!(index.encode(&men), Some(cell), "{text} {men:?}");
                }
            }
        }
    }

    /// Counts the placements of KRvK by hand, up to the eight symmetries of the board.
    #[test]
    fn every_placement_has_a_number() {
        let index = index("KRvK");
        let mut found = HashSet::new();
        let mut classes = HashSet::new();
        for code in 0..64_usize.pow(3) {
            let squares = [code & 63, code >> 6 & 63, code >> 12].map(|square| square as u8);
            let [white, black, rook] = squares;
            let apart = white != black && rook != white && rook != black;
            let men = Men {
                squares: [white, black, rook, 0, 0],
                turn: Color::White,
            };
            let number = index.encode(&men);
            let adjacent = (white & 7).abs_diff(black & 7).max((white >> 3).abs_diff(black >> 3)) <= 1;
            assert_eq!(number.is_some(), !adjacent);
            if let Some(number) = number.filter(|_| apart) {
                let image = |symmetry: &[u8; 64]| squares.map(|square| symmetry[usize::from(square)]);
                let class = SYMMETRIES.iter().map(image).min();
                found.insert(number);
                classes.insert(class);
                let back = index
                    .decode(number)
                    .map(|men| [men.squares[0], men.squares[1], men.squares[2]]);
                assert!(SYMMETRIES.iter().any(|symmetry| Some(image(symmetry)) == back));
            }
        }
        let numbered = (0..index.placements())
            .filter(|&cell| index.decode(cell).is_some())
            .count();
        assert_eq!(found.len(), numbered);
        // Mirror images at the diagonal of both kings are one class and two numbers.
        let twice = (0..index.placements())
            .filter_map(|cell| index.decode(cell))
            .filter_map(|men| index.encode_all(&men))
            .filter(|&(first, second)| second.is_some_and(|second| second != first))
            .count();
        assert_eq!(classes.len(), found.len() - twice / 2);
    }
}
