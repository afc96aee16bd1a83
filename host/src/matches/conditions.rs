//! The conditions of a match: whatever its games depend on.

use std::collections::BTreeSet;

use bluebelle_spec::wire::weights_crc;
use serde::Serialize;
use serde_json::Value;

use super::plan::Plan;
use super::sprt::Sprt;

/// The form of the lines.
const FORM: u32 = 1;

/// All that a game's course depends on besides its number and its odds, and what decides how many
/// are played.
#[derive(Clone, Debug, Serialize)]
pub struct Conditions {
    /// The form of the lines.
    pub ledger: u32,
    /// Of the engine.
    pub version: &'static str,
    /// Nodes that both sides need for one decision at a fixed depth: another search needs others.
    pub behaviour: [u64; 2],
    /// Draws the order of the openings, and the luck of each game.
    pub seed: u64,
    /// Seconds of the first side for a move; none at a fixed depth.
    pub time: Option<f64>,
    /// Plies for every move, instead of time.
    pub depth: Option<u32>,
    /// How many times the first side's time the opponent has.
    pub odds: Vec<f64>,
    /// The sequential test.
    pub sprt: Option<Sprt>,
    /// How many openings there are.
    pub openings: usize,
    /// Names the openings and their order.
    pub openings_fingerprint: String,
    /// The first side.
    pub first: SideConditions,
    /// Its opponent.
    pub opponent: SideConditions,
}

/// The settings of a side.
#[derive(Clone, Debug, Serialize)]
pub struct SideConditions {
    /// What the side is called.
    pub name: String,
    /// Threads of the host.
    pub threads: usize,
    /// Mebibytes for the table.
    pub hash: usize,
    /// Nanoseconds for a node of the software search.
    pub node: u64,
    /// The projected boards.
    pub boards: Option<String>,
    /// Names the weights, if they are not the standard ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
}

impl Conditions {
    /// The conditions of a match whose sides behave like this.
    pub fn new(plan: &Plan, behaviour: [u64; 2]) -> Conditions {
        let depth = plan.sides[0].depth;
        let [first, opponent] = plan.sides.each_ref().map(|spec| SideConditions {
            name: spec.name.clone(),
            threads: spec.threads,
            hash: spec.hash,
            node: spec.node.as_nanos() as u64,
            boards: match (&spec.setup, &spec.ideal) {
                (_, Some(ideal)) => Some(format!("{ideal:?}")),
                (setup, None) => setup.as_ref().map(|setup| format!("{setup:?}")),
            },
            weights: spec
                .weights
                .as_ref()
                .map(|weights| format!("{:08x}", weights_crc(weights))),
        });
        Conditions {
            ledger: FORM,
            version: env!("CARGO_PKG_VERSION"),
            behaviour,
            seed: plan.seed,
            time: depth.is_none().then_some(plan.time.as_secs_f64()),
            depth,
            odds: plan.odds.clone(),
            sprt: plan.sprt,
            openings: plan.openings.len(),
            openings_fingerprint: format!("{:016x}", plan.openings.fingerprint()),
            first,
            opponent,
        }
    }
}

/// What differs, by the names of the settings.
pub(super) fn differ(name: &str, before: &Value, now: &Value, differences: &mut Vec<String>) {
    if let (Value::Object(first), Value::Object(second)) = (before, now) {
        let keys: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
        for key in keys {
            let name = match name {
                "" => key.clone(),
                name => format!("{name}.{key}"),
            };
            let of = |object: &serde_json::Map<String, Value>| object.get(key).cloned().unwrap_or(Value::Null);
            differ(&name, &of(first), &of(second), differences);
        }
    } else if before != now {
        differences.push(format!("{name}: {before} in the ledger, {now} now"));
    }
}
