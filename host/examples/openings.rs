//! Makes the openings of `host/data/openings.epd`: how many, and a seed.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let (Some(Ok(count)), Some(Ok(seed)), None) = (numbers.next(), numbers.next(), numbers.next()) else {
        return Err(io::Error::other("expected two numbers: how many openings, and a seed"));
    };
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "# Openings of Bluebelle's own, made by `cargo run --release -p bluebelle --example openings -- {count} {seed}`:\n\
         # random legal moves from the start, 8 to 12 plies, kept if the side to move is not in check and the engine's\n\
         # search of 100,000 nodes sees at most 60 centipawns for either side (`ce`, for the side to move)."
    )?;
    for line in bluebelle::matches::generate(count as usize, seed) {
        writeln!(output, "{line}")?;
    }
    Ok(())
}
