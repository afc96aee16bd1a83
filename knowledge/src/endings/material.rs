//! The material of an ending: which men each side has, written `KRvKN`.
//!
//! A table is made for each material once. KNvKR is KRvKN with the colours exchanged, so the
//! stronger side is White in every table: the side with more men, or with the better first
//! difference.

use std::fmt;
use std::str::FromStr;

use bluebelle_spec::{Color, Piece, Position};

/// The most men that a table is made for, kings included.
pub const MOST_MEN: usize = 5;

/// The kinds of men besides kings, in the order in which materials name them.
const KINDS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// How many men of each kind both sides have besides their kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// Queens, rooks, bishops, knights and pawns of White, then of Black.
    counts: [[u8; 5]; 2],
}

/// Why a text names no material that tables are made for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// Not two sides with one king each, king first.
    #[error("'{0}' is no material: expected two sides such as KRvKN, each beginning with its king")]
    Shape(String),
    /// A letter that stands for no man besides a king.
    #[error("'{letter}' in '{text}' is no man: expected Q, R, B, N or P after each king")]
    Letter {
        /// The letter.
        letter: char,
        /// The whole text.
        text: String,
    },
    /// More men than tables are made for.
    #[error("'{text}' has {men} men: tables have 3 to {MOST_MEN}")]
    Count {
        /// How many men there are.
        men: usize,
        /// The whole text.
        text: String,
    },
}

impl Material {
    /// Two bare kings: the ending that every capture leads to in the end.
    pub const BARE: Material = Material { counts: [[0; 5]; 2] };

    /// The material with these men besides the kings, the stronger side as White, and whether the
    /// colours were exchanged for that.
    pub fn of_men(men: impl IntoIterator<Item = (Color, Piece)>) -> (Material, bool) {
        let mut counts = [[0; 5]; 2];
        for (color, piece) in men {
            if let Some(kind) = KINDS.iter().position(|&kind| kind == piece) {
                counts[color.index()][kind] += 1;
            }
        }
        Material { counts }.canonical()
    }

    /// The material of a position, and whether the colours were exchanged; `None` if there are too
    /// many men.
    pub fn of_position(position: &Position) -> Option<(Material, bool)> {
        if position.occupied().count_ones() as usize > MOST_MEN {
            return None;
        }
        let mut counts = [[0; 5]; 2];
        for color in Color::ALL {
            for (kind, piece) in KINDS.into_iter().enumerate() {
                counts[color.index()][kind] = position.pieces(color, piece).count_ones() as u8;
            }
        }
        Some(Material { counts }.canonical())
    }

    /// Every material with `men` men, kings included, in the order of its names.
    pub fn all(men: usize) -> Vec<Material> {
        let mut found: Vec<Material> = Vec::new();
        let mut begun = vec![Vec::new()];
        for _ in 2..men.clamp(2, MOST_MEN) {
            begun = begun
                .iter()
                .flat_map(|men: &Vec<(Color, Piece)>| {
                    let sides = Color::ALL.into_iter();
                    let more = sides.flat_map(|color| KINDS.map(|piece| (color, piece)));
                    more.map(move |man| [men.as_slice(), &[man]].concat())
                })
                .collect();
        }
        for men in begun {
            let (material, _) = Material::of_men(men);
            if !found.contains(&material) {
                found.push(material);
            }
        }
        found.sort_by_key(Material::to_string);
        found
    }

    /// Queens, rooks, bishops, knights and pawns of White, then of Black.
    pub const fn counts(&self) -> [[u8; 5]; 2] {
        self.counts
    }

    /// How many men there are, kings included.
    pub fn men(&self) -> usize {
        2 + self.groups().iter().map(|group| group.count).sum::<usize>()
    }

    /// Whether a pawn is among the men.
    pub const fn has_pawns(&self) -> bool {
        self.counts[0][4] + self.counts[1][4] > 0
    }

    /// Whether both sides have the same men, so that a table for White to move is enough.
    pub fn is_symmetric(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    /// The men besides the kings, by side and kind, White's first.
    pub(super) fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        for color in Color::ALL {
            for (kind, piece) in KINDS.into_iter().enumerate() {
                let count = usize::from(self.counts[color.index()][kind]);
                if count > 0 {
                    groups.push(Group { color, piece, count });
                }
            }
        }
        groups
    }

    /// The materials that a capture, a promotion, or a promotion that captures leads to.
    pub fn successors(&self) -> Vec<Material> {
        let mut men = Vec::new();
        for group in self.groups() {
            men.extend([(group.color, group.piece)].repeat(group.count));
        }
        let mut after = promoted(&men);
        for taken in 0..men.len() {
            let mut left = men.clone();
            left.remove(taken);
            after.extend(promoted(&left));
            after.push(left);
        }
        let mut found = Vec::new();
        for men in after {
            let (material, _) = Material::of_men(men);
            if !found.contains(&material) {
                found.push(material);
            }
        }
        found
    }

    /// This material and all that its moves can lead to, smaller ones and promotions first.
    pub fn with_dependencies(&self) -> Vec<Material> {
        let mut order = Vec::new();
        self.visit(&mut order);
        order
    }

    fn visit(&self, order: &mut Vec<Material>) {
        if order.contains(self) {
            return;
        }
        for next in self.successors() {
            next.visit(order);
        }
        order.push(*self);
    }

    fn canonical(self) -> (Material, bool) {
        let [white, black] = self.counts;
        let strength = |counts: [u8; 5]| (counts.iter().sum::<u8>(), counts);
        if strength(white) >= strength(black) {
            return (self, false);
        }
        (Material { counts: [black, white] }, true)
    }
}

/// The men after each promotion that may come.
fn promoted(men: &[(Color, Piece)]) -> Vec<Vec<(Color, Piece)>> {
    let mut all = Vec::new();
    for (at, _) in men.iter().enumerate().filter(|(_, man)| man.1 == Piece::Pawn) {
        for piece in Piece::PROMOTIONS {
            let mut after = men.to_vec();
            after[at].1 = piece;
            all.push(after);
        }
    }
    all
}

/// Men of one side and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) color: Color,
    pub(super) piece: Piece,
    pub(super) count: usize,
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("K")?;
        for group in self.groups().iter().filter(|group| group.color == Color::White) {
            for _ in 0..group.count {
                write!(f, "{}", group.piece.letter(Color::White))?;
            }
        }
        f.write_str("vK")?;
        for group in self.groups().iter().filter(|group| group.color == Color::Black) {
            for _ in 0..group.count {
                write!(f, "{}", group.piece.letter(Color::White))?;
            }
        }
        Ok(())
    }
}

/// `KRvKN`, `KRKN` or `krvkn`; the order of sides and men does not matter.
impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let shape = || MaterialError::Shape(text.to_owned());
        let upper = text.to_ascii_uppercase();
        let men = upper.strip_prefix('K').ok_or_else(shape)?;
        let (white, black) = men.split_once('K').ok_or_else(shape)?;
        let white = white.strip_suffix('V').unwrap_or(white);
        let mut counted = Vec::new();
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            for letter in letters.chars() {
                match Piece::from_letter(letter) {
                    Some((_, Piece::King)) => return Err(shape()),
                    Some((_, piece)) => counted.push((color, piece)),
                    None => {
                        let text = text.to_owned();
                        return Err(MaterialError::Letter { letter, text });
                    }
                }
            }
        }
        let men = counted.len() + 2;
        if !(3..=MOST_MEN).contains(&men) {
            let text = text.to_owned();
            return Err(MaterialError::Count { men, text });
        }
        Ok(Material::of_men(counted).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Material {
        text.parse().expect("a material")
    }

    #[test]
    fn names_are_canonical() {
        for (text, name) in [
            ("KRvKN", "KRvKN"),
            ("knkr", "KRvKN"),
            ("KPKNB", "KBNvKP"),
            ("KQvKBB", "KBBvKQ"),
            ("KKN", "KNvK"),
        ] {
            assert_eq!(parse(text).to_string(), name);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "", "K", "KK", "RvK", "KRvKNK", "KXvK", "KRRRvKR", "KÄvK", "KvRK", "v", "KvvK",
        ] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
        let error = "KRRRvKR".parse::<Material>().expect_err("six men");
        assert_eq!(error.to_string(), "'KRRRvKR' has 6 men: tables have 3 to 5");
    }

    #[test]
    fn there_are_5_30_and_110_materials() {
        let counts = [2, 3, 4, 5].map(|men| Material::all(men).len());
        assert_eq!(counts, [1, 5, 30, 110]);
    }

    #[test]
    fn dependencies_come_first() {
        let order = parse("KPvKP").with_dependencies();
        assert_eq!(order.first(), Some(&Material::BARE));
        assert_eq!(order.last(), Some(&parse("KPvKP")));
        for (at, material) in order.iter().enumerate() {
            for next in material.successors() {
                assert!(order[..at].contains(&next), "{material} needs {next}");
            }
        }
        assert!(order.contains(&parse("KQvKR")) && order.contains(&parse("KNvK")));
    }
}
