//! One command a file.

pub(crate) mod boards;
pub(crate) mod build;
pub(crate) mod eval;
pub(crate) mod flash;
pub(crate) mod leaf;
pub(crate) mod perft;
pub(crate) mod sim;
pub(crate) mod verilog;
