use bluebelle_sim::ModelConfig;
use bluebelle_spec::Fen;

use super::*;
use crate::accelerated::Style;
use crate::evaluation::Evaluator;
use crate::link::LineModel;

fn setup(cores: usize, leaf_depth: u8) -> Setup {
    let chip = ModelConfig::default();
    Setup {
        boards: 1,
        board: BoardModel {
            cores,
            threads: chip.threads,
            stages: chip.stages,
            gangs: chip.gangs,
            queue: chip.queue,
            mhz: 80.0,
        },
        line: LineModel {
            bytes_per_second: 300_000.0,
            latency: Duration::from_micros(50),
            jitter: Duration::from_micros(5),
            seed: 1,
        },
        host: HostCost::Fixed {
            node: Duration::from_nanos(2_000),
            leaf: Duration::from_nanos(400),
            leaf_node: Duration::from_nanos(200),
            job: Duration::from_nanos(2_000),
            carried: Duration::from_nanos(1_000),
            software_node: Duration::from_nanos(400),
        },
        style: Style {
            leaf_depth,
            ..Style::default()
        },
        led: false,
        hash: 4,
    }
}

fn game() -> Game {
    let fen: Fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
        .parse()
        .unwrap();
    Game::new(&fen, &Evaluator::new(bluebelle_spec::Weights::standard()))
}

fn projected(setup: &Setup, depth: u32) -> Projected {
    let game = game();
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    project(setup, &game, &limits, &LeafCache::default()).unwrap()
}

#[test]
fn the_same_costs_take_the_same_course() {
    let (first, second) = (projected(&setup(4, 3), 6), projected(&setup(4, 3), 6));
    assert_eq!(first.outcome, second.outcome);
    assert_eq!((first.iterations, first.metered), (second.iterations, second.metered));
    assert_eq!((first.work, first.host_time), (second.work, second.host_time));
    assert!(first.warnings.is_empty(), "{:?}", first.warnings);
}

#[test]
fn what_is_busy_adds_up() {
    adds_up(&setup(2, 3));
}

#[test]
fn what_is_busy_adds_up_for_two_boards_on_one_thread() {
    adds_up(&Setup {
        boards: 2,
        ..setup(2, 3)
    });
}

fn adds_up(setup: &Setup) {
    let projected = projected(setup, 6);
    assert!(projected.metered.jobs > 0 && projected.results > 0);
    assert_eq!(projected.iterations.len(), 6);
    assert!(projected.iterations.is_sorted_by_key(|iteration| iteration.time));
    let (out, back) = projected.link_busy(setup);
    let busy = [
        projected.hardware_busy(setup),
        projected.host_busy(),
        projected.lines_busy(),
    ];
    for share in busy.into_iter().chain([out, back]) {
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
    // A result is 16 bytes and its frame 10 more, at most one frame each.
    let least = 16 * projected.results;
    assert!(projected.metered.bytes_in >= least, "{:?}", projected.metered);
    let HostCost::Fixed {
        node,
        leaf,
        leaf_node,
        job,
        carried,
        ..
    } = setup.host
    else {
        panic!()
    };
    let work = projected.work;
    let leaves = leaf * work.leaves as u32 + leaf_node * work.leaf_nodes as u32;
    assert_eq!(
        projected.host_time,
        node * work.nodes as u32 + leaves + job * work.jobs as u32
    );
    // A job and its result, or a job and that it was aborted.
    assert!(projected.carried >= 2 * projected.results);
    assert_eq!(projected.carriage, carried * projected.carried as u32);
}

#[test]
fn a_board_without_jobs_is_idle() {
    // The host searches leaves of one ply itself.
    let setup = setup(4, 1);
    let projected = projected(&setup, 1);
    assert_eq!(projected.metered.jobs, 0);
    assert_eq!(projected.hardware_busy(&setup), 0.0);
    assert_eq!(projected.outcome.lines.len(), 1);
    assert!(projected.host_busy() > 0.0);
}

#[test]
fn time_is_that_of_the_slowest_part() {
    let slow_line = Setup {
        line: LineModel::of_rate(2_000.0),
        ..setup(4, 3)
    };
    let slow_host = Setup {
        host: HostCost::Fixed {
            node: Duration::from_millis(20),
            leaf: Duration::ZERO,
            leaf_node: Duration::ZERO,
            job: Duration::ZERO,
            carried: Duration::ZERO,
            software_node: Duration::ZERO,
        },
        ..setup(4, 3)
    };
    // One thread, which needs no others to be busy.
    let mut slow_chip = setup(1, 3);
    slow_chip.board = BoardModel {
        threads: 1,
        stages: 1,
        mhz: 0.05,
        ..slow_chip.board
    };
    let mut limits = Vec::new();
    for setup in [slow_line, slow_host, slow_chip] {
        let projected = projected(&setup, 5);
        let (out, back) = projected.link_busy(&setup);
        limits.push(crate::compare::limit(
            projected.hardware_busy(&setup),
            out.max(back),
            projected.host_busy(),
        ));
    }
    assert_eq!(limits, ["link", "host", "chip"]);
}

#[test]
fn only_leaves_that_are_worth_it_are_jobs() {
    let with_line = |bytes_per_second| Setup {
        line: LineModel::of_rate(bytes_per_second),
        ..setup(4, 0)
    };
    let nodes_a_job = |projected: &Projected| share(projected.result_nodes as f64, projected.results as f64);
    // At depth 11 there are some leaves for every line but the slowest.
    let fast = projected(&with_line(1e8), 11);
    let slow = projected(&with_line(300_000.0), 11);
    let slowest = projected(&with_line(1_000.0), 11);
    assert!(fast.results > 10 * slow.results && slow.results > 0);
    assert!(
        nodes_a_job(&fast) >= 16.0 && nodes_a_job(&slow) >= 647.0,
        "{} {}",
        nodes_a_job(&fast),
        nodes_a_job(&slow)
    );
    assert_eq!(slowest.metered.jobs, 0);
    assert!(slowest.work.leaf_nodes > slow.work.leaf_nodes);
}

fn led() -> Setup {
    Setup {
        led: true,
        line: LineModel::of_rate(1e8),
        ..setup(4, 0)
    }
}

#[test]
fn a_led_search_takes_the_same_course_and_finds_the_leaders_move() {
    let (first, second) = (projected(&led(), 8), projected(&led(), 8));
    assert_eq!(first.outcome, second.outcome);
    assert_eq!((&first.iterations, first.metered), (&second.iterations, second.metered));
    assert!(first.warnings.is_empty(), "{:?}", first.warnings);
    assert!(
        first.metered.jobs > 0 && first.work.nodes > 0,
        "the scout has found nothing to do"
    );
    assert!((0.0..=1.0).contains(&first.host_busy()), "{}", first.host_busy());
    let depths: Vec<i32> = first.iterations.iter().map(|iteration| iteration.depth).collect();
    assert_eq!(depths, (1..=8).collect::<Vec<_>>());
    assert_eq!(first.outcome.best(), first.iterations[7].best);
}

/// A host whose other thread never gets anywhere: all that is left is the software search.
#[test]
fn a_leader_without_a_scout_is_the_software_search() {
    let HostCost::Fixed { software_node, .. } = led().host else {
        panic!()
    };
    let stuck = Setup {
        host: HostCost::Fixed {
            node: Duration::from_secs(1_000),
            leaf: Duration::from_secs(1_000),
            leaf_node: Duration::ZERO,
            job: Duration::ZERO,
            carried: Duration::ZERO,
            software_node,
        },
        hash: 16,
        ..led()
    };
    let mut software = crate::search::Software::new(16);
    let game = game();
    let limits = Limits {
        depth: Some(7),
        ..Limits::default()
    };
    let control = crate::limits::Control::new(false);
    let alone = software.search(&game, &limits, &Settings::default(), &control, &Diary::default());
    let led = projected(&stuck, 7);
    assert_eq!((led.outcome.best(), led.outcome.score()), (alone.best(), alone.score()));
    // The scout has searched a little before it first had to rest.
    let few = alone.nodes / 50;
    let all = alone.nodes - few..alone.nodes + few;
    assert!(
        all.contains(&led.outcome.nodes),
        "{} of {}",
        led.outcome.nodes,
        alone.nodes
    );
    let nodes = led.outcome.time.as_nanos() / software_node.as_nanos();
    assert!(
        all.contains(&(nodes as u64)),
        "time for {nodes} nodes of {}",
        alone.nodes
    );
}

#[test]
fn a_led_search_ends_in_time() {
    let game = game();
    let limits = Limits {
        movetime: Some(Duration::from_millis(5)),
        ..Limits::default()
    };
    let projected = project(&led(), &game, &limits, &LeafCache::default()).unwrap();
    let time = projected.outcome.time.as_micros();
    assert!((5_000..5_200).contains(&time), "{time} µs");
    assert!(!projected.outcome.lines.is_empty());
}
