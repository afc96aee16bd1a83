//! What the host's thread does for a job and for a node of the upper tree, on this machine:
//! `cargo bench -p bluebelle --bench host_cost -- [DEPTH]`.
//!
//! Searches in virtual time with a fixed cost, so that every round of every build does the same work as long as the search is the
//! same; what a turn really takes is measured beside. The parts are fitted to the turns: some nodes, some jobs, some time.

use std::time::Duration;

use bluebelle::accelerated::Style;
use bluebelle::compare::FIXED_COST;
use bluebelle::epd;
use bluebelle::evaluation::Evaluator;
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::link::LineModel;
use bluebelle::projection::{BoardModel, Setup, Turn, project};
use bluebelle_sim::{LeafCache, ModelConfig};
use bluebelle_spec::Weights;

const POSITIONS: &str = include_str!("../data/bratko-kopec.epd");

/// Every so manieth of them.
const EVERY: usize = 8;

const ROUNDS: usize = 7;

fn main() {
    // `cargo bench` adds an argument of its own.
    let depth = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(12);
    let evaluator = Evaluator::new(Weights::standard());
    let problems = epd::parse(POSITIONS, &evaluator).expect("the positions are ours");
    let games: Vec<Game> = problems
        .iter()
        .step_by(EVERY)
        .map(|problem| Game::new(&problem.fen, &evaluator))
        .collect();
    let cache = LeafCache::default();
    let mut rounds: Vec<Vec<Turn>> = (0..ROUNDS).map(|_| round(&games, depth, &cache)).collect();
    rounds.sort_by_key(|turns| time_of(turns));
    let turns = &rounds[ROUNDS / 2];
    let sum = |each: &dyn Fn(&Turn) -> u64| turns.iter().map(each).sum::<u64>();
    let (nodes, leaves, leaf_nodes, jobs) = (
        sum(&|turn| turn.work.nodes),
        sum(&|turn| turn.work.leaves),
        sum(&|turn| turn.work.leaf_nodes),
        sum(&|turn| turn.work.jobs),
    );
    println!(
        "{} positions to depth {depth}: {} turns, {nodes} nodes, {jobs} jobs, {leaves} leaves of {leaf_nodes} nodes tried here",
        games.len(),
        turns.len()
    );
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
    let (least, median) = (time_of(&rounds[0]), time_of(turns));
    println!(
        "{:.1} ms, the median of {ROUNDS} rounds; {:.1} ms the least; {:.2} µs a job with all that belongs to it",
        microseconds(median) / 1e3,
        microseconds(least) / 1e3,
        microseconds(median) / jobs as f64
    );
    let parts = fit(turns);
    for (part, count, name) in [
        (parts[0], turns.len() as u64, "a turn"),
        (parts[1], nodes, "a node"),
        (parts[2], jobs, "a job"),
        (parts[3], leaf_nodes, "a node of a leaf"),
        (parts[4], leaves, "a leaf"),
    ] {
        println!("{part:8.3} µs {name:24} {:8.1} ms", part * count as f64 / 1e3);
    }
}

fn time_of(turns: &[Turn]) -> Duration {
    turns.iter().map(|turn| turn.measured).sum()
}

fn round(games: &[Game], depth: u32, cache: &LeafCache) -> Vec<Turn> {
    let chip = ModelConfig::default();
    let setup = Setup {
        boards: 1,
        board: BoardModel {
            cores: 6,
            threads: chip.threads,
            stages: chip.stages,
            gangs: chip.gangs,
            queue: chip.queue,
            mhz: 92.857,
        },
        line: LineModel {
            latency: Duration::from_micros(10),
            ..LineModel::of_rate(1e8)
        },
        host: FIXED_COST,
        style: Style::default(),
        led: false,
        hash: 64,
    };
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let search = |game| project(&setup, game, &limits, cache).expect("a runtime").turns;
    games.iter().flat_map(search).collect()
}

/// Microseconds of a turn, a node, a job, a node of a leaf and a leaf, by least squares. A turn that was interrupted is no
/// measure of its work: the longest thousandth is left out.
fn fit(turns: &[Turn]) -> [f64; 5] {
    let mut turns = turns.to_vec();
    turns.sort_by_key(|turn| turn.measured);
    turns.truncate(turns.len() - turns.len() / 1000);
    let mut matrix = [[0.0; 6]; 5];
    for turn in &turns {
        let work = [
            1.0,
            turn.work.nodes as f64,
            turn.work.jobs as f64,
            turn.work.leaf_nodes as f64,
            turn.work.leaves as f64,
        ];
        for (row, factor) in matrix.iter_mut().zip(work) {
            for (cell, other) in row.iter_mut().zip(work) {
                *cell += factor * other;
            }
            row[5] += factor * turn.measured.as_secs_f64() * 1e6;
        }
    }
    // Gauss and Jordan; what is on the diagonal is positive as long as all kinds of work were done.
    for pivot in 0..5 {
        let row = matrix[pivot].map(|cell| cell / matrix[pivot][pivot]);
        for (index, other) in matrix.iter_mut().enumerate() {
            let factor = other[pivot];
            if index != pivot {
                for (cell, of_row) in other.iter_mut().zip(row) {
                    *cell -= factor * of_row;
                }
            }
        }
        matrix[pivot] = row;
    }
    matrix.map(|row| row[5])
}
