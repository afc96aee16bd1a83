//! The core: a ring of 13 stages, with a thread in each.
//!
//! | stage | block | what it does |
//! |---|---|---|
//! | 1 | [`update`] | make, unmake, hop or load |
//! | 2 | [`sources`], [`relations`] | what radiates into the two networks; how kings, origin and killer stand to each other |
//! | 3 | [`network`], [`gates`] | the networks of [`rays`]; what the pass wants of each square |
//! | 4 | [`receivers`], [`tried`] | candidates, check; which squares were tried; the sums of [`placement`] |
//! | 5–7 | [`filter`], [`arbiter`] | the first candidate, and the next piece |
//! | 7, 8 | [`read_rank`], [`read_square`] | what stands there |
//! | 3–11 | [`evaluate`] | the value |
//! | 9 | [`losing`] | whether the capture found loses |
//! | 9–12 | [`verdict`] | the null window with its margins, then the value against it |
//! | 12 | [`judge`] | where the search stands |
//! | 11–13 | [`foreman`], [`whereabouts`], [`offers`] | which nodes others take over, and what the gang wants of a thread |
//! | 13 | [`decide`] | what the next slot does |

pub mod arbiter;
pub mod choice;
pub mod decide;
pub mod evaluate;
pub mod filter;
pub mod foreman;
pub mod gates;
pub mod judge;
pub mod loader;
pub mod losing;
pub mod masks;
pub mod network;
pub mod offers;
pub mod placement;
pub mod rays;
pub mod read_rank;
pub mod read_square;
pub mod receivers;
pub mod relations;
pub mod sources;
pub mod thread;
pub mod tried;
pub mod update;
pub mod verdict;
pub mod whereabouts;

use rust_hdl::prelude::*;

use arbiter::Arbiter;
use choice::Choice;
use decide::Decide;
use evaluate::mobility::Mobility;
use evaluate::weigh::Weigh;
use filter::Filter;
use foreman::Foreman;
use gates::Gates;
use judge::Judge;
use loader::Loader;
use losing::Losing;
use network::Network;
use placement::Placement;
use read_rank::ReadRank;
use read_square::ReadSquare;
use receivers::Receivers;
use relations::Relations;
use sources::Sources;
use thread::{Findings, Frame, Ledger, Tally, Terms, Thread};
use tried::Tried;
use update::Update;
use verdict::Verdict;

use crate::queue::Memory;

/// How many stages the ring has, and so how many threads.
pub const STAGES: u8 = 13;

/// A ring of threads, each searching a leaf, or all of them one together.
#[derive(LogicBlock, Default)]
pub struct Core {
    pub clock: Signal<In, Clock>,
    // Job in: words, taken when valid and ready
    pub job_word: Signal<In, Bits<18>>,
    pub job_valid: Signal<In, Bit>,
    pub job_ready: Signal<Out, Bit>,
    // Result out, held until ready
    pub result_valid: Signal<Out, Bit>,
    pub result_ready: Signal<In, Bit>,
    pub result_id: Signal<Out, Bits<16>>,
    pub result_ending: Signal<Out, Bits<3>>,
    pub result_score: Signal<Out, Bits<16>>,
    pub result_best: Signal<Out, Bits<16>>,
    pub result_nodes: Signal<Out, Bits<32>>,
    pub result_slots: Signal<Out, Bits<32>>,
    // Weights in: written at once
    pub weight_write: Signal<In, Bit>,
    pub weight_index: Signal<In, Bits<10>>,
    pub weight_data: Signal<In, Bits<16>>,
    // Abort in, held for a whole trip
    pub abort_valid: Signal<In, Bit>,
    pub abort_all: Signal<In, Bit>,
    pub abort_id: Signal<In, Bits<16>>,
    // Counter out: a thread did a slot in this cycle
    pub busy: Signal<Out, Bit>,

    gangs: Choice,

    loader: Loader,
    update_stage: Update,
    placement_sums: Placement,
    sources_stage: Sources,
    relations: Relations,
    network_stage: Network,
    gates_stage: Gates,
    receivers_stage: Receivers,
    tried_stage: Tried,
    mobility: Mobility,
    weigh: Weigh,
    filter_stage: Filter,
    choice: Arbiter,
    next_piece: Arbiter,
    // The thread after stages 5, 6 and 7, and the flags beside it
    thread_5: DFF<Thread>,
    thread_6: DFF<Thread>,
    thread_7: DFF<Thread>,
    check_5: DFF<Bits<2>>,
    check_6: DFF<Bits<2>>,
    check_7: DFF<Bits<2>>,
    rank_stage: ReadRank,
    read_stage: ReadSquare,
    losing: Losing,
    // The thread after stages 9 to 11, and the findings. Nobody looks at the board from stage 8 on, nor at its colours from stage 5 on:
    // it waits in block RAM; and stays there, so that a thread can come back to a node above, or take over another's. For that the last word
    // has turn, kings and sums
    waiting: [Memory<Bits<64>, 9>; 5],
    thread_9: DFF<Thread>,
    thread_10: DFF<Thread>,
    thread_11: DFF<Thread>,
    findings_9: DFF<Findings>,
    findings_10: DFF<Findings>,
    findings_11: DFF<Findings>,
    stack: Memory<Frame, 9>,
    terms: RAM<Terms, 4>,
    tallies: RAM<Tally, 4>,
    frame_11: DFF<Frame>,
    ledger_11: DFF<Ledger>,
    last_node_11: DFF<Bit>,
    judge_stage: Judge,
    verdict_stage: Verdict,
    decide_stage: Decide,
    foreman: Foreman,

    check_flags: Signal<Local, Bits<2>>,
    waits_in: Signal<Local, Bits<9>>,
    waits_out: Signal<Local, Bits<9>>,
    place_in: Signal<Local, Bits<5>>,
    place_out: Signal<Local, Bits<5>>,
    stays: Signal<Local, Bit>,
    owner_9: Signal<Local, Bits<4>>,
    owner_10: Signal<Local, Bits<4>>,
    payer: Signal<Local, Bits<4>>,
    sums_in: Signal<Local, Bits<64>>,
    sums_out: Signal<Local, Bits<64>>,
    thread_4_turn: Signal<Local, Bit>,
    parent: Signal<Local, Bits<5>>,
    next_node: Signal<Local, Bits<29>>,
    zero: Signal<Local, Bits<64>>,
}

impl Core {
    /// A core, with [gangs](foreman) or without.
    pub fn new(gangs: bool) -> Core {
        Core {
            gangs: Choice::new(gangs),
            ..Core::default()
        }
    }
}

impl Logic for Core {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            thread_5,
            thread_6,
            thread_7,
            check_5,
            check_6,
            check_7,
            thread_9,
            thread_10,
            thread_11,
            findings_9,
            findings_10,
            findings_11,
            frame_11,
            ledger_11,
            last_node_11
        );
        clock!(
            self,
            clock,
            loader,
            update_stage,
            placement_sums,
            sources_stage,
            relations,
            network_stage,
            gates_stage,
            receivers_stage,
            tried_stage,
            mobility,
            weigh,
            choice,
            next_piece,
            rank_stage,
            read_stage,
            judge_stage,
            verdict_stage,
            decide_stage,
            foreman
        );
        self.zero.next = 0.into();

        // Stage 1.
        self.update_stage.thread_in.next = self.decide_stage.thread_out.val();
        self.placement_sums.from_square.next = self.update_stage.from_square.val();
        self.placement_sums.to_square.next = self.update_stage.to_square.val();
        self.placement_sums.from_code.next = self.update_stage.from_code.val();
        self.placement_sums.to_code.next = self.update_stage.to_code.val();
        self.placement_sums.captured_code.next = self.update_stage.captured_code.val();
        self.placement_sums.from_used.next = self.update_stage.from_used.val();
        self.placement_sums.to_used.next = self.update_stage.to_used.val();
        self.placement_sums.captured_used.next = self.update_stage.captured_used.val();
        self.placement_sums.mover.next = self.decide_stage.thread_out.val().mover;
        self.placement_sums.undo.next = self.decide_stage.thread_out.val().undo;

        // Stage 2.
        self.sources_stage.thread_in.next = self.update_stage.thread_out.val();
        self.relations.thread_in.next = self.update_stage.thread_out.val();

        // Stage 3.
        self.network_stage.thread_in.next = self.sources_stage.thread_out.val();
        self.network_stage.empty.next = self.sources_stage.empty.val();
        self.network_stage.own_straight_sources.next = self.sources_stage.own_straight.val();
        self.network_stage.own_diagonal_sources.next = self.sources_stage.own_diagonal.val();
        self.network_stage.own_knight_sources.next = self.sources_stage.own_knight.val();
        self.network_stage.enemy_straight_sources.next = self.sources_stage.enemy_straight.val();
        self.network_stage.enemy_diagonal_sources.next = self.sources_stage.enemy_diagonal.val();
        self.network_stage.enemy_knight_sources.next = self.sources_stage.enemy_knight.val();

        self.gates_stage.thread_in.next = self.sources_stage.thread_out.val();
        self.gates_stage.targets.next = self.sources_stage.targets.val();
        self.gates_stage.empty.next = self.sources_stage.empty.val();
        self.gates_stage.white_pawns.next = self.sources_stage.white_pawns.val();
        self.gates_stage.black_pawns.next = self.sources_stage.black_pawns.val();
        self.gates_stage.own_king.next = self.relations.own_king.val();
        self.gates_stage.enemy_king.next = self.relations.enemy_king.val();
        self.gates_stage.king_takes.next = self.relations.king_takes.val();
        self.gates_stage.from_king.next = self.relations.from_king.val();
        self.gates_stage.shuns_killer.next = self.relations.shuns_killer.val();
        self.gates_stage.kings_touch.next = self.relations.kings_touch.val();

        self.weigh.thread_2.next = self.sources_stage.thread_out.val();
        self.weigh.white_pawns.next = self.sources_stage.white_pawns.val();
        self.weigh.black_pawns.next = self.sources_stage.black_pawns.val();
        self.weigh.own_straight.next = self.sources_stage.own_straight.val();
        self.weigh.own_diagonal.next = self.sources_stage.own_diagonal.val();
        self.weigh.enemy_straight.next = self.sources_stage.enemy_straight.val();
        self.weigh.enemy_diagonal.next = self.sources_stage.enemy_diagonal.val();

        // Stage 4.
        self.receivers_stage.thread_in.next = self.network_stage.thread_out.val();
        self.receivers_stage.own_straight.next = self.network_stage.own_straight.val();
        self.receivers_stage.own_diagonal.next = self.network_stage.own_diagonal.val();
        self.receivers_stage.own_knight.next = self.network_stage.own_knight.val();
        self.receivers_stage.enemy_straight.next = self.network_stage.enemy_straight.val();
        self.receivers_stage.enemy_diagonal.next = self.network_stage.enemy_diagonal.val();
        self.receivers_stage.enemy_knight.next = self.network_stage.enemy_knight.val();
        self.receivers_stage.open.next = self.gates_stage.open.val();
        self.receivers_stage.certain.next = self.gates_stage.certain.val();
        self.receivers_stage.if_safe.next = self.gates_stage.if_safe.val();
        self.receivers_stage.enemy_near.next = self.gates_stage.enemy_near.val();
        self.receivers_stage.castles.next = self.gates_stage.castles.val();
        self.receivers_stage.parries.next = self.gates_stage.parries.val();
        self.receivers_stage.own_king.next = self.gates_stage.own_king_out.val();
        self.receivers_stage.enemy_king.next = self.gates_stage.enemy_king_out.val();
        self.receivers_stage.watched.next = self.gates_stage.watched.val();
        self.receivers_stage.kings_touch.next = self.gates_stage.kings_touch_out.val();
        self.receivers_stage.king_rise.next = self.gates_stage.king_rise.val();
        self.receivers_stage.king_fall.next = self.gates_stage.king_fall.val();
        self.receivers_stage.added_mg.next = self.placement_sums.mg.val();
        self.receivers_stage.added_eg.next = self.placement_sums.eg.val();
        self.receivers_stage.added_phase.next = self.placement_sums.phase.val();
        self.receivers_stage.added_carry.next = self.placement_sums.carry.val();
        self.receivers_stage.added_phase_carry.next = self.placement_sums.phase_carry.val();
        self.tried_stage.thread_in.next = self.network_stage.thread_out.val();
        self.mobility.own_straight.next = self.network_stage.own_straight.val();
        self.mobility.own_diagonal.next = self.network_stage.own_diagonal.val();
        self.mobility.own_knight.next = self.network_stage.own_knight.val();
        self.mobility.own_reach.next = self.gates_stage.own_reach.val();
        self.mobility.enemy_straight.next = self.network_stage.enemy_straight.val();
        self.mobility.enemy_diagonal.next = self.network_stage.enemy_diagonal.val();
        self.mobility.enemy_knight.next = self.network_stage.enemy_knight.val();
        self.mobility.enemy_reach.next = self.gates_stage.enemy_reach.val();

        // Stages 5 to 7.
        self.filter_stage.candidates.next = self.receivers_stage.candidates.val();
        self.filter_stage.must_shield.next = self.receivers_stage.must_shield.val();
        self.filter_stage.shields.next = self.receivers_stage.shields.val();
        self.filter_stage.class_high.next = self.receivers_stage.class_high.val();
        self.filter_stage.class_low.next = self.receivers_stage.class_low.val();
        self.filter_stage.tried_class.next = self.tried_stage.tried_class.val();
        self.filter_stage.after_move.next = self.tried_stage.after_move.val();
        self.thread_4_turn.next = self.receivers_stage.thread_out.val().turn;
        self.choice.candidates.next = self.filter_stage.left.val();
        self.choice.class_high.next = self.receivers_stage.class_high.val();
        self.choice.class_low.next = self.receivers_stage.class_low.val();
        self.choice.turn.next = self.thread_4_turn.val();
        self.next_piece.candidates.next = self.tried_stage.next_pieces.val();
        self.next_piece.class_high.next = self.zero.val();
        self.next_piece.class_low.next = self.zero.val();
        self.next_piece.turn.next = self.thread_4_turn.val();
        self.check_flags.next = bit_cast::<2, 1>(self.receivers_stage.in_check.val().into())
            | (bit_cast::<2, 1>(self.receivers_stage.illegal.val().into()) << 1);
        self.check_5.d.next = self.check_flags.val();
        self.check_6.d.next = self.check_5.q.val();
        self.check_7.d.next = self.check_6.q.val();
        self.thread_5.d.next = self.receivers_stage.thread_out.val();
        self.thread_5.d.next.black = 0.into();
        self.thread_6.d.next = self.thread_5.q.val();
        self.thread_7.d.next = self.thread_6.q.val();
        self.thread_7.d.next.code0 = 0.into();
        self.thread_7.d.next.code1 = 0.into();
        self.thread_7.d.next.code2 = 0.into();

        self.rank_stage.thread_in.next = self.thread_6.q.val();
        self.rank_stage.rank.next = self.choice.rank.val();

        // Stage 8.
        self.read_stage.row0.next = self.rank_stage.row0.val();
        self.read_stage.row1.next = self.rank_stage.row1.val();
        self.read_stage.row2.next = self.rank_stage.row2.val();
        self.read_stage.thread_in.next = self.thread_7.q.val();
        self.read_stage.found.next = self.choice.found.val();
        self.read_stage.square.next = self.choice.square.val();
        self.read_stage.last.next = self.choice.last.val();
        self.read_stage.next_piece.next = self.next_piece.square.val();
        self.read_stage.has_next.next = self.next_piece.found.val();
        self.read_stage.last_piece.next = self.next_piece.last.val();
        self.read_stage.in_check.next = self.check_7.q.val().get_bit(0);
        self.read_stage.illegal.next = self.check_7.q.val().get_bit(1);

        // Stages 9 to 12.
        self.weigh.minor.next = self.mobility.minor.val();
        self.weigh.major.next = self.mobility.major.val();
        self.weigh.thread_6.next = self.thread_6.q.val();
        self.weigh.thread_8.next = self.read_stage.thread_out.val();
        self.weigh.thread_9.next = self.thread_9.q.val();
        self.weigh.thread_10.next = self.thread_10.q.val();
        self.thread_9.d.next = self.read_stage.thread_out.val();
        self.thread_10.d.next = self.thread_9.q.val();
        self.thread_11.d.next = self.thread_10.q.val();
        self.judge_stage.thread_in.next = self.thread_11.q.val();
        // Who joins a node or comes back to one has nothing to put there, and takes what is there.
        self.stays.next = !(self.receivers_stage.thread_out.val().joins | self.receivers_stage.thread_out.val().waits);
        self.owner_10.next = self.thread_10.q.val().index;
        if self.thread_10.q.val().joins {
            self.owner_10.next = self.thread_10.q.val().boss;
        }
        // Half a move leads to no node: it waits at the last ply, where no move is made.
        self.place_in.next = self.receivers_stage.thread_out.val().ply;
        if self.receivers_stage.thread_out.val().hop & self.gangs.chosen.val() {
            self.place_in.next = 31.into();
        }
        self.place_out.next = self.thread_10.q.val().ply;
        if self.thread_10.q.val().hop & self.gangs.chosen.val() {
            self.place_out.next = 31.into();
        }
        self.waits_in.next = (bit_cast::<9, 4>(self.receivers_stage.thread_out.val().index) << 5)
            | bit_cast::<9, 5>(self.place_in.val());
        self.waits_out.next = (bit_cast::<9, 4>(self.owner_10.val()) << 5) | bit_cast::<9, 5>(self.place_out.val());
        for k in 0..5 {
            self.waiting[k].clock.next = self.clock.val();
            self.waiting[k].write_enable.next = self.stays.val();
            self.waiting[k].write_address.next = self.waits_in.val();
            self.waiting[k].read_address.next = self.waits_out.val();
        }
        self.waiting[0].write_data.next = self.receivers_stage.thread_out.val().black;
        self.waiting[1].write_data.next = self.receivers_stage.thread_out.val().code0;
        self.waiting[2].write_data.next = self.receivers_stage.thread_out.val().code1;
        self.waiting[3].write_data.next = self.receivers_stage.thread_out.val().code2;
        self.sums_in.next = bit_cast::<64, 16>(self.receivers_stage.thread_out.val().mg)
            | (bit_cast::<64, 16>(self.receivers_stage.thread_out.val().eg) << 16)
            | (bit_cast::<64, 8>(self.receivers_stage.thread_out.val().phase) << 32)
            | (bit_cast::<64, 6>(self.receivers_stage.thread_out.val().white_king) << 40)
            | (bit_cast::<64, 6>(self.receivers_stage.thread_out.val().black_king) << 46)
            | (bit_cast::<64, 1>(self.receivers_stage.thread_out.val().turn.into()) << 52);
        self.waiting[4].write_data.next = self.sums_in.val();
        self.judge_stage.thread_in.next.black = self.waiting[0].read_data.val();
        self.judge_stage.thread_in.next.code0 = self.waiting[1].read_data.val();
        self.judge_stage.thread_in.next.code1 = self.waiting[2].read_data.val();
        self.judge_stage.thread_in.next.code2 = self.waiting[3].read_data.val();
        // Without gangs all that is theirs is constant, and goes in synthesis.
        self.judge_stage.thread_in.next.gang = self.thread_11.q.val().gang & self.gangs.chosen.val();
        self.judge_stage.thread_in.next.helps = self.thread_11.q.val().helps & self.gangs.chosen.val();
        self.judge_stage.thread_in.next.joins = self.thread_11.q.val().joins & self.gangs.chosen.val();
        self.judge_stage.thread_in.next.waits = self.thread_11.q.val().waits & self.gangs.chosen.val();
        self.sums_out.next = self.waiting[4].read_data.val();
        self.judge_stage.thread_in.next.mg = self.sums_out.val().get_bits::<16>(0);
        self.judge_stage.thread_in.next.eg = self.sums_out.val().get_bits::<16>(16);
        self.judge_stage.thread_in.next.phase = self.sums_out.val().get_bits::<8>(32);
        self.judge_stage.thread_in.next.white_king = self.sums_out.val().get_bits::<6>(40);
        self.judge_stage.thread_in.next.black_king = self.sums_out.val().get_bits::<6>(46);
        self.judge_stage.thread_in.next.turn = self.sums_out.val().get_bit(52);
        self.losing.thread.next = self.read_stage.thread_out.val();
        self.losing.findings.next = self.read_stage.findings.val();
        self.findings_9.d.next = self.read_stage.findings.val();
        self.findings_9.d.next.loses = self.losing.loses.val();
        self.findings_10.d.next = self.findings_9.q.val();
        self.findings_11.d.next = self.findings_10.q.val();
        self.judge_stage.findings_in.next = self.findings_11.q.val();

        // The memories are read on the way.
        self.parent.next = self.thread_9.q.val().ply - 1;
        self.stack.clock.next = self.clock.val();
        self.owner_9.next = self.thread_9.q.val().index;
        if self.thread_9.q.val().joins {
            self.owner_9.next = self.thread_9.q.val().boss;
        }
        self.payer.next = self.thread_9.q.val().index;
        if self.thread_9.q.val().gang {
            self.payer.next = self.foreman.leader.val();
        }
        self.stack.read_address.next =
            (bit_cast::<9, 4>(self.owner_9.val()) << 5) | bit_cast::<9, 5>(self.parent.val());
        self.stack.write_address.next = (bit_cast::<9, 4>(self.judge_stage.thread.val().index) << 5)
            | bit_cast::<9, 5>(self.judge_stage.thread.val().ply);
        self.stack.write_data.next = self.decide_stage.frame_out.val();
        self.stack.write_enable.next = self.decide_stage.push_frame.val();
        self.terms.read_clock.next = self.clock.val();
        self.terms.write_clock.next = self.clock.val();
        self.terms.read_address.next = self.payer.val();
        self.terms.write_address.next = self.judge_stage.thread.val().index;
        self.terms.write_data.next = self.decide_stage.terms_out.val();
        self.terms.write_enable.next = self.decide_stage.take_job.val();
        self.tallies.read_clock.next = self.clock.val();
        self.tallies.write_clock.next = self.clock.val();
        self.tallies.read_address.next = self.thread_9.q.val().index;
        self.tallies.write_address.next = self.judge_stage.thread.val().index;
        self.tallies.write_data.next = self.decide_stage.tally_out.val();
        self.tallies.write_enable.next = self.decide_stage.write_tally.val();
        self.frame_11.d.next = self.stack.read_data.val();
        self.judge_stage.frame_in.next = self.frame_11.q.val();
        self.ledger_11.d.next.id = self.terms.read_data.val().id;
        self.ledger_11.d.next.beta = self.terms.read_data.val().beta;
        self.ledger_11.d.next.limit = self.terms.read_data.val().limit;
        self.ledger_11.d.next.nodes = self.tallies.read_data.val().nodes;
        self.ledger_11.d.next.slots = self.tallies.read_data.val().slots;
        self.ledger_11.d.next.best = self.tallies.read_data.val().best;
        self.judge_stage.ledger_in.next = self.ledger_11.q.val();
        self.next_node.next = self.tallies.read_data.val().nodes + 1;
        self.last_node_11.d.next = self.next_node.val() == self.terms.read_data.val().limit;
        self.judge_stage.last_node.next = self.last_node_11.q.val();
        self.verdict_stage.thread.next = self.read_stage.thread_out.val();
        self.verdict_stage.findings.next = self.read_stage.findings.val();
        self.verdict_stage.beta.next = self.terms.read_data.val().beta;
        self.verdict_stage.value.next = self.weigh.value.val();
        self.verdict_stage.ply.next = self.thread_11.q.val().ply;

        // Stage 13.
        self.decide_stage.thread_in.next = self.judge_stage.thread.val();
        self.decide_stage.findings.next = self.judge_stage.findings.val();
        self.decide_stage.frame.next = self.judge_stage.frame.val();
        self.decide_stage.ledger.next = self.judge_stage.ledger.val();
        self.decide_stage.judgement.next = self.judge_stage.judgement.val();
        self.decide_stage.value_holds.next = self.verdict_stage.value_holds.val();
        self.decide_stage.value_stands.next = self.verdict_stage.value_stands.val();
        self.decide_stage.value_fails.next = self.verdict_stage.value_fails.val();
        self.decide_stage.mate_holds.next = self.verdict_stage.mate_holds.val();
        self.decide_stage.draw_holds.next = self.verdict_stage.draw_holds.val();
        self.decide_stage.abort_valid.next = self.abort_valid.val();
        self.decide_stage.abort_all.next = self.abort_all.val();
        self.decide_stage.abort_id.next = self.abort_id.val();

        // The gang.
        self.foreman.coming.next = self.thread_10.q.val().index;
        self.foreman.reading.next = self.thread_11.q.val().index;
        self.foreman.reading_ply.next = self.thread_11.q.val().ply;
        self.foreman.reading_gang.next = self.thread_11.q.val().gang & self.gangs.chosen.val();
        self.foreman.reading_helps.next = self.thread_11.q.val().helps & self.gangs.chosen.val();
        self.foreman.reading_waits.next = self.thread_11.q.val().waits & self.gangs.chosen.val();
        self.foreman.index.next = self.judge_stage.thread.val().index;
        self.foreman.starts.next = self.decide_stage.gang_starts.val();
        self.foreman.disbands.next = self.decide_stage.gang_disbands.val();
        self.foreman.leaves.next = self.decide_stage.gang_leaves.val();
        self.foreman.claims.next = self.decide_stage.claims.val();
        self.foreman.reports.next = self.decide_stage.reports.val();
        self.foreman.report_cut.next = self.decide_stage.report_cut.val();
        self.foreman.hands_on.next = self.decide_stage.hands_on.val();
        self.foreman.releases.next = self.decide_stage.releases.val();
        self.foreman.searches.next = self.decide_stage.searches.val();
        self.foreman.waits.next = self.decide_stage.gang_waits.val();
        self.foreman.opens.next = self.decide_stage.gang_opens.val();
        self.foreman.returns.next = self.decide_stage.goes_up.val();
        self.foreman.counts.next = self.decide_stage.gang_counts.val();
        self.foreman.limit.next = self.judge_stage.ledger.val().limit;
        self.foreman.in_gang.next = self.decide_stage.in_gang.val();
        self.foreman.best_found.next = self.decide_stage.best_found.val();
        self.foreman.best_move.next = self.decide_stage.best_move.val();
        self.decide_stage.gangs.next = self.gangs.chosen.val();
        self.decide_stage.gang_running.next = self.foreman.running.val();
        self.decide_stage.gang_spent.next = self.foreman.spent.val();
        self.decide_stage.gang_nodes.next = self.foreman.nodes.val();
        self.decide_stage.gang_best.next = self.foreman.best.val();
        self.decide_stage.stopped.next = self.foreman.stopped.val();
        self.decide_stage.called.next = self.foreman.called.val();
        self.decide_stage.barred.next = self.foreman.barred.val();
        self.decide_stage.stays.next = self.foreman.stays.val();
        self.decide_stage.comes.next = self.foreman.comes.val();
        self.decide_stage.hands.next = self.foreman.hands.val();
        self.decide_stage.at_base.next = self.foreman.at_base.val();
        self.decide_stage.helper_cut.next = self.foreman.helper_cut.val();
        self.decide_stage.fork_below.next = self.foreman.fork_below.val();
        self.decide_stage.closed_above.next = self.foreman.closed_above.val();
        self.decide_stage.offered.next = self.foreman.offered.val();
        self.decide_stage.offer_boss.next = self.foreman.offer_boss.val();
        self.decide_stage.offer_below.next = self.foreman.offer_below.val();

        // Jobs in.
        self.loader.job_word.next = self.job_word.val();
        self.loader.job_valid.next = self.job_valid.val();
        self.job_ready.next = self.loader.job_ready.val();
        self.loader.take_job.next = self.decide_stage.take_job.val();
        self.loader.take_piece.next = self.decide_stage.take_piece.val();
        self.loader.begun.next = self.decide_stage.begun.val();
        self.decide_stage.job_ready.next = self.loader.ready.val();
        self.decide_stage.job_id.next = self.loader.id.val();
        self.decide_stage.job_rules.next = self.loader.rules.val();
        self.decide_stage.job_beta.next = self.loader.beta.val();
        self.decide_stage.job_limit.next = self.loader.limit.val();
        self.decide_stage.job_first.next = self.loader.first.val();
        self.decide_stage.first_piece.next = self.loader.first_piece.val();
        self.decide_stage.first_captured.next = self.loader.first_captured.val();
        self.decide_stage.piece_valid.next = self.loader.piece_valid.val();
        self.decide_stage.piece_square.next = self.loader.piece_square.val();
        self.decide_stage.piece_code.next = self.loader.piece_code.val();
        self.decide_stage.piece_black.next = self.loader.piece_black.val();
        self.decide_stage.piece_last.next = self.loader.piece_last.val();
        self.decide_stage.piece_start.next = self.loader.piece_start.val();

        // Weights in.
        self.placement_sums.weight_write.next = self.weight_write.val();
        self.placement_sums.weight_index.next = self.weight_index.val();
        self.placement_sums.weight_data.next = self.weight_data.val();
        self.weigh.weight_write.next = self.weight_write.val();
        self.weigh.weight_index.next = self.weight_index.val();
        self.weigh.weight_data.next = self.weight_data.val();

        // Results out.
        self.decide_stage.result_ready.next = self.result_ready.val();
        self.result_valid.next = self.decide_stage.result_valid.val();
        self.result_id.next = self.decide_stage.result_id.val();
        self.result_ending.next = self.decide_stage.result_ending.val();
        self.result_score.next = self.decide_stage.result_score.val();
        self.result_best.next = self.decide_stage.result_best.val();
        self.result_nodes.next = self.decide_stage.result_nodes.val();
        self.result_slots.next = self.decide_stage.result_slots.val();
        self.busy.next = self.decide_stage.busy.val();
    }
}
