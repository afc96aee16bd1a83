use std::time::Duration;

use bluebelle::compare::{self, Searched, SoftwareClock};
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::memory::MemoryError;
use bluebelle::projection::{FIXED_COST, FIXED_NODE, Projection, Setup};
use bluebelle::search::Software;

use super::Arguments;

/// The search without boards.
pub(super) enum SoftwareSide {
    Here {
        software: Box<Software>,
        threads: usize,
        clock: SoftwareClock,
    },
    /// Several threads whose nodes have a fixed cost need virtual time.
    Projected(Box<Projection>),
}

impl SoftwareSide {
    pub(super) fn new(arguments: &Arguments) -> Result<SoftwareSide, MemoryError> {
        let (threads, hash) = (arguments.software_threads.into(), arguments.hash as usize);
        let clock = match arguments.seed {
            Some(_) if threads > 1 => {
                let setup = Setup {
                    threads,
                    hash,
                    ..Setup::software(FIXED_COST)
                };
                return Ok(SoftwareSide::Projected(Box::new(Projection::try_new(setup)?)));
            }
            Some(_) => SoftwareClock::Fixed(FIXED_NODE),
            // Real boards, and threads that wait for each other, go by the clock on the wall.
            None if threads > 1 || arguments.accel.is_some() => SoftwareClock::Wall,
            None => SoftwareClock::Processor,
        };
        Ok(SoftwareSide::Here {
            software: Box::new(Software::try_new(hash)?),
            threads,
            clock,
        })
    }

    pub(super) fn search(&mut self, game: &Game, limits: &Limits) -> std::io::Result<Searched> {
        match self {
            SoftwareSide::Here {
                software,
                threads,
                clock,
            } => Ok(compare::search_software(software, game, limits, *threads, *clock)),
            SoftwareSide::Projected(projection) => compare::search_projected(projection, game, limits),
        }
    }

    pub(super) fn label(&self) -> &'static str {
        match self {
            SoftwareSide::Here {
                clock: SoftwareClock::Wall | SoftwareClock::Processor,
                ..
            } => "measured",
            _ => "fixed cost",
        }
    }
}

/// What both searches are asked for.
pub(super) fn limits(time: Option<f64>, depth: Option<u32>) -> Limits {
    Limits {
        depth,
        movetime: time.map(Duration::from_secs_f64),
        ..Limits::default()
    }
}
