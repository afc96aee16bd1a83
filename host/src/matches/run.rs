//! Playing the games of a plan, several at once.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use bluebelle_spec::{Fen, Weights};

use super::conditions::Conditions;
use super::game::play_game;
use super::ledger::{GameRecord, Ledger, LedgerError, Opened, SideWork};
use super::plan::{Plan, PlanError};
use super::player::{Factory, Player, PlayerSpec};
use super::score::{Side, Standing};
use super::sprt::Verdict;
use super::summary::Summary;
use crate::evaluation::Evaluator;
use crate::game::Game;

/// What a match tells while it runs.
#[derive(Debug)]
pub enum Heard<'a> {
    /// Something that the user should know.
    Message(&'a str),
    /// A game. Games are told in the order of their numbers, whichever ended first.
    Game {
        /// The game.
        record: &'a GameRecord,
        /// Whether it is from the ledger.
        resumed: bool,
        /// How its match stands after it.
        standing: &'a Standing,
        /// How long all others will take, if that is known.
        left: Option<Duration>,
    },
}

/// Why a match ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// The plan asks for what cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A side cannot be built.
    #[error("a side cannot play: {0}")]
    Side(io::Error),
    /// The ledger is of no use.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A player has failed.
    #[error("game {game} at odds {odds}: {problem}")]
    Game {
        /// The game.
        game: u32,
        /// The odds of its match.
        odds: f64,
        /// What went wrong.
        problem: io::Error,
    },
    /// What was told could not be heard.
    #[error(transparent)]
    Heard(io::Error),
}

/// Plays a match: the games that the ledger does not have, with players from the factory, until all
/// are played, the sequential test has a verdict, or `stop` is set. The summary does not depend on
/// how many games are played at once.
///
/// # Errors
/// If the plan, the ledger or a player is of no use, or `heard` fails.
pub fn run(
    plan: &Plan,
    factory: &Factory<'_>,
    ledger: Option<&Path>,
    stop: &AtomicBool,
    heard: &mut dyn FnMut(Heard<'_>) -> io::Result<()>,
) -> Result<Summary, MatchError> {
    plan.check()?;
    let conditions = Conditions::new(plan, behaviour(plan, factory).map_err(MatchError::Side)?);
    let mut score_book = ScoreBook::new(plan);
    let mut ledger = match ledger {
        None => None,
        Some(path) => {
            let Opened {
                ledger,
                records,
                message,
            } = Ledger::open(path, &conditions, plan)?;
            if let Some(message) = message {
                heard(Heard::Message(&message)).map_err(MatchError::Heard)?;
            }
            if !records.is_empty() {
                let told = format!("the ledger has {} finished games", records.len());
                heard(Heard::Message(&told)).map_err(MatchError::Heard)?;
            }
            for record in records {
                score_book.keep(record, true);
            }
            Some(ledger)
        }
    };
    score_book.tell(None, heard)?;
    let missing = score_book.missing();
    let halt = AtomicBool::new(false);
    let is_over = || halt.load(Relaxed) || stop.load(Relaxed);
    let next = AtomicUsize::new(0);
    let evaluator = Evaluator::new(Weights::standard());
    let (sender, receiver) = mpsc::channel();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, missing.len().max(1)) {
            let sender = sender.clone();
            let (missing, next, evaluator, is_over) = (&missing, &next, &evaluator, &is_over);
            scope.spawn(move || {
                while let Some(&task) = missing.get(next.fetch_add(1, Relaxed)).filter(|_| !is_over()) {
                    let played = play(plan, factory, task, evaluator, is_over);
                    if is_over() && played.is_err() || sender.send((task, played)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut played_work = 0.0;
        let mut take = |(task, played): (Task, io::Result<GameRecord>)| -> Result<bool, MatchError> {
            let record = played.map_err(|problem| MatchError::Game {
                game: task.game,
                odds: plan.odds[task.place],
                problem,
            })?;
            if let Some(ledger) = &mut ledger {
                ledger.append(&record)?;
            }
            played_work += work(plan, task.place);
            score_book.keep(record, false);
            let pace = began.elapsed().as_secs_f64() / played_work;
            score_book.tell(Some(pace), heard)?;
            Ok(score_book.is_complete())
        };
        let mut result = Ok(());
        for played in receiver {
            // What other threads have played until they heard of the end is in the ledger, too.
            let taken = take(played);
            if !matches!(taken, Ok(false)) {
                halt.store(true, Relaxed);
            }
            result = result.and(taken.map(|_| ()));
        }
        result
    })?;
    Ok(score_book.summary(conditions))
}

/// A game to play: the place of its odds, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    place: usize,
    game: u32,
}

/// How long a game takes, compared with others: both sides' time.
fn work(plan: &Plan, place: usize) -> f64 {
    match plan.sides[0].depth {
        Some(_) => 1.0,
        None => 1.0 + plan.odds[place],
    }
}

/// A middle game with everything in it, for the fingerprint of the sides' behaviour.
const POSITION: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Plies to search it.
const TASTE: u32 = 8;

/// Nodes of both sides for one decision at a fixed depth: a search that has changed needs others,
/// so that its games are not mixed with those of the search before.
fn behaviour(plan: &Plan, factory: &Factory<'_>) -> io::Result<[u64; 2]> {
    let fen: Fen = POSITION.parse().map_err(io::Error::other)?;
    let game = Game::new(&fen, &Evaluator::new(Weights::standard()));
    let mut nodes = [0; 2];
    for side in [Side::First, Side::Opponent] {
        let mut spec = plan.spec(side, 0);
        spec.depth = Some(spec.depth.map_or(TASTE, |depth| depth.min(TASTE)));
        let mut player = build(factory, side, &spec)?;
        nodes[side.index()] = player.choose(&game, plan.time)?.nodes;
    }
    Ok(nodes)
}

fn build(factory: &Factory<'_>, side: Side, spec: &PlayerSpec) -> io::Result<Box<dyn Player + Send>> {
    let mut player = factory(side, spec)?;
    player.new_game();
    Ok(player)
}

fn play(
    plan: &Plan,
    factory: &Factory<'_>,
    Task { place, game }: Task,
    evaluator: &Evaluator,
    is_over: &dyn Fn() -> bool,
) -> io::Result<GameRecord> {
    let odds = plan.odds[place];
    let opening = plan.opening(game);
    let mut players = [
        build(factory, Side::First, &plan.spec(Side::First, game))?,
        build(factory, Side::Opponent, &plan.spec(Side::Opponent, game))?,
    ];
    let mut works = [SideWork::default(); 2];
    let played = play_game(&opening.fen, evaluator, |position| {
        if is_over() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let side = Plan::side(game, position.board().turn());
        let decision = players[side.index()].choose(position, plan.time(side, odds))?;
        works[side.index()].add(&decision);
        Ok((decision.mv, decision.score))
    })?;
    let moves: Vec<String> = played.moves.iter().map(ToString::to_string).collect();
    let [first, opponent] = works;
    Ok(GameRecord {
        odds,
        game,
        opening: opening.id.clone(),
        white: Plan::white(game),
        winner: played.winner.map(|color| Plan::side(game, color)),
        reason: played.reason,
        plies: moves.len(),
        moves: moves.join(" "),
        first,
        opponent,
    })
}

/// The games so far, and how far they have been told.
struct ScoreBook<'a> {
    plan: &'a Plan,
    /// Games and whether they are from the ledger, by odds and number.
    games: BTreeMap<Task, (GameRecord, bool)>,
    /// How many games of each match have been told, and how it stands after them.
    told: Vec<(u32, Standing)>,
    /// Whether the sequential test has a verdict.
    decided: bool,
}

impl<'a> ScoreBook<'a> {
    fn new(plan: &'a Plan) -> ScoreBook<'a> {
        ScoreBook {
            plan,
            games: BTreeMap::new(),
            told: vec![(0, Standing::default()); plan.odds.len()],
            decided: false,
        }
    }

    fn keep(&mut self, record: GameRecord, resumed: bool) {
        // Those of a ledger have been checked, those of this run are from the plan.
        let place = self
            .plan
            .odds
            .iter()
            .position(|&odds| odds == record.odds)
            .unwrap_or_default();
        let game = record.game;
        self.games.insert(Task { place, game }, (record, resumed));
    }

    fn tasks(&self) -> impl Iterator<Item = Task> + use<> {
        let (places, games) = (self.plan.odds.len(), self.plan.games_each() as u32);
        (0..places).flat_map(move |place| (1..=games).map(move |game| Task { place, game }))
    }

    /// The games that are to be played still.
    fn missing(&self) -> Vec<Task> {
        match self.decided {
            true => Vec::new(),
            false => self.tasks().filter(|task| !self.games.contains_key(task)).collect(),
        }
    }

    /// Tells the games that follow those that have been told, as far as there are any; `pace` is
    /// seconds for a unit of [`work`].
    fn tell(
        &mut self,
        pace: Option<f64>,
        heard: &mut dyn FnMut(Heard<'_>) -> io::Result<()>,
    ) -> Result<(), MatchError> {
        let most = self.plan.games_each() as u32;
        for place in 0..self.told.len() {
            while self.told[place].0 < most && !self.decided {
                let game = self.told[place].0 + 1;
                let Some((record, resumed)) = self.games.get(&Task { place, game }) else {
                    return Ok(());
                };
                let standing = standing(&self.games, place, game);
                let left = match (pace, self.plan.sprt) {
                    (Some(pace), None) => Some(Duration::from_secs_f64(pace * self.work_left())),
                    _ => None,
                };
                heard(Heard::Game {
                    record,
                    resumed: *resumed,
                    standing: &standing,
                    left,
                })
                .map_err(MatchError::Heard)?;
                let verdict = self.plan.sprt.map(|sprt| sprt.verdict(&standing.pairs));
                self.decided = verdict.is_some_and(|verdict| verdict != Verdict::Open);
                self.told[place] = (game, standing);
            }
        }
        Ok(())
    }

    fn work_left(&self) -> f64 {
        let left = self.tasks().filter(|task| !self.games.contains_key(task));
        left.map(|task| work(self.plan, task.place)).sum()
    }

    fn is_complete(&self) -> bool {
        let most = self.plan.games_each() as u32;
        self.decided || self.told.iter().all(|(told, _)| *told == most)
    }

    fn summary(&self, conditions: Conditions) -> Summary {
        let matches = self.told.iter().enumerate().map(|(place, (told, standing))| {
            let records = (1..=*told).filter_map(move |game| self.games.get(&Task { place, game }));
            (self.plan.odds[place], *standing, records.map(|(record, _)| record))
        });
        Summary::new(conditions, self.is_complete(), matches)
    }
}

/// How a match stands after its first games.
fn standing(games: &BTreeMap<Task, (GameRecord, bool)>, place: usize, last: u32) -> Standing {
    let (first, last) = (Task { place, game: 1 }, Task { place, game: last });
    let records = games.range(first..=last).map(|(_, (record, _))| record);
    Standing::of(records.map(|record| record.winner.map(|winner| winner == Side::First)))
}
