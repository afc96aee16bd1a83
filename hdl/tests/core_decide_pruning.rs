//! The sequencer's share of pruning: null moves, and nodes that their value settles.

mod common;

use bluebelle_hdl::core::thread::{Frame, Thread};
use bluebelle_spec::leaf::MAX_DEPTH;
use bluebelle_spec::rng::SplitMix64;

use common::sequencer::{Sequencer, Slot, random_slot, rested, returned};

/// A slot that enters a node where a null move may be tried, with its depth left.
fn entering(random: &mut SplitMix64) -> (Slot, u64) {
    let mut slot = random_slot(random);
    slot.thread.enter = true;
    slot.thread.make = true;
    slot.thread.victim = true;
    slot.thread.pruning = true;
    slot.thread.after_null = false;
    slot.thread.has_child_killer = false;
    slot.thread.found_legal = false;
    slot.findings.in_check = false;
    slot.findings.has_next = true;
    slot.findings.last_piece = false;
    slot.findings.found = random.below(2) == 0;
    slot.value_holds = true;
    let depth = 2 + random.below(u64::from(MAX_DEPTH) - 1);
    let left = 2 + random.below(depth - 1);
    slot.thread.depth = depth.into();
    slot.thread.ply = (depth - left).into();
    (slot, left)
}

#[test]
fn a_null_move_passes_the_turn() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(130);
    for _ in 0..80 {
        let (slot, left) = entering(&mut random);
        let (thread, findings) = (slot.thread, slot.findings);
        let next = sequencer.run(&slot);
        let pushed = next.pushed.expect("a frame");
        assert_eq!(pushed.from, pushed.to, "nothing moves");
        let frame = Frame {
            passed: true,
            depth: thread.depth,
            castling: thread.castling,
            en_passant: thread.en_passant,
            full: true,
            killer: thread.killer,
            has_killer: thread.has_killer,
            // Of no importance: the node above starts anew.
            from: pushed.from,
            to: pushed.to,
            last_victim: thread.last_victim,
            last: findings.last,
            next_piece: findings.next_piece,
            has_next: findings.has_next,
            ..Default::default()
        };
        assert_eq!(pushed, frame, "{slot:?}");
        // Neither a rook's nor a king's square, so that no right is lost.
        assert!(!matches!(pushed.from.to_u8(), 0 | 4 | 7 | 56 | 60 | 63));
        let expected = Thread {
            active: true,
            enter: true,
            victim: true,
            make: true,
            after_null: true,
            ply: thread.ply + 1,
            depth: (thread.ply.to_u64() + 1 + left.div_ceil(2).saturating_sub(3)).into(),
            mover: thread.turn,
            from: pushed.from,
            to: pushed.to,
            promotion: 0.into(),
            piece: 0.into(),
            captured: 0.into(),
            special: false,
            found_legal: false,
            full: true,
            killer: thread.child_killer,
            has_killer: false,
            ..rested(thread)
        };
        assert_eq!(next.thread, expected, "{slot:?}");
        let ledger = next.ledger.expect("a ledger");
        assert_eq!(ledger.nodes, slot.ledger.nodes + 1);
    }
    sequencer.finish();
}

#[test]
fn what_speaks_against_a_null_move() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(131);
    for round in 0..80 {
        let (mut slot, _) = entering(&mut random);
        slot.findings.found = true;
        match round % 8 {
            0 => slot.thread.pruning = false,
            1 => slot.thread.after_null = true,
            2 => slot.findings.in_check = true,
            3 => slot.findings.has_next = false,
            4 => slot.findings.last_piece = true,
            5 => slot.value_holds = false,
            6 => slot.thread.ply = (slot.thread.depth.to_u64() - 1).into(),
            _ => {
                // Coming back from one.
                slot.thread.enter = false;
                slot.thread.make = false;
                slot.thread.unmake = true;
            }
        }
        let next = sequencer.run(&slot);
        assert_eq!(next.pushed, None, "{slot:?}");
        assert!(next.thread.attacker && next.thread.active, "{slot:?}");
        assert_eq!(next.thread.depth, slot.thread.depth);
    }
    sequencer.finish();
}

#[test]
fn a_value_that_is_high_enough_settles_the_node() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(132);
    for _ in 0..60 {
        let (mut slot, _) = entering(&mut random);
        slot.thread.ply = (1 + random.below(u64::from(MAX_DEPTH) - 1)).into();
        slot.thread.depth = (slot.thread.ply.to_u64() + 1).into();
        slot.value_stands = true;
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, true, true), "{slot:?}");
        assert_eq!(next.pushed, None);
    }
    sequencer.finish();
}

#[test]
fn a_value_that_is_too_low_ends_the_node() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(133);
    for round in 0..120 {
        let mut slot = random_slot(&mut random);
        slot.thread.pruning = true;
        slot.thread.ply = (2 + random.below(9)).into();
        slot.thread.depth = (slot.thread.ply.to_u64() + 1 + random.below(2)).into();
        slot.thread.full = true;
        slot.thread.unmake = true;
        slot.findings.in_check = false;
        slot.findings.found = random.below(2) == 0;
        slot.value_holds = false;
        slot.value_fails = true;
        let counts = round % 3 == 0;
        match round % 3 {
            0 => {
                slot.thread.unmake = false;
                slot.thread.make = true;
                slot.thread.enter = true;
                slot.thread.victim = true;
            }
            1 => slot.thread.victim = true,
            _ => {
                slot.thread.victim = true;
                slot.thread.full = false;
                slot.thread.depth = 1.into();
                slot.findings.found = true;
            }
        }
        let next = sequencer.run(&slot);
        assert_eq!(next.thread, returned(&slot, true, false), "{slot:?}");
        assert_eq!(next.pushed, None);
        assert_eq!(
            next.ledger.expect("a ledger").nodes,
            slot.ledger.nodes + u64::from(counts)
        );
    }
    sequencer.finish();
}

#[test]
fn a_null_move_is_no_best_move() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(134);
    for round in 0..40 {
        let mut slot = random_slot(&mut random);
        slot.thread.ply = 1.into();
        slot.thread.depth = 1.into();
        slot.thread.enter = true;
        slot.thread.make = true;
        slot.thread.victim = true;
        slot.findings.in_check = false;
        slot.frame.walk = 0.into();
        slot.frame.passed = round % 2 == 0;
        slot.ledger.best = 0.into();
        // It falls short of the bound: the node above has its refutation.
        let next = sequencer.run(&slot);
        assert!(next.thread.cut);
        let best = next.ledger.expect("a ledger").best.to_u64();
        assert_eq!(best == 0, slot.frame.passed, "{slot:?}");
    }
    sequencer.finish();
}

/// A slot that has found a quiet move out of check, with its depth left; in the opening of its thread or when made again.
fn quiet(random: &mut SplitMix64) -> (Slot, u64) {
    let mut slot = random_slot(random);
    slot.thread.pruning = true;
    slot.thread.full = true;
    slot.thread.captured = 0.into();
    slot.findings.found = true;
    slot.findings.in_check = false;
    match random.below(3) {
        0 => slot.thread.killing = true,
        1 => slot.thread.quiet = true,
        _ => slot.thread.push = true,
    }
    let left = 1 + random.below(8);
    slot.thread.ply = (1 + random.below(4)).into();
    slot.thread.depth = (slot.thread.ply.to_u64() + left).into();
    (slot, left)
}

#[test]
fn quiet_moves_are_reduced() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(135);
    let mut counts = [0; 5];
    for round in 0..320 {
        let (mut slot, left) = quiet(&mut random);
        let reduction = match round % 4 {
            0 if round % 8 == 0 => {
                slot.thread.pruning = false;
                0
            }
            0 => {
                slot.findings.in_check = true;
                0
            }
            _ if left < 3 => 0,
            _ => left / 2,
        };
        counts[reduction as usize] += 1;
        let next = sequencer.run(&slot);
        let pushed = next.pushed.expect("a frame");
        assert_eq!(pushed.reduced, reduction > 0, "{slot:?}");
        assert_eq!(pushed.depth, slot.thread.depth, "{slot:?}");
        assert_eq!(next.thread.depth, slot.thread.depth - reduction, "{slot:?}");
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    sequencer.finish();
}

#[test]
fn captures_are_not_reduced() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(136);
    for _ in 0..40 {
        let (mut slot, _) = quiet(&mut random);
        slot.thread.killing = false;
        slot.thread.quiet = false;
        slot.thread.push = false;
        slot.thread.attacker = true;
        let next = sequencer.run(&slot);
        assert!(!next.pushed.expect("a frame").reduced, "{slot:?}");
        assert_eq!(next.thread.depth, slot.thread.depth, "{slot:?}");
    }
    sequencer.finish();
}

#[test]
fn a_reduced_move_that_is_not_refuted_is_made_again() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(137);
    for round in 0..120 {
        // A node without a legal move that is no mate falls short of its bound, or reaches it.
        let mut slot = random_slot(&mut random);
        slot.thread.pruning = true;
        slot.thread.full = true;
        slot.thread.push = true;
        slot.thread.found_legal = false;
        slot.findings.found = false;
        slot.findings.in_check = false;
        slot.draw_holds = round % 3 == 0;
        slot.frame.reduced = true;
        slot.frame.walk = (1 + random.below(3)).into();
        let next = sequencer.run(&slot);
        if slot.draw_holds {
            assert_eq!(next.thread, returned(&slot, true, true), "{slot:?}");
            continue;
        }
        let expected = Thread {
            again: true,
            killing: slot.frame.walk == 1,
            quiet: slot.frame.walk == 2,
            push: slot.frame.walk == 3,
            attacker: false,
            victim: false,
            promote: false,
            cut: false,
            fresh: true,
            origin: slot.frame.from,
            killer: slot.frame.killer,
            has_killer: slot.frame.has_killer,
            ..returned(&slot, true, false)
        };
        assert_eq!(next.thread, expected, "{slot:?}");
        assert_eq!(next.ledger.expect("a ledger").best, slot.ledger.best);

        // The second time, what the pass finds is of no importance but for the piece that comes after.
        let again = Slot {
            thread: Thread {
                hop: false,
                unmake: true,
                ..next.thread
            },
            findings: random_slot(&mut random).findings,
            ..random_slot(&mut random)
        };
        let made = sequencer.run(&again);
        let pushed = made.pushed.expect("a frame");
        let (thread, findings) = (again.thread, again.findings);
        let frame = Frame {
            from: slot.frame.from,
            to: slot.frame.to,
            piece: slot.frame.piece,
            captured: slot.frame.captured,
            special: slot.frame.special,
            castling: thread.castling,
            en_passant: thread.en_passant,
            walk: slot.frame.walk,
            reduced: false,
            depth: slot.frame.depth,
            last_victim: slot.frame.last_victim,
            last: slot.frame.last,
            found_legal: true,
            full: slot.frame.full,
            next_piece: findings.next_piece,
            has_next: findings.has_next,
            killer: thread.killer,
            has_killer: thread.has_killer,
            ..Default::default()
        };
        assert_eq!(pushed, frame, "{again:?}");
        assert_eq!(made.thread.depth, slot.frame.depth);
        assert!(made.thread.enter && made.thread.active && !made.thread.again);
        assert_eq!((made.thread.hop, made.thread.make), (frame.special, !frame.special));
    }
    sequencer.finish();
}

#[test]
fn a_losing_attacker_is_not_made() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(138);
    for _ in 0..80 {
        let mut slot = random_slot(&mut random);
        slot.thread.pruning = true;
        slot.thread.full = false;
        slot.thread.attacker = true;
        slot.findings.found = true;
        slot.findings.loses = true;
        let next = sequencer.run(&slot);
        assert_eq!(next.pushed, None, "{slot:?}");
        let expected = match slot.thread.last_victim {
            true => returned(&slot, true, false),
            false => Thread {
                active: true,
                victim: true,
                fresh: false,
                ..rested(slot.thread)
            },
        };
        assert_eq!(next.thread, expected, "{slot:?}");
    }
    sequencer.finish();
}
