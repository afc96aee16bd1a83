//! Proofs for all boards: the emitted Verilog against the plain statements in `hdl/formal`, each with faults that refute it.

#[path = "formal/proof.rs"]
mod proof;

use bluebelle_hdl::core::arbiter::Arbiter;
use bluebelle_hdl::core::filter::Filter;
use bluebelle_hdl::core::rays::Rays;
use bluebelle_hdl::core::receivers::Receivers;
use bluebelle_hdl::core::thread::Thread;
use bluebelle_hdl::core::tried::Tried;

use proof::Proof;

/// In each of the eight directions, and so in the two unions.
#[test]
fn rays_attack_by_the_rules() {
    rays().holds();
}

#[test]
fn the_arbiter_finds_the_first_candidate_three_cycles_later() {
    arbiter().holds();
}

#[test]
fn a_pass_goes_on_after_the_move() {
    tried().holds();
}

#[test]
fn each_proof_can_fail() {
    rays().fails(
        "straight_holds",
        "straight_hit$4 = north$3 | south$2",
        "straight_hit$4 = north$3 & south$2",
    );
    arbiter().fails(
        "found_holds",
        "found = found_again_state$q",
        "found = found_again_state$d",
    );
    tried().fails("left_holds", "(same & after_move)", "(same | after_move)");
}

#[test]
#[ignore = "slow: ./check --formal"]
fn a_fault_in_any_direction_is_refuted() {
    let rays = rays();
    rays.fails("north_holds", "(empty_rank$3 & north$2)", "(empty_rank$3 | north$2)");
    rays.fails(
        "south_holds",
        "straight_rank$4 | (empty_rank$4 & south$2)",
        "straight_rank$4 & (empty_rank$4 & south$2)",
    );
    rays.fails("east_holds", "(east$4 << 32'h1)", "(east$4 >> 32'h1)");
    rays.fails("west_holds", "(west$2 >> 32'h1)", "(west$2 >> 32'h2)");
    rays.fails(
        "north_east_holds",
        "(empty_rank$6 & (north_east$5 <<",
        "(empty_rank$6 & (north_east$5 >>",
    );
    rays.fails(
        "north_west_holds",
        "(empty_rank$2 & (north_west$1",
        "(empty_rank$3 & (north_west$1",
    );
    rays.fails(
        "south_east_holds",
        "south_east$0 = diagonal_rank$7",
        "south_east$0 = diagonal_rank$6",
    );
    rays.fails(
        "south_west_holds",
        "(empty_rank$2 & (south_west$4 >>",
        "(empty_rank$2 & (south_west$4 <<",
    );
    rays.fails("straight_holds", "west$6) >> 32'h1)", "west$6) << 32'h1)");
    rays.fails(
        "diagonal_holds",
        "diagonal_hit$0 = (south_east$6 << 32'h1)",
        "diagonal_hit$0 = (south_east$6 >> 32'h1)",
    );
}

#[test]
#[ignore = "slow: ./check --formal"]
fn a_fault_in_any_stage_of_the_arbiter_is_refuted() {
    let arbiter = arbiter();
    arbiter.fails("found_holds", "found_state$d = some$3", "found_state$d = some$2");
    arbiter.fails("found_holds", "(wanted$3 >> 32'h5)", "(wanted$3 << 32'h5)");
    arbiter.fails("square_holds", "first_file = files & ~(", "first_file = files | ~(");
    arbiter.fails("first_holds", "some$2 = |ranks_state$2$q", "some$2 = &ranks_state$2$q");
    arbiter.fails("first_holds", "(ranks << 32'h20)", "(ranks >> 32'h20)");
    arbiter.fails(
        "first_holds",
        "earlier = (ranks >> 32'h8)",
        "earlier = (ranks << 32'h8)",
    );
    arbiter.fails("last_holds", "(files_found << 32'h3)", "(files_found << 32'h8)");
}

#[test]
#[ignore = "slow: ./check --formal"]
fn a_fault_in_what_was_tried_is_refuted() {
    let tried = tried();
    tried.fails(
        "left_holds",
        "later = class_high & class_low",
        "later = class_high | class_low",
    );
    tried.fails(
        "left_holds",
        "class_low_state$d = ~(pawns | rooks | empty)",
        "class_low_state$d = ~(pawns & rooks | empty)",
    );
    tried.fails("left_holds", "class_state$d = ~value", "class_state$d = value");
    tried.fails("left_holds", "(from_rank$0 << 32'h8)", "(from_rank$0 >> 32'h8)");
    tried.fails("origin_holds", "| ~from_rank$1", "& ~from_rank$1");
}

fn rays() -> Proof {
    Proof::of(&["rays.v"]).block("rays", Rays::default())
}

fn arbiter() -> Proof {
    Proof::of(&["order.v", "arbiter.v"])
        .block("arbiter", Arbiter::default())
        .after(3)
}

fn tried() -> Proof {
    Proof::of(&["order.v", "tried.v"])
        .layout::<Thread>("THREAD")
        .block("receivers", Receivers::default())
        .block("tried", Tried::default())
        .block("filter", Filter::default())
        .after(1)
}
