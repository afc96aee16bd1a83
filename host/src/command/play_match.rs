use std::fs::File;
use std::io::{self, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, ensure};
use bluebelle::evaluation::Evaluator;
use bluebelle::matches::{
    self, GameRecord, Heard, MatchError, MatchSummary, Openings, Plan, PlayerSpec, Side, SideSummary, Sprt,
    SprtSummary, Standing, Summary, Verdict,
};
use bluebelle::projection::{FIXED_COST, Setup};
use bluebelle_spec::Weights;

use crate::command::ideal::IdealArguments;
use crate::command::projected::{BoardArguments, Wanted};
use crate::input;
use crate::output::{self, note, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many games, each opening with both colours; with --sprt, at most
    #[arg(long, required_unless_present = "sprt", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,

    /// Play until it is clear which of two differences in Elo fits better, as in 0,10; each may be
    /// wrong in 5 of 100 tests
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// The first side has projected boards; without this, both sides are software
    #[arg(long)]
    accelerated: bool,

    #[command(flatten)]
    boards: BoardArguments,

    /// The first side shares its tree among a crew that has N questions out at once, and answers them itself: what the sharing costs
    #[arg(long, value_name = "N", conflicts_with = "accelerated", value_parser = clap::value_parser!(u16).range(1..=64))]
    crew: Option<u16>,

    #[command(flatten)]
    ideal: IdealArguments,

    /// The first side evaluates with the weights of this file, as `bluebelle tune fit` writes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["accelerated", "crew", "ideal"], value_parser = input::weights)]
    weights: Option<Arc<Weights>>,

    /// The opponent evaluates with the weights of this file
    #[arg(long, value_name = "FILE", value_parser = input::weights)]
    opponent_weights: Option<Arc<Weights>>,

    /// Positions to begin from, in EPD or FEN; 500 balanced ones if none are named
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Virtual seconds for a move
    #[arg(long, default_value_t = 0.1, value_parser = input::seconds)]
    time: f64,

    /// How many times as much time the opponent has; several with commas between them are a match
    /// each, and tell at which odds the match is even
    #[arg(long, value_name = "FACTORS", value_delimiter = ',', default_value = "1")]
    odds: Vec<f64>,

    /// Plies for every move of both sides, instead of time
    #[arg(long, conflicts_with_all = ["time", "odds"], value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Threads of the first side's host
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Threads of the opponent
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    opponent_threads: u16,

    /// Mebibytes for each side's transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Another seed, another order of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Games at once [default: the machine's cores]; the result does not depend on this number
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Keep the games in this file, a line of JSON each, and go on from what it has
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,

    /// Write the games to this file, those of the ledger too
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Print one JSON object at the end; games are told on standard error
    #[arg(long)]
    json: bool,
}

/// What a shell says of a command that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let plan = plan(arguments)?;
    input::check_tables(&plan, arguments.hash)?;
    if let Some(path) = &arguments.pgn {
        output::check_file(path)?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    stop_when_interrupted(&stop);
    let mut pgn = PgnFile::new(arguments.pgn.as_deref());
    let mut hear = |heard: Heard<'_>| -> io::Result<()> {
        let line = match heard {
            Heard::Message(text) => {
                note!("{text}");
                return Ok(());
            }
            Heard::Game {
                record,
                resumed,
                standing,
                left,
            } => {
                pgn.add(record, &plan)?;
                if resumed {
                    return Ok(());
                }
                describe(&plan, record, standing, left)
            }
        };
        if arguments.json {
            note!("{line}");
        } else {
            say!("{line}");
        }
        Ok(())
    };
    let ledger = arguments.ledger.as_deref();
    let summary = matches::run(&plan, &matches::player, ledger, &stop, &mut hear);
    let summary = summary.map_err(|error| match error {
        // A closed pipe is the reader's choice, and `main` knows it by its type.
        MatchError::Heard(error) => anyhow::Error::from(error),
        error => error.into(),
    })?;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&summary)?),
        false => print(&summary, &plan)?,
    }
    Ok(match stop.load(Relaxed) && !summary.finished {
        true => ExitCode::from(INTERRUPTED),
        false => ExitCode::SUCCESS,
    })
}

fn plan(arguments: &Arguments) -> anyhow::Result<Plan> {
    ensure!(
        arguments.accelerated || !arguments.boards.is_given(),
        "found flags of a board, expected --accelerated with them: without it, both sides are software"
    );
    let evaluator = Evaluator::new(Weights::standard());
    let openings = match &arguments.openings {
        None => Openings::built_in(&evaluator)?,
        Some(path) => {
            let file = path.display();
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {file}"))?;
            Openings::parse(&text, &evaluator).with_context(|| format!("{file} is no file of openings"))?
        }
    };
    let ideal = arguments.ideal.ideal();
    let names = match (arguments.accelerated, arguments.crew) {
        _ if ideal.is_some() => ["ideal", "software"],
        (true, _) => ["accelerated", "software"],
        (false, Some(_)) => ["crew", "software"],
        (false, None) => ["software", "opponent"],
    };
    let mut sides = names.map(|name| PlayerSpec {
        depth: arguments.depth,
        ..PlayerSpec::software(name, arguments.hash as usize)
    });
    ensure!(
        ideal.is_none() || arguments.threads == 1,
        "found --ideal with {} threads, expected one: a board that answers at once needs no others",
        arguments.threads
    );
    let threads = [arguments.threads, arguments.opponent_threads];
    for (weights, threads) in [&arguments.weights, &arguments.opponent_weights]
        .into_iter()
        .zip(threads)
    {
        ensure!(
            weights.is_none() || threads == 1,
            "found a side with weights of its own and {threads} threads, expected one thread: several threads are \
             projected, and projections have the standard weights"
        );
    }
    sides[0].weights.clone_from(&arguments.weights);
    sides[1].weights.clone_from(&arguments.opponent_weights);
    sides[0].ideal = ideal;
    sides[0].threads = arguments.threads.into();
    sides[1].threads = arguments.opponent_threads.into();
    if arguments.accelerated {
        let wanted = Wanted {
            seed: Some(arguments.seed),
            threads: arguments.threads.into(),
            hash: arguments.hash,
        };
        sides[0].setup = Some(arguments.boards.project(&wanted)?.setup);
    } else if let Some(crew) = arguments.crew {
        sides[0].setup = Some(Setup {
            crew: crew.into(),
            ..Setup::software(FIXED_COST)
        });
    }
    Ok(Plan {
        games: arguments.games,
        sprt: arguments.sprt,
        time: Duration::from_secs_f64(arguments.time),
        odds: arguments.odds.clone(),
        seed: arguments.seed,
        jobs: arguments.jobs.map_or_else(cores, usize::from),
        openings: openings.shuffled(arguments.seed),
        sides,
    })
}

/// The machine's cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers = text.split_once(',').and_then(|(elo0, elo1)| {
        let (elo0, elo1) = (elo0.trim().parse().ok()?, elo1.trim().parse().ok()?);
        Some(Sprt { elo0, elo1 })
    });
    numbers.ok_or_else(|| "expected two differences in Elo with a comma between them, such as 0,10".to_owned())
}

/// Ctrl-C ends the games, and the standing so far is printed; a second one ends the process.
#[cfg(unix)]
pub(crate) fn stop_when_interrupted(stop: &Arc<AtomicBool>) {
    use nix::sys::signal::{SigSet, Signal};

    let mut signals: SigSet = [Signal::SIGINT, Signal::SIGTERM].into_iter().collect();
    if !hangup_is_ignored() {
        signals.add(Signal::SIGHUP);
    }
    // All threads of the match begin after this and inherit it, so that the signals come to the one
    // that waits for them.
    if signals.thread_block().is_err() {
        return;
    }
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        while signals.wait().is_ok() {
            if stop.swap(true, Relaxed) {
                std::process::exit(INTERRUPTED.into());
            }
        }
    });
}

/// Whether this process is to outlive its terminal, as `nohup` asks: a signal that is waited for would
/// be heard all the same. Where the system does not tell, it is left as it is.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Bit 0 is signal 1.
    mask.is_none_or(|mask| mask & 1 != 0)
}

/// Elsewhere the ledger has what has been played, and the standing is printed after every game.
#[cfg(not(unix))]
pub(crate) fn stop_when_interrupted(_: &Arc<AtomicBool>) {}

/// A PGN file, written from the first game on: those of a ledger come again, so that nothing needs
/// to be read.
struct PgnFile<'a> {
    path: Option<&'a Path>,
    file: Option<File>,
}

impl PgnFile<'_> {
    fn new(path: Option<&Path>) -> PgnFile<'_> {
        PgnFile { path, file: None }
    }

    fn add(&mut self, record: &GameRecord, plan: &Plan) -> io::Result<()> {
        let Some(path) = self.path else {
            return Ok(());
        };
        let told = |error: io::Error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()));
        let file = match &mut self.file {
            Some(file) => file,
            file => file.insert(File::create(path).map_err(told)?),
        };
        file.write_all(matches::pgn(record, plan).as_bytes()).map_err(told)
    }
}

/// A game and how its match stands after it.
fn describe(plan: &Plan, record: &GameRecord, standing: &Standing, left: Option<Duration>) -> String {
    let odds = match plan.odds.len() {
        1 => String::new(),
        _ => format!(" at odds {}", record.odds),
    };
    let colour = match record.white {
        Side::First => "White",
        Side::Opponent => "Black",
    };
    let outcome = match record.winner {
        Some(Side::First) => "won",
        Some(Side::Opponent) => "lost",
        None => "drawn",
    };
    let mut line = format!(
        "game {}{odds}: {}, {} has {colour}: {outcome} {} in {} plies; {standing}",
        record.game,
        record.opening,
        plan.sides[0].name,
        record.reason.words(),
        record.plies,
    );
    if let Some(sprt) = plan.sprt {
        line += &format!("; {}", test(&SprtSummary::new(sprt, &standing.pairs)));
    }
    if let Some(left) = left.filter(|left| !left.is_zero()) {
        line += &format!("; {} left", rough(left));
    }
    line
}

fn test(test: &SprtSummary) -> String {
    format!("LLR {:+.2} of {:.2} to {:+.2}", test.llr, test.lower, test.upper)
}

/// A duration as people tell it.
fn rough(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds @ 100..6000 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

fn print(summary: &Summary, plan: &Plan) -> anyhow::Result<()> {
    for played in &summary.matches {
        print_match(played, plan)?;
    }
    if let Some(even) = &summary.even_odds {
        say!(
            "\neven at odds {:.2}, 95 % from {:.2} to {:.2}",
            even.odds,
            even.low,
            even.high
        );
    } else if summary.matches.len() > 1 {
        say!("\nthese matches do not say at which odds they would be even: play more games, or odds further apart");
    }
    if !summary.finished {
        say!("\nended before all games were played");
    }
    Ok(())
}

fn print_match(played: &MatchSummary, plan: &Plan) -> anyhow::Result<()> {
    let (first, opponent) = (&played.first, &played.opponent);
    let terms = match plan.sides[0].depth {
        Some(depth) => format!("depth {depth}"),
        None => {
            let seconds = |side| plan.time(side, played.odds).as_secs_f64();
            format!(
                "{} s a move against {} s",
                seconds(Side::First),
                seconds(Side::Opponent)
            )
        }
    };
    say!("\n{} against {}, {terms}", first.name, opponent.name);
    say!("score        {}", played.standing());
    let pairs = played.pairs.map(|count| count.to_string()).join(", ");
    say!("pairs        {pairs} with 0, ½, 1, 1½, 2 points");
    match played.superiority {
        Some(chance) => say!("superiority  {:.1} % for {}", 100.0 * chance, first.name),
        None => say!("superiority  not known: the pairs are all alike"),
    }
    if let Some(sprt) = &played.sprt {
        let verdict = match sprt.verdict {
            Verdict::Open => "open".to_owned(),
            Verdict::Rejected => format!("H0, {} Elo", sprt.sprt.elo0),
            Verdict::Accepted => format!("H1, {} Elo", sprt.sprt.elo1),
        };
        say!("test         {}: {verdict}", test(sprt));
    }
    say!(
        "mean depth   {:.1} against {:.1}",
        first.mean_depth,
        opponent.mean_depth
    );
    say!(
        "nodes/s      {:.2} million against {:.2}",
        first.nodes_per_second / 1e6,
        opponent.nodes_per_second / 1e6
    );
    for SideSummary { name, board, .. } in [first, opponent] {
        let Some(board) = board else {
            continue;
        };
        say!(
            "jobs         {} of {:.0} nodes ({name})",
            board.jobs,
            board.nodes_per_job
        );
        say!(
            "busy         host {:.1} %, line {:.1} %, chip {:.1} % ({name})",
            100.0 * board.host_busy,
            100.0 * board.line_busy,
            100.0 * board.chip_busy
        );
    }
    Ok(())
}
