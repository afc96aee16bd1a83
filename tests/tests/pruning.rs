//! The golden search with pruning against the plain one: the same answer to every question, and a move that proves it.

use bluebelle_spec::leaf::{self, Ending, Job, MATE, Outcome, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Weights, evaluate};
use bluebelle_tests::games::{Games, Sample};
use bluebelle_tests::pruned::{Proof, Pruned};
use bluebelle_tests::weights;

/// Depth, how many positions in each half, with how many pieces at most.
const SHARES: [(u8, usize, u32); 15] = [
    (0, 200, 32),
    (1, 200, 32),
    (2, 150, 32),
    (2, 100, 10),
    (3, 60, 32),
    (3, 100, 8),
    (4, 30, 32),
    (4, 60, 8),
    (5, 40, 32),
    (6, 40, 10),
    (7, 20, 8),
    (7, 20, 32),
    (8, 30, 32),
    (10, 20, 10),
    (12, 10, 8),
];

/// The few questions that would take the plain search longer are passed over; the search without pruning may give up there too.
const MOST_NODES: u32 = 100_000;

/// The halves take about the same time; they run at the same time.
#[test]
fn answers_are_those_of_the_plain_search_first_half() {
    answers_are_those_of_the_plain_search(60);
}

#[test]
fn answers_are_those_of_the_plain_search_second_half() {
    answers_are_those_of_the_plain_search(61);
}

#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    questions: usize,
    passed_over: usize,
    lower: usize,
    upper: usize,
    by_move: usize,
    by_null_move: usize,
    /// Questions to which pruning has another answer than the search without.
    different: usize,
    nodes: u64,
    unpruned_nodes: u64,
}

fn answers_are_those_of_the_plain_search(seed: u64) {
    let mut rng = SplitMix64::new(seed);
    let mut games = Games::from_suite(seed, "sharp.epd").expect("the start positions");
    let mut tally = Tally::default();
    for (depth, count, pieces) in SHARES {
        let few = |sample: &Sample| sample.position.occupied().count_ones() <= pieces;
        for _ in 0..count {
            let sample = games.by_ref().skip(7).find(few).expect("games never end");
            let random = weights::random(&mut rng);
            let weights = match rng.below(4) {
                0 => &random,
                _ => Weights::standard(),
            };
            tally.positions += 1;
            examine(&sample, depth, weights, &mut rng, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.questions > 2_500 && tally.passed_over < tally.questions / 20);
    assert!(tally.lower > 700 && tally.upper > 700 && tally.by_move > 300 && tally.by_null_move > 50);
    // It does leave something out, and that does not often matter.
    assert!(tally.nodes < tally.unpruned_nodes && tally.different > 0 && tally.different < tally.questions / 10);
}

fn examine(sample: &Sample, depth: u8, weights: &Weights, rng: &mut SplitMix64, tally: &mut Tally) {
    let evaluator = Evaluator::new(weights);
    let value = i32::from(evaluate(&sample.position, weights));
    let around = |rng: &mut SplitMix64, spread: i32| value + rng.below(2 * spread as u64 + 1) as i32 - spread;
    let mate = (i32::from(MATE) - rng.below(6) as i32) * [1, -1][rng.below(2) as usize];
    for beta in [value, around(rng, 60), around(rng, 300), around(rng, 1_500), mate] {
        let beta = beta.clamp(1 - i32::from(MATE), i32::from(MATE)) as i16;
        let mut plain = Pruned::new(weights, u64::from(MOST_NODES));
        let Some(proof) = plain.search(&sample.chess, depth, beta) else {
            tally.passed_over += 1;
            continue;
        };
        let task = Task::Search { depth, beta };
        let job = Job {
            pruning: true,
            ..Job::new(sample.position, task)
        };
        let unpruned = Job {
            node_limit: MOST_NODES,
            ..Job::new(sample.position, task)
        };
        let outcome = leaf::run(&job, &evaluator);
        answers(&job, &outcome, &proof);
        let other = leaf::run(&unpruned, &evaluator);
        tally.questions += 1;
        tally.lower += usize::from(outcome.ending == Ending::Lower);
        tally.upper += usize::from(outcome.ending == Ending::Upper);
        tally.by_move += usize::from(!outcome.best.is_none());
        tally.by_null_move += usize::from(proof == Proof::NullMove);
        tally.different += usize::from(![outcome.ending, Ending::Limit].contains(&other.ending));
        tally.nodes += u64::from(outcome.nodes);
        tally.unpruned_nodes += u64::from(other.nodes);
    }
}

fn answers(job: &Job, outcome: &Outcome, proof: &Proof) {
    let position = job.position;
    let expected = match proof {
        Proof::None => Ending::Upper,
        _ => Ending::Lower,
    };
    assert_eq!(outcome.ending, expected, "{job:?} in {position}, by {proof:?}");
    match proof {
        Proof::Moves(moves) => assert!(
            moves.contains(&outcome.best),
            "{} in {position}, not one of {moves:?}",
            outcome.best
        ),
        _ => assert!(outcome.best.is_none(), "{job:?} in {position}, by {proof:?}"),
    }
}
