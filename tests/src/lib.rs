//! The referee: what the golden model is held against, written without its algorithms.
//!
//! | module | what it holds the golden model to |
//! |---|---|
//! | [`convert`], [`suite`], [`games`], [`classes`] | the rules of chess, as shakmaty knows them, on positions of every kind |
//! | [`naive`] | the formulas of the evaluation, square by square |
//! | [`minimax`] | the value of a search, without alpha-beta |
//! | [`pruned`] | the answers of a search that prunes, without an order of moves |
//! | [`ring`] | the slot rule, one slot after the other as the chip takes them |
//!
//! `faulty_board` is a board for the host to despair of.
//! [`mailbox`] is the board that the last three look at, [`weights`] draws weights at random.

pub mod arena;
pub mod classes;
pub mod convert;
#[cfg(unix)]
pub mod faulty_board;
pub mod games;
pub mod mailbox;
pub mod minimax;
pub mod naive;
pub mod pruned;
pub mod ring;
pub mod suite;
pub mod weights;
