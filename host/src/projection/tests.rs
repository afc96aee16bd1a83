use bluebelle_sim::ModelConfig;
use bluebelle_spec::Fen;

use super::*;
use crate::limits::Control;
use crate::link::LineModel;
use crate::search::Software;

const NODE: Duration = Duration::from_nanos(400);

/// A board on a fast line that is asked about nodes of `from` plies and more.
fn setup(cores: usize, from: i32) -> Setup {
    let chip = ModelConfig::default();
    Setup {
        boards: 1,
        board: BoardModel {
            cores,
            threads: chip.threads,
            stages: chip.stages,
            gangs: true,
            queue: chip.queue,
            mhz: 80.0,
        },
        line: LineModel {
            bytes_per_second: 1e7,
            latency: Duration::from_micros(50),
            jitter: Duration::from_micros(5),
            seed: 1,
        },
        host: HostCost::Fixed {
            node: NODE,
            job: Duration::from_nanos(2_000),
            carried: Duration::from_nanos(1_000),
        },
        asking: Asking {
            from: Some(from),
            races: true,
        },
        hash: 4,
        ..Setup::software(HostCost::Measured)
    }
}

fn game() -> Game {
    let fen: Fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
        .parse()
        .unwrap();
    Game::new(&fen, &Evaluator::new(Weights::standard()))
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn projected(setup: Setup, depth: u32) -> Projected {
    Projection::new(setup).search(&game(), &to_depth(depth)).unwrap()
}

#[test]
fn the_same_costs_take_the_same_course() {
    for setup in [
        setup(4, 3),
        Setup {
            threads: 3,
            ..setup(2, 4)
        },
    ] {
        let (first, second) = (projected(setup, 7), projected(setup, 7));
        assert_eq!(first.outcome, second.outcome);
        assert_eq!((first.iterations, first.metered), (second.iterations, second.metered));
        assert_eq!((first.work, first.host_time), (second.work, second.host_time));
        assert!(first.warnings.is_empty(), "{:?}", first.warnings);
    }
}

#[test]
fn what_is_busy_adds_up() {
    for boards in [1, 2] {
        let setup = Setup { boards, ..setup(2, 3) };
        let projected = projected(setup, 7);
        assert!(projected.metered.jobs > 0 && projected.results > 0);
        assert_eq!(projected.iterations.len(), 7);
        assert!(projected.iterations.is_sorted_by_key(|iteration| iteration.time));
        let (out, back) = projected.link_busy(&setup);
        let busy = [projected.hardware_busy(&setup), projected.host_busy(), out, back];
        for share in busy {
            assert!((0.0..=1.0).contains(&share), "{share}");
        }
        // A result is 16 bytes and its frame 10 more, at most one frame each.
        assert!(
            projected.metered.bytes_in >= 16 * projected.results,
            "{:?}",
            projected.metered
        );
        let HostCost::Fixed { node, job, carried } = setup.host else {
            panic!()
        };
        let work = projected.work;
        let spent = node * work.nodes as u32 + job * work.jobs as u32 + carried * work.carried as u32;
        assert_eq!(projected.host_time, spent);
        // A job and its result, or a job and that it was aborted.
        assert!(work.carried >= 2 * projected.results);
        // What a board finds too late is in no count of the search.
        let boards_nodes = projected.outcome.nodes - work.nodes;
        assert!((1..=projected.result_nodes).contains(&boards_nodes), "{boards_nodes}");
    }
}

#[test]
fn a_board_without_questions_is_idle_and_the_search_is_that_of_the_software() {
    let setup = setup(4, 60);
    let projected = projected(setup, 8);
    assert_eq!(projected.metered.jobs, 0);
    assert_eq!(projected.hardware_busy(&setup), 0.0);
    let alone = Software::new(4).search(
        &game(),
        &to_depth(8),
        &Settings::default(),
        &Control::new(false),
        &Silent,
    );
    assert_eq!(projected.outcome.nodes, alone.nodes);
    assert_eq!(projected.outcome.lines[0].moves, alone.lines[0].moves);
    assert_eq!(projected.outcome.time, NODE * alone.nodes as u32);
}

#[test]
fn no_search_waits_for_a_slow_board() {
    // A line of a second each way: all is searched here, and in no more time than a few questions take the host.
    let slow = Setup {
        line: LineModel {
            latency: Duration::from_secs(1),
            ..setup(4, 5).line
        },
        ..setup(4, 5)
    };
    let projected = projected(slow, 8);
    assert_eq!(projected.results, 0);
    assert!(
        projected.outcome.time < Duration::from_secs(1),
        "{:?}",
        projected.outcome.time
    );
    assert!(projected.host_busy() > 0.9, "{}", projected.host_busy());
}

#[test]
fn a_search_ends_in_time() {
    let limits = Limits {
        movetime: Some(Duration::from_millis(5)),
        ..Limits::default()
    };
    for setup in [
        setup(4, 4),
        Setup {
            threads: 2,
            ..setup(4, 4)
        },
    ] {
        let projected = Projection::new(setup).search(&game(), &limits).unwrap();
        let time = projected.outcome.time.as_micros();
        assert!((5_000..5_200).contains(&time), "{time} µs");
        assert!(!projected.outcome.lines.is_empty());
    }
}

#[test]
fn what_was_learnt_is_kept_until_a_new_game() {
    let mut projection = Projection::new(setup(2, 4));
    let mut nodes = || {
        let projected = projection.search(&game(), &to_depth(7)).unwrap();
        (projected.work.nodes, projected.outcome.best())
    };
    let (first, second) = (nodes(), nodes());
    assert!(second.0 < first.0 / 2, "{second:?} after {first:?}");
    projection.clear();
    let again = projection.search(&game(), &to_depth(7)).unwrap();
    assert_eq!((again.work.nodes, again.outcome.best()), first);
}

/// Helpers search as many nodes in the same time, and the first thread profits.
#[test]
fn threads_have_time_of_their_own() {
    let limits = Limits {
        movetime: Some(Duration::from_millis(20)),
        ..Limits::default()
    };
    let of = |threads| {
        let setup = Setup {
            threads,
            ..Setup::software(setup(1, 1).host)
        };
        Projection::new(setup).search(&game(), &limits).unwrap().outcome
    };
    let (one, three) = (of(1), of(3));
    let ratio = three.nodes as f64 / one.nodes as f64;
    assert!((2.9..3.1).contains(&ratio), "{ratio}");
    assert!(three.lines[0].depth >= one.lines[0].depth);
}
