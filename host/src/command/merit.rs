//! `bluebelle merit`: how strong the players of games are by their moves, and the model's numbers
//! from players whose ratings are known.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use bluebelle::commentary::choices::choices;
use bluebelle::commentary::{Model, Surveyor};
use bluebelle::pgn::{self, Record};
use bluebelle::strength::Strength;
use bluebelle_knowledge::utility::fit::{Choice, fit_curve, fit_merit, log_likelihood};
use bluebelle_knowledge::utility::{Curve, Fitted, Michie};
use bluebelle_knowledge::vocabulary::Merit;
use serde::Serialize;

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files of games in PGN
    #[arg(value_name = "FILE", required = true)]
    games: Vec<PathBuf>,

    /// Fit the model to the players whose ratings the games tell, instead of using its own numbers
    #[arg(long)]
    fit: bool,

    /// Keep players with this rating out of the fit, as a test of it; may be repeated
    #[arg(long, value_name = "RATING")]
    hold: Vec<u32>,

    /// Half-moves of each game that are left out: the opening
    #[arg(long, default_value_t = 10, value_name = "N")]
    skip: usize,

    /// Nodes for each move of each position
    #[arg(long, default_value_t = Strength::SURVEY, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The sights that are tried: how much more differences count that show early.
const SIGHTS: [f64; 7] = [0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0];

/// What `merit --json` prints.
#[derive(Serialize)]
struct Report {
    at_zero: f64,
    slope: f64,
    sight: f64,
    players: Vec<Player>,
}

/// A player's numbers; the logarithms of probabilities are means of a move.
#[derive(Serialize)]
struct Player {
    name: String,
    rating: Option<u32>,
    /// Whether the fit has not seen this player's moves.
    held: bool,
    choices: usize,
    merit: f64,
    error: f64,
    log_probability: f64,
    /// The same by Michie's formula, taken literally, at the merit that suits it best.
    literal: f64,
    /// The same for moves at random.
    random: f64,
}

type Players = BTreeMap<(Option<u32>, String), Vec<Choice>>;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let players = read(arguments)?;
    let model = Model::default();
    let curve = if arguments.fit {
        fit(&players, &arguments.hold)?
    } else {
        model.curve
    };
    let tell = |((rating, name), choices): (&(Option<u32>, String), &Vec<Choice>)| {
        let count = choices.len() as f64;
        let found = fit_merit(choices, |merit| Fitted { merit, curve });
        let literal = fit_merit(choices, |merit| Michie { merit });
        let nothing = Michie {
            merit: Merit::default(),
        };
        Player {
            name: name.clone(),
            rating: *rating,
            held: rating.is_some_and(|rating| arguments.hold.contains(&rating)),
            choices: choices.len(),
            merit: found.merit.kilopoints(),
            error: found.error,
            log_probability: found.log_likelihood / count,
            literal: literal.log_likelihood / count,
            random: log_likelihood(choices, &nothing) / count,
        }
    };
    let report = Report {
        at_zero: curve.at_zero,
        slope: curve.slope,
        sight: curve.sight,
        players: players
            .iter()
            .filter(|(_, choices)| !choices.is_empty())
            .map(tell)
            .collect(),
    };
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(ExitCode::SUCCESS);
    }
    say!(
        "scale(M) = exp({:.3} {:+.3} M), sight {}",
        report.at_zero,
        report.slope,
        report.sight
    );
    for player in &report.players {
        let rating = player
            .rating
            .map_or("no rating".to_owned(), |rating| rating.to_string());
        let held = if player.held { ", held out" } else { "" };
        say!(
            "{} ({rating}{held}): merit {:.2} ± {:.2} by {} moves; ln p {:.3}, literal {:.3}, random {:.3}",
            player.name,
            player.merit,
            1.96 * player.error,
            player.choices,
            player.log_probability,
            player.literal,
            player.random
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The choices of all players.
fn read(arguments: &Arguments) -> anyhow::Result<Players> {
    let mut surveyor = Surveyor::new(arguments.nodes);
    let mut records: Vec<Record> = Vec::new();
    for file in &arguments.games {
        let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let read = pgn::read_all(&String::from_utf8_lossy(&text), &surveyor.evaluator());
        let read = read.map_err(|(number, problem)| {
            anyhow::Error::from(problem).context(format!("game {number} of {} cannot be used", file.display()))
        })?;
        if read.is_empty() {
            bail!("{} has no games", file.display());
        }
        records.extend(read);
    }
    let model = Model::default();
    let progress = input::progress_bar(records.len());
    let mut players = Players::new();
    for record in &records {
        let found = choices(&mut surveyor, record, &model, arguments.skip);
        for ((name, tag), choices) in record.players.iter().zip(["WhiteElo", "BlackElo"]).zip(found) {
            let rating = record.tags.iter().find(|(name, _)| name == tag);
            let rating = rating.and_then(|(_, rating)| rating.parse().ok());
            players.entry((rating, name.clone())).or_default().extend(choices);
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(players)
}

/// The curve under which the choices of the rated players are most probable.
fn fit(players: &Players, hold: &[u32]) -> anyhow::Result<Curve> {
    let rated = players.iter().filter_map(|((rating, _), choices)| {
        let rating = rating.filter(|rating| !hold.contains(rating))?;
        let merit = Merit::new(f64::from(rating) / 1000.0).ok()?;
        Some((merit, choices.clone()))
    });
    let rated: Vec<(Merit, Vec<Choice>)> = rated.collect();
    let curves = SIGHTS.iter().filter_map(|&sight| {
        let curve = fit_curve(&rated, sight)?;
        let sum: f64 = rated
            .iter()
            .map(|&(merit, ref choices)| log_likelihood(choices, &Fitted { merit, curve }))
            .sum();
        Some((sum, curve))
    });
    let best = curves.max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, curve)| curve).context(
        "the games show no difference between ratings: expected players of at least two ratings, the tags WhiteElo and \
         BlackElo, and better moves of the better players",
    )
}
