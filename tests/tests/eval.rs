//! The evaluation against its formulas, square by square.

use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Color, Weights, evaluate};
use bluebelle_tests::games::{Games, Sample};
use bluebelle_tests::mailbox::Mailbox;
use bluebelle_tests::{naive, weights};

const POSITIONS: usize = 24_000;

#[test]
fn standard_weights() {
    for sample in Games::from_suite(11, "sharp.epd")
        .expect("the start positions")
        .take(POSITIONS)
    {
        same(&sample, Weights::standard());
    }
}

#[test]
fn random_weights() {
    let mut rng = SplitMix64::new(12);
    for sample in Games::from_suite(13, "sharp.epd")
        .expect("the start positions")
        .take(POSITIONS)
    {
        same(&sample, &weights::random(&mut rng));
    }
}

fn same(sample: &Sample, weights: &Weights) {
    let mover = match shakmaty::Position::turn(&sample.chess) {
        shakmaty::Color::White => Color::White,
        shakmaty::Color::Black => Color::Black,
    };
    let position = &sample.position;
    let value = naive::evaluate(&Mailbox::from(&sample.chess), mover, weights);
    assert_eq!(
        i32::from(evaluate(position, weights)),
        value,
        "{position} with {weights:?}"
    );
    assert_eq!(
        i32::from(evaluate(&position.mirrored(), weights)),
        value,
        "the mirror image of {position}"
    );
}
