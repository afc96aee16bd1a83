//! Sending a bitstream to a board, and knowing that it arrived.

use std::fs;
use std::path::{Path, PathBuf};

use bluebelle_spec::wire::Identity;

use crate::board::Board;
use crate::build::{checksum, hex};
use crate::report::Report;

/// A bitstream that belongs to a board.
#[derive(Clone, Debug)]
pub struct Image {
    /// The file.
    pub path: PathBuf,
    /// How it was built.
    pub report: Report,
}

/// A bitstream that is not sent, or did not arrive.
#[derive(Debug, thiserror::Error)]
pub enum FlashError {
    /// There is nothing to flash.
    #[error("there is no build in {}: {problem}; run `bluebelle build --board {board}` first", .folder.display())]
    NoBuild {
        /// Where it should be.
        folder: PathBuf,
        /// The board.
        board: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// It was built for another board.
    #[error("{} was built for {found}, not for {expected}; it is not flashed", .path.display())]
    OtherBoard {
        /// The file.
        path: PathBuf,
        /// The board that it is for.
        found: String,
        /// The board that was asked for.
        expected: &'static str,
    },
    /// The file is not the one that the report is about.
    #[error("{} is not the file that was built (its checksum is another); build it again", .0.display())]
    Changed(PathBuf),
    /// The build failed in the end.
    #[error("the build in {} did not reach its clock, so there is no bitstream", .0.display())]
    NoBitstream(PathBuf),
    /// The board answers with another build id.
    #[error(
        "the board runs build {found}, not {expected}: it has not loaded what was flashed; unplug it, plug it in and try again"
    )]
    OtherBuild {
        /// What it answered.
        found: String,
        /// What was flashed.
        expected: String,
    },
}

/// What openFPGALoader is told. Without `keep` it loads the bitstream until the power goes; with it, into the flash.
pub fn arguments(board: &Board, bitstream: &Path, keep: bool) -> Vec<String> {
    let mut arguments: Vec<String> = board.loader.iter().map(|&argument| argument.to_owned()).collect();
    if keep {
        arguments.push("--write-flash".to_owned());
    }
    arguments.push(bitstream.display().to_string());
    arguments
}

impl Image {
    /// The bitstream in a folder of [`build`](crate::build::build), if it was built for this board.
    ///
    /// # Errors
    /// If there is none, it is for another board, or it is not what was built.
    pub fn open(board: &Board, folder: &Path) -> Result<Image, FlashError> {
        let missing = |problem: String| FlashError::NoBuild {
            folder: folder.to_owned(),
            board: board.name,
            problem,
        };
        let text = fs::read_to_string(folder.join("report.json"))
            .map_err(|error| missing(format!("cannot read report.json: {error}")))?;
        let report = Report::from_json(&text).map_err(|error| missing(format!("report.json is {error}")))?;
        let Some(bitstream) = &report.bitstream else {
            return Err(FlashError::NoBitstream(folder.to_owned()));
        };
        // A name, not a path: a report does not choose files elsewhere.
        let name = Path::new(&bitstream.file).file_name().unwrap_or_default();
        let path = folder.join(name);
        if report.board != board.name {
            let (found, expected) = (report.board, board.name);
            return Err(FlashError::OtherBoard { path, found, expected });
        }
        let bytes = fs::read(&path).map_err(|error| missing(format!("cannot read {}: {error}", path.display())))?;
        if checksum(&bytes) != bitstream.checksum {
            return Err(FlashError::Changed(path));
        }
        Ok(Image { path, report })
    }

    /// Whether the chip that answered *identify* is this one.
    ///
    /// # Errors
    /// If it is another.
    pub fn confirm(&self, identity: &Identity) -> Result<(), FlashError> {
        let found = hex(&identity.build);
        match found == self.report.build_id {
            true => Ok(()),
            false => Err(FlashError::OtherBuild {
                found,
                expected: self.report.build_id.clone(),
            }),
        }
    }
}
