//! The rules of chess: the golden model's perft and legal moves against published counts and shakmaty.

use std::collections::HashSet;

use bluebelle_spec::leaf::{self, Ending, Job, Outcome, Task};
use bluebelle_spec::{Evaluator, Move, Position, Weights};
use bluebelle_tests::classes::{CLASSES, Census};
use bluebelle_tests::convert;
use bluebelle_tests::games::{Games, Sample};
use bluebelle_tests::suite;

/// Positions from random games, and how many of each class must be among them.
const POSITIONS: usize = 80_000;
const OF_EACH_CLASS: usize = 200;

/// With this many legal moves or fewer, perft goes one ply deeper.
const SMALL: usize = 12;

fn perft(position: &Position, depth: u8) -> Outcome {
    let outcome = leaf::run(
        &Job::new(*position, Task::Perft { depth }),
        &Evaluator::new(Weights::standard()),
    );
    assert_eq!(outcome.ending, Ending::Counted, "{position} to depth {depth}");
    outcome
}

/// The halves take about the same time; they run at the same time.
#[test]
fn published_counts_first_half() {
    published_counts(0..2);
}

#[test]
fn published_counts_second_half() {
    published_counts(2..6);
}

fn published_counts(cases: std::ops::Range<usize>) {
    let suite = suite::read("standard.perft").expect("the standard suite");
    assert_eq!(suite.len(), 6);
    for case in &suite[cases] {
        for &(depth, count) in &case.counts {
            let nodes = perft(&case.fen.position, depth).nodes;
            assert_eq!(u64::from(nodes), count, "{} to depth {depth}", case.fen.position);
        }
    }
}

/// The published counts are not ours to trust blindly.
#[test]
fn published_counts_are_right() {
    for case in suite::read("standard.perft").expect("the standard suite") {
        let chess = convert::to_shakmaty(&case.fen.position).expect("a position");
        for &(depth, count) in case.counts.iter().filter(|count| count.1 < 20_000_000) {
            assert_eq!(
                shakmaty::perft(&chess, depth.into()),
                count,
                "{} to depth {depth}",
                case.fen.position
            );
        }
    }
}

#[test]
fn random_games_agree_with_shakmaty() {
    let mut census = Census::default();
    let mut deep = 0;
    let games = Games::from_suite(1, "sharp.epd").expect("the start positions");
    for sample in games.take(POSITIONS) {
        let moves = same_moves(&sample);
        same_positions_after(&sample, &moves);
        let depth = if moves.len() <= SMALL { 3 } else { 2 };
        deep += usize::from(depth == 3);
        same_perft(&sample, depth);
        census.add(&sample.chess);
    }
    println!("{} positions, {deep} of them to depth 3", census.total);
    for (name, count) in census.by_name() {
        println!("{count:6} {name}");
    }
    for (index, (name, _)) in CLASSES.iter().enumerate() {
        assert!(
            census.counts[index] >= OF_EACH_CLASS,
            "only {} positions: {name}",
            census.counts[index]
        );
    }
}

fn same_moves(sample: &Sample) -> Vec<Move> {
    let ours = leaf::legal_moves(&sample.position);
    let set: HashSet<Move> = ours.iter().copied().collect();
    let theirs: HashSet<Move> = convert::legal_moves(&sample.chess).into_iter().collect();
    assert_eq!(set, theirs, "{}", sample.position);
    assert_eq!(set.len(), ours.len(), "a move twice in {}", sample.position);
    ours
}

/// Making a move changes pieces, castling rights and the en passant square as it should; unmaking undoes it.
fn same_positions_after(sample: &Sample, moves: &[Move]) {
    for theirs in shakmaty::Position::legal_moves(&sample.chess) {
        let ours = convert::move_from_shakmaty(theirs);
        assert!(moves.contains(&ours));
        let mut chess = sample.chess.clone();
        shakmaty::Position::play_unchecked(&mut chess, theirs);
        let expected = convert::from_shakmaty(&chess).expect("a position");
        let mut position = sample.position;
        let undo = position.make(ours);
        assert_eq!(position, expected, "{ours} in {}", sample.position);
        position.unmake(undo);
        assert_eq!(position, sample.position, "{ours} unmade");
    }
}

fn same_perft(sample: &Sample, depth: u8) {
    let ours = perft(&sample.position, depth);
    let theirs = shakmaty::perft(&sample.chess, depth.into());
    assert_eq!(u64::from(ours.nodes), theirs, "{} to depth {depth}", sample.position);
    let mirrored = sample.position.mirrored();
    assert_eq!(
        perft(&mirrored, depth),
        ours,
        "{} against its mirror image",
        sample.position
    );
    assert_eq!(mirrored.mirrored(), sample.position);
}
