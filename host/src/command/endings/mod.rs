//! `bluebelle endings`: builds, verifies and looks up endgame tables.

mod report;
mod syzygy;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use bluebelle_knowledge::endings::{Builder, Kind, Material, Tables, Value, Verified, verify};
use bluebelle_spec::{Fen, Move, leaf};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the tables of materials, and of all that their captures and promotions lead to. A build that was ended goes on
    /// where it was
    Build(Build),
    /// Check that every value follows from the values after the legal moves, or equals Syzygy's
    Verify(Verify),
    /// Look a position up, with all its moves
    Probe(Probe),
    /// Tell how large tables are, what their positions are worth, and the longest wins
    Report(report::Arguments),
}

/// Where the tables are.
#[derive(clap::Args)]
struct Folder {
    /// The folder of the tables
    #[arg(long, value_name = "DIR", default_value = "endings")]
    dir: PathBuf,
}

impl Folder {
    fn open(&self) -> anyhow::Result<Tables> {
        let tables = Tables::open(&self.dir)?;
        if tables.most_men(Kind::Wdl) == 0 {
            bail!(
                "{} has no endgame tables: `bluebelle endings build KRvKN --dir {0}` makes some",
                self.dir.display()
            );
        }
        Ok(tables)
    }
}

/// Which tables.
#[derive(clap::Args)]
struct Which {
    /// Materials, such as KRvKN
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,

    /// All materials with up to so many men, kings included
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=5))]
    men: Option<u8>,
}

impl Which {
    fn list(&self) -> Vec<Material> {
        let men = self.men.map_or(0, usize::from);
        let mut list: Vec<Material> = (3..=men).flat_map(Material::all).collect();
        for material in &self.materials {
            if !list.contains(material) {
                list.push(*material);
            }
        }
        list
    }

    /// The materials that are named, or those of all tables.
    fn of(&self, tables: &Tables) -> Vec<Material> {
        let list = self.list();
        if list.is_empty() {
            tables.materials(Kind::Wdl)
        } else {
            list
        }
    }
}

#[derive(clap::Args)]
struct Build {
    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    folder: Folder,

    /// Threads; all cores if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(clap::Args)]
struct Verify {
    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    folder: Folder,

    /// Compare win, draw and loss with the Syzygy tables in this folder instead. A win that the fifty-move rule takes away
    /// (cursed) counts as a win, and the loss opposite as a loss: the tables know no fifty-move rule
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,

    /// Check one position in so many
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

#[derive(clap::Args)]
struct Probe {
    /// The position
    #[arg(long, value_parser = input::position)]
    fen: Fen,

    #[command(flatten)]
    folder: Folder,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Build(arguments) => build(arguments),
        Command::Verify(arguments) => check(arguments),
        Command::Probe(arguments) => probe(arguments),
        Command::Report(arguments) => report::run(arguments),
    }
}

/// A bar in thousandths, with the time that is left.
fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {percent}% {elapsed}, about {eta} left  {msg}");
    ProgressBar::new(1_000).with_style(style.unwrap_or(ProgressStyle::default_bar()))
}

fn build(arguments: &Build) -> anyhow::Result<ExitCode> {
    let materials = arguments.which.list();
    if materials.is_empty() {
        bail!("name materials such as KRvKN, or all with --men 4");
    }
    let mut builder = Builder::new(&arguments.folder.dir);
    if let Some(threads) = arguments.threads {
        builder = builder.threads(usize::from(threads));
    }
    let bar = progress_bar();
    builder.build(&materials, |progress| {
        let (done, all) = progress.tables;
        let task = match progress.kind {
            Kind::Mate => "to mate",
            Kind::Conversion => "to conversion",
            Kind::Wdl => "win, draw, loss",
        };
        bar.set_position((progress.share * 1_000.0) as u64);
        bar.set_message(format!(
            "{} of {all}: {} {task}, move {}",
            done + 1,
            progress.material,
            progress.moves
        ));
    })?;
    bar.finish_and_clear();
    let tables = Tables::open(&arguments.folder.dir)?;
    for material in materials {
        let size = |kind| tables.size(material, kind).map_or(0, |(bytes, _)| bytes);
        let [mate, conversion, wdl] = Kind::ALL.map(size);
        say!("{material}: {wdl} bytes of win, draw and loss, {conversion} to conversion, {mate} to mate");
    }
    Ok(ExitCode::SUCCESS)
}

fn check(arguments: &Verify) -> anyhow::Result<ExitCode> {
    let tables = arguments.folder.open()?;
    tables.check()?;
    let referee = arguments.syzygy.as_deref().map(syzygy::Referee::open).transpose()?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut wrong = 0;
    for material in arguments.which.of(&tables) {
        let bar = progress_bar();
        bar.set_message(material.to_string());
        let progress = |share: f64| bar.set_position((share * 1_000.0) as u64);
        let verified = match &referee {
            Some(referee) => referee.compare(&tables, material, arguments.every, threads, progress)?,
            None => verify(&tables, material, arguments.every, threads, progress)?,
        };
        bar.finish_and_clear();
        say!("{material}: {} positions, {} wrong", verified.positions, verified.wrong);
        show_wrong(&verified)?;
        wrong += verified.wrong;
    }
    Ok(ExitCode::from(u8::from(wrong > 0)))
}

fn show_wrong(verified: &Verified) -> anyhow::Result<()> {
    for wrong in &verified.examples {
        let (position, kind) = (wrong.position, wrong.kind.extension());
        say!("  {position}: {kind} says {}, expected {}", wrong.found, wrong.expected);
    }
    Ok(())
}

/// What `probe --json` prints.
#[derive(Serialize)]
struct Probed {
    fen: String,
    #[serde(flatten)]
    value: Told,
    moves: Vec<ProbedMove>,
}

#[derive(Serialize)]
struct ProbedMove {
    r#move: String,
    #[serde(flatten)]
    value: Told,
}

/// A value for the side to move. Distances are the winner's moves.
#[derive(Clone, Copy, Serialize)]
struct Told {
    wdl: &'static str,
    mate: Option<u16>,
    conversion: Option<u16>,
}

impl Told {
    fn of(tables: &Tables, fen: &Fen) -> anyhow::Result<Told> {
        let distance = |kind| -> anyhow::Result<Option<u16>> {
            Ok(match tables.probe(&fen.position, kind)? {
                Value::Win(moves) | Value::Loss(moves) => Some(moves),
                Value::Draw => None,
            })
        };
        let wdl = tables.probe(&fen.position, Kind::Wdl)?;
        Ok(Told {
            wdl: match wdl {
                Value::Win(_) => "win",
                Value::Draw => "draw",
                Value::Loss(_) => "loss",
            },
            mate: distance(Kind::Mate)?,
            conversion: distance(Kind::Conversion)?,
        })
    }

    fn words(&self) -> String {
        match (self.mate, self.conversion) {
            (Some(mate), Some(conversion)) => {
                format!("{}, mate in {mate}, conversion in {conversion}", self.wdl)
            }
            _ => self.wdl.to_owned(),
        }
    }
}

fn probe(arguments: &Probe) -> anyhow::Result<ExitCode> {
    let tables = arguments.folder.open()?;
    let value = Told::of(&tables, &arguments.fen).context("cannot look the position up")?;
    let probed = |mv: Move| -> anyhow::Result<ProbedMove> {
        let after = Fen {
            position: arguments.fen.position.after(mv),
            ..arguments.fen
        };
        let value = Told::of(&tables, &after).with_context(|| format!("cannot look {mv} up"))?;
        Ok(ProbedMove {
            r#move: mv.to_string(),
            value,
        })
    };
    let moves = leaf::legal_moves(&arguments.fen.position).into_iter().map(probed);
    let mut moves = moves.collect::<anyhow::Result<Vec<ProbedMove>>>()?;
    moves.sort_by_key(|probed| order(&probed.value));
    if arguments.json {
        let fen = arguments.fen.to_string();
        say!("{}", serde_json::to_string(&Probed { fen, value, moves })?);
        return Ok(ExitCode::SUCCESS);
    }
    say!("{}", value.words());
    for probed in &moves {
        say!("{}: the other side: {}", probed.r#move, probed.value.words());
    }
    Ok(ExitCode::SUCCESS)
}

/// The best moves first: what the other side loses soonest.
fn order(after: &Told) -> (u8, i32) {
    let mate = after.mate.map_or(0, i32::from);
    match after.wdl {
        "loss" => (0, mate),
        "draw" => (1, 0),
        _ => (2, -mate),
    }
}
