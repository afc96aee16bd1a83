//! The 64-bit constants. A literal of that size does not survive in Verilog; a [`Constant`] does.

use bluebelle_spec::attacks;
use rust_hdl::prelude::*;

/// Sets of squares, as wires.
#[derive(LogicBlock)]
pub struct Masks {
    pub rank_1: Signal<Out, Bits<64>>,
    pub file_a: Signal<Out, Bits<64>>,
    pub files: [Signal<Out, Bits<64>>; 8],
    pub not_a: Signal<Out, Bits<64>>,
    pub not_h: Signal<Out, Bits<64>>,
    pub not_ab: Signal<Out, Bits<64>>,
    pub not_gh: Signal<Out, Bits<64>>,
    pub light: Signal<Out, Bits<64>>,
    pub all: Signal<Out, Bits<64>>,
    pub third_ranks: Signal<Out, Bits<64>>,
    pub sixth_ranks: Signal<Out, Bits<64>>,
    pub last_ranks: Signal<Out, Bits<64>>,
    pub pawn_ranks: Signal<Out, Bits<64>>,
    pub odd_ranks: Signal<Out, Bits<64>>,
    pub pair_ranks: Signal<Out, Bits<64>>,
    pub upper_ranks: Signal<Out, Bits<64>>,
    pub right_half: Signal<Out, Bits<64>>,
    rank_1_value: Constant<Bits<64>>,
    file_a_value: Constant<Bits<64>>,
    file_values: [Constant<Bits<64>>; 8],
    not_a_value: Constant<Bits<64>>,
    not_h_value: Constant<Bits<64>>,
    not_ab_value: Constant<Bits<64>>,
    not_gh_value: Constant<Bits<64>>,
    light_value: Constant<Bits<64>>,
    all_value: Constant<Bits<64>>,
    third_value: Constant<Bits<64>>,
    sixth_value: Constant<Bits<64>>,
    last_value: Constant<Bits<64>>,
    pawn_value: Constant<Bits<64>>,
    upper_ranks_value: Constant<Bits<64>>,
    right_half_value: Constant<Bits<64>>,
    pair_ranks_value: Constant<Bits<64>>,
    odd_ranks_value: Constant<Bits<64>>,
}

impl Default for Masks {
    fn default() -> Self {
        let value = |set: u64| Constant::new(set.into());
        Self {
            rank_1: Default::default(),
            file_a: Default::default(),
            files: Default::default(),
            not_a: Default::default(),
            not_h: Default::default(),
            not_ab: Default::default(),
            not_gh: Default::default(),
            light: Default::default(),
            all: Default::default(),
            third_ranks: Default::default(),
            sixth_ranks: Default::default(),
            last_ranks: Default::default(),
            pawn_ranks: Default::default(),
            odd_ranks: Default::default(),
            pair_ranks: Default::default(),
            upper_ranks: Default::default(),
            right_half: Default::default(),
            rank_1_value: value(attacks::RANK_1),
            file_a_value: value(attacks::FILE_A),
            file_values: std::array::from_fn(|file| value(attacks::FILE_A << file)),
            not_a_value: value(attacks::NOT_A),
            not_h_value: value(attacks::NOT_H),
            not_ab_value: value(attacks::NOT_A & attacks::NOT_A << 1),
            not_gh_value: value(attacks::NOT_H & attacks::NOT_H >> 1),
            light_value: value(attacks::LIGHT),
            all_value: value(!0),
            third_value: value(attacks::RANK_1 << 16),
            sixth_value: value(attacks::RANK_1 << 40),
            last_value: value(attacks::RANK_1 | attacks::RANK_1 << 56),
            pawn_value: value(!(attacks::RANK_1 | attacks::RANK_1 << 56)),
            upper_ranks_value: value(0xffff_ffff_0000_0000),
            right_half_value: value(0xf0f0_f0f0_f0f0_f0f0),
            pair_ranks_value: value(0xffff_0000_ffff_0000),
            odd_ranks_value: value(0xff00_ff00_ff00_ff00),
        }
    }
}

impl Logic for Masks {
    #[hdl_gen]
    fn update(&mut self) {
        self.rank_1.next = self.rank_1_value.val();
        self.file_a.next = self.file_a_value.val();
        for k in 0..8 {
            self.files[k].next = self.file_values[k].val();
        }
        self.not_a.next = self.not_a_value.val();
        self.not_h.next = self.not_h_value.val();
        self.not_ab.next = self.not_ab_value.val();
        self.not_gh.next = self.not_gh_value.val();
        self.light.next = self.light_value.val();
        self.all.next = self.all_value.val();
        self.third_ranks.next = self.third_value.val();
        self.sixth_ranks.next = self.sixth_value.val();
        self.last_ranks.next = self.last_value.val();
        self.pawn_ranks.next = self.pawn_value.val();
        self.upper_ranks.next = self.upper_ranks_value.val();
        self.right_half.next = self.right_half_value.val();
        self.pair_ranks.next = self.pair_ranks_value.val();
        self.odd_ranks.next = self.odd_ranks_value.val();
    }
}
