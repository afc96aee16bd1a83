//! The host's end of the wire.

use std::collections::VecDeque;

use bluebelle_hdl::config::Config;
use bluebelle_hdl::harness::Cosim;
use bluebelle_spec::leaf::{Job, Task, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{
    Batch, Child, Decoder, ErrorCode, ErrorReply, Frame, JobResult, Kind, Message, Reply, Request, Status,
};
use bluebelle_spec::{Fen, Move, Position};
use rust_hdl::prelude::*;

use crate::stub::{StubChip, stub_outcome};

/// Stub cores have one thread.
pub(crate) fn config() -> Config {
    Config {
        cores: 2,
        threads: 1,
        ..Config::default()
    }
}

/// The host's end of the wire.
pub(crate) struct Host {
    pub(crate) cosim: Cosim<StubChip>,
    pub(crate) to_send: VecDeque<u8>,
    decoder: Decoder<Reply>,
    pub(crate) results: Vec<JobResult>,
    replies: VecDeque<Reply>,
    /// Pauses on both sides of the wire.
    pub(crate) pauses: Option<SplitMix64>,
}

impl Host {
    pub(crate) fn new(config: &Config) -> Host {
        Host {
            cosim: Cosim::new(StubChip::new(config), |uut| &mut uut.clock).allow_undefined(),
            to_send: VecDeque::new(),
            decoder: Decoder::new(),
            results: Vec::new(),
            replies: VecDeque::new(),
            pauses: None,
        }
    }

    pub(crate) fn say(&mut self, request: &Request) {
        self.to_send.extend(request.encode().unwrap());
    }

    pub(crate) fn say_frame(&mut self, kind: u8, payload: &[u8]) {
        let mut bytes = Vec::new();
        Frame { kind, payload }.encode(&mut bytes).unwrap();
        self.to_send.extend(bytes);
    }

    pub(crate) fn cycle(&mut self) {
        let mut pause = || self.pauses.as_mut().is_some_and(|pauses| pauses.below(3) == 0);
        let (rx_pause, tx_pause) = (pause(), pause());
        let uut = &mut self.cosim.uut;
        uut.rx_valid.next = !self.to_send.is_empty() && !rx_pause;
        uut.rx_data.next = self.to_send.front().copied().unwrap_or(0).to_bits();
        uut.tx_ready.next = !tx_pause;
        self.cosim.settle();
        let uut = &self.cosim.uut;
        if uut.rx_valid.val() && uut.rx_ready.val() {
            self.to_send.pop_front();
        }
        if uut.tx_valid.val() && uut.tx_ready.val() {
            let byte = uut.tx_data.val().to_u8();
            for reply in self.decoder.push(&[byte]) {
                match reply.unwrap() {
                    Reply::Results(results) => self.results.extend(results),
                    reply => self.replies.push_back(reply),
                }
            }
        }
        self.cosim.tick();
    }

    /// The next reply that is not results.
    #[track_caller]
    pub(crate) fn hear(&mut self) -> Reply {
        for _ in 0..50_000 {
            if let Some(reply) = self.replies.pop_front() {
                return reply;
            }
            self.cycle();
        }
        panic!("no reply in 50000 cycles");
    }

    #[track_caller]
    pub(crate) fn hear_results(&mut self, count: usize) -> Vec<JobResult> {
        for _ in 0..50_000 {
            if self.results.len() >= count {
                break;
            }
            self.cycle();
        }
        let mut results = std::mem::take(&mut self.results);
        assert_eq!(results.len(), count, "results");
        results.sort_by_key(|result| result.id);
        results
    }

    #[track_caller]
    pub(crate) fn status(&mut self) -> Status {
        self.say(&Request::Status);
        match self.hear() {
            Reply::Status(status) => status,
            other => panic!("status expected: {other:?}"),
        }
    }
}

pub(crate) fn fen(text: &str) -> Position {
    text.parse::<Fen>().unwrap().position
}

pub(crate) fn kiwipete() -> Position {
    fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
}

pub(crate) fn error(code: ErrorCode, kind: Kind, id: Option<u16>) -> Reply {
    let kind = kind as u8;
    Reply::Error(ErrorReply { code, kind, id })
}

pub(crate) fn expected(jobs: impl IntoIterator<Item = (u16, Job)>) -> Vec<JobResult> {
    let result = |(id, job)| JobResult {
        id,
        outcome: stub_outcome(id, &job),
    };
    let mut results: Vec<JobResult> = jobs.into_iter().map(result).collect();
    results.sort_by_key(|result| result.id);
    results
}

pub(crate) fn batch(position: Position, task: Task, step: i16, children: usize) -> Batch {
    let moves = legal_moves(&position);
    let child = |index: usize| Child {
        id: 0x100 + index as u16,
        first: moves.get(index).copied().unwrap_or(Move::NONE),
    };
    Batch {
        parent: position,
        task,
        step,
        node_limit: 12_345,
        pruning: children.is_multiple_of(2),
        gang: false,
        children: (0..children).map(child).collect(),
    }
}
