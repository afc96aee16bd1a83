//! Expected utility: what a position is worth between players who err.
//!
//! Michie ("A theory of evaluative comments in chess", 1980) gives each position two numbers. Its
//! *value* v says who wins with perfect play; its *expected utility* u is the mean result of play
//! by a model of fallible players, whose *merit* M runs from 0 (random moves) to infinity (perfect
//! play). Chess commentators' words ("a difficult win", "a brilliant but unsound move") are then
//! statements about v, u, and how a move changes both.
//!
//! | module | what it holds |
//! |---|---|
//! | [`opponent`] | models of players: the paper's, and a fitted one |
//! | [`tree`], [`theory`] | finite trees, and the theory on them, exactly |
//! | [`graph`] | the same where positions return, with a clock |
//! | [`chances`] | from a search's score to utility |
//! | [`fit`] | numbers of models from players' choices |
//! | [`comment`] | the 21 comments as rules |
//! | [`paper`] | published trees and numbers, as files |

pub mod chances;
pub mod comment;
pub mod fit;
pub mod graph;
pub mod opponent;
pub mod paper;
pub mod theory;
pub mod tree;

pub use chances::Chances;
pub use opponent::{Curve, Fitted, Hasty, Michie, Opponent, Prospect};
