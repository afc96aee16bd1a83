//! Whatever came over the wire, the frame after the next delimiter is understood, and what was accepted encodes again.

#![no_main]

use std::fmt::Debug;

use bluebelle_spec::wire::{Decoder, Frame, MAX_PAYLOAD, Message, Reply, Request, Status};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    hear(data, Request::Abort(vec![7, 8]));
    hear(data, Reply::Status(Status::default()));
    // No fuzzer guesses a CRC: the same bytes once more as a payload, in a frame that is right.
    if let [kind, payload @ ..] = data
        && payload.len() <= MAX_PAYLOAD
    {
        let frame = Frame { kind: *kind, payload };
        let mut bytes = Vec::new();
        frame.encode(&mut bytes).expect("the payload is short enough");
        let mut decoder = Decoder::<Request>::new();
        assert_eq!(decoder.next_frame(&mut &bytes[..]), Some(Ok(frame)));
        check_canonical::<Request>(frame);
        check_canonical::<Reply>(frame);
    }
});

/// Hears the bytes, whole and in two pieces, then a good frame.
fn hear<M: Message + PartialEq + Debug>(data: &[u8], good: M) {
    let mut stream = [data, &[0]].concat();
    good.encode_to(&mut stream).expect("a good message");
    let mut whole = Decoder::<M>::new();
    let heard: Vec<_> = whole.push(&stream).collect();
    for message in heard.iter().flatten() {
        let bytes = message.encode().expect("what is accepted can be sent");
        let mut decoder = Decoder::<M>::new();
        let echo: Vec<M> = decoder.push(&bytes).flatten().collect();
        assert_eq!(echo.as_slice(), std::slice::from_ref(message));
    }
    assert_eq!(heard.last(), Some(&Ok(good)));

    let cut = data.first().map_or(0, |&byte| usize::from(byte) % stream.len());
    let mut pieces = Decoder::<M>::new();
    let mut again: Vec<_> = pieces.push(&stream[..cut]).collect();
    again.extend(pieces.push(&stream[cut..]));
    assert_eq!(again, heard);
    assert_eq!(pieces.dropped(), whole.dropped());
}

fn check_canonical<M: Message>(frame: Frame<'_>) {
    if let Ok(message) = M::from_frame(frame) {
        assert_eq!(message.kind() as u8, frame.kind);
        assert_eq!(message.payload().as_deref(), Ok(frame.payload));
    }
}
