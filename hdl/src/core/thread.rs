//! What travels round the ring with a thread.

use rust_hdl::prelude::*;

/// A thread: its board, what this slot does, and where its search stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Thread {
    /// Which thread, and so which part of the memories is its own.
    pub index: Bits<4>,
    /// Distance of the node from the job's root.
    pub ply: Bits<5>,

    // The job.
    /// This slot counts.
    pub active: Bit,
    /// It has a job.
    pub busy: Bit,
    /// Its pieces are still coming.
    pub loading: Bit,
    /// The job has ended, and the result is not yet out.
    pub done: Bit,
    /// How it ended.
    pub ending: Bits<3>,
    /// It was asked to stop.
    pub aborted: Bit,
    /// Perft, not search.
    pub perft: Bit,
    /// It prunes.
    pub pruning: Bit,
    /// The ply where quiescence begins; nearer below null moves and reductions.
    pub depth: Bits<5>,
    /// A null move led to this node; while it is entered.
    pub after_null: Bit,

    // The gang; see [`super::foreman`].
    /// Its job is searched by all threads.
    pub gang: Bit,
    /// It has taken over the rest of a node from another thread.
    pub helps: Bit,
    /// In this slot, it fetches the position below that node, which is the child that its boss goes on with.
    pub joins: Bit,
    /// In this slot, it is back at its own child of a node whose rest it has given away.
    pub waits: Bit,
    /// Whose node it takes over.
    pub boss: Bits<4>,

    // The board operation of this slot; with none of them, the board stays.
    /// Place `piece` of `mover` on `to`.
    pub load: Bit,
    /// The second part of a castling or en passant move.
    pub hop: Bit,
    /// Make the move.
    pub make: Bit,
    /// Unmake the move.
    pub unmake: Bit,
    /// Whether a hop belongs to an unmake.
    pub undo: Bit,
    /// Whose piece moves: 1 for Black.
    pub mover: Bit,

    // The pass of this slot; at most one.
    /// This slot enters a node; its pass is find victim.
    pub enter: Bit,
    /// Find victim.
    pub victim: Bit,
    /// Find attacker, of `origin`.
    pub attacker: Bit,
    /// Try the killer, with the piece on `origin`.
    pub killing: Bit,
    /// Find a quiet move of the piece on `origin`.
    pub quiet: Bit,
    /// Find a push.
    pub push: Bit,
    /// No pass: the same promotion, to the next piece.
    pub promote: Bit,
    /// The same move, without the reduction that did not refute it; the pass that once found it says which kind it is.
    pub again: Bit,
    /// No pass: this node has found its refutation.
    pub cut: Bit,
    /// Whether the pass starts anew, or goes on after the move.
    pub fresh: Bit,
    /// Where the pass radiates from.
    pub origin: Bits<6>,

    // The move: the one that the board operation is about, and after which the pass goes on.
    /// From here.
    pub from: Bits<6>,
    /// To here.
    pub to: Bits<6>,
    /// To which piece a pawn is promoted: 0 queen, 1 rook, 2 bishop, 3 knight.
    pub promotion: Bits<2>,
    /// What moves.
    pub piece: Bits<3>,
    /// What is taken.
    pub captured: Bits<3>,
    /// Castling or en passant: it takes a hop.
    pub special: Bit,

    // The position.
    /// Black's pieces.
    pub black: Bits<64>,
    /// Bit 0 of the piece codes.
    pub code0: Bits<64>,
    /// Bit 1.
    pub code1: Bits<64>,
    /// Bit 2.
    pub code2: Bits<64>,
    /// The side to move: 1 for Black.
    pub turn: Bit,
    /// Castling rights, as in the spec.
    pub castling: Bits<4>,
    /// Bit 3: a pawn has just made a double step; bits 0–2: its file.
    pub en_passant: Bits<4>,
    /// Where White's king is.
    pub white_king: Bits<6>,
    /// Where Black's king is.
    pub black_king: Bits<6>,
    /// Placement in the middle game, White's minus Black's.
    pub mg: Bits<16>,
    /// Placement in the endgame.
    pub eg: Bits<16>,
    /// The unclipped phase.
    pub phase: Bits<8>,

    // The node.
    /// The victim is the last.
    pub last_victim: Bit,
    /// The pass that found the move has no other.
    pub last: Bit,
    /// One of its moves was legal.
    pub found_legal: Bit,
    /// All moves are searched, not only captures.
    pub full: Bit,
    /// The killer: from in bits 0–5, to in 6–11.
    pub killer: Bits<12>,
    /// Whether there is one.
    pub has_killer: Bit,
    /// The killer of the nodes below.
    pub child_killer: Bits<12>,
    /// Whether there is one.
    pub has_child_killer: Bit,
}

/// What the passes of a slot found.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Findings {
    /// The pass found a candidate.
    pub found: Bit,
    /// Which.
    pub square: Bits<6>,
    /// It was the last.
    pub last: Bit,
    /// What stands on it; in find quiet, what stands on the origin; in find push, what stands behind it.
    pub code: Bits<3>,
    /// The next piece for quiet moves.
    pub next_piece: Bits<6>,
    /// Whether there is one.
    pub has_next: Bit,
    /// There is no other after it.
    pub last_piece: Bit,
    /// The mover is in check; in find attacker, the victim is protected.
    pub in_check: Bit,
    /// The attacker found would lose by taking, and so would all after it.
    pub loses: Bit,
    /// The mover can take the enemy's king.
    pub illegal: Bit,
}

/// What the stack keeps of a node while the search is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Frame {
    /// The move made.
    pub from: Bits<6>,
    /// See [`Thread`], as for all that follow.
    pub to: Bits<6>,
    /// Promotion.
    pub promotion: Bits<2>,
    /// What moved.
    pub piece: Bits<3>,
    /// What was taken.
    pub captured: Bits<3>,
    /// Castling or en passant.
    pub special: Bit,
    /// Rights before the move.
    pub castling: Bits<4>,
    /// En passant before the move.
    pub en_passant: Bits<4>,
    /// What found the move: 0 victims, 1 the killer, 2 pieces, 3 pushes.
    pub walk: Bits<2>,
    /// It was a null move, which nothing found.
    pub passed: Bit,
    /// Its depth is less than that of others.
    pub reduced: Bit,
    /// Where quiescence begins, but for below a null move or a reduction.
    pub depth: Bits<5>,
    /// The victim was the last.
    pub last_victim: Bit,
    /// The pass had no other.
    pub last: Bit,
    /// A legal move was found before.
    pub found_legal: Bit,
    /// All moves are searched.
    pub full: Bit,
    /// The next piece to look at for quiet moves.
    pub next_piece: Bits<6>,
    /// Whether there is one.
    pub has_next: Bit,
    /// The killer.
    pub killer: Bits<12>,
    /// Whether there is one.
    pub has_killer: Bit,
}

/// What a job keeps beside the ring: the first half as it began, in a [`Terms`], the other as it went, in a [`Tally`].
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Ledger {
    /// The job's id.
    pub id: Bits<16>,
    /// The null window.
    pub beta: Bits<16>,
    /// Nodes at which to stop.
    pub limit: Bits<29>,
    /// Nodes so far.
    pub nodes: Bits<29>,
    /// Slots so far.
    pub slots: Bits<32>,
    /// The root move that refutes.
    pub best: Bits<16>,
}

/// A job's own share of its [`Ledger`], written when it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Terms {
    /// See [`Ledger`], as for all that follow.
    pub id: Bits<16>,
    /// The null window.
    pub beta: Bits<16>,
    /// Nodes at which to stop.
    pub limit: Bits<29>,
}

/// The share of a [`Ledger`] that every slot writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Tally {
    /// See [`Ledger`], as for all that follow.
    pub nodes: Bits<29>,
    /// Slots so far.
    pub slots: Bits<32>,
    /// The root move that refutes.
    pub best: Bits<16>,
}

/// What a slot has found, as far as it does not hang on the value; see [`super::judge`].
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Judgement {
    /// The slot is a step of the search.
    pub deciding: Bit,
    /// A node was entered, and counts.
    pub counts: Bit,
    /// Another thread could take over the moves after the one found.
    pub splits: Bit,
    /// This node is the last that the job may have.
    pub limit_hit: Bit,
    /// All moves are searched.
    pub full: Bit,
    /// There is a victim, if the node is searched.
    pub victim_found: Bit,
    /// The node tries a null move, if its value reaches the bound.
    pub may_pass: Bit,
    /// Where quiescence begins below that, or below the move found.
    pub depth: Bits<5>,
    /// The move found is to be searched less deep.
    pub reduces: Bit,
    /// Another victim is next.
    pub tries_victim: Bit,
    /// The killer is next.
    pub tries_killer: Bit,
    /// A piece's quiet moves are next.
    pub tries_piece: Bit,
    /// Pushes are next.
    pub tries_push: Bit,
    /// A move was found.
    pub makes: Bit,
    /// The node is done, whatever its value.
    pub returns: Bit,
    /// The move that led here was legal.
    pub legal: Bit,
    /// The node reaches its bound, whatever its value.
    pub holds: Bit,
    /// The mover is mated.
    pub mated: Bit,
    /// The mover is stalemated.
    pub stalemated: Bit,

    // The move that was found.
    /// From here.
    pub from: Bits<6>,
    /// To here.
    pub to: Bits<6>,
    /// See [`Thread`].
    pub promotion: Bits<2>,
    /// What moves.
    pub piece: Bits<3>,
    /// What is taken.
    pub captured: Bits<3>,
    /// Castling or en passant.
    pub special: Bit,
    /// See [`Frame`].
    pub walk: Bits<2>,

    // The node above: the code of the promotion that led here, and the pass with which it goes on.
    /// The piece, 0 for none.
    pub up_promotion: Bits<3>,
    /// See [`Thread`], as for all that follow.
    pub up_promotes: Bit,
    /// Find attacker.
    pub up_attacker: Bit,
    /// Find victim.
    pub up_victim: Bit,
    /// The killer.
    pub up_killing: Bit,
    /// Find quiet.
    pub up_quiet: Bit,
    /// Find push.
    pub up_push: Bit,
    /// The pass starts anew.
    pub up_fresh: Bit,
    /// Where it radiates from.
    pub up_origin: Bits<6>,
}
