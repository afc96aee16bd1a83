//! A gang answers as a single thread does, and a gang of one thread is a single thread.

use bluebelle_spec::leaf::{self, Ending, Job, MAX_DEPTH, Task, gang, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Fen, Position, Weights, evaluate};

/// Jobs that prune, from varied positions and what follows them, of up to `deepest` plies.
fn jobs(count: usize, seed: u64, deepest: u8) -> Vec<Job> {
    let starts: Vec<Position> = include_str!("../data/varied.epd")
        .lines()
        .filter_map(|line| line.split(';').next()?.trim().parse::<Fen>().ok())
        .map(|fen| fen.position)
        .collect();
    let mut rng = SplitMix64::new(seed);
    let mut pick = |below: usize| rng.below(below as u64) as usize;
    let job = |_| {
        let mut position = starts[pick(starts.len())];
        for _ in 0..pick(12) {
            let moves = legal_moves(&position);
            if !moves.is_empty() {
                position = position.after(moves[pick(moves.len())]);
            }
        }
        let beta = evaluate(&position, Weights::standard()) + pick(200) as i16 - 100;
        let depth = pick(usize::from(deepest) + 1) as u8;
        Job {
            pruning: true,
            gang: true,
            ..Job::new(position, Task::Search { depth, beta })
        }
    };
    (0..count).map(job).collect()
}

#[test]
fn a_gang_of_one_is_a_single_thread() {
    let evaluator = Evaluator::new(Weights::standard());
    for job in jobs(1_500, 1, 9) {
        let single = leaf::run(&Job { gang: false, ..job }, &evaluator);
        assert_eq!(gang::run(&job, &evaluator, 1).0, single, "{job:?}");
    }
}

#[test]
fn a_gang_answers_as_a_single_thread_does() {
    let evaluator = Evaluator::new(Weights::standard());
    let (mut single_slots, mut gang_slots) = (0, 0);
    for job in jobs(1_000, 2, MAX_DEPTH) {
        let limited = Job {
            node_limit: 300_000,
            gang: false,
            ..job
        };
        let single = leaf::run(&limited, &evaluator);
        if single.ending == Ending::Limit {
            continue;
        }
        let together = leaf::run(&job, &evaluator);
        assert_eq!(
            (together.ending, together.score),
            (single.ending, single.score),
            "{job:?}"
        );
        assert_eq!(together.best.is_none(), single.best.is_none(), "{job:?}");
        if single.nodes > 2_000 {
            single_slots += u64::from(single.slots);
            gang_slots += u64::from(together.slots);
        }
    }
    eprintln!("large jobs: {single_slots} slots of one thread, {gang_slots} trips of a gang");
    assert!(
        gang_slots * 4 < single_slots,
        "{gang_slots} trips for {single_slots} slots"
    );
}

#[test]
fn a_gang_ends_soon_after_its_limit() {
    let evaluator = Evaluator::new(Weights::standard());
    let mut limited = 0;
    for job in jobs(300, 3, MAX_DEPTH) {
        let outcome = leaf::run(&Job { node_limit: 500, ..job }, &evaluator);
        limited += u32::from(outcome.ending == Ending::Limit);
        assert!(outcome.nodes <= 500 + 2 * gang::THREADS as u32, "{job:?}: {outcome:?}");
    }
    assert!(limited >= 20, "only {limited} jobs had more nodes");
}
