//! Stage 13: what the next slot does.

use rust_hdl::prelude::*;

use super::thread::{Findings, Frame, Judgement, Ledger, Tally, Terms, Thread};

/// The second half of the sequencer: from what a slot found and its value to what the next one does. It follows the steps of the
/// golden search (`bluebelle_spec::leaf`), and the table of its slots.
#[derive(LogicBlock, Default)]
pub struct Decide {
    pub clock: Signal<In, Clock>,
    // Thread and all that is known of it in, every cycle
    pub thread_in: Signal<In, Thread>,
    pub findings: Signal<In, Findings>,
    pub frame: Signal<In, Frame>,
    pub ledger: Signal<In, Ledger>,
    pub judgement: Signal<In, Judgement>,
    pub value_holds: Signal<In, Bit>,
    pub value_stands: Signal<In, Bit>,
    pub value_fails: Signal<In, Bit>,
    pub mate_holds: Signal<In, Bit>,
    pub draw_holds: Signal<In, Bit>,
    // Thread out, a cycle later
    pub thread_out: Signal<Out, Thread>,
    // Memories: written when told
    pub push_frame: Signal<Out, Bit>,
    pub frame_out: Signal<Out, Frame>,
    pub write_tally: Signal<Out, Bit>,
    pub tally_out: Signal<Out, Tally>,
    /// Of the job that is taken; written with `take_job`.
    pub terms_out: Signal<Out, Terms>,
    // Job in, from the loader
    pub job_ready: Signal<In, Bit>,
    pub job_id: Signal<In, Bits<16>>,
    pub job_rules: Signal<In, Bits<16>>,
    pub job_beta: Signal<In, Bits<16>>,
    pub job_limit: Signal<In, Bits<29>>,
    pub job_first: Signal<In, Bits<16>>,
    pub first_piece: Signal<In, Bits<3>>,
    pub first_captured: Signal<In, Bits<3>>,
    pub take_job: Signal<Out, Bit>,
    pub piece_valid: Signal<In, Bit>,
    pub piece_square: Signal<In, Bits<6>>,
    pub piece_code: Signal<In, Bits<3>>,
    pub piece_black: Signal<In, Bit>,
    pub piece_last: Signal<In, Bit>,
    pub piece_start: Signal<In, Bit>,
    pub take_piece: Signal<Out, Bit>,
    pub begun: Signal<Out, Bit>,
    // Abort in, held for a whole trip
    pub abort_valid: Signal<In, Bit>,
    pub abort_all: Signal<In, Bit>,
    pub abort_id: Signal<In, Bits<16>>,
    // The gang: whether there can be one, what is known of this thread in, and what becomes of it out, as in [`super::foreman`]
    pub gangs: Signal<In, Bit>,
    pub gang_running: Signal<In, Bit>,
    pub gang_spent: Signal<In, Bit>,
    pub gang_nodes: Signal<In, Bits<29>>,
    pub gang_best: Signal<In, Bits<16>>,
    pub stopped: Signal<In, Bit>,
    pub called: Signal<In, Bit>,
    pub barred: Signal<In, Bit>,
    pub stays: Signal<In, Bit>,
    pub comes: Signal<In, Bit>,
    pub hands: Signal<In, Bit>,
    pub at_base: Signal<In, Bit>,
    pub helper_cut: Signal<In, Bit>,
    pub fork_below: Signal<In, Bits<5>>,
    pub closed_above: Signal<In, Bit>,
    pub offered: Signal<In, Bit>,
    pub offer_boss: Signal<In, Bits<4>>,
    pub offer_below: Signal<In, Bits<5>>,
    pub gang_starts: Signal<Out, Bit>,
    pub gang_disbands: Signal<Out, Bit>,
    pub gang_leaves: Signal<Out, Bit>,
    pub claims: Signal<Out, Bit>,
    pub reports: Signal<Out, Bit>,
    pub report_cut: Signal<Out, Bit>,
    pub hands_on: Signal<Out, Bit>,
    pub releases: Signal<Out, Bit>,
    pub searches: Signal<Out, Bit>,
    pub gang_waits: Signal<Out, Bit>,
    pub gang_opens: Signal<Out, Bit>,
    pub goes_up: Signal<Out, Bit>,
    pub gang_counts: Signal<Out, Bit>,
    pub in_gang: Signal<Out, Bit>,
    pub best_found: Signal<Out, Bit>,
    pub best_move: Signal<Out, Bits<16>>,
    // Result out, held until ready
    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_id: Signal<Out, Bits<16>>,
    pub result_ending: Signal<Out, Bits<3>>,
    pub result_score: Signal<Out, Bits<16>>,
    pub result_best: Signal<Out, Bits<16>>,
    pub result_nodes: Signal<Out, Bits<32>>,
    pub result_slots: Signal<Out, Bits<32>>,
    pub busy: Signal<Out, Bit>,

    counter: DFF<Bits<4>>,
    state: DFF<Thread>,
    out_valid: DFF<Bit>,
    out_id: DFF<Bits<16>>,
    out_ending: DFF<Bits<3>>,
    out_score: DFF<Bits<16>>,
    out_best: DFF<Bits<16>>,
    out_nodes: DFF<Bits<29>>,
    out_slots: DFF<Bits<32>>,

    // The node
    passes: Signal<Local, Bit>,
    settled: Signal<Local, Bit>,
    makes: Signal<Local, Bit>,
    victim_found: Signal<Local, Bit>,
    done_here: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    fails: Signal<Local, Bit>,
    refutes: Signal<Local, Bit>,
    cuts: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    resumes: Signal<Local, Bit>,
    returns: Signal<Local, Bit>,
    goes_on: Signal<Local, Bit>,
    at_root: Signal<Local, Bit>,
    spends: Signal<Local, Bit>,
    finishes: Signal<Local, Bit>,
    finish_ending: Signal<Local, Bits<3>>,
    found_square: Signal<Local, Bits<6>>,
    found_code: Signal<Local, Bits<3>>,
    found_last_rank: Signal<Local, Bit>,
    up_code: Signal<Local, Bits<16>>,

    // The gang
    leads: Signal<Local, Bit>,
    rests: Signal<Local, Bit>,
    reporting: Signal<Local, Bit>,
    handing_on: Signal<Local, Bit>,
    freed: Signal<Local, Bit>,
    claiming: Signal<Local, Bit>,
    settles_root: Signal<Local, Bit>,

    // The job
    loads: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    has_first: Signal<Local, Bit>,
    first_special: Signal<Local, Bit>,
    first_from: Signal<Local, Bits<6>>,
    first_to: Signal<Local, Bits<6>>,
    first_code: Signal<Local, Bits<3>>,
    first_promotion: Signal<Local, Bits<2>>,
    rules: Signal<Local, Bits<16>>,
    ends_job: Signal<Local, Bit>,
    asks_gang: Signal<Local, Bit>,
    first_passes: Signal<Local, Bit>,
    aborted: Signal<Local, Bit>,
    result_free: Signal<Local, Bit>,
    emits: Signal<Local, Bit>,
    beta_less: Signal<Local, Bits<16>>,
    one: Signal<Local, Bits<16>>,
    first_move: Signal<Local, Bits<16>>,
}

impl Logic for Decide {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, counter, state, out_valid, out_id, out_ending, out_score, out_best, out_nodes, out_slots
        );
        self.one.next = 1.into();
        self.found_square.next = self.findings.val().square;
        self.found_code.next = self.findings.val().code;
        self.found_last_rank.next =
            (self.found_square.val().get_bits::<3>(3) == 0) | (self.found_square.val().get_bits::<3>(3) == 7);

        // The node is settled by its value, or if it has nothing to search. A null move comes before all others.
        self.passes.next = self.judgement.val().may_pass & self.value_holds.val() & !self.value_stands.val();
        self.settled.next = self.value_stands.val() | self.value_fails.val() | self.passes.val();
        self.victim_found.next = self.judgement.val().victim_found & !self.settled.val();
        self.makes.next = self.judgement.val().makes | self.passes.val();
        self.done_here.next = self.judgement.val().returns | self.value_stands.val() | self.value_fails.val();
        self.holds.next = self.judgement.val().holds | self.value_stands.val();
        if self.judgement.val().mated {
            self.holds.next = self.mate_holds.val();
        }
        if self.judgement.val().stalemated {
            self.holds.next = self.draw_holds.val();
        }
        self.fails.next = self.judgement.val().legal & !self.holds.val();

        // A node that fails refutes the move above it, unless it was searched less deep than others. Who goes back to the node above is told by
        // the gang, too; the value comes late here, and what the gang says of the thread is known: so both meet in one step.
        self.refutes.next = self.done_here.val() & self.fails.val() & !self.frame.val().reduced;
        self.cuts.next = (self.refutes.val() & !self.stays.val())
            | (self.done_here.val() & self.thread_in.val().waits & self.helper_cut.val() & !self.stays.val());
        self.again.next = self.done_here.val() & self.fails.val() & self.frame.val().reduced & !self.stays.val();
        self.resumes.next = self.done_here.val()
            & !self.fails.val()
            & !self.stays.val()
            & !self.comes.val()
            & !self.thread_in.val().waits
            & !self.closed_above.val();
        self.returns.next = self.done_here.val() & !self.stays.val() & !(self.comes.val() & !self.fails.val());

        // The gang. Who is stopped, or called back to a node that a helper has settled, forgets what this slot has found. Who comes back to
        // a node whose rest it has given away, and has not settled it, waits for the helper; if it has the node from another thread itself,
        // its helper takes its place.
        self.leads.next = self.thread_in.val().gang & !self.thread_in.val().helps;
        self.reporting.next = self.done_here.val() & self.at_base.val() & !self.barred.val();
        self.handing_on.next = self.done_here.val() & !self.fails.val() & self.hands.val();
        self.rests.next = (self.barred.val() & !self.stopped.val())
            | (self.done_here.val() & !self.fails.val() & self.comes.val() & !self.hands.val());
        self.freed.next = self.stopped.val() | self.reporting.val() | self.handing_on.val();
        self.goes_on.next = !self.barred.val();

        // The job's share: loading, starting, stopping.
        self.rules.next = self.job_rules.val();
        self.asks_gang.next = self.rules.val().get_bits::<2>(14).all() & self.gangs.val();
        self.starts.next = !self.thread_in.val().busy & self.job_ready.val() & !self.gang_running.val();
        self.claiming.next = !self.thread_in.val().busy & self.gang_running.val() & self.offered.val();
        self.loads.next = self.thread_in.val().loading & self.piece_valid.val();
        self.begins.next = self.thread_in.val().load & self.thread_in.val().active & !self.thread_in.val().loading;
        self.first_move.next = self.job_first.val();
        self.has_first.next = self.first_move.val().any();
        self.first_from.next = self.first_move.val().get_bits::<6>(0);
        self.first_to.next = self.first_move.val().get_bits::<6>(6);
        self.first_code.next = self.first_move.val().get_bits::<3>(12);
        self.first_promotion.next = 0.into();
        if self.first_code.val() == 6 {
            self.first_promotion.next = 1.into();
        }
        if self.first_code.val() == 5 {
            self.first_promotion.next = 2.into();
        }
        if self.first_code.val() == 2 {
            self.first_promotion.next = 3.into();
        }
        // A pawn that goes aside to an empty square captures en passant.
        self.first_passes.next = (self.first_piece.val() == 1)
            & (self.first_captured.val() == 0)
            & (self.first_from.val().get_bits::<3>(0) != self.first_to.val().get_bits::<3>(0));
        self.first_special.next = self.first_passes.val()
            | ((self.first_piece.val() == 4)
                & (self.first_from.val().get_bits::<3>(0) == 4)
                & ((self.first_to.val().get_bits::<3>(0) == 2) | (self.first_to.val().get_bits::<3>(0) == 6)));
        self.aborted.next = self.thread_in.val().busy
            & !self.thread_in.val().helps
            & (self.thread_in.val().aborted
                | (self.abort_valid.val() & (self.abort_all.val() | (self.abort_id.val() == self.ledger.val().id))));

        self.at_root.next = (self.thread_in.val().ply == 0) & !self.thread_in.val().helps;
        self.spends.next = self.leads.val() & self.gang_spent.val() & self.judgement.val().deciding;
        self.finishes.next = self.judgement.val().limit_hit
            | self.spends.val()
            | (self.done_here.val() & self.at_root.val() & !self.barred.val());
        self.finish_ending.next = 2.into();
        if self.holds.val() {
            self.finish_ending.next = 1.into();
        }
        if self.thread_in.val().perft {
            self.finish_ending.next = 3.into();
        }
        if !self.judgement.val().legal {
            self.finish_ending.next = 6.into();
        }
        if self.judgement.val().limit_hit | self.spends.val() {
            self.finish_ending.next = 4.into();
        }

        self.up_code.next = bit_cast::<16, 6>(self.frame.val().from)
            | (bit_cast::<16, 6>(self.frame.val().to) << 6)
            | (bit_cast::<16, 3>(self.judgement.val().up_promotion) << 12);

        // The next slot. Without anything below, the thread idles.
        self.state.d.next = self.thread_in.val();
        self.state.d.next.index = self.counter.q.val();
        self.state.d.next.active = false;
        self.state.d.next.load = false;
        self.state.d.next.hop = false;
        self.state.d.next.make = false;
        self.state.d.next.unmake = false;
        self.state.d.next.joins = false;
        self.state.d.next.waits = false;
        self.state.d.next.aborted = self.aborted.val();
        if self.thread_in.val().active & self.thread_in.val().hop & self.goes_on.val() {
            // The other half of the move.
            self.state.d.next.active = true;
            if self.thread_in.val().undo {
                self.state.d.next.unmake = true;
            } else {
                self.state.d.next.make = true;
            }
        } else {
            self.state.d.next.undo = false;
            self.state.d.next.enter = false;
            self.state.d.next.victim = false;
            self.state.d.next.attacker = false;
            self.state.d.next.killing = false;
            self.state.d.next.quiet = false;
            self.state.d.next.push = false;
            self.state.d.next.promote = false;
            self.state.d.next.again = false;
            self.state.d.next.cut = false;
            self.state.d.next.fresh = true;
        }
        if self.judgement.val().deciding {
            self.state.d.next.full = self.judgement.val().full;
        }
        if self.victim_found.val() & self.goes_on.val() {
            self.state.d.next.active = true;
            self.state.d.next.attacker = true;
            self.state.d.next.origin = self.found_square.val();
            self.state.d.next.to = self.found_square.val();
            self.state.d.next.captured = self.found_code.val();
            self.state.d.next.special = false;
            self.state.d.next.last_victim = self.findings.val().last;
            if (self.found_code.val() == 0) & !self.found_last_rank.val() {
                self.state.d.next.captured = 1.into();
                self.state.d.next.special = true;
            }
        }
        if self.judgement.val().tries_victim & self.goes_on.val() {
            self.state.d.next.active = true;
            self.state.d.next.victim = true;
            self.state.d.next.fresh = false;
        }
        if self.judgement.val().tries_killer & !self.settled.val() & self.goes_on.val() {
            self.state.d.next.active = true;
            self.state.d.next.killing = true;
            self.state.d.next.origin = bit_cast::<6, 12>(self.thread_in.val().killer);
        }
        if self.judgement.val().tries_piece & !self.settled.val() & self.goes_on.val() {
            self.state.d.next.active = true;
            self.state.d.next.quiet = true;
            self.state.d.next.origin = self.findings.val().next_piece;
        }
        if self.judgement.val().tries_push & self.goes_on.val() {
            self.state.d.next.active = true;
            self.state.d.next.push = true;
        }
        if self.makes.val() {
            self.state.d.next.mover = self.thread_in.val().turn;
            self.state.d.next.from = self.judgement.val().from;
            self.state.d.next.to = self.judgement.val().to;
            self.state.d.next.piece = self.judgement.val().piece;
            self.state.d.next.captured = self.judgement.val().captured;
            self.state.d.next.special = self.judgement.val().special;
            self.state.d.next.promotion = self.judgement.val().promotion;
            self.state.d.next.found_legal = false;
            self.state.d.next.killer = self.thread_in.val().child_killer;
            self.state.d.next.has_killer = self.thread_in.val().has_child_killer;
            self.state.d.next.has_child_killer = false;
            self.state.d.next.after_null = self.passes.val();
            self.state.d.next.depth = self.judgement.val().depth;
        }
        if self.makes.val() & self.goes_on.val() {
            self.state.d.next.active = true;
            self.state.d.next.ply = self.thread_in.val().ply + 1;
            self.state.d.next.enter = true;
            self.state.d.next.victim = true;
            if self.judgement.val().special {
                self.state.d.next.hop = true;
            } else {
                self.state.d.next.make = true;
            }
        }
        // Who waits, or is free, has no use for what the node above is told here: it hears it again when it goes there.
        if self.done_here.val() {
            self.state.d.next.mover = !self.thread_in.val().turn;
            self.state.d.next.from = self.frame.val().from;
            self.state.d.next.to = self.frame.val().to;
            self.state.d.next.promotion = self.frame.val().promotion;
            self.state.d.next.piece = self.frame.val().piece;
            self.state.d.next.captured = self.frame.val().captured;
            self.state.d.next.special = self.frame.val().special;
            self.state.d.next.castling = self.frame.val().castling;
            self.state.d.next.en_passant = self.frame.val().en_passant;
            self.state.d.next.last_victim = self.frame.val().last_victim;
            self.state.d.next.last = self.frame.val().last;
            self.state.d.next.full = self.frame.val().full;
            self.state.d.next.depth = self.frame.val().depth;
            self.state.d.next.found_legal =
                self.frame.val().found_legal | (self.judgement.val().legal & !self.frame.val().passed);
            self.state.d.next.killer = self.frame.val().killer;
            self.state.d.next.has_killer = self.frame.val().has_killer;
            self.state.d.next.child_killer = self.thread_in.val().killer;
            self.state.d.next.has_child_killer =
                self.thread_in.val().has_killer & !self.frame.val().passed & !self.thread_in.val().waits;
        }
        if self.refutes.val() & (self.frame.val().walk == 2) {
            self.state.d.next.has_killer = true;
            self.state.d.next.killer =
                bit_cast::<12, 6>(self.frame.val().from) | (bit_cast::<12, 6>(self.frame.val().to) << 6);
        }
        if self.returns.val() {
            self.state.d.next.active = true;
            self.state.d.next.ply = self.thread_in.val().ply - 1;
            self.state.d.next.undo = true;
            if self.frame.val().special {
                self.state.d.next.hop = true;
            } else {
                self.state.d.next.unmake = true;
            }
        }
        if self.cuts.val() {
            self.state.d.next.cut = true;
        }
        if self.again.val() {
            self.state.d.next.again = true;
            self.state.d.next.killing = self.frame.val().walk == 1;
            self.state.d.next.quiet = self.frame.val().walk == 2;
            self.state.d.next.push = self.frame.val().walk == 3;
            self.state.d.next.origin = self.frame.val().from;
        }
        if self.resumes.val() {
            self.state.d.next.promote = self.judgement.val().up_promotes;
            self.state.d.next.attacker = self.judgement.val().up_attacker;
            self.state.d.next.victim = self.judgement.val().up_victim;
            self.state.d.next.killing = self.judgement.val().up_killing;
            self.state.d.next.quiet = self.judgement.val().up_quiet;
            self.state.d.next.push = self.judgement.val().up_push;
            self.state.d.next.fresh = self.judgement.val().up_fresh;
            self.state.d.next.origin = self.judgement.val().up_origin;
        }
        if self.starts.val() {
            self.state.d.next.busy = true;
            self.state.d.next.loading = true;
            self.state.d.next.aborted = false;
            self.state.d.next.ply = 0.into();
            self.state.d.next.perft = self.rules.val().get_bit(14) & !self.rules.val().get_bit(15);
            self.state.d.next.pruning = self.rules.val().get_bit(15);
            self.state.d.next.gang = self.asks_gang.val();
            self.state.d.next.after_null = false;
            self.state.d.next.depth = self.rules.val().get_bits::<5>(9);
            self.state.d.next.turn = self.rules.val().get_bit(8);
            self.state.d.next.castling = self.rules.val().get_bits::<4>(4);
            self.state.d.next.en_passant = self.rules.val().get_bits::<4>(0);
            self.state.d.next.has_killer = false;
            self.state.d.next.has_child_killer = false;
            self.state.d.next.found_legal = false;
        }
        if self.loads.val() {
            self.state.d.next.active = true;
            self.state.d.next.load = true;
            self.state.d.next.to = self.piece_square.val();
            self.state.d.next.piece = self.piece_code.val();
            self.state.d.next.mover = self.piece_black.val();
            self.state.d.next.loading = !self.piece_last.val();
        }
        if self.begins.val() {
            self.state.d.next.active = true;
            self.state.d.next.enter = true;
            self.state.d.next.victim = true;
            self.state.d.next.mover = self.thread_in.val().turn;
            self.state.d.next.from = self.first_from.val();
            self.state.d.next.to = self.first_to.val();
            self.state.d.next.piece = self.first_piece.val();
            self.state.d.next.captured = self.first_captured.val();
            self.state.d.next.special = self.first_special.val();
            self.state.d.next.promotion = self.first_promotion.val();
            if self.first_passes.val() {
                self.state.d.next.captured = 1.into();
            }
            if self.has_first.val() {
                if self.first_special.val() {
                    self.state.d.next.hop = true;
                } else {
                    self.state.d.next.make = true;
                }
            }
        }
        self.result_free.next = !self.out_valid.q.val() | self.result_ready.val();
        self.emits.next = self.thread_in.val().done & self.result_free.val();
        // Whoever leaves its place in the search: to come back to it, or to be free for other nodes.
        if self.rests.val() {
            self.state.d.next.active = true;
            self.state.d.next.waits = true;
        }
        if self.called.val() {
            self.state.d.next.ply = self.fork_below.val();
        }
        if self.freed.val() {
            self.state.d.next.busy = false;
            self.state.d.next.gang = false;
            self.state.d.next.helps = false;
        }
        if self.claiming.val() {
            self.state.d.next.active = true;
            self.state.d.next.busy = true;
            self.state.d.next.gang = true;
            self.state.d.next.helps = true;
            self.state.d.next.joins = true;
            self.state.d.next.perft = false;
            self.state.d.next.pruning = true;
            self.state.d.next.after_null = false;
            self.state.d.next.has_killer = false;
            self.state.d.next.boss = self.offer_boss.val();
            self.state.d.next.ply = self.offer_below.val();
        }
        self.ends_job.next = self.finishes.val()
            | (self.aborted.val() & !self.thread_in.val().loading & !self.begins.val() & !self.thread_in.val().done);
        if self.ends_job.val() {
            self.state.d.next.active = false;
            self.state.d.next.hop = false;
            self.state.d.next.make = false;
            self.state.d.next.unmake = false;
            self.state.d.next.waits = false;
            self.state.d.next.done = true;
            self.state.d.next.ending = self.finish_ending.val();
            if self.aborted.val() {
                self.state.d.next.ending = 5.into();
            }
        }
        if self.emits.val() {
            self.state.d.next.done = false;
            self.state.d.next.busy = false;
            self.state.d.next.gang = false;
            self.state.d.next.aborted = false;
        }
        // On its own, so that it becomes the reset of the registers and takes no LUT.
        self.clears.next = self.loads.val() & self.piece_start.val();
        if self.clears.val() {
            self.state.d.next.black = 0.into();
            self.state.d.next.code0 = 0.into();
            self.state.d.next.code1 = 0.into();
            self.state.d.next.code2 = 0.into();
            self.state.d.next.mg = 0.into();
            self.state.d.next.eg = 0.into();
            self.state.d.next.phase = 0.into();
        }

        self.take_job.next = self.starts.val();
        self.take_piece.next = self.loads.val();
        self.begun.next = self.begins.val();

        // A thread comes by every 13 cycles, and so does its number.
        self.counter.d.next = self.counter.q.val() + 1;
        if self.counter.q.val() == 12 {
            self.counter.d.next = 0.into();
        }

        // Memories.
        self.push_frame.next = self.makes.val();
        self.frame_out.next.from = self.judgement.val().from;
        self.frame_out.next.to = self.judgement.val().to;
        self.frame_out.next.promotion = self.judgement.val().promotion;
        self.frame_out.next.piece = self.judgement.val().piece;
        self.frame_out.next.captured = self.judgement.val().captured;
        self.frame_out.next.special = self.judgement.val().special;
        self.frame_out.next.castling = self.thread_in.val().castling;
        self.frame_out.next.en_passant = self.thread_in.val().en_passant;
        self.frame_out.next.walk = self.judgement.val().walk;
        self.frame_out.next.passed = self.passes.val();
        self.frame_out.next.reduced = self.judgement.val().reduces;
        self.frame_out.next.depth = self.thread_in.val().depth;
        self.frame_out.next.last_victim = self.thread_in.val().last_victim;
        self.frame_out.next.last = self.findings.val().last;
        if self.thread_in.val().promote | self.thread_in.val().again {
            self.frame_out.next.last = self.thread_in.val().last;
        }
        self.frame_out.next.found_legal = self.thread_in.val().found_legal;
        self.frame_out.next.full = self.judgement.val().full;
        self.frame_out.next.next_piece = self.findings.val().next_piece;
        self.frame_out.next.has_next = self.findings.val().has_next;
        self.frame_out.next.killer = self.thread_in.val().killer;
        self.frame_out.next.has_killer = self.thread_in.val().has_killer;

        self.terms_out.next.id = self.job_id.val();
        self.terms_out.next.beta = self.job_beta.val();
        self.terms_out.next.limit = self.job_limit.val();
        self.write_tally.next = self.thread_in.val().active | self.starts.val();
        self.tally_out.next.nodes = self.ledger.val().nodes;
        self.tally_out.next.slots = self.ledger.val().slots + 1;
        self.tally_out.next.best = self.ledger.val().best;
        self.settles_root.next =
            self.refutes.val() & !self.stays.val() & (self.thread_in.val().ply == 1) & !self.frame.val().passed;
        if self.settles_root.val() {
            self.tally_out.next.best = self.up_code.val();
        }
        if self.starts.val() {
            self.tally_out.next.nodes = 0.into();
            self.tally_out.next.slots = 0.into();
            self.tally_out.next.best = 0.into();
        }

        // Result.
        self.beta_less.next = self.ledger.val().beta - self.one.val();
        if self.result_ready.val() {
            self.out_valid.d.next = false;
        }
        if self.emits.val() {
            self.out_valid.d.next = true;
            self.out_id.d.next = self.ledger.val().id;
            self.out_ending.d.next = self.thread_in.val().ending;
            self.out_score.d.next = 0.into();
            self.out_best.d.next = 0.into();
            if self.thread_in.val().ending == 1 {
                self.out_score.d.next = self.ledger.val().beta;
                self.out_best.d.next = self.ledger.val().best;
                if self.thread_in.val().gang {
                    self.out_best.d.next = self.gang_best.val();
                }
            }
            if self.thread_in.val().ending == 2 {
                self.out_score.d.next = self.beta_less.val();
            }
            self.out_nodes.d.next = self.ledger.val().nodes;
            if self.thread_in.val().gang {
                self.out_nodes.d.next = self.gang_nodes.val();
            }
            self.out_slots.d.next = self.ledger.val().slots;
        }
        self.result_valid.next = self.out_valid.q.val();
        self.result_id.next = self.out_id.q.val();
        self.result_ending.next = self.out_ending.q.val();
        self.result_score.next = self.out_score.q.val();
        self.result_best.next = self.out_best.q.val();
        self.result_nodes.next = bit_cast::<32, 29>(self.out_nodes.q.val());
        self.result_slots.next = self.out_slots.q.val();
        self.busy.next = self.thread_in.val().active & !self.thread_in.val().waits;
        self.thread_out.next = self.state.q.val();

        // What the gang hears.
        self.gang_starts.next = self.starts.val() & self.asks_gang.val();
        self.gang_disbands.next = self.ends_job.val() & self.leads.val();
        self.gang_leaves.next = self.emits.val() & self.leads.val();
        self.claims.next = self.claiming.val();
        self.reports.next = self.reporting.val();
        self.report_cut.next = self.holds.val();
        self.hands_on.next = self.handing_on.val();
        self.releases.next = self.stopped.val()
            | self.reporting.val()
            | (self.done_here.val() & self.thread_in.val().waits & !self.stays.val())
            | (self.refutes.val() & self.comes.val());
        self.searches.next = self.thread_in.val().gang
            & self.thread_in.val().active
            & !self.rests.val()
            & !self.freed.val()
            & !self.ends_job.val();
        self.gang_waits.next = self.thread_in.val().waits;
        // A move in two parts leads to its position only a trip later than a helper would look there.
        self.gang_opens.next = self.judgement.val().splits & self.judgement.val().makes & !self.judgement.val().special;
        self.goes_up.next = self.returns.val();
        self.gang_counts.next = self.judgement.val().counts & self.thread_in.val().gang & !self.barred.val();
        self.in_gang.next = self.thread_in.val().gang;
        self.best_found.next = self.settles_root.val() & self.thread_in.val().gang;
        self.best_move.next = self.up_code.val();
    }
}
