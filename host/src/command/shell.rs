//! What a shell and `man` want to know.

use std::process::ExitCode;

use clap::Command;
use clap_complete::Shell;

use crate::output;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions of a shell.
pub(crate) fn completions(arguments: &Arguments, mut command: Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "bluebelle", &mut script);
    output::text(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page, all commands on one page.
pub(crate) fn man(mut command: Command) -> anyhow::Result<ExitCode> {
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for each in command.get_subcommands().filter(|each| each.get_name() != "help") {
        let name = each.get_name().to_uppercase();
        let man = clap_mangen::Man::new(each.clone());
        page.extend_from_slice(format!(".SH \"BLUEBELLE {name}\"\n").as_bytes());
        man.render_description_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    output::text(&String::from_utf8_lossy(&page))?;
    Ok(ExitCode::SUCCESS)
}
