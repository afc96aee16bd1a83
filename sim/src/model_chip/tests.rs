use bluebelle_spec::Position;
use bluebelle_spec::leaf::Task;
use bluebelle_spec::wire::{Batch, Child};

use super::*;

fn job(depth: u8) -> Job {
    Job::new(Position::initial(), Task::Search { depth, beta: 10 })
}

fn replies(bytes: &[u8]) -> Vec<Reply> {
    Decoder::<Reply>::new()
        .push(bytes)
        .collect::<Result<_, _>>()
        .expect("it says what can be read")
}

fn chip(threads: u8, queue: u16) -> ModelChip {
    let config = ModelConfig {
        threads,
        queue,
        ..ModelConfig::default()
    };
    ModelChip::new(&config, Weights::standard())
}

#[test]
fn a_job_takes_its_slots() {
    let mut chip = chip(13, 20);
    chip.hear(&Request::Job { id: 5, job: job(3) }.encode().unwrap());
    let expected = leaf::run(&job(3), &Evaluator::new(Weights::standard()));
    // 6 words and 32 pieces to the core; its slots; a trip round the ring and past one dock.
    let stages = u64::from(chip.identity().stages);
    let end = 38 + u64::from(expected.slots) * stages + stages + 1;
    chip.advance_to(end - 1);
    assert!(chip.take_output().is_empty());
    assert_eq!(chip.status().jobs_done, 0);
    chip.advance_to(end);
    let result = JobResult {
        id: 5,
        outcome: expected,
    };
    assert_eq!(replies(&chip.take_output()), [Reply::Results(vec![result])]);
    assert_eq!(chip.status().slots_busy, u64::from(expected.slots));
}

#[test]
fn a_batch_that_does_not_fit_is_refused_as_a_whole() {
    let mut chip = chip(2, 4);
    let batch = |ids: std::ops::Range<u16>| {
        let child = |id| Child {
            id,
            first: bluebelle_spec::Move::NONE,
        };
        let batch = Batch {
            parent: Position::initial(),
            task: Task::Search { depth: 2, beta: 0 },
            step: 0,
            node_limit: 0,
            pruning: false,
            gang: false,
            children: ids.map(child).collect(),
        };
        Request::Batch(batch).encode().unwrap()
    };
    chip.hear(&batch(0..4)); // two run, two wait
    chip.hear(&batch(4..7));
    let refused = replies(&chip.take_output());
    assert!(
        matches!(&refused[..], [Reply::Error(error)] if error.code == ErrorCode::QueueFull),
        "{refused:?}"
    );
    assert_eq!(chip.status().jobs_queued, 2);
    chip.hear(&batch(4..6));
    assert!(chip.take_output().is_empty());
    chip.advance_to(100_000_000);
    assert_eq!(chip.status().jobs_done, 6);
}

#[test]
fn aborted_jobs_say_so_and_reset_ones_say_nothing() {
    let mut chip = chip(1, 8);
    for id in 0..3 {
        chip.hear(&Request::Job { id, job: job(4) }.encode().unwrap());
    }
    let stages = u64::from(chip.identity().stages);
    chip.advance_to(38 + 100 * stages);
    chip.hear(&Request::Abort(vec![0, 2]).encode().unwrap());
    let answer = replies(&chip.take_output());
    let [Reply::Results(results)] = &answer[..] else {
        panic!("{answer:?}")
    };
    let mut ended: Vec<_> = results.iter().map(|result| (result.id, result.outcome.slots)).collect();
    ended.sort_unstable();
    assert!(results.iter().all(|result| result.outcome.ending == Ending::Aborted));
    assert_eq!(ended, [(0, 100), (2, 0)]);
    chip.hear(&Request::Reset.encode().unwrap());
    chip.advance_to(u64::from(u32::MAX));
    assert!(chip.take_output().is_empty());
}

#[test]
fn a_core_loads_one_job_at_a_time() {
    let mut chip = chip(13, 20);
    let stages = u64::from(chip.identity().stages);
    for id in 0..2 {
        chip.hear(&Request::Job { id, job: job(2) }.encode().unwrap());
    }
    let [first, second] = &chip.running[..] else {
        panic!("{} jobs", chip.running.len())
    };
    assert_eq!(second.began - first.began, 32 * stages + LOADER_GAP);
}

#[test]
fn chips_share_what_they_know() {
    let cache = LeafCache::default();
    let answer = |job: Job| {
        let mut chip = chip(1, 8).with_cache(cache.clone());
        chip.hear(&Request::Job { id: 0, job }.encode().unwrap());
        let ends = chip.next_end();
        chip.advance_to(100_000_000);
        (ends, replies(&chip.take_output()))
    };
    let (_, searched) = answer(job(3));
    assert_eq!(cache.0.lock().unwrap().len(), 1);
    let evaluator = Evaluator::new(Weights::standard());
    let found = leaf::run_measured(&job(3), &evaluator);
    assert_eq!(cache.find(&job(3)), Some(found));
    let (ends, known) = answer(job(3));
    assert_eq!(known, searched);
    // What is known is not searched again: its end is known at once.
    let stages = u64::from(chip(1, 8).identity().stages);
    let trips = (u64::from(found.0.slots) + 1) * stages;
    assert!(ends.is_some_and(|end| end > trips), "{ends:?}, {trips} cycles");
    assert_eq!(cache.find(&job(2)), None, "another question is another job");
}
