//! What the commands have in common: positions and accelerators, as a person writes them.

use std::sync::Arc;

use anyhow::Context;
use bluebelle::lenient;
use bluebelle::matches::Plan;
use bluebelle::memory;
use bluebelle::weights::ReadError;
use bluebelle_spec::{Fen, FenError, Position, Weights};
use indicatif::{ProgressBar, ProgressStyle};

/// A position: a FEN, or `startpos`.
pub(crate) fn position(text: &str) -> Result<Fen, FenError> {
    match text.trim() {
        "startpos" => Ok(Fen {
            position: Position::initial(),
            halfmoves: 0,
            fullmoves: 1,
        }),
        fen => fen.parse(),
    }
}

/// The same where a game goes on from the position: small faults are mended, and told.
pub(crate) fn game_position(text: &str) -> Result<Fen, FenError> {
    if text.trim() == "startpos" {
        return position(text);
    }
    let given = lenient::parse(text)?;
    for change in &given.changes {
        eprintln!("warning: {change}");
    }
    Ok(given.fen)
}

/// A time in seconds that can be waited for.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    number.ok_or_else(|| "expected seconds, from 0.001 to 1000000".to_owned())
}

/// Whether there is memory for the transposition tables of all games that a match plays at the same
/// time.
pub(crate) fn check_tables(plan: &Plan, hash: u32) -> anyhow::Result<()> {
    let at_once = plan.jobs.clamp(1, plan.games_each().max(1) * plan.odds.len().max(1));
    let checked = memory::check_tables(plan.sides.len() * at_once, hash as usize);
    checked.with_context(|| format!("--hash {hash} with {at_once} games at once (--jobs)"))
}

/// What two options that exclude each other ask for, `--this` and `--no-this`; `None` if nothing is said.
pub(crate) fn choice(yes: bool, no: bool) -> Option<bool> {
    match (yes, no) {
        (false, false) => None,
        (yes, _) => Some(yes),
    }
}

/// What a bar shows.
const PROGRESS: &str = "{bar:40} {pos}/{len} {elapsed}, about {eta} left";

/// A bar on standard error, for a person to watch.
pub(crate) fn progress_bar(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(PROGRESS).unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}

/// The weights of the evaluation.
#[derive(clap::Args, Default)]
pub(crate) struct WeightsArgument {
    /// Evaluate with the weights of this file, as `bluebelle tune fit` writes it, instead of the
    /// standard ones
    #[arg(long, value_name = "FILE", value_parser = weights_file)]
    weights: Option<WeightsFile>,
}

/// A file, and the weights in it.
#[derive(Clone)]
struct WeightsFile {
    path: String,
    weights: Arc<Weights>,
}

/// The weights of a file.
pub(crate) fn weights(path: &str) -> Result<Arc<Weights>, ReadError> {
    bluebelle::weights::read(path.as_ref())
}

fn weights_file(path: &str) -> Result<WeightsFile, ReadError> {
    let weights = weights(path)?;
    let path = path.to_owned();
    Ok(WeightsFile { path, weights })
}

impl WeightsArgument {
    /// The weights of the file, or the standard ones.
    pub(crate) fn get(&self) -> &Weights {
        self.weights.as_ref().map_or(Weights::standard(), |file| &file.weights)
    }

    /// The name of the file; empty for the standard weights.
    pub(crate) fn path(&self) -> &str {
        self.weights.as_ref().map_or("", |file| &file.path)
    }
}

/// Which accelerator to use.
#[derive(clap::Args)]
pub(crate) struct AcceleratorArgument {
    /// What runs the jobs: model, verilated, verilated:CORES, verilated:FILE, serial:PATH@BAUD, pcie:ADDRESS
    #[arg(long, default_value = "model", value_name = "NAME")]
    pub(crate) accel: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_tells_the_time_that_is_left() {
        assert!(ProgressStyle::with_template(PROGRESS).is_ok() && PROGRESS.contains("{eta} left"));
    }
}
