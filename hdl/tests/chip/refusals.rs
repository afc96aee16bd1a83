//! What the chip refuses and what it ignores.

use bluebelle_hdl::config::Config;
use bluebelle_spec::Move;
use bluebelle_spec::leaf::{Job, Task};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{
    DecodeError, Decoder, ErrorCode, ErrorReply, Frame, Kind, Message, NO_JOB, Reply, Request, WeightWords,
};

use crate::host::{Host, batch, config, kiwipete};

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
            0 | 3 => return false,
            1 if !(8..56).contains(&square) => return false,
            4 => kings[usize::from(nibble(index) >> 3)] += 1,
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
    while sent < 250 {
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
