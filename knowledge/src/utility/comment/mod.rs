//! The comments of chess commentators, as statements about value and expected utility.
//!
//! Michie's Table 1 lists 21 comments, his Table 2 says when each is true: [`on_position`],
//! [`on_move`] and [`on_choice`] are that table. His Table 3 gives a sentence for every combination
//! of v and u: [`cell`]. All rules look from one side, so that "the mover" may be either colour,
//! and a [`Remark`] carries the numbers behind its comment.

mod rules;
mod table3;

pub use rules::{HIGH_BRANCHING, MUCH, NEARLY, Outlook, on_choice, on_move, on_position};
pub use table3::{Cell, Meaning, cell};

use std::fmt;

use bluebelle_spec::Color;

use super::theory::NodeFigures;
use crate::vocabulary::{Utility, Value};

/// What the rules look at in a position, seen from one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Game-theoretic value, *v*; `None` where it is not known.
    pub value: Option<Value>,
    /// Expected utility, *u*.
    pub utility: Utility,
    /// The mean square of the results: 0 where all games are drawn, 1 where none is.
    pub tension: f64,
    /// Whether no line of play can end in anything but a draw.
    pub dead: bool,
    /// How many moves the players effectively choose from in the first few levels.
    pub branching: f64,
}

impl Figures {
    /// The figures of a node of a tree, which are White's.
    pub fn of_node(node: &NodeFigures) -> Figures {
        Figures {
            value: Some(node.value),
            utility: node.utility,
            tension: node.tension,
            dead: node.dead,
            branching: node.branching,
        }
    }

    /// White's figures as `side` sees them; its own inverse.
    #[must_use]
    pub fn seen_by(self, side: Color) -> Figures {
        Figures {
            value: self.value.map(|value| value.seen_by(side)),
            utility: self.utility.seen_by(side),
            ..self
        }
    }
}

/// A comment of Table 1. Where Table 2 tells cases apart, the comment says which case it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comment {
    /// (1) Nothing that either player can do can avert a draw.
    DeadDraw,
    /// (2) A complicated position.
    Complicated,
    /// (3) A balanced position.
    Balanced(Balance),
    /// (4) The side has a slight advantage.
    SlightAdvantage,
    /// (5) The side has a clear advantage.
    ClearAdvantage,
    /// (6) The side has a decisive advantage, in a position with this value.
    DecisiveAdvantage(Option<Value>),
    /// (7) A certain win for the side.
    CertainWin,
    /// (8) A difficult position for the side.
    Difficult(Difficulty),
    /// (9) A losing move.
    LosingMove,
    /// (10) The move weakens the mover's position.
    Inaccuracy,
    /// (11) The move strengthens the mover's position.
    Strengthens,
    /// (12) A mistake.
    Mistake,
    /// (13) A blunder.
    Blunder,
    /// (14) A strong move.
    Strong,
    /// (15) A very strong or brilliant move.
    Brilliant,
    /// (16) A brilliant but unsound move.
    BrilliantButUnsound,
    /// (17) The best move.
    Best,
    /// (18) The best move in difficult circumstances.
    BestInDifficulty,
    /// (19) A safe move.
    Safe,
    /// (20) The side should press home the advantage.
    PressHome,
    /// (21) The side should play for time.
    PlayForTime,
}

/// The cases of (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Balance {
    /// Case 1: hardly any tension.
    Lifeless,
    /// Case 2: high tension.
    Tense,
    /// Neither case.
    Plain,
}

/// The cases of (8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Difficulty {
    /// Case 1: the side needs accuracy to secure the draw.
    Draw,
    /// Case 2: the side needs accuracy to secure the win.
    Win,
    /// Case 3: the position is won, and so difficult that the side should offer a draw.
    HopelessWin,
}

impl Comment {
    /// The number in Table 1.
    pub const fn number(self) -> u8 {
        match self {
            Comment::DeadDraw => 1,
            Comment::Complicated => 2,
            Comment::Balanced(_) => 3,
            Comment::SlightAdvantage => 4,
            Comment::ClearAdvantage => 5,
            Comment::DecisiveAdvantage(_) => 6,
            Comment::CertainWin => 7,
            Comment::Difficult(_) => 8,
            Comment::LosingMove => 9,
            Comment::Inaccuracy => 10,
            Comment::Strengthens => 11,
            Comment::Mistake => 12,
            Comment::Blunder => 13,
            Comment::Strong => 14,
            Comment::Brilliant => 15,
            Comment::BrilliantButUnsound => 16,
            Comment::Best => 17,
            Comment::BestInDifficulty => 18,
            Comment::Safe => 19,
            Comment::PressHome => 20,
            Comment::PlayForTime => 21,
        }
    }

    /// The numeric annotation glyph of PGN, for comments that have one.
    pub const fn nag(self, side: Color) -> Option<u8> {
        // Glyphs for positions come in pairs, White's first.
        let pair = side as u8;
        Some(match self {
            Comment::DeadDraw => 10,
            Comment::Balanced(Balance::Lifeless) => 11,
            Comment::Balanced(Balance::Tense) => 12,
            Comment::Balanced(Balance::Plain) => 10,
            Comment::SlightAdvantage => 14 + pair,
            Comment::ClearAdvantage => 16 + pair,
            Comment::DecisiveAdvantage(_) => 18 + pair,
            Comment::CertainWin => 20 + pair,
            Comment::Strong => 1,
            Comment::Mistake => 2,
            Comment::Brilliant => 3,
            Comment::Blunder => 4,
            Comment::BrilliantButUnsound => 5,
            Comment::Inaccuracy => 6,
            _ => return None,
        })
    }

    /// The comment in words, for this side.
    pub fn words(self, side: Color) -> String {
        let other = name(!side);
        let side = name(side);
        match self {
            Comment::DeadDraw => "a dead draw".to_owned(),
            Comment::Complicated => "a complicated position".to_owned(),
            Comment::Balanced(Balance::Lifeless) => "a balanced, lifeless position".to_owned(),
            Comment::Balanced(Balance::Tense) => "a balanced position full of tension".to_owned(),
            Comment::Balanced(Balance::Plain) => "a balanced position".to_owned(),
            Comment::SlightAdvantage => format!("{side} has a slight advantage"),
            Comment::ClearAdvantage => format!("{side} has a clear advantage and good winning chances"),
            Comment::DecisiveAdvantage(Some(Value::Draw)) => {
                format!("{side} has excellent winning chances in a drawn position")
            }
            Comment::DecisiveAdvantage(Some(Value::Loss)) => {
                format!("{side} is almost bound to win, although {other} has a theoretical win")
            }
            Comment::DecisiveAdvantage(_) => format!("{side} has a decisive advantage"),
            Comment::CertainWin => format!("a certain win for {side}"),
            Comment::Difficult(Difficulty::Draw) => format!("{side} needs accuracy to secure the draw"),
            Comment::Difficult(Difficulty::Win) => format!("{side} needs accuracy to secure the win"),
            Comment::Difficult(Difficulty::HopelessWin) => {
                format!("{side} has a theoretical win, too difficult to find")
            }
            Comment::LosingMove => "a losing move".to_owned(),
            Comment::Inaccuracy => "an inaccuracy".to_owned(),
            Comment::Strengthens => format!("{side} strengthens the position"),
            Comment::Mistake => "a mistake".to_owned(),
            Comment::Blunder => "a blunder".to_owned(),
            Comment::Strong => "a strong move".to_owned(),
            Comment::Brilliant => "a very strong move".to_owned(),
            Comment::BrilliantButUnsound => "brilliant but unsound".to_owned(),
            Comment::Best => "the best move".to_owned(),
            Comment::BestInDifficulty => "the best move in difficult circumstances".to_owned(),
            Comment::Safe => "a safe move".to_owned(),
            Comment::PressHome => format!("{side} should press home the advantage"),
            Comment::PlayForTime => format!("{side} should play for time"),
        }
    }
}

/// The side in words.
const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A comment with what is behind it. All numbers are seen from `side`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remark {
    /// The comment.
    pub comment: Comment,
    /// The side that the comment takes: the mover, for a comment on a move.
    pub side: Color,
    /// The value; after the move, for a comment on a move.
    pub value: Option<Value>,
    /// The expected utility; after the move, for a comment on a move.
    pub utility: Utility,
    /// What the move did to the value, from −2 to 0; `None` for a comment on a position, and where
    /// a value is not known.
    pub value_change: Option<i8>,
    /// What the move did to the expected utility; `None` for a comment on a position.
    pub utility_change: Option<f64>,
    /// The tension; after the move, for a comment on a move.
    pub tension: f64,
}

impl Remark {
    fn on_position(comment: Comment, side: Color, figures: &Figures) -> Remark {
        Remark {
            comment,
            side,
            value: figures.value,
            utility: figures.utility,
            value_change: None,
            utility_change: None,
            tension: figures.tension,
        }
    }
}

/// The words and the numbers: `a blunder (v 0 → -1, u -0.612, Δu -0.587, tension 0.402)`.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (v ", self.comment.words(self.side))?;
        match (self.value, self.value_change) {
            (None, _) => f.write_str("open")?,
            (Some(value), Some(change @ ..=-1)) => {
                write!(f, "{} → {value}", Value::of_sign(value.sign() - change))?;
            }
            (Some(value), _) => write!(f, "{value}")?,
        }
        write!(f, ", u {}", self.utility)?;
        if let Some(change) = self.utility_change {
            write!(f, ", Δu {change:+.3}")?;
        }
        write!(f, ", tension {:.3})", self.tension)
    }
}
