//! The pool of accelerators on a board that everything happens to.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bluebelle::link::{DEFAULT_BAUD, Serial};
use bluebelle::pool::{Batch, Pool, Settings};
use bluebelle_spec::leaf::{self, Outcome, legal_moves};
use bluebelle_spec::{Evaluator, Position, Weights};
use bluebelle_tests::faulty_board::{Faults, FaultyBoard};

/// No answer takes so long.
const HANGING: Duration = Duration::from_secs(10);

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("bluebelle-{name}-{}", std::process::id()))
}

fn batch(beta: i16) -> Batch {
    let parent = Position::initial();
    Batch {
        parent,
        children: legal_moves(&parent),
        depth: 2,
        beta,
        step: 0,
        node_limit: 100_000,
        pruning: false,
        gang: false,
    }
}

fn golden(batch: &Batch) -> Vec<Outcome> {
    let evaluator = Evaluator::new(Weights::standard());
    let run = |&first: &_| {
        let task = leaf::Task::Search {
            depth: batch.depth,
            beta: batch.beta,
        };
        let mut job = leaf::Job::new(batch.parent, task);
        (job.first, job.node_limit) = (first, batch.node_limit);
        leaf::run(&job, &evaluator)
    };
    batch.children.iter().map(run).collect()
}

/// Runs batches on a faulty board for a while: every answer comes in time and is right; every result that is used was
/// verified. Gives the jobs done by the board, by the workers, and the warnings.
fn drill(name: &str, faults: Faults, rounds: i16, pause: Duration) -> (u64, u64, Vec<String>) {
    let board = FaultyBoard::start(&path(name), faults, 1997).expect("a pseudo-terminal");
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let audited = Arc::new(AtomicU64::new(0));
    let (lines, count) = (Arc::clone(&warnings), Arc::clone(&audited));
    let evaluator = Evaluator::new(Weights::standard());
    let settings = Settings {
        model: false,
        report: Arc::new(move |line| lines.lock().unwrap().push(line.to_owned())),
        audit: Some(Arc::new(move |job, outcome| {
            count.fetch_add(1, Ordering::Relaxed);
            assert_eq!(leaf::run(job, &evaluator), *outcome, "a corrupt result is used");
        })),
        ..Settings::default()
    };
    let done = runtime().block_on(async {
        let link = Serial::new(&board.path().to_string_lossy(), DEFAULT_BAUD);
        let pool = Pool::start(vec![Box::new(link)], settings).expect("threads");
        pool.settled(3_000).await;
        for round in 0..rounds {
            let batches: Vec<Batch> = (0..4).map(|index| batch(round % 20 - 10 + 20 * index)).collect();
            let answers: Vec<_> = batches.iter().map(|batch| pool.submit(batch.clone())).collect();
            for (batch, answers) in batches.iter().zip(answers) {
                let outcomes = tokio::time::timeout(HANGING, futures_util::future::join_all(answers)).await;
                let outcomes = outcomes.expect("no job hangs");
                assert_eq!(
                    outcomes.into_iter().map(Option::unwrap).collect::<Vec<_>>(),
                    golden(batch)
                );
            }
            // A board that is away for a moment shall have its chance.
            tokio::time::sleep(pause).await;
        }
        pool.jobs_done()
    });
    println!("{name}: {done:?} jobs by board and workers, {:?}", board.happened());
    assert_eq!(done.0, audited.load(Ordering::Relaxed));
    let warnings = warnings.lock().unwrap().clone();
    (done.0, done.1, warnings)
}

#[test]
fn a_sound_board_does_all_the_work() {
    let (board, workers, warnings) = drill("sound", Faults::default(), 30, Duration::ZERO);
    assert_eq!((board, workers), (2_400, 0));
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn noise_costs_time_and_nothing_else() {
    let faults = Faults {
        flip: 4_000,
        drop: 4_000,
        repeat: 4_000,
        ..Faults::default()
    };
    let (board, workers, warnings) = drill("noise", faults, 60, Duration::ZERO);
    assert!(board > 1_000, "{board} by the board, {workers} by the workers");
    assert!((1..=5).contains(&warnings.len()), "{warnings:?}");
}

#[test]
fn whole_pieces_may_go_or_come_twice_or_late() {
    let faults = Faults {
        drop_piece: 60,
        repeat_piece: 30,
        delay: 60,
        ..Faults::default()
    };
    let (board, workers, warnings) = drill("pieces", faults, 40, Duration::ZERO);
    assert!(board > 1_000, "{board} by the board, {workers} by the workers");
    assert!(warnings.len() <= 5, "{warnings:?}");
}

#[test]
fn a_board_may_be_unplugged_and_plugged_in_again() {
    let faults = Faults {
        unplug: 200,
        mute: 200,
        ..Faults::default()
    };
    let (board, workers, warnings) = drill("outages", faults, 80, Duration::from_millis(60));
    assert!(
        board > 100 && workers > 0,
        "{board} by the board, {workers} by the workers"
    );
    assert!((1..=5).contains(&warnings.len()), "{warnings:?}");
}
