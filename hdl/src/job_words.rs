//! A job as the words that a core takes.

use bluebelle_spec::leaf::{Job, Task};
use bluebelle_spec::{Color, Square};

/// How many words come before the pieces.
pub const HEADER_WORDS: usize = 6;

/// The words of a job:
///
/// | word | bits |
/// |---|---|
/// | 0 | 0–15 id |
/// | 1 | 0–2 en passant file, 3 whether there is one, 4–7 castling rights, 8 Black to move, 9–13 depth, 14–15 rules: 0 none, 1 perft, 2 pruning, 3 pruning by a gang |
/// | 2 | 0–15 beta |
/// | 3, 4 | node limit, low 16 bits first |
/// | 5 | 0–15 first move |
/// | then a piece each | 0–5 square, 6–8 piece code, 9 Black, 10 the last piece |
pub fn job_words(id: u16, job: &Job) -> Vec<u32> {
    let position = &job.position;
    let (rules, depth, beta) = match job.task {
        Task::Search { depth, beta } => (u32::from(job.gang) | u32::from(job.pruning) << 1, depth, beta),
        Task::Perft { depth } => (1, depth, 0),
    };
    let limit = job.most_nodes();
    let en_passant = position.en_passant().map_or(0, |square| 8 | u32::from(square.file()));
    let rules = en_passant
        | u32::from(position.castling().bits()) << 4
        | u32::from(position.turn() == Color::Black) << 8
        | u32::from(depth) << 9
        | rules << 14;
    let header = [
        u32::from(id),
        rules,
        u32::from(beta as u16),
        limit & 0xffff,
        limit >> 16,
        u32::from(job.first.bits()),
    ];
    let mut words = header.to_vec();
    for square in Square::all() {
        if let Some((color, piece)) = position.at(square) {
            let black = u32::from(color == Color::Black);
            words.push(u32::from(square.byte()) | u32::from(piece.code()) << 6 | black << 9);
        }
    }
    if let Some(last) = words.last_mut() {
        *last |= 1 << 10;
    }
    words
}
