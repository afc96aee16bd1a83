use bluebelle_spec::leaf::{MAX_DEPTH, MAX_NODES, MAX_PERFT_DEPTH};
use bluebelle_spec::wire::{MAX_CHILDREN, MAX_IDS, MAX_WORDS};
use bluebelle_spec::{PLACEMENT_LIMIT, Term, Weights};
use rust_hdl::prelude::*;

/// What a request may contain: the limits of the specification, without a register.
///
/// They are compared bit by bit, because Yosys would make a carry chain of every `<`.
#[derive(LogicBlock, Default)]
pub struct Limits {
    // Frame in, judgement out.
    /// The bytes of the payload, at most 1024.
    pub length: Signal<In, Bits<11>>,
    /// No load of weights is so long.
    pub weights_wrong: Signal<Out, Bit>,
    /// No batch is so long.
    pub batch_wrong: Signal<Out, Bit>,
    /// No abort is so long.
    pub ids_wrong: Signal<Out, Bit>,
    /// The children that fit a batch of this length.
    pub children: Signal<Out, Bits<16>>,

    // A word of the payload in, judgement out.
    /// The word.
    pub word: Signal<In, Bits<16>>,
    /// As a task, it has bits set that must be zero.
    pub task_reserved: Signal<Out, Bit>,
    /// As a task, it is too deep.
    pub task_too_deep: Signal<Out, Bit>,
    /// The low word of the node limit is zero.
    pub low_nodes_zero: Signal<In, Bit>,
    /// As the high word of the node limit, it is too much.
    pub nodes_wrong: Signal<Out, Bit>,
    /// As a move, it is none.
    pub move_wrong: Signal<Out, Bit>,

    // A weight in, judgement out.
    /// The weight.
    pub weight: Signal<In, Bits<16>>,
    /// Which one it is.
    pub weight_index: Signal<In, Bits<16>>,
    /// There is no such weight, or it is too large.
    pub weight_wrong: Signal<Out, Bit>,

    promotion: Signal<Local, Bits<4>>,
    negative: Signal<Local, Bit>,
    flipped: Signal<Local, Bits<16>>,
    term: Signal<Local, Bits<8>>,
    too_heavy: Signal<Local, Bit>,
    no_weight: Signal<Local, Bit>,
    children_here: Signal<Local, Bits<9>>,
}

const _: () = {
    assert!(MAX_DEPTH == 24 && MAX_PERFT_DEPTH == 6 && MAX_NODES == 1 << 28);
    assert!(MAX_WORDS == 256 && MAX_IDS == 256 && MAX_CHILDREN == 246);
    assert!(Weights::WORDS == 768 + 17 && PLACEMENT_LIMIT == 2047);
    assert!(Term::ShelterBare.limit() == 127 && Term::ShelterBare as u8 == 8);
    assert!(Term::MobilityMajor.limit() == 15 && Term::MobilityMajor as u8 == 10);
    assert!(Term::Passed7.limit() == 255 && Term::Passed2 as u8 == 11);
};

impl Logic for Limits {
    #[hdl_gen]
    fn update(&mut self) {
        // 4 to 514 bytes, in words.
        self.weights_wrong.next = self.length.val().get_bit(0)
            | self.length.val().get_bit(10)
            | (self.length.val().get_bits::<9>(2) == 0)
            | (self.length.val().get_bit(9) & (self.length.val().get_bits::<7>(2) != 0));
        // At least 42 bytes, and 2 beyond a multiple of 4; so the most, 1022, is the longest payload that can be.
        self.batch_wrong.next = (self.length.val().get_bits::<2>(0) != 2)
            | ((self.length.val().get_bits::<5>(6) == 0)
                & !(self.length.val().get_bit(5) & (self.length.val().get_bit(4) | self.length.val().get_bit(3))));
        // At most 512 bytes, in words.
        self.ids_wrong.next = self.length.val().get_bit(0)
            | self.length.val().get_bit(10)
            | (self.length.val().get_bit(9) & (self.length.val().get_bits::<8>(1) != 0));
        // 38 bytes come before the children, and each has 4.
        self.children_here.next = self.length.val().get_bits::<9>(2) - 9;
        self.children.next = bit_cast::<16, 9>(self.children_here.val());

        // Depth in bits 0–4, a gang in bit 5, pruning in bit 6, perft in bit 7.
        self.task_reserved.next = (self.word.val().get_bit(5) & (self.word.val().get_bits::<2>(6) != 1))
            | (self.word.val().get_bits::<8>(8) != 0);
        self.task_too_deep.next = (self.word.val().get_bits::<2>(3).all() & self.word.val().get_bits::<3>(0).any())
            | (self.word.val().get_bit(7)
                & (self.word.val().get_bits::<2>(3).any() | self.word.val().get_bits::<3>(0).all()));

        self.nodes_wrong.next = (self.word.val().get_bits::<3>(13) != 0)
            | (self.word.val().get_bit(12) & ((self.word.val().get_bits::<12>(0) != 0) | !self.low_nodes_zero.val()));

        // Promotions are none, knight (2), bishop (5), rook (6) and queen (7); bit 15 of a move is zero.
        self.promotion.next = self.word.val().get_bits::<4>(12);
        self.move_wrong.next = (self.promotion.val() != 0)
            & (self.promotion.val() != 2)
            & (self.promotion.val() != 5)
            & (self.promotion.val() != 6)
            & (self.promotion.val() != 7);

        // All limits of weights are one less than a power of two: 2047 for the first 768, then 127 for 9 terms, 15 for 2 and
        // 255 for 6. A negative weight is not negated, which takes long: with its bits flipped it is one less than its magnitude,
        // so the power of two itself, whose low bits are zero, is refused apart.
        self.negative.next = self.weight.val().get_bit(15);
        self.flipped.next = self.weight.val();
        if self.negative.val() {
            self.flipped.next = !self.weight.val();
        }
        self.term.next = self.weight_index.val().get_bits::<8>(0);
        self.no_weight.next = self.weight_index.val().get_bits::<6>(10) != 0;
        self.too_heavy.next = (self.flipped.val().get_bits::<5>(11) != 0)
            | (self.negative.val() & (self.weight.val().get_bits::<11>(0) == 0));
        if self.weight_index.val().get_bits::<2>(8) == 3 {
            self.too_heavy.next = (self.flipped.val().get_bits::<8>(8) != 0)
                | (self.negative.val() & (self.weight.val().get_bits::<8>(0) == 0));
            if self.term.val().get_bits::<4>(4) != 0 {
                self.no_weight.next = self.no_weight.val() | (self.term.val() != 16);
            } else if !self.term.val().get_bit(3) | (self.term.val() == 8) {
                self.too_heavy.next = (self.flipped.val().get_bits::<9>(7) != 0)
                    | (self.negative.val() & (self.weight.val().get_bits::<7>(0) == 0));
            } else if (self.term.val() == 9) | (self.term.val() == 10) {
                self.too_heavy.next = (self.flipped.val().get_bits::<12>(4) != 0)
                    | (self.negative.val() & (self.weight.val().get_bits::<4>(0) == 0));
            }
        }
        self.weight_wrong.next = self.no_weight.val() | self.too_heavy.val();
    }
}
