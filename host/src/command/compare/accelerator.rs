use anyhow::{Context, bail, ensure};
use bluebelle::backend::{self, Backend, Request};
use bluebelle::compare::{self, BoardFigures, CostFigures, Searched};
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::projection::{Projection, Setup};

use super::Arguments;
use crate::command::projected::{Projection as Boards, Wanted};

/// What the software is compared with.
pub(super) enum Accelerator {
    Measured {
        backend: Box<dyn Backend>,
        threads: usize,
    },
    Projected {
        projection: Box<Projection>,
        boards: Box<Boards>,
    },
}

impl Accelerator {
    pub(super) fn open(arguments: &Arguments) -> anyhow::Result<Accelerator> {
        let threads = arguments.threads.into();
        if let Some(names) = &arguments.accel {
            let backend = open(names, arguments.hash as usize)?;
            return Ok(Accelerator::Measured { backend, threads });
        }
        let boards = arguments.boards.project(&Wanted {
            seed: arguments.seed,
            threads,
            hash: arguments.hash,
        })?;
        Ok(Accelerator::Projected {
            projection: Box::new(Projection::try_new(boards.setup)?),
            boards: Box::new(boards),
        })
    }

    pub(super) fn search(&mut self, game: &Game, limits: &Limits) -> anyhow::Result<Searched> {
        match self {
            Accelerator::Measured { backend, threads } => {
                let searched = compare::search_measured(&mut **backend, game, limits, *threads);
                expect_answers(&**backend).context("after a search")?;
                Ok(searched)
            }
            Accelerator::Projected { projection, .. } => Ok(compare::search_projected(projection, game, limits)?),
        }
    }

    pub(super) fn label(&self) -> &'static str {
        match self {
            Accelerator::Measured { .. } => "measured",
            Accelerator::Projected { boards, .. } if boards.hypothetical => "hypothetical",
            Accelerator::Projected { .. } => "projected",
        }
    }

    pub(super) fn setup(&self) -> Option<&Setup> {
        match self {
            Accelerator::Measured { .. } => None,
            Accelerator::Projected { boards, .. } => Some(&boards.setup),
        }
    }

    pub(super) fn figures(&self) -> Option<BoardFigures> {
        let Accelerator::Projected { boards, .. } = self else {
            return None;
        };
        let Boards {
            board,
            setup,
            source,
            line,
            ..
        } = &**boards;
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
            line: line.clone(),
            slots_per_second: setup.slots_per_second(),
        })
    }

    pub(super) fn host_cost(&self) -> Option<CostFigures> {
        self.setup().and_then(|setup| CostFigures::of(setup.host))
    }
}

fn open(names: &str, hash: usize) -> anyhow::Result<Box<dyn Backend>> {
    let request = Request {
        accelerator: names.to_owned(),
        hash,
        ..Request::default()
    };
    let backend = backend::open(&request).context("--accel")?;
    expect_answers(&*backend).with_context(|| format!("--accel {names}"))?;
    Ok(backend)
}

/// Whether all accelerators that were named are there: without one of them, the figures would be
/// those of others.
fn expect_answers(backend: &dyn Backend) -> anyhow::Result<()> {
    let Some(pool) = backend.pool() else {
        bail!("found no accelerator, expected serial:PATH, pcie:ADDRESS, verilated or model");
    };
    let boards = pool.boards();
    let silent = boards.iter().filter(|board| board.identity.is_none());
    let silent: Vec<&str> = silent.map(|board| board.name.as_str()).collect();
    ensure!(
        silent.is_empty(),
        "found no answer from {}, expected one from each accelerator; `bluebelle devices` lists the boards that answer",
        silent.join(", ")
    );
    Ok(())
}
