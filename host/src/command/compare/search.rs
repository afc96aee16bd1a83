//! Both searches of all positions, on a thread of their own, so that Ctrl-C is heard meanwhile.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, anyhow};
use bluebelle::compare::{self, Engine, Row, Searched};
use bluebelle::epd::Problem;
use bluebelle::evaluation::Evaluator;
use bluebelle::game::Game;

use super::accelerator::Accelerator;
use super::software::{self, SoftwareSide};
use super::{Arguments, print};
use crate::input;
use crate::output::note;

/// What is searched.
pub(super) struct Task<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) problems: &'a [Problem],
    pub(super) evaluator: &'a Evaluator,
}

/// What was found, position by position.
#[derive(Default)]
pub(super) struct Positions {
    pub(super) rows: Vec<Row>,
    /// The searches by software, and with hardware.
    pub(super) pairs: Vec<(Searched, Searched)>,
}

/// How long Ctrl-C may go unnoticed.
const LOOK: Duration = Duration::from_millis(50);

/// Searches all positions, and prints each when it is done.
///
/// Ctrl-C does not wait for the search that runs, which ends with the process: `interrupted` is
/// given what was found, and ends the process.
pub(super) fn all(
    task: &Task<'_>,
    software: &mut SoftwareSide,
    accelerator: &mut Accelerator,
    stop: &AtomicBool,
    interrupted: impl FnOnce(Positions) -> Infallible,
) -> anyhow::Result<Positions> {
    if !task.arguments.json {
        print::print_head()?;
    }
    let progress = input::progress_bar(task.problems.len());
    let mut positions = Positions::default();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let searching = scope.spawn(move || each(task, software, accelerator, &sender));
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(found) => {
                    progress.suspend(|| positions.add(task, found))?;
                    progress.inc(1);
                }
                Err(RecvTimeoutError::Timeout) if stop.load(Relaxed) => {
                    progress.finish_and_clear();
                    match interrupted(std::mem::take(&mut positions)) {}
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        searching.join().map_err(|_| anyhow!("a search has failed"))?
    })?;
    progress.finish_and_clear();
    Ok(positions)
}

/// A position's row, and both searches of it.
type Found = (Row, Searched, Searched);

impl Positions {
    fn add(&mut self, task: &Task<'_>, (row, alone, with_hardware): Found) -> std::io::Result<()> {
        for warning in &row.warnings {
            note!("warning: {}: {warning}", row.id);
        }
        if !task.arguments.json {
            print::print_row(&row)?;
        }
        self.rows.push(row);
        self.pairs.push((alone, with_hardware));
        Ok(())
    }
}

/// Searches position by position, until the receiver has gone away.
fn each(
    task: &Task<'_>,
    software: &mut SoftwareSide,
    accelerator: &mut Accelerator,
    sender: &Sender<Found>,
) -> anyhow::Result<()> {
    let arguments = task.arguments;
    let engines = arguments.engine.iter().map(|path| Engine::start(path));
    let mut engines: Vec<Engine> = engines.collect::<Result<_, _>>()?;
    let engine_time = arguments.engine_time.or(arguments.position_time()).unwrap_or(1.0);
    let engine_time = Duration::from_secs_f64(engine_time);
    let limits = software::limits(arguments.position_time(), arguments.depth);
    for problem in task.problems {
        let game = Game::new(&problem.fen, task.evaluator);
        let alone = software.search(&game, &limits)?;
        let with_hardware = accelerator
            .search(&game, &limits)
            .with_context(|| format!("position {}", problem.id))?;
        let mut row = compare::row(problem, &alone, &with_hardware);
        let answers = engines
            .iter_mut()
            .map(|engine| engine.solve(problem, &row.fen, engine_time));
        row.engines = answers.collect::<Result<_, _>>()?;
        if sender.send((row, alone, with_hardware)).is_err() {
            break;
        }
    }
    Ok(())
}
