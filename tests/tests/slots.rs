//! The slot rule: the golden model against the machine that takes one slot after the other.

use bluebelle_spec::leaf::{self, Ending, Job, MAX_DEPTH, MAX_PLY, Search, Slots, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Move, Piece, Position, Square, Term, Weights, evaluate};
use bluebelle_tests::games::{Games, Sample};
use bluebelle_tests::mailbox::Mailbox;
use bluebelle_tests::ring::{self, Pruned, Run};
use bluebelle_tests::{suite, weights};

/// The few jobs with endless quiescence are cut here.
const MOST_NODES: u32 = 3_000;

/// Runs a job both ways and holds one against the other in every respect.
fn same(job: &Job, weights: &Weights) -> Run {
    let run = ring::run(job, weights);
    let (outcome, slots) = Search::new(job, &Evaluator::new(weights)).run_counting();
    assert_eq!(outcome, run.outcome, "{job:?} in {}", job.position);
    assert_eq!(slots, run.slots, "{job:?} in {}", job.position);
    assert_eq!(outcome.slots, slots.total());
    run
}

/// What a test has seen, so that it can say that it has seen enough.
#[derive(Debug, Default)]
struct Tally {
    jobs: usize,
    endings: [usize; 7],
    slots: Slots,
    nodes: u64,
    killers: u32,
    pruned: Pruned,
}

impl Tally {
    fn add(&mut self, run: &Run) {
        self.jobs += 1;
        self.endings[run.outcome.ending as usize] += 1;
        self.slots += run.slots;
        self.nodes += u64::from(run.outcome.nodes);
        self.killers += run.killers;
        self.pruned += run.pruned;
    }

    fn of(&self, ending: Ending) -> usize {
        self.endings[ending as usize]
    }
}

/// A bound near the evaluation, farther away, or among the mate scores.
fn random_beta(rng: &mut SplitMix64, position: &Position, weights: &Weights) -> i16 {
    let value = i32::from(evaluate(position, weights));
    let around = |rng: &mut SplitMix64, spread: i32| rng.below(2 * spread as u64 + 1) as i32 - spread;
    let beta = match rng.below(8) {
        0..=3 => value + around(rng, 60),
        4..=5 => value + around(rng, 600),
        6 => 29_990 + rng.below(10) as i32,
        _ => -29_990 - rng.below(10) as i32,
    };
    beta.clamp(-29_999, 30_000) as i16
}

/// The halves take about the same time; they run at the same time.
#[test]
fn searches_take_the_same_slots_first_half() {
    searches_take_the_same_slots(31);
}

#[test]
fn searches_take_the_same_slots_second_half() {
    searches_take_the_same_slots(32);
}

fn searches_take_the_same_slots(seed: u64) {
    let mut rng = SplitMix64::new(seed);
    let mut tally = Tally::default();
    let games = Games::from_suite(seed, "sharp.epd").expect("the start positions");
    for (index, Sample { position, .. }) in games.step_by(7).take(1_000).enumerate() {
        let random = weights::random(&mut rng);
        let weights = if index % 5 == 0 { &random } else { Weights::standard() };
        // Pruning makes room for five plies more.
        let pruning = rng.below(2) == 0;
        let depth = [0, 1, 2, 2, 3, 3, 4][index % 7] + 5 * u8::from(pruning && index % 7 > 1);
        let beta = random_beta(&mut rng, &position, weights);
        let mut job = Job::new(position, Task::Search { depth, beta });
        job.node_limit = MOST_NODES;
        job.pruning = pruning;
        let run = same(&job, weights);
        tally.add(&run);
        job.position = position.mirrored();
        assert_eq!(
            same(&job, weights).slots,
            run.slots,
            "{position} against its mirror image"
        );
        job.node_limit = 1 + rng.below(u64::from(run.outcome.nodes)) as u32;
        tally.add(&same(&job, weights));
    }
    println!("{tally:?}");
    assert!(tally.of(Ending::Lower) > 250 && tally.of(Ending::Upper) > 250 && tally.of(Ending::Limit) > 500);
    assert!(tally.slots.hop > 200 && tally.slots.illegal > 5_000 && tally.slots.quiet > 5_000);
    assert!(tally.killers > 2_000);
    let pruned = tally.pruned;
    assert!(pruned.reverse > 5_000 && pruned.delta > 3_000 && pruned.futile > 700 && pruned.losing > 2_000);
    assert!(pruned.again > 200 && pruned.reduced - pruned.again > 1_000);
    assert!(pruned.passes_held > 500 && pruned.passes - pruned.passes_held > 500);
}

#[test]
fn perfts_take_the_same_slots() {
    let mut tally = Tally::default();
    let games = Games::from_suite(33, "sharp.epd").expect("the start positions");
    for (index, Sample { position, .. }) in games.step_by(7).take(1_500).enumerate() {
        let depth = [0, 1, 1, 2, 2][index % 5];
        let job = Job {
            pruning: index % 2 == 0,
            ..Job::new(position, Task::Perft { depth })
        };
        tally.add(&same(&job, Weights::standard()));
    }
    for position in suite::positions("standard.perft").expect("the standard suite") {
        tally.add(&same(
            &Job::new(position, Task::Perft { depth: 3 }),
            Weights::standard(),
        ));
    }
    println!("{tally:?}");
    assert!(tally.slots.hop > 1_000 && tally.slots.illegal > 1_000 && tally.slots.quiet > 1_000);
}

/// A first move, also one that turns out not to be legal.
#[test]
fn first_moves_take_the_same_slots() {
    let mut rng = SplitMix64::new(34);
    let mut tally = Tally::default();
    let games = Games::from_suite(35, "sharp.epd").expect("the start positions");
    for Sample { position, .. } in games.step_by(5).take(2_000) {
        for first in some_pseudo_legal_moves(&position) {
            let beta = random_beta(&mut rng, &position, Weights::standard());
            let mut job = Job::new(position, Task::Search { depth: 1, beta });
            job.first = first;
            job.pruning = rng.below(2) == 0;
            tally.add(&same(&job, Weights::standard()));
        }
    }
    println!("{tally:?}");
    assert!(tally.of(Ending::Illegal) > 200 && tally.of(Ending::Lower) > 500 && tally.of(Ending::Upper) > 500);
}

/// Moves of the king to any square beside it and captures en passant, legal or not; castling and promotions that are.
fn some_pseudo_legal_moves(position: &Position) -> Vec<Move> {
    let us = position.turn();
    let king = position.king(us);
    let board = Mailbox::from(position);
    let free = |to| position.king(!us) != to && position.at(to).is_none_or(|(color, _)| color != us);
    let steps = Square::all().filter(|&to| board.attacks(king, to) && free(to));
    let passing = |to| Square::all().filter(move |&from| board.is(from, us, Piece::Pawn) && board.attacks(from, to));
    let captures = position
        .en_passant()
        .into_iter()
        .flat_map(|to| passing(to).map(move |from| Move::new(from, to)));
    let mut moves: Vec<Move> = steps.map(|to| Move::new(king, to)).chain(captures).collect();
    let legal = leaf::legal_moves(position);
    moves.extend(
        legal
            .iter()
            .filter(|mv| mv.from() == king && mv.from().file().abs_diff(mv.to().file()) == 2),
    );
    moves.extend(legal.iter().filter(|mv| mv.promotion().is_some()).take(3));
    moves
}

/// With nobody content to stand pat, and no weight but that, quiescence goes as deep as there are captures.
#[test]
fn the_stack_ends_where_it_should() {
    let mut weights = weights::zero();
    weights.structure[Term::Tempo as usize] = -Term::Tempo.limit();
    let mut deepest = 0;
    for position in suite::positions("deep.epd").expect("the deep positions") {
        let mut job = Job::new(
            position,
            Task::Search {
                depth: MAX_DEPTH,
                beta: 0,
            },
        );
        job.node_limit = 20_000;
        deepest = deepest.max(same(&job, &weights).deepest);
    }
    println!("deepest ply {deepest}");
    assert_eq!(deepest, usize::from(MAX_PLY));
}
