//! Stage 4: the candidates of the pass.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::Thread;

/// From attacked squares and open [gates](super::gates) to candidates: what a pass may choose from, before the evasion filter
/// and what was tried.
#[derive(LogicBlock, Default)]
pub struct Receivers {
    pub clock: Signal<In, Clock>,
    // Thread and attacked squares in, every cycle
    pub thread_in: Signal<In, Thread>,
    pub own_straight: Signal<In, Bits<64>>,
    pub own_diagonal: Signal<In, Bits<64>>,
    pub own_knight: Signal<In, Bits<64>>,
    pub enemy_straight: Signal<In, Bits<64>>,
    pub enemy_diagonal: Signal<In, Bits<64>>,
    pub enemy_knight: Signal<In, Bits<64>>,
    // Gates in
    pub open: Signal<In, Bits<64>>,
    pub certain: Signal<In, Bits<64>>,
    pub if_safe: Signal<In, Bits<64>>,
    pub enemy_near: Signal<In, Bits<64>>,
    pub castles: Signal<In, Bits<2>>,
    pub parries: Signal<In, Bit>,
    pub own_king: Signal<In, Bits<6>>,
    pub enemy_king: Signal<In, Bits<6>>,
    pub watched: Signal<In, Bits<6>>,
    pub kings_touch: Signal<In, Bit>,
    pub king_rise: Signal<In, Bits<16>>,
    pub king_fall: Signal<In, Bits<16>>,
    // What the board operation adds to placement; complemented where it is subtracted, with the carry that this lacks
    pub added_mg: Signal<In, Bits<16>>,
    pub added_eg: Signal<In, Bits<16>>,
    pub added_phase: Signal<In, Bits<8>>,
    pub added_carry: Signal<In, Bit>,
    pub added_phase_carry: Signal<In, Bit>,
    // Out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    pub candidates: Signal<Out, Bits<64>>,
    /// Only candidates on a shield are left: they must parry a check, or the king may not take.
    pub must_shield: Signal<Out, Bit>,
    /// Squares on which a check may be parried; in find attacker, all but the king's.
    pub shields: Signal<Out, Bits<64>>,
    /// The class of each candidate, first 0: victims from the queen down, attackers from the pawn up.
    pub class_high: Signal<Out, Bits<64>>,
    pub class_low: Signal<Out, Bits<64>>,
    /// The mover is in check; in find attacker, the victim is protected.
    pub in_check: Signal<Out, Bit>,
    /// The mover could take the enemy's king. Known late in the cycle.
    pub illegal: Signal<Out, Bit>,

    masks: Masks,
    state: DFF<Thread>,
    candidates_state: DFF<Bits<64>>,
    must_shield_state: DFF<Bit>,
    shields_state: DFF<Bits<64>>,
    class_high_state: DFF<Bits<64>>,
    class_low_state: DFF<Bits<64>>,
    in_check_state: DFF<Bit>,
    enemy_king_state: DFF<Bits<6>>,
    kings_touch_state: DFF<Bit>,

    code0: Signal<Local, Bits<64>>,
    code1: Signal<Local, Bits<64>>,
    code2: Signal<Local, Bits<64>>,
    empty: Signal<Local, Bits<64>>,
    pawns: Signal<Local, Bits<64>>,
    minors: Signal<Local, Bits<64>>,
    rooks: Signal<Local, Bits<64>>,
    attacked: Signal<Local, Bits<64>>,
    straight_ears: Signal<Local, Bits<64>>,
    diagonal_ears: Signal<Local, Bits<64>>,
    knight_ears: Signal<Local, Bits<64>>,
    heard: Signal<Local, Bits<64>>,
    reached: Signal<Local, Bits<64>>,
    home_attacked: Signal<Local, Bits<8>>,
    castling: Signal<Local, Bits<64>>,
    short: Signal<Local, Bits<8>>,
    long: Signal<Local, Bits<8>>,
    checked: Signal<Local, Bit>,
    king_rank: Signal<Local, Bits<64>>,
    king_file: Signal<Local, Bits<64>>,
    diagonals: [Signal<Local, Bits<8>>; 8],
    king_diagonals: Signal<Local, Bits<64>>,
    mg: Signal<Local, Bits<17>>,
    eg: Signal<Local, Bits<17>>,
    phase: Signal<Local, Bits<9>>,
}

impl Logic for Receivers {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            candidates_state,
            must_shield_state,
            shields_state,
            class_high_state,
            class_low_state,
            in_check_state,
            enemy_king_state,
            kings_touch_state
        );
        self.code0.next = self.thread_in.val().code0;
        self.code1.next = self.thread_in.val().code1;
        self.code2.next = self.thread_in.val().code2;
        self.empty.next = !self.code0.val() & !self.code1.val() & !self.code2.val();
        self.pawns.next = self.code0.val() & !self.code2.val();
        self.minors.next =
            (self.code1.val() & !self.code2.val()) | (self.code2.val() & self.code0.val() & !self.code1.val());
        self.rooks.next = self.code2.val() & self.code1.val() & !self.code0.val();
        self.attacked.next =
            self.enemy_straight.val() | self.enemy_diagonal.val() | self.enemy_knight.val() | self.enemy_near.val();
        // In find attacker the origin radiates as a piece of every kind, and a piece hears only its own.
        self.straight_ears.next = self.masks.all.val();
        self.diagonal_ears.next = self.masks.all.val();
        self.knight_ears.next = self.masks.all.val();
        if self.thread_in.val().attacker {
            self.straight_ears.next = self.code2.val() & self.code1.val();
            self.diagonal_ears.next = self.code2.val() & self.code0.val();
            self.knight_ears.next = self.code1.val() & !self.code2.val();
        }
        self.heard.next = (self.own_straight.val() & self.straight_ears.val())
            | (self.own_diagonal.val() & self.diagonal_ears.val())
            | (self.own_knight.val() & self.knight_ears.val());
        self.reached.next =
            (self.heard.val() & self.open.val()) | self.certain.val() | (self.if_safe.val() & !self.attacked.val());

        // The king castles over squares that nobody attacks.
        if self.thread_in.val().turn {
            self.home_attacked.next = self.attacked.val().get_bits::<8>(56);
        } else {
            self.home_attacked.next = self.attacked.val().get_bits::<8>(0);
        }
        self.short.next = 0.into();
        if self.castles.val().get_bit(0) & !self.home_attacked.val().get_bits::<3>(4).any() {
            self.short.next = 0x40.into();
        }
        self.long.next = 0.into();
        if self.castles.val().get_bit(1) & !self.home_attacked.val().get_bits::<3>(2).any() {
            self.long.next = 0x04.into();
        }
        if self.thread_in.val().turn {
            self.castling.next = bit_cast::<64, 8>(self.short.val() | self.long.val()) << 56;
        } else {
            self.castling.next = bit_cast::<64, 8>(self.short.val() | self.long.val());
        }
        self.candidates_state.d.next = self.reached.val() | self.castling.val();

        // Check, and what parries it: a square on a line of the king's that the enemy attacks along such a line.
        self.checked.next = self.attacked.val().get_bit(self.watched.val().index());
        self.in_check_state.d.next = self.checked.val();
        self.must_shield_state.d.next = self.checked.val() & (self.parries.val() | self.thread_in.val().attacker);
        self.king_rank.next = self.masks.rank_1.val() << (self.own_king.val() & 56);
        self.king_file.next = self.masks.file_a.val() << self.own_king.val().get_bits::<3>(0);
        for k in 0..8 {
            self.diagonals[k].next = self.king_rise.val().get_bits::<8>(7 - k) | self.king_fall.val().get_bits::<8>(k);
        }
        self.king_diagonals.next = bit_cast::<64, 8>(self.diagonals[0].val())
            | (bit_cast::<64, 8>(self.diagonals[1].val()) << 8)
            | (bit_cast::<64, 8>(self.diagonals[2].val()) << 16)
            | (bit_cast::<64, 8>(self.diagonals[3].val()) << 24)
            | (bit_cast::<64, 8>(self.diagonals[4].val()) << 32)
            | (bit_cast::<64, 8>(self.diagonals[5].val()) << 40)
            | (bit_cast::<64, 8>(self.diagonals[6].val()) << 48)
            | (bit_cast::<64, 8>(self.diagonals[7].val()) << 56);
        self.shields_state.d.next = (self.king_diagonals.val() & self.enemy_diagonal.val())
            | ((self.king_rank.val() | self.king_file.val()) & self.enemy_straight.val());
        if self.thread_in.val().attacker {
            self.shields_state.d.next = !(self.king_rank.val() & self.king_file.val());
        }

        // Classes by what stands there. Find attacker has them the other way round; what else is not find victim has its
        // candidates on empty squares, all of class 0. In find victim, an empty square is a promotion on the last rank, and en
        // passant else.
        if self.thread_in.val().victim {
            self.class_high_state.d.next =
                self.pawns.val() | self.minors.val() | (self.empty.val() & !self.masks.last_ranks.val());
            self.class_low_state.d.next =
                self.pawns.val() | self.rooks.val() | (self.empty.val() & !self.masks.last_ranks.val());
        } else {
            self.class_high_state.d.next = !(self.pawns.val() | self.minors.val() | self.empty.val());
            self.class_low_state.d.next = !(self.pawns.val() | self.rooks.val() | self.empty.val());
        }

        self.enemy_king_state.d.next = self.enemy_king.val();
        self.kings_touch_state.d.next = self.kings_touch.val();
        self.state.d.next = self.thread_in.val();
        // A bit below the numbers takes the carry.
        self.mg.next = ((bit_cast::<17, 16>(self.thread_in.val().mg) << 1) | 1)
            + ((bit_cast::<17, 16>(self.added_mg.val()) << 1) | bit_cast::<17, 1>(self.added_carry.val().into()));
        self.eg.next = ((bit_cast::<17, 16>(self.thread_in.val().eg) << 1) | 1)
            + ((bit_cast::<17, 16>(self.added_eg.val()) << 1) | bit_cast::<17, 1>(self.added_carry.val().into()));
        self.phase.next = ((bit_cast::<9, 8>(self.thread_in.val().phase) << 1) | 1)
            + ((bit_cast::<9, 8>(self.added_phase.val()) << 1) | bit_cast::<9, 1>(self.added_phase_carry.val().into()));
        self.state.d.next.mg = self.mg.val().get_bits::<16>(1);
        self.state.d.next.eg = self.eg.val().get_bits::<16>(1);
        self.state.d.next.phase = self.phase.val().get_bits::<8>(1);

        self.thread_out.next = self.state.q.val();
        self.candidates.next = self.candidates_state.q.val();
        self.must_shield.next = self.must_shield_state.q.val();
        self.shields.next = self.shields_state.q.val();
        self.class_high.next = self.class_high_state.q.val();
        self.class_low.next = self.class_low_state.q.val();
        self.in_check.next = self.in_check_state.q.val();
        // Castling is no danger to the enemy's king: it goes to an empty square.
        self.illegal.next = self
            .candidates_state
            .q
            .val()
            .get_bit(self.enemy_king_state.q.val().index())
            | self.kings_touch_state.q.val();
    }
}
