//! The whole chip with a real core, spoken to in frames, against the golden search.

use std::collections::VecDeque;

use bluebelle_hdl::chip::{self, Chip};
use bluebelle_hdl::config::Config;
use bluebelle_hdl::harness::Bench;
use bluebelle_spec::leaf::{self, Job, Task, legal_moves};
use bluebelle_spec::wire::{Batch, Child, Decoder, JobResult, Message, Reply, Request, WeightWords, weights_crc};
use bluebelle_spec::{Evaluator, Fen, Weights};
use rust_hdl::prelude::*;

#[test]
fn results_are_those_of_the_golden_search() {
    // A core is a large struct, and a test's stack is small.
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(session).unwrap();
    run.join().unwrap();
}

fn session() {
    let config = Config::default();
    let weights = Weights::standard();
    let evaluator = Evaluator::new(weights);
    let position = |text: &str| text.parse::<Fen>().unwrap().position;
    let rook_ending = position("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
    let moves = legal_moves(&rook_ending);
    let batch = Batch {
        parent: rook_ending,
        task: Task::Search { depth: 1, beta: -60 },
        step: 20,
        node_limit: 0,
        pruning: true,
        gang: false,
        children: (0..6)
            .map(|index| Child {
                id: 20 + index,
                first: moves[usize::from(index)],
            })
            .collect(),
    };
    let mut jobs = vec![
        (
            1,
            Job::new(
                position("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
                Task::Search { depth: 2, beta: 10 },
            ),
        ),
        (2, Job::new(rook_ending, Task::Perft { depth: 1 })),
        (
            3,
            Job::new(
                position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
                Task::Search { depth: 0, beta: 30_000 },
            ),
        ),
    ];
    // A frame that is none.
    let mut to_send = VecDeque::from([3, 1, 2, 0]);
    let mut dropped = false;
    for words in WeightWords::all(weights) {
        to_send.extend(Request::LoadWeights(words).encode().unwrap());
    }
    to_send.extend(Request::Identify.encode().unwrap());
    for &(id, job) in &jobs {
        to_send.extend(Request::Job { id, job }.encode().unwrap());
    }
    jobs.extend(batch.jobs());
    to_send.extend(Request::Batch(batch).encode().unwrap());

    let mut bench = Bench::new(Chip::new(&config), |uut| &mut uut.clock);
    let mut decoder = Decoder::<Reply>::new();
    let mut results: Vec<JobResult> = Vec::new();
    while results.len() < jobs.len() {
        assert!(bench.cycles() < 60_000, "{} of {} results", results.len(), jobs.len());
        bench.uut.rx_valid.next = !to_send.is_empty();
        bench.uut.rx_data.next = to_send.front().copied().unwrap_or(0).to_bits();
        bench.uut.tx_ready.next = true;
        bench.settle();
        if bench.uut.rx_valid.val() && bench.uut.rx_ready.val() {
            to_send.pop_front();
        }
        dropped |= bench.uut.dropped.val();
        if bench.uut.tx_valid.val() {
            for reply in decoder.push(&[bench.uut.tx_data.val().to_u8()]) {
                match reply.unwrap() {
                    Reply::Results(found) => results.extend(found),
                    Reply::Identity(identity) => assert_eq!(identity.weights_crc, weights_crc(weights)),
                    other => panic!("{other:?}"),
                }
            }
        }
        bench.tick();
    }
    assert!(dropped, "nothing told of the dropped frame");
    results.sort_by_key(|result| result.id);
    for (result, (id, job)) in results.iter().zip(&jobs) {
        assert_eq!(result.id, *id);
        assert_eq!(result.outcome, leaf::run(job, &evaluator), "{job:?}");
    }
    println!("{} jobs in {} cycles", results.len(), bench.cycles());
}

#[test]
fn the_chip_has_the_ports_that_its_users_expect() {
    let config = Config {
        cores: 3,
        ..Config::default()
    };
    let ports = |verilog: &str| {
        let (_, top) = verilog.split_once("module top(").unwrap();
        top.split_once(')').unwrap().0.to_owned()
    };
    assert_eq!(
        ports(&chip::verilog(&config)),
        "clock,rx_data,rx_valid,rx_ready,tx_data,tx_valid,tx_ready,working,dropped"
    );
    assert_eq!(ports(&chip::verilog_uart(&config)), "clock,rx,tx,leds");
    assert_eq!(
        ports(&chip::verilog_axi(&config)),
        "clock,s_axi_aresetn,s_axi_awaddr,s_axi_awvalid,s_axi_awready,s_axi_wdata,s_axi_wstrb,s_axi_wvalid,s_axi_wready,\
         s_axi_bresp,s_axi_bvalid,s_axi_bready,s_axi_araddr,s_axi_arvalid,s_axi_arready,s_axi_rdata,s_axi_rresp,s_axi_rvalid,\
         s_axi_rready,working"
    );
}
