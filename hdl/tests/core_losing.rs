//! Which captures lose: every piece that takes every other, whatever else holds.

use bluebelle_hdl::core::losing::Losing;
use bluebelle_hdl::core::thread::{Findings, Thread};
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::Piece;

const fn rank(piece: Piece) -> u8 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 2,
        Piece::Rook => 3,
        Piece::Queen | Piece::King => 4,
    }
}

#[test]
fn what_is_worth_more_loses_on_what_is_protected() {
    let mut cosim = Cosim::combinational(Losing::default());
    synthesis_check(&cosim.uut);
    let mut losing = 0;
    for attacker in Piece::ALL {
        for victim in Piece::ALL.map(Some).into_iter().chain([None]) {
            if victim == Some(Piece::King) {
                continue;
            }
            // One fact is missing, or none.
            for missing in 0..6 {
                let thread = Thread {
                    pruning: missing != 0,
                    attacker: missing != 1,
                    full: missing == 2,
                    captured: u64::from(victim.map_or(0, Piece::code)).into(),
                    ..Default::default()
                };
                let findings = Findings {
                    found: missing != 3,
                    in_check: missing != 4,
                    code: u64::from(attacker.code()).into(),
                    ..Default::default()
                };
                cosim.cycle(|uut| {
                    uut.thread.next = thread;
                    uut.findings.next = findings;
                });
                let outweighs = victim.is_some_and(|victim| rank(attacker) > rank(victim));
                let expected = missing == 5 && outweighs;
                losing += u32::from(expected);
                assert_eq!(cosim.uut.loses.val(), expected, "{thread:?} {findings:?}");
            }
        }
    }
    // Five pieces on a pawn, three on each minor piece, two on a rook.
    assert_eq!(losing, 13);
    cosim.finish();
}
