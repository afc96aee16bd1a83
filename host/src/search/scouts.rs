//! A study: all threads of a chip search the root's iterations ahead of the host, and the host takes what they found.
//!
//! The host searches as it does without a board, and waits for nothing. Meanwhile each thread of the chip puts one
//! null-window question about the root after another to itself, by the
//! [rules under study](bluebelle_spec::leaf::remember); all of them share the chip's table. Where the host comes to a
//! node that the chip's table answers, the host takes the answer.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bluebelle_spec::leaf::MAX_DEPTH;
use bluebelle_spec::leaf::remember::{Question, Remembering, Turns};
use bluebelle_spec::{Move, Position};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::ideal::IdealWork;
use super::team::{Answered, Asked, Heard, Team};
use super::together::{Ring, new_stack};
use crate::board::Board;

/// How the threads of a chip scout, and what of theirs is believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scouts {
    /// The threads.
    pub ring: Ring,
    /// Nodes of each thread in the time of one node of the software.
    pub rate: f64,
    /// Plies that an entry of the chip must be deeper than the host's node.
    pub margin: i32,
    /// Nodes of at least this depth are looked up.
    pub least: i32,
}

/// A bound that is not known yet.
const UNKNOWN: i32 = 32_000;

/// How far apart the bounds of an iteration's value may stay.
const GRAIN: i32 = 8;

/// How far from the expected value the first questions of an iteration are.
const STEP: i32 = 6;

/// One thread in this many, at most, searches the same iteration.
const SHARE: usize = 3;

/// What the threads know of the root.
struct Knowledge {
    /// The host's iteration.
    iteration: Cell<i32>,
    /// The host's value of the root.
    score: Cell<i32>,
    /// Between which bounds the root's value lies, by depth.
    bounds: RefCell<Vec<(i32, i32)>>,
    /// Threads at work, by depth.
    at_work: RefCell<Vec<usize>>,
    threads: usize,
}

impl Knowledge {
    fn new(threads: usize) -> Knowledge {
        Knowledge {
            iteration: Cell::new(1),
            score: Cell::new(0),
            bounds: RefCell::new(vec![(-UNKNOWN, UNKNOWN); usize::from(MAX_DEPTH) + 2]),
            at_work: RefCell::new(vec![0; usize::from(MAX_DEPTH) + 2]),
            threads,
        }
    }

    /// The next question, as depth and bound.
    fn plan(&self) -> (u8, i32) {
        let (bounds, at_work) = (self.bounds.borrow(), self.at_work.borrow());
        let mut center = self.score.get();
        let first = (self.iteration.get() + 1).clamp(1, MAX_DEPTH.into());
        for depth in first..i32::from(MAX_DEPTH) {
            let (lower, upper) = bounds[depth as usize];
            let known = (lower > -UNKNOWN, upper < UNKNOWN);
            if upper - lower <= GRAIN {
                center = (lower + upper) / 2;
                continue;
            }
            match known {
                (true, true) => center = (lower + upper) / 2,
                (true, false) => center = center.max(lower),
                (false, true) => center = center.min(upper),
                (false, false) => {}
            }
            let count = at_work[depth as usize];
            if count >= self.threads.div_ceil(SHARE) {
                continue;
            }
            // Farther with each thread that asks already, and with the distance that was a surprise.
            let surprise = match known {
                (true, false) => lower - self.score.get(),
                (false, true) => self.score.get() - upper,
                _ => 0,
            };
            let wide = STEP + 2 * STEP * (count as i32 / 6) + surprise.max(0) / 2;
            let beta = match (known, count % 2) {
                ((true, true), _) => (lower + upper + 1) / 2,
                ((true, false), _) => lower + 1 + wide,
                ((false, true), _) => upper - wide,
                ((false, false), 0) => center + 1,
                ((false, false), _) => center - wide,
            };
            return (depth as u8, beta.clamp(lower + 1, upper));
        }
        (MAX_DEPTH, center)
    }

    fn learn(&self, depth: u8, beta: i32, holds: bool) {
        let mut bounds = self.bounds.borrow_mut();
        let (lower, upper) = &mut bounds[usize::from(depth)];
        if holds {
            *lower = (*lower).max(beta);
            *upper = (*upper).max(beta);
        } else {
            *upper = (*upper).min(beta - 1);
            *lower = (*lower).min(beta - 1);
        }
    }

    fn is_settled(&self, depth: u8, beta: i32) -> bool {
        let (lower, upper) = self.bounds.borrow()[usize::from(depth)];
        i32::from(depth) <= self.iteration.get() || beta <= lower || beta > upper
    }
}

/// A thread's turns: a node each.
struct Member<'y> {
    yielder: &'y Yielder<bool, ()>,
    knowledge: &'y Knowledge,
    question: (u8, i32),
    over: &'y Cell<bool>,
    nodes: u64,
}

impl Turns for Member<'_> {
    const SHARES: bool = true;

    fn node(&mut self) -> bool {
        if self.yielder.suspend(()) {
            self.over.set(true);
        }
        self.nodes += 1;
        let (depth, beta) = self.question;
        self.over.get() || self.nodes.is_multiple_of(64) && self.knowledge.is_settled(depth, beta)
    }
}

/// The team of a search with scouts.
pub(crate) struct ScoutTeam<'b> {
    scouts: Scouts,
    board: Rc<Remembering>,
    knowledge: Rc<Knowledge>,
    threads: Vec<Coroutine<bool, (), (), DefaultStack>>,
    work: &'b mut IdealWork,
    due: f64,
}

impl<'b> ScoutTeam<'b> {
    pub(crate) fn new(
        scouts: Scouts,
        board: Rc<Remembering>,
        root: Position,
        work: &'b mut IdealWork,
    ) -> ScoutTeam<'b> {
        board.begin_search();
        let count = scouts.ring.cores * scouts.ring.threads;
        let knowledge = Rc::new(Knowledge::new(count));
        let threads = (0..count).map(|index| {
            let (board, knowledge) = (Rc::clone(&board), Rc::clone(&knowledge));
            let life = move |yielder: &Yielder<bool, ()>, _: bool| {
                let over = Cell::new(false);
                while !over.get() {
                    let (depth, beta) = knowledge.plan();
                    knowledge.at_work.borrow_mut()[usize::from(depth)] += 1;
                    let question = Question {
                        position: root,
                        beta: beta as i16,
                        depth,
                        node_limit: 0,
                        wants_move: true,
                    };
                    let mut member = Member {
                        yielder,
                        knowledge: &knowledge,
                        question: (depth, beta),
                        over: &over,
                        nodes: 0,
                    };
                    let answer = board.ask_in_turns(&question, index % scouts.ring.cores, &mut member);
                    knowledge.at_work.borrow_mut()[usize::from(depth)] -= 1;
                    if let Some(holds) = answer.holds {
                        knowledge.learn(depth, beta, holds);
                    }
                }
            };
            Coroutine::with_stack(new_stack(), life)
        });
        ScoutTeam {
            threads: threads.collect(),
            scouts,
            board,
            knowledge,
            work,
            due: 0.0,
        }
    }
}

impl Drop for ScoutTeam<'_> {
    fn drop(&mut self) {
        for thread in &mut self.threads {
            while let CoroutineResult::Yield(()) = thread.resume(true) {}
        }
    }
}

impl Team for ScoutTeam<'_> {
    const SHARES: bool = true;
    const NODES_A_TURN: u64 = 16;
    const HINTS: bool = true;

    fn begin_iteration(&mut self, depth: i32) {
        self.knowledge.iteration.set(depth);
    }

    fn root_score(&mut self, score: i32) {
        self.knowledge.score.set(score);
    }

    fn pause(&mut self) {
        self.due += Self::NODES_A_TURN as f64 * self.scouts.rate;
        while self.due >= 1.0 {
            self.due -= 1.0;
            for thread in &mut self.threads {
                if !thread.done() {
                    thread.resume(false);
                }
            }
            self.work.nodes += self.threads.len() as u64;
        }
    }

    #[inline]
    fn may_ask(&self, depth: i32) -> bool {
        depth >= self.scouts.least
    }

    fn ask(&mut self, asked: Asked<'_>) -> Heard {
        let Ok(position) = asked.board.position() else {
            return Heard::Nothing;
        };
        let Some(known) = self.board.probe(&position) else {
            return Heard::Nothing;
        };
        let settles = match known.at_least {
            true => i32::from(known.score) >= asked.beta,
            false => i32::from(known.score) < asked.beta,
        };
        if i32::from(known.depth) < asked.depth + self.scouts.margin || !settles {
            return Heard::Nothing;
        }
        self.work.questions += 1;
        Heard::Answer(Answered {
            holds: known.at_least,
            best: known.best,
            worth: i32::from(known.depth) - self.scouts.margin,
        })
    }

    fn hint(&mut self, board: &Board) -> Move {
        let known = board.position().ok().map(|position| self.board.best_move(&position));
        known.unwrap_or(Move::NONE)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bluebelle_spec::{Evaluator, Weights};

    use super::*;
    use crate::game::Game;
    use crate::limits::Limits;
    use crate::search::Software;

    /// Threads that ask one after the other, and are answered by a value for each depth.
    fn settle(knowledge: &Knowledge, value: impl Fn(u8) -> i32) -> usize {
        let mut questions = 0;
        loop {
            let (depth, beta) = knowledge.plan();
            if depth == MAX_DEPTH {
                return questions;
            }
            assert!(!knowledge.is_settled(depth, beta), "{depth} {beta}");
            knowledge.learn(depth, beta, value(depth) >= beta);
            questions += 1;
        }
    }

    #[test]
    fn bounds_close_round_the_value_of_each_iteration() {
        for value in [-20_000, -700, -3, 0, 9, 350, 25_000] {
            let knowledge = Knowledge::new(13);
            knowledge.score.set(0);
            let questions = settle(&knowledge, |_| value);
            let bounds = knowledge.bounds.borrow();
            for depth in 2..usize::from(MAX_DEPTH) {
                let (lower, upper) = bounds[depth];
                assert!(
                    lower <= value && value <= upper && upper - lower <= GRAIN,
                    "{value}: {depth}"
                );
            }
            assert!(questions < 1_000, "{value}: {questions} questions");
        }
    }

    #[test]
    fn threads_are_ahead_of_the_host_and_not_all_at_one_depth() {
        let knowledge = Knowledge::new(78);
        knowledge.iteration.set(9);
        let mut depths = Vec::new();
        for _ in 0..78 {
            let (depth, _) = knowledge.plan();
            knowledge.at_work.borrow_mut()[usize::from(depth)] += 1;
            depths.push(depth);
        }
        for depth in 10..13 {
            assert_eq!(depths.iter().filter(|&&other| other == depth).count(), 26);
        }
        assert!(knowledge.is_settled(9, 0), "the host is there");
        assert!(!knowledge.is_settled(10, 0));
    }

    #[test]
    fn scouts_deepen_the_search_and_the_same_search_takes_the_same_course() {
        let limits = Limits {
            nodes: Some(50_000),
            ..Limits::default()
        };
        let mut software = Software::new(4);
        let fens = [
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        let games = fens.map(|fen| Game::new(&fen.parse().expect("a position"), &software.evaluator()));
        let mut search = |game: &Game, threads: usize| {
            let golden = Arc::new(Evaluator::new(Weights::standard()));
            let rules = "all,classes=3".parse().expect("rules");
            let scouts = Scouts {
                ring: Ring { cores: 1, threads },
                rate: 1.0,
                margin: 0,
                least: 2,
            };
            let board = Rc::new(Remembering::with_cores(golden, rules, 1));
            let mut work = IdealWork::default();
            let root = game.board().position().expect("a position");
            software.clear();
            let outcome = software.search_with_scouts((game, root), &limits, scouts, (board, &mut work));
            (outcome.lines[0].depth, outcome.lines[0].moves.clone(), work)
        };
        let (mut alone, mut led) = (0, 0);
        for game in &games {
            let [one, many, again] = [1, 26, 26].map(|threads| search(game, threads));
            assert_eq!(many, again);
            assert!(many.2.questions > 100, "{many:?}");
            alone += one.0;
            led += many.0;
        }
        assert!(led > alone, "depths {led} and {alone}");
    }

    #[test]
    fn answers_that_contradict_each_other_leave_bounds_in_order() {
        let knowledge = Knowledge::new(2);
        knowledge.learn(5, 20, false);
        knowledge.learn(5, 50, true);
        let (lower, upper) = knowledge.bounds.borrow()[5];
        assert!(lower <= upper, "{lower} {upper}");
    }
}
