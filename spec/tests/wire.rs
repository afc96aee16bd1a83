//! The wire, byte for byte: golden frames that keep the layouts from changing, and one example of every refusal.
//!
//! The golden bytes were made by hand and by Python's `struct` and `zlib`, not by this crate.

use bluebelle_spec::leaf::{Ending, Job, MATE, MAX_NODES, Outcome, Task, legal_moves};
use bluebelle_spec::wire::{
    Batch, Child, ContentError, DecodeError, Decoder, DropCause, Dropped, ErrorCode, ErrorReply, Features, Frame,
    FrameError, Identity, JobResult, Kind, MAX_CHILDREN, MAX_ENCODED, MAX_FRAME, MAX_IDS, MAX_PAYLOAD, MAX_RESULTS,
    MAX_WORDS, Message, NO_JOB, Reply, Request, Status, WeightWords, weights_crc,
};
use bluebelle_spec::{Fen, Move, Position, Weights};

#[test]
fn requests_have_their_golden_bytes() {
    check_golden(Request::Identify, "03 01 01 01 05 4e d2 3a 98 00");
    check_golden(
        Request::LoadWeights(WeightWords {
            offset: 768,
            words: vec![10, -30],
        }),
        "04 03 01 06 01 03 03 0a 07 e2 ff e6 2a fe b0 00",
    );
    check_golden(
        golden_job(),
        "04 04 01 26 04 34 12 04 05 ce ff e8 03 01 05 0c 07 ff ff 01 01 01 14 ff ff 26 75 54 62 11 11 11 11 99 99 99 99 \
         ae fd dc ea 1e 05 7d c7 1c fa 00",
    );
    check_golden(
        Request::Batch(golden_batch()),
        "04 05 01 2e 02 0a 02 04 02 14 01 01 01 01 02 02 03 ff ff 01 01 01 14 ff ff 26 75 54 62 11 11 11 11 99 99 99 99 \
         ae fd dc ea 1e 02 07 01 01 02 08 07 46 05 50 a7 ce 3d 00",
    );
    check_golden(
        Request::Abort(vec![1, 0x203]),
        "04 06 01 04 02 01 07 03 02 c6 ca 34 e3 00",
    );
}

#[test]
fn replies_have_their_golden_bytes() {
    check_golden(
        Reply::Identity(golden_identity()),
        "04 81 01 28 01 16 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 01 02 0c 0c 24 f4 01 02 40 02 f6 04 0c 06 1f 02 \
         1f 01 01 09 ef be ad de a0 df 22 9b 00",
    );
    check_golden(
        Reply::Results(vec![golden_result()]),
        "04 84 01 10 02 07 02 01 02 14 05 0c 07 e8 03 01 03 c4 09 01 05 e8 c8 1e 55 00",
    );
    check_golden(
        Reply::Status(Status {
            slots_busy: 1,
            slots_total: 2,
            jobs_done: 3,
            frames_ok: 4,
            dropped: Dropped {
                crc: 5,
                framing: 6,
                length: 7,
                version: 8,
                kind: 9,
                content: 10,
                overflow: 11,
            },
            jobs_queued: 12,
            credits: 13,
        }),
        "04 87 01 38 02 01 01 01 01 01 01 01 02 02 01 01 01 01 01 01 02 03 01 01 02 04 01 01 02 05 01 01 02 06 01 01 02 \
         07 01 01 02 08 01 01 02 09 01 01 02 0a 01 01 02 0b 01 01 02 0c 02 0d 05 a9 04 d2 c7 00",
    );
    check_golden(
        Reply::Error(ErrorReply {
            code: ErrorCode::BadMove,
            kind: Kind::Batch as u8,
            id: Some(7),
        }),
        "04 ff 01 04 04 06 05 07 05 dd 9b 6e 12 00",
    );
}

#[test]
fn frames_without_payload_differ_in_kind_only() {
    for (request, kind) in [(Request::Identify, 1), (Request::Reset, 2), (Request::Status, 7)] {
        assert_eq!(request.encode().unwrap()[..5], [3, kind, 1, 1, 5], "{request:?}");
    }
}

#[test]
fn the_limits_are_those_of_the_documentation() {
    let limits = [MAX_FRAME, MAX_ENCODED, MAX_CHILDREN, MAX_WORDS, MAX_IDS, MAX_RESULTS];
    assert_eq!(limits, [1032, 1038, 246, 256, 256, 32]);
    for kind in Kind::ALL {
        assert!(kind.shape().longest() <= MAX_PAYLOAD, "{kind:?}");
        assert_eq!(Kind::from_code(kind as u8), Some(kind));
    }
}

/// The table in the documentation of `Batch`. Children of a usual middle game, not the worst case for stuffing.
#[test]
fn a_batch_costs_what_its_documentation_says() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";
    let parent = fen.parse::<Fen>().unwrap().position;
    let moves = legal_moves(&parent);
    let task = Task::Search { depth: 4, beta: 30 };
    for (count, bytes) in [(8, 80), (32, 176), (128, 560)] {
        let ids = 1000..1000 + count;
        let children = ids.zip(moves.iter().cycle());
        let batch = Batch {
            parent,
            task,
            step: 0,
            node_limit: 100_000,
            pruning: true,
            gang: false,
            children: children.map(|(id, &first)| Child { id, first }).collect(),
        };
        assert_eq!(Request::Batch(batch).encode().unwrap().len(), bytes, "{count} children");
    }
    let job = Job {
        first: moves[0],
        node_limit: 100_000,
        ..Job::new(parent, task)
    };
    assert_eq!(Request::Job { id: 1000, job }.encode().unwrap().len(), 48);
    assert_eq!(Reply::Results(vec![golden_result(); 32]).encode().unwrap().len(), 522);
}

#[test]
fn the_windows_of_a_batch_are_a_step_apart() {
    let jobs: Vec<_> = golden_batch().jobs().collect();
    let job = |first: &str, beta| Job {
        first: first.parse().unwrap(),
        ..Job::new(Position::initial(), Task::Search { depth: 4, beta })
    };
    assert_eq!(jobs, [(7, job("0000", 20)), (8, job("g1f3", 30))]);
}

#[test]
fn weights_travel_in_four_frames() {
    let frames = WeightWords::all(Weights::standard());
    assert_eq!(
        frames.iter().map(|words| words.offset).collect::<Vec<_>>(),
        [0, 256, 512, 768]
    );
    let words: Vec<i16> = frames.iter().flat_map(|frame| frame.words.clone()).collect();
    assert_eq!(Weights::from_words(&words).as_ref(), Ok(Weights::standard()));
    for frame in frames {
        check_round_trip(&Request::LoadWeights(frame));
    }
    let mut other = Weights::standard().clone();
    other.structure[3] += 1;
    assert_ne!(weights_crc(&other), weights_crc(Weights::standard()));
}

#[test]
fn the_longest_frames_fit() {
    let child = Child {
        id: 0xfefe,
        first: Move::NONE,
    };
    check_round_trip(&Request::Batch(Batch {
        children: vec![child; MAX_CHILDREN],
        step: 0,
        ..golden_batch()
    }));
    let mut bytes = Vec::new();
    let payload = [0xff; MAX_PAYLOAD];
    let frame = Frame {
        kind: 0x70,
        payload: &payload,
    };
    frame.encode(&mut bytes).unwrap();
    assert_eq!(bytes.len(), MAX_ENCODED);
    let mut decoder = Decoder::<Request>::new();
    assert_eq!(decoder.next_frame(&mut &bytes[..]), Some(Ok(frame)));
    let too_long = Frame {
        kind: 0x70,
        payload: &[0; MAX_PAYLOAD + 1],
    };
    assert_eq!(too_long.encode(&mut bytes), Err(FrameError::Overflow));
    assert_eq!(bytes.len(), MAX_ENCODED, "nothing was appended");
}

#[test]
fn what_is_no_frame_is_counted_by_cause() {
    let good = golden_job().encode().unwrap();
    let mut changed = good.clone();
    changed[5] ^= 0x40;
    let cut = [&good[..30], &[0]].concat();
    let endless = [7; 5000];
    let mut decoder = Decoder::<Request>::new();
    let stream = [
        &changed[..],                      // CRC
        &cut,                              // framing
        &[5, 1, 2, 3, 4, 0],               // framing: too short
        &plain(&[6, 1, 4, 0, 9, 9]),       // length: the header says 4
        &plain(&[1, 2, 0, 0]),             // version
        &plain(&[0x70, 1, 0, 0]),          // kind
        &plain(&[0x87, 1, 0, 0]),          // kind: the chip's own
        &plain(&[4, 1, 1, 0, 9]),          // length: no job is that short
        &plain(&[6, 1, 2, 0, 0xff, 0xff]), // content
        &[0, 0, 0],                        // nothing
        &endless,
        &[0], // overflow
        &good,
    ]
    .concat();
    let results: Vec<_> = decoder.push(&stream).collect();
    let causes: Vec<_> = results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .map(DecodeError::cause)
        .collect();
    let expected = [
        DropCause::Crc,
        DropCause::Framing,
        DropCause::Framing,
        DropCause::Length,
        DropCause::Version,
        DropCause::Kind,
        DropCause::Kind,
        DropCause::Length,
        DropCause::Content,
        DropCause::Overflow,
    ];
    assert_eq!(causes, expected);
    assert_eq!(results.last(), Some(&Ok(golden_job())));
    assert_eq!(decoder.frames_ok(), 1);
    assert_eq!(decoder.dropped().by_cause(), [1, 2, 2, 1, 2, 1, 1]);
    assert_eq!(decoder.dropped().total(), 10);
    decoder.reset_counters();
    assert_eq!((decoder.frames_ok(), decoder.dropped().total()), (0, 0));
}

#[test]
fn only_whole_frames_are_answered() {
    let reply = |bytes: &[u8]| {
        let mut decoder = Decoder::<Request>::new();
        decoder.push(bytes).next().unwrap().unwrap_err().reply()
    };
    let answer = |code, kind, id| Some(ErrorReply { code, kind, id });
    assert_eq!(reply(&[5, 1, 2, 3, 4, 0]), None);
    assert_eq!(
        reply(&plain(&[6, 1, 4, 0, 9, 9])),
        answer(ErrorCode::BadLength, 6, None)
    );
    assert_eq!(reply(&plain(&[1, 2, 0, 0])), answer(ErrorCode::BadVersion, 1, None));
    assert_eq!(
        reply(&plain(&[0x70, 1, 0, 0])),
        answer(ErrorCode::UnknownKind, 0x70, None)
    );
    assert_eq!(reply(&plain(&[4, 1, 1, 0, 9])), answer(ErrorCode::BadLength, 4, None));
    let mut job = golden_job().payload().unwrap();
    job[2] = 0x87;
    let mut bytes = Vec::new();
    let frame = Frame {
        kind: Kind::Job as u8,
        payload: &job,
    };
    frame.encode(&mut bytes).unwrap();
    assert_eq!(reply(&bytes), answer(ErrorCode::BadDepth, 4, Some(0x1234)));
}

#[test]
fn pruning_is_bit_6_of_the_task() {
    let (Request::Job { id, mut job }, mut batch) = (golden_job(), golden_batch()) else {
        panic!("the golden job is a job")
    };
    let task = |request: &Request| request.payload().unwrap()[2];
    assert_eq!(task(&golden_job()), 4);
    (job.pruning, batch.pruning) = (true, true);
    assert!(batch.jobs().all(|(_, job)| job.pruning));
    for request in [Request::Job { id, job }, Request::Batch(batch)] {
        assert_eq!(task(&request), 0x44);
        check_round_trip(&request);
    }
    assert!(Features::ALL.has(Features::PRUNING) && !golden_identity().features.has(Features::PRUNING));
    // The bit of earlier rules promises nothing.
    assert!(!Features(0x3f).has(Features::PRUNING) && !Features::ALL.has(Features(1 << 5)));
}

#[test]
fn a_gang_is_bit_5_of_the_task() {
    let (Request::Job { id, job }, mut batch) = (golden_job(), golden_batch()) else {
        panic!("the golden job is a job")
    };
    let job = Job {
        pruning: true,
        gang: true,
        ..job
    };
    (batch.pruning, batch.gang) = (true, true);
    assert!(batch.jobs().all(|(_, job)| job.gang));
    for request in [Request::Job { id, job }, Request::Batch(batch)] {
        assert_eq!(request.payload().unwrap()[2], 0x64);
        check_round_trip(&request);
    }
    // Only a search that prunes has one.
    let lonely = Job { pruning: false, ..job };
    assert_eq!(
        Request::Job { id, job: lonely }.encode(),
        Err(ContentError::Reserved(2))
    );
}

#[test]
fn impossible_jobs_are_refused() {
    let payload = golden_job().payload().unwrap();
    let refused = |offset: usize, bytes: &[u8]| {
        let mut payload = payload.clone();
        payload[offset..offset + bytes.len()].copy_from_slice(bytes);
        content_error::<Request>(Kind::Job, &payload)
    };
    assert_eq!(refused(0, &[0xff, 0xff]), ContentError::Id);
    assert_eq!(refused(2, &[0x24]), ContentError::Reserved(2));
    assert_eq!(refused(2, &[0xe4]), ContentError::Reserved(2));
    assert_eq!(refused(3, &[1]), ContentError::Reserved(3));
    assert_eq!(refused(2, &[25]), ContentError::Depth { found: 25, most: 24 });
    assert_eq!(refused(2, &[0x5f]), ContentError::Depth { found: 31, most: 24 });
    assert_eq!(refused(2, &[0x84]), ContentError::PerftWindow { beta: -50, step: 0 });
    assert_eq!(refused(2, &[0x87, 0, 0, 0]), ContentError::Depth { found: 7, most: 6 });
    assert_eq!(refused(4, &(MATE + 1).to_le_bytes()), ContentError::Beta(30_001));
    assert_eq!(refused(4, &(-MATE).to_le_bytes()), ContentError::Beta(-30_000));
    assert_eq!(
        refused(6, &(MAX_NODES + 1).to_le_bytes()),
        ContentError::NodeLimit(MAX_NODES + 1)
    );
    assert_eq!(refused(10, &[0x0c, 0x87]), ContentError::Move(0x870c));
    assert_eq!(
        refused(10, &[0x0c, 0x08]),
        ContentError::IllegalMove("e2a5".parse().unwrap())
    );
    assert!(matches!(refused(36, &[0x3e]), ContentError::Position(_)));
}

#[test]
fn impossible_batches_are_refused() {
    let payload = Request::Batch(golden_batch()).payload().unwrap();
    let refused = |offset: usize, bytes: &[u8]| {
        let mut payload = payload.clone();
        payload[offset..offset + bytes.len()].copy_from_slice(bytes);
        content_error::<Request>(Kind::Batch, &payload)
    };
    assert_eq!(refused(0, &30_000_i16.to_le_bytes()), ContentError::Beta(30_020));
    assert_eq!(
        refused(2, &[0x82, 0, 0, 0]),
        ContentError::PerftWindow { beta: 0, step: 10 }
    );
    assert_eq!(refused(10, &[3]), ContentError::Children { said: 3, found: 2 });
    assert_eq!(refused(38, &[0xff, 0xff]), ContentError::Id);
    assert_eq!(refused(40, &[1]), ContentError::IllegalMove("b1a1".parse().unwrap()));
}

#[test]
fn impossible_weights_and_replies_are_refused() {
    let words = |words: &[u16]| {
        let payload: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        content_error::<Request>(Kind::LoadWeights, &payload)
    };
    assert_eq!(words(&[784, 1, 1]), ContentError::WeightRange { offset: 784, count: 2 });
    let too_large = |index, value, most| ContentError::Weight { index, value, most };
    assert_eq!(words(&[767, 2048]), too_large(767, 2048, 2047));
    assert_eq!(words(&[767, 2047, 128]), too_large(768, 128, 127));
    assert_eq!(words(&[784, 0x8000]), too_large(784, -32768, 255));

    let reply = |reply: Reply, offset: usize, bytes: &[u8]| {
        let mut payload = reply.payload().unwrap();
        payload[offset..offset + bytes.len()].copy_from_slice(bytes);
        content_error::<Reply>(reply.kind(), &payload)
    };
    let results = |offset, bytes: &[u8]| reply(Reply::Results(vec![golden_result(); 2]), offset, bytes);
    assert_eq!(results(2, &[7]), ContentError::Ending(7));
    assert_eq!(results(16 + 3, &[1]), ContentError::Reserved(19));
    assert_eq!(results(4, &[0xff, 0x7f]), ContentError::Score(0x7fff));
    assert_eq!(results(6, &[0, 0x10]), ContentError::Move(0x1000));
    let identity = |offset, bytes: &[u8]| reply(Reply::Identity(golden_identity()), offset, bytes);
    assert_eq!(identity(17, &[0]), ContentError::Identity("cores"));
    assert_eq!(identity(20, &[0; 4]), ContentError::Identity("clock"));
    assert_eq!(identity(31, &[1]), ContentError::Reserved(31));
    let error = ErrorReply {
        code: ErrorCode::QueueFull,
        kind: 4,
        id: None,
    };
    check_round_trip(&Reply::Error(error));
    assert_eq!(reply(Reply::Error(error), 0, &[14]), ContentError::ErrorCode(14));
}

#[test]
fn what_would_be_refused_is_not_sent() {
    let job = |depth, beta| Request::Job {
        id: 1,
        job: Job::new(Position::initial(), Task::Search { depth, beta }),
    };
    // Depth 130 is bit 7 and 2, and so must not turn into a perft.
    for depth in [25, 130, 255] {
        assert_eq!(
            job(depth, 0).encode(),
            Err(ContentError::Depth { found: depth, most: 24 })
        );
    }
    check_round_trip(&job(24, 0));
    assert_eq!(job(1, i16::MIN).encode(), Err(ContentError::Beta(-32_768)));
    let probes = |step, count| {
        let child = Child {
            id: 5,
            first: Move::NONE,
        };
        Request::Batch(Batch {
            children: vec![child; count],
            step,
            ..golden_batch()
        })
    };
    for count in [0, MAX_CHILDREN + 1] {
        let error = ContentError::Count {
            kind: Kind::Batch,
            found: count,
        };
        assert_eq!(probes(0, count).encode(), Err(error));
    }
    assert_eq!(
        probes(i16::MAX, 200).encode(),
        Err(ContentError::Beta(20 + 32_767 * 199))
    );
    assert_eq!(Request::Abort(vec![NO_JOB]).encode(), Err(ContentError::Id));
    let ids = Request::Abort(vec![0; MAX_IDS + 1]).encode().unwrap_err();
    assert_eq!(
        ids.to_string(),
        "257 items for a frame of kind Abort: expected 0 to 256; use more frames"
    );
    check_round_trip(&Request::Abort(vec![]));
    let mut left_in_check = "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1".parse::<Fen>().unwrap().position;
    left_in_check.make("f2f3".parse().unwrap());
    let job = Job::new(left_in_check, Task::Perft { depth: 1 });
    let refused = Request::Job { id: 1, job }.encode();
    assert!(matches!(refused, Err(ContentError::Position(_))), "{refused:?}");
}

fn golden_job() -> Request {
    let job = Job {
        first: "e2e4".parse().unwrap(),
        node_limit: 1000,
        ..Job::new(Position::initial(), Task::Search { depth: 4, beta: -50 })
    };
    Request::Job { id: 0x1234, job }
}

fn golden_batch() -> Batch {
    let child = |id, first: &str| Child {
        id,
        first: first.parse().unwrap(),
    };
    Batch {
        parent: Position::initial(),
        task: Task::Search { depth: 4, beta: 20 },
        step: 10,
        node_limit: 0,
        pruning: false,
        gang: false,
        children: vec![child(7, "0000"), child(8, "g1f3")],
    }
}

fn golden_identity() -> Identity {
    Identity {
        build: std::array::from_fn(|index| index as u8),
        wire_version: 1,
        cores: 2,
        threads: 12,
        stages: 12,
        clock_khz: 62_500,
        queue: 64,
        max_children: 246,
        max_depth: 12,
        max_perft_depth: 6,
        max_ply: 31,
        // Those that the first boards had.
        features: Features(31),
        weights_crc: 0xdead_beef,
    }
}

fn golden_result() -> JobResult {
    let outcome = Outcome {
        ending: Ending::Lower,
        score: 20,
        best: "e2e4".parse().unwrap(),
        nodes: 1000,
        slots: 2500,
    };
    JobResult { id: 7, outcome }
}

fn check_golden<M: Message + PartialEq + std::fmt::Debug>(message: M, golden: &str) {
    let bytes = message.encode().unwrap();
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex.join(" "), golden, "{message:?}");
    check_round_trip(&message);
}

fn check_round_trip<M: Message + PartialEq + std::fmt::Debug>(message: &M) {
    let bytes = message.encode().unwrap();
    let mut decoder = Decoder::<M>::new();
    let decoded: Vec<M> = decoder.push(&bytes).collect::<Result<_, _>>().unwrap();
    assert_eq!(decoded.as_slice(), std::slice::from_ref(message));
}

/// A frame of any header and payload, with the right CRC.
fn plain(content: &[u8]) -> Vec<u8> {
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(content);
    let content = [content, &crc.to_le_bytes()].concat();
    let mut bytes = vec![0; 100];
    let length = cobs::encode(&content, &mut bytes);
    bytes.truncate(length + 1);
    bytes
}

fn content_error<M: Message + std::fmt::Debug>(kind: Kind, payload: &[u8]) -> ContentError {
    let frame = Frame {
        kind: kind as u8,
        payload,
    };
    match M::from_frame(frame) {
        Err(DecodeError::Content { error, .. }) => error,
        other => panic!("expected a content error, found {other:?}"),
    }
}
