//! Prints positions from games that the golden search plays against itself, each from a few random moves on:
//! `cargo run --release -p bluebelle-spec --example positions -- COUNT SEED`.
//!
//! The benchmark's `data/varied.epd` was made so, with 200 and 1.

use bluebelle_spec::leaf::{self, Job, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Evaluator, Position, Weights};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(count)), Some(Ok(seed))) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: positions COUNT SEED");
        std::process::exit(2);
    };
    let mut random = SplitMix64::new(seed);
    let evaluator = Evaluator::new(Weights::standard());
    let mut printed = 0;
    while printed < count {
        let stop = 8 + random.below(80);
        if let Some(position) = play(&mut random, &evaluator, stop) {
            println!("{position}");
            printed += 1;
        }
    }
}

/// The position after `stop` plies of a game, if it lasts that long.
fn play(random: &mut SplitMix64, evaluator: &Evaluator, stop: u64) -> Option<Position> {
    let mut position = Position::initial();
    for ply in 0..stop {
        let moves = leaf::legal_moves(&position);
        let noise = if ply < 8 { 200 } else { 25 };
        let best = moves.into_iter().max_by_key(|&mv| {
            let child = position.after(mv);
            let ask = |betas: &[i16]| {
                let run = |&beta: &i16| leaf::run(&Job::new(child, Task::Search { depth: 1, beta }), evaluator);
                Some(betas.iter().map(run).collect())
            };
            let value = leaf::resolve(-2000, 2000, 0, 1, ask).map_or(0, |resolved| i64::from(resolved.score));
            random.below(noise) as i64 - value
        })?;
        position = position.after(best);
    }
    (!leaf::legal_moves(&position).is_empty()).then_some(position)
}
