use std::sync::Arc;

use super::*;
use crate::fen::Fen;
use crate::leaf::{Ending, Job, Task, run};
use crate::types::Move;
use crate::weights::Weights;

fn evaluator() -> Arc<Evaluator> {
    Arc::new(Evaluator::new(Weights::standard()))
}

fn positions() -> Vec<Position> {
    let fens = include_str!("../../../../tests/data/standard.perft");
    let fens = fens.lines().filter(|line| !line.starts_with('#'));
    let fens = fens.filter_map(|line| line.split(';').next());
    fens.filter_map(|fen| fen.trim().parse::<Fen>().ok())
        .map(|fen| fen.position)
        .collect()
}

#[test]
fn with_todays_rules_it_answers_as_the_golden_search() {
    let evaluator = evaluator();
    let mut asked = 0;
    for position in positions() {
        for (depth, beta) in [(1, 0), (2, 40), (3, -60), (4, 10), (5, -200), (6, 120)] {
            let [answer, soft] = ["today", "today,soft"].map(|rules| {
                let rules = rules.parse().expect("rules");
                let searcher = Remembering::new(Arc::clone(&evaluator), rules);
                searcher.ask(&position, beta, depth, 0)
            });
            assert_eq!(answer, soft, "{position:?} {depth} {beta}");
            let job = Job {
                pruning: true,
                ..Job::new(position, Task::Search { depth, beta })
            };
            let outcome = run(&job, &evaluator);
            assert_eq!(
                answer.holds,
                Some(outcome.ending == Ending::Lower),
                "{position:?} {depth} {beta}"
            );
            assert_eq!(answer.nodes, outcome.nodes, "{position:?} {depth} {beta}");
            asked += 1;
        }
    }
    assert!(asked >= 36, "{asked} questions");
}

#[test]
fn keys_are_carried_along_as_they_are_computed() {
    for position in positions() {
        for mv in crate::leaf::legal_moves(&position) {
            let next = position.after(mv);
            assert_eq!(
                table::key_after(key(&position), &position, &next),
                key(&next),
                "{position:?} {mv}"
            );
            for reply in crate::leaf::legal_moves(&next) {
                let after = next.after(reply);
                assert_eq!(
                    table::key_after(key(&next), &next, &after),
                    key(&after),
                    "{next:?} {reply}"
                );
            }
        }
    }
}

#[test]
fn what_is_remembered_saves_nodes() {
    let evaluator = evaluator();
    let nodes = |rules: &str| {
        let rules = rules.parse().expect("rules");
        let asked = positions().into_iter().map(|position| {
            let searcher = Remembering::new(Arc::clone(&evaluator), rules);
            let answer = searcher.ask(&position, 20, 8, 0);
            assert!(answer.holds.is_some());
            u64::from(answer.nodes)
        });
        asked.sum::<u64>()
    };
    let today = nodes("today");
    for rules in ["today,table=20", "today,history=two-bits", "today,late-moves", "all"] {
        assert!(nodes(rules) < today, "{rules}: {} nodes, today {today}", nodes(rules));
    }
}

#[test]
fn a_question_asked_again_is_answered_by_the_table() {
    let mut searcher = Remembering::new(evaluator(), Rules::ALL);
    let first = searcher.ask(&Position::initial(), 20, 8, 0);
    let second = searcher.ask(&Position::initial(), 20, 8, 0);
    assert_eq!(first.holds, second.holds);
    assert!(second.nodes * 10 < first.nodes, "{first:?} {second:?}");
    searcher.clear();
    assert_eq!(searcher.ask(&Position::initial(), 20, 8, 0), first);
}

/// A null move, or that the position was there before, proves a bound without a move.
#[test]
fn who_wants_a_move_gets_one() {
    let position: Fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3"
        .parse()
        .expect("a position");
    let searcher = Remembering::new(evaluator(), Rules::ALL);
    searcher.set_game(&[key(&position.position), 1, 2, 3]);
    let mut question = Question {
        position: position.position,
        beta: -100,
        depth: 6,
        node_limit: 0,
        wants_move: false,
    };
    let any = searcher.ask_in_turns(&question, 0, &mut Alone);
    assert_eq!((any.holds, any.best), (Some(true), Move::NONE));
    question.wants_move = true;
    let moving = searcher.ask_in_turns(&question, 0, &mut Alone);
    assert_eq!(moving.holds, Some(true));
    assert!(crate::leaf::legal_moves(&position.position).contains(&moving.best));
    let known = searcher.probe(&position.position).expect("an entry");
    assert!(known.at_least && known.score >= -100 && known.depth >= 5, "{known:?}");
}

/// White, who is lost, has one move, and the position after that move was there before.
#[test]
fn a_position_of_the_way_is_a_draw() {
    let root: Fen = "k7/8/8/8/8/8/3q4/K7 w - - 0 1".parse().expect("a position");
    let root = root.position;
    let moves = crate::leaf::legal_moves(&root);
    assert_eq!(moves.len(), 1);
    let after = key(&root.after(moves[0]));
    let holds = |rules: &str, game: &[u64]| {
        let searcher = Remembering::new(evaluator(), rules.parse().expect("rules"));
        searcher.set_game(game);
        searcher.ask(&root, 0, 4, 0).holds
    };
    let (four, six) = ([after, 1, 2], [after, 1, 2, 3, 4]);
    assert_eq!(holds("all", &[]), Some(false));
    for (rules, expected) in [
        ("all", [true, true]),
        ("all,repetition=4", [true, false]),
        ("all,no-repetition", [false, false]),
    ] {
        assert_eq!([holds(rules, &four), holds(rules, &six)], expected.map(Some), "{rules}");
    }
}

#[test]
fn the_limit_ends_a_question_without_an_answer() {
    let searcher = Remembering::new(evaluator(), Rules::ALL);
    let answer = searcher.ask(&Position::initial(), 20, 12, 1000);
    assert_eq!((answer.holds, answer.nodes), (None, 1000));
}

#[test]
fn rules_are_read_or_refused() {
    assert_eq!("today".parse(), Ok(Rules::TODAY));
    assert_eq!("all".parse(), Ok(Rules::ALL));
    let rules: Rules = "all,no-table,history=bit,reductions=halving,checks"
        .parse()
        .expect("rules");
    assert_eq!((rules.table_bits, rules.history, rules.checks), (0, History::Bit, true));
    for wrong in [
        "",
        "none",
        "all,table=0",
        "all,table=x",
        "all,all",
        "history=three-bits",
    ] {
        assert!(wrong.parse::<Rules>().is_err(), "{wrong}");
    }
}
