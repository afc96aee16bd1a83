use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bluebelle_spec::leaf::{self, Job, Outcome};
use bluebelle_spec::{Evaluator, Weights};

use crate::{Accelerator, AcceleratorError};

/// The golden leaf search as an accelerator, on all of the machine's cores.
pub struct Model {
    evaluator: Evaluator,
    threads: usize,
}

impl Model {
    /// A model with these weights.
    pub fn new(weights: &Weights) -> Model {
        Model {
            evaluator: Evaluator::new(weights),
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Default for Model {
    fn default() -> Model {
        Model::new(Weights::standard())
    }
}

impl Accelerator for Model {
    fn name(&self) -> String {
        format!("golden model, {} threads", self.threads)
    }

    fn run(&mut self, jobs: &[Job], done: &(dyn Fn(usize) + Sync)) -> Result<Vec<Outcome>, AcceleratorError> {
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::with_capacity(jobs.len()));
        let work = || {
            while let Some((index, job)) = {
                let index = next.fetch_add(1, Ordering::Relaxed);
                jobs.get(index).map(|job| (index, job))
            } {
                let outcome = leaf::run(job, &self.evaluator);
                outcomes.lock().expect("no worker panics").push((index, outcome));
                done(index);
            }
        };
        match jobs {
            [_] => work(),
            _ => thread::scope(|scope| {
                for _ in 0..self.threads.min(jobs.len()) {
                    scope.spawn(work);
                }
            }),
        }
        let mut outcomes = outcomes.into_inner().expect("no worker panics");
        outcomes.sort_unstable_by_key(|&(index, _)| index);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Position;
    use bluebelle_spec::leaf::Task;

    use super::*;

    #[test]
    fn outcomes_come_in_the_order_of_the_jobs() {
        let jobs: Vec<Job> = (0..40)
            .map(|index| Job::new(Position::initial(), Task::Perft { depth: index % 4 }))
            .collect();
        let count = AtomicUsize::new(0);
        let outcomes = Model::default()
            .run(&jobs, &|_| {
                count.fetch_add(1, Ordering::Relaxed);
            })
            .expect("the model does not fail");
        let expected = [1, 20, 400, 8_902];
        assert_eq!(count.into_inner(), 40);
        for (index, outcome) in outcomes.iter().enumerate() {
            assert_eq!(outcome.nodes, expected[index % 4]);
        }
    }
}
