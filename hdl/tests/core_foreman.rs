//! Who offers a node, who takes it over, and who hears of what became of it.

use bluebelle_hdl::core::STAGES;
use bluebelle_hdl::core::foreman::Foreman;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use rust_hdl::prelude::*;

/// The threads of a gang as they pass, one after the other. Each is at a ply, and does nothing unless told to.
struct Gang {
    cosim: Cosim<Foreman>,
    at: usize,
}

const THREADS: usize = STAGES as usize;

impl Gang {
    /// A gang whose leader is thread 0, which has just begun.
    fn new() -> Gang {
        let cosim = Cosim::new(Foreman::default(), |uut| &mut uut.clock).allow_undefined();
        let mut gang = Gang { cosim, at: THREADS - 1 };
        gang.pass(|_| {});
        gang.pass(|uut| uut.starts.next = true);
        gang
    }

    /// The next thread is in stage 13; `tell` says what becomes of it. It is at ply 3.
    fn pass(&mut self, tell: impl Fn(&mut Foreman)) {
        self.at = (self.at + 1) % THREADS;
        let at = self.at;
        let uut = &mut self.cosim.uut;
        uut.reading.next = ((at + 1) % THREADS).to_bits();
        uut.reading_ply.next = 3.into();
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
            &mut uut.waits,
            &mut uut.makes,
            &mut uut.opens,
            &mut uut.returns,
            &mut uut.counts,
            &mut uut.best_found,
        ] {
            input.next = false;
        }
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
        self.cosim.settle();
        see(&self.cosim.uut)
    }

    /// A thread makes a move in a node of ply 3 that can be given away.
    fn open(&mut self, at: usize) {
        self.until(at);
        self.pass(|uut| {
            uut.searches.next = true;
            uut.makes.next = true;
            uut.opens.next = true;
        });
    }

    fn claim(&mut self, at: usize) {
        self.until(at);
        self.pass(|uut| uut.claims.next = true);
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
    assert!(gang.look(0, |uut| uut.forked.val() && uut.fork_below.val() == 4));
    assert!(gang.look(5, |uut| uut.base.val() == 3 && !uut.forked.val()));

    // It is done: its boss has one node less to come back to, and can give away another.
    gang.until(5);
    gang.pass(|uut| uut.reports.next = true);
    assert!(gang.look(0, |uut| !uut.forked.val() && !uut.helper_cut.val()));
    gang.cosim.finish();
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
    assert!(gang.look(1, |uut| uut.stopped.val()));
    assert!(gang.look(0, |uut| uut.forked.val() && uut.helper_cut.val()));
    gang.cosim.finish();
}

#[test]
fn a_helper_is_replaced_by_its_own() {
    let mut gang = Gang::new();
    gang.open(0);
    gang.claim(8);
    gang.open(8);
    gang.claim(1);
    gang.until(8);
    gang.pass(|uut| uut.hands_on.next = true);
    assert!(gang.look(8, |uut| !uut.forked.val()));
    gang.until(1);
    gang.pass(|uut| {
        uut.reports.next = true;
        uut.report_cut.next = true;
    });
    assert!(gang.look(0, |uut| uut.forked.val() && uut.helper_cut.val()));
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
    assert!(gang.look(0, |uut| !uut.forked.val()));
    gang.cosim.finish();
}
