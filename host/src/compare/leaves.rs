//! Nodes are not equal: what the chip needs for a leaf, and what the software search does.

use std::sync::{Arc, Mutex, PoisonError};

use bluebelle_spec::leaf::{self, Ending, Job, Outcome, Task};
use bluebelle_spec::{Fen, Position};
use serde::Serialize;

use crate::epd::Problem;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::Limits;
use crate::projection::{Asking, FIXED_COST, Projection, Setup, share};
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
    /// Plies of the searches that asked for them.
    pub search_depth: u32,
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
    /// The share of the leaves about which jobs that prune and the software say the same.
    pub agreed: f64,
    /// The share about which the software says what it says at 18 plies.
    pub software_right: f64,
    /// The share about which jobs that prune say so.
    pub right: f64,
}

/// Plies of the shallowest nodes that are asked about.
const ASKED_FROM: i32 = 6;

/// Searches questions that a projected search to some depth asks about positions, by the golden
/// model and by the software search.
///
/// # Errors
/// If the system gives no runtime.
pub fn leaf_factors(
    setup: &Setup,
    problems: &[Problem],
    search_depth: u32,
    each: usize,
    mut progress: impl FnMut(),
) -> std::io::Result<LeafFactors> {
    let evaluator = Evaluator::new(bluebelle_spec::Weights::standard());
    let golden = bluebelle_spec::Evaluator::new(bluebelle_spec::Weights::standard());
    // What is asked depends neither on this machine nor on what the line to the board is worth.
    let mut projection = Projection::new(Setup {
        host: FIXED_COST,
        asking: Asking {
            from: Some(ASKED_FROM),
            races: false,
        },
        ..*setup
    });
    let mut rows = DEPTHS.map(|depth| LeafRow {
        depth,
        unpruned: (depth <= DEEPEST_WHOLE).then_some(0.0),
        ..LeafRow::default()
    });
    let mut leaves = 0;
    for problem in problems {
        let game = Game::new(&problem.fen, &evaluator);
        for (position, beta) in asked(&mut projection, &game, search_depth, each)? {
            leaves += 1;
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
    for row in &mut rows {
        row.divide(leaves);
    }
    Ok(LeafFactors {
        leaves,
        search_depth,
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

    /// Makes means of sums.
    fn divide(&mut self, leaves: usize) {
        let mean = |sum: &mut f64| *sum = share(*sum, leaves as f64);
        for sum in [&mut self.software, &mut self.pruned, &mut self.slots] {
            mean(sum);
        }
        for sum in [&mut self.agreed, &mut self.software_right, &mut self.right] {
            mean(sum);
        }
        if let Some(sum) = &mut self.unpruned {
            mean(sum);
        }
        self.pruned_factor = share(self.pruned, self.software);
        self.unpruned_factor = self.unpruned.map(|unpruned| share(unpruned, self.software));
    }
}

/// Some of the questions that a search asks boards, evenly spread over the search.
fn asked(projection: &mut Projection, game: &Game, depth: u32, count: usize) -> std::io::Result<Vec<(Position, i16)>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let audit = {
        let heard = Arc::clone(&heard);
        Arc::new(move |job: &Job, _: &Outcome| lock(&heard).push(*job))
    };
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    projection.clear();
    projection.search_with(game, &limits, Some(audit))?;
    let jobs = std::mem::take(&mut *lock(&heard));
    let question = |job: &Job| match job.task {
        Task::Search { beta, .. } if job.pruning => Some((after(job), beta)),
        _ => None,
    };
    let questions: Vec<(Position, i16)> = jobs.iter().filter_map(question).collect();
    let step = questions.len().div_ceil(count.max(1)).max(1);
    Ok(questions.into_iter().step_by(step).collect())
}

fn after(job: &Job) -> Position {
    if job.first.is_none() {
        job.position
    } else {
        job.position.after(job.first)
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
