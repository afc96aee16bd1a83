//! One command a file.

pub(crate) mod bench;
pub(crate) mod devices;
pub(crate) mod eval;
pub(crate) mod leaf;
pub(crate) mod perft;
pub(crate) mod sim;
pub(crate) mod uci;
