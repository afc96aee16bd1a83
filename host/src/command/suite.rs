use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use bluebelle::board::Board;
use bluebelle::epd::{self, Problem};
use bluebelle::game::Game;
use bluebelle::limits::{Control, Limits};
use bluebelle::notation;
use bluebelle::report::{Outcome, Silent};
use bluebelle::search::{Settings, Software};
use bluebelle_knowledge::vocabulary::ledger::Ledger;
use bluebelle_spec::Move;
use serde::{Deserialize, Serialize};

use crate::input;
use crate::output::{note, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Positions in EPD, with `bm` (best move) or `am` (avoid move)
    file: PathBuf,

    /// Seconds for each position
    #[arg(long, default_value_t = 1.0, value_parser = input::seconds)]
    time: f64,

    /// Nodes for each position instead of seconds: the same result on every machine
    #[arg(long, conflicts_with = "time")]
    nodes: Option<u64>,

    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Mebibytes for the transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Keep the results in this file, so that a suite that was ended goes on where it stopped
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,

    #[command(flatten)]
    weights: input::WeightsArgument,
}

/// A position that was searched, as the ledger keeps it.
#[derive(Serialize, Deserialize)]
struct Record {
    /// Its place in the suite, from 0.
    position: usize,
    solved: bool,
    /// What was printed.
    line: String,
}

impl Arguments {
    /// What the records of a ledger must have in common: the same suite, searched in the same way.
    fn kind(&self, text: &str) -> String {
        let limit = match self.nodes {
            Some(nodes) => format!("{nodes} nodes"),
            None => format!("{} s", self.time),
        };
        let weights = match self.weights.path() {
            "" => String::new(),
            path => format!(", weights {path}"),
        };
        format!(
            "bluebelle suite {:08x}, {limit}, {} threads, {} MiB{weights}",
            checksum(text),
            self.threads,
            self.hash
        )
    }
}

/// Tells one suite from another; it need not be strong.
fn checksum(text: &str) -> u32 {
    // FNV-1a
    text.bytes().fold(0x811c_9dc5, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The ledger, and what it knows of each position.
fn open_ledger(path: &Path, kind: &str) -> anyhow::Result<(Ledger, BTreeMap<usize, Record>)> {
    let opened = Ledger::open(path, kind)?;
    let mut known = BTreeMap::new();
    for bytes in &opened.records {
        let record: Record = serde_json::from_slice(bytes).with_context(|| {
            format!(
                "{} has a record that is not understood; give another file",
                path.display()
            )
        })?;
        known.insert(record.position, record);
    }
    Ok((opened.ledger, known))
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut software = Software::with_weights(arguments.hash as usize, arguments.weights.get())?;
    let evaluator = software.evaluator();
    let file = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file).with_context(|| format!("cannot read {file}"))?;
    let problems = epd::parse(&text, &evaluator).with_context(|| format!("{file} is not a test suite"))?;
    ensure!(
        !problems.is_empty(),
        "{file} has no positions: expected one in EPD a line, such as '8/8/8/8/8/k7/7R/K7 w - - bm Rh3+;'"
    );
    let limits = Limits {
        movetime: arguments
            .nodes
            .is_none()
            .then(|| Duration::from_secs_f64(arguments.time)),
        nodes: arguments.nodes,
        ..Limits::default()
    };
    let settings = Settings {
        threads: usize::from(arguments.threads),
        overhead: Duration::ZERO,
        ..Settings::default()
    };
    let (mut ledger, mut known) = match &arguments.ledger {
        Some(path) => {
            let (ledger, known) = open_ledger(path, &arguments.kind(&text))?;
            (Some(ledger), known)
        }
        None => (None, BTreeMap::new()),
    };
    if !known.is_empty() {
        note!("{} of {} positions are in the ledger", known.len(), problems.len());
    }
    let progress = input::progress_bar(problems.len());
    let mut solved = 0;
    for (position, problem) in problems.iter().enumerate() {
        let Record {
            solved: right, line, ..
        } = match known.remove(&position) {
            Some(record) => record,
            None => {
                software.clear();
                let game = Game::new(&problem.fen, &evaluator);
                let outcome = software.search(&game, &limits, &settings, &Control::new(false), &Silent);
                let solved = problem.is_solved_by(outcome.best());
                let record = Record {
                    position,
                    solved,
                    line: describe(problem, game.board(), &outcome, solved),
                };
                if let Some(ledger) = &mut ledger {
                    ledger.append(&serde_json::to_vec(&record)?)?;
                }
                record
            }
        };
        solved += u32::from(right);
        progress.suspend(|| -> std::io::Result<()> {
            say!("{line}");
            Ok(())
        })?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    say!("{solved} of {} solved", problems.len());
    Ok(ExitCode::SUCCESS)
}

fn describe(problem: &Problem, board: &Board, outcome: &Outcome, right: bool) -> String {
    let list = |moves: &[Move]| {
        let written: Vec<String> = moves.iter().map(|&mv| notation::format(board, mv)).collect();
        written.join(" ")
    };
    let mut wanted = Vec::new();
    if !problem.best.is_empty() {
        wanted.push(format!("bm {}", list(&problem.best)));
    }
    if !problem.avoid.is_empty() {
        wanted.push(format!("am {}", list(&problem.avoid)));
    }
    let verdict = if right { "solved" } else { "FAILED" };
    let depth = outcome.lines.first().map_or(0, |line| line.depth);
    format!(
        "{verdict}  {}  {}, played {}, depth {depth}",
        problem.id,
        wanted.join(", "),
        list(&[outcome.best()])
    )
}
