//! The shell with stub cores, spoken to in frames: every kind of request, every refusal, noise and back-pressure.

mod chip_stub;

use std::collections::VecDeque;

use bluebelle_hdl::config::Config;
use bluebelle_hdl::harness::{Cosim, Simulator, synthesis_check};
use bluebelle_spec::leaf::{Ending, Job, MATE, Task, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{
    Batch, Child, DecodeError, Decoder, ErrorCode, ErrorReply, Frame, JobResult, Kind, Message, NO_JOB, Reply, Request,
    Status, WeightWords, weights_crc,
};
use bluebelle_spec::{Fen, Move, Position, Weights};
use chip_stub::{StubChip, stub_outcome};
use rust_hdl::prelude::*;

/// Stub cores have one thread.
fn config() -> Config {
    Config {
        cores: 2,
        threads: 1,
        ..Config::default()
    }
}

/// The host's end of the wire.
struct Host {
    cosim: Cosim<StubChip>,
    to_send: VecDeque<u8>,
    decoder: Decoder<Reply>,
    results: Vec<JobResult>,
    replies: VecDeque<Reply>,
    /// Pauses on both sides of the wire.
    pauses: Option<SplitMix64>,
}

impl Host {
    fn new(config: &Config) -> Host {
        Host {
            cosim: Cosim::new(StubChip::new(config), |uut| &mut uut.clock).allow_undefined(),
            to_send: VecDeque::new(),
            decoder: Decoder::new(),
            results: Vec::new(),
            replies: VecDeque::new(),
            pauses: None,
        }
    }

    fn say(&mut self, request: &Request) {
        self.to_send.extend(request.encode().unwrap());
    }

    fn say_frame(&mut self, kind: u8, payload: &[u8]) {
        let mut bytes = Vec::new();
        Frame { kind, payload }.encode(&mut bytes).unwrap();
        self.to_send.extend(bytes);
    }

    fn cycle(&mut self) {
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
    fn hear(&mut self) -> Reply {
        for _ in 0..50_000 {
            if let Some(reply) = self.replies.pop_front() {
                return reply;
            }
            self.cycle();
        }
        panic!("no reply in 50000 cycles");
    }

    #[track_caller]
    fn hear_results(&mut self, count: usize) -> Vec<JobResult> {
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
    fn status(&mut self) -> Status {
        self.say(&Request::Status);
        match self.hear() {
            Reply::Status(status) => status,
            other => panic!("status expected: {other:?}"),
        }
    }
}

fn fen(text: &str) -> Position {
    text.parse::<Fen>().unwrap().position
}

fn kiwipete() -> Position {
    fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
}

fn error(code: ErrorCode, kind: Kind, id: Option<u16>) -> Reply {
    let kind = kind as u8;
    Reply::Error(ErrorReply { code, kind, id })
}

fn expected(jobs: impl IntoIterator<Item = (u16, Job)>) -> Vec<JobResult> {
    let result = |(id, job)| JobResult {
        id,
        outcome: stub_outcome(id, &job),
    };
    let mut results: Vec<JobResult> = jobs.into_iter().map(result).collect();
    results.sort_by_key(|result| result.id);
    results
}

fn batch(position: Position, task: Task, step: i16, children: usize) -> Batch {
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
        children: (0..children).map(child).collect(),
    }
}

#[test]
fn identifies_itself_and_its_weights() {
    let config = config();
    let mut host = Host::new(&config);
    synthesis_check(&host.cosim.uut);
    let mut expected = config.identity();
    expected.weights_crc = 0x6d3d_5d9c;
    host.say(&Request::Identify);
    let Reply::Identity(identity) = host.hear() else {
        panic!()
    };
    expected.weights_crc = identity.weights_crc; // of zeros
    assert_eq!(identity, expected);

    let weights = Weights::standard();
    for words in WeightWords::all(weights) {
        host.say(&Request::LoadWeights(words));
    }
    host.say(&Request::Identify);
    expected.weights_crc = weights_crc(weights);
    assert_eq!(host.hear(), Reply::Identity(expected));
    let sum = (0..).zip(weights.to_words()).fold(0u16, |sum, (index, word)| {
        sum.wrapping_add(word as u16).wrapping_add(index)
    });
    assert_eq!(host.cosim.uut.cores[1].weights.q.val(), u64::from(sum));
}

#[test]
fn jobs_and_batches_go_through() {
    let mut host = Host::new(&config());
    host.pauses = Some(SplitMix64::new(1));
    let search = Task::Search { depth: 2, beta: -20 };
    let mut jobs = vec![
        (7, Job::new(Position::initial(), search)),
        (0, Job::new(kiwipete(), Task::Perft { depth: 6 })),
        (0xfffe, Job::new(fen("8/8/8/8/8/4k3/8/4K3 b - - 0 1"), search)),
        (
            8,
            Job {
                first: legal_moves(&kiwipete())[3],
                node_limit: 1 << 28,
                ..Job::new(kiwipete(), Task::Search { depth: 0, beta: MATE })
            },
        ),
        (
            9,
            Job {
                node_limit: 1,
                ..Job::new(
                    fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
                    search,
                )
            },
        ),
    ];
    for (id, job) in &jobs {
        host.say(&Request::Job { id: *id, job: *job });
    }
    let batches = [
        batch(kiwipete(), Task::Search { depth: 1, beta: 100 }, 0, 48),
        batch(
            kiwipete(),
            Task::Search {
                depth: 0,
                beta: -29_000,
            },
            600,
            20,
        ),
        batch(Position::initial(), Task::Perft { depth: 1 }, 0, 1),
    ];
    for (index, mut batch) in batches.into_iter().enumerate() {
        for child in &mut batch.children {
            child.id += 0x100 * index as u16;
        }
        jobs.extend(batch.jobs());
        host.say(&Request::Batch(batch));
    }
    let results = host.hear_results(jobs.len());
    let count = jobs.len() as u32;
    assert_eq!(results, expected(jobs));
    let status = host.status();
    assert_eq!(status.jobs_done, count);
    assert_eq!(status.frames_ok, 9);
    assert_eq!(status.dropped.total(), 0);
    assert_eq!((status.jobs_queued, status.credits), (0, 107));
    println!("{} cycles, {status:?}", host.cosim.cycles());
    assert!(status.slots_busy < status.slots_total && status.slots_total <= 2 * host.cosim.cycles());
}

#[test]
fn what_does_not_fit_is_refused_as_a_whole() {
    let mut host = Host::new(&Config { queue: 4, ..config() });
    let slow = Task::Search { depth: 12, beta: 0 };
    host.say(&Request::Batch(batch(Position::initial(), slow, 0, 5)));
    assert_eq!(host.hear(), error(ErrorCode::QueueFull, Kind::Batch, None));
    host.say(&Request::Batch(batch(Position::initial(), slow, 0, 4)));
    let mut jobs: Vec<(u16, Job)> = batch(Position::initial(), slow, 0, 4).jobs().collect();
    // Two go to the cores, so two more fit.
    while host.status().credits != 2 {}
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 3)));
    assert_eq!(host.hear(), error(ErrorCode::QueueFull, Kind::Batch, None));
    for id in 0..3 {
        let job = Job::new(kiwipete(), slow);
        host.say(&Request::Job { id, job });
        if id < 2 {
            jobs.push((id, job));
        }
    }
    assert_eq!(host.hear(), error(ErrorCode::QueueFull, Kind::Job, Some(2)));
    assert_eq!(host.hear_results(6), expected(jobs));
}

#[test]
fn aborts_end_jobs_wherever_they_are() {
    let mut host = Host::new(&config());
    let slow = Task::Search { depth: 12, beta: 0 };
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    while host.status().jobs_queued != 8 {}
    // One runs, two wait, one is not there.
    host.say(&Request::Abort(vec![0x101, 0x105, 0x333, 0x109]));
    let results = host.hear_results(10);
    for (index, result) in results.iter().enumerate() {
        assert_eq!(result.id, 0x100 + index as u16);
        let aborted = [1, 5, 9].contains(&index);
        assert_eq!(result.outcome.ending == Ending::Aborted, aborted, "{result:?}");
    }
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    while host.status().jobs_queued != 8 {}
    host.say(&Request::Abort(vec![]));
    let results = host.hear_results(10);
    assert!(results.iter().all(|result| result.outcome.ending == Ending::Aborted));
    // Nothing lingers.
    let job = Job::new(kiwipete(), Task::Search { depth: 1, beta: 0 });
    host.say(&Request::Job { id: 0x101, job });
    assert_eq!(host.hear_results(1), expected([(0x101, job)]));
}

#[test]
fn reset_drops_all_jobs_and_counts() {
    let mut host = Host::new(&config());
    let slow = Task::Search { depth: 12, beta: 0 };
    host.say_frame(0x55, &[]);
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 30)));
    assert_eq!(
        host.hear(),
        Reply::Error(ErrorReply {
            code: ErrorCode::UnknownKind,
            kind: 0x55,
            id: None
        })
    );
    let before = host.status();
    assert_eq!((before.frames_ok, before.dropped.kind), (2, 1));
    host.say(&Request::Reset);
    let after = host.status();
    host.results.clear(); // those that were on the way
    assert_eq!((after.frames_ok, after.dropped.total(), after.jobs_done), (1, 0, 0));
    assert_eq!((after.jobs_queued, after.credits), (0, 107));
    assert!(after.slots_total < 1000);
    for _ in 0..1000 {
        host.cycle();
    }
    assert_eq!(host.results, []);
    let job = Job::new(kiwipete(), Task::Search { depth: 1, beta: 0 });
    host.say(&Request::Job { id: 1, job });
    assert_eq!(host.hear_results(1), expected([(1, job)]));
}

/// What the chip checks of a position; the rest is the host's duty.
fn well_packed(position: &[u8]) -> bool {
    let occupied = u64::from_le_bytes(position[..8].try_into().unwrap());
    let nibble = |index: usize| position[8 + index / 2] >> (index % 2 * 4) & 15;
    let squares: Vec<u32> = (0..64).filter(|square| occupied >> square & 1 != 0).collect();
    let count = squares.len();
    if count > 32 || (count..32).any(|index| nibble(index) != 0) {
        return false;
    }
    let mut kings = [0, 0];
    for (index, square) in squares.into_iter().enumerate() {
        match nibble(index) & 7 {
            0 | 4 => return false,
            1 if !(8..56).contains(&square) => return false,
            3 => kings[usize::from(nibble(index) >> 3)] += 1,
            _ => {}
        }
    }
    kings == [1, 1] && position[24] < 32 && matches!(position[25], 0 | 8..=15)
}

/// What the chip answers to a frame, or nothing; `None` if the specification knows better than the chip.
fn answer_to(kind: u8, payload: &[u8]) -> Option<Option<ErrorReply>> {
    let mut bytes = Vec::new();
    Frame { kind, payload }.encode(&mut bytes).unwrap();
    let answer = Decoder::<Request>::new().push(&bytes).next().unwrap();
    let reply = answer.as_ref().err().and_then(DecodeError::reply);
    let deep = match reply.map(|reply| reply.code) {
        Some(ErrorCode::BadPosition) => well_packed(&payload[12..38]),
        Some(ErrorCode::BadMove) => {
            let moves: Vec<&[u8]> = match kind {
                4 => vec![&payload[10..12]],
                _ => payload[38..].chunks(4).map(|child| &child[2..]).collect(),
            };
            moves
                .iter()
                .all(|bits| Move::from_bits(u16::from_le_bytes([bits[0], bits[1]])).is_some())
        }
        _ => false,
    };
    // An illegal move before one that is none would be blamed on another child.
    (!deep).then_some(reply)
}

#[test]
fn refusals_are_those_of_the_specification() {
    let mut host = Host::new(&Config { queue: 107, ..config() });
    let mut random = SplitMix64::new(5);
    let task = Task::Search { depth: 0, beta: 50 };
    let bases = [
        Request::Job {
            id: 3,
            job: Job::new(kiwipete(), task),
        },
        Request::Batch(batch(kiwipete(), task, -7, 5)),
        Request::Batch(batch(kiwipete(), Task::Perft { depth: 0 }, 0, 2)),
        Request::Abort(vec![1, 2, 0x102]),
        Request::LoadWeights(WeightWords {
            offset: 764,
            words: vec![3, -2047, 2047, 9, 127, -127, 1, 2, 3, 4, 5, 6, 7, 15, -15, 255],
        }),
        Request::Status,
        Request::Identify,
    ];
    let mut decoder = Decoder::<Request>::new();
    let mut seen = std::collections::BTreeMap::new();
    let mut sent = 0;
    while sent < 400 {
        let base = &bases[random.below(bases.len() as u64) as usize];
        let mut kind = base.kind() as u8;
        let mut payload = base.payload().unwrap();
        let job_or_batch = matches!(base.kind(), Kind::Job | Kind::Batch);
        for _ in 0..random.below(3) {
            let words = payload.len() as u64 / 2;
            match random.below(12) {
                0 => kind = random.below(16) as u8 * 0x11,
                1 => payload.truncate(random.below(payload.len() as u64 + 1) as usize),
                2 => payload.extend([0; 4]),
                // A field becomes a number at the edge of what is allowed.
                3..6 if words > 0 => {
                    let limits = [
                        0, NO_JOB, 0x7fff, 0x8000, 30_000, 30_001, 35_536, 35_537, 0x1000, 0x1001, 0xf800,
                    ];
                    let word: u16 = limits[random.below(limits.len() as u64) as usize];
                    let among = if random.below(2) == 0 { words } else { words.min(6) };
                    let at = random.below(among) as usize * 2;
                    payload[at..at + 2].copy_from_slice(&word.to_le_bytes());
                }
                6 if job_or_batch && words > 1 => payload[2] = random.next_u64() as u8 & 0x8f,
                7 if job_or_batch && words > 5 => payload[11] ^= 0x10 << random.below(4),
                8 if words > 20 => payload[41] ^= 0x10 << random.below(4),
                _ if words > 0 => {
                    let at = random.below(payload.len() as u64) as usize;
                    payload[at] ^= 1 << random.below(8);
                }
                _ => {}
            }
        }
        let Some(answer) = answer_to(kind, &payload) else {
            continue;
        };
        sent += 1;
        host.say_frame(kind, &payload);
        let mut bytes = Vec::new();
        Frame {
            kind,
            payload: &payload,
        }
        .encode(&mut bytes)
        .unwrap();
        let request = decoder.push(&bytes).next().unwrap();
        *seen.entry(answer.map(|reply| reply.code as u8)).or_insert(0) += 1;
        match (answer, request) {
            (Some(error), _) => assert_eq!(host.hear(), Reply::Error(error), "{kind:#x} {payload:02x?}"),
            (None, Ok(Request::Status)) => assert!(matches!(host.hear(), Reply::Status(_))),
            (None, Ok(Request::Identify)) => assert!(matches!(host.hear(), Reply::Identity(_))),
            (None, Ok(Request::Reset)) => decoder.reset_counters(),
            _ => {}
        }
    }
    println!("answers by code: {seen:?}");
    for code in [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] {
        assert!(seen.contains_key(&Some(code)), "no refusal with code {code}");
    }
    // Another version of the wire.
    host.to_send.extend(
        b"\x03\x77\x02\x01\x05"
            .iter()
            .chain(&crc_of(&[0x77, 2, 0, 0]))
            .chain(&[0]),
    );
    let answer = host.hear();
    assert_eq!(
        answer,
        Reply::Error(ErrorReply {
            code: ErrorCode::BadVersion,
            kind: 0x77,
            id: None
        })
    );
    let status = host.status();
    assert_eq!(status.frames_ok, decoder.frames_ok() + 1);
    let mut dropped = *decoder.dropped();
    dropped.version = 1;
    assert_eq!(status.dropped, dropped);
    println!("{} cycles, {status:?}", host.cosim.cycles());
}

/// The CRC of some bytes, in which there happens to be no zero.
fn crc_of(bytes: &[u8]) -> [u8; 4] {
    let step = |crc: u32, _| crc >> 1 ^ if crc & 1 != 0 { 0xedb8_8320 } else { 0 };
    let crc = bytes
        .iter()
        .fold(!0u32, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step));
    let bytes = (!crc).to_le_bytes();
    assert!(!bytes.contains(&0));
    bytes
}

#[test]
fn after_any_noise_the_next_frame_is_understood() {
    let mut host = Host::new(&config());
    let mut random = SplitMix64::new(9);
    let mut decoder = Decoder::<Request>::new();
    for round in 0..30 {
        let length = [3, 30, 300, 1500][round % 4];
        let mut noise: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        if round % 3 == 0 {
            // A good frame with some damage.
            noise = Request::Batch(batch(kiwipete(), Task::Search { depth: 1, beta: 0 }, 0, 9))
                .encode()
                .unwrap();
            let at = random.below(noise.len() as u64) as usize;
            noise[at] ^= 1 << random.below(8);
        }
        noise.push(0);
        for found in decoder.push(&noise) {
            assert!(found.is_err());
        }
        host.to_send.extend(noise);
        if round % 8 == 7 {
            let status = host.status();
            assert!(decoder.push(&Request::Status.encode().unwrap()).next().unwrap().is_ok());
            assert_eq!(status.dropped, *decoder.dropped());
            assert_eq!(status.frames_ok, decoder.frames_ok());
        }
    }
    assert!(decoder.dropped().total() > 30);
    println!("{:?}", decoder.dropped());
}

#[test]
fn the_verilog_says_the_same() {
    let mut host = Host::new(&config());
    synthesis_check(&host.cosim.uut);
    host.pauses = Some(SplitMix64::new(2));
    for words in WeightWords::all(Weights::standard()) {
        host.say(&Request::LoadWeights(words));
    }
    host.say(&Request::Identify);
    host.hear();
    let slow = Task::Search { depth: 5, beta: 0 };
    host.say(&Request::Batch(batch(kiwipete(), slow, 3, 40)));
    host.say(&Request::Abort(vec![0x101, 0x110]));
    host.say_frame(Kind::Job as u8, &[0; 38]);
    host.say_frame(Kind::Batch as u8, &[0xff; 42]);
    host.to_send.extend([1, 2, 3, 4, 5, 0]);
    host.hear();
    host.hear();
    host.hear_results(40);
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    host.say(&Request::Abort(vec![]));
    host.hear_results(10);
    host.say(&Request::Batch(batch(kiwipete(), slow, 0, 10)));
    host.status();
    host.say(&Request::Reset);
    host.say(&Request::Job {
        id: 1,
        job: Job::new(kiwipete(), slow),
    });
    host.status();
    for _ in 0..2000 {
        host.cycle();
    }
    host.cosim.finish_with(Simulator::Verilator);
}
