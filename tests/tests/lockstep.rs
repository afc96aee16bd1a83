//! The Verilated chip against the golden model: score, bound, best move, nodes and slots, with all threads busy at once.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use bluebelle_sim::verilated::{Process, build};
use bluebelle_sim::{Accelerator, ClockedChip, Until, Verilated, chip_verilog};
use bluebelle_spec::leaf::{self, Ending, Job, MATE, Outcome, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{Batch, Child, Decoder, Message, Reply, Request, Status, WeightWords};
use bluebelle_spec::{Evaluator, Fen, Move, Position, Weights, evaluate};
use bluebelle_tests::classes::Census;
use bluebelle_tests::games::Games;
use bluebelle_tests::suite;

/// Positions, each with a job or a batch of up to 8.
const POSITIONS: usize = 800;

#[test]
fn the_verilated_chip_equals_the_golden_model() {
    let mut rng = SplitMix64::new(12);
    let mut census = Census::default();
    let mut requests = Vec::new();
    let mut jobs: Vec<(u16, Job)> = Vec::new();
    for sample in Games::from_suite(11, "sharp.epd").expect("the suite").take(POSITIONS) {
        census.add(&sample.chess);
        let id = jobs.len() as u16;
        match rng.below(5) {
            0 => {
                let batch = random_batch(&mut rng, &sample.position, id);
                jobs.extend(batch.jobs());
                requests.push(Request::Batch(batch));
            }
            _ => {
                let job = random_job(&mut rng, &sample.position);
                jobs.push((id, job));
                requests.push(Request::Job { id, job });
            }
        }
    }
    for index in (1..requests.len()).rev() {
        requests.swap(index, rng.below(index as u64 + 1) as usize);
    }
    let evaluator = Evaluator::new(Weights::standard());
    let expected: Vec<Outcome> = jobs.iter().map(|(_, job)| leaf::run(job, &evaluator)).collect();
    assert_variety(&census, &jobs, &expected);

    let busy = compare(&requests, &jobs, &expected);
    println!("{} jobs, {busy:.2} of 13 threads busy on average", jobs.len());
    assert!(busy > 11.5, "only {busy:.2} threads were busy on average");
}

/// Jobs for gangs, one by one and in batches: a core takes one at a time, and so is as free as the model has it.
#[test]
fn gangs_of_the_verilated_chip_equal_the_golden_ones() {
    let mut rng = SplitMix64::new(13);
    let (mut requests, mut jobs) = (Vec::new(), Vec::new());
    for sample in Games::from_suite(14, "sharp.epd").expect("the suite").take(300) {
        let id = jobs.len() as u16;
        let mut batch = random_batch(&mut rng, &sample.position, id);
        if matches!(batch.task, Task::Perft { .. }) {
            continue;
        }
        (batch.pruning, batch.gang) = (true, true);
        batch.children.truncate(1 + rng.below(2) as usize);
        jobs.extend(batch.jobs());
        requests.push(Request::Batch(batch));
    }
    let evaluator = Evaluator::new(Weights::standard());
    let expected: Vec<Outcome> = jobs.iter().map(|(_, job)| leaf::run(job, &evaluator)).collect();
    let busy = compare(&requests, &jobs, &expected);
    println!("{} gangs, {busy:.2} of 13 threads busy on average", jobs.len());
}

/// A gang that is aborted leaves nothing behind that another would meet, whenever that happens.
#[test]
fn aborted_gangs_leave_the_core_as_it_was() {
    let program = build(&chip_verilog("").expect("the chip"), false).expect("it builds");
    let mut chip = Process::start(&program, None).expect("it starts");
    let mut decoder = Decoder::<Reply>::new();
    let mut outcomes = HashMap::new();
    let mut send = |requests: &[Request], until: Until, outcomes: &mut HashMap<u16, Outcome>| {
        let mut bytes = Vec::new();
        for request in requests {
            request.encode_to(&mut bytes).expect("a good request");
        }
        let answer = chip.exchange(&bytes, until).expect("the chip runs");
        for reply in decoder.push(&answer.bytes) {
            if let Reply::Results(results) = reply.expect("a good frame") {
                outcomes.extend(results.iter().map(|result| (result.id, result.outcome)));
            }
        }
    };
    let weights: Vec<Request> = WeightWords::all(Weights::standard())
        .into_iter()
        .map(Request::LoadWeights)
        .collect();
    send(
        &weights,
        Until {
            frames: 0,
            cycles: 100_000,
        },
        &mut outcomes,
    );

    let gang = |position, depth, node_limit| Job {
        pruning: true,
        gang: true,
        node_limit,
        ..Job::new(position, Task::Search { depth, beta: 10 })
    };
    let evaluator = Evaluator::new(Weights::standard());
    let samples = Games::from_suite(15, "sharp.epd").expect("the suite").take(30);
    for (index, sample) in samples.enumerate() {
        let (long, short) = (2 * index as u16, 2 * index as u16 + 1);
        let endless = gang(Position::initial(), 24, 0);
        let cycles = 2_000 + 517 * index as u64;
        send(
            &[Request::Job { id: long, job: endless }],
            Until { frames: 9, cycles },
            &mut outcomes,
        );
        let job = gang(sample.position, 7, 3_000);
        let after = [Request::Abort(vec![long]), Request::Job { id: short, job }];
        send(
            &after,
            Until {
                frames: 2,
                cycles: 2_000_000,
            },
            &mut outcomes,
        );
        assert_eq!(outcomes.get(&long).map(|outcome| outcome.ending), Some(Ending::Aborted));
        assert_eq!(outcomes.get(&short), Some(&leaf::run(&job, &evaluator)), "{job:?}");
    }
}

/// Runs the jobs on the chip; how many threads were busy on average.
fn compare(requests: &[Request], jobs: &[(u16, Job)], expected: &[Outcome]) -> f64 {
    let (outcomes, busy) = run_on_chip(requests, jobs.len());
    for ((id, job), expected) in jobs.iter().zip(expected) {
        let found = outcomes.get(id);
        if found != Some(expected) {
            let report = format!(
                "{}\n{job:?}\nexpected {expected:?}\nfound    {found:?}\n",
                Fen {
                    position: job.position,
                    halfmoves: 0,
                    fullmoves: 1
                }
            );
            panic!("{report}{}", write_wave(job, &report));
        }
    }
    busy
}

/// Enough of everything that is easy to get wrong.
fn assert_variety(census: &Census, jobs: &[(u16, Job)], expected: &[Outcome]) {
    for (class, count) in census.by_name() {
        println!("{class}: {count}");
        let wanted = [
            "promotion",
            "check",
            "en passant",
            "castling king side",
            "castling queen side",
            "mate",
        ];
        assert!(
            !wanted.contains(&class) || count >= 10,
            "only {count} positions of class {class}"
        );
    }
    for depth in 0..4 {
        let of_depth = |job: &&(u16, Job)| matches!(job.1.task, Task::Search { depth: found, .. } if found == depth);
        assert!(
            jobs.iter().filter(of_depth).count() >= 50,
            "few searches of depth {depth}"
        );
    }
    for ending in [Ending::Lower, Ending::Upper, Ending::Counted, Ending::Limit] {
        let count = expected.iter().filter(|outcome| outcome.ending == ending).count();
        println!("{ending:?}: {count}");
        assert!(count >= 10, "only {count} jobs end with {ending:?}");
    }
}

/// Sends the requests, in their order and as fast as the chip has room; gives the outcomes by id, and how many threads were
/// busy on average between the first quarter of the requests and the third.
fn run_on_chip(requests: &[Request], jobs: usize) -> (HashMap<u16, Outcome>, f64) {
    let program = build(&chip_verilog("").expect("the chip"), false).expect("it builds");
    let mut chip = Process::start(&program, None).expect("it starts");
    let mut decoder = Decoder::<Reply>::new();
    let mut bytes = Vec::new();
    for words in WeightWords::all(Weights::standard()) {
        Request::LoadWeights(words).encode_to(&mut bytes).expect("good weights");
    }
    Request::Identify.encode_to(&mut bytes).expect("it has no content");
    let (mut room, mut sent) = (0, 0);
    let mut outcomes = HashMap::new();
    let mut statuses: Vec<Status> = Vec::new();
    let mut cycle = 0;
    while outcomes.len() < jobs {
        let until = Until {
            frames: 1,
            cycles: 1_000_000,
        };
        let answer = chip.exchange(&bytes, until).expect("the chip runs");
        assert!(
            answer.cycle - cycle < until.cycles,
            "the chip is silent: {} results",
            outcomes.len()
        );
        cycle = answer.cycle;
        bytes.clear();
        for reply in decoder.push(&answer.bytes) {
            match reply.expect("a good frame") {
                Reply::Results(results) => {
                    room += results.len();
                    outcomes.extend(results.iter().map(|result| (result.id, result.outcome)));
                }
                Reply::Identity(identity) => room = usize::from(identity.queue),
                Reply::Status(status) => statuses.push(status),
                Reply::Error(error) => panic!("{error:?}"),
            }
        }
        while let Some(request) = requests.get(sent) {
            let size = match request {
                Request::Batch(batch) => batch.children.len(),
                _ => 1,
            };
            if size > room {
                break;
            }
            room -= size;
            request.encode_to(&mut bytes).expect("a good request");
            sent += 1;
            if sent == requests.len() / 4 || sent == requests.len() * 3 / 4 {
                Request::Status.encode_to(&mut bytes).expect("it has no content");
            }
        }
    }
    let [first, second] = &statuses[..] else {
        panic!("two were asked for: {statuses:?}");
    };
    let busy = (second.slots_busy - first.slots_busy) as f64;
    (outcomes, 13. * busy / (second.slots_total - first.slots_total) as f64)
}

/// The six standard positions through the chip, to depth 3; to depth 4 with `--ignored`.
#[test]
fn perft_through_the_chip() {
    check_perft(3);
}

#[test]
#[ignore = "a minute; ./check --long runs it"]
fn deep_perft_through_the_chip() {
    check_perft(4);
}

fn check_perft(depth: u8) {
    let mut chip = Verilated::open(&chip_verilog("").expect("the chip"), Weights::standard()).expect("a chip");
    for case in suite::read("standard.perft").expect("the suite") {
        let count = case.counts.iter().find(|count| count.0 == depth).expect("a count").1;
        // A job for each first move, so that all threads have something to do.
        let jobs: Vec<Job> = leaf::legal_moves(&case.fen.position)
            .into_iter()
            .map(|first| Job {
                first,
                ..Job::new(case.fen.position, Task::Perft { depth: depth - 1 })
            })
            .collect();
        let outcomes = chip.run(&jobs, &|_| {}).expect("the chip answers");
        let found: u64 = outcomes.iter().map(|outcome| u64::from(outcome.nodes)).sum();
        assert_eq!(found, count, "{} at depth {depth}", case.fen);
    }
}

fn random_job(rng: &mut SplitMix64, position: &Position) -> Job {
    let moves = leaf::legal_moves(position);
    let first = match (moves.is_empty(), rng.below(3)) {
        (false, 0) => moves[rng.below(moves.len() as u64) as usize],
        _ => Move::NONE,
    };
    // Pruning makes room for the deepest jobs that there are.
    let pruning = rng.below(2) == 0;
    let task = match rng.below(4) {
        0 => Task::Perft {
            depth: rng.below(3) as u8,
        },
        _ => Task::Search {
            depth: rng.below(if pruning { u64::from(leaf::MAX_DEPTH) + 1 } else { 4 }) as u8,
            beta: match rng.below(8) {
                0 => MATE - 3,
                1 => 4 - MATE,
                2 => 0,
                _ => evaluate(position, Weights::standard()) + rng.below(200) as i16 - 100,
            },
        },
    };
    // A limit keeps the few long searches short, and is tested so.
    let node_limit = match rng.below(8) {
        0 => 1 + rng.below(100) as u32,
        _ => 2_000,
    };
    Job {
        position: *position,
        first,
        task,
        node_limit,
        pruning,
        gang: false,
    }
}

/// Children of the position, or the position under several windows.
fn random_batch(rng: &mut SplitMix64, position: &Position, id: u16) -> Batch {
    let job = random_job(rng, position);
    let moves = leaf::legal_moves(position);
    let probes = moves.is_empty() || rng.below(3) == 0;
    let step = match job.task {
        Task::Search { beta, .. } if probes && beta.abs() < MATE / 2 => rng.below(60) as i16 - 30,
        _ => 0,
    };
    let children = (0..1 + rng.below(8)).map(|index| Child {
        id: id + index as u16,
        first: match probes {
            true => Move::NONE,
            false => moves[rng.below(moves.len() as u64) as usize],
        },
    });
    Batch {
        parent: *position,
        task: job.task,
        step,
        node_limit: job.node_limit,
        pruning: job.pruning,
        gang: job.gang,
        children: children.collect(),
    }
}

/// Runs one job again, with a waveform, and says where that and the report are.
fn write_wave(job: &Job, report: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (path, text) = (folder.join("mismatch.vcd"), folder.join("mismatch.txt"));
    fs::write(&text, report).expect("the folder is Cargo's");
    let chip = chip_verilog("").and_then(|verilog| Verilated::open_traced(&verilog, Weights::standard(), &path));
    match chip.map(|mut chip| chip.run(&[*job], &|_| {})) {
        Ok(alone) => format!(
            "this is in {}, the waveform of the job alone, which then gives {alone:?}, in {}",
            text.display(),
            path.display()
        ),
        Err(error) => format!("this is in {}; no waveform: {error}", text.display()),
    }
}
