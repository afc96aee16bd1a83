use std::process::ExitCode;

use crate::output::Remembering;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let output = Remembering::default();
    bluebelle::uci::run(std::io::stdin().lock(), output.clone())?;
    output
        .failure()
        .map_or(Ok(ExitCode::SUCCESS), |error| Err(error.into()))
}
