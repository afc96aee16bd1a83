//! What the host's first thread takes for a node of the search, for a job, and to write or read
//! one, on this machine:
//! `cargo bench -p bluebelle --bench host_cost -- [DEPTH]`.
//!
//! Searches in virtual time with a fixed cost, so that every round of every build does the same
//! work as long as the search is the same; what a turn really takes is measured beside. The parts
//! are fitted to the turns: some nodes, some jobs, some time.

use std::time::Duration;

use bluebelle::epd;
use bluebelle::evaluation::Evaluator;
use bluebelle::game::Game;
use bluebelle::limits::Limits;
use bluebelle::link::LineModel;
use bluebelle::projection::{BoardModel, FIXED_COST, Projection, Setup, Turn};
use bluebelle_sim::{LeafCache, ModelConfig};
use bluebelle_spec::Weights;

const POSITIONS: &str = include_str!("../data/bratko-kopec.epd");

/// One position of so many.
const EVERY: usize = 8;

const ROUNDS: usize = 7;

/// A turn, a node, a job, a job or result that is carried.
const PARTS: usize = 4;

fn main() {
    // `cargo bench` adds an argument of its own.
    let depth = std::env::args().find_map(|argument| argument.parse().ok());
    let depth = depth.unwrap_or(14);
    let evaluator = Evaluator::new(Weights::standard());
    let problems = epd::parse(POSITIONS, &evaluator).expect("the positions are ours");
    let games: Vec<Game> = problems
        .iter()
        .step_by(EVERY)
        .map(|problem| Game::new(&problem.fen, &evaluator))
        .collect();
    // What the chip's model takes is no work of the host: after the first round, all outcomes are
    // known.
    let cache = LeafCache::default();
    round(&games, depth, &cache);
    let mut rounds: Vec<Vec<Turn>> = (0..ROUNDS).map(|_| round(&games, depth, &cache)).collect();
    rounds.sort_by_key(|turns| time_of(turns));
    let turns = &rounds[ROUNDS / 2];
    let sum = |each: fn(&Turn) -> u64| turns.iter().map(each).sum::<u64>();
    let counts = [
        turns.len() as u64,
        sum(|turn| turn.work.nodes),
        sum(|turn| turn.work.jobs),
        sum(|turn| turn.work.carried),
    ];
    let [_, nodes, jobs, carried] = counts;
    println!(
        "{} positions to depth {depth}: {} turns, {nodes} nodes, {jobs} jobs, {carried} jobs and results carried",
        games.len(),
        turns.len()
    );
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let (least, median) = (time_of(&rounds[0]), time_of(turns));
    println!(
        "{:.1} ms, the median of {ROUNDS} rounds; {:.1} ms the least",
        milliseconds(median),
        milliseconds(least)
    );
    let Some(parts) = fit(turns) else {
        println!("not fitted: these searches lack a kind of work; give a larger depth, as in -- 16");
        return;
    };
    for ((part, count), name) in parts
        .into_iter()
        .zip(counts)
        .zip(["a turn", "a node", "a job", "carried"])
    {
        println!("{part:8.3} µs {name:10} {:8.1} ms", part * count as f64 / 1e3);
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
            gangs: true,
            queue: chip.queue,
            mhz: 92.857,
        },
        line: LineModel {
            latency: Duration::from_micros(10),
            ..LineModel::of_rate(1e8)
        },
        hash: 64,
        ..Setup::software(FIXED_COST)
    };
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let mut projection = Projection::new(setup).with_cache(cache.clone());
    let mut search = |game| {
        projection.clear();
        projection.search(game, &limits).expect("a runtime").turns
    };
    games.iter().flat_map(&mut search).collect()
}

/// Microseconds of each part, by least squares; `None` if a part never occurs. A turn that was
/// interrupted is no measure of its work: the longest thousandth is left out.
fn fit(turns: &[Turn]) -> Option<[f64; PARTS]> {
    let mut turns = turns.to_vec();
    turns.sort_by_key(|turn| turn.measured);
    turns.truncate(turns.len() - turns.len() / 1000);
    let mut matrix = [[0.0; PARTS + 1]; PARTS];
    for Turn { work, measured } in &turns {
        let work = [1.0, work.nodes as f64, work.jobs as f64, work.carried as f64];
        for (row, factor) in matrix.iter_mut().zip(work) {
            for (cell, other) in row.iter_mut().zip(work) {
                *cell += factor * other;
            }
            row[PARTS] += factor * measured.as_secs_f64() * 1e6;
        }
    }
    // Gauss and Jordan.
    for pivot in 0..PARTS {
        if matrix[pivot][pivot] <= 0.0 {
            return None;
        }
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
    Some(matrix.map(|row| row[PARTS]))
}
