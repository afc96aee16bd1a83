//! Michie's Table 3: a sentence for every combination of value and expected utility.

use std::fmt;

use bluebelle_spec::Color;

use super::super::opponent::SAME;
use super::name;
use super::rules::{MUCH, NEARLY};
use crate::vocabulary::{Utility, Value};

/// What a cell of the table says, and of which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What is said.
    pub meaning: Meaning,
    /// The side of which it is said; `None` where the cell takes no side.
    pub side: Option<Color>,
}

/// What is said of the cell's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// No position has this value and this utility.
    Impossible,
    /// Only a coincidence would make the utility exactly this.
    VirtuallyImpossible,
    /// All games are drawn.
    DeadDraw,
    /// The side wins all games.
    CertainWin,
    /// A balanced position.
    Balanced,
    /// The side is lost, and will probably draw.
    DrawingChances,
    /// The side wins easily.
    EasyWin,
    /// The position is drawn, and the side will probably win.
    ExcellentChances,
    /// The position is drawn, and the side has good winning chances.
    GoodChances,
    /// The position is drawn, and the side is slightly better.
    SlightAdvantage,
    /// The side has a win of moderate difficulty.
    MildWin,
    /// The side is won, and clearly better in practice.
    ClearAdvantage,
    /// The side is won, and slightly worse in practice.
    VeryDifficultWin,
    /// The side is won, and likely to lose.
    LikelyToLose,
    /// The side is won, and almost bound to lose.
    BoundToLose,
}

impl Meaning {
    /// The meanings with their names in files, and whether they take a side.
    const NAMES: [(Meaning, &str, bool); 15] = [
        (Meaning::Impossible, "impossible", false),
        (Meaning::VirtuallyImpossible, "virtually-impossible", false),
        (Meaning::DeadDraw, "dead-draw", false),
        (Meaning::CertainWin, "certain-win", true),
        (Meaning::Balanced, "balanced", false),
        (Meaning::DrawingChances, "drawing-chances", true),
        (Meaning::EasyWin, "easy-win", true),
        (Meaning::ExcellentChances, "excellent-chances", true),
        (Meaning::GoodChances, "good-chances", true),
        (Meaning::SlightAdvantage, "slight-advantage", true),
        (Meaning::MildWin, "mild-win", true),
        (Meaning::ClearAdvantage, "clear-advantage", true),
        (Meaning::VeryDifficultWin, "very-difficult-win", true),
        (Meaning::LikelyToLose, "likely-to-lose", true),
        (Meaning::BoundToLose, "bound-to-lose", true),
    ];
}

impl Cell {
    /// The cell with this meaning, by its name in files; `None` if there is no such meaning, or it
    /// takes a side and none is given, or the reverse.
    pub fn named(text: &str, side: Option<Color>) -> Option<Cell> {
        let found = Meaning::NAMES.into_iter().find(|(_, name, _)| *name == text);
        let (meaning, _, takes_side) = found?;
        (takes_side == side.is_some()).then_some(Cell { meaning, side })
    }
}

/// The cell of the table for a position's value and expected utility, both White's.
pub fn cell(value: Value, utility: Utility) -> Cell {
    let u = utility.number();
    let (meaning, side) = match value {
        Value::Draw => {
            let side = if u < 0.0 { Color::Black } else { Color::White };
            (drawn(u.abs()), side)
        }
        Value::Win => (won(u), Color::White),
        Value::Loss => (won(-u), Color::Black),
    };
    // What is said of a lost side that will probably draw is said of the loser.
    let side = if meaning == Meaning::DrawingChances {
        !side
    } else {
        side
    };
    let takes_side = Meaning::NAMES.iter().any(|entry| entry.0 == meaning && entry.2);
    let side = takes_side.then_some(side);
    Cell { meaning, side }
}

/// The column v = 0, seen from the side that is better.
fn drawn(u: f64) -> Meaning {
    if u <= SAME {
        Meaning::DeadDraw
    } else if u <= NEARLY {
        Meaning::Balanced
    } else if u < MUCH {
        Meaning::SlightAdvantage
    } else if u < 1.0 - NEARLY {
        Meaning::GoodChances
    } else if u < 1.0 - SAME {
        Meaning::ExcellentChances
    } else {
        Meaning::Impossible
    }
}

/// The columns v = ±1, seen from the side that is won.
fn won(u: f64) -> Meaning {
    if u.abs() <= SAME {
        Meaning::VirtuallyImpossible
    } else if u.abs() <= NEARLY {
        Meaning::DrawingChances
    } else if u >= 1.0 - SAME {
        Meaning::CertainWin
    } else if u >= 1.0 - NEARLY {
        Meaning::EasyWin
    } else if u >= MUCH {
        Meaning::ClearAdvantage
    } else if u > 0.0 {
        Meaning::MildWin
    } else if u > -MUCH {
        Meaning::VeryDifficultWin
    } else if u > NEARLY - 1.0 {
        Meaning::LikelyToLose
    } else if u > SAME - 1.0 {
        Meaning::BoundToLose
    } else {
        Meaning::Impossible
    }
}

/// The sentence of the table.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side.unwrap_or(Color::White);
        let (side, other) = (name(side), name(!side));
        match self.meaning {
            Meaning::Impossible => f.write_str("impossible"),
            Meaning::VirtuallyImpossible => f.write_str("virtually impossible"),
            Meaning::DeadDraw => f.write_str("a certain draw"),
            Meaning::CertainWin => write!(f, "a certain win for {side}"),
            Meaning::Balanced => f.write_str("a balanced position"),
            Meaning::DrawingChances => {
                write!(f, "{side} has excellent drawing chances; {other} needs accuracy to win")
            }
            Meaning::EasyWin => write!(f, "an easy win for {side}"),
            Meaning::ExcellentChances => {
                write!(
                    f,
                    "{side} has excellent winning chances; {other} needs great accuracy to draw"
                )
            }
            Meaning::GoodChances => {
                write!(f, "{side} has good winning chances; {other} needs accuracy to draw")
            }
            Meaning::SlightAdvantage => {
                write!(f, "{side} has a slight advantage; {other} needs care to draw")
            }
            Meaning::MildWin => write!(f, "{side} has a mildly difficult win"),
            Meaning::ClearAdvantage => write!(f, "{side} has a clear advantage"),
            Meaning::VeryDifficultWin => {
                write!(f, "{side} needs extreme accuracy to win: a very difficult win")
            }
            Meaning::LikelyToLose => {
                write!(f, "{side} has a theoretical win, but is likely to lose")
            }
            Meaning::BoundToLose => {
                write!(f, "{side} has a theoretical win, but is almost bound to lose")
            }
        }
    }
}
