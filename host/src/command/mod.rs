//! One command a file.

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod boards;
pub(crate) mod build;
pub(crate) mod comment;
pub(crate) mod compare;
pub(crate) mod devices;
pub(crate) mod doctor;
pub(crate) mod endings;
pub(crate) mod eval;
pub(crate) mod flash;
pub(crate) mod ideal;
pub(crate) mod leaf;
pub(crate) mod line;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod play_match;
pub(crate) mod projected;
pub(crate) mod selftest;
pub(crate) mod shell;
pub(crate) mod sim;
pub(crate) mod suite;
pub(crate) mod tune;
pub(crate) mod uci;
pub(crate) mod verilog;
pub(crate) mod web;
