//! The Bluebelle chess engine.
//!
//! Here so far: `perft`, `leaf` and `eval` on the golden model. To come: the search, UCI, links and boards.

mod command;
mod input;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

/// A chess engine whose leaves are searched by hardware.
#[derive(Parser)]
#[command(name = "bluebelle", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count the legal sequences of moves.
    Perft(command::perft::Arguments),
    /// Search a position as one hardware thread does.
    Leaf(command::leaf::Arguments),
    /// Show the evaluation of a position, term by term.
    Eval(command::eval::Arguments),
    /// Simulate a board, or write waveforms.
    Sim(command::sim::Arguments),
    /// List the boards.
    Boards(command::boards::Arguments),
    /// Build a bitstream for a board.
    Build(command::build::Arguments),
    /// Send a bitstream to a board.
    Flash(command::flash::Arguments),
    /// Write the chip as Verilog.
    Verilog(command::verilog::Arguments),
}

/// Wrong input, as `clap` has it too.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let done = match arguments.command {
        Command::Perft(arguments) => command::perft::run(&arguments),
        Command::Leaf(arguments) => command::leaf::run(&arguments),
        Command::Eval(arguments) => command::eval::run(&arguments),
        Command::Sim(arguments) => command::sim::run(&arguments),
        Command::Boards(arguments) => command::boards::run(&arguments),
        Command::Build(arguments) => command::build::run(&arguments),
        Command::Flash(arguments) => command::flash::run(&arguments),
        Command::Verilog(arguments) => command::verilog::run(&arguments),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(BAD_INPUT)
    })
}

/// Help and version go out as they are; an error becomes one line.
fn refuse(error: &clap::Error) -> ExitCode {
    let shown = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if shown {
        // A closed pipe is the reader's choice.
        let _ = error.print();
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(BAD_INPUT));
    }
    let text = error.render().to_string();
    let problem: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    eprintln!("{}; try --help", problem.join(" "));
    ExitCode::from(BAD_INPUT)
}
