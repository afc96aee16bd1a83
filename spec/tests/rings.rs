//! The rings, word for word; and against a peer that writes whatever it likes, wherever it likes.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use bluebelle_spec::rings::{
    BrokenIndex, ChipEnd, Header, HeaderError, HostEnd, LAYOUT_VERSION, MAGIC, Memory, Received, Receiver, Ring,
    Sender, WINDOW_BYTES, frame_words, words,
};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{DropCause, FRAME_OVERHEAD, Frame, MAX_FRAME, MAX_PAYLOAD};
use proptest::prelude::*;

/// A window of which every access is counted, and every access outside of which is a panic.
struct Window {
    words: RefCell<Vec<u32>>,
    accesses: Cell<usize>,
}

impl Window {
    fn new() -> Window {
        Window {
            words: RefCell::new(vec![0; WINDOW_BYTES / 4]),
            accesses: Cell::new(0),
        }
    }

    fn count(&self) {
        self.accesses.set(self.accesses.get() + 1);
    }

    /// The accesses since this was last asked.
    fn accesses(&self) -> usize {
        self.accesses.take()
    }
}

impl Memory for Window {
    fn words(&self) -> usize {
        self.words.borrow().len()
    }

    fn read(&self, word: usize) -> u32 {
        self.count();
        self.words.borrow()[word]
    }

    fn write(&self, word: usize, value: u32) {
        self.count();
        self.words.borrow_mut()[word] = value;
    }

    fn acquire(&self, word: usize) -> u32 {
        self.read(word)
    }

    fn release(&self, word: usize, value: u32) {
        self.write(word, value);
    }
}

/// The bytes of a frame, without COBS.
fn plain(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut wire = Vec::new();
    Frame { kind, payload }.encode(&mut wire).expect("not too long");
    let mut decoder = bluebelle_spec::wire::Decoder::<()>::new();
    let frame = decoder
        .next_plain(&mut &wire[..])
        .expect("a frame")
        .expect("a good one");
    frame.to_vec()
}

#[test]
fn the_header_has_its_golden_words() {
    let window = Window::new();
    ChipEnd::wake(&window).tell_credits(&window, 107);
    let expected = [0x6542_6c42, 1, 0x2000, 0x800, 0x4000, 0x800, 107, 0];
    assert_eq!(window.words.borrow()[..8], expected);
    assert!(window.words.borrow()[8..].iter().all(|&word| word == 0));
    assert_eq!(Header::check(&window), Ok(Header::OURS));
}

#[test]
fn a_frame_lies_in_the_ring_as_on_the_wire() {
    let window = Window::new();
    let mut chip = ChipEnd::wake(&window);
    let mut host = HostEnd::open(&window).expect("a good header");
    // An abort of one job: 10 bytes, 3 words.
    let frame = plain(6, &[0x34, 0x12]);
    assert_eq!(host.down.send(&window, &frame), Ok(true));
    let [a, b, c] = [0x0002_0106, 0, 0];
    let ring = &window.words.borrow()[0x800..0x804].to_vec();
    assert_eq!(ring[0], a);
    assert_eq!(ring[1] & 0xffff, 0x1234);
    assert_eq!((ring[2] >> 16, ring[3]), (b, c));
    assert_eq!(window.words.borrow()[words::DOWN_TAIL], 3);
    assert_eq!(chip.down.receive(&window), Ok(Received::Frame(&frame)));
    assert_eq!(window.words.borrow()[words::DOWN_HEAD], 3);
    assert_eq!(chip.down.receive(&window), Ok(Received::Nothing));
}

#[test]
fn frames_of_every_length_come_in_order_round_the_ring() {
    let window = Window::new();
    let mut chip = ChipEnd::wake(&window);
    let mut host = HostEnd::open(&window).expect("a good header");
    let mut random = SplitMix64::new(7);
    let (mut down, mut up) = (VecDeque::new(), VecDeque::new());
    let mut received = 0;
    for number in 0..20_000_u32 {
        let length = random.below(1 + MAX_PAYLOAD as u64) as usize;
        let payload: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        let frame = plain(number as u8, &payload);
        if random.below(2) == 0 {
            if host.down.send(&window, &frame).expect("good indices") {
                down.push_back(frame);
            } else {
                let used: usize = down.iter().map(|frame| frame_words(frame.len())).sum();
                assert!(used + frame_words(frame.len()) > 2048, "there was room");
            }
        } else if chip.up.send(&window, &frame).expect("good indices") {
            up.push_back(frame);
        }
        for (receiver, sent) in [(&mut chip.down, &mut down), (&mut host.up, &mut up)] {
            if random.below(2) == 0 {
                match receiver.receive(&window).expect("good indices") {
                    Received::Frame(frame) => {
                        assert_eq!(sent.pop_front().as_deref(), Some(frame));
                        received += 1;
                    }
                    other => assert!(other == Received::Nothing && sent.is_empty(), "{other:?}"),
                }
            }
        }
    }
    assert!(received > 10_000, "{received}");
}

#[test]
fn indices_go_round_all_32_bits() {
    let ring = Ring {
        first: words::END,
        size: 512,
    };
    let window = Window::new();
    let start = u32::MAX - 700;
    window.write(words::DOWN_HEAD, start);
    let mut sender = Sender::new(ring, words::DOWN_HEAD, words::DOWN_TAIL, start);
    let mut receiver = Receiver::new(ring, words::DOWN_HEAD, words::DOWN_TAIL, start);
    window.write(words::DOWN_TAIL, start);
    for number in 0..40 {
        let frame = plain(number, &[number; 100]);
        assert_eq!(sender.send(&window, &frame), Ok(true));
        assert_eq!(receiver.receive(&window), Ok(Received::Frame(&frame)));
    }
    assert!(window.read(words::DOWN_HEAD) < 1000);
}

#[test]
fn a_length_that_cannot_be_costs_what_was_sent_and_no_more() {
    for (length, cause) in [
        (0xffff_u32, DropCause::Overflow),
        (1026, DropCause::Overflow),
        (200, DropCause::Framing),
    ] {
        let window = Window::new();
        let mut chip = ChipEnd::wake(&window);
        let mut host = HostEnd::open(&window).expect("a good header");
        let frame = plain(1, &[]);
        for _ in 0..3 {
            assert_eq!(host.down.send(&window, &frame), Ok(true));
        }
        assert_eq!(chip.down.receive(&window), Ok(Received::Frame(&frame)));
        window.write(0x800 + 2, length << 16 | 0x0101);
        assert_eq!(chip.down.receive(&window), Ok(Received::Dropped(cause)));
        assert_eq!(chip.down.receive(&window), Ok(Received::Nothing));
        assert_eq!(host.down.send(&window, &frame), Ok(true));
        assert_eq!(chip.down.receive(&window), Ok(Received::Frame(&frame)));
    }
}

#[test]
fn impossible_indices_are_noticed_and_mended() {
    let window = Window::new();
    let mut chip = ChipEnd::wake(&window);
    let mut host = HostEnd::open(&window).expect("a good header");
    let frame = plain(1, &[]);

    // The chip was reset, or answers with ones: the host gives up, and begins anew where the chip is.
    assert_eq!(host.down.send(&window, &frame), Ok(true));
    window.write(words::DOWN_HEAD, 3);
    let used = u32::MAX;
    assert_eq!(host.down.send(&window, &frame), Err(BrokenIndex { used, size: 2048 }));
    window.write(words::UP_TAIL, u32::MAX);
    assert_eq!(host.up.receive(&window), Err(BrokenIndex { used, size: 2048 }));
    let mut host = HostEnd::open(&window).expect("a good header");
    assert_eq!(host.up.receive(&window), Ok(Received::Nothing));
    assert_eq!(host.down.room(&window), Ok(2048));

    // The host was replaced by one that makes no sense: the chip begins where that one says it is.
    window.write(words::DOWN_TAIL, 1 << 30);
    assert!(chip.down.receive(&window).is_err());
    chip.down.catch_up(&window);
    assert_eq!(window.read(words::DOWN_HEAD), 1 << 30);
    let mut host = HostEnd::open(&window).expect("a good header");
    assert_eq!(host.down.send(&window, &frame), Ok(true));
    assert_eq!(chip.down.receive(&window), Ok(Received::Frame(&frame)));
    window.write(words::UP_HEAD, 5);
    assert!(chip.up.send(&window, &frame).is_err());
}

#[test]
fn a_new_host_goes_on_where_the_last_one_was() {
    let window = Window::new();
    let mut chip = ChipEnd::wake(&window);
    let mut host = HostEnd::open(&window).expect("a good header");
    let (first, second) = (plain(2, &[]), plain(1, &[]));
    assert_eq!(host.down.send(&window, &first), Ok(true));
    assert_eq!(chip.up.send(&window, &first), Ok(true));
    let mut host = HostEnd::open(&window).expect("a good header");
    assert_eq!(host.up.receive(&window), Ok(Received::Nothing), "that was for another");
    assert_eq!(host.down.send(&window, &second), Ok(true));
    assert_eq!(chip.down.receive(&window), Ok(Received::Frame(&first)));
    assert_eq!(chip.down.receive(&window), Ok(Received::Frame(&second)));
}

#[test]
fn headers_that_lead_out_of_the_window_are_refused() {
    let refusal = |word: usize, value: u32| {
        let window = Window::new();
        ChipEnd::wake(&window);
        window.write(word, value);
        HostEnd::open(&window).expect_err("refused")
    };
    assert_eq!(refusal(words::MAGIC, 0), HeaderError::Magic(0));
    let gone = refusal(words::MAGIC, u32::MAX).to_string();
    assert!(gone.contains("unplugged"), "{gone}");
    assert_eq!(refusal(words::VERSION, 2), HeaderError::Version(2));
    for (word, values) in [
        (words::DOWN_SIZE, [0, 1, 2047, 0x8000_0000]),
        (words::UP_SIZE, [u32::MAX, 128, 8192, 16384]),
        (words::DOWN_OFFSET, [0, 0x44, u32::MAX - 3, 0x2001]),
        (words::UP_OFFSET, [0x7000, 0x8000, 0xffff_fffc, 2]),
    ] {
        for value in values {
            let error = refusal(word, value);
            assert!(
                matches!(error, HeaderError::Ring { .. } | HeaderError::Overlap),
                "word {word} = {value:#x}: {error}"
            );
        }
    }
    assert_eq!(refusal(words::UP_OFFSET, 0x2004), HeaderError::Overlap);
    assert_eq!((MAGIC.to_le_bytes(), LAYOUT_VERSION), (*b"BlBe", 1));
}

/// One thing that happens.
#[derive(Clone, Debug)]
enum Event {
    HostSends(usize),
    HostReceives,
    ChipSends(usize),
    ChipReceives,
    /// Anything is written anywhere.
    Corrupt(usize, u32),
    /// Anything is added to an index.
    Shift(usize, i32),
    HostOpens,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let index = prop_oneof![
        Just(words::DOWN_HEAD),
        Just(words::UP_TAIL),
        Just(words::DOWN_TAIL),
        Just(words::UP_HEAD)
    ];
    let word = prop_oneof![0..words::END, index.clone(), 0..WINDOW_BYTES / 4];
    let value = prop_oneof![Just(0), Just(u32::MAX), 0..4096_u32, any::<u32>()];
    let event = prop_oneof![
        4 => (0..=MAX_PAYLOAD).prop_map(Event::HostSends),
        4 => Just(Event::HostReceives),
        4 => (0..=MAX_PAYLOAD).prop_map(Event::ChipSends),
        4 => Just(Event::ChipReceives),
        2 => (word, value).prop_map(|(word, value)| Event::Corrupt(word, value)),
        2 => (index, -3000..3000_i32).prop_map(|(word, by)| Event::Shift(word, by)),
        1 => Just(Event::HostOpens),
    ];
    prop::collection::vec(event, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever is written where, neither side leaves the window (the window panics), nor works longer than a frame takes; and
    /// when the header is as it was, a host that opens the window anew is understood at once.
    #[test]
    fn a_hostile_peer_does_no_harm(events in events()) {
        let window = Window::new();
        let mut chip = ChipEnd::wake(&window);
        let mut host = HostEnd::open(&window).expect("a good header");
        for event in events {
            window.accesses();
            match event {
                Event::HostSends(length) => drop(host.down.send(&window, &plain(1, &vec![1; length]))),
                Event::ChipSends(length) => drop(chip.up.send(&window, &plain(1, &vec![1; length]))),
                Event::HostReceives => {
                    if let Ok(Received::Frame(frame)) = host.up.receive(&window) {
                        prop_assert!((FRAME_OVERHEAD..=MAX_FRAME).contains(&frame.len()));
                    }
                }
                Event::ChipReceives => {
                    if chip.down.receive(&window).is_err() {
                        chip.down.catch_up(&window);
                    }
                }
                Event::Corrupt(word, value) => window.write(word, value),
                Event::Shift(word, by) => window.write(word, window.read(word).wrapping_add_signed(by)),
                Event::HostOpens => {
                    if let Ok(opened) = HostEnd::open(&window) {
                        host = opened;
                    }
                }
            }
            let most = frame_words(MAX_FRAME) + 8;
            prop_assert!(window.accesses() <= most);
        }

        // All is well again: the chip's words are what the chip says, and it has read what there was.
        let (tail, head) = (window.read(words::DOWN_TAIL), window.read(words::UP_HEAD));
        ChipEnd::wake(&window);
        window.write(words::DOWN_TAIL, tail);
        window.write(words::UP_HEAD, head);
        chip.down.catch_up(&window);
        let mut host = HostEnd::open(&window).expect("a good header");
        let frame = plain(1, &[]);
        prop_assert_eq!(host.down.send(&window, &frame), Ok(true));
        prop_assert_eq!(chip.down.receive(&window), Ok(Received::Frame(&frame)));
    }
}
