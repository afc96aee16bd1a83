//! The sequencer's share of jobs: starting, loading, beginning, ending, aborting, and the results.

mod common;

use bluebelle_hdl::core::decide::Decide;
use bluebelle_hdl::core::thread::{Ledger, Thread};
use bluebelle_hdl::job_words::job_words;
use bluebelle_spec::leaf::{Ending, Job, MAX_DEPTH, Task, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Move, Piece, Square};

use common::sequencer::{Sequencer, Slot, random_slot, rested, returned};
use common::{bare, code_at, pick, positions, thread_on, with_move};

/// Shows the header of a job, and what the loader noted of its first move.
fn show_job(uut: &mut Decide, id: u16, job: &Job) {
    let words = job_words(id, job);
    let word = |index: usize| u64::from(words[index]);
    uut.job_ready.next = true;
    uut.job_id.next = word(0).into();
    uut.job_rules.next = word(1).into();
    uut.job_beta.next = word(2).into();
    uut.job_limit.next = (word(3) | word(4) << 16).into();
    uut.job_first.next = word(5).into();
    uut.first_piece.next = u64::from(code_at(&job.position, job.first.from())).into();
    uut.first_captured.next = u64::from(code_at(&job.position, job.first.to())).into();
}

/// A job for each of some positions, half of them with a first move.
fn jobs(random: &mut SplitMix64, count: usize) -> Vec<Job> {
    let job = |position| {
        let moves = legal_moves(&position);
        let is_rare = |mv: &&Move| mv.promotion().is_some() || with_move(Thread::default(), &position, **mv).special;
        let rare: Vec<Move> = moves.iter().filter(is_rare).copied().collect();
        let first = match random.below(3) {
            0 => Move::NONE,
            _ if moves.is_empty() => Move::NONE,
            1 if !rare.is_empty() => pick(random, &rare),
            _ => pick(random, &moves),
        };
        let task = match random.below(2) {
            0 => Task::Perft {
                depth: random.below(7) as u8,
            },
            _ => Task::Search {
                depth: random.below(u64::from(MAX_DEPTH) + 1) as u8,
                beta: random.next_u64() as i16,
            },
        };
        let node_limit = random.next_u64() as u32 >> 4;
        Job {
            position,
            first,
            task,
            node_limit,
            pruning: node_limit.is_multiple_of(2),
            gang: false,
        }
    };
    let all: Vec<Job> = positions(128, 5 * count).into_iter().map(job).collect();
    let (promoting, others): (Vec<Job>, Vec<Job>) = all.iter().partition(|job| job.first.promotion().is_some());
    promoting
        .into_iter()
        .take(count / 4)
        .chain(others)
        .take(count)
        .collect()
}

#[test]
fn a_job_is_taken_loaded_and_begun() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(120);
    let (mut specials, mut promotions) = (0, 0);
    for job in jobs(&mut random, 60) {
        let position = &job.position;
        let id = random.next_u64() as u16;
        let words = job_words(id, &job);

        // Without a job the thread waits; a busy one takes none.
        let mut slot = random_slot(&mut random);
        slot.thread.active = false;
        slot.thread.busy = true;
        show_job(&mut sequencer.cosim.uut, id, &job);
        sequencer.show(&slot);
        assert!(!sequencer.cosim.uut.take_job.val());
        assert_eq!(sequencer.run(&slot).thread, rested(slot.thread));

        slot.thread.busy = false;
        sequencer.show(&slot);
        assert!(sequencer.cosim.uut.take_job.val());
        let next = sequencer.run(&slot);
        let rules = thread_on(position);
        let (perft, depth) = match job.task {
            Task::Search { depth, .. } => (false, depth),
            Task::Perft { depth } => (true, depth),
        };
        let started = Thread {
            busy: true,
            loading: true,
            ply: 0.into(),
            perft,
            pruning: job.pruning && !perft,
            after_null: false,
            depth: u64::from(depth).into(),
            turn: rules.turn,
            castling: rules.castling,
            en_passant: rules.en_passant,
            has_killer: false,
            has_child_killer: false,
            found_legal: false,
            ..rested(slot.thread)
        };
        assert_eq!(next.thread, started);
        let ledger = Ledger {
            id: u64::from(id).into(),
            beta: u64::from(words[2]).into(),
            limit: u64::from(words[3] | words[4] << 16).into(),
            ..Default::default()
        };
        assert_eq!(next.ledger, Some(ledger));
        sequencer.cosim.uut.job_ready.next = false;

        // A piece that is not there yet is waited for.
        slot.thread = started;
        slot.ledger = ledger;
        let next = sequencer.run(&slot);
        assert_eq!((next.thread, next.ledger), (rested(started), None));
        for (index, &word) in words[6..].iter().enumerate() {
            let bits = |from: u32, count: u32| u64::from(word >> from & ((1 << count) - 1));
            let uut = &mut sequencer.cosim.uut;
            uut.piece_valid.next = true;
            uut.piece_square.next = bits(0, 6).into();
            uut.piece_code.next = bits(6, 3).into();
            uut.piece_black.next = bits(9, 1) == 1;
            uut.piece_last.next = bits(10, 1) == 1;
            uut.piece_start.next = index == 0;
            sequencer.show(&slot);
            assert!(sequencer.cosim.uut.take_piece.val() && !sequencer.cosim.uut.begun.val());
            let next = sequencer.run(&slot);
            // The first one finds the board cleared.
            let before = if index == 0 { bare(slot.thread) } else { slot.thread };
            let placed = Thread {
                active: true,
                load: true,
                to: bits(0, 6).into(),
                piece: bits(6, 3).into(),
                mover: bits(9, 1) == 1,
                loading: index + 7 != words.len(),
                ..rested(before)
            };
            assert_eq!(next.thread, placed);
            slot.thread = placed;
        }
        sequencer.cosim.uut.piece_valid.next = false;

        // After the last piece: the first move, if any, and the root.
        sequencer.show(&slot);
        assert!(sequencer.cosim.uut.begun.val() && !sequencer.cosim.uut.take_piece.val());
        let next = sequencer.run(&slot);
        let begun = Thread {
            active: true,
            enter: true,
            victim: true,
            mover: slot.thread.turn,
            ..rested(slot.thread)
        };
        if job.first.is_none() {
            // Without one, it does not matter which move is not made.
            let Thread { make, hop, .. } = next.thread;
            assert!(!make && !hop);
            let found = with_move_of(next.thread, &begun);
            assert_eq!(found, begun);
        } else {
            let moved = with_move(begun, position, job.first);
            let expected = Thread {
                make: !moved.special,
                hop: moved.special,
                ..moved
            };
            assert_eq!(next.thread, expected, "{position} {}", job.first);
            specials += u32::from(moved.special);
            promotions += u32::from(job.first.promotion().is_some());
        }
    }
    assert!(
        specials >= 3 && promotions >= 3,
        "{specials} specials, {promotions} promotions"
    );
    sequencer.finish();
}

/// A thread with the move of another.
fn with_move_of(thread: Thread, other: &Thread) -> Thread {
    Thread {
        from: other.from,
        to: other.to,
        piece: other.piece,
        captured: other.captured,
        promotion: other.promotion,
        special: other.special,
        ..thread
    }
}

/// A slot that enters the root.
fn at_root(random: &mut SplitMix64) -> Slot {
    let mut slot = random_slot(random);
    slot.thread.ply = 0.into();
    slot.thread.enter = true;
    slot.thread.victim = true;
    slot
}

/// The thread has ended in this way, and waits for its result to go out.
#[track_caller]
fn check_done(thread: &Thread, ending: Ending) {
    assert!(thread.done && thread.busy, "the job has ended");
    assert!(
        !thread.active && !thread.hop && !thread.make && !thread.unmake,
        "nothing more is done"
    );
    assert_eq!(thread.ending.to_u8(), ending as u8);
}

#[test]
fn the_root_tells_how_the_job_ends() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(121);
    for round in 0..120 {
        let mut slot = at_root(&mut random);
        slot.thread.depth = 0.into();
        slot.findings.in_check = false;
        let ending = match round % 6 {
            0 => {
                slot.value_stands = true;
                Ending::Lower
            }
            1 => {
                slot.value_stands = false;
                Ending::Upper
            }
            2 => {
                slot.thread.perft = true;
                Ending::Counted
            }
            3 => {
                slot.findings.illegal = true;
                Ending::Illegal
            }
            4 => {
                slot.ledger.nodes = slot.ledger.limit - 1;
                Ending::Limit
            }
            _ => {
                // A refutation of the root.
                slot.thread.enter = false;
                slot.thread.victim = false;
                slot.thread.unmake = true;
                slot.thread.cut = true;
                Ending::Lower
            }
        };
        let next = sequencer.run(&slot);
        check_done(&next.thread, ending);
        let counts = u64::from(!matches!(round % 6, 3 | 5));
        let ledger = Ledger {
            nodes: slot.ledger.nodes + counts,
            slots: slot.ledger.slots + 1,
            ..slot.ledger
        };
        assert_eq!(next.ledger, Some(ledger));
    }
    sequencer.finish();
}

#[test]
fn the_limit_ends_a_job_anywhere() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(122);
    for round in 0..60 {
        let mut slot = random_slot(&mut random);
        slot.thread.enter = true;
        slot.thread.make = true;
        slot.thread.victim = true;
        slot.thread.ply = (2 + random.below(10)).into();
        slot.thread.depth = (slot.thread.ply.to_u64() - random.below(2)).into();
        slot.findings.in_check = false;
        slot.value_stands = true;
        // At the limit, one before it, or at an illegal node, which does not count.
        let before = round % 3 == 1;
        slot.findings.illegal = round % 3 == 2;
        slot.ledger.nodes = slot.ledger.limit - if before { 2 } else { 1 };
        let next = sequencer.run(&slot);
        match round % 3 {
            0 => check_done(&next.thread, Ending::Limit),
            1 => assert_eq!(next.thread, returned(&slot, true, true)),
            _ => assert_eq!(next.thread, returned(&slot, false, true)),
        }
    }
    sequencer.finish();
}

#[test]
fn perft_counts_its_leaves_only() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(123);
    for _ in 0..60 {
        let mut slot = random_slot(&mut random);
        slot.thread.enter = true;
        slot.thread.make = true;
        slot.thread.victim = true;
        slot.thread.perft = true;
        slot.thread.has_killer = false;
        slot.thread.ply = (1 + random.below(5)).into();
        let at_leaf = random.below(2) == 0;
        slot.thread.depth = (slot.thread.ply.to_u64() + u64::from(!at_leaf)).into();
        slot.findings.found = random.below(2) == 0;
        let next = sequencer.run(&slot);
        let expected = match (at_leaf, slot.findings.found) {
            (true, _) => returned(&slot, true, true),
            (false, true) => {
                assert!(next.thread.attacker && next.thread.active && next.thread.full);
                next.thread
            }
            (false, false) => Thread {
                active: true,
                quiet: true,
                full: true,
                origin: slot.findings.next_piece,
                ..rested(slot.thread)
            },
        };
        assert_eq!(next.thread, expected);
        let nodes = next.ledger.expect("a ledger").nodes;
        assert_eq!(nodes, slot.ledger.nodes + u64::from(at_leaf));
    }
    sequencer.finish();
}

#[test]
fn the_ledger_keeps_the_move_that_refutes_the_root() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(124);
    for round in 0..80 {
        let mut slot = random_slot(&mut random);
        slot.thread.ply = (1 + u64::from(round % 4 == 3)).into();
        slot.thread.depth = slot.thread.ply.to_u64().into();
        slot.thread.enter = true;
        slot.thread.make = true;
        slot.thread.victim = true;
        slot.findings.in_check = false;
        let refutes = round % 4 != 2;
        slot.value_stands = !refutes;
        let promotes = round % 2 == 0;
        let rank = if promotes { 7 * random.below(2) } else { 3 };
        slot.frame.to = (8 * rank + random.below(8)).into();
        slot.frame.piece = 1.into();
        let (from, to) = (slot.frame.from.to_u8(), slot.frame.to.to_u8());
        let (from, to) = (Square::new(from), Square::new(to));
        let mv = match promotes {
            true => Move::promoting(from, to, Piece::PROMOTIONS[usize::from(slot.frame.promotion.to_u8())]),
            false => Move::new(from, to),
        };
        let ledger = sequencer.run(&slot).ledger.expect("a ledger");
        let at_root = slot.thread.ply == 1;
        let expected = match at_root && refutes {
            true => mv.bits(),
            false => slot.ledger.best.to_u16(),
        };
        assert_eq!(ledger.best.to_u16(), expected, "{mv}");
    }
    sequencer.finish();
}

#[test]
fn an_abort_ends_the_jobs_it_means() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(125);
    for round in 0..120 {
        let mut slot = random_slot(&mut random);
        slot.thread.quiet = true;
        slot.thread.active = round % 3 != 0;
        // A thread that still loads is aborted once it is whole.
        slot.thread.loading = round % 5 == 0;
        let (all, same_id) = (random.below(3) == 0, random.below(2) == 0);
        let id = slot.ledger.id.to_u64() ^ u64::from(!same_id);
        let uut = &mut sequencer.cosim.uut;
        uut.abort_valid.next = round % 7 != 0;
        uut.abort_all.next = all;
        uut.abort_id.next = id.into();
        slot.thread.aborted = round % 11 == 0;
        let next = sequencer.run(&slot);
        let aborted = slot.thread.aborted || round % 7 != 0 && (all || same_id);
        assert_eq!(next.thread.aborted, aborted);
        match aborted && !slot.thread.loading {
            true => check_done(&next.thread, Ending::Aborted),
            false => assert!(!next.thread.done),
        }
    }
    sequencer.finish();
}

#[test]
fn an_abort_does_not_touch_an_idle_thread_or_one_that_begins() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(126);
    sequencer.cosim.uut.abort_valid.next = true;
    sequencer.cosim.uut.abort_all.next = true;
    for round in 0..40 {
        let mut slot = random_slot(&mut random);
        let begins = round % 2 == 0;
        slot.thread.busy = begins;
        slot.thread.active = begins;
        slot.thread.load = begins;
        sequencer.show(&slot);
        assert_eq!(
            sequencer.cosim.uut.begun.val(),
            begins,
            "the loader must hear that the job began"
        );
        let next = sequencer.run(&slot).thread;
        assert_eq!((next.aborted, next.done, next.enter), (begins, false, begins));
    }
    sequencer.finish();
}

#[test]
fn results_are_held_until_taken() {
    let mut sequencer = Sequencer::new();
    let mut random = SplitMix64::new(127);
    let mut held: Option<[u64; 6]> = None;
    let mut taken = 0;
    for _ in 0..300 {
        let mut slot = random_slot(&mut random);
        slot.thread.active = false;
        slot.thread.done = random.below(2) == 0;
        slot.thread.aborted = slot.thread.done && random.below(4) == 0;
        let ending = 1 + random.below(6);
        slot.thread.ending = ending.into();
        let ready = random.below(3) == 0;
        sequencer.cosim.uut.result_ready.next = ready;
        let emits = slot.thread.done && (held.is_none() || ready);
        let next = sequencer.run(&slot);
        let expected = Thread {
            done: slot.thread.done && !emits,
            busy: !emits,
            aborted: slot.thread.aborted && !emits,
            ..rested(slot.thread)
        };
        assert_eq!(next.thread, expected);
        taken += u32::from(ready && held.is_some());
        if ready {
            held = None;
        }
        if emits {
            let ledger = &slot.ledger;
            let beta = ledger.beta.to_u16();
            let (score, best) = match ending {
                1 => (beta, ledger.best.to_u16()),
                2 => (beta.wrapping_sub(1), 0),
                _ => (0, 0),
            };
            let id = ledger.id.to_u16();
            let counts = (ledger.nodes.to_u64(), ledger.slots.to_u64());
            held = Some([
                u64::from(id),
                ending,
                u64::from(score),
                u64::from(best),
                counts.0,
                counts.1,
            ]);
        }
        let uut = &sequencer.cosim.uut;
        assert_eq!(uut.result_valid.val(), held.is_some());
        if let Some(held) = held {
            let found = [
                uut.result_id.val().to_u64(),
                uut.result_ending.val().to_u64(),
                uut.result_score.val().to_u64(),
                uut.result_best.val().to_u64(),
                uut.result_nodes.val().to_u64(),
                uut.result_slots.val().to_u64(),
            ];
            assert_eq!(found, held);
        }
    }
    assert!(taken >= 20, "{taken} results");
    sequencer.finish();
}
