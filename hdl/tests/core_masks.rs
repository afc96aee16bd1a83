//! The constant boards, square by square.

use bluebelle_hdl::core::masks::Masks;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::Square;
use rust_hdl::prelude::{Bits, Out, Signal};

#[track_caller]
fn check(mask: &Signal<Out, Bits<64>>, holds: impl Fn(u8, u8) -> bool) {
    for square in Square::all() {
        let (file, rank) = (square.file(), square.rank());
        assert_eq!(
            mask.val().to_u64() >> square.index() & 1 == 1,
            holds(file, rank),
            "{square}"
        );
    }
}

#[test]
fn masks_hold_their_squares() {
    let mut cosim = Cosim::combinational(Masks::default());
    synthesis_check(&cosim.uut);
    cosim.tick();
    let uut = &cosim.uut;
    check(&uut.rank_1, |_, rank| rank == 0);
    check(&uut.file_a, |file, _| file == 0);
    for (index, mask) in (0..).zip(&uut.files) {
        check(mask, |file, _| file == index);
    }
    check(&uut.not_a, |file, _| file > 0);
    check(&uut.not_h, |file, _| file < 7);
    check(&uut.not_ab, |file, _| file > 1);
    check(&uut.not_gh, |file, _| file < 6);
    check(&uut.light, |file, rank| (file + rank) % 2 == 1);
    check(&uut.all, |_, _| true);
    check(&uut.third_ranks, |_, rank| rank == 2);
    check(&uut.sixth_ranks, |_, rank| rank == 5);
    check(&uut.last_ranks, |_, rank| rank == 0 || rank == 7);
    check(&uut.pawn_ranks, |_, rank| (1..7).contains(&rank));
    check(&uut.odd_ranks, |_, rank| rank & 1 != 0);
    check(&uut.pair_ranks, |_, rank| rank & 2 != 0);
    check(&uut.upper_ranks, |_, rank| rank & 4 != 0);
    check(&uut.right_half, |file, _| file >= 4);
    cosim.finish();
}
