use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use bluebelle::commentary::{Annotated, Examiner, Model, Ply, Surveyor, annotate, pgn as annotated_pgn};
use bluebelle::pgn::{self, Record};
use bluebelle_knowledge::utility::comment::Remark;
use bluebelle_knowledge::vocabulary::Merit;
use bluebelle_spec::Color;
use serde::Serialize;

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Games in PGN
    #[arg(value_name = "FILE")]
    pgn: PathBuf,

    /// Which game of the file, from 1
    #[arg(long, default_value_t = 1)]
    game: usize,

    /// White's merit in thousands of rating points
    #[arg(long, default_value = "1.6", value_name = "M")]
    white: Merit,

    /// Black's merit
    #[arg(long, default_value = "1.6", value_name = "M")]
    black: Merit,

    /// Nodes for each move of each position
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,

    /// Print JSON, with all that is true, instead of PGN
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let surveyor = Surveyor::new(arguments.nodes);
    let file = &arguments.pgn;
    let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let record = pgn::read(&String::from_utf8_lossy(&text), arguments.game, &surveyor.evaluator())?;
    ensure!(!record.moves.is_empty(), "the game has no moves to comment");
    let mut examiner = Examiner {
        surveyor,
        model: Model::default(),
        merits: [arguments.white, arguments.black],
    };
    let progress = input::progress_bar(record.moves.len());
    let annotated = annotate(&mut examiner, &record, || progress.inc(1));
    progress.finish_and_clear();
    if arguments.json {
        let report = Report::new(&record, &annotated, examiner.merits);
        say!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        say!("{}", annotated_pgn::write(&record, &annotated));
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Report {
    players: [String; 2],
    merits: [String; 2],
    plies: Vec<PlyReport>,
}

/// A half-move. Numbers of the position are White's.
#[derive(Serialize)]
struct PlyReport {
    number: u32,
    mover: &'static str,
    #[serde(rename = "move")]
    mv: String,
    san: String,
    /// Plies that the survey reached.
    depth: i32,
    v: Option<i8>,
    u: f64,
    tension: f64,
    /// How probable the move was.
    probability: Option<f64>,
    /// The depth from which the move's score shows, Michie's r.
    r: Option<u32>,
    printed: Vec<RemarkReport>,
    on_move: Vec<RemarkReport>,
    on_position_after: Vec<RemarkReport>,
}

/// A comment. Its numbers are seen from its side.
#[derive(Serialize)]
struct RemarkReport {
    comment: u8,
    words: String,
    side: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    nag: Option<u8>,
    v: Option<i8>,
    u: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dv: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    du: Option<f64>,
    tension: f64,
}

impl Report {
    fn new(record: &Record, annotated: &Annotated, merits: [Merit; 2]) -> Report {
        Report {
            players: record.players.clone(),
            merits: merits.map(|merit| merit.to_string()),
            plies: annotated.plies.iter().map(PlyReport::new).collect(),
        }
    }
}

impl PlyReport {
    fn new(ply: &Ply) -> PlyReport {
        let figures = ply.before.figures.seen_by(ply.mover);
        let played = ply.before.find(ply.mv);
        let remarks = |list: &[Remark]| list.iter().map(RemarkReport::new).collect();
        PlyReport {
            number: ply.number,
            mover: name(ply.mover),
            mv: ply.mv.to_string(),
            san: ply.san.clone(),
            depth: ply.before.depth,
            v: figures.value.map(|value| value.sign()),
            u: figures.utility.number(),
            tension: figures.tension,
            probability: played.map(|played| played.probability),
            r: played.map(|played| played.delay),
            printed: remarks(&ply.printed),
            on_move: remarks(&ply.remarks),
            on_position_after: remarks(&ply.position),
        }
    }
}

impl RemarkReport {
    fn new(remark: &Remark) -> RemarkReport {
        RemarkReport {
            comment: remark.comment.number(),
            words: remark.comment.words(remark.side),
            side: name(remark.side),
            nag: remark.comment.nag(remark.side),
            v: remark.value.map(|value| value.sign()),
            u: remark.utility.number(),
            dv: remark.value_change,
            du: remark.utility_change,
            tension: remark.tension,
        }
    }
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}
