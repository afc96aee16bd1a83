//! What the commands have in common: positions and accelerators, as a person writes them.

use bluebelle_spec::{Fen, FenError, Position};
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

/// A time in seconds that can be waited for.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    number.ok_or_else(|| "expected seconds, from 0.001 to 1000000".to_owned())
}

/// What two options that exclude each other ask for, `--this` and `--no-this`; `None` if nothing is said.
pub(crate) fn choice(yes: bool, no: bool) -> Option<bool> {
    match (yes, no) {
        (false, false) => None,
        (yes, _) => Some(yes),
    }
}

/// A bar on standard error, for a person to watch.
pub(crate) fn progress_bar(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}").unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}

/// Which accelerator to use.
#[derive(clap::Args)]
pub(crate) struct AcceleratorArgument {
    /// What runs the jobs: model, verilated, verilated:CORES, verilated:FILE, serial:PATH@BAUD, pcie:ADDRESS
    #[arg(long, default_value = "model", value_name = "NAME")]
    pub(crate) accel: String,
}
