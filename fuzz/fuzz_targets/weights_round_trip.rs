//! A text either is no weights file, or is one that is written and read again without a change, by file and by wire.

#![no_main]

use bluebelle_spec::Weights;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Weights>() {
        Ok(weights) => {
            assert_eq!(weights.to_string().parse().as_ref(), Ok(&weights));
            assert_eq!(Weights::from_words(&weights.to_words()).as_ref(), Ok(&weights));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
