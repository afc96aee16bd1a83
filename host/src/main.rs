//! The Bluebelle chess engine.
//!
//! Without a command it speaks UCI on a pipe, as chess programs start it, and opens the live view in a terminal.

mod command;
mod input;
mod output;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use output::note;

/// A chess engine whose leaves are searched by hardware.
#[derive(Parser)]
#[command(name = "bluebelle", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the live view: a page of this machine on which to play, to analyse, and to watch the search and its boards;
    /// so does no command at all in a terminal.
    Web(command::web::Arguments),
    /// Speak UCI, as a chess GUI expects; so does no command at all when the input is not a terminal.
    Uci,
    /// Play against the engine in the terminal.
    Play(command::play::Arguments),
    /// Analyse a position, or every position of a game.
    Analyse(command::analyse::Arguments),
    /// Comment a game by what its positions are worth to players who err.
    Comment(command::comment::Arguments),
    /// Study an ending by what its positions are worth to players who err, as an HTML page
    Study(command::study::Arguments),
    /// Tell how strong the players of games are by their moves, or fit the model of players to their ratings
    Merit(command::merit::Arguments),
    /// Search a fixed set of positions; the count of nodes names the engine's behaviour.
    Bench(command::bench::Arguments),
    /// Solve test positions, so many seconds for each.
    Suite(command::suite::Arguments),
    /// Tune the weights of the evaluation.
    Tune(command::tune::Arguments),
    /// Compare the search with hardware with the search in software, in the same time.
    Compare(command::compare::Arguments),
    /// Play a match of the search with hardware, or in software, against the search in software, in virtual time.
    Match(command::play_match::Arguments),
    /// Count the legal sequences of moves.
    Perft(command::perft::Arguments),
    /// Search a position as one hardware thread does.
    Leaf(command::leaf::Arguments),
    /// Show the evaluation of a position, term by term.
    Eval(command::eval::Arguments),
    /// Build, verify and look up endgame tables.
    Endings(command::endings::Arguments),
    /// List the boards that are plugged in.
    Devices(command::devices::Arguments),
    /// Look at tools, ports, boards and caches, and say what to fix and how.
    Doctor(command::doctor::Arguments),
    /// Test an accelerator: its answers against the golden search, and how fast they come.
    Selftest(command::selftest::Arguments),
    /// Show in the terminal what a search and its boards do: that of the live view, or one of its own.
    Top(command::top::Arguments),
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
    /// Print the completions of a shell, as in `bluebelle completions bash`.
    Completions(command::shell::Arguments),
    /// Print the manual page, as in `bluebelle man | man -l -`.
    Man,
}

/// Wrong input, as `clap` has it too.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let command = match arguments.command {
        Some(command) => command,
        None if std::io::stdin().is_terminal() => Command::Web(command::web::Arguments::default()),
        None => Command::Uci,
    };
    let done = match command {
        Command::Web(arguments) => command::web::run(&arguments),
        Command::Top(arguments) => command::top::run(&arguments),
        Command::Uci => command::uci::run(),
        Command::Suite(arguments) => command::suite::run(&arguments),
        Command::Tune(arguments) => command::tune::run(&arguments),
        Command::Play(arguments) => command::play::run(&arguments),
        Command::Analyse(arguments) => command::analyse::run(&arguments),
        Command::Comment(arguments) => command::comment::run(&arguments),
        Command::Study(arguments) => command::study::run(&arguments),
        Command::Merit(arguments) => command::merit::run(&arguments),
        Command::Bench(arguments) => command::bench::run(&arguments),
        Command::Compare(arguments) => command::compare::run(&arguments),
        Command::Match(arguments) => command::play_match::run(&arguments),
        Command::Perft(arguments) => command::perft::run(&arguments),
        Command::Leaf(arguments) => command::leaf::run(&arguments),
        Command::Eval(arguments) => command::eval::run(&arguments),
        Command::Endings(arguments) => command::endings::run(&arguments),
        Command::Devices(arguments) => command::devices::run(&arguments),
        Command::Sim(arguments) => command::sim::run(&arguments),
        Command::Boards(arguments) => command::boards::run(&arguments),
        Command::Build(arguments) => command::build::run(&arguments),
        Command::Flash(arguments) => command::flash::run(&arguments),
        Command::Verilog(arguments) => command::verilog::run(&arguments),
        Command::Doctor(arguments) => command::doctor::run(&arguments),
        Command::Selftest(arguments) => command::selftest::run(&arguments),
        Command::Completions(arguments) => command::shell::completions(&arguments, Arguments::command()),
        Command::Man => command::shell::man(Arguments::command()),
    };
    let done = done.and_then(|code| Ok(output::flush().map(|()| code)?));
    done.unwrap_or_else(|error| failed(&error))
}

/// A command that has failed says why in one line.
fn failed(error: &anyhow::Error) -> ExitCode {
    if output::is_closed(error) {
        return ExitCode::SUCCESS;
    }
    note!("error: {error:#}");
    ExitCode::from(BAD_INPUT)
}

/// Prints what `clap` has rendered, and ends with this code.
fn printed(text: &clap::builder::StyledStr, code: u8) -> ExitCode {
    let text = if std::io::stdout().is_terminal() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    match output::text(&text) {
        Ok(()) => ExitCode::from(code),
        Err(error) => failed(&error.into()),
    }
}

/// Help and version go out as they are; an error becomes one line.
fn refuse(error: &clap::Error) -> ExitCode {
    let shown = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if shown {
        let code = u8::try_from(error.exit_code()).unwrap_or(BAD_INPUT);
        if error.use_stderr() {
            note!("{}", error.render());
            return ExitCode::from(code);
        }
        return printed(&error.render(), code);
    }
    let text = error.render().to_string();
    let problem: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    note!("{}; try --help", problem.join(" "));
    ExitCode::from(BAD_INPUT)
}
