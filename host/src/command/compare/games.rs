use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use bluebelle::compare::Strength;
use bluebelle::evaluation::Evaluator;
use bluebelle::matches::{self, Heard, Openings, Plan, PlayerSpec};
use bluebelle_spec::Weights;

use super::Arguments;
use crate::command::play_match::cores;
use crate::command::projected::Wanted;
use crate::input;
use crate::output::note;

/// The seed of matches, if none is given: games are in virtual time, and the same on every machine.
const SEED: u64 = 1;

/// What is known and what is to be played, both checked before anything is searched.
pub(super) struct Games {
    read: Vec<Strength>,
    plans: Vec<Plan>,
}

impl Games {
    pub(super) fn new(arguments: &Arguments) -> anyhow::Result<Games> {
        let read = arguments.gain.iter().map(|path| Strength::read(path));
        let read: Vec<Strength> = read.collect::<Result<_, _>>()?;
        let games = arguments.games.into_iter();
        let plans = games.flat_map(|games| arguments.time.iter().map(move |&time| plan(arguments, games, time)));
        let plans: Vec<Plan> = plans.collect::<Result<_, _>>()?;
        for plan in &plans {
            plan.check()?;
            input::check_tables(plan, arguments.hash)?;
        }
        Ok(Games { read, plans })
    }

    /// What the matches say, those of files last; and whether all games were played.
    pub(super) fn play(self, stop: &AtomicBool) -> anyhow::Result<(Vec<Strength>, bool)> {
        let Games { read, plans } = self;
        if plans.is_empty() {
            return Ok((read, true));
        }
        let games = plans.iter().map(|plan| plan.games_each() * plan.odds.len()).sum();
        let progress = input::progress_bar(games);
        let mut strength = Vec::new();
        for plan in &plans {
            let mut hear = |heard: Heard<'_>| {
                match heard {
                    Heard::Message(text) => progress.suspend(|| note!("{text}")),
                    Heard::Game { .. } => progress.inc(1),
                }
                Ok(())
            };
            let summary = matches::run(plan, &matches::player, None, stop, &mut hear)?;
            strength.push(Strength::of(&summary));
            if stop.load(Relaxed) {
                break;
            }
        }
        progress.finish_and_clear();
        let finished = strength.len() == plans.len() && strength.iter().all(|one| one.finished);
        strength.extend(read);
        Ok((strength, finished))
    }
}

/// The accelerated search against the software.
fn plan(arguments: &Arguments, games: u32, time: f64) -> anyhow::Result<Plan> {
    let seed = arguments.seed.unwrap_or(SEED);
    let threads = arguments.threads.into();
    let hash = arguments.hash as usize;
    let boards = arguments.boards.project(&Wanted {
        seed: Some(seed),
        threads,
        hash: arguments.hash,
    })?;
    let openings = Openings::built_in(&Evaluator::new(Weights::standard()))?;
    Ok(Plan {
        games: Some(games),
        sprt: None,
        time: Duration::from_secs_f64(time),
        odds: arguments.odds.clone(),
        seed,
        jobs: arguments.jobs.map_or_else(cores, usize::from),
        openings: openings.shuffled(seed),
        sides: [
            PlayerSpec {
                threads,
                setup: Some(boards.setup),
                ..PlayerSpec::software("accelerated", hash)
            },
            PlayerSpec {
                threads: arguments.software_threads.into(),
                ..PlayerSpec::software("software", hash)
            },
        ],
    })
}
