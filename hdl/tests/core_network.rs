//! The sources and both networks against the golden attack sets.

mod common;

use bluebelle_hdl::core::network::Network;
use bluebelle_hdl::core::sources::Sources;
use bluebelle_hdl::core::thread::Thread;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{AttackSets, Bitboard, Color, Piece, Position, Square, attacks};

use common::{in_order, pick, positions, thread_on};

/// Straight, diagonal and knight's attacks.
type Sets = [Bitboard; 3];

struct Stages {
    sources: Cosim<Sources>,
    network: Cosim<Network>,
}

impl Stages {
    fn new() -> Stages {
        Stages {
            sources: Cosim::new(Sources::default(), |uut| &mut uut.clock),
            network: Cosim::new(Network::default(), |uut| &mut uut.clock),
        }
    }

    /// The mover's and the enemy's sets after both stages.
    fn run(&mut self, thread: Thread) -> (Sets, Sets) {
        self.sources.cycle(|uut| uut.thread_in.next = thread);
        let from = &self.sources.uut;
        self.network.cycle(|uut| {
            uut.thread_in.next = from.thread_out.val();
            uut.empty.next = from.empty.val();
            uut.own_straight_sources.next = from.own_straight.val();
            uut.own_diagonal_sources.next = from.own_diagonal.val();
            uut.own_knight_sources.next = from.own_knight.val();
            uut.enemy_straight_sources.next = from.enemy_straight.val();
            uut.enemy_diagonal_sources.next = from.enemy_diagonal.val();
            uut.enemy_knight_sources.next = from.enemy_knight.val();
        });
        let uut = &self.network.uut;
        let own = [uut.own_straight.val(), uut.own_diagonal.val(), uut.own_knight.val()];
        let enemy = [
            uut.enemy_straight.val(),
            uut.enemy_diagonal.val(),
            uut.enemy_knight.val(),
        ];
        let sets = |sets: [_; 3]| sets.map(|set: rust_hdl::prelude::Bits<64>| set.to_u64());
        assert_eq!(uut.thread_out.val(), thread);
        (sets(own), sets(enemy))
    }

    fn finish(self) {
        self.sources.finish();
        self.network.finish();
    }
}

fn enemy_sets(position: &Position) -> Sets {
    let sets = AttackSets::of(position).enemy;
    [sets.straight, sets.diagonal, sets.knight]
}

#[test]
fn both_blocks_synthesise() {
    let stages = Stages::new();
    synthesis_check(&stages.sources.uut);
    synthesis_check(&stages.network.uut);
}

#[test]
fn all_pieces_radiate_in_find_victim_and_find_push() {
    let mut stages = Stages::new();
    for (index, position) in positions(30, 200).into_iter().enumerate() {
        let thread = Thread {
            victim: index % 3 == 0,
            push: index % 3 == 1,
            ..thread_on(&position)
        };
        let (own, enemy) = stages.run(thread);
        let from = &stages.sources.uut;
        let found = [&from.targets, &from.white_pawns, &from.black_pawns].map(|set| set.val().to_u64());
        let enemies = position.side(!position.turn());
        let pawns = Color::ALL.map(|color| position.pieces(color, Piece::Pawn));
        assert_eq!(
            found,
            [if thread.victim { enemies } else { 0 }, pawns[0], pawns[1]],
            "{position}"
        );
        let expected = AttackSets::of(&position).own;
        assert_eq!(
            own,
            [expected.straight, expected.diagonal, expected.knight],
            "{position}"
        );
        assert_eq!(enemy, enemy_sets(&position), "{position}");
    }
    stages.finish();
}

#[test]
fn the_origin_radiates_in_find_attacker() {
    let mut stages = Stages::new();
    let mut random = SplitMix64::new(31);
    for position in positions(32, 200) {
        let origin = Square::new(random.below(64) as u8);
        let thread = Thread {
            attacker: true,
            origin: u64::from(origin.byte()).into(),
            captured: random.below(2).into(),
            special: random.below(4) == 0,
            ..thread_on(&position)
        };
        let (own, enemy) = stages.run(thread);
        let takes = thread.captured.any() && !thread.special;
        let targets = if takes { position.side(position.turn()) } else { 0 };
        assert_eq!(
            stages.sources.uut.targets.val().to_u64(),
            targets,
            "{position} {origin}"
        );
        let occupied = position.occupied();
        let expected = [
            attacks::rook(origin, occupied),
            attacks::bishop(origin, occupied),
            attacks::knight(origin),
        ];
        assert_eq!(own, expected, "{position} {origin}");
        assert_eq!(enemy, enemy_sets(&position), "{position} {origin}");
    }
    stages.finish();
}

#[test]
fn one_piece_radiates_in_find_quiet_and_for_the_killer() {
    let mut stages = Stages::new();
    let mut random = SplitMix64::new(33);
    for (index, position) in positions(34, 200).into_iter().enumerate() {
        // The killer's piece may be gone, or the enemy's.
        let killing = index % 2 == 0;
        let own = in_order(position.side(position.turn()), position.turn());
        let origin = match killing {
            true => Square::new(random.below(64) as u8),
            false => pick(&mut random, &own),
        };
        let thread = Thread {
            killing,
            quiet: !killing,
            origin: u64::from(origin.byte()).into(),
            ..thread_on(&position)
        };
        let (own, enemy) = stages.run(thread);
        let occupied = position.occupied();
        let piece = position.at(origin).filter(|&(color, _)| color == position.turn());
        let expected = match piece.map(|(_, piece)| piece) {
            Some(Piece::Rook) => [attacks::rook(origin, occupied), 0, 0],
            Some(Piece::Bishop) => [0, attacks::bishop(origin, occupied), 0],
            Some(Piece::Queen) => [attacks::rook(origin, occupied), attacks::bishop(origin, occupied), 0],
            Some(Piece::Knight) => [0, 0, attacks::knight(origin)],
            _ => [0, 0, 0],
        };
        assert_eq!(own, expected, "{position} {origin}");
        assert_eq!(enemy, enemy_sets(&position), "{position} {origin}");
    }
    stages.finish();
}
