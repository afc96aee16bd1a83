use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use bluebelle::board::Board;
use bluebelle::game::Game;
use bluebelle::limits::{Control, Limits};
use bluebelle::memory::MemoryError;
use bluebelle::notation;
use bluebelle::pgn;
use bluebelle::report::{Line, Silent};
use bluebelle::score::{UciScore, win_draw_loss};
use bluebelle::search::{Settings, Software};
use bluebelle_spec::{Color, Fen, Move};
use serde::Serialize;

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A position: a FEN, or startpos
    #[arg(long, value_parser = input::game_position, required_unless_present = "pgn")]
    fen: Option<Fen>,

    /// A game: every position of it
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pgn: Option<PathBuf>,

    /// Which game of the file, from 1
    #[arg(long, default_value_t = 1, requires = "pgn")]
    game: usize,

    /// Seconds for each position
    #[arg(long, default_value_t = 1.0, value_parser = input::seconds)]
    time: f64,

    /// Plies instead of seconds
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100), conflicts_with = "time")]
    depth: Option<u32>,

    /// Best lines for each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=218))]
    lines: u16,

    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Mebibytes for the transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    #[command(flatten)]
    weights: input::WeightsArgument,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// What is known of one position.
#[derive(Serialize)]
struct Report {
    fen: String,
    /// The move played, and its number as players write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    number: String,
    /// Centipawns lost by the move played.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<i32>,
    nodes: u64,
    lines: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    depth: i32,
    /// For the side to move: centipawns, or moves to mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    centipawns: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// Chances of win, draw and loss in thousandths.
    wdl: [u32; 3],
    moves: Vec<String>,
    #[serde(skip)]
    score: i32,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut analyst = Analyst::new(arguments)?;
    let evaluator = analyst.software.evaluator();
    let (mut game, moves) = match (&arguments.pgn, &arguments.fen) {
        (Some(file), _) => {
            let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            let record = pgn::read(&String::from_utf8_lossy(&text), arguments.game, &evaluator)?;
            (record.start, record.moves)
        }
        (None, Some(fen)) => (Game::new(fen, &evaluator), Vec::new()),
        (None, None) => anyhow::bail!("give a position with --fen or a game with --pgn"),
    };
    ensure!(
        !(moves.is_empty() && arguments.pgn.is_some()),
        "the game has no moves to analyse"
    );
    let progress = input::progress_bar(moves.len().max(1));
    let mut reports = Vec::new();
    for &mv in &moves {
        reports.push(analyst.look(&game, Some(mv)));
        game.play(mv, &evaluator);
        progress.inc(1);
    }
    // The position after the last move tells what that move was worth.
    reports.push(analyst.look(&game, None));
    progress.finish_and_clear();
    find_losses(&mut reports);
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&reports)?);
    } else {
        print_table(&reports)?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Analyst {
    software: Software,
    limits: Limits,
    settings: Settings,
}

impl Analyst {
    fn new(arguments: &Arguments) -> Result<Analyst, MemoryError> {
        let time = Duration::from_secs_f64(arguments.time);
        Ok(Analyst {
            software: Software::with_weights(arguments.hash as usize, arguments.weights.get())?,
            limits: Limits {
                depth: arguments.depth,
                movetime: arguments.depth.is_none().then_some(time),
                ..Limits::default()
            },
            settings: Settings {
                threads: usize::from(arguments.threads),
                multipv: usize::from(arguments.lines),
                overhead: Duration::ZERO,
                ..Settings::default()
            },
        })
    }

    fn look(&mut self, game: &Game, played: Option<Move>) -> Report {
        let outcome = self
            .software
            .search(game, &self.limits, &self.settings, &Control::new(false), &Silent);
        let board = game.board();
        let dots = if board.turn() == Color::White { "." } else { "..." };
        let evaluator = self.software.evaluator();
        Report {
            fen: format!("{board:?}"),
            played: played.map(|mv| notation::format(board, mv)),
            number: format!("{}{dots}", board.fullmoves()),
            loss: None,
            nodes: outcome.nodes,
            lines: outcome
                .lines
                .iter()
                .map(|line| Found::new(board, line, &evaluator))
                .collect(),
        }
    }
}

impl Found {
    fn new(board: &Board, line: &Line, evaluator: &bluebelle::evaluation::Evaluator) -> Found {
        let mate = UciScore(line.score).mate();
        let mut board = board.clone();
        let mut moves = Vec::new();
        for &mv in &line.moves {
            if !board.is_legal(mv) {
                break;
            }
            moves.push(notation::format(&board, mv));
            board.make(mv, evaluator);
        }
        Found {
            depth: line.depth,
            centipawns: mate.is_none().then_some(line.score),
            mate,
            wdl: win_draw_loss(line.score),
            moves,
            score: line.score,
        }
    }
}

/// A move's loss is what the position was worth before it, less what it is worth after.
fn find_losses(reports: &mut [Report]) {
    for at in 1..reports.len() {
        let after = reports[at].lines.first().map(|line| -line.score);
        let report = &mut reports[at - 1];
        let before = report.lines.first().map(|line| line.score);
        if let (Some(before), Some(after), Some(_)) = (before, after, &report.played) {
            let tame = |score: i32| score.clamp(-MOST_LOSS, MOST_LOSS);
            report.loss = Some((tame(before) - tame(after)).max(0));
        }
    }
}

/// Beyond ten pawns, more or less is all the same.
const MOST_LOSS: i32 = 1000;

fn print_table(reports: &[Report]) -> std::io::Result<()> {
    say!(
        "{:10} {:8} {:>6} {:>5} {:>10}  line; scores are for the side to move, in pawns",
        "move",
        "score",
        "loss",
        "depth",
        "nodes"
    );
    for report in reports {
        for (index, line) in report.lines.iter().enumerate() {
            let played = match (&report.played, index) {
                (Some(played), 0) => format!("{}{played}", report.number),
                _ => report.number.clone(),
            };
            let loss = report
                .loss
                .filter(|_| index == 0)
                .map_or(String::new(), |loss| loss.to_string());
            let score = match line.mate {
                Some(moves) => format!("#{moves}"),
                None => format!("{:+.2}", f64::from(line.score) / 100.0),
            };
            let shown: Vec<&str> = line.moves.iter().map(String::as_str).take(10).collect();
            say!(
                "{played:10} {score:8} {loss:>6} {:>5} {:>10}  {}",
                line.depth,
                report.nodes,
                shown.join(" ")
            );
        }
        if report.lines.is_empty() {
            say!("{:10} the game is over", report.number);
        }
    }
    Ok(())
}
