//! Stage 4: the candidates of the pass.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::Thread;

/// From attacked squares to candidates: what a pass may choose from, before the evasion filter and what was tried.
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
    // Out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    /// Candidates whatever the king suffers.
    pub candidates: Signal<Out, Bits<64>>,
    /// Candidates that must parry a check.
    pub parrying: Signal<Out, Bits<64>>,
    /// Squares on which a check may be parried.
    pub parries: Signal<Out, Bits<64>>,
    /// The class of each candidate, most valuable 0.
    pub class_high: Signal<Out, Bits<64>>,
    pub class_low: Signal<Out, Bits<64>>,
    /// The pieces to look at for quiet moves.
    pub officers: Signal<Out, Bits<64>>,
    pub in_check: Signal<Out, Bit>,
    pub illegal: Signal<Out, Bit>,
    // For the evaluation, in the same cycle
    pub own_pawn_attacks: Signal<Out, Bits<64>>,
    pub enemy_pawn_attacks: Signal<Out, Bits<64>>,

    masks: Masks,
    state: DFF<Thread>,
    candidates_state: DFF<Bits<64>>,
    parrying_state: DFF<Bits<64>>,
    parries_state: DFF<Bits<64>>,
    class_high_state: DFF<Bits<64>>,
    class_low_state: DFF<Bits<64>>,
    officers_state: DFF<Bits<64>>,
    in_check_state: DFF<Bit>,
    illegal_state: DFF<Bit>,

    black: Signal<Local, Bits<64>>,
    code0: Signal<Local, Bits<64>>,
    code1: Signal<Local, Bits<64>>,
    code2: Signal<Local, Bits<64>>,
    occupied: Signal<Local, Bits<64>>,
    empty: Signal<Local, Bits<64>>,
    own: Signal<Local, Bits<64>>,
    enemy: Signal<Local, Bits<64>>,
    pawns: Signal<Local, Bits<64>>,
    knights: Signal<Local, Bits<64>>,
    kings: Signal<Local, Bits<64>>,
    own_pawns: Signal<Local, Bits<64>>,
    enemy_pawns: Signal<Local, Bits<64>>,
    ahead: Signal<Local, Bits<64>>,
    enemy_ahead: Signal<Local, Bits<64>>,
    own_by_pawn: Signal<Local, Bits<64>>,
    enemy_by_pawn: Signal<Local, Bits<64>>,

    own_king: Signal<Local, Bits<6>>,
    enemy_king: Signal<Local, Bits<6>>,
    king_rank: Signal<Local, Bits<64>>,
    king_file: Signal<Local, Bits<64>>,
    enemy_king_rank: Signal<Local, Bits<64>>,
    enemy_king_file: Signal<Local, Bits<64>>,
    near_king: Signal<Local, Bits<64>>,
    near_enemy_king: Signal<Local, Bits<64>>,
    slope: Signal<Local, Bits<4>>,
    fall: Signal<Local, Bits<4>>,
    king_diagonals: Signal<Local, Bits<64>>,
    king_antidiagonals: Signal<Local, Bits<64>>,
    shift_diagonal: Signal<Local, Bits<6>>,
    shift_antidiagonal: Signal<Local, Bits<6>>,

    reached: Signal<Local, Bits<64>>,
    enemy_officers_reach: Signal<Local, Bits<64>>,
    attacked_by_enemy: Signal<Local, Bits<64>>,
    safe_near_king: Signal<Local, Bits<64>>,
    checked: Signal<Local, Bit>,

    last_rank: Signal<Local, Bits<64>>,
    third_rank: Signal<Local, Bits<64>>,
    stepped: Signal<Local, Bits<64>>,
    stepped_twice: Signal<Local, Bits<64>>,
    stepped_from_third: Signal<Local, Bits<64>>,
    en_passant: Signal<Local, Bits<4>>,
    en_passant_mask: Signal<Local, Bits<64>>,
    victims: Signal<Local, Bits<64>>,

    origin: Signal<Local, Bits<6>>,
    origin_mask: Signal<Local, Bits<64>>,
    near_origin_rank: Signal<Local, Bits<64>>,
    near_origin_file: Signal<Local, Bits<64>>,
    before_origin: Signal<Local, Bits<64>>,
    pawns_to_origin: Signal<Local, Bits<64>>,
    origin_taken: Signal<Local, Bit>,
    origin_safe: Signal<Local, Bit>,
    attackers: Signal<Local, Bits<64>>,

    castling: Signal<Local, Bits<4>>,
    rights: Signal<Local, Bits<2>>,
    home_empty: Signal<Local, Bits<8>>,
    home_attacked: Signal<Local, Bits<8>>,
    castles: Signal<Local, Bits<8>>,
    castling_squares: Signal<Local, Bits<64>>,
    killer: Signal<Local, Bits<12>>,
    killer_mask: Signal<Local, Bits<64>>,
    officer_squares: Signal<Local, Bits<64>>,
    king_squares: Signal<Local, Bits<64>>,
    wanted: Signal<Local, Bits<64>>,
    zero: Signal<Local, Bits<64>>,
}

impl Logic for Receivers {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            candidates_state,
            parrying_state,
            parries_state,
            class_high_state,
            class_low_state,
            officers_state,
            in_check_state,
            illegal_state
        );
        self.zero.next = 0.into();
        self.black.next = self.thread_in.val().black;
        self.code0.next = self.thread_in.val().code0;
        self.code1.next = self.thread_in.val().code1;
        self.code2.next = self.thread_in.val().code2;
        self.occupied.next = self.code0.val() | self.code1.val() | self.code2.val();
        self.empty.next = !self.occupied.val();
        self.pawns.next = self.code0.val() & !self.code1.val() & !self.code2.val();
        self.knights.next = self.code1.val() & !self.code0.val() & !self.code2.val();
        self.kings.next = self.code1.val() & self.code0.val() & !self.code2.val();

        // Sides, and what depends on which way they go.
        if self.thread_in.val().turn {
            self.own.next = self.black.val();
            self.enemy.next = self.occupied.val() & !self.black.val();
            self.own_king.next = self.thread_in.val().black_king;
            self.enemy_king.next = self.thread_in.val().white_king;
        } else {
            self.own.next = self.occupied.val() & !self.black.val();
            self.enemy.next = self.black.val();
            self.own_king.next = self.thread_in.val().white_king;
            self.enemy_king.next = self.thread_in.val().black_king;
        }
        self.own_pawns.next = self.own.val() & self.pawns.val();
        self.enemy_pawns.next = self.enemy.val() & self.pawns.val();
        if self.thread_in.val().turn {
            self.ahead.next = self.own_pawns.val() >> 8;
            self.enemy_ahead.next = self.enemy_pawns.val() << 8;
            self.last_rank.next = self.masks.rank_1.val();
            self.third_rank.next = self.masks.sixth_ranks.val();
        } else {
            self.ahead.next = self.own_pawns.val() << 8;
            self.enemy_ahead.next = self.enemy_pawns.val() >> 8;
            self.last_rank.next = self.masks.rank_1.val() << 56;
            self.third_rank.next = self.masks.third_ranks.val();
        }
        self.own_by_pawn.next =
            ((self.ahead.val() & self.masks.not_h.val()) << 1) | ((self.ahead.val() & self.masks.not_a.val()) >> 1);
        self.enemy_by_pawn.next = ((self.enemy_ahead.val() & self.masks.not_h.val()) << 1)
            | ((self.enemy_ahead.val() & self.masks.not_a.val()) >> 1);

        // The kings' neighbourhoods and lines, from their squares.
        self.king_rank.next = self.masks.rank_1.val() << (self.own_king.val() & 56);
        self.king_file.next = self.masks.file_a.val() << self.own_king.val().get_bits::<3>(0);
        self.near_king.next = (self.king_rank.val() | (self.king_rank.val() << 8) | (self.king_rank.val() >> 8))
            & (self.king_file.val()
                | ((self.king_file.val() & self.masks.not_h.val()) << 1)
                | ((self.king_file.val() & self.masks.not_a.val()) >> 1));
        self.enemy_king_rank.next = self.masks.rank_1.val() << (self.enemy_king.val() & 56);
        self.enemy_king_file.next = self.masks.file_a.val() << self.enemy_king.val().get_bits::<3>(0);
        self.near_enemy_king.next =
            (self.enemy_king_rank.val() | (self.enemy_king_rank.val() << 8) | (self.enemy_king_rank.val() >> 8))
                & (self.enemy_king_file.val()
                    | ((self.enemy_king_file.val() & self.masks.not_h.val()) << 1)
                    | ((self.enemy_king_file.val() & self.masks.not_a.val()) >> 1));
        // Rank minus file, and rank plus file minus 7, in two's complement.
        self.slope.next = bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(3))
            - bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(0));
        self.fall.next = bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(3))
            + bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(0))
            + 9;
        self.shift_diagonal.next = bit_cast::<6, 3>(self.slope.val().get_bits::<3>(0)) << 3;
        self.king_diagonals.next = self.masks.diagonal.val() << self.shift_diagonal.val();
        if self.slope.val().get_bit(3) {
            // Eight down, and up again by what is left.
            self.king_diagonals.next = (self.masks.diagonal.val() >> 8) >> (self.shift_diagonal.val() ^ 56);
        }
        self.shift_antidiagonal.next = bit_cast::<6, 3>(self.fall.val().get_bits::<3>(0)) << 3;
        self.king_antidiagonals.next = self.masks.antidiagonal.val() << self.shift_antidiagonal.val();
        if self.fall.val().get_bit(3) {
            self.king_antidiagonals.next = (self.masks.antidiagonal.val() >> 8) >> (self.shift_antidiagonal.val() ^ 56);
        }
        self.parries_state.d.next = ((self.king_diagonals.val() | self.king_antidiagonals.val())
            & self.enemy_diagonal.val())
            | ((self.king_rank.val() | self.king_file.val()) & self.enemy_straight.val());

        // Check, and what the king must avoid.
        self.enemy_officers_reach.next =
            self.enemy_straight.val() | self.enemy_diagonal.val() | self.enemy_knight.val() | self.enemy_by_pawn.val();
        self.attacked_by_enemy.next = self.enemy_officers_reach.val() | self.near_enemy_king.val();
        self.checked.next = (self.enemy_officers_reach.val() & self.own.val() & self.kings.val()).any();
        self.safe_near_king.next = self.near_king.val() & !self.attacked_by_enemy.val();
        self.reached.next = self.own_straight.val() | self.own_diagonal.val() | self.own_knight.val();

        // Find victim: attacked pieces, squares of promotion, the en passant square.
        self.stepped.next = self.ahead.val() & self.empty.val();
        self.en_passant.next = self.thread_in.val().en_passant;
        self.en_passant_mask.next = 0.into();
        if self.en_passant.val().get_bit(3) {
            if self.thread_in.val().turn {
                self.en_passant_mask.next =
                    self.masks.third_ranks.val() & (self.masks.file_a.val() << self.en_passant.val().get_bits::<3>(0));
            } else {
                self.en_passant_mask.next =
                    self.masks.sixth_ranks.val() & (self.masks.file_a.val() << self.en_passant.val().get_bits::<3>(0));
            }
        }
        self.victims.next = (self.enemy.val()
            & (self.reached.val() | self.own_by_pawn.val() | self.safe_near_king.val()))
            | (self.stepped.val() & self.last_rank.val())
            | (self.en_passant_mask.val() & self.own_by_pawn.val());

        // Find attacker: the pieces that hear the origin in their own way.
        self.origin.next = self.thread_in.val().origin;
        self.origin_mask.next = (self.masks.rank_1.val() << (self.origin.val() & 56))
            & (self.masks.file_a.val() << self.origin.val().get_bits::<3>(0));
        self.near_origin_rank.next =
            self.origin_mask.val() | (self.origin_mask.val() << 8) | (self.origin_mask.val() >> 8);
        self.near_origin_file.next = self.near_origin_rank.val()
            | ((self.near_origin_rank.val() & self.masks.not_h.val()) << 1)
            | ((self.near_origin_rank.val() & self.masks.not_a.val()) >> 1);
        if self.thread_in.val().turn {
            self.before_origin.next = self.origin_mask.val() << 8;
        } else {
            self.before_origin.next = self.origin_mask.val() >> 8;
        }
        self.pawns_to_origin.next = ((self.before_origin.val() & self.masks.not_h.val()) << 1)
            | ((self.before_origin.val() & self.masks.not_a.val()) >> 1);
        if !self.thread_in.val().captured.any() {
            self.pawns_to_origin.next = self.before_origin.val();
        }
        self.origin_taken.next = self.thread_in.val().captured.any() & !self.thread_in.val().special;
        self.origin_safe.next = !(self.attacked_by_enemy.val() & self.origin_mask.val()).any();
        self.attackers.next = self.own_pawns.val() & self.pawns_to_origin.val();
        if self.origin_taken.val() {
            self.attackers.next = (self.own_pawns.val() & self.pawns_to_origin.val())
                | (self.own.val()
                    & ((self.own_straight.val() & self.code2.val() & self.code1.val())
                        | (self.own_diagonal.val() & self.code2.val() & self.code0.val())
                        | (self.own_knight.val() & self.knights.val())));
            if self.origin_safe.val() {
                self.attackers.next = (self.own_pawns.val() & self.pawns_to_origin.val())
                    | (self.own.val()
                        & ((self.own_straight.val() & self.code2.val() & self.code1.val())
                            | (self.own_diagonal.val() & self.code2.val() & self.code0.val())
                            | (self.own_knight.val() & self.knights.val())
                            | (self.near_origin_file.val() & self.kings.val())));
            }
        }

        // Find quiet: a piece's empty squares; the king's safe ones, and its castling.
        self.castling.next = self.thread_in.val().castling;
        self.rights.next = self.castling.val().get_bits::<2>(0);
        self.home_empty.next = self.empty.val().get_bits::<8>(0);
        self.home_attacked.next = self.attacked_by_enemy.val().get_bits::<8>(0);
        if self.thread_in.val().turn {
            self.rights.next = self.castling.val().get_bits::<2>(2);
            self.home_empty.next = self.empty.val().get_bits::<8>(56);
            self.home_attacked.next = self.attacked_by_enemy.val().get_bits::<8>(56);
        }
        self.castles.next = 0.into();
        if self.rights.val().get_bit(0)
            & self.home_empty.val().get_bits::<2>(5).all()
            & !self.home_attacked.val().get_bits::<3>(4).any()
        {
            self.castles.next = 0x40.into();
        }
        self.castling_squares.next = bit_cast::<64, 8>(self.castles.val());
        if self.rights.val().get_bit(1)
            & self.home_empty.val().get_bits::<3>(1).all()
            & !self.home_attacked.val().get_bits::<3>(2).any()
        {
            self.castling_squares.next = bit_cast::<64, 8>(self.castles.val() | 4);
        }
        self.king_squares.next = 0.into();
        if self.origin.val() == self.own_king.val() {
            self.king_squares.next = self.safe_near_king.val() & self.empty.val();
            if self.thread_in.val().turn {
                self.king_squares.next =
                    (self.safe_near_king.val() & self.empty.val()) | (self.castling_squares.val() << 56);
            } else {
                self.king_squares.next = (self.safe_near_king.val() & self.empty.val()) | self.castling_squares.val();
            }
        }
        // Only the killer's square, or all but it if its piece is the one.
        self.killer.next = self.thread_in.val().killer;
        self.killer_mask.next = (self.masks.rank_1.val() << (self.killer.val().get_bits::<6>(6) & 56))
            & (self.masks.file_a.val() << self.killer.val().get_bits::<3>(6));
        self.wanted.next = self.masks.all.val();
        if self.thread_in.val().killing {
            self.wanted.next = self.killer_mask.val();
        } else if self.thread_in.val().has_killer & (self.origin.val() == self.killer.val().get_bits::<6>(0)) {
            self.wanted.next = !self.killer_mask.val();
        }
        self.officer_squares.next = self.reached.val() & self.empty.val() & self.wanted.val();

        // Find push.
        self.stepped_from_third.next = self.stepped.val() & self.third_rank.val();
        if self.thread_in.val().turn {
            self.stepped_twice.next = (self.stepped_from_third.val() >> 8) & self.empty.val();
        } else {
            self.stepped_twice.next = (self.stepped_from_third.val() << 8) & self.empty.val();
        }

        self.candidates_state.d.next = 0.into();
        self.parrying_state.d.next = 0.into();
        if self.thread_in.val().victim {
            self.candidates_state.d.next = self.victims.val();
        }
        if self.thread_in.val().attacker {
            self.candidates_state.d.next = self.attackers.val();
        }
        if self.thread_in.val().quiet | self.thread_in.val().killing {
            self.candidates_state.d.next = self.king_squares.val() & self.wanted.val();
            self.parrying_state.d.next = self.officer_squares.val();
        }
        if self.thread_in.val().push {
            self.parrying_state.d.next = (self.stepped.val() | self.stepped_twice.val()) & !self.last_rank.val();
        }

        // Classes by what stands there, from the queen down; find attacker counts from the pawn up. An empty square is a
        // promotion on the last rank, and en passant else.
        self.class_high_state.d.next = 0.into();
        self.class_low_state.d.next = 0.into();
        if self.thread_in.val().victim | self.thread_in.val().attacker {
            self.class_high_state.d.next = self.pawns.val()
                | self.knights.val()
                | (self.code2.val() & self.code0.val() & !self.code1.val())
                | (self.empty.val() & !self.last_rank.val());
            self.class_low_state.d.next = self.pawns.val()
                | (self.code2.val() & self.code1.val() & !self.code0.val())
                | (self.empty.val() & !self.last_rank.val());
        }
        if self.thread_in.val().attacker {
            self.class_high_state.d.next = self.kings.val() | (self.code2.val() & self.code1.val());
            self.class_low_state.d.next = self.kings.val() | self.knights.val() | (self.code2.val() & self.code0.val());
        }

        self.officers_state.d.next = self.own.val() & !self.pawns.val();
        self.in_check_state.d.next = self.checked.val();
        self.illegal_state.d.next = ((self.reached.val() | self.own_by_pawn.val() | self.near_king.val())
            & self.enemy.val()
            & self.kings.val())
        .any();
        self.state.d.next = self.thread_in.val();

        self.thread_out.next = self.state.q.val();
        self.candidates.next = self.candidates_state.q.val();
        self.parrying.next = self.parrying_state.q.val();
        self.parries.next = self.parries_state.q.val();
        self.class_high.next = self.class_high_state.q.val();
        self.class_low.next = self.class_low_state.q.val();
        self.officers.next = self.officers_state.q.val();
        self.in_check.next = self.in_check_state.q.val();
        self.illegal.next = self.illegal_state.q.val();
        self.own_pawn_attacks.next = self.own_by_pawn.val();
        self.enemy_pawn_attacks.next = self.enemy_by_pawn.val();
    }
}
