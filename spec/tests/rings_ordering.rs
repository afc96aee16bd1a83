//! The rings under a model of weak memory: loom tries every order in which one side may see what the other has done.

use bluebelle_spec::rings::{Memory, Received, Receiver, Ring, Sender, words};
use bluebelle_spec::wire::{Decoder, Frame};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

/// A small ring: two frames without payload fill it, so that the sender must wait for the receiver.
const RING: Ring = Ring { first: 2, size: 4 };
const HEAD: usize = 0;
const TAIL: usize = 1;

/// As the mapped window does it; or, as a control, with one of the two orders forgotten.
struct Window {
    words: Vec<AtomicU32>,
    acquire: Ordering,
    release: Ordering,
}

impl Memory for Window {
    fn words(&self) -> usize {
        self.words.len()
    }

    fn read(&self, word: usize) -> u32 {
        self.words[word].load(Ordering::Relaxed)
    }

    fn write(&self, word: usize, value: u32) {
        self.words[word].store(value, Ordering::Relaxed);
    }

    fn acquire(&self, word: usize) -> u32 {
        self.words[word].load(self.acquire)
    }

    fn release(&self, word: usize, value: u32) {
        self.words[word].store(value, self.release);
    }
}

/// A frame without payload, 8 bytes.
fn frame(kind: u8) -> Vec<u8> {
    let mut wire = Vec::new();
    let frame = Frame { kind, payload: &[] };
    frame.encode(&mut wire).expect("not too long");
    let mut decoder = Decoder::<()>::new();
    let plain = decoder.next_plain(&mut &wire[..]);
    plain.expect("a frame").expect("a good one").to_vec()
}

/// Three frames through a ring that holds two: each arrives whole, once, in order, in every order of events.
fn exchange(acquire: Ordering, release: Ordering) {
    let frames = [frame(1), frame(2), frame(7)];
    loom::model(move || {
        let window = Arc::new(Window {
            words: (0..6).map(|_| AtomicU32::new(0)).collect(),
            acquire,
            release,
        });
        let (theirs, sent) = (Arc::clone(&window), frames.clone());
        let sender = thread::spawn(move || {
            let mut sender = Sender::new(RING, HEAD, TAIL, 0);
            for frame in sent {
                while !sender.send(&*theirs, &frame).expect("a sound receiver") {
                    thread::yield_now();
                }
            }
        });
        let mut receiver = Receiver::new(RING, HEAD, TAIL, 0);
        for expected in &frames {
            loop {
                match receiver.receive(&*window).expect("a sound sender") {
                    Received::Nothing => thread::yield_now(),
                    received => {
                        assert_eq!(received, Received::Frame(expected));
                        break;
                    }
                }
            }
        }
        sender.join().expect("no panic");
    });
}

#[test]
fn frames_arrive_whole_whatever_the_order() {
    assert_eq!(words::END * 4, 0x48);
    exchange(Ordering::Acquire, Ordering::Release);
}

#[test]
#[should_panic]
fn without_release_they_do_not() {
    exchange(Ordering::Acquire, Ordering::Relaxed);
}

#[test]
#[should_panic]
fn without_acquire_they_do_not() {
    exchange(Ordering::Relaxed, Ordering::Release);
}
