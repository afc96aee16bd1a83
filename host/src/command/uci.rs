use std::process::ExitCode;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    bluebelle::uci::run(std::io::stdin().lock(), std::io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
