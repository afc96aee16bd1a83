//! The words of jobs through the loader, with pauses on both sides.

mod common;

use bluebelle_hdl::core::loader::Loader;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_hdl::job_words::{HEADER_WORDS, job_words};
use bluebelle_spec::leaf::{Job, MAX_DEPTH, MAX_NODES, Task, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Color, Move};

use common::{code_at, in_order, pick, positions};

/// A link that offers words, not in every cycle.
struct Words {
    left: std::vec::IntoIter<u32>,
    offered: Option<u32>,
    random: SplitMix64,
}

impl Words {
    /// A cycle: offers a word, or none, and moves on if it was taken.
    fn cycle(&mut self, cosim: &mut Cosim<Loader>) {
        if self.offered.is_none() && self.random.below(3) != 0 {
            self.offered = self.left.next();
        }
        cosim.uut.job_valid.next = self.offered.is_some();
        // What is on the wires without valid must not matter.
        let noise = self.random.next_u64() as u32 & 0x3ffff;
        cosim.uut.job_word.next = u64::from(self.offered.unwrap_or(noise)).into();
        cosim.settle();
        if cosim.uut.job_ready.val() {
            self.offered = None;
        }
    }
}

fn jobs(count: usize) -> Vec<Job> {
    let mut random = SplitMix64::new(80);
    let job = |position| {
        let moves = legal_moves(&position);
        let first = match random.below(3) {
            0 => Move::NONE,
            _ if moves.is_empty() => Move::NONE,
            _ => pick(&mut random, &moves),
        };
        let task = match random.below(3) {
            0 => Task::Perft {
                depth: random.below(7) as u8,
            },
            _ => Task::Search {
                depth: random.below(u64::from(MAX_DEPTH) + 1) as u8,
                beta: random.next_u64() as i16,
            },
        };
        let node_limit = random.below(u64::from(MAX_NODES) + 1) as u32;
        Job {
            position,
            first,
            task,
            node_limit,
            pruning: random.below(2) == 0,
            gang: false,
        }
    };
    positions(81, count).into_iter().map(job).collect()
}

#[test]
fn jobs_go_through_whole_and_in_order() {
    let mut cosim = Cosim::new(Loader::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(82);
    let jobs = jobs(40);
    let words: Vec<u32> = (0u16..)
        .zip(&jobs)
        .flat_map(|(id, job)| job_words(id * 1621, job))
        .collect();
    let mut words = Words {
        left: words.into_iter(),
        offered: None,
        random: SplitMix64::new(83),
    };
    for (id, job) in (0u16..).zip(&jobs) {
        let position = &job.position;
        let expected = job_words(id * 1621, job);

        // The header, until it is whole; then it waits to be taken.
        let mut waited = 0;
        loop {
            words.cycle(&mut cosim);
            if cosim.uut.ready.val() && random.below(4) == 0 {
                break;
            }
            assert!(
                !cosim.uut.piece_valid.val() || cosim.uut.ready.val(),
                "a piece before the header is whole"
            );
            cosim.tick();
            waited += 1;
            assert!(waited < 200, "no header");
        }
        let uut = &cosim.uut;
        assert_eq!(uut.id.val().to_u16(), id * 1621);
        assert_eq!(u32::from(uut.rules.val().to_u16()), expected[1]);
        assert_eq!(u32::from(uut.beta.val().to_u16()), expected[2]);
        let limit = if job.node_limit == 0 { MAX_NODES } else { job.node_limit };
        assert_eq!(uut.limit.val().to_u32(), limit);
        assert_eq!(uut.first.val().to_u16(), job.first.bits());
        cosim.uut.take_job.next = true;
        cosim.settle();
        cosim.tick();
        cosim.uut.take_job.next = false;

        // The pieces, each when the thread comes by.
        let squares = in_order(position.occupied(), Color::White);
        assert_eq!(squares.len() + HEADER_WORDS, expected.len());
        for (index, &square) in squares.iter().enumerate() {
            let mut waited = 0;
            let is_taken = loop {
                cosim.uut.take_piece.next = false;
                words.cycle(&mut cosim);
                assert!(!cosim.uut.ready.val(), "the job was taken");
                assert!(!cosim.uut.job_ready.val(), "a piece that nobody took");
                if cosim.uut.piece_valid.val() && random.below(3) == 0 {
                    break true;
                }
                cosim.tick();
                waited += 1;
                if waited >= 200 {
                    break false;
                }
            };
            assert!(is_taken, "no piece {index}");
            let uut = &cosim.uut;
            let (color, piece) = position.at(square).expect("a piece");
            assert_eq!(uut.piece_square.val().to_u8(), square.byte());
            assert_eq!(uut.piece_code.val().to_u8(), piece.code());
            assert_eq!(uut.piece_black.val(), color == Color::Black);
            assert_eq!(uut.piece_last.val(), index + 1 == squares.len());
            assert_eq!(uut.piece_start.val(), index == 0);
            cosim.uut.take_piece.next = true;
            cosim.settle();
            assert!(cosim.uut.job_ready.val(), "a piece was taken");
            words.offered = None;
            cosim.tick();
            cosim.uut.take_piece.next = false;
        }

        // The next job waits until this one has begun.
        for _ in 0..random.below(20) {
            words.cycle(&mut cosim);
            assert!(!cosim.uut.job_ready.val() && !cosim.uut.piece_valid.val() && !cosim.uut.ready.val());
            cosim.tick();
        }
        words.cycle(&mut cosim);
        let uut = &cosim.uut;
        if !job.first.is_none() {
            assert_eq!(
                uut.first_piece.val().to_u8(),
                code_at(position, job.first.from()),
                "{position} {}",
                job.first
            );
            assert_eq!(
                uut.first_captured.val().to_u8(),
                code_at(position, job.first.to()),
                "{position} {}",
                job.first
            );
        }
        cosim.uut.begun.next = true;
        cosim.settle();
        cosim.tick();
        cosim.uut.begun.next = false;
    }
    cosim.finish();
}
