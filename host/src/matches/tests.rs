//! Matches as a whole, of software against software with few nodes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use bluebelle_spec::Weights;

use super::*;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::projection::FIXED_NODE;

/// The opponent has a quarter of the time: 600 nodes against 150.
fn plan(games: u32) -> Plan {
    let openings = Openings::built_in(&Evaluator::new(Weights::standard())).expect("openings");
    Plan {
        games: Some(games),
        sprt: None,
        time: FIXED_NODE * 600,
        odds: vec![0.25],
        seed: 7,
        jobs: 2,
        openings: openings.shuffled(7),
        sides: ["stronger", "weaker"].map(|name| PlayerSpec::software(name, 1)),
    }
}

fn played(plan: &Plan, ledger: Option<&Path>) -> Result<Summary, MatchError> {
    run(plan, &player, ledger, &AtomicBool::new(false), &mut |_| Ok(()))
}

fn json(summary: &Summary) -> String {
    serde_json::to_string_pretty(summary).expect("JSON")
}

/// A path in a folder of this test's own.
fn file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bluebelle-matches-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

#[test]
fn more_time_wins_and_the_games_at_once_change_nothing() {
    let mut plan = plan(20);
    let summary = played(&plan, None).expect("a match");
    let one = &summary.matches[0];
    assert!(summary.finished && one.score.games() == 20);
    assert!(one.share > 0.7, "{}", one.standing());
    assert!(one.first.mean_depth > one.opponent.mean_depth + 0.5);
    assert!((one.first.nodes_per_second - 1e9 / 430.0).abs() < 1.0);
    plan.jobs = 1;
    assert_eq!(json(&played(&plan, None).expect("a match")), json(&summary));
    plan.seed = 8;
    let other = played(&plan, None).expect("a match");
    assert_eq!(other.conditions.behaviour, summary.conditions.behaviour);
}

#[test]
fn games_are_told_in_order_with_their_pairs() {
    let plan = plan(5);
    let mut told = Vec::new();
    let mut hear = |heard: Heard<'_>| {
        if let Heard::Game {
            record, standing, left, ..
        } = heard
        {
            let moves = record.moves.split(' ').count();
            assert_eq!(
                (record.plies, record.opening.as_str()),
                (moves, plan.opening(record.game).id.as_str())
            );
            assert!(left.is_some());
            told.push((
                record.game,
                record.white,
                standing.score.games(),
                standing.pairs.iter().sum::<u32>(),
            ));
        }
        Ok(())
    };
    run(&plan, &player, None, &AtomicBool::new(false), &mut hear).expect("a match");
    let (first, opponent) = (Side::First, Side::Opponent);
    let expected = [
        (1, first, 1, 0),
        (2, opponent, 2, 1),
        (3, first, 3, 1),
        (4, opponent, 4, 2),
        (5, first, 5, 2),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_torn_ledger_goes_on_to_the_same_end() {
    let plan = plan(6);
    let whole = played(&plan, None).expect("a match");
    let path = file("torn");
    assert_eq!(json(&played(&plan, Some(&path)).expect("a match")), json(&whole));
    let text = std::fs::read(&path).expect("a ledger");
    let ends: Vec<usize> = (0..text.len()).filter(|&at| text[at] == b'\n').collect();
    assert_eq!(ends.len(), 7);
    // In the conditions, after them, in a game, before the end of a line, after the last game.
    for cut in [0, 20, ends[0] + 1, ends[2] + 30, ends[3], ends[6] + 1] {
        std::fs::write(&path, &text[..cut]).expect("a torn ledger");
        let (mut messages, mut resumed) = (Vec::new(), 0);
        let mut hear = |heard: Heard<'_>| {
            match heard {
                Heard::Message(text) => messages.push(text.to_owned()),
                Heard::Game {
                    resumed: is_resumed, ..
                } => resumed += usize::from(is_resumed),
            }
            Ok(())
        };
        let again = run(&plan, &player, Some(&path), &AtomicBool::new(false), &mut hear).expect("a match");
        assert_eq!(json(&again), json(&whole), "cut at {cut}");
        let told = messages
            .iter()
            .any(|message| message.contains("had no end, as after a kill"));
        assert_eq!(told, cut > 0 && text[cut - 1] != b'\n', "cut at {cut}: {messages:?}");
        let lines = ends.iter().filter(|&&end| end < cut).count();
        assert_eq!(
            messages.iter().any(|message| message.contains("finished games")),
            lines > 1
        );
        assert!(resumed < lines.max(1), "{resumed} games of {lines} lines");
        let mut lines: Vec<String> = std::fs::read_to_string(&path)
            .expect("text")
            .lines()
            .map(str::to_owned)
            .collect();
        lines.sort_unstable();
        let mut before: Vec<&str> = std::str::from_utf8(&text).expect("text").lines().collect();
        before.sort_unstable();
        assert_eq!(lines, before, "the same games, whichever ended first");
    }
}

#[test]
fn a_ledger_can_be_extended_and_has_more_than_is_asked_for() {
    let path = file("extended");
    let (short, long) = (plan(2), plan(4));
    let first = played(&short, Some(&path)).expect("a match");
    let extended = played(&long, Some(&path)).expect("a match");
    assert_eq!(json(&extended), json(&played(&long, None).expect("a match")));
    assert_eq!(json(&played(&short, Some(&path)).expect("a match")), json(&first));
}

#[test]
fn ledgers_of_something_else_are_refused() {
    let path = file("refused");
    let mut plan = plan(2);
    let refusal = |plan: &Plan| played(plan, Some(&path)).expect_err("a refusal").to_string();
    for text in [
        "[Event \"?\"]\n",
        "precious, without an end of line",
        "{\"depth\":3}\n",
        "\u{7f}\n",
    ] {
        std::fs::write(&path, text).expect("a file");
        let error = refusal(&plan);
        assert!(error.contains("is no ledger: found '"), "{error}");
        assert_eq!(
            std::fs::read_to_string(&path).expect("a file"),
            text,
            "it is left alone"
        );
    }
    std::fs::write(&path, [0xff, 0xfe, b'\n']).expect("a file");
    assert!(refusal(&plan).contains("is no ledger"));

    std::fs::remove_file(&path).expect("a file");
    played(&plan, Some(&path)).expect("a match");
    plan.seed = 9;
    plan.sides[1].hash = 2;
    let error = refusal(&plan);
    assert!(
        error.contains("(opponent.hash: 1 in the ledger, 2 now; seed: 7 in the ledger, 9 now)"),
        "{error}"
    );
    plan.seed = 7;
    plan.sides[1].hash = 1;

    let text = std::fs::read_to_string(&path).expect("a ledger");
    let write = |text: String| std::fs::write(&path, text).expect("a ledger");
    let last = text.lines().last().expect("a game");
    write(format!("{text}{last}\n"));
    assert!(refusal(&plan).contains("line 4"), "{}", refusal(&plan));
    assert!(refusal(&plan).contains("expected each game once"));
    write(text.replace("\"game\":1,", "\"game\":0,"));
    assert!(
        refusal(&plan).contains("found game 0 at odds 0.25"),
        "{}",
        refusal(&plan)
    );
    write(text.replace("\"game\":1,", "\"game\":3,"));
    assert!(refusal(&plan).contains("expected 'opening"), "{}", refusal(&plan));
    write(format!("{text}{{}}\n"));
    assert!(refusal(&plan).contains("line 4 of the ledger") && refusal(&plan).contains("has no game"));
    let missing = file("no-folder").join("ledger");
    let error = played(&plan, Some(&missing)).expect_err("no folder").to_string();
    assert!(error.starts_with("cannot open the ledger"), "{error}");
}

#[test]
fn a_search_that_has_changed_has_a_ledger_of_its_own() {
    /// Counts a node more than the search that it is.
    struct Changed(SoftwarePlayer);

    impl Player for Changed {
        fn new_game(&mut self) {
            self.0.new_game();
        }

        fn choose(&mut self, game: &Game, time: Duration) -> std::io::Result<Decision> {
            let decision = self.0.choose(game, time)?;
            Ok(Decision {
                nodes: decision.nodes + 1,
                ..decision
            })
        }
    }

    let path = file("changed");
    let plan = plan(1);
    let before = played(&plan, Some(&path)).expect("a match");
    assert!(
        before.conditions.behaviour[0] > 1000,
        "{:?}",
        before.conditions.behaviour
    );
    let factory = |side: Side, spec: &PlayerSpec| match side {
        Side::First => Ok(Box::new(Changed(SoftwarePlayer::new(spec)?)) as Box<dyn Player + Send>),
        Side::Opponent => player(side, spec),
    };
    let error = run(&plan, &factory, Some(&path), &AtomicBool::new(false), &mut |_| Ok(())).expect_err("other nodes");
    assert!(error.to_string().contains("(behaviour: ["), "{error}");
}

#[test]
fn two_matches_do_not_write_to_one_ledger() {
    let path = file("busy");
    let plan = plan(1);
    let held = Ledger::open(&path, &Conditions::new(&plan, [0, 0]), &plan).expect("a ledger");
    let error = played(&plan, Some(&path)).expect_err("busy").to_string();
    assert!(error.starts_with("another match writes to the ledger"), "{error}");
    drop(held);
}

#[test]
fn a_sequential_test_ends_when_it_knows() {
    let mut plan = plan(100);
    plan.sprt = Some(Sprt { elo0: 0.0, elo1: 200.0 });
    let summary = played(&plan, None).expect("a match");
    let test = summary.matches[0].sprt.expect("a test");
    assert_eq!(test.verdict, Verdict::Accepted, "{test:?}");
    assert!(summary.finished && summary.matches[0].score.games() < 60);
    plan.jobs = 1;
    assert_eq!(
        json(&played(&plan, None).expect("a match")),
        json(&summary),
        "not a game more"
    );
}

#[test]
fn several_odds_say_when_the_match_is_even() {
    let mut plan = plan(12);
    plan.time = FIXED_NODE * 200;
    plan.odds = vec![0.25, 1.0, 4.0];
    let summary = played(&plan, None).expect("a match");
    let shares: Vec<f64> = summary.matches.iter().map(|each| each.share).collect();
    assert!(shares[0] > shares[2] + 0.3, "{shares:?}");
    let even = summary.even_odds.expect("they say");
    assert!(even.low < 1.2 && even.high > 0.8 && even.low < even.high, "{even:?}");
}

#[test]
fn a_match_that_is_stopped_tells_how_it_stands() {
    let plan = plan(1000 / 2);
    let stop = AtomicBool::new(false);
    let mut hear = |heard: Heard<'_>| {
        if let Heard::Game { record, .. } = heard {
            stop.store(record.game == 2, Relaxed);
        }
        Ok(())
    };
    let summary = run(&plan, &player, None, &stop, &mut hear).expect("a match");
    assert!(!summary.finished);
    assert!((2..=6).contains(&summary.matches[0].score.games()));
}

#[test]
fn what_fails_ends_the_match() {
    let plan = plan(4);
    let mut deaf = |heard: Heard<'_>| match heard {
        Heard::Game { .. } => Err(std::io::ErrorKind::BrokenPipe.into()),
        Heard::Message(_) => Ok(()),
    };
    let error = run(&plan, &player, None, &AtomicBool::new(false), &mut deaf).expect_err("a closed pipe");
    assert!(matches!(error, MatchError::Heard(_)), "{error}");
    let broken = |side: Side, spec: &PlayerSpec| match spec.seed % 2 {
        _ if side == Side::Opponent => player(side, spec),
        0 => Err(std::io::Error::other("the board is unplugged")),
        _ => player(side, spec),
    };
    let error = run(&plan, &broken, None, &AtomicBool::new(false), &mut |_| Ok(())).expect_err("a broken board");
    assert!(error.to_string().contains("the board is unplugged"), "{error}");
}

#[test]
fn plans_that_cannot_be_played_are_refused() {
    let refusal = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan(2);
        change(&mut plan);
        plan.check().expect_err("a refusal").to_string()
    };
    assert!(refusal(&|plan| plan.games = Some(0)).starts_with("found 0 games"));
    assert!(refusal(&|plan| plan.games = Some(100_000)).contains("two for each of"));
    assert!(refusal(&|plan| plan.odds = vec![1.0, 0.0]).starts_with("found odds of 0"));
    assert!(refusal(&|plan| plan.odds = vec![f64::NAN]).starts_with("found odds of NaN"));
    assert!(refusal(&|plan| plan.odds = vec![2.0, 2.0]).contains("each of them once"));
    assert!(refusal(&|plan| plan.sides[0].depth = Some(3)).contains("with a depth"));
    assert!(refusal(&|plan| plan.sprt = Some(Sprt { elo0: 5.0, elo1: 0.0 })).contains("the lower one first"));
    let both = |plan: &mut Plan| {
        plan.odds = vec![1.0, 2.0];
        plan.sprt = Some(Sprt { elo0: 0.0, elo1: 5.0 });
    };
    assert!(refusal(&both).contains("one odds only"));
    let mut parity = plan(2);
    parity.odds = vec![1.0];
    for side in &mut parity.sides {
        side.depth = Some(3);
    }
    let summary = played(&parity, None).expect("a match");
    let depth = summary.matches[0].first.mean_depth;
    assert!((depth - 3.0).abs() < 1e-9, "{depth}");
    assert!(Duration::from_secs(1) > parity.time);
}
