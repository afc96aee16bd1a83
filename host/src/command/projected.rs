//! The flags that describe projected boards.

use anyhow::{Context, bail};
use bluebelle::projection::{Asking, BoardModel, FIXED_COST, HostCost, Setup};
use bluebelle_firmware::Board;
use bluebelle_sim::ModelConfig;

use crate::command::build::board as board_named;
use crate::command::line::LineArguments;
use crate::input;

/// The board that is projected unless another one is named.
const BOARD: &str = "ulx3s-85f";

#[derive(clap::Args)]
pub(crate) struct BoardArguments {
    /// The board to project for; its clock and cores are those of its routed build
    #[arg(long, default_value = BOARD, value_parser = board_named)]
    board: &'static Board,

    /// A hypothetical number of cores, instead of the routed build's
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=16))]
    cores: Option<u8>,

    /// A hypothetical clock in MHz, instead of the routed build's
    #[arg(long, value_parser = megahertz)]
    mhz: Option<f64>,

    /// A chip whose cores search a job by all their threads, whatever the routed build has
    #[arg(long)]
    gangs: bool,

    /// A chip each of whose threads has a job of its own, whatever the routed build has
    #[arg(long, conflicts_with = "gangs")]
    no_gangs: bool,

    /// How many such boards; without any, the host searches all leaves itself
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=16))]
    boards: u8,

    #[command(flatten)]
    line: LineArguments,
}

/// What a projection depends on besides its boards.
pub(crate) struct Wanted {
    /// Charge fixed costs, and draw the line's jitter from this seed.
    pub(crate) seed: Option<u64>,
    /// Threads of the host.
    pub(crate) threads: usize,
    /// Mebibytes for the table.
    pub(crate) hash: u32,
}

/// Boards that exist in virtual time.
pub(crate) struct Projection {
    pub(crate) board: &'static Board,
    pub(crate) setup: Setup,
    /// Where cores and clock are from.
    pub(crate) source: String,
    pub(crate) hypothetical: bool,
    /// The line in words, and where its figures are from.
    pub(crate) line: String,
}

impl BoardArguments {
    /// Whether a flag says something else than the default.
    pub(crate) fn is_given(&self) -> bool {
        let numbers = self.cores.is_some() || self.mhz.is_some() || self.boards != 1;
        numbers || self.line.is_given() || self.gangs || self.no_gangs || self.board.name != BOARD
    }

    /// The boards that the flags describe.
    pub(crate) fn project(&self, wanted: &Wanted) -> anyhow::Result<Projection> {
        let board = self.board;
        let asked_gangs = input::choice(self.gangs, self.no_gangs);
        let report = board
            .routed(asked_gangs)
            .with_context(|| format!("the report of {}", board.name))?
            .filter(|report| report.timing_met);
        let routed = report.as_ref().map(|report| (report.cores, report.clock_mhz));
        let (cores, mhz) = match (
            self.cores.map(usize::from).or(routed.map(|routed| routed.0)),
            self.mhz.or(routed.map(|routed| routed.1)),
        ) {
            (Some(cores), Some(mhz)) => (cores, mhz),
            _ => bail!(
                "{} has no report of a routed build, so its cores and clock are not known: say what to suppose, as in \
                 --cores 7 --mhz 80; everything is then labelled hypothetical",
                board.name
            ),
        };
        let routed_gangs = report.as_ref().is_some_and(|report| report.gangs);
        let has_gangs = asked_gangs.unwrap_or(routed_gangs);
        let hypothetical = self.cores.is_some() || self.mhz.is_some() || has_gangs != routed_gangs;
        let gangs = if has_gangs { ", with gangs" } else { "" };
        let source = match (hypothetical, &report) {
            (false, _) => format!("as routed{gangs}"),
            (true, Some(report)) => format!(
                "hypothetical{gangs}; routed were {} cores at {:.1} MHz",
                report.cores, report.clock_mhz
            ),
            (true, None) => format!("hypothetical{gangs}; no build of this board has been routed"),
        };
        let chip = ModelConfig::default();
        let line = self.line.line(board.baud, wanted.seed)?;
        let setup = Setup {
            boards: self.boards.into(),
            board: BoardModel {
                cores,
                threads: chip.threads,
                stages: chip.stages,
                gangs: has_gangs,
                queue: chip.queue,
                mhz,
            },
            line: line.model,
            host: match wanted.seed {
                Some(_) => FIXED_COST,
                None => HostCost::Measured,
            },
            threads: wanted.threads,
            crew: 0,
            asking: Asking::default(),
            hash: wanted.hash as usize,
        };
        Ok(Projection {
            board,
            setup,
            source,
            hypothetical,
            line: format!("{}: {}", line.model, line.source),
        })
    }
}

fn megahertz(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|mhz| (0.1..=2000.0).contains(mhz));
    number.ok_or_else(|| "expected megahertz, from 0.1 to 2000".to_owned())
}
