//! The comparisons with the null window, against plain numbers.

use bluebelle_hdl::core::thread::{Findings, Thread};
use bluebelle_hdl::core::verdict::Verdict;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::leaf::pruning::{DELTA_MARGIN, FUTILITY_DEPTH, FUTILITY_MARGIN, REVERSE_FUTILITY_MARGIN, WORTH};
use bluebelle_spec::leaf::{MATE, MAX_DEPTH, MAX_PLY};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{EVALUATION_LIMIT, Piece};

/// A slot with its value and window.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    thread: Thread,
    findings: Findings,
    beta: i32,
    value: i32,
}

/// All slots go through, one a cycle: beta comes two cycles after the thread, the value three.
#[test]
fn values_hold_from_the_bound_on() {
    let mut cosim = Cosim::new(Verdict::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(70);
    let slots: Vec<Slot> = (0..1_500).map(|round| random_slot(&mut random, round)).collect();
    let mut counts = [[0; 2]; 5];
    for cycle in 0..slots.len() + 3 {
        let at = |behind: usize| cycle.checked_sub(behind).and_then(|index| slots.get(index));
        let (now, with_beta, with_value) = (at(0), at(2), at(3));
        cosim.cycle(|uut| {
            if let Some(slot) = now {
                uut.thread.next = slot.thread;
                uut.findings.next = slot.findings;
            }
            if let Some(slot) = with_beta {
                uut.beta.next = u64::from(slot.beta as u16).into();
            }
            if let Some(slot) = with_value {
                uut.value.next = u64::from(slot.value as u16).into();
                uut.ply.next = slot.thread.ply;
            }
        });
        let Some(slot) = with_value else { continue };
        let uut = &cosim.uut;
        let found = [
            uut.value_holds.val(),
            uut.mate_holds.val(),
            uut.draw_holds.val(),
            uut.value_stands.val(),
            uut.value_fails.val(),
        ];
        let expected = expected(slot);
        assert_eq!(found, expected, "{slot:?}");
        for (count, holds) in counts.iter_mut().zip(expected) {
            count[usize::from(holds)] += 1;
        }
    }
    assert!(counts.as_flattened().iter().all(|&count| count >= 25), "{counts:?}");
    cosim.finish();
}

fn random_slot(random: &mut SplitMix64, round: usize) -> Slot {
    let (mate, limit) = (i32::from(MATE), EVALUATION_LIMIT);
    let ply = match round % 3 {
        0 => random.below(u64::from(MAX_PLY) + 1),
        _ => random.below(8),
    };
    let depth = match random.below(4) {
        0 => random.below(u64::from(MAX_DEPTH) + 1),
        _ => (ply + random.below(6)).min(MAX_DEPTH.into()),
    };
    let mut thread = Thread {
        active: random.below(16) != 0,
        perft: random.below(16) == 0,
        pruning: random.below(4) != 0,
        hop: random.below(16) == 0,
        full: random.below(4) != 0,
        ply: ply.into(),
        depth: depth.into(),
        ..Default::default()
    };
    thread.pruning &= !thread.perft;
    match random.below(8) {
        0..3 => (thread.enter, thread.victim) = (true, true),
        3 => thread.victim = true,
        4 => thread.attacker = true,
        5 => thread.killing = true,
        6 => thread.quiet = true,
        _ => thread.push = true,
    }
    let victims = [
        0,
        Piece::Pawn.code(),
        Piece::Knight.code(),
        Piece::Bishop.code(),
        Piece::Rook.code(),
        Piece::Queen.code(),
    ];
    let findings = Findings {
        found: random.below(2) == 0,
        code: u64::from(victims[random.below(6) as usize]).into(),
        square: random.below(64).into(),
        in_check: random.below(4) == 0,
        ..Default::default()
    };
    // Any beta that a job may have; often near 0 or a mate at this ply.
    let (ply, depth) = (ply as i32, depth as i32);
    let beta = match round % 8 {
        0 => random.below(2 * mate as u64) as i32 + 1 - mate,
        1 => (ply - mate + random.below(5) as i32 - 2).max(1 - mate),
        2 => (mate - ply + random.below(5) as i32 - 1).min(mate),
        3 => random.below(9) as i32 - 4,
        _ => random.below(2_000) as i32 - 1_000,
    };
    let mut slot = Slot {
        thread,
        findings,
        beta,
        value: 0,
    };
    // Near one of the bounds, or anywhere.
    let near = random.below(5) as i32 - 2;
    let value = match random.below(5) {
        0 => random.below(2 * limit as u64 + 1) as i32 - limit,
        1 => bound(&slot) + near,
        2 => bound(&slot) + REVERSE_FUTILITY_MARGIN * (depth - ply) + near,
        3 => bound(&slot) - FUTILITY_MARGIN * (depth - ply) + near,
        _ => bound(&slot) - worth(&slot) - DELTA_MARGIN + near,
    };
    slot.value = value.clamp(-limit, limit);
    slot
}

fn bound(slot: &Slot) -> i32 {
    match slot.thread.ply.to_u8() % 2 {
        0 => slot.beta,
        _ => 1 - slot.beta,
    }
}

fn worth(slot: &Slot) -> i32 {
    let code = slot.findings.code.to_u8();
    let passes = code == 0 && !matches!(slot.findings.square.to_u8() / 8, 0 | 7);
    let is = |piece: Piece| code == piece.code();
    match () {
        () if passes || is(Piece::Pawn) => WORTH[3],
        () if is(Piece::Knight) || is(Piece::Bishop) => WORTH[2],
        () if is(Piece::Rook) => WORTH[1],
        () => WORTH[0],
    }
}

/// Holds: the value, a mate, a draw; stands, fails.
fn expected(slot: &Slot) -> [bool; 5] {
    let Slot {
        thread,
        findings,
        value,
        ..
    } = *slot;
    let (ply, depth) = (i32::from(thread.ply.to_u8()), i32::from(thread.depth.to_u8()));
    let (left, bound) = (depth - ply, bound(slot));
    let full = match thread.enter {
        true => left > 0 || left == 0 && findings.in_check,
        false => thread.full,
    };
    let decides = thread.active && !thread.hop;
    let prunes = thread.pruning && left >= 1 && !findings.in_check;
    let near = prunes && left <= i32::from(FUTILITY_DEPTH);
    let stands = match full {
        _ if !thread.enter || thread.perft || !decides => false,
        true => near && ply > 0 && value - REVERSE_FUTILITY_MARGIN * left >= bound,
        false => value >= bound,
    };
    let fails = match (findings.found, full) {
        _ if !thread.victim || !thread.pruning || !decides => false,
        (false, true) => near && value + FUTILITY_MARGIN * left < bound,
        (false, false) => false,
        (true, true) => prunes && left == 1 && value + worth(slot) + DELTA_MARGIN < bound,
        (true, false) => value + worth(slot) + DELTA_MARGIN < bound,
    };
    [
        value >= bound,
        ply - i32::from(MATE) >= bound,
        0 >= bound,
        stands,
        fails,
    ]
}
