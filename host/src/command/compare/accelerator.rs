use anyhow::{Context, bail};
use bluebelle::accelerated::Style;
use bluebelle::backend::{self, Backend, Request};
use bluebelle::compare::{self, BoardFigures, CostFigures, FIXED_COST, Searched};
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::projection::{BoardModel, HostCost, Setup};
use bluebelle_firmware::Board;
use bluebelle_sim::{LeafCache, ModelConfig};

use super::Arguments;
use crate::input;

/// What the software is compared with.
pub(super) enum Accelerator {
    Measured(Box<dyn Backend>),
    Projected {
        board: &'static Board,
        setup: Box<Setup>,
        /// Where cores and clock are from.
        source: String,
        /// Where the figures of the line are from.
        line_source: String,
        hypothetical: bool,
    },
}

impl Accelerator {
    pub(super) fn open(arguments: &Arguments) -> anyhow::Result<Accelerator> {
        match &arguments.accel {
            Some(names) => Ok(Accelerator::Measured(open(names, arguments)?)),
            None => Accelerator::projected(arguments),
        }
    }

    fn projected(arguments: &Arguments) -> anyhow::Result<Accelerator> {
        let board = arguments.board;
        let asked_gangs = input::choice(arguments.gangs, arguments.no_gangs);
        let report = board
            .routed(asked_gangs)
            .with_context(|| format!("the report of {}", board.name))?
            .filter(|report| report.timing_met);
        let routed = report.as_ref().map(|report| (report.cores, report.clock_mhz));
        let (cores, mhz) = match (
            arguments.cores.map(usize::from).or(routed.map(|routed| routed.0)),
            arguments.mhz.or(routed.map(|routed| routed.1)),
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
        let hypothetical = arguments.cores.is_some() || arguments.mhz.is_some() || has_gangs != routed_gangs;
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
        let line = arguments.line.line(board.baud, arguments.seed)?;
        let setup = Setup {
            boards: arguments.boards.into(),
            board: BoardModel {
                cores,
                threads: chip.threads,
                stages: chip.stages,
                gangs: has_gangs,
                queue: chip.queue,
                mhz,
            },
            line: line.model,
            host: match arguments.seed {
                Some(_) => FIXED_COST,
                None => HostCost::Measured,
            },
            style: match arguments.boards {
                0 => Style::without_boards(),
                _ => Style {
                    leaf_depth: arguments.leaf_depth,
                    ..Style::default()
                },
            },
            led: arguments.led,
            hash: arguments.hash as usize,
        };
        Ok(Accelerator::Projected {
            board,
            setup: Box::new(setup),
            source,
            line_source: line.source,
            hypothetical,
        })
    }

    pub(super) fn search(&mut self, game: &Game, limits: &Limits, cache: &LeafCache) -> std::io::Result<Searched> {
        match self {
            Accelerator::Measured(backend) => Ok(compare::search_measured(&mut **backend, game, limits)),
            Accelerator::Projected { setup, .. } => compare::search_projected(setup, game, limits, cache),
        }
    }

    pub(super) fn label(&self) -> &'static str {
        match self {
            Accelerator::Measured(_) => "measured",
            Accelerator::Projected { hypothetical: true, .. } => "hypothetical",
            Accelerator::Projected {
                hypothetical: false, ..
            } => "projected",
        }
    }

    pub(super) fn figures(&self) -> Option<BoardFigures> {
        let Accelerator::Projected {
            board,
            setup,
            source,
            line_source,
            ..
        } = self
        else {
            return None;
        };
        Some(BoardFigures {
            name: board.name.to_owned(),
            boards: setup.boards,
            cores: setup.board.cores,
            threads: setup.board.threads,
            stages: setup.board.stages,
            mhz: setup.board.mhz,
            source: source.clone(),
            bytes_per_second: setup.line.bytes_per_second,
            latency_us: setup.line.latency.as_secs_f64() * 1e6,
            line: format!("{}: {line_source}", setup.line),
            slots_per_second: setup.slots_per_second(),
        })
    }

    pub(super) fn host_cost(&self) -> Option<CostFigures> {
        match self {
            Accelerator::Projected { setup, .. } => CostFigures::of(setup.host),
            Accelerator::Measured(_) => None,
        }
    }
}

fn open(names: &str, arguments: &Arguments) -> anyhow::Result<Box<dyn Backend>> {
    let request = Request {
        accelerator: names.to_owned(),
        leaf_depth: arguments.leaf_depth.into(),
        led: arguments.led,
        hash: arguments.hash as usize,
    };
    match backend::open(&request)? {
        backend if backend.name() == "software" => {
            bail!("'{names}' is no accelerator: expected serial:PATH, verilated or model")
        }
        backend => Ok(backend),
    }
}
