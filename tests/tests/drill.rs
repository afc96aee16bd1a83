//! The fault drill: short searches of a game on a board that everything happens to, and searches on the simulated chip.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bluebelle::accelerated::Accelerated;
use bluebelle::backend::Backend;
use bluebelle::evaluation::Evaluator;
use bluebelle::game::Game;
use bluebelle::limits::{Control, Limits};
use bluebelle::link::{DEFAULT_BAUD, Serial, Source};
use bluebelle::pool::{Audit, Settings, Timing};
use bluebelle::projection::Asking;
use bluebelle::report::{Line, Listener, Outcome};
use bluebelle_spec::leaf;
use bluebelle_spec::{Fen, Weights};
use bluebelle_tests::faulty_board::{Faults, FaultyBoard};

/// How long each search may think, and how much longer it may take on a machine that is busy with other tests.
const MOVE_TIME: Duration = Duration::from_millis(120);
const PATIENCE: Duration = Duration::from_secs(3);

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

/// Hears what an engine has to say of its boards.
#[derive(Default)]
struct Messages(Mutex<Vec<String>>);

impl Listener for Messages {
    fn line(&self, _line: &Line) {}

    fn message(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

/// The least of searches on each board, and of results used from it. A busy machine gets few results in a search, so it plays on,
/// up to so many searches.
const SEARCHES: usize = 10;
const RESULTS: u64 = 200;
const MOST_SEARCHES: usize = 500;

/// Plays moves of a game against itself, each by a short search on the faulty board; goes on with a new game when one is over.
fn play(name: &str, seed: u64, faults: Faults) {
    let began = Instant::now();
    let board = FaultyBoard::start(&link_path(name), faults, seed).expect("a pseudo-terminal");
    let (audit, used) = auditor();
    let settings = Settings {
        model: false,
        audit: Some(audit),
        ..Settings::default()
    };
    let link = Serial::new(&board.path().to_string_lossy(), DEFAULT_BAUD);
    let asking = Asking {
        from: Some(2),
        // A host that waits for its board uses more of its results.
        races: name == "again",
    };
    let opened = Accelerated::with_links(name, vec![Box::new(link)], settings, 8);
    let mut engine = opened.expect("threads").asking(asking);
    let messages = Messages::default();
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
        let began = Instant::now();
        let (settings, control) = (bluebelle::search::Settings::default(), Control::new(false));
        let outcome = engine.search(&game, &limits, &settings, &control, &messages);
        let took = began.elapsed();
        assert!(took < MOVE_TIME + PATIENCE, "search {number} took {took:?}");
        assert!(game.board().is_legal(outcome.best()), "{} is not legal", outcome.best());
        game.play(outcome.best(), &evaluator);
    }
    let warnings = messages.0;
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

/// A search on the simulated chip, and the jobs that the chip and the workers did for it.
fn search_on_the_chip(fen: &str, depth: u32) -> (Outcome, (u64, u64)) {
    // On a machine with much else to do, the simulation is slow to answer.
    let timing = Timing {
        silence: Duration::from_secs(60),
        ..Timing::default()
    };
    let settings = Settings {
        model: false,
        audit: Some(auditor().0),
        timing,
        ..Settings::default()
    };
    let chip = Source::Verilated(String::new()).link().expect("a line");
    let asking = Asking {
        from: Some(2),
        races: false,
    };
    let opened = Accelerated::with_links("verilated", vec![chip], settings, 8);
    let mut engine = opened.expect("threads").asking(asking);
    let pool = engine.pool().expect("a pool");
    // The first build of the chip takes minutes.
    let began = Instant::now();
    while !pool.has_boards() && began.elapsed() < Duration::from_secs(900) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let fen: Fen = fen.parse().expect("a FEN");
    let game = Game::new(&fen, &Evaluator::new(Weights::standard()));
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let (settings, control) = (bluebelle::search::Settings::default(), Control::new(false));
    let outcome = engine.search(&game, &limits, &settings, &control, &Messages::default());
    let jobs = engine.pool().map_or((0, 0), |pool| pool.jobs_done());
    (outcome, jobs)
}

/// The audit holds every answer of the chip against the golden search.
#[test]
fn searches_on_the_simulated_chip_use_what_the_golden_search_finds() {
    for (fen, best) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            None,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", None),
        (
            "5rk1/p1p2r1p/2pp2p1/4p3/PPPnP3/3Pq1P1/1Q1R1R1P/4NK2 b - - 0 1",
            Some("d4b3"),
        ),
    ] {
        let (outcome, (by_chip, by_workers)) = search_on_the_chip(fen, 8);
        assert_eq!(outcome.lines[0].depth, 8, "{fen}");
        assert!(
            best.is_none_or(|best| outcome.best().to_string() == best),
            "{fen}: {outcome:?}"
        );
        assert!(
            by_chip > 20 && by_workers == 0,
            "{by_chip} jobs by the chip, {by_workers} by the workers"
        );
    }
}
