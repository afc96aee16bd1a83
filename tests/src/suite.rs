//! The suites in the `data` folder: a position a line, with perft counts after it or without.

use std::path::{Path, PathBuf};

use bluebelle_spec::Position;
use bluebelle_spec::suite::{self, PerftCase};

/// Why a suite cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("{}: {source}", .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no suite.
    #[error("{}: {source}", .path.display())]
    Text {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and in which line.
        source: suite::SuiteError,
    },
}

/// Reads a suite.
///
/// # Errors
/// If there is no such file, or its text is no suite.
pub fn read(name: &str) -> Result<Vec<PerftCase>, SuiteError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) => return Err(SuiteError::File { path, source }),
    };
    suite::parse(&text).map_err(|source| SuiteError::Text { path, source })
}

/// The positions of a suite.
///
/// # Errors
/// As for [`read`].
pub fn positions(name: &str) -> Result<Vec<Position>, SuiteError> {
    Ok(read(name)?.into_iter().map(|case| case.fen.position).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file() {
        let error = read("missing.perft").expect_err("no such file").to_string();
        assert!(error.contains("missing.perft"), "{error}");
    }
}
