//! The rings against `bluebelle_spec::rings`, block by block and together, in the Rust simulation and as Verilog.

mod bus;
mod whole;

use std::collections::VecDeque;

use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_hdl::link::{AxiLite, FrameBuffer, RingReader, RingWriter, Window};
use bluebelle_spec::rings::{Header, Memory, Received, Receiver, Sender, WINDOW_BYTES, words};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{DropCause, Frame, MAX_PAYLOAD};
use bus::{Plain, some_frame};
use rust_hdl::prelude::*;

#[test]
fn axi_lite_does_each_transfer_once() {
    let mut cosim = Cosim::new(AxiLite::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(1);
    // The memory behind the port, and what the master expects.
    let mut memory = vec![0_u32; WINDOW_BYTES / 4];
    let (mut addresses, mut data): (VecDeque<u32>, VecDeque<(u32, u8)>) = Default::default();
    let (mut reads, mut answers) = (VecDeque::new(), VecDeque::new());
    let (mut written, mut responses, mut expected_writes) = (0, 0, VecDeque::new());
    let mut pending_read: Option<u32> = None;
    let (mut aw, mut w, mut ar) = (None, None, None);
    cosim.uut.aresetn.next = true;
    for _ in 0..6_000 {
        if random.below(4) == 0 && addresses.len() < 4 {
            let (word, value, bytes) = (
                random.below(64) as u32,
                random.next_u64() as u32,
                random.below(16) as u8,
            );
            addresses.push_back(word * 4 + random.below(4) as u32);
            data.push_back((value, bytes));
            expected_writes.push_back((word, value, bytes));
        }
        if random.below(4) == 0 && reads.len() < 4 {
            reads.push_back(random.below(64) as u32);
        }
        // A master holds what it has said until it is taken.
        if aw.is_none() && random.below(3) == 0 {
            aw = addresses.pop_front();
        }
        if w.is_none() && random.below(3) == 0 {
            w = data.pop_front();
        }
        if ar.is_none() && random.below(3) == 0 {
            ar = reads.pop_front();
        }
        let (value, bytes) = w.unwrap_or_default();
        let uut = &mut cosim.uut;
        uut.awvalid.next = aw.is_some();
        uut.awaddr.next = aw.unwrap_or(0).to_bits();
        uut.wvalid.next = w.is_some();
        uut.wdata.next = value.to_bits();
        uut.wstrb.next = bytes.to_bits();
        uut.arvalid.next = ar.is_some();
        uut.araddr.next = (ar.unwrap_or(0) * 4).to_bits();
        uut.bready.next = random.below(2) == 0;
        uut.rready.next = random.below(2) == 0;
        uut.read_ready.next = random.below(3) > 0;
        // The word that was asked for is there in this cycle only.
        let found = pending_read.take().map_or(0xdead_beef, |word| memory[word as usize]);
        uut.read_data.next = found.to_bits();
        cosim.settle();
        let uut = &cosim.uut;
        if uut.awvalid.val() && uut.awready.val() {
            aw = None;
        }
        if uut.wvalid.val() && uut.wready.val() {
            w = None;
        }
        if uut.arvalid.val() && uut.arready.val() {
            answers.push_back(ar.take().expect("it was said"));
        }
        if uut.read.val() && uut.read_ready.val() {
            pending_read = Some(uut.read_word.val().to_u32());
        }
        if uut.rvalid.val() && uut.rready.val() {
            let word = answers.pop_front().expect("it was asked for");
            // A write may have come between the read and now, so the word is marked with its own number.
            assert_eq!(uut.rdata.val().to_u32() & 0xff, word & 0xff);
            assert_eq!(uut.rresp.val(), 0);
        }
        if uut.write.val() {
            let (word, value, bytes) = expected_writes.pop_front().expect("it was said");
            assert_eq!(uut.write_word.val(), u64::from(word));
            assert_eq!(
                (uut.write_data.val(), uut.write_bytes.val()),
                (value.to_bits(), bytes.to_bits())
            );
            written += 1;
        }
        if uut.bvalid.val() && uut.bready.val() {
            responses += 1;
            assert!(responses <= written, "a response before its write");
        }
        for (index, word) in memory.iter_mut().enumerate() {
            *word = 0x1234_5600 | (index as u32 & 0xff);
        }
        cosim.tick();
    }
    println!("{written} writes, {responses} responses");
    assert!(written > 500 && written - responses <= 1);
    // A reset forgets what was under way.
    cosim.cycle(|uut| {
        uut.aresetn.next = false;
        uut.awvalid.next = true;
        uut.wvalid.next = true;
        uut.arvalid.next = true;
    });
    cosim.cycle(|uut| {
        uut.aresetn.next = true;
        uut.awvalid.next = false;
        uut.wvalid.next = false;
        uut.arvalid.next = false;
    });
    assert!(!cosim.uut.bvalid.val() && !cosim.uut.rvalid.val() && cosim.uut.arready.val());
    cosim.finish();
}

#[test]
fn the_window_is_laid_out_as_specified() {
    let mut cosim = Cosim::new(Window::new(), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(2);
    let golden = Plain::woken();
    let mut asked: Option<usize> = None;
    let mut fetched: Option<usize> = None;
    let Header { down, up } = Header::OURS;
    let places = [
        0..32,
        down.first..down.first + 40,
        up.first..up.first + 40,
        6144..6150,
        down.first + 2040..down.first + 2048,
    ];
    // A ring has no contents before it is written.
    for word in down.first..down.first + 2048 {
        cosim.cycle(|uut| {
            uut.write.next = true;
            uut.write_word.next = word.to_bits();
            uut.write_data.next = 0.into();
            uut.write_bytes.next = 15.into();
            uut.up_write.next = true;
            uut.up_address.next = (word - down.first).to_bits();
            uut.up_data.next = 0.into();
        });
    }
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4_000 {
        let pick = |random: &mut SplitMix64| {
            let place = places[random.below(places.len() as u64) as usize].clone();
            place.start + random.below(place.len() as u64) as usize
        };
        let (write, write_word) = (random.below(2) == 0, pick(&mut random));
        let (value, bytes) = (random.next_u64() as u32, random.below(16) as u32);
        let read_word = pick(&mut random);
        let (chip_reads, chip_place) = (random.below(2) == 0, random.below(40) as usize);
        let (chip_writes, up_place, up_value) = (
            random.below(2) == 0,
            random.below(40) as usize,
            random.next_u64() as u32,
        );
        let (head, tail, credits) = (
            random.next_u64() as u32,
            random.next_u64() as u32,
            random.below(108) as u32,
        );
        let uut = &mut cosim.uut;
        uut.write.next = write;
        uut.write_word.next = write_word.to_bits();
        uut.write_data.next = value.to_bits();
        uut.write_bytes.next = bytes.to_bits();
        uut.read.next = true;
        uut.read_word.next = read_word.to_bits();
        uut.down_read.next = chip_reads;
        uut.down_address.next = chip_place.to_bits();
        uut.down_head.next = head.to_bits();
        uut.up_tail.next = tail.to_bits();
        uut.up_write.next = chip_writes;
        uut.up_address.next = up_place.to_bits();
        uut.up_data.next = up_value.to_bits();
        uut.credits.next = credits.to_bits();
        cosim.settle();
        let uut = &cosim.uut;
        if let Some(word) = asked.take() {
            assert_eq!(uut.read_data.val().to_u32(), golden.before(word), "word {word:#x}");
            read += 1;
        }
        if let Some(word) = fetched.take() {
            assert_eq!(uut.down_data.val().to_u32(), golden.before(word));
        }
        assert_eq!(uut.down_tail.val().to_u32(), golden.read(words::DOWN_TAIL));
        assert_eq!(uut.up_head.val().to_u32(), golden.read(words::UP_HEAD));
        // What a memory holds in the very cycle in which it is written is nobody's business.
        let collides = |word: usize| (write && word == write_word) || (chip_writes && word == up.first + up_place);
        match uut.read_ready.val() {
            true if !collides(read_word) => asked = Some(read_word),
            true => {}
            false => refused += 1,
        }
        if chip_reads && !collides(down.first + chip_place) {
            fetched = Some(down.first + chip_place);
        }
        cosim.tick();
        golden.remember();
        golden.write(words::DOWN_HEAD, head);
        golden.write(words::UP_TAIL, tail);
        golden.write(words::CREDITS, credits);
        golden.remember_only(&[words::DOWN_HEAD, words::UP_TAIL, words::CREDITS]);
        if write {
            golden.host_writes(write_word, value, bytes as u8);
        }
        if chip_writes {
            golden.write(up.first + up_place, up_value);
        }
    }
    println!("{read} words read, {refused} reads put off");
    assert!(read > 1_000 && refused > 1_000);
    cosim.finish();
}

#[test]
fn the_reader_takes_what_the_receiver_takes() {
    let mut cosim = Cosim::new(RingReader::new(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(3);
    let memory = Plain::woken();
    let ring = Header::OURS.down;
    let mut sender = Sender::new(ring, words::DOWN_HEAD, words::DOWN_TAIL, 0);
    let mut receiver = Receiver::new(ring, words::DOWN_HEAD, words::DOWN_TAIL, 0);
    let (mut frames, mut dropped) = (0, [0; 7]);
    for round in 0..260 {
        // Some frames, and sometimes something wrong with them.
        for _ in 0..=random.below(3) {
            let most = if random.below(8) == 0 { MAX_PAYLOAD } else { 60 };
            if sender.send(&memory, &some_frame(&mut random, most)).is_err() {
                let head = memory.read(words::DOWN_HEAD);
                sender = Sender::new(ring, words::DOWN_HEAD, words::DOWN_TAIL, head);
            }
        }
        let head = memory.read(words::DOWN_HEAD);
        match random.below(8) {
            0 => memory.write(
                ring.first + (head as usize % 2048),
                (random.next_u64() as u32) | 1 << 28,
            ),
            1 => memory.write(ring.first + (head as usize % 2048), 300 << 16 | 0x0101),
            2 => {
                let shift = random.below(1 << 13) as u32;
                let tail = memory.read(words::DOWN_TAIL).wrapping_add(shift);
                memory.write(words::DOWN_TAIL, tail);
                sender = Sender::new(ring, words::DOWN_HEAD, words::DOWN_TAIL, tail);
            }
            _ => {}
        }
        // The golden receiver, one frame at a time, beside the block.
        loop {
            let expected = match receiver.receive(&memory) {
                Ok(Received::Nothing) => break,
                Ok(Received::Frame(frame)) => Ok(frame.to_vec()),
                Ok(Received::Dropped(cause)) => Err(cause),
                Err(_) => {
                    receiver.catch_up(&memory);
                    Err(DropCause::Framing)
                }
            };
            let found = read_frame(&mut cosim, &memory, &mut random);
            match &expected {
                Ok(_) => frames += 1,
                Err(cause) => dropped[*cause as usize] += 1,
            }
            assert_eq!(found, expected, "round {round}");
            cosim.uut.ready.next = false;
            cosim.settle();
            assert_eq!(cosim.uut.head.val().to_u32(), memory.read(words::DOWN_HEAD));
        }
        for _ in 0..3 {
            cosim.uut.ready.next = true;
            cosim.uut.tail.next = memory.read(words::DOWN_TAIL).to_bits();
            cosim.tick();
            assert!(
                !cosim.uut.read.val() && !cosim.uut.finish.val(),
                "there is nothing to read"
            );
        }
    }
    println!("{frames} frames, dropped by cause {dropped:?}");
    assert!(frames > 200 && dropped[DropCause::Framing as usize] > 20 && dropped[DropCause::Overflow as usize] > 10);
    cosim.finish();
}

/// Runs the reader to the end of one frame.
fn read_frame(cosim: &mut Cosim<RingReader>, memory: &Plain, random: &mut SplitMix64) -> Result<Vec<u8>, DropCause> {
    let mut bytes = Vec::new();
    for cycle in 0..1_100 {
        let uut = &mut cosim.uut;
        // It asks whether there is room only before it begins.
        uut.ready.next = cycle > 3 || random.below(2) == 0;
        uut.tail.next = memory.read(words::DOWN_TAIL).to_bits();
        cosim.settle();
        let uut = &cosim.uut;
        if uut.start.val() {
            bytes.clear();
        }
        if uut.byte_valid.val() {
            bytes.push(uut.byte_data.val().to_u8());
        }
        let ended = uut.finish.val().then(|| match (uut.broken.val(), uut.too_long.val()) {
            (false, false) => Ok(bytes.clone()),
            (true, false) => Err(DropCause::Framing),
            (false, true) => Err(DropCause::Overflow),
            (true, true) => panic!("one cause at a time"),
        });
        let place = Header::OURS.down.first + uut.address.val().to_u32() as usize;
        let data = match uut.read.val() {
            true => memory.read(place),
            false => 0xdead_beef,
        };
        cosim.tick();
        cosim.uut.data.next = data.to_bits();
        if let Some(ended) = ended {
            return ended;
        }
    }
    panic!("no frame in 1100 cycles");
}

#[test]
fn the_writer_writes_what_the_sender_writes() {
    let mut cosim = Cosim::new(RingWriter::new(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(4);
    let (memory, golden) = (Plain::woken(), Plain::woken());
    let ring = Header::OURS.up;
    let mut sender = Sender::new(ring, words::UP_HEAD, words::UP_TAIL, 0);
    let mut receiver = Receiver::new(ring, words::UP_HEAD, words::UP_TAIL, 0);
    let (mut sent, mut waited) = (0, 0);
    for round in 0..300 {
        let most = if random.below(3) == 0 { MAX_PAYLOAD } else { 60 };
        let frame = some_frame(&mut random, most);
        cosim.uut.head.next = golden.read(words::UP_HEAD).to_bits();
        cosim.tick();
        cosim.tick();
        // There is room for a frame if there is room for the longest.
        let room = sender.room(&golden).is_ok_and(|room| room >= 258);
        assert_eq!(cosim.uut.room.val(), room, "round {round}");
        if !room {
            waited += 1;
            while !matches!(receiver.receive(&golden), Ok(Received::Nothing) | Err(_)) {}
            continue;
        }
        assert_eq!(sender.send(&golden, &frame), Ok(true));
        let write = |cosim: &mut Cosim<RingWriter>| {
            cosim.settle();
            let uut = &cosim.uut;
            if uut.write.val() {
                memory.write(
                    ring.first + uut.address.val().to_u32() as usize,
                    uut.data.val().to_u32(),
                );
            }
            let finished = uut.finished.val();
            cosim.tick();
            finished
        };
        for &byte in &frame {
            while random.below(4) == 0 {
                cosim.uut.byte_valid.next = false;
                write(&mut cosim);
            }
            cosim.uut.byte_valid.next = true;
            cosim.uut.byte_data.next = byte.to_bits();
            write(&mut cosim);
        }
        cosim.uut.byte_valid.next = false;
        cosim.uut.finish.next = true;
        let before = cosim.uut.tail.val();
        let mut cycles = 1;
        while !write(&mut cosim) {
            assert_eq!(cosim.uut.tail.val(), before, "the tail comes last");
            cycles += 1;
            assert!(cycles <= 2);
        }
        cosim.uut.finish.next = false;
        cosim.tick();
        assert_eq!(cosim.uut.tail.val().to_u32(), golden.read(words::UP_TAIL));
        assert_eq!(
            memory.words_from(ring.first, 2048),
            golden.words_from(ring.first, 2048),
            "round {round}"
        );
        sent += 1;
        if random.below(20) == 0 {
            // A host that makes no sense gets nothing.
            cosim.uut.head.next = golden.read(words::UP_TAIL).wrapping_add(1).to_bits();
            cosim.tick();
            cosim.tick();
            assert!(!cosim.uut.room.val());
        }
    }
    println!("{sent} frames sent, {waited} times no room");
    assert!(sent > 200 && waited > 4);
    cosim.finish();
}

#[test]
fn the_buffer_judges_as_the_specification_does() {
    let mut cosim = Cosim::new(FrameBuffer::new(), |uut| &mut uut.clock).allow_undefined();
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(5);
    let mut causes = [0; 8];
    for _ in 0..60 {
        let mut frame = some_frame(&mut random, 80);
        match random.below(6) {
            0 => frame[5] ^= 4,
            1 => frame.truncate(random.below(9) as usize),
            2 => frame.extend([0; 1100]),
            _ => {}
        }
        let expected = match Frame::open(&frame) {
            _ if frame.len() > 1032 => DropCause::Overflow as u64,
            Ok(_) => 7,
            Err(error) => error.cause() as u64,
        };
        assert!(cosim.uut.ready.val());
        cosim.cycle(|uut| uut.start.next = true);
        cosim.uut.start.next = false;
        for &byte in &frame {
            cosim.cycle(|uut| {
                uut.byte_valid.next = true;
                uut.byte_data.next = byte.to_bits();
            });
        }
        cosim.uut.byte_valid.next = false;
        cosim.cycle(|uut| uut.finish.next = true);
        cosim.cycle(|uut| uut.finish.next = false);
        assert!(cosim.uut.frame_valid.val() && !cosim.uut.ready.val());
        assert_eq!(cosim.uut.frame_cause.val().to_u64(), expected);
        causes[expected as usize] += 1;
        cosim.cycle(|uut| uut.frame_done.next = true);
        cosim.cycle(|uut| uut.frame_done.next = false);
    }
    for (broken, too_long, cause) in [(true, false, DropCause::Framing), (false, true, DropCause::Overflow)] {
        cosim.cycle(|uut| {
            uut.start.next = true;
            uut.finish.next = true;
            uut.broken.next = broken;
            uut.too_long.next = too_long;
        });
        cosim.cycle(|uut| {
            uut.start.next = false;
            uut.finish.next = false;
        });
        assert_eq!(cosim.uut.frame_cause.val(), cause as u64);
        cosim.cycle(|uut| uut.frame_done.next = true);
        cosim.cycle(|uut| uut.frame_done.next = false);
    }
    println!("by cause: {causes:?}");
    assert!(causes[7] > 20 && causes[0] > 2 && causes[1] > 2 && causes[6] > 2);
    cosim.finish();
}
