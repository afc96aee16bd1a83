//! Who offers a node, who takes it over, and who hears of what became of it.

use bluebelle_hdl::core::STAGES;
use bluebelle_hdl::core::foreman::Foreman;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use rust_hdl::prelude::*;

/// The threads of a gang as they pass, one after the other. Each does nothing unless told to.
struct Gang {
    cosim: Cosim<Foreman>,
    at: usize,
    /// The ply that each thread is at.
    plies: [u8; THREADS],
    /// Which of them help, and which wait.
    helps: [bool; THREADS],
    waits: [bool; THREADS],
}

const THREADS: usize = STAGES as usize;

impl Gang {
    /// A gang whose leader is thread 0, which has just begun. All threads are at ply 3.
    fn new() -> Gang {
        let mut gang = Gang {
            cosim: Cosim::new(Foreman::default(), |uut| &mut uut.clock).allow_undefined(),
            at: THREADS - 1,
            plies: [3; THREADS],
            helps: [false; THREADS],
            waits: [false; THREADS],
        };
        gang.pass(|_| {});
        gang.pass(|uut| uut.starts.next = true);
        gang
    }

    /// The next thread is in stage 13; `tell` says what becomes of it.
    fn pass(&mut self, tell: impl Fn(&mut Foreman)) {
        self.at = (self.at + 1) % THREADS;
        let at = self.at;
        let reading = (at + 1) % THREADS;
        let uut = &mut self.cosim.uut;
        uut.coming.next = ((at + 2) % THREADS).to_bits();
        uut.reading.next = reading.to_bits();
        uut.reading_ply.next = u64::from(self.plies[reading]).into();
        uut.reading_gang.next = true;
        uut.reading_helps.next = self.helps[reading];
        uut.reading_waits.next = self.waits[reading];
        uut.index.next = at.to_bits();
        for input in [
            &mut uut.starts,
            &mut uut.disbands,
            &mut uut.leaves,
            &mut uut.claims,
            &mut uut.reports,
            &mut uut.report_cut,
            &mut uut.hands_on,
            &mut uut.releases,
            &mut uut.searches,
            &mut uut.opens,
            &mut uut.returns,
            &mut uut.counts,
            &mut uut.best_found,
        ] {
            input.next = false;
        }
        uut.waits.next = self.waits[at];
        uut.in_gang.next = true;
        uut.limit.next = 5.into();
        uut.best_move.next = 0.into();
        tell(uut);
        self.cosim.settle();
        self.cosim.tick();
    }

    /// Others pass until a thread is next.
    fn until(&mut self, next: usize) {
        while (self.at + 1) % THREADS != next {
            self.pass(|_| {});
        }
    }

    /// What a thread sees when it is in stage 13.
    fn look(&mut self, at: usize, see: impl Fn(&Foreman) -> bool) -> bool {
        self.until(at);
        let uut = &mut self.cosim.uut;
        uut.index.next = at.to_bits();
        uut.waits.next = self.waits[at];
        self.cosim.settle();
        see(&self.cosim.uut)
    }

    /// A thread makes a move in a node that can be given away, and is below it then.
    fn open(&mut self, at: usize) {
        self.until(at);
        self.pass(|uut| {
            uut.searches.next = true;
            uut.opens.next = true;
        });
        self.plies[at] += 1;
    }

    fn claim(&mut self, at: usize) {
        self.until(at);
        self.pass(|uut| uut.claims.next = true);
        self.helps[at] = true;
    }
}

#[test]
fn it_can_be_synthesized() {
    synthesis_check(&{
        let mut foreman = Foreman::default();
        foreman.connect_all();
        foreman
    });
}

#[test]
fn a_node_is_offered_and_taken_over_once() {
    let mut gang = Gang::new();
    gang.open(0);
    assert!(!gang.look(1, |uut| uut.offered.val()), "the next thread sees no offer");
    assert!(gang.look(2, |uut| uut.offered.val()));
    assert_eq!(gang.cosim.uut.offer_boss.val(), 0);
    assert_eq!(gang.cosim.uut.offer_below.val(), 4);
    gang.claim(5);
    assert!(!gang.look(6, |uut| uut.offered.val()));
    assert!(gang.look(0, |uut| uut.comes.val()
        && !uut.hands.val()
        && uut.fork_below.val() == 4));
    assert!(gang.look(5, |uut| uut.at_base.val()
        && uut.stays.val()
        && !uut.barred.val()
        && !uut.comes.val()));

    // Above or below that ply the boss has not come back to its node.
    for ply in [3, 5] {
        gang.plies[0] = ply;
        assert!(gang.look(0, |uut| !uut.comes.val()));
        gang.pass(|_| {});
    }
    gang.plies[0] = 4;

    // It is done: its boss has one node less to come back to, and can give away another.
    gang.until(5);
    gang.pass(|uut| {
        uut.reports.next = true;
        uut.releases.next = true;
    });
    gang.helps[5] = false;
    assert!(gang.look(0, |uut| !uut.comes.val() && !uut.called.val() && uut.closed_above.val()));
    gang.pass(|uut| uut.searches.next = true);
    assert!(gang.look(0, |uut| uut.closed_above.val()), "it is remembered");
    gang.cosim.finish();
}

#[test]
fn a_node_that_is_taken_over_at_the_last_moment_is_known_to_its_boss() {
    // Two threads before the boss, and one: its plies are read, and compared, in these very cycles.
    for helper in [THREADS - 2, THREADS - 1] {
        let mut gang = Gang::new();
        gang.open(0);
        gang.claim(helper);
        assert!(
            gang.look(0, |uut| uut.comes.val() && uut.fork_below.val() == 4),
            "thread {helper}"
        );
        gang.cosim.finish();
    }
}

#[test]
fn who_refutes_a_node_calls_its_boss_and_who_lets_go_stops_its_helper() {
    let mut gang = Gang::new();
    gang.open(0);
    gang.claim(8);
    gang.open(8);
    gang.claim(1);
    gang.until(8);
    gang.pass(|uut| {
        uut.reports.next = true;
        uut.report_cut.next = true;
        uut.releases.next = true;
    });
    gang.helps[8] = false;
    assert!(gang.look(0, |uut| uut.called.val() && uut.barred.val() && !uut.comes.val()));
    assert!(gang.look(1, |uut| uut.stopped.val() && uut.barred.val()));
    assert!(gang.look(2, |uut| !uut.stopped.val() && !uut.barred.val()));
    gang.cosim.finish();
}

#[test]
fn who_waits_is_barred_until_its_helper_is_done() {
    for cut in [false, true] {
        let mut gang = Gang::new();
        gang.open(0);
        gang.claim(8);
        gang.waits[0] = true;
        assert!(gang.look(0, |uut| uut.barred.val() && !uut.comes.val() && !uut.called.val()));
        gang.until(8);
        gang.pass(|uut| {
            uut.reports.next = true;
            uut.report_cut.next = cut;
            uut.releases.next = true;
        });
        assert!(gang.look(0, |uut| !uut.barred.val() && uut.helper_cut.val() == cut));
        gang.cosim.finish();
    }
}

#[test]
fn a_helper_is_replaced_by_its_own() {
    let mut gang = Gang::new();
    gang.open(0);
    gang.claim(8);
    gang.open(8);
    gang.claim(1);
    assert!(gang.look(8, |uut| uut.comes.val() && uut.hands.val()));
    gang.pass(|uut| uut.hands_on.next = true);
    gang.helps[8] = false;
    assert!(gang.look(8, |uut| !uut.comes.val()));
    gang.until(1);
    gang.pass(|uut| {
        uut.reports.next = true;
        uut.report_cut.next = true;
        uut.releases.next = true;
    });
    assert!(gang.look(0, |uut| uut.called.val()));
    gang.cosim.finish();
}

#[test]
fn all_stop_when_the_job_is_over_and_nodes_have_a_limit() {
    let mut gang = Gang::new();
    gang.open(0);
    gang.claim(8);
    for _ in 0..5 {
        assert!(!gang.cosim.uut.spent.val());
        gang.pass(|uut| uut.counts.next = true);
    }
    gang.pass(|_| {});
    assert!(gang.look((gang.at + 1) % THREADS, |uut| uut.spent.val() && uut.nodes.val() == 5));
    gang.until(0);
    gang.pass(|uut| uut.disbands.next = true);
    assert!(gang.look(8, |uut| uut.stopped.val()));
    assert!(gang.look(0, |uut| !uut.comes.val()));
    gang.cosim.finish();
}
