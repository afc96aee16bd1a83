//! The sequencer on its own: slots with made-up findings go in, the next slots come out.

use bluebelle_hdl::core::STAGES;
use bluebelle_hdl::core::decide::Decide;
use bluebelle_hdl::core::judge::Judge;
use bluebelle_hdl::core::thread::{Findings, Frame, Ledger, Terms, Thread};
use bluebelle_hdl::harness::Cosim;
use bluebelle_spec::leaf::MAX_DEPTH;
use bluebelle_spec::rng::SplitMix64;

/// A slot that has come round, and all that is known of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    pub(crate) thread: Thread,
    pub(crate) findings: Findings,
    pub(crate) frame: Frame,
    pub(crate) ledger: Ledger,
    pub(crate) value_holds: bool,
    pub(crate) value_stands: bool,
    pub(crate) value_fails: bool,
    pub(crate) mate_holds: bool,
    pub(crate) draw_holds: bool,
}

/// What the sequencer makes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub(crate) thread: Thread,
    pub(crate) pushed: Option<Frame>,
    pub(crate) ledger: Option<Ledger>,
}

/// Both halves, wired as in the core.
pub(crate) struct Sequencer {
    pub(crate) judge: Cosim<Judge>,
    pub(crate) cosim: Cosim<Decide>,
}

impl Sequencer {
    pub(crate) fn new() -> Sequencer {
        Sequencer {
            judge: Cosim::new(Judge::default(), |uut| &mut uut.clock),
            cosim: Cosim::new(Decide::default(), |uut| &mut uut.clock),
        }
    }

    /// Shows a slot to the second half, without a cycle of it: what is known at once may be looked at.
    pub(crate) fn show(&mut self, slot: &Slot) {
        self.judge.cycle(|uut| {
            uut.thread_in.next = slot.thread;
            uut.findings_in.next = slot.findings;
            uut.frame_in.next = slot.frame;
            uut.ledger_in.next = slot.ledger;
            uut.last_node.next = slot.ledger.nodes + 1 == slot.ledger.limit;
        });
        let judged = &self.judge.uut;
        let uut = &mut self.cosim.uut;
        uut.thread_in.next = judged.thread.val();
        uut.findings.next = judged.findings.val();
        uut.frame.next = judged.frame.val();
        uut.ledger.next = judged.ledger.val();
        uut.judgement.next = judged.judgement.val();
        uut.value_holds.next = slot.value_holds;
        uut.value_stands.next = slot.value_stands;
        uut.value_fails.next = slot.value_fails;
        uut.mate_holds.next = slot.mate_holds;
        uut.draw_holds.next = slot.draw_holds;
        self.cosim.settle();
    }

    pub(crate) fn finish(self) {
        self.judge.finish();
        self.cosim.finish();
    }

    /// A slot, and what comes of it.
    pub(crate) fn run(&mut self, slot: &Slot) -> Next {
        self.show(slot);
        let uut = &self.cosim.uut;
        let pushed = uut.push_frame.val().then(|| uut.frame_out.val());
        let terms = match uut.take_job.val() {
            true => uut.terms_out.val(),
            false => Terms {
                id: slot.ledger.id,
                beta: slot.ledger.beta,
                limit: slot.ledger.limit,
            },
        };
        let tally = uut.tally_out.val();
        let ledger = uut.write_tally.val().then_some(Ledger {
            id: terms.id,
            beta: terms.beta,
            limit: terms.limit,
            nodes: tally.nodes,
            slots: tally.slots,
            best: tally.best,
        });
        assert_eq!(uut.busy.val(), slot.thread.active);
        let index = self.cosim.cycles() % u64::from(STAGES);
        self.cosim.tick();
        let thread = self.cosim.uut.thread_out.val();
        assert_eq!(
            u64::from(thread.index.to_u8()),
            index,
            "a thread comes by every {STAGES} cycles"
        );
        Next {
            // What the next slot gets from the findings or the frame, whatever the thread holds.
            thread: Thread {
                index: slot.thread.index,
                ..thread
            },
            pushed,
            ledger,
        }
    }
}

/// A slot of a busy thread somewhere in a search without pruning, with nothing to do yet; every fact is random.
pub(crate) fn random_slot(random: &mut SplitMix64) -> Slot {
    let mut bits = |count: u32| random.next_u64() >> (64 - count);
    let mut thread = Thread {
        active: true,
        busy: true,
        fresh: true,
        ply: (1 + bits(8) % 30).into(),
        depth: (bits(8) % (u64::from(MAX_DEPTH) + 1)).into(),
        origin: bits(6).into(),
        from: bits(6).into(),
        to: bits(6).into(),
        promotion: bits(2).into(),
        piece: bits(3).into(),
        captured: bits(3).into(),
        black: bits(64).into(),
        code0: bits(64).into(),
        code1: bits(64).into(),
        code2: bits(64).into(),
        castling: bits(4).into(),
        en_passant: bits(4).into(),
        white_king: bits(6).into(),
        black_king: bits(6).into(),
        mg: bits(16).into(),
        eg: bits(16).into(),
        phase: bits(8).into(),
        killer: bits(12).into(),
        child_killer: bits(12).into(),
        ..Default::default()
    };
    thread.mover = bits(1) == 1;
    thread.after_null = bits(1) == 1;
    thread.turn = bits(1) == 1;
    thread.special = bits(1) == 1;
    thread.last_victim = bits(1) == 1;
    thread.last = bits(1) == 1;
    thread.found_legal = bits(1) == 1;
    thread.full = bits(1) == 1;
    thread.has_killer = bits(1) == 1;
    thread.has_child_killer = bits(1) == 1;
    let findings = Findings {
        square: bits(6).into(),
        last: bits(1) == 1,
        code: bits(3).into(),
        next_piece: bits(6).into(),
        has_next: bits(1) == 1,
        last_piece: bits(1) == 1,
        in_check: bits(1) == 1,
        ..Default::default()
    };
    let frame = Frame {
        from: bits(6).into(),
        to: bits(6).into(),
        promotion: bits(2).into(),
        piece: bits(3).into(),
        captured: bits(3).into(),
        special: bits(1) == 1,
        castling: bits(4).into(),
        en_passant: bits(4).into(),
        walk: bits(2).into(),
        passed: false,
        reduced: false,
        depth: (bits(8) % (u64::from(MAX_DEPTH) + 1)).into(),
        last_victim: bits(1) == 1,
        last: bits(1) == 1,
        found_legal: bits(1) == 1,
        full: bits(1) == 1,
        next_piece: bits(6).into(),
        has_next: bits(1) == 1,
        killer: bits(12).into(),
        has_killer: bits(1) == 1,
    };
    // Far from the limit.
    let ledger = Ledger {
        id: bits(16).into(),
        beta: bits(16).into(),
        limit: (0x1000_0000 | bits(27)).into(),
        nodes: bits(27).into(),
        slots: bits(31).into(),
        best: bits(16).into(),
    };
    Slot {
        thread,
        findings,
        frame,
        ledger,
        value_holds: bits(1) == 1,
        value_stands: false,
        value_fails: false,
        mate_holds: bits(1) == 1,
        draw_holds: bits(1) == 1,
    }
}

/// The thread without anything to do.
pub(crate) fn rested(thread: Thread) -> Thread {
    Thread {
        active: false,
        load: false,
        hop: false,
        make: false,
        unmake: false,
        undo: false,
        enter: false,
        victim: false,
        attacker: false,
        killing: false,
        quiet: false,
        push: false,
        promote: false,
        again: false,
        cut: false,
        fresh: true,
        ..thread
    }
}

/// The slot after a node has returned: the move that led to it is taken back, and the node above goes on.
pub(crate) fn returned(slot: &Slot, legal: bool, holds: bool) -> Thread {
    let Slot { thread, frame, .. } = *slot;
    let up = Thread {
        active: true,
        ply: thread.ply - 1,
        mover: !thread.turn,
        undo: true,
        hop: frame.special,
        unmake: !frame.special,
        from: frame.from,
        to: frame.to,
        promotion: frame.promotion,
        piece: frame.piece,
        captured: frame.captured,
        special: frame.special,
        castling: frame.castling,
        en_passant: frame.en_passant,
        last_victim: frame.last_victim,
        last: frame.last,
        full: frame.full,
        depth: frame.depth,
        found_legal: frame.found_legal || legal && !frame.passed,
        killer: frame.killer,
        has_killer: frame.has_killer,
        child_killer: thread.killer,
        has_child_killer: thread.has_killer && !frame.passed,
        ..rested(thread)
    };
    let (from, to) = (frame.from.to_u8(), frame.to.to_u8());
    let walk = frame.walk.to_u8();
    // The enemy has no answer: the node above has its refutation. A quiet move of a piece becomes the killer.
    if legal && !holds {
        let cut = Thread { cut: true, ..up };
        return match walk {
            2 => Thread {
                killer: (u64::from(from) | u64::from(to) << 6).into(),
                has_killer: true,
                ..cut
            },
            _ => cut,
        };
    }
    let next_piece = Thread {
        quiet: true,
        origin: frame.next_piece,
        ..up
    };
    let next_push = Thread { push: true, ..up };
    let promotes = frame.piece == 1 && matches!(to / 8, 0 | 7);
    match walk {
        0 if frame.passed => Thread { victim: true, ..up },
        0 if promotes && frame.full && frame.promotion != 3 => Thread { promote: true, ..up },
        0 if !frame.last => Thread {
            attacker: true,
            origin: frame.to,
            fresh: false,
            ..up
        },
        0 if !frame.last_victim => Thread {
            victim: true,
            fresh: false,
            ..up
        },
        0 if !frame.full => up,
        0 if thread.pruning => Thread {
            victim: true,
            fresh: false,
            ..up
        },
        0 if frame.has_killer => Thread {
            killing: true,
            origin: (frame.killer.to_u64() & 63).into(),
            ..up
        },
        0 => next_piece,
        2 if !frame.last => Thread {
            quiet: true,
            origin: frame.from,
            fresh: false,
            ..up
        },
        1 | 2 if frame.has_next => next_piece,
        1 | 2 => next_push,
        _ if !frame.last => Thread {
            fresh: false,
            ..next_push
        },
        _ => up,
    }
}
