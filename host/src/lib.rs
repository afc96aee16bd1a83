//! The Bluebelle chess engine as a library.
//!
//! | module | what it holds |
//! |---|---|
//! | [`board`] | the position that the search walks on |
//! | [`evaluation`] | the chip's evaluation, fast |
//! | [`game`] | a board and what came before |
//! | [`score`] | centipawns, mates, chances |
//! | [`table`] | the transposition table |
//! | [`lenient`] | FENs as other programs write them |
//! | [`limits`] | what ends a search |
//! | [`search`] | the search in numbered steps |
//! | [`endgame`] | Syzygy tables |
//! | [`report`] | what a search tells |
//! | [`backend`] | what searches: software, or hardware at the leaves |
//! | [`notation`], [`epd`], [`pgn`] | moves, test positions and games as people write them |
//! | [`strength`] | playing weaker |
//! | [`tune`] | fitting the weights to games |
//! | [`weights`] | weights of the evaluation in files |
//! | [`uci`] | the interface to GUIs |
//! | [`accelerated`] | the engine with boards: a crew and a pool |
//! | [`memory`] | how much memory there is to spare |
//! | [`meter`] | what the host's threads do, counted |
//! | [`compare`] | accelerated against software |
//! | [`link`] | lines to boards |
//! | [`matches`](mod@matches) | games of one search against another in virtual time |
//! | [`pool`] | all accelerators as one |
//! | [`oracle`] | positions judged for `bluebelle-knowledge`: by software, by boards |
//! | [`commentary`] | games annotated by what positions are worth to fallible players |
//! | [`web`] | the live view: a page on which a person plays and watches the search |
//! | [`projection`] | how fast it would be: searches in virtual time |

pub mod accelerated;
pub mod backend;
pub mod board;
pub mod commentary;
pub mod compare;
pub mod draws;
pub mod endgame;
pub mod epd;
pub mod evaluation;
pub mod game;
pub mod lenient;
pub mod limits;
pub mod link;
pub mod matches;
pub mod memory;
pub mod meter;
pub mod notation;
pub mod opponent;
pub mod oracle;
pub mod pgn;
pub mod pool;
pub mod projection;
pub mod report;
pub mod score;
pub mod search;
pub mod strength;
pub mod study;
pub mod table;
pub mod tune;
pub mod uci;
pub mod web;
pub mod weights;
