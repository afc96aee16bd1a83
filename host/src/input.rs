//! What the commands have in common: positions and accelerators, as a person writes them.

use bluebelle_spec::{Fen, FenError, Position};

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

/// Which accelerator to use.
#[derive(clap::Args)]
pub(crate) struct AcceleratorArgument {
    /// What runs the jobs: model, verilated, verilated:CORES, verilated:FILE
    #[arg(long, default_value = "model", value_name = "NAME")]
    pub(crate) accel: String,
}
