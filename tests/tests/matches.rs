//! Matches between Bluebelle and other engines, one game at a time. Too long for `./check`: run them by hand.
//!
//! ```sh
//! cargo build --release -p bluebelle
//! MATCH_OPPONENT="toga2" MATCH_OPTIONS="OwnBook=false" MATCH_OPENINGS=openings.epd MATCH_GAMES=100 MATCH_TIME=2+0.02 \
//!     cargo test --release -p bluebelle-tests --test matches -- --ignored --nocapture a_match
//! ```
//!
//! | variable | meaning | unless given |
//! |---|---|---|
//! | `MATCH_ENGINE`, `MATCH_ENGINE_OPTIONS` | the first engine: its command line, and `Name=value;…` | the release build of Bluebelle |
//! | `MATCH_OPPONENT`, `MATCH_OPTIONS` | the second | Bluebelle too |
//! | `MATCH_OPENINGS` | a FEN a line; each is played with both colours | the initial position |
//! | `MATCH_GAMES` | how many | 100 |
//! | `MATCH_TIME` | seconds for the game + seconds for each move | 2+0.02 |
//! | `MATCH_NODES` | nodes for each move instead of a clock, for comparisons on a machine that is not quiet | clocks |
//! | `MATCH_MARGIN` | milliseconds that a move may overstep | 0 |
//! | `MATCH_LEAD` | centipawns at which a game that both engines see as decided is ended | games are played to the end |
//! | `MATCH_LEAST` | the least share of points, in per cent, for the test to pass | 0 |
//!
//! glaurung wants `Threads=1;OwnBook=false;Ponder=false`, GNU Chess the command `gnuchess -u`.

use std::time::{Duration, Instant};

use bluebelle_tests::arena::{Ending, Engine, Pairing, Tally, TimeControl, play};

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn number(name: &str, default: u32) -> u32 {
    variable(name).map_or(default, |value| value.parse().expect("a number"))
}

fn bluebelle() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/bluebelle").to_owned()
}

fn time_control(text: &str) -> TimeControl {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| Duration::from_secs_f64(text.parse().expect("seconds"));
    TimeControl {
        base: seconds(base),
        increment: seconds(increment),
        margin: Duration::from_millis(u64::from(number("MATCH_MARGIN", 0))),
    }
}

#[test]
#[ignore = "takes as long as its games; the head of this file tells how to run it"]
fn a_match() {
    let command = variable("MATCH_ENGINE").unwrap_or_else(bluebelle);
    let opponent = variable("MATCH_OPPONENT").unwrap_or_else(bluebelle);
    let options = variable("MATCH_ENGINE_OPTIONS").unwrap_or_default();
    let opponent_options = variable("MATCH_OPTIONS").unwrap_or_default();
    let time = time_control(&variable("MATCH_TIME").unwrap_or_else(|| "2+0.02".to_owned()));
    let openings = match variable("MATCH_OPENINGS") {
        Some(file) => std::fs::read_to_string(file).expect("the openings"),
        None => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
    };
    let openings: Vec<&str> = openings.lines().filter(|line| !line.trim().is_empty()).collect();

    let mut first = Engine::start(&command, &options).expect("the first engine");
    let mut second = Engine::start(&opponent, &opponent_options).expect("the second engine");
    let mut tally = Tally::default();
    let started = Instant::now();
    for game in 0..number("MATCH_GAMES", 100) as usize {
        // Openings from all over the file, each twice.
        let fen = openings[(game / 2 * 7) % openings.len()];
        let first_is_white = game % 2 == 0;
        let engines = match first_is_white {
            true => [&mut first, &mut second],
            false => [&mut second, &mut first],
        };
        let mut pairing = Pairing {
            engines,
            fen,
            time,
            nodes: variable("MATCH_NODES").map(|nodes| nodes.parse().expect("nodes")),
            agreed_lead: variable("MATCH_LEAD").map(|lead| lead.parse().expect("centipawns")),
        };
        let ending = play(&mut pairing);
        tally.add(&ending, first_is_white);
        if let Ending::Forfeit { .. } = ending {
            println!("game {game} from {fen}: {ending:?}");
            first = Engine::start(&command, &options).expect("the first engine");
            second = Engine::start(&opponent, &opponent_options).expect("the second engine");
        }
        println!("{tally} ({:.0} s)", started.elapsed().as_secs_f64());
    }
    let ours = tally.faults[0];
    assert_eq!(
        (ours.time, ours.illegal, ours.gone),
        (0, 0, 0),
        "games lost by a fault of the first engine"
    );
    let least = f64::from(number("MATCH_LEAST", 0)) / 100.0;
    assert!(tally.score.share() >= least, "{tally}");
}
