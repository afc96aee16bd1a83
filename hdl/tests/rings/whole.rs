//! The link through rings as a whole: the host's own code on one side of the bus, and frames on the other.

use std::cell::RefCell;
use std::collections::VecDeque;

use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_hdl::link::RingLink;
use bluebelle_spec::rings::{Header, HostEnd, Memory, Received, WINDOW_BYTES, words};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::Frame;
use rust_hdl::prelude::*;

use crate::bus::{plain, some_frame};

/// The block with its chip side: whatever frame comes in goes out again.
struct Echo {
    cosim: Cosim<RingLink>,
    random: SplitMix64,
    /// The frame that goes out, and the next byte of it.
    out: Option<(Vec<u8>, usize)>,
    waiting: VecDeque<Vec<u8>>,
    /// The payload of the frame that is held, so far.
    payload: Vec<u8>,
    asked: Option<usize>,
    heard: Vec<Result<u8, u8>>,
}

impl Echo {
    fn new(seed: u64) -> Echo {
        let cosim = Cosim::new(RingLink::default(), |uut| &mut uut.clock).allow_undefined();
        let mut echo = Echo {
            cosim,
            random: SplitMix64::new(seed),
            out: None,
            waiting: VecDeque::new(),
            payload: Vec::new(),
            asked: None,
            heard: Vec::new(),
        };
        echo.cosim.uut.aresetn.next = true;
        echo.cosim.uut.credits.next = 77.into();
        echo
    }

    fn tick(&mut self) {
        // Reads the payload of the frame that is held, a word at a time, then lets go of it.
        self.cosim.settle();
        let uut = &mut self.cosim.uut;
        uut.frame_done.next = false;
        if uut.frame_valid.val() {
            let (cause, kind) = (uut.frame_cause.val().to_u8(), uut.frame_kind.val().to_u8());
            let length = uut.frame_length.val().to_u32() as usize;
            if self.asked.take().is_some() {
                self.payload.extend(uut.read_data.val().to_u16().to_le_bytes());
            }
            if cause == 7 && self.payload.len() < length {
                self.asked = Some(self.payload.len() / 2);
                uut.read_address.next = (self.payload.len() / 2).to_bits();
            } else {
                uut.frame_done.next = true;
                match cause {
                    7 => {
                        let mut wire = Vec::new();
                        let payload = &std::mem::take(&mut self.payload);
                        Frame { kind, payload }.encode(&mut wire).expect("not too long");
                        self.waiting.push_back(plain(&wire));
                        self.heard.push(Ok(kind));
                    }
                    cause => self.heard.push(Err(cause)),
                }
            }
        }
        // Sends what there is.
        if self.out.is_none() && uut.room.val() {
            self.out = self.waiting.pop_front().map(|frame| (frame, 0));
        }
        let pause = self.random.below(8) == 0;
        uut.byte_valid.next = false;
        uut.finish.next = false;
        if let Some((frame, at)) = &self.out {
            match frame.get(*at) {
                Some(byte) => {
                    uut.byte_valid.next = !pause;
                    uut.byte_data.next = byte.to_bits();
                }
                None => uut.finish.next = true,
            }
        }
        self.cosim.settle();
        let uut = &self.cosim.uut;
        let taken = uut.byte_valid.val() && uut.byte_ready.val();
        let finished = uut.finish.val() && uut.finished.val();
        if let Some((_, at)) = &mut self.out {
            *at += usize::from(taken);
        }
        if finished {
            self.out = None;
        }
        self.cosim.tick();
    }
}

/// The window through the bus: each access is a transfer of AXI4-Lite.
struct Bus {
    echo: RefCell<Echo>,
}

impl Memory for Bus {
    fn words(&self) -> usize {
        WINDOW_BYTES / 4
    }

    fn read(&self, word: usize) -> u32 {
        let mut echo = self.echo.borrow_mut();
        echo.cosim.uut.araddr.next = (word * 4).to_bits();
        echo.cosim.uut.arvalid.next = true;
        loop {
            echo.cosim.settle();
            let taken = echo.cosim.uut.arready.val();
            echo.tick();
            if taken {
                break;
            }
        }
        echo.cosim.uut.arvalid.next = false;
        loop {
            echo.cosim.uut.rready.next = echo.random.below(4) > 0;
            echo.cosim.settle();
            let uut = &echo.cosim.uut;
            let found = (uut.rvalid.val() && uut.rready.val()).then(|| uut.rdata.val().to_u32());
            echo.tick();
            if let Some(found) = found {
                return found;
            }
        }
    }

    fn write(&self, word: usize, value: u32) {
        let mut echo = self.echo.borrow_mut();
        let uut = &mut echo.cosim.uut;
        uut.awaddr.next = (word * 4).to_bits();
        uut.awvalid.next = true;
        uut.wdata.next = value.to_bits();
        uut.wstrb.next = 15.into();
        uut.wvalid.next = true;
        loop {
            echo.cosim.uut.bready.next = echo.random.below(4) > 0;
            echo.cosim.settle();
            let uut = &echo.cosim.uut;
            let (address, data) = (uut.awready.val(), uut.wready.val());
            let done = uut.bvalid.val() && uut.bready.val();
            echo.tick();
            let uut = &mut echo.cosim.uut;
            uut.awvalid.next = uut.awvalid.val() && !address;
            uut.wvalid.next = uut.wvalid.val() && !data;
            if done {
                return;
            }
        }
    }

    fn acquire(&self, word: usize) -> u32 {
        self.read(word)
    }

    fn release(&self, word: usize, value: u32) {
        self.write(word, value);
    }
}

#[test]
fn frames_go_down_and_come_up_again() {
    let bus = Bus {
        echo: RefCell::new(Echo::new(9)),
    };
    synthesis_check(&bus.echo.borrow().cosim.uut);
    assert_eq!(Header::check(&bus), Ok(Header::OURS));
    assert_eq!(bus.read(words::CREDITS), 77);
    let mut host = HostEnd::open(&bus).expect("a good header");
    let mut random = SplitMix64::new(10);
    let mut expected = VecDeque::new();
    let (mut sent, mut received) = (0, 0);
    while received < 60 {
        if sent < 60 && random.below(2) == 0 {
            let most = if random.below(4) == 0 { 1024 } else { 40 };
            let frame = some_frame(&mut random, most);
            if host.down.send(&bus, &frame).expect("good indices") {
                expected.push_back(frame);
                sent += 1;
            }
        }
        match host.up.receive(&bus).expect("good indices") {
            Received::Nothing => bus.echo.borrow_mut().tick(),
            Received::Frame(frame) => {
                assert_eq!(Some(frame), expected.pop_front().as_deref());
                received += 1;
            }
            Received::Dropped(cause) => panic!("{cause:?}"),
        }
    }
    let echo = bus.echo.into_inner();
    println!("{} cycles", echo.cosim.cycles());
    assert_eq!(echo.heard.len(), 60);
    echo.cosim.finish();
}

#[test]
fn a_host_that_makes_no_sense_costs_frames_and_nothing_else() {
    let bus = Bus {
        echo: RefCell::new(Echo::new(11)),
    };
    let mut random = SplitMix64::new(12);
    // The Verilog's memory has no contents before it is written, and a tail may point anywhere.
    for word in 0x800..0x1000 {
        bus.write(word, 0);
    }
    for round in 0..25 {
        match random.below(4) {
            0 => bus.write(words::DOWN_TAIL, random.next_u64() as u32),
            1 => bus.write(words::UP_HEAD, random.next_u64() as u32),
            2 => {
                // Words of the chip, which stay as they are, and of the ring, which do not.
                bus.write(random.below(16) as usize, random.next_u64() as u32);
                bus.write(0x800 + random.below(2048) as usize, random.next_u64() as u32);
            }
            _ => {
                let tail = bus.read(words::DOWN_TAIL);
                bus.write(words::DOWN_TAIL, tail.wrapping_add(random.below(5_000) as u32));
            }
        }
        for _ in 0..40 {
            bus.echo.borrow_mut().tick();
        }
        // The chip may be busy with what looked like frames; then it is as before.
        for _ in 0..20_000 {
            if bus.read(words::DOWN_HEAD) == bus.read(words::DOWN_TAIL) {
                break;
            }
        }
        let mut host = HostEnd::open(&bus).expect("the header is as it was");
        let frame = some_frame(&mut random, 40);
        assert_eq!(host.down.send(&bus, &frame), Ok(true), "round {round}");
        let mut answer = None;
        for _ in 0..500 {
            match host.up.receive(&bus).expect("good indices") {
                Received::Frame(found) if found == frame => {
                    answer = Some(());
                    break;
                }
                _ => bus.echo.borrow_mut().tick(),
            }
        }
        assert_eq!(answer, Some(()), "round {round}");
    }
    assert_eq!(Header::check(&bus), Ok(Header::OURS));
    let echo = bus.echo.into_inner();
    let dropped = echo.heard.iter().filter(|heard| heard.is_err()).count();
    println!(
        "{} cycles, {} frames, {dropped} dropped",
        echo.cosim.cycles(),
        echo.heard.len()
    );
    assert!(dropped > 3);
    echo.cosim.finish();
}
