//! A text either is no FEN, or is one that is written and read again without a change.

#![no_main]

use bluebelle_spec::{Fen, PackedPosition};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Fen>() {
        Ok(fen) => {
            assert_eq!(fen.to_string().parse(), Ok(fen));
            assert_eq!(PackedPosition::pack(&fen.position).unpack(), Ok(fen.position));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
