//! Matches in virtual time: what speed is worth in points.
//!
//! A side is a [`Player`] that a [`Factory`] builds for each game. Time is virtual, and every game
//! has its number, its opening and its seed, so that a match has the same result on every machine
//! and with any number of games at once. `game` has the rules, `run` plays the games and sums them
//! up, `ledger` keeps them on disk.

mod conditions;
mod game;
mod ideal;
mod ledger;
mod odds;
mod openings;
mod pgn;
mod plan;
mod player;
mod projected;
mod run;
mod score;
mod sprt;
mod summary;

pub use conditions::{Conditions, SideConditions};
pub use game::{Choice, PlayedGame, Reason, play_game};
pub use ledger::{GameRecord, Ledger, LedgerError, Opened, SideWork};
pub use odds::even_odds;
pub use openings::{Opening, Openings, OpeningsError, generate};
pub use pgn::pgn;
pub use plan::{Plan, PlanError};
pub use player::{BoardWork, Decision, Factory, Player, PlayerSpec, SoftwarePlayer, player};
pub use projected::ProjectedPlayer;
pub use run::{Heard, MatchError, run};
pub use score::{Elo, Score, Side, Standing, elo_of_share, share_of_elo};
pub use sprt::{Sprt, Verdict};
pub use summary::{BoardSummary, EvenOdds, MatchSummary, SideSummary, SprtSummary, Summary};

#[cfg(test)]
mod tests;
