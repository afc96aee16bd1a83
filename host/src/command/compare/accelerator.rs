use anyhow::bail;
use bluebelle::backend::{self, Backend, Request};
use bluebelle::compare::{self, BoardFigures, CostFigures, Searched};
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::projection::Setup;
use bluebelle_firmware::Board;
use bluebelle_sim::LeafCache;

use super::Arguments;
use crate::command::projected::{Projection, Wanted};

/// What the software is compared with.
pub(super) enum Accelerator {
    Measured(Box<dyn Backend>),
    Projected {
        board: &'static Board,
        setup: Box<Setup>,
        /// Where cores and clock are from.
        source: String,
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
        let Projection {
            board,
            setup,
            source,
            hypothetical,
        } = arguments.boards.project(&Wanted {
            seed: arguments.seed,
            leaf_depth: arguments.leaf_depth,
            led: arguments.led,
            hash: arguments.hash,
        })?;
        Ok(Accelerator::Projected {
            board,
            setup: Box::new(setup),
            source,
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
            board, setup, source, ..
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
