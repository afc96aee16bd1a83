//! The golden search against plain minimax: the same answer to every question, whatever it prunes.

use bluebelle_spec::leaf::{self, Ending, Job, MATE, Outcome, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Weights};
use bluebelle_tests::games::{Games, Sample};
use bluebelle_tests::minimax::{Minimax, Root};
use bluebelle_tests::weights;

/// Depth, how many positions in each half, with how many pieces at most.
const SHARES: [(u8, usize, u32); 7] = [
    (0, 400, 32),
    (1, 350, 32),
    (2, 120, 32),
    (2, 200, 10),
    (3, 6, 32),
    (3, 30, 12),
    (3, 120, 6),
];

/// The few positions that would take plain minimax longer are passed over.
const MOST_NODES: u64 = 250_000;

/// The halves take about the same time; they run at the same time.
#[test]
fn answers_are_those_of_minimax_first_half() {
    answers_are_those_of_minimax(20);
}

#[test]
fn answers_are_those_of_minimax_second_half() {
    answers_are_those_of_minimax(21);
}

fn answers_are_those_of_minimax(seed: u64) {
    let mut rng = SplitMix64::new(seed);
    let mut games = Games::from_suite(seed, "sharp.epd").expect("the start positions");
    let mut tally = Tally::default();
    for (depth, count, pieces) in SHARES {
        let few = |sample: &Sample| sample.position.occupied().count_ones() <= pieces;
        let enough = tally.positions + count;
        while tally.positions < enough {
            let sample = games.by_ref().skip(7).find(few).expect("games never end");
            let random = weights::random(&mut rng);
            let weights = if rng.below(4) == 0 {
                &random
            } else {
                Weights::standard()
            };
            let mut minimax = Minimax::new(weights, MOST_NODES);
            match minimax.search(&sample.chess, depth) {
                Some(root) => examine(&sample, depth, &root, weights, &mut rng, &mut tally),
                None => tally.passed_over += 1,
            }
            tally.nodes += minimax.nodes;
        }
    }
    println!("{tally:?}");
    assert!(tally.positions > 1_000 && tally.passed_over < tally.positions / 20);
    assert!(tally.lower > 1_000 && tally.upper > 1_000 && tally.best > 500);
    assert!(tally.mates > 20 && tally.draws > 5);
}

#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    passed_over: usize,
    lower: usize,
    upper: usize,
    best: usize,
    /// Positions worth a mate, for either side.
    mates: usize,
    /// Positions worth exactly 0.
    draws: usize,
    nodes: u64,
}

fn examine(sample: &Sample, depth: u8, root: &Root, weights: &Weights, rng: &mut SplitMix64, tally: &mut Tally) {
    let value = root.value;
    tally.positions += 1;
    tally.mates += usize::from(value.abs() > 29_000);
    tally.draws += usize::from(value == 0);
    let near = value + rng.below(101) as i32 - 50;
    let far = value + rng.below(4_001) as i32 - 2_000;
    let mate = (i32::from(MATE) - rng.below(6) as i32) * [1, -1][rng.below(2) as usize];
    let evaluator = Evaluator::new(weights);
    for beta in [value, value + 1, near, far, mate] {
        let beta = beta.clamp(1 - i32::from(MATE), i32::from(MATE)) as i16;
        let job = Job::new(sample.position, Task::Search { depth, beta });
        let outcome = leaf::run(&job, &evaluator);
        answers(&job, &outcome, beta, root);
        repeats(&job, &outcome, &evaluator);
        stops_at_limit(&job, &outcome, &evaluator, rng);
        tally.lower += usize::from(outcome.ending == Ending::Lower);
        tally.upper += usize::from(outcome.ending == Ending::Upper);
        tally.best += usize::from(!outcome.best.is_none());
    }
}

/// The answer is right, and so is the move that proves it.
fn answers(job: &Job, outcome: &Outcome, beta: i16, root: &Root) {
    let position = job.position;
    let holds = |value: i32| value >= i32::from(beta);
    let expected = match holds(root.value) {
        true => (Ending::Lower, beta),
        false => (Ending::Upper, beta - 1),
    };
    assert_eq!(
        (outcome.ending, outcome.score),
        expected,
        "{job:?} in {position}, worth {}",
        root.value
    );
    if !outcome.best.is_none() {
        assert_eq!(outcome.ending, Ending::Lower);
        let best = root.moves.iter().find(|&&(mv, _)| mv == outcome.best);
        let best = best.map(|&(_, value)| value);
        assert!(
            best.is_some_and(holds),
            "{} in {position} is worth {best:?}, not {beta}",
            outcome.best
        );
    } else if outcome.ending == Ending::Lower {
        let needs_no_move = root.stand_pat.map_or(root.moves.is_empty(), holds);
        assert!(needs_no_move, "no move proves {job:?} in {position}");
    }
}

/// The same again, and the mirrored position takes the same steps.
fn repeats(job: &Job, outcome: &Outcome, evaluator: &Evaluator) {
    assert_eq!(leaf::run(job, evaluator), *outcome, "{job:?} a second time");
    let mut mirrored = *job;
    mirrored.position = job.position.mirrored();
    let other = leaf::run(&mirrored, evaluator);
    let steps = |outcome: &Outcome| (outcome.ending, outcome.score, outcome.nodes, outcome.slots);
    assert_eq!(
        steps(&other),
        steps(outcome),
        "{} against its mirror image",
        job.position
    );
    assert_eq!(other.best.is_none(), outcome.best.is_none());
}

/// A limit that is reached ends the job with just that many nodes; a larger one changes nothing.
fn stops_at_limit(job: &Job, outcome: &Outcome, evaluator: &Evaluator, rng: &mut SplitMix64) {
    let mut limited = *job;
    limited.node_limit = outcome.nodes + 1;
    assert_eq!(
        leaf::run(&limited, evaluator),
        *outcome,
        "{job:?} with a limit to spare"
    );
    limited.node_limit = 1 + rng.below(u64::from(outcome.nodes)) as u32;
    let ended = leaf::run(&limited, evaluator);
    assert_eq!(ended.ending, Ending::Limit, "{limited:?} in {}", job.position);
    assert_eq!((ended.nodes, ended.score), (limited.node_limit, 0));
    assert!(ended.best.is_none() && ended.slots <= outcome.slots);
}
