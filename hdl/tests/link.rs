//! The link's blocks against `bluebelle_spec::wire`, in the Rust simulation and as Verilog.

use std::collections::VecDeque;

use bluebelle_hdl::harness::{Bench, Cosim, synthesis_check};
use bluebelle_hdl::job_words::{HEADER_WORDS, job_words};
use bluebelle_hdl::link::{ByteFifo, CobsDecode, CobsEncode, Crc32, Limits, UartRx, UartTx, Unpack};
use bluebelle_spec::leaf::{Job, MAX_DEPTH, MAX_NODES, MAX_PERFT_DEPTH, Task};
use bluebelle_spec::packed::UnpackError;
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{ContentError, DecodeError, Decoder, Frame, Kind, Message, Request};
use bluebelle_spec::{Move, PLACEMENT_LIMIT, Position, PositionError, Term, Weights};
use rust_hdl::prelude::*;

fn some_bytes(random: &mut SplitMix64, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.next_u64() as u8).collect()
}

#[test]
fn crc32_is_that_of_the_frames() {
    let mut cosim = Cosim::new(Crc32::new(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    for &byte in b"123456789" {
        cosim.cycle(|uut| {
            uut.enable.next = true;
            uut.data.next = byte.to_bits();
        });
    }
    assert_eq!(cosim.uut.crc.val(), 0xcbf4_3926);
    for byte in 0xcbf4_3926_u32.to_le_bytes() {
        assert!(!cosim.uut.good.val());
        cosim.cycle(|uut| uut.data.next = byte.to_bits());
    }
    assert!(cosim.uut.good.val());
    cosim.cycle(|uut| uut.clear.next = true);
    assert_eq!(cosim.uut.crc.val(), 0);
    cosim.finish();
}

/// Frames, garbage and damaged frames.
fn traffic(random: &mut SplitMix64, frames: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..frames {
        let mut frame = Vec::new();
        let length = match random.below(8) {
            0 => 0,
            1 => random.below(1024) as usize,
            2 => 1020 + random.below(5) as usize,
            _ => random.below(40) as usize * 2,
        };
        let mut payload = some_bytes(random, length);
        if random.below(3) == 0 {
            payload.iter_mut().for_each(|byte| *byte |= 1); // long runs without a zero
        }
        if random.below(3) == 0 {
            payload.iter_mut().for_each(|byte| *byte &= 1);
        }
        let kind = random.below(9) as u8;
        Frame {
            kind,
            payload: &payload,
        }
        .encode(&mut frame)
        .unwrap();
        match random.below(6) {
            0 => frame[1 + random.below(4) as usize % 3] ^= 1 << random.below(8),
            1 => {
                let at = random.below(frame.len() as u64) as usize;
                frame[at] = random.next_u64() as u8;
            }
            2 => {
                let at = random.below(frame.len() as u64) as usize;
                frame.remove(at);
            }
            _ => {}
        }
        bytes.extend(frame);
        match random.below(8) {
            0 => bytes.extend([0; 3]),
            1 => bytes.extend(some_bytes(random, 20)),
            2 => bytes.extend([1, 0, 1, 0, 5, 0]),
            3 => {
                bytes.extend(vec![random.next_u64() as u8 | 1; 1100]);
                bytes.extend([0]);
            }
            _ => {}
        }
    }
    bytes
}

#[test]
fn cobs_decode_finds_the_frames_that_the_decoder_finds() {
    let mut random = SplitMix64::new(1);
    let bytes = traffic(&mut random, 60);
    let mut cosim = Cosim::new(CobsDecode::default(), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut decoder = Decoder::<Request>::new();
    let (mut good, mut bad) = (0, 0);
    for &byte in &bytes {
        if random.below(4) == 0 {
            cosim.cycle(|uut| uut.rx_valid.next = false);
        }
        cosim.uut.rx_valid.next = true;
        cosim.uut.rx_data.next = byte.to_bits();
        cosim.settle();
        assert!(cosim.uut.rx_ready.val());
        cosim.tick();
        let found = decoder.next_frame(&mut &[byte][..]);
        cosim.settle();
        assert_eq!(cosim.uut.rx_ready.val(), found.is_none());
        let Some(found) = found else { continue };
        assert!(!cosim.uut.frame_valid.val(), "it is judged in this cycle");
        cosim.uut.rx_valid.next = random.below(2) == 0; // not taken while a frame waits
        cosim.tick();
        assert!(cosim.uut.frame_valid.val());
        let cause = cosim.uut.frame_cause.val().to_u64();
        match found {
            Ok(frame) => {
                assert_eq!(cause, 7);
                assert_eq!(cosim.uut.frame_kind.val(), u64::from(frame.kind));
                assert_eq!(cosim.uut.frame_length.val(), frame.payload.len() as u64);
                for (word, bytes) in frame.payload.chunks_exact(2).enumerate() {
                    cosim.cycle(|uut| uut.read_address.next = word.to_bits());
                    let expected = u16::from_le_bytes([bytes[0], bytes[1]]);
                    assert_eq!(cosim.uut.read_data.val(), u64::from(expected), "word {word}");
                }
                good += 1;
            }
            Err(error) => {
                assert_eq!(cause, error.cause() as u64, "{error}");
                bad += 1;
            }
        }
        cosim.cycle(|uut| uut.frame_done.next = true);
        cosim.uut.frame_done.next = false;
        cosim.uut.rx_valid.next = false;
    }
    println!("{good} good frames, {bad} bad");
    assert!(good > 10 && bad > 10);
    cosim.finish();
}

#[test]
fn cobs_encode_stuffs_as_the_specification_does() {
    let mut random = SplitMix64::new(2);
    let mut cosim = Cosim::new(CobsEncode::default(), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut expected = vec![0]; // what the chip says first
    let mut frames: VecDeque<Vec<u8>> = VecDeque::new();
    for length in [0, 1, 2, 100, 246, 247, 248, 254, 255, 500, 508, 992, 4, 8]
        .into_iter()
        .cycle()
        .take(28)
    {
        let mut payload = some_bytes(&mut random, length);
        if random.below(2) == 0 {
            payload.iter_mut().for_each(|byte| *byte |= 1);
        }
        let before = expected.len();
        Frame {
            kind: 0x84,
            payload: &payload,
        }
        .encode(&mut expected)
        .unwrap();
        let mut plain = vec![0; 2000];
        let report = cobs_plain(&expected[before..expected.len() - 1], &mut plain);
        plain.truncate(report);
        frames.push_back(plain);
    }
    let mut sent = Vec::new();
    let (mut at, mut open) = (0, false);
    for _ in 0..60_000 {
        if sent.len() == expected.len() {
            break;
        }
        let frame = frames.front();
        cosim.uut.byte_valid.next = open && frame.is_some_and(|frame| at < frame.len()) && random.below(3) != 0;
        cosim.uut.byte_data.next = frame.and_then(|frame| frame.get(at)).copied().unwrap_or(0x55).to_bits();
        cosim.uut.finish.next = open && frame.is_some_and(|frame| at == frame.len());
        cosim.uut.tx_ready.next = random.below(3) == 0;
        cosim.settle();
        let uut = &cosim.uut;
        if uut.tx_valid.val() && uut.tx_ready.val() {
            sent.push(uut.tx_data.val().to_u8());
        }
        if uut.byte_valid.val() && uut.byte_ready.val() {
            at += 1;
        }
        if !open {
            open = uut.room.val() && frame.is_some();
        } else if uut.finish.val() && uut.finished.val() {
            (at, open) = (0, false);
            frames.pop_front();
        }
        cosim.tick();
    }
    assert!(sent == expected, "{} of {} bytes", sent.len(), expected.len());
    cosim.finish();
}

/// Undoes COBS, with the specification's decoder for frames as the judge that it was one.
fn cobs_plain(stuffed: &[u8], plain: &mut [u8]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < stuffed.len() {
        let code = usize::from(stuffed[at]);
        plain[count..count + code - 1].copy_from_slice(&stuffed[at + 1..at + code]);
        at += code;
        count += code - 1;
        if code < 255 && at < stuffed.len() {
            plain[count] = 0;
            count += 1;
        }
    }
    count
}

#[test]
fn limits_are_those_of_the_specification() {
    let mut cosim = Cosim::combinational(Limits::default());
    synthesis_check(&cosim.uut);
    for length in 0..=1024_usize {
        cosim.uut.length.next = length.to_bits();
        cosim.settle();
        let fits = |kind: Kind| kind.shape().fits(length);
        assert_eq!(cosim.uut.weights_wrong.val(), !fits(Kind::LoadWeights), "{length}");
        assert_eq!(cosim.uut.batch_wrong.val(), !fits(Kind::Batch), "{length}");
        assert_eq!(cosim.uut.ids_wrong.val(), !fits(Kind::Abort), "{length}");
        if fits(Kind::Batch) {
            assert_eq!(cosim.uut.children.val(), (length as u64 - 38) / 4);
        }
        cosim.tick();
    }
    for word in 0..=u16::MAX {
        let low_zero = word % 3 == 0;
        cosim.uut.word.next = word.to_bits();
        cosim.uut.low_nodes_zero.next = low_zero;
        cosim.settle();
        let deepest = if word & 0x80 != 0 { MAX_PERFT_DEPTH } else { MAX_DEPTH };
        let nodes = u32::from(word) << 16 | u32::from(!low_zero);
        let lonely_gang = word & 0x20 != 0 && word & 0xc0 != 0x40;
        assert_eq!(cosim.uut.task_reserved.val(), word > 0xff || lonely_gang, "{word:#x}");
        assert_eq!(cosim.uut.task_too_deep.val(), word as u8 & 31 > deepest, "{word:#x}");
        assert_eq!(cosim.uut.nodes_wrong.val(), nodes > MAX_NODES, "{word:#x}");
        assert_eq!(cosim.uut.move_wrong.val(), Move::from_bits(word).is_none(), "{word:#x}");
        if word % 7 == 0 {
            cosim.tick();
        }
    }
    let words = Weights::WORDS as u16;
    for index in [0, 1, 255, 512, 767]
        .into_iter()
        .chain(768..words + 40)
        .chain([1024, 1792, 0x8300, u16::MAX])
    {
        for value in [0, 1, 15, 16, 127, 128, 255, 256, 2047, 2048, i16::MAX] {
            for value in [value, -value, i16::MIN] {
                cosim.uut.weight.next = (value as u16).to_bits();
                cosim.uut.weight_index.next = index.to_bits();
                cosim.settle();
                let most = match index.checked_sub(768) {
                    None => PLACEMENT_LIMIT,
                    Some(term) => Term::ALL.get(usize::from(term)).map_or(-1, |term| term.limit()),
                };
                let wrong = !(-most..=most).contains(&value);
                assert_eq!(cosim.uut.weight_wrong.val(), wrong, "weight {index} is {value}");
                cosim.tick();
            }
        }
    }
    cosim.finish();
}

#[test]
fn unpack_finds_the_pieces() {
    let mut cosim = Cosim::new(Unpack::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(3);
    let positions = test_positions();
    let mut refused = 0;
    for (index, position) in positions.iter().cycle().take(120).enumerate() {
        let job = Job::new(*position, Task::Perft { depth: 0 });
        let mut payload = Request::Job { id: 0, job }.payload().unwrap();
        if index >= positions.len() {
            let at = 12 + random.below(26) as usize;
            payload[at] ^= 1 << random.below(8);
        }
        let mut bytes = Vec::new();
        Frame {
            kind: 4,
            payload: &payload,
        }
        .encode(&mut bytes)
        .unwrap();
        let judged = Decoder::<Request>::new().push(&bytes).next().unwrap();
        // What only the specification knows.
        let deep = match &judged {
            Err(DecodeError::Content {
                error: ContentError::Position(UnpackError::Position(error)),
                ..
            }) => !matches!(
                error,
                PositionError::MissingKing(_) | PositionError::ExtraKing(..) | PositionError::PawnOnLastRank(_)
            ),
            _ => false,
        };
        let mut pieces = Vec::new();
        cosim.uut.start.next = true;
        for cycle in 0.. {
            assert!(cycle < 200);
            cosim.settle();
            let uut = &cosim.uut;
            let address = uut.read_address.val().to_u64() as usize;
            if uut.piece_write.val() {
                assert_eq!(uut.piece_index.val(), pieces.len() as u64 % 32);
                pieces.push(uut.piece.val().to_u64() as u32);
            }
            let done = uut.done.val();
            cosim.tick();
            cosim.uut.start.next = false;
            let word = u16::from_le_bytes([payload[address * 2], payload[address * 2 + 1]]);
            cosim.uut.read_data.next = word.to_bits();
            if done {
                break;
            }
        }
        let bad = cosim.uut.bad.val();
        if deep {
            continue;
        }
        assert_eq!(bad, judged.is_err(), "{judged:?}");
        refused += u32::from(bad);
        if let Ok(Request::Job { job, .. }) = judged {
            let mut words = job_words(0, &job).split_off(HEADER_WORDS);
            *words.last_mut().unwrap() &= !(1 << 10);
            assert_eq!(pieces, words);
            assert_eq!(cosim.uut.count.val(), words.len() as u64);
            let state = u16::from_le_bytes([payload[36], payload[37]]);
            assert_eq!(cosim.uut.state.val(), u64::from(state));
        }
    }
    println!("{refused} refused");
    assert!(refused > 20);
    cosim.finish();
}

/// Some with few pieces, some with many.
fn test_positions() -> Vec<Position> {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
        "8/8/8/8/8/4k3/8/4K3 b - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "k6K/8/8/8/8/8/p6p/1n4n1 w - - 0 1",
    ];
    fens.map(|text| text.parse::<bluebelle_spec::Fen>().unwrap().position)
        .to_vec()
}

#[test]
fn byte_fifo_loses_only_what_does_not_fit() {
    let mut cosim = Cosim::new(ByteFifo::default(), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(4);
    let mut model: VecDeque<u8> = VecDeque::new();
    let mut lost = 0;
    for cycle in 0..12_000 {
        let push = cycle < 5000 && random.below(2) == 0;
        let byte = random.next_u64() as u8;
        let ready = cycle > 5000 || random.below(20) == 0;
        cosim.uut.push.next = push;
        cosim.uut.push_data.next = byte.to_bits();
        cosim.uut.ready.next = ready;
        cosim.settle();
        if push && model.len() < 2047 {
            model.push_back(byte);
        } else if push {
            lost += 1;
        }
        if cosim.uut.valid.val() && ready {
            assert_eq!(Some(cosim.uut.data.val().to_u8()), model.pop_front());
        }
        cosim.tick();
    }
    assert!(lost > 0 && model.is_empty());
    cosim.finish();
}

/// A line from one end to the other.
#[derive(LogicBlock)]
struct Line {
    clock: Signal<In, Clock>,
    data_in: Signal<In, Bits<8>>,
    valid_in: Signal<In, Bit>,
    ready_in: Signal<Out, Bit>,
    cut: Signal<In, Bit>,
    data_out: Signal<Out, Bits<8>>,
    valid_out: Signal<Out, Bit>,
    tx: UartTx,
    rx: UartRx,
}

impl Logic for Line {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, tx, rx);
        self.tx.data.next = self.data_in.val();
        self.tx.valid.next = self.valid_in.val();
        self.ready_in.next = self.tx.ready.val();
        self.rx.rx.next = self.tx.tx.val() & !self.cut.val();
        self.data_out.next = self.rx.data.val();
        self.valid_out.next = self.rx.valid.val();
    }
}

impl Line {
    /// The two ends need not agree exactly about the time of a bit.
    fn new(tx_step: u16, rx_step: u16) -> Line {
        Line {
            clock: Signal::default(),
            data_in: Signal::default(),
            valid_in: Signal::default(),
            ready_in: Signal::default(),
            cut: Signal::default(),
            data_out: Signal::default(),
            valid_out: Signal::default(),
            tx: UartTx::new(tx_step),
            rx: UartRx::new(rx_step),
        }
    }
}

#[test]
fn bytes_cross_a_serial_line() {
    // 25 MHz and 3 Mbaud; a slower line; one as fast as it goes; a peer that is 3 % too fast or too slow.
    for (tx_step, rx_step) in [(7864, 7864), (650, 650), (16384, 16384), (1000, 1030), (1000, 970)] {
        let mut bench = Bench::new(Line::new(tx_step, rx_step), |uut| &mut uut.clock);
        check_line(&mut bench, tx_step);
    }
    let mut cosim = Cosim::new(Line::new(7864, 7864), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    check_line(&mut cosim, 7864);
    cosim.finish();
}

fn check_line(bench: &mut Bench<Line>, step: u16) {
    let mut random = SplitMix64::new(5);
    let mut sent = some_bytes(&mut random, 40);
    sent.extend([0, 0xff, 0x55, 0xaa]);
    let mut received = Vec::new();
    let mut at = 0;
    let mut wait = 0;
    for _ in 0..sent.len() as u64 * (65536 * 14 / u64::from(step)) {
        bench.uut.valid_in.next = at < sent.len() && wait == 0;
        bench.uut.data_in.next = sent.get(at).copied().unwrap_or(0).to_bits();
        bench.settle();
        if bench.uut.valid_out.val() {
            received.push(bench.uut.data_out.val().to_u8());
        }
        if bench.uut.valid_in.val() && bench.uut.ready_in.val() {
            at += 1;
            wait = if at % 3 == 0 { random.below(30) } else { 0 };
        }
        wait = u64::saturating_sub(wait, 1);
        bench.tick();
    }
    assert_eq!(received, sent);
    // A cut line is no byte, and the next byte after it is heard.
    for cycle in 0..2_000_000 / u64::from(step) {
        bench.cycle(|uut| uut.cut.next = cycle < 1_500_000 / u64::from(step));
        assert!(!bench.uut.valid_out.val());
    }
}
