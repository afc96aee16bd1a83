use std::collections::BTreeSet;

use bluebelle_sim::ModelConfig;
use bluebelle_spec::Fen;
use bluebelle_spec::leaf::{self, Job, Task as LeafTask};

use super::*;
use crate::board::Board;
use crate::link::{Link, Timed};
use crate::report::Silent;
use crate::score::{DRAW, INFINITE, LEAST_MATE, MATE, mated_at};

/// The positions of a file, whose lines begin with a FEN.
fn positions() -> Vec<Fen> {
    let files = [
        include_str!("../../../tests/data/sharp.epd"),
        include_str!("../command/bench.epd"),
    ];
    let lines = files.into_iter().flat_map(str::lines);
    let read = lines.filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        format!("{} 0 1", fields.join(" ")).parse().ok()
    });
    let mut fens: Vec<Fen> = read.collect();
    // And some of what they lead to.
    for index in 0..fens.len() {
        let moves = leaf::legal_moves(&fens[index].position);
        if let Some(&mv) = moves.get(moves.len() / 2) {
            fens.push(Fen {
                position: fens[index].position.after(mv),
                ..fens[index]
            });
        }
    }
    let mut seen = BTreeSet::new();
    fens.retain(|fen| seen.insert(fen.position.to_string()));
    fens
}

/// What an upper tree without pruning is worth by definition, written plainly: alpha-beta, one move after the other.
struct Reference {
    evaluator: Evaluator,
    golden: bluebelle_spec::Evaluator,
    leaf_depth: i32,
    iteration: usize,
}

impl Reference {
    fn value(&self, board: &Board, mut alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        if ply > 0 && (board.is_insufficient() || board.halfmoves() >= 100) {
            return DRAW;
        }
        if ply > 0 && depth <= self.leaf_depth {
            return self.leaf(board, alpha, beta, depth, ply);
        }
        let moves = board.legal_moves();
        if moves.is_empty() {
            return if board.in_check() { mated_at(ply) } else { DRAW };
        }
        let mut best = -INFINITE;
        for scored in moves.iter() {
            let child = board.after(scored.mv, &self.evaluator);
            let extend = child.in_check() && ply < 2 * self.iteration && board.see_at_least(scored.mv, 0);
            let below = depth - 1 + i32::from(extend);
            best = best.max(-self.value(&child, -beta, -alpha, below, ply + 1));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// By null windows, one after the other.
    fn leaf(&self, board: &Board, alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        let position = board.position().expect("a legal position");
        let ply = ply as i32;
        let to_job = |score: i32| match score {
            LEAST_MATE.. => (score + ply).min(30_000) as i16,
            score if score <= -LEAST_MATE => (score - ply).max(-30_000) as i16,
            score => score as i16,
        };
        let resolved = leaf::resolve(to_job(alpha), to_job(beta), 0, 1, |questions| {
            let run = |&beta: &i16| {
                let task = LeafTask::Search {
                    depth: depth.max(0) as u8,
                    beta,
                };
                leaf::run(&Job::new(position, task), &self.golden)
            };
            Some(questions.iter().map(run).collect())
        });
        match i32::from(resolved.expect("no limit").score) {
            score @ LEAST_MATE.. => score - ply,
            score if score <= -LEAST_MATE => score + ply,
            score => score,
        }
    }
}

fn exact(leaf_depth: u8) -> Style {
    Style {
        leaf_depth,
        selective: false,
        concurrent: true,
        node_limit: 0,
        host_alone: false,
    }
}

/// A search to a depth on a pool of these links.
fn search_on(links: Vec<Box<dyn Link>>, threads: usize, style: Style, fen: &Fen, depth: u32) -> Outcome {
    let mut builder = Builder::new_current_thread();
    let runtime = builder.enable_all().start_paused(threads == 0).build().unwrap();
    runtime.block_on(async {
        let settings = pool::Settings {
            threads,
            model: links.is_empty(),
            ..pool::Settings::default()
        };
        let pool = Pool::start(links, settings).unwrap();
        pool.settled(1_000).await;
        let mut memory = Memory::new(4);
        let game = Game::new(fen, &memory.evaluator);
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let task = Task {
            game: &game,
            limits: &limits,
            settings: &Settings::default(),
            style,
        };
        search(&pool, &mut memory, task, &TokioTime::start(), &Silent).await
    })
}

fn timed() -> Box<dyn Link> {
    Box::new(Timed::new("timed", ModelConfig::default(), 300_000.0))
}

#[test]
fn scores_are_those_of_the_definition() {
    let positions = positions();
    assert!(positions.len() >= 100, "{} positions", positions.len());
    for (index, fen) in positions.iter().take(100).enumerate() {
        let (leaf_depth, depth) = match index % 4 {
            0 => (1, 4),
            1 => (2, 4),
            2 => (2, 5),
            _ => (3, 5),
        };
        let reference = Reference {
            evaluator: Evaluator::new(Weights::standard()),
            golden: bluebelle_spec::Evaluator::new(Weights::standard()),
            leaf_depth: i32::from(leaf_depth),
            iteration: depth as usize,
        };
        let board = Board::new(fen, &reference.evaluator);
        let expected = reference.value(&board, -INFINITE, INFINITE, depth as i32, 0);
        let outcome = search_on(Vec::new(), 0, exact(leaf_depth), fen, depth);
        if board.legal_moves().is_empty() {
            assert!(outcome.lines.is_empty());
            continue;
        }
        assert_eq!(
            outcome.score(),
            expected,
            "{fen:?} with leaves of {leaf_depth} at depth {depth}"
        );
        assert!(board.is_legal(outcome.best()));
    }
}

#[test]
fn a_board_finds_what_the_model_finds_and_always_in_the_same_way() {
    for (index, fen) in positions().iter().step_by(11).enumerate() {
        let style = exact(2);
        let model = search_on(Vec::new(), 0, style, fen, 4);
        let board = search_on(vec![timed()], 0, style, fen, 4);
        assert_eq!(board.score(), model.score(), "{fen:?}");
        // With pruning, what is found depends on what comes when; that is the same every time.
        if index % 3 == 0 {
            let play = || search_on(vec![timed(), timed()], 0, Style::default(), fen, 6);
            let (first, second) = (play(), play());
            assert_eq!((first.nodes, &first.lines), (second.nodes, &second.lines), "{fen:?}");
        }
    }
}

#[test]
fn mates_are_found_and_counted_from_the_root() {
    for (fen, depth, score) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 2, MATE - 1),
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 5, MATE - 3),
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", 3, 0),
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 4, MATE - 1),
    ] {
        for style in [exact(1), exact(3), Style::default()] {
            let fen: Fen = fen.parse().unwrap();
            // Pruning sees a mate some plies later.
            let depth = if style.selective { depth + 3 } else { depth };
            let outcome = search_on(vec![timed()], 0, style, &fen, depth);
            if !outcome.lines.is_empty() {
                assert_eq!(outcome.score(), score, "{fen:?} {style:?}");
            }
        }
    }
}

#[test]
fn leaves_that_are_too_large_are_searched_by_smaller_ones() {
    let fen: Fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
        .parse()
        .unwrap();
    let style = Style {
        node_limit: 100,
        ..exact(2)
    };
    let outcome = search_on(Vec::new(), 0, style, &fen, 3);
    assert_eq!(outcome.lines.len(), 1);
    assert!(outcome.best() != bluebelle_spec::Move::NONE);
}

#[test]
fn nodes_and_lines_are_limited() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let pool = Pool::start(Vec::new(), pool::Settings::default()).unwrap();
        let mut memory = Memory::new(4);
        let game = Game::initial(&memory.evaluator);
        let limits = Limits {
            nodes: Some(200_000),
            ..Limits::default()
        };
        let settings = Settings {
            multipv: 3,
            ..Settings::default()
        };
        let task = Task {
            game: &game,
            limits: &limits,
            settings: &settings,
            style: Style::default(),
        };
        let outcome = search(&pool, &mut memory, task, &TokioTime::start(), &Silent).await;
        assert!((200_000..1_200_000).contains(&outcome.nodes), "{}", outcome.nodes);
        let first: BTreeSet<u16> = outcome.lines.iter().map(|line| line.moves[0].bits()).collect();
        assert_eq!(first.len(), 3);
    });
}

/// A clock that is looked at so many times before it says stop.
struct Patience(std::cell::Cell<u32>);

impl Timekeeper for Patience {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn is_stopped(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }

    fn is_pondering(&self) -> bool {
        false
    }
}

/// Leaves on the host wait for nobody: they must look at the clock, and count nodes, themselves.
#[test]
fn leaves_on_the_host_can_be_stopped() {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    let style = Style {
        host_alone: true,
        ..Style::default()
    };
    for (nodes, patience) in [(None, 20), (Some(30_000), u32::MAX)] {
        let outcome = runtime.block_on(async {
            let pool = Pool::start(vec![timed()], pool::Settings::default()).unwrap();
            pool.settled(1_000).await;
            let mut memory = Memory::new(4);
            let game = Game::new(&positions()[0], &memory.evaluator);
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let task = Task {
                game: &game,
                limits: &limits,
                settings: &Settings::default(),
                style,
            };
            search(&pool, &mut memory, task, &Patience(patience.into()), &Silent).await
        });
        assert!(!outcome.lines.is_empty());
        // Not much beyond the limit, or 20 looks.
        assert!((20_000..150_000).contains(&outcome.nodes), "{}", outcome.nodes);
    }
}

/// Near a mate all lines end in what is known, so that whole iterations wait for no leaf: they must wait for the clock nevertheless.
#[test]
fn trees_without_leaves_can_be_stopped() {
    let fen: Fen = "2r3k1/4R3/p4Qp1/2P4p/8/P7/5P1P/6K1 b - - 0 39".parse().unwrap();
    let mut builder = Builder::new_current_thread();
    let runtime = builder.enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let settings = pool::Settings {
            threads: 0,
            ..pool::Settings::default()
        };
        let pool = Pool::start(Vec::new(), settings).unwrap();
        let mut memory = Memory::new(4);
        let game = Game::new(&fen, &memory.evaluator);
        let limits = Limits {
            depth: Some(100),
            ..Limits::default()
        };
        let task = Task {
            game: &game,
            limits: &limits,
            settings: &Settings::default(),
            style: Style {
                leaf_depth: 2,
                ..Style::default()
            },
        };
        let work = memory.work();
        let time = TokioTime::start();
        let mut running = Box::pin(search(&pool, &mut memory, task, &time, &Silent));
        let (mut polls, mut most) = (0, 0);
        std::future::poll_fn(|context| {
            let before = work.read().nodes;
            let polled = running.as_mut().poll(context);
            polls += 1;
            most = most.max(work.read().nodes - before);
            polled
        })
        .await;
        assert!(polls > 100 && most < 2_000, "{most} nodes in one of {polls} polls");
    });
}

/// By how much the table's move is extended in a position of depth 8, or what refutes, if the table has so much for it.
fn extension(fen: &str, table_move: &str, score: i32, beta: i32) -> Result<i32, i32> {
    let fen: Fen = fen.parse().unwrap();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let settings = pool::Settings {
            threads: 1,
            model: true,
            ..pool::Settings::default()
        };
        let pool = Pool::start(Vec::new(), settings).unwrap();
        let mut memory = Memory::new(1);
        let board = Board::new(&fen, &memory.evaluator);
        let tree = Tree::new(
            &pool,
            &memory.table,
            &memory.evaluator,
            &mut memory.history,
            &mut memory.pawn_table,
            &[],
            Style::default(),
            None,
            &memory.work,
        );
        tree.iteration.set(8);
        let visit = visit::Visit::root(&board, (beta - 1, beta), 8, false, true);
        let best = leaf::legal_moves(&fen.position)
            .into_iter()
            .find(|mv| mv.to_string() == table_move);
        let entry = crate::table::Entry {
            best: best.expect("a legal move"),
            score,
            evaluation: 0,
            depth: 7,
            bound: crate::table::Bound::Lower,
            principal: false,
        };
        let found = tree.extension(&visit, Some(entry), 0).await;
        let stored = memory.table.probe(board.hash(), 0);
        assert!(stored.is_none(), "what is worth less without a move was remembered");
        found
    })
}

#[test]
fn only_moves_are_extended() {
    // A queen to be taken, and mate if it is not.
    let only = "4k3/pp3ppp/8/8/8/8/PP3PPP/3q1RK1 w - - 0 1";
    assert_eq!(extension(only, "f1d1", 500, 100), Ok(2));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(extension(start, "e2e4", 0, 100), Ok(0), "others are as good");
    assert_eq!(extension(start, "e2e4", 0, -10), Ok(-1), "and perhaps refute too");
    assert_eq!(extension(start, "e2e4", 0, -50), Err(-16), "and do");
}
