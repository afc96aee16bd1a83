//! What came of a match. Nothing in it depends on the machine or on the clock on the wall.

use serde::Serialize;

use super::conditions::Conditions;
use super::ledger::{GameRecord, SideWork};
use super::odds::even_odds;
use super::player::BoardWork;
use super::score::{Elo, Score, Standing};
use super::sprt::{Sprt, Verdict};
use crate::projection::share;

/// The result of all matches of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// All settings.
    pub conditions: Conditions,
    /// Whether all games have been played, or the sequential test has a verdict.
    pub finished: bool,
    /// A match for each odds.
    pub matches: Vec<MatchSummary>,
    /// The odds at which the match is even; `None` if the matches do not say.
    pub even_odds: Option<EvenOdds>,
}

/// Time odds at which a match is even.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EvenOdds {
    /// The estimate.
    pub odds: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A match at some odds.
#[derive(Clone, Debug, Serialize)]
pub struct MatchSummary {
    /// How many times the first side's time the opponent had.
    pub odds: f64,
    /// From the first side.
    pub score: Score,
    /// Complete pairs with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u32; 5],
    /// The share of the points, 0 to 1.
    pub share: f64,
    /// What it shows, with the error of the pairs.
    #[serde(flatten)]
    pub elo: Elo,
    /// How probable it is that the first side is the stronger one.
    pub superiority: Option<f64>,
    /// The sequential test.
    pub sprt: Option<SprtSummary>,
    /// The first side.
    pub first: SideSummary,
    /// Its opponent.
    pub opponent: SideSummary,
}

/// What the sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The two differences.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Below this, the lower difference is accepted.
    pub lower: f64,
    /// Above this, the higher one.
    pub upper: f64,
    /// What the test says.
    pub verdict: Verdict,
}

impl SprtSummary {
    /// What a test says of pairs.
    pub fn new(sprt: Sprt, pairs: &[u32; 5]) -> SprtSummary {
        SprtSummary {
            sprt,
            llr: sprt.log_likelihood_ratio(pairs),
            lower: -Sprt::bound(),
            upper: Sprt::bound(),
            verdict: sprt.verdict(pairs),
        }
    }
}

/// What a side did in a match.
#[derive(Clone, Debug, Serialize)]
pub struct SideSummary {
    /// What it is called.
    pub name: String,
    /// Moves chosen.
    pub decisions: u64,
    /// The mean depth of those without a mate in sight.
    pub mean_depth: f64,
    /// Nodes of host and boards.
    pub nodes: u64,
    /// Nodes in a second of virtual time.
    pub nodes_per_second: f64,
    /// Virtual seconds.
    pub seconds: f64,
    /// The part of the boards, if there are any.
    pub board: Option<BoardSummary>,
}

/// What host, line and chip of a side did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BoardSummary {
    /// Jobs asked for.
    pub jobs: u64,
    /// Nodes of a job on average.
    pub nodes_per_job: f64,
    /// The share of the time that the host was busy.
    pub host_busy: f64,
    /// The same for the busier direction of the line.
    pub line_busy: f64,
    /// The share of the cores' time that they were busy.
    pub chip_busy: f64,
}

impl Summary {
    pub(super) fn new<'a, R: Iterator<Item = &'a GameRecord>>(
        conditions: Conditions,
        finished: bool,
        matches: impl Iterator<Item = (f64, Standing, R)>,
    ) -> Summary {
        let matches: Vec<MatchSummary> = matches
            .map(|(odds, standing, records)| MatchSummary::new(&conditions, odds, &standing, records))
            .collect();
        let points: Vec<(f64, Score)> = matches.iter().map(|each| (each.odds, each.score)).collect();
        Summary {
            conditions,
            finished,
            even_odds: even_odds(&points).map(|(odds, low, high)| EvenOdds { odds, low, high }),
            matches,
        }
    }
}

impl MatchSummary {
    fn new<'a>(
        conditions: &Conditions,
        odds: f64,
        standing: &Standing,
        records: impl Iterator<Item = &'a GameRecord>,
    ) -> MatchSummary {
        let (mut first, mut opponent) = (SideWork::default(), SideWork::default());
        for record in records {
            first += record.first;
            opponent += record.opponent;
        }
        MatchSummary {
            odds,
            score: standing.score,
            pairs: standing.pairs,
            share: standing.score.share(),
            elo: standing.elo(),
            superiority: standing.superiority(),
            sprt: conditions.sprt.map(|sprt| SprtSummary::new(sprt, &standing.pairs)),
            first: SideSummary::new(&conditions.first.name, &first),
            opponent: SideSummary::new(&conditions.opponent.name, &opponent),
        }
    }

    /// How the match stands.
    pub fn standing(&self) -> Standing {
        let (score, pairs) = (self.score, self.pairs);
        Standing { score, pairs }
    }
}

impl SideSummary {
    fn new(name: &str, work: &SideWork) -> SideSummary {
        let seconds = work.time as f64 / 1e9;
        SideSummary {
            name: name.to_owned(),
            decisions: work.decisions,
            mean_depth: share(work.depth_sum as f64, work.depths as f64),
            nodes: work.nodes,
            nodes_per_second: share(work.nodes as f64, seconds),
            seconds,
            board: work.board.as_ref().map(BoardSummary::new),
        }
    }
}

impl BoardSummary {
    fn new(work: &BoardWork) -> BoardSummary {
        BoardSummary {
            jobs: work.jobs,
            nodes_per_job: share(work.job_nodes as f64, work.jobs as f64),
            host_busy: share(work.host_busy, work.seconds),
            line_busy: share(work.line_busy, work.seconds),
            chip_busy: share(work.chip_busy, work.seconds),
        }
    }
}
