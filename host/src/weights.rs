//! Weights files, as `bluebelle tune fit` writes them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bluebelle_spec::{Weights, WeightsError, WeightsFileError};

/// Why a file's weights are of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system does not give the file.
    #[error("cannot read {path}: {error}", path = path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
    /// The file has no weights.
    #[error("{path}: {error}; `bluebelle tune fit` writes such files", path = path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: WeightsFileError,
    },
    /// The chip cannot have these weights.
    #[error("{path}: {error}", path = path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: WeightsError,
    },
}

/// Reads a file of weights that software and chip can have.
///
/// # Errors
/// If there are none.
pub fn read(path: &Path) -> Result<Arc<Weights>, ReadError> {
    let text = std::fs::read(path).map_err(|error| ReadError::System {
        path: path.to_owned(),
        error: error.to_string(),
    })?;
    let weights: Weights = String::from_utf8_lossy(&text)
        .parse()
        .map_err(|error| ReadError::Form {
            path: path.to_owned(),
            error,
        })?;
    weights.validate().map_err(|error| ReadError::Unfit {
        path: path.to_owned(),
        error,
    })?;
    Ok(Arc::new(weights))
}
