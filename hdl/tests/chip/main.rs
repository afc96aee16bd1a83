//! The shell with stub cores, spoken to in frames: jobs, batches, aborts, resets, weights and back-pressure.

mod host;
mod refusals;
mod stub;

use bluebelle_hdl::config::Config;
use bluebelle_hdl::harness::{Simulator, synthesis_check};
use bluebelle_spec::leaf::{Ending, Job, MATE, Task, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{ErrorCode, ErrorReply, Kind, Reply, Request, WeightWords, weights_crc};
use bluebelle_spec::{Position, Weights};
use host::{Host, batch, config, error, expected, fen, kiwipete};

#[test]
fn identifies_itself_and_its_weights() {
    let config = config();
    let mut host = Host::new(&config);
    synthesis_check(&host.cosim.uut);
    let mut expected = config.identity();
    expected.weights_crc = 0x6d3d_5d9c;
    host.say(&Request::Identify);
    let Reply::Identity(identity) = host.hear() else {
        panic!()
    };
    expected.weights_crc = identity.weights_crc; // of zeros
    assert_eq!(identity, expected);

    let weights = Weights::standard();
    for words in WeightWords::all(weights) {
        host.say(&Request::LoadWeights(words));
    }
    host.say(&Request::Identify);
    expected.weights_crc = weights_crc(weights);
    assert_eq!(host.hear(), Reply::Identity(expected));
    let sum = (0..).zip(weights.to_words()).fold(0u16, |sum, (index, word)| {
        sum.wrapping_add(word as u16).wrapping_add(index)
    });
    assert_eq!(host.cosim.uut.cores[1].weights.q.val(), u64::from(sum));
}

#[test]
fn jobs_and_batches_go_through() {
    let mut host = Host::new(&config());
    host.pauses = Some(SplitMix64::new(1));
    let search = Task::Search { depth: 2, beta: -20 };
    let mut jobs = vec![
        (7, Job::new(Position::initial(), search)),
        (0, Job::new(kiwipete(), Task::Perft { depth: 6 })),
        (0xfffe, Job::new(fen("8/8/8/8/8/4k3/8/4K3 b - - 0 1"), search)),
        (
            8,
            Job {
                first: legal_moves(&kiwipete())[3],
                node_limit: 1 << 28,
                ..Job::new(kiwipete(), Task::Search { depth: 0, beta: MATE })
            },
        ),
        (
            9,
            Job {
                node_limit: 1,
                ..Job::new(
                    fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
                    search,
                )
            },
        ),
    ];
    for (id, job) in &jobs {
        host.say(&Request::Job { id: *id, job: *job });
    }
    let batches = [
        batch(kiwipete(), Task::Search { depth: 1, beta: 100 }, 0, 48),
        batch(
            kiwipete(),
            Task::Search {
                depth: 0,
                beta: -29_000,
            },
            600,
            20,
        ),
        batch(Position::initial(), Task::Perft { depth: 1 }, 0, 1),
    ];
    for (index, mut batch) in batches.into_iter().enumerate() {
        for child in &mut batch.children {
            child.id += 0x100 * index as u16;
        }
        jobs.extend(batch.jobs());
        host.say(&Request::Batch(batch));
    }
    let results = host.hear_results(jobs.len());
    let count = jobs.len() as u32;
    assert_eq!(results, expected(jobs));
    let status = host.status();
    assert_eq!(status.jobs_done, count);
    assert_eq!(status.frames_ok, 9);
    assert_eq!(status.dropped.total(), 0);
    assert_eq!((status.jobs_queued, status.credits), (0, 107));
    println!("{} cycles, {status:?}", host.cosim.cycles());
    assert!(status.slots_busy < status.slots_total && status.slots_total <= 2 * host.cosim.cycles());
}

#[test]
fn what_does_not_fit_is_refused_as_a_whole() {
    let mut host = Host::new(&Config { queue: 4, ..config() });
    let slow = Task::Search { depth: 12, beta: 0 };
    host.say(&Request::Batch(batch(Position::initial(), slow, 0, 5)));
    assert_eq!(host.hear(), error(ErrorCode::QueueFull, Kind::Batch, None));
    host.say(&Request::Batch(batch(Position::initial(), slow, 0, 4)));
    let mut jobs: Vec<(u16, Job)> = batch(Position::initial(), slow, 0, 4).jobs().collect();
    // Two go to the cores, so two more fit.
    while host.status().credits != 2 {}
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 3)));
    assert_eq!(host.hear(), error(ErrorCode::QueueFull, Kind::Batch, None));
    for id in 0..3 {
        let job = Job::new(kiwipete(), slow);
        host.say(&Request::Job { id, job });
        if id < 2 {
            jobs.push((id, job));
        }
    }
    assert_eq!(host.hear(), error(ErrorCode::QueueFull, Kind::Job, Some(2)));
    assert_eq!(host.hear_results(6), expected(jobs));
}

#[test]
fn aborts_end_jobs_wherever_they_are() {
    let mut host = Host::new(&config());
    let slow = Task::Search { depth: 12, beta: 0 };
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    while host.status().jobs_queued != 8 {}
    // One runs, two wait, one is not there.
    host.say(&Request::Abort(vec![0x101, 0x105, 0x333, 0x109]));
    let results = host.hear_results(10);
    for (index, result) in results.iter().enumerate() {
        assert_eq!(result.id, 0x100 + index as u16);
        let aborted = [1, 5, 9].contains(&index);
        assert_eq!(result.outcome.ending == Ending::Aborted, aborted, "{result:?}");
    }
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    while host.status().jobs_queued != 8 {}
    host.say(&Request::Abort(vec![]));
    let results = host.hear_results(10);
    assert!(results.iter().all(|result| result.outcome.ending == Ending::Aborted));
    // Nothing lingers.
    let job = Job::new(kiwipete(), Task::Search { depth: 1, beta: 0 });
    host.say(&Request::Job { id: 0x101, job });
    assert_eq!(host.hear_results(1), expected([(0x101, job)]));
}

#[test]
fn reset_drops_all_jobs_and_counts() {
    let mut host = Host::new(&config());
    let slow = Task::Search { depth: 12, beta: 0 };
    host.say_frame(0x55, &[]);
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 30)));
    assert_eq!(
        host.hear(),
        Reply::Error(ErrorReply {
            code: ErrorCode::UnknownKind,
            kind: 0x55,
            id: None
        })
    );
    let before = host.status();
    assert_eq!((before.frames_ok, before.dropped.kind), (2, 1));
    host.say(&Request::Reset);
    let after = host.status();
    host.results.clear(); // those that were on the way
    assert_eq!((after.frames_ok, after.dropped.total(), after.jobs_done), (1, 0, 0));
    assert_eq!((after.jobs_queued, after.credits), (0, 107));
    assert!(after.slots_total < 1000);
    for _ in 0..1000 {
        host.cycle();
    }
    assert_eq!(host.results, []);
    let job = Job::new(kiwipete(), Task::Search { depth: 1, beta: 0 });
    host.say(&Request::Job { id: 1, job });
    assert_eq!(host.hear_results(1), expected([(1, job)]));
}

#[test]
fn the_verilog_says_the_same() {
    let mut host = Host::new(&config());
    synthesis_check(&host.cosim.uut);
    host.pauses = Some(SplitMix64::new(2));
    for words in WeightWords::all(Weights::standard()) {
        host.say(&Request::LoadWeights(words));
    }
    host.say(&Request::Identify);
    host.hear();
    let slow = Task::Search { depth: 5, beta: 0 };
    host.say(&Request::Batch(batch(kiwipete(), slow, 3, 40)));
    host.say(&Request::Abort(vec![0x101, 0x110]));
    host.say_frame(Kind::Job as u8, &[0; 38]);
    host.say_frame(Kind::Batch as u8, &[0xff; 42]);
    host.to_send.extend([1, 2, 3, 4, 5, 0]);
    host.hear();
    host.hear();
    host.hear_results(40);
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    host.say(&Request::Abort(vec![]));
    host.hear_results(10);
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    host.status();
    host.say(&Request::Reset);
    host.say(&Request::Job {
        id: 1,
        job: Job::new(kiwipete(), slow),
    });
    host.status();
    for _ in 0..2000 {
        host.cycle();
    }
    host.cosim.finish_with(Simulator::Verilator);
}
