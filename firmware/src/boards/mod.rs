//! The boards, a file a kind. Pins were taken from the constraint files named in each, and have not been tried on hardware.

mod colorlight;
mod icebreaker;
mod orangecrab;
mod tang_nano;
mod ulx3s;

use crate::board::Board;

/// All boards.
pub const ALL: [Board; 11] = [
    ulx3s::ULX3S_85F,
    ulx3s::ULX3S_45F,
    ulx3s::ULX3S_25F,
    ulx3s::ULX3S_12F,
    colorlight::I9,
    colorlight::I5,
    orangecrab::ORANGECRAB_85F,
    orangecrab::ORANGECRAB_25F,
    tang_nano::TANG_NANO_20K,
    tang_nano::TANG_NANO_9K,
    icebreaker::ICEBREAKER,
];

/// The board with this name.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<&'static Board, UnknownBoard> {
    static BOARDS: [Board; 11] = ALL;
    let found = BOARDS.iter().find(|board| board.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| UnknownBoard(name.to_owned()))
}

/// There is no such board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown board '{0}': expected one of {boards}", boards = ALL.map(|board| board.name).join(", "))]
pub struct UnknownBoard(String);
