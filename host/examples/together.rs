//! How much sooner do many threads of a chip answer one question together, if all that they share is a table?
//!
//! For positions of a suite, the software searches to a depth and gets a score; then the question whether the position is
//! worth a little more, and a little less, goes to the software and to rings of threads. One JSON line a question.
//!
//!     cargo run --release --example together -- SUITE DEPTH RULES [MOST]

use bluebelle::epd;
use bluebelle::evaluation::Evaluator;
use bluebelle::game::Game;
use bluebelle::limits::{Control, Limits};
use bluebelle::report::Silent;
use bluebelle::search::together::{Ring, ask_all};
use bluebelle::search::{Settings, Software};
use bluebelle_spec::Weights;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [suite, depth, rules, most @ ..] = &arguments[..] else {
        return Err("expected SUITE DEPTH RULES [MOST]".into());
    };
    let (depth, rules): (u8, _) = (depth.parse()?, rules.parse()?);
    let most = most.first().map_or(Ok(usize::MAX), |most| most.parse())?;
    let evaluator = Evaluator::new(Weights::standard());
    let rings = [(1, 1), (1, 13), (6, 13)].map(|(cores, threads)| Ring { cores, threads });
    let problems = epd::parse_positions(&std::fs::read_to_string(suite)?, &evaluator)?;
    for (number, problem) in problems.iter().take(most).enumerate() {
        let limits = Limits {
            depth: Some(depth.into()),
            ..Limits::default()
        };
        let game = Game::new(&problem.fen, &evaluator);
        let mut software = Software::new(64);
        let control = Control::new(false);
        let outcome = software.search(&game, &limits, &Settings::default(), &control, &Silent);
        for above in [-12, 12] {
            let Ok(beta) = i16::try_from(outcome.score() + above) else {
                continue;
            };
            let Some(row) = ask_all(&game, (beta, depth), rules, &rings) else {
                continue;
            };
            let rings = row.rings.iter().zip(rings).map(|(together, ring)| {
                serde_json::json!({
                    "cores": ring.cores, "threads": ring.threads, "holds": together.answer.holds,
                    "rounds": together.rounds, "nodes": together.nodes,
                })
            });
            let rings: Vec<_> = rings.collect();
            let line = serde_json::json!({
                "position": number + 1, "depth": depth, "beta": beta, "holds": row.holds,
                "software": row.software, "rings": rings,
            });
            println!("{line}");
        }
    }
    Ok(())
}
