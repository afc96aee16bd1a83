//! What holds for every input: frames, packed positions, FENs and weights files.

use std::fmt::Debug;

use bluebelle_spec::leaf::{
    Ending, MATE, MAX_DEPTH, MAX_NODES, MAX_PERFT_DEPTH, Outcome, Task, is_legal_move, legal_moves,
};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{
    Batch, Child, DecodeError, Decoder, Dropped, ErrorCode, ErrorReply, Features, Frame, Identity, JobResult, Kind,
    MAX_PAYLOAD, Message, Reply, Request, Status, WeightWords,
};
use bluebelle_spec::{Fen, Move, PackedPosition, Position, Term, Weights, WeightsFileError};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

proptest! {
    #[test]
    fn messages_round_trip(seed: u64) {
        let rng = &mut SplitMix64::new(seed);
        check_round_trip(&random_request(rng))?;
        check_round_trip(&random_reply(rng))?;
    }

    /// Both directions, all kinds; mostly payloads of a length that the kind allows.
    #[test]
    fn accepted_payloads_encode_to_themselves(kind: u8, payload in vec(any::<u8>(), 0..=MAX_PAYLOAD), seed: u64, faults in faults()) {
        check_canonical(Frame { kind, payload: &payload })?;
        let kind = Kind::ALL[usize::from(kind) % Kind::ALL.len()];
        let shape = kind.shape();
        let items = match shape.item {
            0 => 0,
            item => (payload.len() / item).clamp(*shape.items.start(), *shape.items.end()),
        };
        let mut fitting = payload;
        fitting.resize(shape.head + shape.item * items, 0);
        check_canonical(Frame { kind: kind as u8, payload: &fitting })?;

        let rng = &mut SplitMix64::new(seed);
        let (request, reply) = (random_request(rng), random_reply(rng));
        for (kind, mut nearly) in [(request.kind(), request.payload().unwrap()), (reply.kind(), reply.payload().unwrap())] {
            for fault in &faults {
                if let Some(byte) = nearly.get_mut(fault.at.index(64)) {
                    *byte ^= fault.byte;
                    check_canonical(Frame { kind: kind as u8, payload: &nearly })?;
                }
            }
        }
    }

    #[test]
    fn chunking_does_not_matter(seed: u64, garbage in vec(any::<u8>(), 0..200), cuts in vec(any::<Index>(), 0..20)) {
        let rng = &mut SplitMix64::new(seed);
        let mut stream = random_request(rng).encode().unwrap();
        stream.extend(garbage);
        random_request(rng).encode_to(&mut stream).unwrap();
        let mut whole = Decoder::<Request>::new();
        let expected: Vec<_> = whole.push(&stream).collect();

        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len())).collect();
        cuts.extend([0, stream.len()]);
        cuts.sort_unstable();
        let mut pieces = Decoder::<Request>::new();
        let mut found = Vec::new();
        for ends in cuts.windows(2) {
            found.extend(pieces.push(&stream[ends[0]..ends[1]]));
        }
        prop_assert_eq!(found, expected);
        prop_assert_eq!(pieces.dropped(), whole.dropped());
        prop_assert_eq!(pieces.frames_ok(), whole.frames_ok());
    }

    #[test]
    fn garbage_never_costs_the_frame_after_the_delimiter(seed: u64, mut stream in vec(any::<u8>(), 0..3000), again in any::<bool>()) {
        let request = random_request(&mut SplitMix64::new(seed));
        if again {
            // No delimiters: one long overrun.
            stream.iter_mut().for_each(|byte| *byte |= 1);
        }
        stream.push(0);
        request.encode_to(&mut stream).unwrap();
        let mut decoder = Decoder::<Request>::new();
        let last = decoder.push(&stream).last();
        prop_assert_eq!(last, Some(Ok(request)));
    }

    /// Every bit of a frame, with a second frame behind it to be merged with.
    #[test]
    fn flipped_bits_are_never_accepted(seed: u64) {
        let rng = &mut SplitMix64::new(seed);
        let sent = [small_request(rng), small_request(rng)];
        let first = sent[0].encode().unwrap();
        let mut stream = first.clone();
        sent[1].encode_to(&mut stream).unwrap();
        for bit in 0..first.len() * 8 {
            stream[bit / 8] ^= 1 << (bit % 8);
            let mut decoder = Decoder::<Request>::new();
            let accepted: Vec<Request> = decoder.push(&stream).filter_map(Result::ok).collect();
            // The delimiter takes the second frame with it.
            let expected = if bit / 8 == first.len() - 1 { &[] } else { &sent[1..] };
            prop_assert_eq!(accepted.as_slice(), expected, "bit {}", bit);
            stream[bit / 8] ^= 1 << (bit % 8);
        }
    }

    #[test]
    fn a_bad_line_never_makes_up_messages(seed: u64, faults in faults()) {
        let rng = &mut SplitMix64::new(seed);
        let sent = [random_request(rng), random_request(rng), random_request(rng)];
        let mut stream: Vec<u8> = sent.iter().flat_map(|request| request.encode().unwrap()).collect();
        for fault in faults {
            fault.apply(&mut stream);
        }
        for request in Decoder::<Request>::new().push(&stream).filter_map(Result::ok) {
            prop_assert!(sent.contains(&request), "{:?}", request);
        }
    }

    /// Every stretch between delimiters is accounted for, and the decoders of both sides agree on what is a frame.
    #[test]
    fn any_bytes_are_counted(bytes in vec(prop_oneof![Just(0), Just(1), Just(255), any::<u8>()], 0..4000)) {
        let stretches = bytes.split(|&byte| byte == 0);
        let ended = stretches.clone().count() - 1;
        let frames = stretches.take(ended).filter(|stretch| !stretch.is_empty()).count() as u64;
        prop_assert_eq!(count::<Request>(&bytes), frames);
        prop_assert_eq!(count::<Reply>(&bytes), frames);
    }

    #[test]
    fn the_jobs_of_a_batch_are_jobs(seed: u64) {
        let batch = random_batch(&mut SplitMix64::new(seed), 246);
        prop_assert_eq!(batch.jobs().len(), batch.children.len());
        for (id, job) in batch.jobs() {
            check_round_trip(&Request::Job { id, job })?;
        }
    }

    #[test]
    fn packed_positions_are_canonical(bytes: [u8; 26], seed: u64, faults in faults()) {
        check_packed(bytes)?;
        let position = random_position(&mut SplitMix64::new(seed));
        let packed = PackedPosition::pack(&position);
        prop_assert_eq!(packed.unpack(), Ok(position));
        let mut nearly: [u8; 26] = bytemuck::cast(packed);
        for fault in faults {
            nearly[fault.at.index(26)] ^= fault.byte;
            check_packed(nearly)?;
        }
    }

    #[test]
    fn fens_round_trip(seed: u64, halfmoves in 0..=150_u16, fullmoves in 0..=9999_u16) {
        let fen = Fen { position: random_position(&mut SplitMix64::new(seed)), halfmoves, fullmoves };
        prop_assert_eq!(fen.to_string().parse(), Ok(fen));
        prop_assert_eq!(fen.position.to_string().parse::<Fen>().map(|fen| fen.position), Ok(fen.position));
    }

    #[test]
    fn any_text_is_a_fen_or_an_error(text: String, fields in "[pnbrqkPNBRQK1-8/]{0,72} [wb] [KQkq-]{1,4} [a-h1-8-]{1,2}( [0-9]{1,5}){0,2}") {
        check_fen(&text)?;
        check_fen(&fields)?;
    }

    #[test]
    fn damaged_fens_are_fens_or_errors(seed: u64, faults in faults()) {
        let fen = Fen { position: random_position(&mut SplitMix64::new(seed)), halfmoves: 3, fullmoves: 17 };
        let mut text = fen.to_string().into_bytes();
        for fault in faults {
            // What is likely to be read as something else.
            const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/wbKQkq-aceh36 09\xc3";
            Fault { byte: LETTERS[usize::from(fault.byte) % LETTERS.len()], ..fault }.apply(&mut text);
            check_fen(&String::from_utf8_lossy(&text))?;
        }
    }

    #[test]
    fn weights_round_trip(seed: u64) {
        let weights = random_weights(&mut SplitMix64::new(seed));
        prop_assert_eq!(weights.to_string().parse(), Ok::<_, WeightsFileError>(weights.clone()));
        prop_assert_eq!(Weights::from_words(&weights.to_words()), Ok(weights));
    }

    #[test]
    fn any_words_are_weights_or_an_error(words in vec(-300..300_i16, Weights::WORDS - 1..=Weights::WORDS + 1)) {
        if let Ok(weights) = Weights::from_words(&words) {
            prop_assert_eq!(&weights.to_words()[..], &words);
        }
    }

    #[test]
    fn any_text_is_a_weights_file_or_an_error(text: String, lines in "bluebelle-weights 1(\n(placement |tempo |passed-7 |pawn |king |mg|eg|#|-?[0-9]{1,6} ){1,4}){0,10}") {
        check_weights(&text)?;
        check_weights(&lines)?;
    }

    #[test]
    fn damaged_weights_files_are_weights_files_or_errors(faults in faults()) {
        let mut text = Weights::standard().to_string().into_bytes();
        for fault in faults {
            fault.apply(&mut text);
            check_weights(&String::from_utf8_lossy(&text))?;
        }
    }
}

/// Something that a bad line, or a bad typist, does.
#[derive(Clone, Copy, Debug)]
struct Fault {
    what: u8,
    at: Index,
    byte: u8,
}

fn faults() -> impl Strategy<Value = Vec<Fault>> {
    let fault = (0..4_u8, any::<Index>(), any::<u8>()).prop_map(|(what, at, byte)| Fault { what, at, byte });
    vec(fault, 1..8)
}

impl Fault {
    fn apply(self, bytes: &mut Vec<u8>) {
        let place = self.at.index(bytes.len() + 1);
        match self.what {
            0 => bytes.insert(place, self.byte),
            _ if place == bytes.len() => {}
            1 => bytes[place] = self.byte,
            2 => drop(bytes.remove(place)),
            _ => bytes.extend_from_within(place..),
        }
    }
}

fn check_round_trip<M: Message + PartialEq + Debug>(message: &M) -> Result<(), TestCaseError> {
    let bytes = message.encode().unwrap();
    prop_assert_eq!(bytes.iter().position(|&byte| byte == 0), Some(bytes.len() - 1));
    let mut decoder = Decoder::<M>::new();
    let decoded: Result<Vec<M>, DecodeError> = decoder.push(&bytes).collect();
    prop_assert_eq!(decoded.as_deref(), Ok(std::slice::from_ref(message)));
    Ok(())
}

fn check_canonical(frame: Frame<'_>) -> Result<(), TestCaseError> {
    if let Ok(request) = Request::from_frame(frame) {
        prop_assert_eq!(
            (request.kind() as u8, request.payload().unwrap()),
            (frame.kind, frame.payload.to_vec())
        );
    }
    if let Ok(reply) = Reply::from_frame(frame) {
        prop_assert_eq!(
            (reply.kind() as u8, reply.payload().unwrap()),
            (frame.kind, frame.payload.to_vec())
        );
    }
    Ok(())
}

fn check_packed(bytes: [u8; 26]) -> Result<(), TestCaseError> {
    if let Ok(position) = bytemuck::cast::<_, PackedPosition>(bytes).unpack() {
        prop_assert_eq!(bytemuck::cast::<_, [u8; 26]>(PackedPosition::pack(&position)), bytes);
    }
    Ok(())
}

fn check_fen(text: &str) -> Result<(), TestCaseError> {
    if let Ok(fen) = text.parse::<Fen>() {
        prop_assert_eq!(fen.to_string().parse(), Ok(fen));
    }
    Ok(())
}

fn check_weights(text: &str) -> Result<(), TestCaseError> {
    if let Ok(weights) = text.parse::<Weights>() {
        prop_assert_eq!(
            weights.to_string().parse::<Weights>(),
            Ok::<_, WeightsFileError>(weights)
        );
    }
    Ok(())
}

/// All frames that a decoder saw, good and bad.
fn count<M: Message>(bytes: &[u8]) -> u64 {
    let mut decoder = Decoder::<M>::new();
    let good = decoder.push(bytes).filter(Result::is_ok).count() as u64;
    assert_eq!(u64::from(decoder.frames_ok()), good);
    good + decoder.dropped().total()
}

/// A position of a game of random moves.
fn random_position(rng: &mut SplitMix64) -> Position {
    let mut position = Position::initial();
    for _ in 0..rng.below(150) {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.make(moves[rng.below(moves.len() as u64) as usize]);
    }
    position
}

#[test]
fn a_move_is_legal_if_it_is_one_of_the_legal_moves() {
    let mut rng = SplitMix64::new(77);
    let mut legal = 0;
    for _ in 0..300 {
        let position = random_position(&mut rng);
        let moves = legal_moves(&position);
        let others = legal_moves(&random_position(&mut rng));
        for &mv in moves.iter().chain(&others) {
            assert_eq!(is_legal_move(&position, mv), moves.contains(&mv), "{mv} in {position}");
            legal += usize::from(moves.contains(&mv));
        }
    }
    assert!(legal > 5_000, "{legal}");
}

fn random_request(rng: &mut SplitMix64) -> Request {
    match rng.below(7) {
        0 => Request::Reset,
        1 => Request::LoadWeights(random_words(rng)),
        2 => Request::Batch(random_batch(rng, 246)),
        3 => {
            let count = rng.below(257);
            Request::Abort((0..count).map(|_| random_id(rng)).collect())
        }
        _ => small_request(rng),
    }
}

/// A request of a few dozen bytes.
fn small_request(rng: &mut SplitMix64) -> Request {
    match rng.below(6) {
        0 => Request::Identify,
        1 => Request::Status,
        2 => Request::Abort(vec![random_id(rng)]),
        3 => Request::Batch(random_batch(rng, 4)),
        _ => {
            let (id, job) = random_batch(rng, 1).jobs().next().unwrap();
            Request::Job { id, job }
        }
    }
}

fn random_batch(rng: &mut SplitMix64, most: u64) -> Batch {
    let parent = random_position(rng);
    let moves = legal_moves(&parent);
    let task = match rng.below(4) {
        0 => Task::Perft {
            depth: rng.below(u64::from(MAX_PERFT_DEPTH) + 1) as u8,
        },
        _ => Task::Search {
            depth: rng.below(u64::from(MAX_DEPTH) + 1) as u8,
            beta: random_score(rng, 1 - MATE),
        },
    };
    let count = 1 + rng.below(most) as u16;
    // Probes climb from a low beta and come down from a high one, and so stay among the scores.
    let step = match task {
        Task::Search { beta, .. } if rng.below(2) == 0 => -beta.signum() * rng.below(20_000 / u64::from(count)) as i16,
        _ => 0,
    };
    let children = (0..count).map(|_| Child {
        id: random_id(rng),
        first: match rng.below(moves.len() as u64 + 1) as usize {
            0 => Move::NONE,
            index => moves[index - 1],
        },
    });
    let children = children.collect();
    let node_limit = match rng.below(2) {
        0 => 0,
        _ => rng.below(u64::from(MAX_NODES) + 1) as u32,
    };
    let pruning = rng.below(2) == 0;
    Batch {
        parent,
        task,
        step,
        node_limit,
        pruning,
        gang: pruning && matches!(task, Task::Search { .. }) && rng.below(2) == 0,
        children,
    }
}

fn random_id(rng: &mut SplitMix64) -> u16 {
    rng.below(0xffff) as u16
}

fn random_score(rng: &mut SplitMix64, least: i16) -> i16 {
    (i64::from(least) + rng.below((i64::from(MATE) - i64::from(least) + 1) as u64) as i64) as i16
}

fn random_words(rng: &mut SplitMix64) -> WeightWords {
    let words = random_weights(rng).to_words();
    let offset = rng.below(Weights::WORDS as u64) as usize;
    let most = (Weights::WORDS - offset).min(256) as u64;
    let count = 1 + rng.below(most) as usize;
    WeightWords {
        offset: offset as u16,
        words: words[offset..offset + count].to_vec(),
    }
}

/// Weights that the chip can hold: with placements within 1000 of each other, all terms at their limits stay below the limit
/// of the whole.
fn random_weights(rng: &mut SplitMix64) -> Weights {
    let center = [540, -540][rng.below(2) as usize];
    let mut value = |limit: i16| rng.below(2 * limit as u64 + 1) as i16 - limit;
    Weights {
        placement_mg: std::array::from_fn(|_| std::array::from_fn(|_| center + value(500))),
        placement_eg: std::array::from_fn(|_| std::array::from_fn(|_| center + value(500))),
        structure: Term::ALL.map(|term| value(term.limit())),
    }
}

fn random_reply(rng: &mut SplitMix64) -> Reply {
    match rng.below(4) {
        0 => Reply::Identity(Identity {
            build: std::array::from_fn(|_| rng.next_u64() as u8),
            wire_version: 1 + rng.below(255) as u8,
            cores: 1 + rng.below(255) as u8,
            threads: 1 + rng.below(255) as u8,
            stages: 1 + rng.below(255) as u8,
            clock_khz: 1 + rng.below(1 << 30) as u32,
            queue: 1 + rng.below(0xffff) as u16,
            max_children: rng.next_u64() as u16,
            max_depth: rng.next_u64() as u8,
            max_perft_depth: rng.next_u64() as u8,
            max_ply: rng.next_u64() as u8,
            features: Features(rng.next_u64() as u32),
            weights_crc: rng.next_u64() as u32,
        }),
        1 => {
            let count = 1 + rng.below(32);
            Reply::Results((0..count).map(|_| random_result(rng)).collect())
        }
        2 => Reply::Status(Status {
            slots_busy: rng.next_u64(),
            slots_total: rng.next_u64(),
            jobs_done: rng.next_u64() as u32,
            frames_ok: rng.next_u64() as u32,
            dropped: Dropped::from_causes(std::array::from_fn(|_| rng.next_u64() as u32)),
            jobs_queued: rng.next_u64() as u16,
            credits: rng.next_u64() as u16,
        }),
        _ => Reply::Error(ErrorReply {
            code: ErrorCode::ALL[rng.below(ErrorCode::ALL.len() as u64) as usize],
            kind: rng.next_u64() as u8,
            id: (rng.below(2) == 0).then(|| random_id(rng)),
        }),
    }
}

fn random_result(rng: &mut SplitMix64) -> JobResult {
    const ENDINGS: [Ending; 6] = [
        Ending::Lower,
        Ending::Upper,
        Ending::Counted,
        Ending::Limit,
        Ending::Aborted,
        Ending::Illegal,
    ];
    let outcome = Outcome {
        ending: ENDINGS[rng.below(6) as usize],
        score: random_score(rng, -MATE),
        best: Move::from_bits(rng.below(1 << 12) as u16).unwrap(),
        nodes: rng.next_u64() as u32,
        slots: rng.next_u64() as u32,
    };
    JobResult {
        id: random_id(rng),
        outcome,
    }
}

/// Not a test: writes the seeds of the fuzz targets. `cargo test -p bluebelle-spec --test properties -- --ignored`
#[test]
#[ignore = "writes fuzz/corpus"]
fn write_the_fuzz_corpus() {
    let rng = &mut SplitMix64::new(1980);
    for index in 0..16 {
        // Frames with noise before them, and for the other half of the target, kinds with their payloads.
        let (request, reply) = (small_request(rng), random_reply(rng));
        let mut stream: Vec<u8> = vec![index; usize::from(index % 3)];
        match index % 4 {
            0 => request.encode_to(&mut stream).unwrap(),
            1 => reply.encode_to(&mut stream).unwrap(),
            2 => stream = [&[request.kind() as u8], &request.payload().unwrap()[..]].concat(),
            _ => stream = [&[reply.kind() as u8], &reply.payload().unwrap()[..]].concat(),
        }
        write_seed("frames_resynchronise", index, &stream);
        let position = random_position(rng);
        write_seed(
            "packed_positions_are_canonical",
            index,
            bytemuck::bytes_of(&PackedPosition::pack(&position)),
        );
        let fen = format!("{position} {} {}", rng.below(100), 1 + rng.below(200));
        write_seed("fens_round_trip", index, fen.as_bytes());
        let text = random_weights(rng).to_string();
        // Whole files first, then shorter and shorter ones, which fail sooner and mutate faster.
        let length = if index < 4 {
            text.len()
        } else {
            100 << ((16 - index) / 2)
        };
        write_seed("weights_round_trip", index, &text.as_bytes()[..length.min(text.len())]);
    }
}

fn write_seed(target: &str, index: u8, bytes: &[u8]) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("seed-{index:02}")), bytes).unwrap();
}
