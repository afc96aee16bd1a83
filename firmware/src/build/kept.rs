//! What earlier builds left: a stage whose inputs and outputs are as they were is not done again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{BuildError, checksum, write};

/// A stage that is done, in `STAGE.kept.json` beside its outputs.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    /// A hash of whatever the outputs depend on: texts, options, the tool's version.
    inputs: String,
    /// Hashes of the outputs.
    outputs: Vec<String>,
    /// How long the stage took.
    seconds: f64,
}

/// A stage and its files.
pub(super) struct Stage<'a> {
    folder: &'a Path,
    name: String,
    inputs: String,
    outputs: Vec<String>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(folder: &'a Path, name: &str, inputs: &[&str], outputs: &[&str]) -> Stage<'a> {
        // Lengths keep two texts apart from one.
        let all: String = inputs.iter().map(|text| format!("{}:{text}", text.len())).collect();
        Stage {
            folder,
            name: name.replace(' ', "-"),
            inputs: checksum(all.as_bytes()),
            outputs: outputs.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.kept.json", self.name))
    }

    /// The seconds that the stage took when it was done, if its outputs are still there.
    pub(super) fn kept(&self) -> Option<f64> {
        let text = fs::read_to_string(self.path()).ok()?;
        let record: Record = serde_json::from_str(&text).ok()?;
        let is_same = record.inputs == self.inputs && record.outputs == self.hashes()?;
        (is_same && record.seconds.is_finite()).then_some(record.seconds)
    }

    /// The stage begins: what was kept of it is nothing any more.
    pub(super) fn begin(&self) {
        // There may be none.
        let _ = fs::remove_file(self.path());
    }

    /// The stage is done.
    pub(super) fn keep(&self, seconds: f64) -> Result<(), BuildError> {
        let Some(outputs) = self.hashes() else {
            // Whoever reads the outputs says what is wrong with them.
            return Ok(());
        };
        let inputs = self.inputs.clone();
        let record = Record {
            inputs,
            outputs,
            seconds,
        };
        write(&self.path(), &serde_json::to_string_pretty(&record).unwrap_or_default())
    }

    fn hashes(&self) -> Option<Vec<String>> {
        let outputs = self.outputs.iter();
        outputs
            .map(|name| Some(checksum(&fs::read(self.folder.join(name)).ok()?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_kept_until_something_changes() {
        let folder = std::env::temp_dir().join(format!("bluebelle-kept-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let output = folder.join("out");
        let stage = |inputs: &[&str]| Stage::new(&folder, "place and route 1", inputs, &["out"]);
        assert_eq!(stage(&["a", "b"]).kept(), None, "nothing was done");
        fs::write(&output, "netlist").expect("a file");
        stage(&["a", "b"]).keep(3.5).expect("a file");
        assert_eq!(stage(&["a", "b"]).kept(), Some(3.5));
        assert_eq!(stage(&["ab", ""]).kept(), None, "other inputs");
        fs::write(&output, "netlis").expect("a file");
        assert_eq!(stage(&["a", "b"]).kept(), None, "another output");
        fs::write(&output, "netlist").expect("a file");
        stage(&["a", "b"]).begin();
        assert_eq!(stage(&["a", "b"]).kept(), None, "it was begun again");
        fs::write(folder.join("place-and-route-1.kept.json"), "nonsense").expect("a file");
        assert_eq!(stage(&["a", "b"]).kept(), None);
        fs::remove_dir_all(&folder).expect("ours");
    }
}
