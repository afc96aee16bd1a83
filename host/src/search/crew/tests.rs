use std::cell::Cell;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bluebelle_spec::leaf::{self, Ending, Job};
use bluebelle_spec::{Fen, Weights};

use super::*;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::meter::WorkMeter;
use crate::report::{Line, Outcome, Silent};
use crate::score::{MATE, UciScore};
use crate::search::{Memory, Settings, Signals, Software};
use crate::table::Table;

/// The positions of two files, and some of what they lead to.
fn positions() -> Vec<Fen> {
    let files = [
        include_str!("../../../../tests/data/sharp.epd"),
        include_str!("../../command/bench.epd"),
    ];
    let read = files.into_iter().flat_map(str::lines).filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        format!("{} 0 1", fields.join(" ")).parse().ok()
    });
    let mut fens: Vec<Fen> = read.collect();
    for index in 0..fens.len() {
        let moves = leaf::legal_moves(&fens[index].position);
        if let Some(&mv) = moves.get(moves.len() / 2) {
            fens.push(Fen {
                position: fens[index].position.after(mv),
                ..fens[index]
            });
        }
    }
    fens
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn search(fen: &Fen, limits: Limits, with: (Resources, Asking), questions: &dyn Questions) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let evaluator = Arc::new(Evaluator::new(Weights::standard()));
    let signals = Arc::new(Signals::new(1));
    let task = Task {
        game: Game::new(fen, &evaluator),
        limits,
        settings: Settings::default(),
        table: Arc::new(Table::new(8)),
        evaluator,
        memory: Memory::default(),
        signals: Arc::clone(&signals),
        time: Arc::new(Control::new(false)),
        listener: Arc::new(Silent),
        thread: 0,
        known: None,
    };
    let lines: Vec<Line> = runtime.block_on(async {
        let look = Duration::from_millis(1);
        let mut drive = Drive::new(task, Role::Leads, with, questions, &WorkMeter::default(), look);
        let lines = (&mut drive).await;
        assert!(drive.into_memory().is_some(), "a member is still at work");
        lines
    });
    Outcome {
        lines,
        nodes: signals.all_nodes(),
        time: Duration::ZERO,
    }
}

fn alone(fen: &Fen, limits: &Limits) -> Outcome {
    let mut software = Software::new(8);
    let game = Game::new(fen, &software.evaluator());
    software.search(&game, limits, &Settings::default(), &Control::new(false), &Silent)
}

fn crew(questions: usize) -> (Resources, Asking) {
    (Resources::of_crew(questions), Asking::default())
}

/// With one question at a time, which the search answers itself, a crew is the software.
#[test]
fn one_member_visits_the_nodes_of_the_software() {
    let positions = positions();
    assert!(positions.len() >= 100, "{} positions", positions.len());
    for fen in &positions[..100] {
        let (expected, found) = (alone(fen, &depth(7)), search(fen, depth(7), crew(1), &NoQuestions));
        assert_eq!(found.nodes, expected.nodes, "{fen:?}");
        let moves = |outcome: &Outcome| outcome.lines.first().map(|line| (line.score, line.moves.clone()));
        assert_eq!(moves(&found), moves(&expected), "{fen:?}");
    }
}

#[test]
fn many_members_take_the_same_course_each_time_and_tell_legal_lines() {
    let evaluator = Evaluator::new(Weights::standard());
    let mut others = 0;
    for fen in positions().iter().step_by(5) {
        let play = || search(fen, depth(8), crew(9), &NoQuestions);
        let (first, second) = (play(), play());
        let course = |outcome: &Outcome| (outcome.nodes, outcome.lines.first().map(|line| line.moves.clone()));
        assert_eq!(course(&first), course(&second), "{fen:?}");
        others += usize::from(first.nodes != alone(fen, &depth(8)).nodes);
        let mut game = Game::new(fen, &evaluator);
        for &mv in first.lines.first().map_or(&[][..], |line| &line.moves) {
            assert!(game.board().is_legal(mv), "{mv} in {first:?}");
            game.play(mv, &evaluator);
        }
    }
    assert!(others > 10, "the moves of nodes were shared in {others} positions only");
}

#[test]
fn mates_are_found_and_told() {
    for (fen, plies, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 3, 1),
        ("6k1/5ppp/8/8/8/8/2r2PPP/1R4K1 w - - 0 1", 6, 2),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1", 8, 2),
    ] {
        let outcome = search(&fen.parse().unwrap(), depth(plies), crew(5), &NoQuestions);
        assert_eq!(UciScore(outcome.score()).mate(), Some(moves), "{fen}: {outcome:?}");
    }
    let mated = search(
        &"7k/8/6K1/5Q2/8/8/8/8 b - - 0 1".parse().unwrap(),
        depth(8),
        crew(5),
        &NoQuestions,
    );
    assert_eq!(mated.score(), 2 - MATE, "{mated:?}");
}

/// A board that answers by the golden search once the answer was asked for `late` times; `late` grows with each question.
struct Golden {
    evaluator: bluebelle_spec::Evaluator,
    asked: Cell<u32>,
    lateness: u32,
}

impl Golden {
    fn new(lateness: u32) -> Golden {
        Golden {
            evaluator: bluebelle_spec::Evaluator::new(Weights::standard()),
            asked: Cell::new(0),
            lateness,
        }
    }
}

struct Late {
    polls: u32,
    reply: Option<Reply>,
}

impl Future for Late {
    type Output = Option<Reply>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Reply>> {
        context.waker().wake_by_ref();
        match self.polls.checked_sub(1) {
            None => Poll::Ready(self.reply),
            Some(left) => {
                self.polls = left;
                Poll::Pending
            }
        }
    }
}

impl Questions for Golden {
    fn put(&self, question: &Question) -> Answering {
        let task = leaf::Task::Search {
            depth: question.depth,
            beta: question.beta,
        };
        let job = Job {
            pruning: true,
            node_limit: question.node_limit,
            ..Job::new(question.position, task)
        };
        let outcome = leaf::run(&job, &self.evaluator);
        let number = self.asked.get();
        self.asked.set(number + 1);
        let known = matches!(outcome.ending, Ending::Lower | Ending::Upper);
        Box::pin(Late {
            polls: number * 7 % (self.lateness + 1),
            reply: known.then_some(Reply {
                holds: outcome.ending == Ending::Lower,
                best: outcome.best,
                nodes: outcome.nodes,
            }),
        })
    }
}

fn asking(races: bool) -> (Resources, Asking) {
    let board = Resources {
        cores: 4,
        threads: 13,
        slots_per_second: 1e8,
        gangs: true,
        max_depth: 24,
        ..Resources::default()
    };
    (board, Asking { from: Some(3), races })
}

#[test]
fn answers_are_used_whenever_they_come() {
    let fen: Fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
        .parse()
        .unwrap();
    let expected = alone(&fen, &depth(9));
    for races in [false, true] {
        for lateness in [0, 5, 40, 300] {
            let golden = Golden::new(lateness);
            let outcome = search(&fen, depth(9), asking(races), &golden);
            let asked = golden.asked.get();
            assert!(asked > 100, "{asked} questions, {lateness} polls late");
            assert!(outcome.nodes > 0 && outcome.lines[0].depth == 9);
            let near = (outcome.score() - expected.score()).abs();
            assert!(near < 80, "{} and {} centipawns", outcome.score(), expected.score());
        }
    }
}

#[test]
fn mates_are_not_left_to_boards() {
    let fen = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1"
        .parse()
        .unwrap();
    let outcome = search(&fen, depth(8), asking(true), &Golden::new(20));
    assert_eq!(UciScore(outcome.score()).mate(), Some(2), "{outcome:?}");
}

/// A board that never answers.
struct Silence;

impl Questions for Silence {
    fn put(&self, _question: &Question) -> Answering {
        Box::pin(std::future::pending())
    }
}

#[test]
fn a_silent_board_keeps_no_search_from_its_end() {
    let fen = positions()[0];
    let outcome = search(&fen, depth(8), asking(true), &Silence);
    assert_eq!(outcome.lines[0].depth, 8);
    // Without races, all wait; but not for longer than the clock says.
    let timed = Limits {
        movetime: Some(Duration::from_millis(150)),
        ..Limits::default()
    };
    let began = std::time::Instant::now();
    let outcome = search(&fen, timed, asking(false), &Silence);
    assert!(!outcome.lines.is_empty() && outcome.lines[0].depth < 8);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_limit_of_nodes_is_kept() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
        .parse()
        .unwrap();
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let outcome = search(&fen, limits, crew(6), &NoQuestions);
    assert!((19_000..20_100).contains(&outcome.nodes), "{}", outcome.nodes);
}
