//! Jobs that are told to stop.

use std::sync::atomic::AtomicBool;

use bluebelle_spec::leaf::{self, Ending, Job, Search, Task};
use bluebelle_spec::{Evaluator, Position, Weights};

#[test]
fn a_job_that_is_told_to_stop_does_and_one_that_is_not_is_not_changed() {
    let evaluator = Evaluator::new(Weights::standard());
    for task in [Task::Search { depth: 4, beta: 20 }, Task::Perft { depth: 4 }] {
        let mut job = Job::new(Position::initial(), task);
        let stop = AtomicBool::new(false);
        let expected = leaf::run(&job, &evaluator);
        assert_eq!(Search::new(&job, &evaluator).stop_when(&stop).run(), expected);

        job.node_limit = expected.nodes / 2;
        let limited = Search::new(&job, &evaluator).stop_when(&stop).run();
        assert_eq!((limited.ending, limited.nodes), (Ending::Limit, job.node_limit));

        let stop = AtomicBool::new(true);
        let stopped = Search::new(&job, &evaluator).stop_when(&stop).run();
        assert_eq!(stopped.ending, Ending::Aborted);
        assert!(stopped.nodes <= 1, "{} nodes after it was told", stopped.nodes);
        assert!(stopped.best.is_none() && stopped.score == 0);
    }
}
