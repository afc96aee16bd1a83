//! Sides in virtual time: with boards, with several threads, or with a crew whose questions the host answers itself.

use std::io;
use std::time::Duration;

use super::player::{BoardWork, Decision, Player, PlayerSpec};
use crate::game::Game;
use crate::limits::Limits;
use crate::projection::{FIXED_COST, Projection, Setup};

/// An engine in virtual time.
pub struct ProjectedPlayer {
    projection: Projection,
    depth: Option<u32>,
}

impl ProjectedPlayer {
    /// A player whose tables and histories are empty.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(spec: &PlayerSpec) -> io::Result<ProjectedPlayer> {
        let software = Setup::software(FIXED_COST);
        let setup = Setup {
            threads: spec.threads,
            hash: spec.hash,
            ..spec.setup.unwrap_or(software)
        };
        Ok(ProjectedPlayer {
            projection: Projection::try_new(setup).map_err(io::Error::other)?,
            depth: spec.depth,
        })
    }
}

impl Player for ProjectedPlayer {
    fn new_game(&mut self) {
        self.projection.clear();
    }

    fn choose(&mut self, game: &Game, time: Duration) -> io::Result<Decision> {
        let limits = Limits {
            depth: self.depth,
            movetime: self.depth.is_none().then_some(time),
            ..Limits::default()
        };
        let projected = self.projection.search(game, &limits)?;
        if let Some(warning) = projected.warnings.first() {
            return Err(io::Error::other(format!("a projected board failed: {warning}")));
        }
        let setup = self.projection.setup();
        let seconds = projected.outcome.time.as_secs_f64();
        let (line_out, line_in) = projected.link_busy(setup);
        Ok(Decision {
            mv: projected.outcome.best(),
            score: projected.outcome.score(),
            depth: projected.outcome.lines.first().map_or(0, |line| line.depth),
            time: projected.outcome.time,
            nodes: projected.outcome.nodes,
            board: (setup.boards > 0).then(|| BoardWork {
                jobs: projected.results,
                job_nodes: projected.result_nodes,
                host_busy: projected.host_busy() * seconds,
                line_busy: line_out.max(line_in) * seconds,
                chip_busy: projected.hardware_busy(setup) * seconds,
                seconds,
            }),
        })
    }
}
