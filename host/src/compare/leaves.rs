//! Nodes are not equal: what the chip needs for a leaf, and what the software search does.

use std::sync::{Arc, Mutex, PoisonError};

use bluebelle_sim::LeafCache;
use bluebelle_spec::leaf::{self, Ending, Job, Outcome, Task};
use bluebelle_spec::{Fen, Position};
use serde::Serialize;

use super::FIXED_SOFTWARE_NODE;
use crate::epd::Problem;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::Limits;
use crate::projection::{Setup, project_with, share};
use crate::search::below::Question;

/// The depths at which each leaf is searched.
const DEPTHS: [u8; 8] = [2, 3, 4, 5, 6, 8, 10, 12];

/// The deepest at which it is searched without pruning too: a ply more takes six times as long.
const DEEPEST_WHOLE: u8 = 6;

/// The depth of the software search that all others are held against.
const DEEP: u8 = 18;

/// What the chip and the software need for the same leaves.
#[derive(Clone, Debug, Serialize)]
pub struct LeafFactors {
    /// How many leaves, each a position with a null-window question.
    pub leaves: usize,
    /// Nanoseconds that a node of the software search is taken for.
    pub software_node: f64,
    /// Slots a second of all cores.
    pub slots_per_second: f64,
    /// Depth by depth.
    pub depths: Vec<LeafRow>,
}

/// All leaves at one depth. Numbers are means for a leaf.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LeafRow {
    /// Plies before quiescence.
    pub depth: u8,
    /// Nodes of the software search with an empty table.
    pub software: f64,
    /// Nodes of jobs that prune.
    pub pruned: f64,
    /// Nodes of jobs that do not, as far as they were searched.
    pub unpruned: Option<f64>,
    /// Slots of jobs that prune.
    pub slots: f64,
    /// Nodes of jobs that prune, for each of the software's.
    pub pruned_factor: f64,
    /// Nodes of jobs that do not, for each of the software's.
    pub unpruned_factor: Option<f64>,
    /// How many times sooner than the software all cores would be done with such leaves, never idle and in no need of a line
    /// or a host.
    pub most: f64,
    /// The share of the leaves about which jobs that prune and the software say the same.
    pub agreed: f64,
    /// The share about which the software says what it says at 18 plies.
    pub software_right: f64,
    /// The share about which jobs that prune say so.
    pub right: f64,
}

/// Searches leaves of the upper trees of some positions by the golden model and by the software search.
///
/// # Errors
/// If the system gives no runtime.
pub fn leaf_factors(
    setup: &Setup,
    problems: &[Problem],
    depth: u32,
    each: usize,
    mut progress: impl FnMut(),
) -> std::io::Result<LeafFactors> {
    let evaluator = Evaluator::new(bluebelle_spec::Weights::standard());
    let golden = bluebelle_spec::Evaluator::new(bluebelle_spec::Weights::standard());
    let mut rows = DEPTHS.map(|depth| LeafRow {
        depth,
        unpruned: (depth <= DEEPEST_WHOLE).then_some(0.0),
        ..LeafRow::default()
    });
    let mut count = 0;
    for problem in problems {
        for (position, beta) in upper_leaves(setup, &Game::new(&problem.fen, &evaluator), depth, each)? {
            count += 1;
            let game = Game::new(&fen(position), &evaluator);
            let deep = Question {
                game: &game,
                beta: beta.into(),
                depth: DEEP.into(),
            };
            let holds = deep.ask(&evaluator).0 >= beta.into();
            for row in &mut rows {
                row.add(position, &game, beta, holds, &evaluator, &golden);
            }
        }
        progress();
    }
    let leaves = count as f64;
    for row in &mut rows {
        for sum in [
            &mut row.software,
            &mut row.pruned,
            &mut row.slots,
            &mut row.agreed,
            &mut row.software_right,
            &mut row.right,
        ] {
            *sum = share(*sum, leaves);
        }
        row.unpruned = row.unpruned.map(|sum| share(sum, leaves));
        row.pruned_factor = share(row.pruned, row.software);
        row.unpruned_factor = row.unpruned.map(|unpruned| share(unpruned, row.software));
        let (software, chip) = (
            row.software * FIXED_SOFTWARE_NODE * 1e-9,
            row.slots / setup.slots_per_second(),
        );
        row.most = share(software, chip);
    }
    Ok(LeafFactors {
        leaves: count,
        software_node: FIXED_SOFTWARE_NODE,
        slots_per_second: setup.slots_per_second(),
        depths: rows.to_vec(),
    })
}

impl LeafRow {
    fn add(
        &mut self,
        position: Position,
        game: &Game,
        beta: i16,
        holds: bool,
        evaluator: &Evaluator,
        golden: &bluebelle_spec::Evaluator,
    ) {
        let run = |pruning| {
            let task = Task::Search {
                depth: self.depth,
                beta,
            };
            let job = Job {
                pruning,
                ..Job::new(position, task)
            };
            leaf::run(&job, golden)
        };
        let pruned = run(true);
        let question = Question {
            game,
            beta: beta.into(),
            depth: self.depth.into(),
        };
        let (score, nodes) = question.ask(evaluator);
        self.software += nodes as f64;
        self.pruned += f64::from(pruned.nodes);
        if let Some(sum) = &mut self.unpruned {
            *sum += f64::from(run(false).nodes);
        }
        self.slots += f64::from(pruned.slots);
        let (software, chip) = (score >= beta.into(), pruned.ending == Ending::Lower);
        for (sum, same) in [
            (&mut self.agreed, software == chip),
            (&mut self.software_right, software == holds),
            (&mut self.right, chip == holds),
        ] {
            *sum += f64::from(u8::from(same));
        }
    }
}

/// Some of the leaves of a position's upper tree, evenly spread over its search, with their questions.
fn upper_leaves(setup: &Setup, game: &Game, depth: u32, count: usize) -> std::io::Result<Vec<(Position, i16)>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let audit = {
        let heard = Arc::clone(&heard);
        Arc::new(move |job: &Job, _: &Outcome| lock(&heard).push(*job))
    };
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    project_with(setup, game, &limits, &LeafCache::default(), Some(audit))?;
    let jobs = std::mem::take(&mut *lock(&heard));
    let leaf = |job: &Job| match job.task {
        Task::Search { beta, .. } if job.pruning => Some((after(job), beta)),
        _ => None,
    };
    let leaves: Vec<(Position, i16)> = jobs.iter().filter_map(leaf).collect();
    let step = leaves.len().div_ceil(count.max(1)).max(1);
    Ok(leaves.into_iter().step_by(step).collect())
}

fn after(job: &Job) -> Position {
    match job.first.is_none() {
        true => job.position,
        false => job.position.after(job.first),
    }
}

/// A position without a past.
fn fen(position: Position) -> Fen {
    Fen {
        position,
        halfmoves: 0,
        fullmoves: 1,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
