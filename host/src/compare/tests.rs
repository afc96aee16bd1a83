use std::path::PathBuf;
use std::time::Duration;

use bluebelle_spec::{Move, Weights};

use super::*;
use crate::epd;
use crate::evaluation::Evaluator;
use crate::projection::Iteration;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn problem(operations: &str) -> Problem {
    let text = format!("{START} {operations}");
    let mut problems = epd::parse_positions(&text, &Evaluator::new(Weights::standard())).expect("a position");
    problems.remove(0)
}

/// Iterations, each with its end in milliseconds and its move.
fn searched(iterations: &[(u64, Move)]) -> Searched {
    let iteration = |(index, &(milliseconds, best)): (usize, &(u64, Move))| Iteration {
        depth: index as i32 + 1,
        time: Duration::from_millis(milliseconds),
        nodes: 1000 * milliseconds,
        best,
        score: 20,
    };
    Searched::of(iterations.iter().enumerate().map(iteration).collect())
}

#[test]
fn a_wanted_move_is_found_when_it_is_kept() {
    let problem = problem("bm e4; id \"one\";");
    let right = problem.best[0];
    let wrong = Move::NONE;
    let found = |searched: &Searched| row(&problem, searched, searched).software.found;
    assert_eq!(
        found(&searched(&[(1, right), (2, wrong), (4, right), (8, right)])),
        Some(0.004)
    );
    assert_eq!(found(&searched(&[(1, right), (2, wrong)])), None);
    // The last iteration did not end, and changed the move all the same.
    let mut late = searched(&[(1, wrong), (2, wrong)]);
    late.end = Iteration {
        time: Duration::from_millis(3),
        best: right,
        ..late.end
    };
    assert_eq!(found(&late), Some(0.003));
}

#[test]
fn what_is_not_known_of_one_position_is_not_known_of_all() {
    let problem = problem("id \"one\";");
    let alone = searched(&[(5, Move::NONE)]);
    let with = |milliseconds, chip_busy| Searched {
        hardware: Hardware {
            jobs: 2,
            job_nodes: 300,
            host_busy: None,
            line_busy: Some(0.5),
            chip_busy,
        },
        ..searched(&[(milliseconds, Move::NONE)])
    };
    let rows = [
        row(&problem, &alone, &with(1, Some(1.0))),
        row(&problem, &alone, &with(3, Some(0.2))),
    ];
    let total = total(&rows);
    assert_eq!((total.positions, total.wanting, total.same_move), (2, 0, 2));
    assert_eq!((total.hardware.host_busy, total.hardware.line_busy), (None, Some(0.5)));
    // Three milliseconds weigh three times as much as one.
    let chip = total.hardware.chip_busy.expect("known");
    assert!((chip - 0.4).abs() < 1e-9, "{chip}");
    assert_eq!(total.hardware.nodes_per_job(), Some(150.0));
    assert_eq!((total.software.nodes, total.accelerated.nodes), (10_000, 4_000));
    assert!((total.accelerated.nps - 1e6).abs() < 1e-3);
    assert_eq!(Hardware::default().nodes_per_job(), None, "no jobs, no nodes of them");
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("bluebelle-gain-{name}-{}", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn the_result_of_a_match_tells_the_even_odds() {
    let text = r#"{"conditions":{"time":0.1,"seed":1,"first":{"name":"accelerated","boards":"two"}},"finished":true,"matches":[
        {"odds":1.0,"score":{"wins":60,"draws":20,"losses":20},"pairs":[2,8,10,10,20],"share":0.7},
        {"odds":4.0,"score":{"wins":20,"draws":20,"losses":60},"pairs":[20,10,10,8,2],"share":0.3}]}"#;
    let path = file("even", text);
    let strength = Strength::read(&path).expect("a match");
    let even = strength.even_odds.expect("they say");
    assert!(
        (even.odds - 2.0).abs() < 1e-6 && even.low < 2.0 && even.high > 2.0,
        "{even:?}"
    );
    assert_eq!(
        (strength.time, strength.games(), strength.boards.as_str()),
        (0.1, 200, "two")
    );
    let told = strength.to_string();
    assert!(
        told.starts_with("at 0.1 s a move as strong as the software with 2.00 times the time (95 % from 1."),
        "{told}"
    );
    let equal = strength.at_equal_time().expect("a match").to_string();
    let start = "against the software with the same time: +60 =20 -20, 70.0 %, Elo +147 ± ";
    assert!(equal.starts_with(start), "{equal}");
}

#[test]
fn other_files_are_refused() {
    let side = |boards: &str| {
        format!(r#"{{"conditions":{{"time":0.1,"first":{{"boards":{boards}}}}},"finished":true,"matches":[]}}"#)
    };
    let many = r#"{"conditions":{"time":0.1,"first":{"boards":"b"}},"finished":true,"matches":[
        {"odds":1.0,"score":{"wins":4000000000,"draws":4000000000,"losses":0},"pairs":[0,0,0,0,0]}]}"#;
    for (name, text, problem) in [
        ("epd", START, "has no result of a match"),
        (
            "software",
            &side("null"),
            "found a first side without boards, expected a match with --accelerated",
        ),
        (
            "depth",
            &side("\"b\"").replace("0.1", "null"),
            "found no time for a move",
        ),
        ("many", many, "more games than can be"),
    ] {
        let error = Strength::read(&file(name, text)).expect_err(name).to_string();
        assert!(error.contains(problem), "{error}");
    }
    let error = Strength::read(&PathBuf::from("/no/such/file"))
        .expect_err("no file")
        .to_string();
    assert!(error.contains("/no/such/file cannot be read"), "{error}");
}
