//! Stage 3, beside the networks: what the pass wants of each square, as far as the board alone tells.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::Thread;

/// Opens the gates behind which the receivers listen. All four passes then need one set of gates: a square is a candidate if a
/// ray or leap reaches it through an open gate, if the board alone makes it one, or if the king may go there and no enemy does.
#[derive(LogicBlock, Default)]
pub struct Gates {
    pub clock: Signal<In, Clock>,
    // Thread in, every cycle, with what the pass may find, the empty squares and the pawns
    pub thread_in: Signal<In, Thread>,
    pub targets: Signal<In, Bits<64>>,
    pub empty: Signal<In, Bits<64>>,
    pub white_pawns: Signal<In, Bits<64>>,
    pub black_pawns: Signal<In, Bits<64>>,
    // How the kings, the origin and the killer stand to each other
    pub own_king: Signal<In, Bits<6>>,
    pub enemy_king: Signal<In, Bits<6>>,
    pub king_takes: Signal<In, Bit>,
    pub from_king: Signal<In, Bit>,
    pub shuns_killer: Signal<In, Bit>,
    pub kings_touch: Signal<In, Bit>,
    // Out, a cycle later
    pub own_king_out: Signal<Out, Bits<6>>,
    pub enemy_king_out: Signal<Out, Bits<6>>,
    pub kings_touch_out: Signal<Out, Bit>,
    /// The square that nobody may attack: the own king's, or in find attacker the origin.
    pub watched: Signal<Out, Bits<6>>,
    /// Squares that count if a ray or leap reaches them.
    pub open: Signal<Out, Bits<64>>,
    /// Candidates whatever is attacked.
    pub certain: Signal<Out, Bits<64>>,
    /// Candidates unless the enemy attacks them.
    pub if_safe: Signal<Out, Bits<64>>,
    /// What the enemy's pawns and king attack.
    pub enemy_near: Signal<Out, Bits<64>>,
    /// Castling is a candidate if its way is safe: bit 0 short, bit 1 long.
    pub castles: Signal<Out, Bits<2>>,
    /// The candidates are moves of pieces other than the king.
    pub parries: Signal<Out, Bit>,
    /// The own king's diagonals, none in find attacker: one line of 15 in each direction.
    pub king_rise: Signal<Out, Bits<16>>,
    pub king_fall: Signal<Out, Bits<16>>,
    // For mobility: neither own nor attacked by a pawn. The enemy's counts only in find victim
    pub own_reach: Signal<Out, Bits<64>>,
    pub enemy_reach: Signal<Out, Bits<64>>,

    masks: Masks,
    open_state: DFF<Bits<64>>,
    certain_state: DFF<Bits<64>>,
    if_safe_state: DFF<Bits<64>>,
    enemy_near_state: DFF<Bits<64>>,
    castles_state: DFF<Bits<2>>,
    parries_state: DFF<Bit>,
    own_king_state: DFF<Bits<6>>,
    enemy_king_state: DFF<Bits<6>>,
    kings_touch_state: DFF<Bit>,
    watched_state: DFF<Bits<6>>,
    king_rise_state: DFF<Bits<16>>,
    king_fall_state: DFF<Bits<16>>,
    own_reach_state: DFF<Bits<64>>,
    enemy_reach_state: DFF<Bits<64>>,

    ahead: Signal<Local, Bits<64>>,
    enemy_ahead: Signal<Local, Bits<64>>,
    own_by_pawn: Signal<Local, Bits<64>>,
    enemy_by_pawn: Signal<Local, Bits<64>>,
    stepped: Signal<Local, Bits<64>>,
    stepped_once: Signal<Local, Bits<64>>,
    stepped_twice: Signal<Local, Bits<64>>,
    pushed: Signal<Local, Bits<64>>,
    origin: Signal<Local, Bits<6>>,
    quiet: Signal<Local, Bit>,
    pawns_go: Signal<Local, Bit>,
    one: Signal<Local, Bits<16>>,
    // Ranks and files of the kings and of the origin, with and without their neighbours
    king_rank: Signal<Local, Bits<64>>,
    king_file: Signal<Local, Bits<64>>,
    near_king_rank: Signal<Local, Bits<64>>,
    near_king_file: Signal<Local, Bits<64>>,
    near_king: Signal<Local, Bits<64>>,
    enemy_king_rank: Signal<Local, Bits<64>>,
    enemy_king_file: Signal<Local, Bits<64>>,
    near_enemy_king: Signal<Local, Bits<64>>,
    origin_rank: Signal<Local, Bits<64>>,
    origin_file: Signal<Local, Bits<64>>,
    beside_origin: Signal<Local, Bits<64>>,
    white_pawn_rank: Signal<Local, Bits<64>>,
    black_pawn_rank: Signal<Local, Bits<64>>,
    pawn_file: Signal<Local, Bits<64>>,
    attacking_pawns: Signal<Local, Bits<64>>,
    attacking_king: Signal<Local, Bits<64>>,
    rise: Signal<Local, Bits<4>>,
    fall: Signal<Local, Bits<4>>,
    en_passant: Signal<Local, Bits<4>>,
    en_passant_mask: Signal<Local, Bits<64>>,
    killer: Signal<Local, Bits<12>>,
    killer_rank: Signal<Local, Bits<64>>,
    killer_file: Signal<Local, Bits<64>>,
    sought: Signal<Local, Bits<64>>,
    wanted: Signal<Local, Bits<64>>,
    castling: Signal<Local, Bits<4>>,
    rights: Signal<Local, Bits<2>>,
    home_free: Signal<Local, Bits<8>>,
    home_sought: Signal<Local, Bits<8>>,
    short: Signal<Local, Bit>,
    long: Signal<Local, Bit>,
}

impl Logic for Gates {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            open_state,
            certain_state,
            if_safe_state,
            enemy_near_state,
            castles_state,
            parries_state,
            own_king_state,
            enemy_king_state,
            kings_touch_state,
            watched_state,
            king_rise_state,
            king_fall_state,
            own_reach_state,
            enemy_reach_state
        );
        self.one.next = 1.into();
        self.quiet.next = self.thread_in.val().quiet | self.thread_in.val().killing;
        self.pawns_go.next = self.thread_in.val().victim | self.thread_in.val().push;

        // Pawns. In find quiet and find attacker nothing is ahead of them, and so they need no gate further on.
        self.ahead.next = 0.into();
        if self.thread_in.val().turn {
            self.enemy_ahead.next = self.white_pawns.val() << 8;
            if self.pawns_go.val() {
                self.ahead.next = self.black_pawns.val() >> 8;
            }
        } else {
            self.enemy_ahead.next = self.black_pawns.val() >> 8;
            if self.pawns_go.val() {
                self.ahead.next = self.white_pawns.val() << 8;
            }
        }
        self.own_by_pawn.next =
            ((self.ahead.val() & self.masks.not_h.val()) << 1) | ((self.ahead.val() & self.masks.not_a.val()) >> 1);
        self.enemy_by_pawn.next = ((self.enemy_ahead.val() & self.masks.not_h.val()) << 1)
            | ((self.enemy_ahead.val() & self.masks.not_a.val()) >> 1);
        // In find victim, where somebody looks at it, the targets are all of the enemy's pieces.
        self.own_reach_state.d.next = (self.targets.val() | self.empty.val()) & !self.enemy_by_pawn.val();
        self.enemy_reach_state.d.next = !self.targets.val() & !self.own_by_pawn.val();
        self.stepped.next = self.ahead.val() & self.empty.val();
        if self.thread_in.val().turn {
            self.stepped_once.next = self.stepped.val() & self.masks.sixth_ranks.val();
            self.stepped_twice.next = (self.stepped_once.val() >> 8) & self.empty.val();
        } else {
            self.stepped_once.next = self.stepped.val() & self.masks.third_ranks.val();
            self.stepped_twice.next = (self.stepped_once.val() << 8) & self.empty.val();
        }
        self.pushed.next = 0.into();
        if self.thread_in.val().push {
            self.pushed.next = (self.stepped.val() & self.masks.pawn_ranks.val()) | self.stepped_twice.val();
        }
        self.en_passant.next = self.thread_in.val().en_passant;
        self.en_passant_mask.next = 0.into();
        if self.thread_in.val().victim {
            self.pushed.next = self.stepped.val() & self.masks.last_ranks.val();
            if self.en_passant.val().get_bit(3) {
                if self.thread_in.val().turn {
                    self.en_passant_mask.next = self.masks.third_ranks.val()
                        & (self.masks.file_a.val() << self.en_passant.val().get_bits::<3>(0));
                } else {
                    self.en_passant_mask.next = self.masks.sixth_ranks.val()
                        & (self.masks.file_a.val() << self.en_passant.val().get_bits::<3>(0));
                }
            }
        }

        // Kings.
        self.king_rank.next = self.masks.rank_1.val() << (self.own_king.val() & 56);
        self.king_file.next = self.masks.file_a.val() << self.own_king.val().get_bits::<3>(0);
        self.near_king_rank.next = self.king_rank.val() | (self.king_rank.val() << 8) | (self.king_rank.val() >> 8);
        self.near_king_file.next = self.king_file.val()
            | ((self.king_file.val() & self.masks.not_h.val()) << 1)
            | ((self.king_file.val() & self.masks.not_a.val()) >> 1);
        self.near_king.next = self.near_king_rank.val() & self.near_king_file.val();
        self.enemy_king_rank.next = self.masks.rank_1.val() << (self.enemy_king.val() & 56);
        self.enemy_king_file.next = self.masks.file_a.val() << self.enemy_king.val().get_bits::<3>(0);
        self.near_enemy_king.next =
            (self.enemy_king_rank.val() | (self.enemy_king_rank.val() << 8) | (self.enemy_king_rank.val() >> 8))
                & (self.enemy_king_file.val()
                    | ((self.enemy_king_file.val() & self.masks.not_h.val()) << 1)
                    | ((self.enemy_king_file.val() & self.masks.not_a.val()) >> 1));
        self.own_king_state.d.next = self.own_king.val();
        self.enemy_king_state.d.next = self.enemy_king.val();
        self.kings_touch_state.d.next = self.kings_touch.val();
        self.watched_state.d.next = self.own_king.val();
        if self.thread_in.val().attacker {
            self.watched_state.d.next = self.thread_in.val().origin;
        }
        self.enemy_near_state.d.next = self.enemy_by_pawn.val() | self.near_enemy_king.val();
        // A rising diagonal is named by file minus rank, a falling one by file plus rank.
        self.rise.next = bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(0))
            + bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(3) ^ 7);
        self.fall.next = bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(0))
            + bit_cast::<4, 3>(self.own_king.val().get_bits::<3>(3));
        self.king_rise_state.d.next = 0.into();
        self.king_fall_state.d.next = 0.into();
        if !self.thread_in.val().attacker {
            self.king_rise_state.d.next = self.one.val() << self.rise.val();
            self.king_fall_state.d.next = self.one.val() << self.fall.val();
        }

        // Find attacker: own pieces that hear the origin in their own way, pawns that capture there or step there.
        self.origin.next = self.thread_in.val().origin;
        self.origin_rank.next = self.masks.rank_1.val() << (self.origin.val() & 56);
        self.origin_file.next = self.masks.file_a.val() << self.origin.val().get_bits::<3>(0);
        self.beside_origin.next = ((self.origin_file.val() & self.masks.not_h.val()) << 1)
            | ((self.origin_file.val() & self.masks.not_a.val()) >> 1);
        self.white_pawn_rank.next = 0.into();
        self.black_pawn_rank.next = 0.into();
        if self.thread_in.val().attacker {
            if self.thread_in.val().turn {
                self.black_pawn_rank.next = self.origin_rank.val() << 8;
            } else {
                self.white_pawn_rank.next = self.origin_rank.val() >> 8;
            }
        }
        self.pawn_file.next = self.origin_file.val();
        if self.thread_in.val().captured.any() {
            self.pawn_file.next = self.beside_origin.val();
        }
        self.attacking_pawns.next = ((self.white_pawns.val() & self.white_pawn_rank.val())
            | (self.black_pawns.val() & self.black_pawn_rank.val()))
            & self.pawn_file.val();
        self.attacking_king.next = 0.into();
        if self.king_takes.val() {
            self.attacking_king.next = self.king_rank.val() & self.king_file.val();
        }

        // Targets, and for quiet moves empty squares: only the killer's, or all but it.
        self.killer.next = self.thread_in.val().killer;
        self.killer_rank.next = 0.into();
        if self.thread_in.val().killing | self.shuns_killer.val() {
            self.killer_rank.next = self.masks.rank_1.val() << (self.killer.val().get_bits::<6>(6) & 56);
        }
        self.killer_file.next = self.masks.file_a.val() << self.killer.val().get_bits::<3>(6);
        self.sought.next = self.killer_rank.val() & self.killer_file.val();
        if self.thread_in.val().quiet {
            self.sought.next = !(self.killer_rank.val() & self.killer_file.val());
        }
        self.wanted.next = self.targets.val() | (self.empty.val() & self.sought.val());
        self.open_state.d.next = self.wanted.val();
        self.certain_state.d.next = (self.own_by_pawn.val() & (self.targets.val() | self.en_passant_mask.val()))
            | self.pushed.val()
            | self.attacking_pawns.val()
            | self.attacking_king.val();
        self.if_safe_state.d.next = 0.into();
        if self.thread_in.val().victim | self.from_king.val() {
            self.if_safe_state.d.next = self.wanted.val() & self.near_king.val();
        }
        self.parries_state.d.next = self.thread_in.val().push | (self.quiet.val() & !self.from_king.val());

        // Castling, as far as the board tells.
        self.castling.next = self.thread_in.val().castling;
        if self.thread_in.val().turn {
            self.rights.next = self.castling.val().get_bits::<2>(2);
            self.home_free.next = self.empty.val().get_bits::<8>(56);
            self.home_sought.next = self.sought.val().get_bits::<8>(56);
        } else {
            self.rights.next = self.castling.val().get_bits::<2>(0);
            self.home_free.next = self.empty.val().get_bits::<8>(0);
            self.home_sought.next = self.sought.val().get_bits::<8>(0);
        }
        self.short.next = self.quiet.val()
            & self.from_king.val()
            & self.rights.val().get_bit(0)
            & self.home_free.val().get_bits::<2>(5).all()
            & self.home_sought.val().get_bit(6);
        self.long.next = self.quiet.val()
            & self.from_king.val()
            & self.rights.val().get_bit(1)
            & self.home_free.val().get_bits::<3>(1).all()
            & self.home_sought.val().get_bit(2);
        self.castles_state.d.next =
            bit_cast::<2, 1>(self.short.val().into()) | (bit_cast::<2, 1>(self.long.val().into()) << 1);

        self.open.next = self.open_state.q.val();
        self.certain.next = self.certain_state.q.val();
        self.if_safe.next = self.if_safe_state.q.val();
        self.enemy_near.next = self.enemy_near_state.q.val();
        self.castles.next = self.castles_state.q.val();
        self.parries.next = self.parries_state.q.val();
        self.own_king_out.next = self.own_king_state.q.val();
        self.enemy_king_out.next = self.enemy_king_state.q.val();
        self.kings_touch_out.next = self.kings_touch_state.q.val();
        self.watched.next = self.watched_state.q.val();
        self.king_rise.next = self.king_rise_state.q.val();
        self.king_fall.next = self.king_fall_state.q.val();
        self.own_reach.next = self.own_reach_state.q.val();
        self.enemy_reach.next = self.enemy_reach_state.q.val();
    }
}
