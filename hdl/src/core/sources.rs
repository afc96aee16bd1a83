//! Stage 2: what radiates into the two networks, and what a pass may find.

use rust_hdl::prelude::*;

use super::masks::Masks;
use super::thread::Thread;

/// Splits the board into sources. In find attacker, the origin radiates as a piece of every kind; in find quiet, only the
/// piece on the origin does; else all of the mover's pieces do. The enemy's pieces always do, into a network of their own.
#[derive(LogicBlock, Default)]
pub struct Sources {
    pub clock: Signal<In, Clock>,
    // Thread in, every cycle
    pub thread_in: Signal<In, Thread>,
    // Thread and sources out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    pub empty: Signal<Out, Bits<64>>,
    /// The pieces that the pass may find: the enemy's in find victim, the mover's if they are to take.
    pub targets: Signal<Out, Bits<64>>,
    pub white_pawns: Signal<Out, Bits<64>>,
    pub black_pawns: Signal<Out, Bits<64>>,
    pub own_straight: Signal<Out, Bits<64>>,
    pub own_diagonal: Signal<Out, Bits<64>>,
    pub own_knight: Signal<Out, Bits<64>>,
    pub enemy_straight: Signal<Out, Bits<64>>,
    pub enemy_diagonal: Signal<Out, Bits<64>>,
    pub enemy_knight: Signal<Out, Bits<64>>,

    masks: Masks,
    state: DFF<Thread>,
    empty_state: DFF<Bits<64>>,
    targets_state: DFF<Bits<64>>,
    white_pawns_state: DFF<Bits<64>>,
    black_pawns_state: DFF<Bits<64>>,
    straight_state: DFF<Bits<64>>,
    diagonal_state: DFF<Bits<64>>,
    knight_state: DFF<Bits<64>>,
    enemy_straight_state: DFF<Bits<64>>,
    enemy_diagonal_state: DFF<Bits<64>>,
    enemy_knight_state: DFF<Bits<64>>,

    black: Signal<Local, Bits<64>>,
    code0: Signal<Local, Bits<64>>,
    code1: Signal<Local, Bits<64>>,
    code2: Signal<Local, Bits<64>>,
    origin: Signal<Local, Bits<6>>,
    origin_rank: Signal<Local, Bits<64>>,
    origin_file: Signal<Local, Bits<64>>,
    ranks: Signal<Local, Bits<64>>,
    files: Signal<Local, Bits<64>>,
    super_rank: Signal<Local, Bits<64>>,
    super_piece: Signal<Local, Bits<64>>,
    occupied: Signal<Local, Bits<64>>,
    pawns: Signal<Local, Bits<64>>,
    own: Signal<Local, Bits<64>>,
    radiating: Signal<Local, Bits<64>>,
    takes: Signal<Local, Bit>,
    colour: Signal<Local, Bit>,
    of_colour: Signal<Local, Bits<64>>,
}

impl Logic for Sources {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            empty_state,
            targets_state,
            white_pawns_state,
            black_pawns_state,
            straight_state,
            diagonal_state,
            knight_state,
            enemy_straight_state,
            enemy_diagonal_state,
            enemy_knight_state
        );
        self.black.next = self.thread_in.val().black;
        self.code0.next = self.thread_in.val().code0;
        self.code1.next = self.thread_in.val().code1;
        self.code2.next = self.thread_in.val().code2;
        self.origin.next = self.thread_in.val().origin;
        self.origin_rank.next = self.masks.rank_1.val() << (self.origin.val() & 56);
        self.origin_file.next = self.masks.file_a.val() << self.origin.val().get_bits::<3>(0);

        // A piece is the mover's if its colour is; `own` means nothing on an empty square. Of the mover's pieces those radiate
        // whose rank and file do: all of them, or the one on the origin.
        self.own.next = !self.black.val();
        if self.thread_in.val().turn {
            self.own.next = self.black.val();
        }
        self.ranks.next = self.masks.all.val();
        self.files.next = self.masks.all.val();
        if self.thread_in.val().quiet | self.thread_in.val().killing {
            self.ranks.next = self.origin_rank.val();
            self.files.next = self.origin_file.val();
        }
        self.super_rank.next = 0.into();
        if self.thread_in.val().attacker {
            self.ranks.next = 0.into();
            self.super_rank.next = self.origin_rank.val();
        }
        self.radiating.next = self.own.val() & self.ranks.val() & self.files.val();
        self.super_piece.next = self.super_rank.val() & self.origin_file.val();
        self.straight_state.d.next =
            self.super_piece.val() | (self.radiating.val() & self.code2.val() & self.code1.val());
        self.diagonal_state.d.next =
            self.super_piece.val() | (self.radiating.val() & self.code2.val() & self.code0.val());
        self.knight_state.d.next =
            self.super_piece.val() | (self.radiating.val() & self.code1.val() & !self.code2.val());
        self.enemy_straight_state.d.next = !self.own.val() & self.code2.val() & self.code1.val();
        self.enemy_diagonal_state.d.next = !self.own.val() & self.code2.val() & self.code0.val();
        self.enemy_knight_state.d.next = !self.own.val() & self.code1.val() & !self.code2.val();
        self.occupied.next = self.code0.val() | self.code1.val() | self.code2.val();
        self.takes.next =
            self.thread_in.val().attacker & self.thread_in.val().captured.any() & !self.thread_in.val().special;
        self.colour.next = self.thread_in.val().turn ^ self.thread_in.val().victim;
        self.of_colour.next = !self.black.val();
        if self.colour.val() {
            self.of_colour.next = self.black.val();
        }
        self.targets_state.d.next = 0.into();
        if self.thread_in.val().victim | self.takes.val() {
            self.targets_state.d.next = self.occupied.val() & self.of_colour.val();
        }
        self.pawns.next = self.code0.val() & !self.code2.val() & self.masks.pawn_ranks.val();
        self.white_pawns_state.d.next = self.pawns.val() & !self.black.val();
        self.black_pawns_state.d.next = self.pawns.val() & self.black.val();
        self.empty_state.d.next = !self.occupied.val();
        self.state.d.next = self.thread_in.val();

        self.thread_out.next = self.state.q.val();
        self.empty.next = self.empty_state.q.val();
        self.targets.next = self.targets_state.q.val();
        self.white_pawns.next = self.white_pawns_state.q.val();
        self.black_pawns.next = self.black_pawns_state.q.val();
        self.own_straight.next = self.straight_state.q.val();
        self.own_diagonal.next = self.diagonal_state.q.val();
        self.own_knight.next = self.knight_state.q.val();
        self.enemy_straight.next = self.enemy_straight_state.q.val();
        self.enemy_diagonal.next = self.enemy_diagonal_state.q.val();
        self.enemy_knight.next = self.enemy_knight_state.q.val();
    }
}
