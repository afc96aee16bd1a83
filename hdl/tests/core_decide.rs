//! The sequencer, transition by transition, against the steps of the golden search and the table of its slots.

mod common;

use bluebelle_hdl::core::thread::{Findings, Frame, Ledger, Thread};
use bluebelle_hdl::harness::synthesis_check;
use bluebelle_spec::leaf::MAX_DEPTH;
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Color, Piece, Square};

use common::sequencer::{Sequencer, Slot, random_slot, rested, returned};

/// How often each transition is tried, with other facts.
const ROUNDS: usize = 25;

/// Runs one transition with many facts, here and as Verilog.
fn check(seed: u64, mut transition: impl FnMut(&mut Sequencer, &mut SplitMix64)) {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(seed);
    for _ in 0..ROUNDS {
        transition(&mut sequencer, &mut random);
    }
    sequencer.finish();
}

/// A slot that enters a quiescent node: at the leaf and not in check, or below it.
fn entering_quiescence(random: &mut SplitMix64) -> Slot {
    let mut slot = random_slot(random);
    slot.thread.enter = true;
    slot.thread.make = true;
    slot.thread.victim = true;
    slot.thread.depth = slot.thread.ply.to_u64().min(MAX_DEPTH.into()).into();
    slot.findings.in_check = slot.thread.ply.to_u8() > MAX_DEPTH && slot.findings.in_check;
    slot
}

/// The ledger after a slot that counts `nodes`.
fn counted(ledger: Ledger, nodes: u64) -> Ledger {
    Ledger {
        nodes: ledger.nodes + nodes,
        slots: ledger.slots + 1,
        ..ledger
    }
}

#[test]
fn it_synthesises() {
    let sequencer = Sequencer::new();
    synthesis_check(&sequencer.judge.uut);
    synthesis_check(&sequencer.cosim.uut);
}

#[test]
fn standing_pat_returns() {
    check(100, |sequencer, random| {
        let mut slot = entering_quiescence(random);
        slot.value_stands = true;
        slot.findings.found = random.below(2) == 0;
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, true, true));
        assert_eq!(next.ledger, Some(counted(slot.ledger, 1)));
        assert_eq!(next.pushed, None);
    });
}

#[test]
fn falling_short_without_victims_or_room_refutes_the_move() {
    check(101, |sequencer, random| {
        let mut slot = entering_quiescence(random);
        slot.value_stands = false;
        if random.below(2) == 0 {
            slot.thread.ply = 31.into();
            slot.findings.found = true;
        }
        // The root is tested with the jobs; it keeps its best move.
        if slot.thread.ply == 1 {
            slot.thread.ply = 2.into();
            slot.thread.depth = 1.into();
        }
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, true, false));
        assert_eq!(next.ledger, Some(counted(slot.ledger, 1)));
    });
}

#[test]
fn an_illegal_node_returns_uncounted() {
    check(102, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.enter = true;
        slot.thread.make = true;
        slot.thread.victim = true;
        slot.findings.illegal = true;
        slot.findings.found = true;
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, false, true));
        assert_eq!(next.ledger, Some(counted(slot.ledger, 0)));
        assert_eq!(next.pushed, None);
    });
}

#[test]
fn a_return_goes_on_with_every_walk() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(103);
    let mut passes = [0; 8];
    for round in 0..400 {
        let mut slot = entering_quiescence(&mut random);
        slot.thread.ply = (2 + random.below(10)).into();
        slot.thread.depth = slot.thread.ply.to_u64().into();
        slot.findings.in_check = false;
        slot.thread.pruning = random.below(4) == 0;
        let (legal, holds) = (round % 4 != 0, round % 4 != 1);
        slot.findings.illegal = !legal;
        slot.value_stands = holds;
        if round % 3 == 0 {
            // Often the last attacker.
            slot.frame.walk = 0.into();
            slot.frame.last |= round % 2 == 0;
        }
        if round % 16 == 6 {
            // At times from a null move.
            slot.frame.walk = 0.into();
            slot.frame.passed = true;
        } else if round % 8 > 3 {
            // Often a promotion.
            slot.frame.piece = 1.into();
            slot.frame.to = (slot.frame.to.to_u64() % 8 + 56 * random.below(2)).into();
        }
        let thread = sequencer.run(&slot).thread;
        assert_eq!(thread, returned(&slot, legal, holds), "{slot:?}");
        let has = [
            thread.cut,
            thread.promote,
            thread.attacker,
            thread.victim,
            thread.killing,
            thread.quiet,
            thread.push,
        ];
        passes[has.iter().position(|&has| has).unwrap_or(7)] += 1;
    }
    assert!(passes.iter().all(|&count| count >= 3), "every pass: {passes:?}");
    sequencer.finish();
}

#[test]
fn a_hop_is_followed_by_the_move() {
    check(104, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.hop = true;
        slot.thread.undo = random.below(2) == 0;
        slot.thread.quiet = random.below(2) == 0;
        slot.thread.fresh = random.below(2) == 0;
        slot.thread.enter = !slot.thread.undo;
        slot.thread.victim = !slot.thread.undo;
        let next = sequencer.run(&slot);
        let expected = Thread {
            hop: false,
            make: !slot.thread.undo,
            unmake: slot.thread.undo,
            ..slot.thread
        };
        assert_eq!(next.thread, expected);
        assert_eq!(next.ledger, Some(counted(slot.ledger, 0)));
    });
}

#[test]
fn a_victim_is_followed_by_its_attackers() {
    check(105, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.victim = true;
        slot.thread.unmake = true;
        slot.thread.fresh = false;
        slot.findings.found = true;
        // An empty square is one of promotion on the last rank, and of en passant else.
        if random.below(2) == 0 {
            slot.findings.code = 0.into();
            slot.findings.square = (random.below(2) * 20 + 40).into();
        }
        let is_empty = slot.findings.code == 0;
        let passes = is_empty && !matches!(slot.findings.square.to_u8() / 8, 0 | 7);
        let next = sequencer.run(&slot);
        let expected = Thread {
            active: true,
            attacker: true,
            origin: slot.findings.square,
            to: slot.findings.square,
            captured: if passes { 1.into() } else { slot.findings.code },
            special: passes,
            last_victim: slot.findings.last,
            ..rested(slot.thread)
        };
        assert_eq!(next.thread, expected);
        assert_eq!((next.ledger, next.pushed), (Some(counted(slot.ledger, 0)), None));
    });
}

#[test]
fn after_the_victims_come_the_quiet_passes() {
    check(106, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.enter = true;
        slot.thread.make = true;
        slot.thread.victim = true;
        // Full width: above the leaf, or there and in check.
        slot.thread.ply = (1 + random.below(11)).into();
        slot.thread.depth = (slot.thread.ply.to_u64() + random.below(2)).into();
        slot.findings.in_check |= slot.thread.ply.to_u8() == slot.thread.depth.to_u8();
        let next = sequencer.run(&slot);
        let passing = Thread {
            active: true,
            full: true,
            ..rested(slot.thread)
        };
        let expected = match slot.thread.has_killer {
            true => Thread {
                killing: true,
                origin: (slot.thread.killer.to_u64() & 63).into(),
                ..passing
            },
            false => Thread {
                quiet: true,
                origin: slot.findings.next_piece,
                ..passing
            },
        };
        assert_eq!(next.thread, expected);
        assert_eq!(next.ledger, Some(counted(slot.ledger, 1)));
    });
}

#[test]
fn a_quiet_pass_without_a_find_is_followed_by_the_next() {
    check(107, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.killing = random.below(3) == 0;
        slot.thread.quiet = !slot.thread.killing;
        // There is always a first piece: the king at least.
        slot.findings.has_next |= slot.thread.killing;
        let passing = Thread {
            active: true,
            ..rested(slot.thread)
        };
        let expected = match slot.findings.has_next {
            true => Thread {
                quiet: true,
                origin: slot.findings.next_piece,
                ..passing
            },
            false => Thread { push: true, ..passing },
        };
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, expected);
        assert_eq!((next.ledger, next.pushed), (Some(counted(slot.ledger, 0)), None));
    });
}

#[test]
fn without_a_push_the_node_ends() {
    check(108, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.ply = (2 + random.below(12)).into();
        slot.thread.full = true;
        // The last pass finds nothing; or the last push, which was known to be the last, is taken back.
        slot.thread.push = random.below(2) == 0;
        slot.thread.unmake = !slot.thread.push;
        let holds = match (slot.thread.found_legal, slot.findings.in_check) {
            (true, _) => false,
            (false, true) => slot.mate_holds,
            (false, false) => slot.draw_holds,
        };
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, true, holds), "{slot:?}");
    });
}

#[test]
fn quiescence_ends_after_its_victims() {
    check(109, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.ply = (2 + random.below(12)).into();
        slot.thread.full = false;
        slot.thread.unmake = true;
        // Nothing to look for, or nothing found: a victim, or an attacker.
        let pass = random.below(3);
        slot.thread.victim = pass == 1;
        slot.thread.attacker = pass == 2;
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, true, false), "{slot:?}");
    });
}

#[test]
fn a_refuted_node_returns() {
    check(110, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.unmake = true;
        slot.thread.cut = true;
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, true, true));
    });
}

/// What a slot that found a move makes of it: the frame, and the node below.
fn check_made(sequencer: &mut Sequencer, slot: &Slot, made: Frame) {
    let thread = &slot.thread;
    let frame = Frame {
        castling: thread.castling,
        en_passant: thread.en_passant,
        depth: thread.depth,
        last_victim: thread.last_victim,
        found_legal: thread.found_legal,
        full: thread.full,
        next_piece: slot.findings.next_piece,
        has_next: slot.findings.has_next,
        killer: thread.killer,
        has_killer: thread.has_killer,
        ..made
    };
    let next = sequencer.run(slot);
    assert_eq!(next.pushed, Some(frame), "{slot:?}");
    let expected = Thread {
        active: true,
        ply: thread.ply + 1,
        enter: true,
        victim: true,
        make: !frame.special,
        hop: frame.special,
        mover: thread.turn,
        from: frame.from,
        to: frame.to,
        promotion: frame.promotion,
        piece: frame.piece,
        captured: frame.captured,
        special: frame.special,
        after_null: false,
        found_legal: false,
        killer: thread.child_killer,
        has_killer: thread.has_child_killer,
        has_child_killer: false,
        ..rested(*thread)
    };
    assert_eq!(next.thread, expected, "{slot:?}");
    assert_eq!(next.ledger, Some(counted(slot.ledger, 0)));
}

#[test]
fn an_attacker_makes_its_capture() {
    check(111, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.attacker = true;
        slot.findings.found = true;
        let Slot { thread, findings, .. } = slot;
        let made = Frame {
            from: findings.square,
            to: thread.to,
            promotion: 0.into(),
            piece: findings.code,
            captured: thread.captured,
            special: thread.special,
            walk: 0.into(),
            last: findings.last,
            ..Default::default()
        };
        check_made(sequencer, &slot, made);
    });
}

#[test]
fn a_promotion_makes_the_next_piece() {
    check(112, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.unmake = true;
        slot.thread.promote = true;
        slot.thread.special = false;
        slot.thread.promotion = random.below(3).into();
        let Slot { thread, .. } = slot;
        let made = Frame {
            from: thread.from,
            to: thread.to,
            promotion: thread.promotion + 1,
            piece: thread.piece,
            captured: thread.captured,
            special: false,
            walk: 0.into(),
            last: thread.last,
            ..Default::default()
        };
        check_made(sequencer, &slot, made);
    });
}

#[test]
fn a_quiet_square_makes_the_move_of_the_origin() {
    check(113, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.findings.found = true;
        slot.thread.killing = random.below(2) == 0;
        slot.thread.quiet = !slot.thread.killing;
        // A king's step aside by two is castling.
        let home = Square::at(4, 0).relative_to(Color::ALL[usize::from(slot.thread.turn)]);
        let castles = random.below(2) == 0;
        if castles {
            slot.thread.origin = u64::from(home.byte()).into();
            slot.findings.square = u64::from(home.byte() + 2 - 4 * random.below(2) as u8).into();
            slot.findings.code = u64::from(Piece::King.code()).into();
        } else if slot.findings.code == 4 {
            slot.findings.code = u64::from(Piece::Queen.code()).into();
        }
        let Slot { thread, findings, .. } = slot;
        let made = Frame {
            from: thread.origin,
            to: findings.square,
            promotion: 0.into(),
            piece: findings.code,
            captured: 0.into(),
            special: castles,
            walk: if thread.killing { 1.into() } else { 2.into() },
            last: findings.last,
            ..Default::default()
        };
        check_made(sequencer, &slot, made);
    });
}

#[test]
fn a_push_comes_from_behind() {
    check(114, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.findings.found = true;
        slot.thread.push = true;
        // Behind the square stands the pawn, or, after a double step, nothing.
        let is_double = random.below(2) == 0;
        slot.findings.code = u64::from(!is_double).into();
        let rank = if is_double { 3 } else { 2 + random.below(5) as u8 };
        let color = Color::ALL[usize::from(slot.thread.turn)];
        let file = random.below(8) as u8;
        let square = |rank| u64::from(Square::at(file, rank).relative_to(color).byte());
        slot.findings.square = square(rank).into();
        let made = Frame {
            from: square(rank - 1 - u8::from(is_double)).into(),
            to: slot.findings.square,
            promotion: 0.into(),
            piece: 1.into(),
            captured: 0.into(),
            special: false,
            walk: 3.into(),
            last: slot.findings.last,
            ..Default::default()
        };
        check_made(sequencer, &slot, made);
    });
}

#[test]
fn an_idle_thread_stays_idle() {
    check(115, |sequencer, random| {
        let mut slot = random_slot(random);
        slot.thread.active = false;
        slot.thread.busy = random.below(2) == 0;
        slot.findings = Findings {
            found: true,
            ..slot.findings
        };
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, rested(slot.thread));
        assert_eq!((next.ledger, next.pushed), (None, None));
    });
}
