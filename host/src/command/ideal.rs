//! The flags of a board that answers at once.

use bluebelle::search::ideal::{Ideal, Most};
use bluebelle::search::together::Ring;
use bluebelle_spec::leaf::remember::Rules;

#[derive(clap::Args)]
pub(crate) struct IdealArguments {
    /// A study: the first side has a board that answers at once, and visits NODES nodes in the time of one node of the software
    #[arg(long, value_name = "NODES", conflicts_with_all = ["accelerated", "crew"], value_parser = positive)]
    ideal: Option<f64>,

    /// CORES cores with THREADS threads each search a question together; the NODES of --ideal are those of each thread
    #[arg(long, value_name = "CORES,THREADS", requires = "ideal", value_parser = ring)]
    ring: Option<Ring>,

    /// The ring searches ahead of the host, and the host takes what is PLIES plies deeper than the host needs
    #[arg(long, value_name = "PLIES", requires = "ring", allow_hyphen_values = true)]
    scouts: Option<i32>,

    /// By what rules this board searches: today or all, then what differs, as in all,no-table
    #[arg(long, value_name = "RULES", requires = "ideal", default_value = "all")]
    rules: Rules,

    /// What a question costs besides its nodes, in nodes of the software
    #[arg(long, value_name = "NODES", requires = "ideal", default_value_t = 4.6, value_parser = positive)]
    question_cost: f64,

    /// The board is asked about nodes of at least PLIES plies
    #[arg(long, value_name = "PLIES", requires = "ideal", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=60))]
    least: i32,

    /// And of at most PERCENT hundredths of an iteration's plies
    #[arg(long, value_name = "PERCENT", requires = "ideal", default_value_t = 70, value_parser = clap::value_parser!(i32).range(1..=100))]
    share: i32,

    /// And of at most PLIES plies, instead of a share
    #[arg(long, value_name = "PLIES", requires = "ideal", conflicts_with = "share", value_parser = clap::value_parser!(i32).range(1..=60))]
    most: Option<i32>,
}

impl IdealArguments {
    /// The board, if there is one.
    pub(crate) fn ideal(&self) -> Option<Ideal> {
        self.ideal.map(|rate| Ideal {
            rate,
            ring: self.ring,
            cost: self.question_cost,
            least: self.least,
            most: self.most.map_or(Most::Share(self.share), Most::Plies),
            rules: self.rules,
            scouts: self.scouts,
        })
    }
}

fn ring(text: &str) -> Result<Ring, String> {
    let number = |text: &str| text.parse().ok().filter(|number| (1..=64).contains(number));
    let ring = text.split_once(',').and_then(|(cores, threads)| {
        Some(Ring {
            cores: number(cores)?,
            threads: number(threads)?,
        })
    });
    ring.ok_or_else(|| "expected two numbers from 1 to 64, as in 6,13".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.001..=1e6).contains(number));
    number.ok_or_else(|| "expected a number from 0.001 to 1000000".to_owned())
}
