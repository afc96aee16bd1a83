//! The board operations against the golden make, unmake and load.

mod common;

use bluebelle_hdl::core::thread::Thread;
use bluebelle_hdl::core::update::Update;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::leaf::legal_moves;
use bluebelle_spec::rng::SplitMix64;

use common::{Board, bare, loading, making, on_board_of, pick, positions, thread_on, unmaking, with_move};

/// Sends slots after each other, each on the board that the last one left, and gives the last thread.
fn run(cosim: &mut Cosim<Update>, start: Thread, slots: Vec<Thread>) -> Thread {
    slots.into_iter().fold(start, |before, slot| {
        let slot = on_board_of(slot, &before);
        cosim.cycle(|uut| uut.thread_in.next = slot);
        let after = cosim.uut.thread_out.val();
        assert_eq!(on_board_of(slot, &after), after, "what is no board passes through");
        after
    })
}

#[test]
fn making_and_unmaking_are_golden() {
    let mut cosim = Cosim::new(Update::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(11);
    let mut tried = [0; 9];
    for position in positions(10, 500) {
        let before = thread_on(&position);
        let moves = legal_moves(&position);
        let common = random.below(moves.len().max(1) as u64) as usize;
        for (index, &mv) in moves.iter().enumerate() {
            let thread = with_move(before, &position, mv);
            let touches_rights = position.after(mv).castling() != position.castling();
            if index != common && !thread.special && mv.promotion().is_none() && !touches_rights {
                continue;
            }
            let after = run(&mut cosim, before, making(thread));
            let expected = Board::of(&position.after(mv));
            assert_eq!(Board::in_thread(&after), expected, "{position} {mv}");

            // The sequencer brings back what the stack kept.
            let kept = Thread {
                castling: before.castling,
                en_passant: before.en_passant,
                ..after
            };
            let undone = run(&mut cosim, kept, unmaking(thread));
            assert_eq!(
                Board::in_thread(&undone),
                Board::of(&position),
                "{position} {mv} unmade"
            );

            // A rook that is taken at home takes a right with it.
            let takes_corner = |corner| touches_rights && mv.to().byte() == corner && thread.captured.any();
            let kinds = [
                thread.captured.any() && !thread.special,
                mv.promotion().is_some(),
                thread.special && thread.piece == 1,
                thread.special && thread.piece == 4,
                expected.en_passant != 0,
                takes_corner(7),
                takes_corner(0),
                takes_corner(63),
                takes_corner(56),
            ];
            for (count, kind) in tried.iter_mut().zip(kinds) {
                *count += u32::from(kind);
            }
        }
    }
    assert!(tried.iter().all(|&count| count > 0), "every kind of move: {tried:?}");
    cosim.finish();
}

#[test]
fn a_position_is_loaded_piece_by_piece() {
    let mut cosim = Cosim::new(Update::default(), |uut| &mut uut.clock);
    // Where the kings were before does not matter.
    let mut last = thread_on(&bluebelle_spec::Position::initial());
    for position in positions(12, 25) {
        let rules = thread_on(&position);
        let start = Thread {
            turn: rules.turn,
            castling: rules.castling,
            en_passant: rules.en_passant,
            ..bare(last)
        };
        last = run(&mut cosim, start, loading(&position));
        assert_eq!(Board::in_thread(&last), Board::of(&position), "{position}");
    }
    cosim.finish();
}

#[test]
fn an_idle_slot_leaves_the_board() {
    let mut cosim = Cosim::new(Update::default(), |uut| &mut uut.clock);
    let mut random = SplitMix64::new(13);
    for position in positions(14, 50) {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            continue;
        }
        let thread = with_move(thread_on(&position), &position, pick(&mut random, &moves));
        cosim.cycle(|uut| uut.thread_in.next = thread);
        assert_eq!(cosim.uut.thread_out.val(), thread, "{position}");
        assert!(!cosim.uut.from_used.val() && !cosim.uut.to_used.val() && !cosim.uut.captured_used.val());
    }
    cosim.finish();
}
