//! What stands on the square that was found, against the golden position.

mod common;

use bluebelle_hdl::core::read_rank::ReadRank;
use bluebelle_hdl::core::read_square::ReadSquare;
use bluebelle_hdl::core::thread::{Findings, Thread};
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Color, Square};

use common::{code_at, positions, thread_on};

#[test]
fn the_square_is_read_and_the_findings_gathered() {
    let mut ranks = Cosim::new(ReadRank::default(), |uut| &mut uut.clock);
    let mut cosim = Cosim::new(ReadSquare::default(), |uut| &mut uut.clock);
    synthesis_check(&ranks.uut);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(60);
    for (index, position) in positions(61, 400).into_iter().enumerate() {
        let pass = index % 5;
        let mut square = Square::new(random.below(64) as u8);
        let origin = Square::new(random.below(64) as u8);
        if pass == 4 {
            // A pawn never goes to its own first rank.
            square = Square::at(square.file(), 1 + square.rank() % 7).relative_to(position.turn());
        }
        let thread = Thread {
            victim: pass == 0,
            attacker: pass == 1,
            killing: pass == 2,
            quiet: pass == 3,
            push: pass == 4,
            origin: u64::from(origin.byte()).into(),
            ..thread_on(&position)
        };
        let read = match pass {
            0 | 1 => square,
            2 | 3 => origin,
            _ => match position.turn() {
                Color::White => Square::new(square.byte() - 8),
                Color::Black => Square::new(square.byte() + 8),
            },
        };
        let expected = Findings {
            found: random.below(2) == 1,
            square: u64::from(square.byte()).into(),
            last: random.below(2) == 1,
            code: u64::from(code_at(&position, read)).into(),
            next_piece: random.below(64).into(),
            has_next: random.below(2) == 1,
            last_piece: random.below(2) == 1,
            in_check: random.below(2) == 1,
            illegal: random.below(2) == 1,
            loses: false,
        };
        ranks.cycle(|uut| {
            uut.thread_in.next = thread;
            uut.rank.next = u64::from(square.rank()).into();
        });
        cosim.cycle(|uut| {
            uut.thread_in.next = thread;
            uut.row0.next = ranks.uut.row0.val();
            uut.row1.next = ranks.uut.row1.val();
            uut.row2.next = ranks.uut.row2.val();
            uut.found.next = expected.found;
            uut.square.next = expected.square;
            uut.last.next = expected.last;
            uut.next_piece.next = expected.next_piece;
            uut.has_next.next = expected.has_next;
            uut.last_piece.next = expected.last_piece;
            uut.in_check.next = expected.in_check;
            uut.illegal.next = expected.illegal;
        });
        assert_eq!(cosim.uut.findings.val(), expected, "{position} {read}");
        assert_eq!(cosim.uut.thread_out.val(), thread);
    }
    ranks.finish();
    cosim.finish();
}
