//! Slots per node, by kind of slot, and nodes per second beside a plain implementation on cozy-chess:
//! `cargo bench -p bluebelle-spec`.

mod peer;

use std::time::{Duration, Instant};

use bluebelle_spec::leaf::{self, Ending, Job, MATE, Search, Slots, Task};
use bluebelle_spec::{Evaluator, Fen, Position, Weights, evaluate};
use cozy_chess::Board;
use peer::Peer;

/// What a set of jobs took.
#[derive(Default)]
struct Tally {
    jobs: u64,
    nodes: u64,
    slots: Slots,
    time: Duration,
    peer_time: Duration,
}

fn main() {
    let positions: Vec<Position> = include_str!("../../data/varied.epd")
        .lines()
        .map(|line| line.parse::<Fen>().expect("a valid data file").position)
        .collect();
    println!("{} positions, three null windows each", positions.len());
    println!(
        "depth  nodes/job  slots/node =  load + enter + attack + quiet + retract + hop   (illegal)   \
         Mnodes/s  cozy-chess  ratio"
    );
    let mut all = Tally::default();
    for depth in 2..=4 {
        let tally = measure(&positions, depth);
        tally.print(&depth.to_string());
        all.jobs += tally.jobs;
        all.nodes += tally.nodes;
        all.slots += tally.slots;
        all.time += tally.time;
        all.peer_time += tally.peer_time;
    }
    all.print("all");

    println!("\nAn exact value, in nodes: with a full window; with null windows, one at a time and 32 at a time");
    println!("depth  full window       one at a time (rounds)       32 at a time (rounds)");
    for depth in 2..=4 {
        print_exact(&positions, depth);
    }

    println!("\nThe same jobs without and with pruning");
    println!("depth  nodes/job  pruned  slots/job  pruned  slots/node  pruned  same answer");
    for depth in 2..=5 {
        print_pruning(&positions, depth);
    }
}

/// What pruning saves, and how often it has another answer.
fn print_pruning(positions: &[Position], depth: u8) {
    let evaluator = Evaluator::new(Weights::standard());
    let (mut jobs, mut same) = (0.0, 0.0);
    let mut tallies = [(0.0, 0.0); 2];
    for job in jobs_of(positions, depth) {
        let pruned = Job { pruning: true, ..job };
        let outcomes = [job, pruned].map(|job| leaf::run(&job, &evaluator));
        jobs += 1.0;
        same += f64::from(u8::from(outcomes[0].ending == outcomes[1].ending));
        for (tally, outcome) in tallies.iter_mut().zip(outcomes) {
            tally.0 += f64::from(outcome.nodes);
            tally.1 += f64::from(outcome.slots);
        }
    }
    let [(nodes, slots), (pruned_nodes, pruned_slots)] = tallies;
    println!(
        "{depth:5} {:10.0} {:7.0} {:10.0} {:7.0} {:11.2} {:7.2} {:10.1} %",
        nodes / jobs,
        pruned_nodes / jobs,
        slots / jobs,
        pruned_slots / jobs,
        slots / nodes,
        pruned_slots / pruned_nodes,
        100.0 * same / jobs,
    );
}

/// Three null windows a position: around its value, and at it.
fn jobs_of(positions: &[Position], depth: u8) -> impl Iterator<Item = Job> {
    positions.iter().flat_map(move |position| {
        let value = evaluate(position, Weights::standard());
        [-50, 0, 50].map(|offset| {
            let beta = value + offset;
            Job::new(*position, Task::Search { depth, beta })
        })
    })
}

/// What an exact value costs.
fn print_exact(positions: &[Position], depth: u8) {
    let evaluator = Evaluator::new(Weights::standard());
    let mut peer = Peer::new(Weights::standard());
    let (mut single, mut wide) = ((0, 0), (0, 0));
    for position in positions {
        let guess = evaluate(position, Weights::standard());
        let value = peer.run(&board(position), depth, -MATE, MATE);
        for (width, tally) in [(1, &mut single), (32, &mut wide)] {
            let ask = |betas: &[i16]| {
                let answer = |&beta: &i16| leaf::run(&Job::new(*position, Task::Search { depth, beta }), &evaluator);
                Some(betas.iter().map(answer).collect())
            };
            let resolved = leaf::resolve(-MATE, MATE, guess, width, ask).expect("no job has a limit");
            assert_eq!(i32::from(resolved.score), value, "different values: {position}");
            tally.0 += resolved.nodes;
            tally.1 += resolved.rounds;
        }
    }
    let count = positions.len() as f64;
    println!(
        "{depth:5}  {:11.0}  {:18.0} {:8.1}  {:18.0} {:8.1}",
        peer.nodes as f64 / count,
        single.0 as f64 / count,
        f64::from(single.1) / count,
        wide.0 as f64 / count,
        f64::from(wide.1) / count,
    );
}

fn board(position: &Position) -> Board {
    format!("{position} 0 1")
        .parse()
        .expect("a position that cozy-chess takes")
}

/// Runs every job on both, turn and turn about, so that what else the machine does hits both alike.
fn measure(positions: &[Position], depth: u8) -> Tally {
    let evaluator = Evaluator::new(Weights::standard());
    let mut peer = Peer::new(Weights::standard());
    let mut tally = Tally::default();
    for job in jobs_of(positions, depth) {
        let (Task::Search { beta, .. }, position) = (job.task, job.position) else {
            continue;
        };
        let board = board(&position);

        let start = Instant::now();
        let (outcome, slots) = Search::new(&job, &evaluator).run_counting();
        tally.time += start.elapsed();

        peer.nodes = 0;
        let start = Instant::now();
        let holds = peer.run(&board, depth, beta - 1, beta) >= i32::from(beta);
        tally.peer_time += start.elapsed();

        assert_eq!(u64::from(outcome.nodes), peer.nodes, "different nodes: {position}");
        assert_eq!(outcome.ending == Ending::Lower, holds, "different answers: {position}");
        tally.jobs += 1;
        tally.nodes += u64::from(outcome.nodes);
        tally.slots += slots;
    }
    tally
}

impl Tally {
    fn print(&self, name: &str) {
        let per_node = |count: u32| f64::from(count) / self.nodes as f64;
        let speed = |time: Duration| self.nodes as f64 / time.as_secs_f64() / 1e6;
        println!(
            "{name:5} {:10.1}  {:10.3}   {:5.3}   {:5.3}    {:5.3}   {:5.3}     {:5.3} {:5.3}      {:5.3}   {:10.2}  {:10.2}  {:5.2}",
            self.nodes as f64 / self.jobs as f64,
            per_node(self.slots.total()),
            per_node(self.slots.load),
            per_node(self.slots.enter),
            per_node(self.slots.attacker),
            per_node(self.slots.quiet),
            per_node(self.slots.retract),
            per_node(self.slots.hop),
            per_node(self.slots.illegal),
            speed(self.time),
            speed(self.peer_time),
            self.peer_time.as_secs_f64() / self.time.as_secs_f64(),
        );
    }
}
