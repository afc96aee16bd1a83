//! What no honest host would send, to the Verilated chip: it must drop or refuse it, count it, and go on.

use bluebelle_sim::verilated::{Process, build};
use bluebelle_sim::{ClockedChip, Until, chip_verilog};
use bluebelle_spec::leaf::{self, Ending, Job, Task, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{
    Batch, Child, ContentError, DecodeError, Decoder, Dropped, Frame, JobResult, Kind, MAX_FRAME, Message, NO_JOB,
    Reply, Request, Status, VERSION, WeightWords, weights_crc,
};
use bluebelle_spec::{Evaluator, Fen, Move, Piece, Position, Weights};

/// The count.
const FRAMES: usize = 100_000;

/// No frame keeps the chip longer than this: an abort of 256 ids while a core loads jobs is the longest.
const PATIENCE: u64 = 50_000;

struct Host {
    chip: Process,
    decoder: Decoder<Reply>,
    cycle: u64,
    results: Vec<JobResult>,
    /// What the chip should have counted.
    frames_ok: u32,
    dropped: Dropped,
    frames: usize,
}

impl Host {
    fn new() -> Host {
        let program = build(&chip_verilog("").expect("the chip"), false).expect("it builds");
        Host {
            chip: Process::start(&program, None).expect("it starts"),
            decoder: Decoder::new(),
            cycle: 0,
            results: Vec::new(),
            frames_ok: 0,
            dropped: Dropped::default(),
            frames: 0,
        }
    }

    /// Sends bytes; gives what comes back while they are taken, without the results.
    fn say(&mut self, bytes: &[u8]) -> Vec<Reply> {
        self.expect(bytes);
        self.exchange(bytes, 0, PATIENCE * (1 + bytes.len() as u64 / 8))
    }

    fn exchange(&mut self, bytes: &[u8], frames: u32, cycles: u64) -> Vec<Reply> {
        let answer = self
            .chip
            .exchange(bytes, Until { frames, cycles })
            .expect("the simulation goes on");
        assert_eq!(
            answer.untaken, 0,
            "the chip takes no bytes any more, at cycle {}",
            answer.cycle
        );
        self.cycle = answer.cycle;
        let mut replies = Vec::new();
        for reply in self.decoder.push(&answer.bytes) {
            match reply.expect("the chip's frames are good") {
                Reply::Results(results) => self.results.extend(results),
                reply => replies.push(reply),
            }
        }
        replies
    }

    /// Sends a request and waits for a reply that `wanted` takes.
    fn ask<T>(&mut self, request: &Request, wanted: impl Fn(Reply) -> Option<T>) -> T {
        let bytes = request.encode().expect("a good request");
        let mut replies = self.say(&bytes);
        for _ in 0..1_000 {
            if let Some(reply) = replies.drain(..).find_map(&wanted) {
                return reply;
            }
            replies = self.exchange(&[], 1, PATIENCE);
        }
        panic!("no answer to {request:?}");
    }

    fn status(&mut self) -> Status {
        self.ask(&Request::Status, |reply| match reply {
            Reply::Status(status) => Some(status),
            _ => None,
        })
    }

    /// The results of all these jobs, whatever else comes.
    fn run(&mut self, jobs: &[(u16, Job)]) -> Vec<JobResult> {
        self.results.clear();
        for &(id, job) in jobs {
            self.say(&Request::Job { id, job }.encode().expect("a good job"));
        }
        self.wait_for(jobs.len(), 20_000_000);
        let mut results = std::mem::take(&mut self.results);
        results.sort_by_key(|result| result.id);
        results
    }

    fn wait_for(&mut self, results: usize, cycles: u64) {
        let end = self.cycle + cycles;
        while self.results.len() < results {
            assert!(self.cycle < end, "{} of {results} results", self.results.len());
            self.exchange(&[], 1, PATIENCE);
        }
    }

    /// Counts these bytes as the chip must. They end with a delimiter, so that no frame is left half read.
    fn expect(&mut self, mut bytes: &[u8]) {
        let mut ear = Decoder::<Request>::new();
        while let Some(frame) = ear.next_frame(&mut bytes) {
            self.frames += 1;
            match frame.map_err(DecodeError::Frame).and_then(|frame| {
                Request::from_frame(frame).or_else(|error| match chip_takes(&error, frame.payload) {
                    true => Ok(Request::Status),
                    false => Err(error),
                })
            }) {
                Ok(Request::Reset) => (self.frames_ok, self.dropped) = (0, Dropped::default()),
                Ok(_) => self.frames_ok += 1,
                Err(error) => self.dropped.count(error.cause()),
            }
        }
    }

    /// A few good jobs get the golden answers.
    fn still_works(&mut self) {
        let weights = Weights::standard();
        for words in WeightWords::all(weights) {
            self.say(&Request::LoadWeights(words).encode().expect("good weights"));
        }
        let crc = self.ask(&Request::Identify, |reply| match reply {
            Reply::Identity(identity) => Some(identity.weights_crc),
            _ => None,
        });
        assert_eq!(crc, weights_crc(weights));
        let tasks = [
            Task::Search { depth: 2, beta: 30 },
            Task::Perft { depth: 2 },
            Task::Search { depth: 0, beta: -500 },
        ];
        let jobs: Vec<(u16, Job)> = (1..).zip(tasks.map(|task| Job::new(kiwipete(), task))).collect();
        let evaluator = Evaluator::new(weights);
        for (result, (id, job)) in self.run(&jobs).iter().zip(&jobs) {
            assert_eq!((result.id, result.outcome), (*id, leaf::run(job, &evaluator)));
        }
    }
}

fn kiwipete() -> Position {
    let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    text.parse::<Fen>().expect("a FEN").position
}

/// Whether the chip takes a payload that the specification refuses: it knows how a position is packed, how many kings there are
/// and where no pawn stands, and how a move is coded; what is legal is the host's duty.
fn chip_takes(error: &DecodeError, payload: &[u8]) -> bool {
    let DecodeError::Content { kind, error, .. } = error else {
        return false;
    };
    if !matches!(error, ContentError::Position(_) | ContentError::IllegalMove(_)) || !well_packed(&payload[12..38]) {
        return false;
    }
    let word = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
    let is_move = |bytes: &[u8]| Move::from_bits(word(bytes)).is_some();
    match kind {
        Kind::Job => is_move(&payload[10..12]),
        _ => payload[38..]
            .chunks(4)
            .all(|child| word(child) != NO_JOB && is_move(&child[2..])),
    }
}

fn well_packed(position: &[u8]) -> bool {
    let occupied = u64::from_le_bytes(position[..8].try_into().expect("8 bytes"));
    let nibble = |index: usize| position[8 + index / 2] >> (index % 2 * 4) & 15;
    let squares: Vec<u32> = (0..64).filter(|square| occupied >> square & 1 != 0).collect();
    let mut kings = [0, 0];
    for (index, square) in squares.iter().take(32).enumerate() {
        match nibble(index) & 7 {
            0 | 3 => return false,
            1 if !(8..56).contains(square) => return false,
            4 => kings[usize::from(nibble(index) >> 3)] += 1,
            _ => {}
        }
    }
    squares.len() <= 32
        && (squares.len()..32).all(|index| nibble(index) == 0)
        && kings == [1, 1]
        && position[24] < 32
        && matches!(position[25], 0 | 8..=15)
}

/// A frame with this header, right or wrong, and the CRC that goes with it.
fn frame_with(header: [u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut plain = [&header, payload].concat();
    let step = |crc: u32, _| crc >> 1 ^ if crc & 1 != 0 { 0xedb8_8320 } else { 0 };
    let crc = plain
        .iter()
        .fold(!0u32, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step));
    plain.extend((!crc).to_le_bytes());
    let mut stuffed = Vec::new();
    for run in plain.split(|&byte| byte == 0) {
        let mut blocks = run.chunks(254).peekable();
        if run.is_empty() {
            stuffed.push(1);
        }
        while let Some(block) = blocks.next() {
            stuffed.push(block.len() as u8 + 1);
            stuffed.extend(block);
            if block.len() == 254 && blocks.peek().is_none() {
                stuffed.push(1);
            }
        }
    }
    stuffed.push(0);
    stuffed
}

/// What is mutated.
fn good_requests() -> Vec<Request> {
    let position = kiwipete();
    let moves = legal_moves(&position);
    let child = |index: u16| Child {
        id: 0x100 + index,
        first: moves[usize::from(index)],
    };
    let small = Job {
        node_limit: 40,
        ..Job::new(position, Task::Search { depth: 1, beta: 50 })
    };
    vec![
        Request::Job { id: 3, job: small },
        Request::Job {
            id: 4,
            job: Job::new(Position::initial(), Task::Perft { depth: 1 }),
        },
        Request::Batch(Batch {
            parent: position,
            task: Task::Search { depth: 0, beta: 50 },
            step: -7,
            node_limit: 30,
            pruning: true,
            gang: false,
            children: (0..4).map(child).collect(),
        }),
        Request::Abort(vec![1, 2, 0x102]),
        Request::LoadWeights(WeightWords {
            offset: 764,
            words: vec![3, -2047, 2047, 9, 127, -127, 1, 2, 3, 4, 5, 6, 7, 15, -15, 255],
        }),
        Request::Status,
        Request::Identify,
    ]
}

/// One piece of hostility, with its delimiter.
fn hostile(rng: &mut SplitMix64, bases: &[Request]) -> Vec<u8> {
    let mut below = |limit: usize| rng.below(limit as u64) as usize;
    let base = match below(500) {
        0 => &Request::Reset,
        _ => &bases[below(bases.len())],
    };
    let mut bytes = base.encode().expect("a good request");
    match below(100) {
        // Noise, mostly short; long enough to overflow only where it has no zeros.
        0..25 => {
            bytes = match below(60) {
                0 => (0..MAX_FRAME + below(300)).map(|_| 1 + below(255) as u8).collect(),
                _ => (0..1 + below(20)).map(|_| below(256) as u8).collect(),
            };
        }
        // A good frame, changed on the way.
        25..50 => {
            for _ in 0..1 + below(3) {
                let at = below(bytes.len().max(1));
                match below(4) {
                    0 => bytes[at] ^= 1 << below(8),
                    1 if bytes.len() > 1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, below(256) as u8),
                    _ => bytes.truncate(at + 1),
                }
            }
        }
        // Another kind, version or length, and a CRC that agrees.
        50..60 => {
            let payload = base.payload().expect("a good request");
            let mut header = [
                base.kind() as u8,
                VERSION,
                payload.len() as u8,
                (payload.len() >> 8) as u8,
            ];
            header[below(4)] ^= 1 << below(8);
            bytes = frame_with(header, &payload);
        }
        // Other contents, and a CRC that agrees.
        _ => {
            let mut payload = base.payload().expect("a good request");
            for _ in 0..1 + below(2) {
                match below(8) {
                    0 => payload.truncate(below(payload.len() + 1)),
                    1 => payload.extend(vec![below(256) as u8; 1 + below(6)]),
                    _ if payload.is_empty() => {}
                    2 => {
                        let at = below(payload.len());
                        payload[at] = below(256) as u8;
                    }
                    _ => {
                        let at = below(payload.len());
                        payload[at] ^= 1 << below(8);
                    }
                }
            }
            bytes.clear();
            let kind = base.kind() as u8;
            let payload = &payload;
            Frame { kind, payload }.encode(&mut bytes).expect("it is short");
        }
    }
    bytes.push(0);
    bytes
}

#[test]
fn a_hundred_thousand_hostile_frames_do_no_harm() {
    let mut host = Host::new();
    let mut rng = SplitMix64::new(31);
    let bases = good_requests();
    let mut total = Dropped::default().by_cause();
    let (mut answers, mut rounds) = (0, 0);
    while host.frames < FRAMES {
        let mut bytes = vec![0];
        for _ in 0..500 {
            bytes.extend(hostile(&mut rng, &bases));
        }
        answers += host.say(&bytes).len();
        rounds += 1;
        // Some of what it took may run for hours.
        host.say(&Request::Abort(Vec::new()).encode().expect("a good request"));
        // Answers that are still on their way are not the one that is asked for now.
        answers += host.exchange(&[], u32::MAX, 6_000).len();
        let status = host.status();
        assert_eq!(status.dropped, host.dropped, "after {} frames", host.frames);
        assert_eq!(status.frames_ok, host.frames_ok, "after {} frames", host.frames);
        // So that a reset among the frames does not hide what was counted before it.
        for (total, count) in total.iter_mut().zip(host.dropped.by_cause()) {
            *total += count;
        }
        host.say(&Request::Reset.encode().expect("a good request"));
    }
    println!(
        "{} frames in {rounds} rounds and {} cycles: dropped by cause since the last reset of each round {total:?}, {answers} answers",
        host.frames, host.cycle
    );
    assert!(total.iter().all(|&count| count > 50), "{total:?}");
    host.still_works();
}

/// Positions that the packing allows and chess does not: kings side by side or in check out of turn, any number of queens,
/// castling without rooks, en passant without pawns, first moves from empty squares.
#[test]
fn impossible_positions_end_like_others() {
    let mut host = Host::new();
    let mut rng = SplitMix64::new(77);
    let mut nodes = 0;
    for round in 0..40 {
        let deep = round % 4 == 3;
        host.results.clear();
        let ids = 1..=100u16;
        for id in ids.clone() {
            host.say(&impossible_job(&mut rng, id, deep));
        }
        // The deep ones take hours, unless they are told to stop.
        match (deep, round % 8) {
            (false, _) => {}
            (true, 3) => drop(host.say(&Request::Abort(Vec::new()).encode().expect("a good request"))),
            (true, _) => drop(host.say(&Request::Abort(ids.clone().collect()).encode().expect("a good request"))),
        }
        host.wait_for(100, 20_000_000);
        let mut found: Vec<u16> = host.results.iter().map(|result| result.id).collect();
        found.sort_unstable();
        assert_eq!(found, ids.collect::<Vec<_>>());
        nodes += host
            .results
            .iter()
            .map(|result| u64::from(result.outcome.nodes))
            .sum::<u64>();
        let aborted = |result: &JobResult| result.outcome.ending == Ending::Aborted;
        assert!(deep || !host.results.iter().any(aborted));
    }
    let status = host.status();
    assert_eq!((status.dropped.total(), status.jobs_done), (0, 4_000));
    // A reset ends them too.
    for id in 1..=100 {
        host.say(&impossible_job(&mut rng, id, true));
    }
    host.say(&Request::Reset.encode().expect("a good request"));
    host.results.clear();
    assert_eq!(host.status().jobs_done, 0);
    println!("{nodes} nodes, {} cycles", host.cycle);
    assert!(nodes > 50_000);
    host.still_works();
}

/// A job frame that the chip takes, whatever it means.
fn impossible_job(rng: &mut SplitMix64, id: u16, deep: bool) -> Vec<u8> {
    let mut below = |limit: u64| rng.below(limit);
    // Mostly few pieces: with many, one of them attacks the king out of turn, and that is the end of it.
    let count = 2 + below(31).min(below(31)) as usize;
    let mut occupied = 0u64;
    while (occupied.count_ones() as usize) < count {
        occupied |= 1 << below(64);
    }
    let kings = (below(count as u64) as usize, below(count as u64 - 1) as usize);
    let mut pieces = [0u8; 16];
    for (index, square) in (0..64).filter(|square| occupied >> square & 1 != 0).enumerate() {
        let codes: &[u8] = if (8..56).contains(&square) {
            &[1, 1, 2, 5, 6, 7]
        } else {
            &[2, 5, 6, 7]
        };
        let mut nibble = codes[below(codes.len() as u64) as usize] | (below(2) as u8) << 3;
        if index == kings.0 {
            nibble = Piece::King.code();
        } else if index == kings.1 + usize::from(kings.1 >= kings.0) {
            nibble = Piece::King.code() | 8;
        }
        pieces[index / 2] |= nibble << (index % 2 * 4);
    }
    let (task, beta) = match below(3) {
        0 => (0x80 | if deep { 6 } else { below(3) as u8 }, 0i16),
        _ => (if deep { 12 } else { below(4) as u8 }, below(2000) as i16 - 1000),
    };
    let first = match below(2) {
        0 => 0,
        _ => below(4096) as u16 | [0, 0, 0, 2, 5, 6, 7][below(7) as usize] << 12,
    };
    let node_limit: u32 = if deep { 0 } else { 1 + below(300) as u32 };
    let mut payload = Vec::new();
    payload.extend(id.to_le_bytes());
    payload.extend([task, 0]);
    payload.extend(beta.to_le_bytes());
    payload.extend(node_limit.to_le_bytes());
    payload.extend(first.to_le_bytes());
    payload.extend(occupied.to_le_bytes());
    payload.extend(pieces);
    payload.extend([below(32) as u8, if below(2) == 0 { 0 } else { 8 | below(8) as u8 }]);
    let mut bytes = Vec::new();
    let kind = Kind::Job as u8;
    let payload = &payload;
    Frame { kind, payload }.encode(&mut bytes).expect("it is short");
    bytes
}
