//! The fault drill: short searches of a game on a board that everything happens to, and searches on the simulated chip.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bluebelle::accelerated::{Memory, Style, Task, TokioTime, search};
use bluebelle::evaluation::Evaluator;
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::link::{DEFAULT_BAUD, Link, Serial, Source};
use bluebelle::pool::{Audit, Pool, Settings};
use bluebelle::report::{Outcome, Silent};
use bluebelle_spec::leaf;
use bluebelle_spec::{Fen, Weights};
use bluebelle_tests::faulty_board::{Faults, FaultyBoard};

/// How long each search may think, and how much longer it may take on a machine that is busy with other tests.
const MOVE_TIME: Duration = Duration::from_millis(120);
const PATIENCE: Duration = Duration::from_secs(3);

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

fn link_path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("bluebelle-{name}-{}", std::process::id()))
}

/// Holds every result that is used against the golden search, and counts them.
fn auditor() -> (Audit, Arc<AtomicU64>) {
    let evaluator = bluebelle_spec::Evaluator::new(Weights::standard());
    let count = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&count);
    let audit: Audit = Arc::new(move |job, outcome| {
        assert_eq!(leaf::run(job, &evaluator), *outcome, "a corrupt result is used");
        counter.fetch_add(1, Ordering::Relaxed);
    });
    (audit, count)
}

/// The least of searches on each board, and of results used from it. A busy machine gets few results in a search, so it plays on,
/// up to so many searches.
const SEARCHES: usize = 10;
const RESULTS: u64 = 200;
const MOST_SEARCHES: usize = 100;

/// Plays moves of a game against itself, each by a short search on the faulty board; goes on with a new game when one is over.
fn play(name: &str, seed: u64, faults: Faults) {
    let began = Instant::now();
    let board = FaultyBoard::start(&link_path(name), faults, seed).expect("a pseudo-terminal");
    let (audit, used) = auditor();
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let lines = Arc::clone(&warnings);
    let settings = Settings {
        model: false,
        audit: Some(audit),
        report: Arc::new(move |line| lines.lock().unwrap().push(line.to_owned())),
        ..Settings::default()
    };
    runtime().block_on(async {
        let link = Serial::new(&board.path().to_string_lossy(), DEFAULT_BAUD);
        let pool = Pool::start(vec![Box::new(link)], settings).expect("threads");
        pool.settled(2_000).await;
        let mut memory = Memory::new(8);
        let evaluator = Evaluator::new(Weights::standard());
        let mut game = Game::initial(&evaluator);
        for number in 0..MOST_SEARCHES {
            if number >= SEARCHES && used.load(Ordering::Relaxed) >= RESULTS {
                break;
            }
            if game.ending().is_some() {
                game = Game::initial(&evaluator);
            }
            let limits = Limits {
                movetime: Some(MOVE_TIME),
                ..Limits::default()
            };
            let task = Task {
                game: &game,
                limits: &limits,
                settings: &bluebelle::search::Settings::default(),
                style: Style {
                    leaf_depth: 2 + (number % 3) as u8,
                    ..Style::default()
                },
            };
            let began = Instant::now();
            let outcome = search(&pool, &mut memory, task, &TokioTime::start(), &Silent).await;
            let took = began.elapsed();
            assert!(took < MOVE_TIME + PATIENCE, "search {number} took {took:?}");
            assert!(game.board().is_legal(outcome.best()), "{} is not legal", outcome.best());
            game.play(outcome.best(), &evaluator);
        }
    });
    println!("{name}: {:?}, {:?}", board.happened(), warnings.lock().unwrap());
    let used = used.load(Ordering::Relaxed);
    assert!(
        used >= RESULTS,
        "{name}: {used} results were used: it was hardly drilled"
    );
    // One line for a fault and then quiet for ten seconds.
    let warnings = warnings.lock().unwrap().len() as u64;
    assert!(
        warnings <= 3 + began.elapsed().as_secs() / 10,
        "{name}: {warnings} warnings"
    );
}

#[test]
fn fifty_searches_on_a_faulty_board_end_in_time_with_a_legal_move() {
    // Little of everything, then much of each.
    let mixed = Faults {
        flip: 6_000,
        drop: 6_000,
        repeat: 6_000,
        drop_piece: 200,
        repeat_piece: 100,
        delay: 100,
        mute: 300,
        unplug: 300,
    };
    let noise = Faults {
        flip: 700,
        drop: 700,
        repeat: 700,
        ..Faults::default()
    };
    let pieces = Faults {
        drop_piece: 20,
        repeat_piece: 10,
        delay: 20,
        ..Faults::default()
    };
    let outages = Faults {
        mute: 60,
        unplug: 40,
        ..Faults::default()
    };
    for (index, (name, faults)) in [
        ("mixed", mixed),
        ("noise", noise),
        ("pieces", pieces),
        ("outages", outages),
        ("again", mixed),
    ]
    .into_iter()
    .enumerate()
    {
        play(name, 1980 + index as u64, faults);
    }
}

fn search_to(links: Vec<Box<dyn Link>>, fen: &str, depth: u32) -> (Outcome, (u64, u64)) {
    runtime().block_on(async {
        let settings = Settings {
            threads: 1,
            model: links.is_empty(),
            audit: Some(auditor().0),
            ..Settings::default()
        };
        let pool = Pool::start(links, settings).expect("threads");
        // The first build of the chip takes minutes.
        pool.settled(900_000).await;
        let mut memory = Memory::new(8);
        let fen: Fen = fen.parse().expect("a FEN");
        let game = Game::new(&fen, &Evaluator::new(Weights::standard()));
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let task = Task {
            game: &game,
            limits: &limits,
            settings: &bluebelle::search::Settings::default(),
            style: Style {
                leaf_depth: 2,
                selective: false,
                ..Style::default()
            },
        };
        let outcome = search(&pool, &mut memory, task, &TokioTime::start(), &Silent).await;
        (outcome, pool.jobs_done())
    })
}

#[test]
fn the_virtual_board_finds_what_the_model_finds() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1",
    ] {
        let (model, _) = search_to(Vec::new(), fen, 4);
        let verilated = Source::Verilated(String::new()).link().expect("a line");
        let (chip, (by_chip, by_workers)) = search_to(vec![verilated], fen, 4);
        assert_eq!(chip.score(), model.score(), "{fen}");
        assert!(
            by_chip > 20 && by_workers == 0,
            "{by_chip} jobs by the chip, {by_workers} by the workers"
        );
    }
}
