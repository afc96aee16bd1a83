//! The evaluation: its counters and small products against arithmetic, its counts and its value against the golden model.

mod common;

use bluebelle_hdl::core::evaluate::count::{Difference, UpToTwo};
use bluebelle_hdl::core::evaluate::mobility::Mobility;
use bluebelle_hdl::core::evaluate::officers::Officers;
use bluebelle_hdl::core::evaluate::popcount::Popcount;
use bluebelle_hdl::core::evaluate::scale::Product;
use bluebelle_hdl::core::evaluate::side::Side;
use bluebelle_hdl::core::evaluate::weigh::Weigh;
use bluebelle_hdl::core::thread::Thread;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::attacks::relative;
use bluebelle_spec::eval::{Counts, PASSED};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{
    AttackSets, Bitboard, Castling, Color, Evaluator, Fen, Piece, Planes, Position, Square, Term, Weights, evaluate,
};

use rust_hdl::prelude::Signed;

use common::{pick, positions, weighed_thread_on};

/// Pieces strewn over the board, so that every count takes on its extremes.
fn strewn(seed: u64, count: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut planes = Planes::default();
        let mut place = |color, piece, pieces| {
            for _ in 0..pieces {
                let square = match piece {
                    Piece::Pawn => 8 + random.below(48),
                    _ => random.below(64),
                };
                let square = Square::new(square as u8);
                if planes.at(square).is_none() {
                    planes.toggle(color, piece, square.bit());
                }
            }
        };
        for color in Color::ALL {
            place(color, Piece::King, 1);
            place(color, Piece::Pawn, 8);
            for (piece, most) in [
                (Piece::Rook, 2),
                (Piece::Bishop, 2),
                (Piece::Knight, 2),
                (Piece::Queen, 1),
            ] {
                place(color, piece, most);
            }
        }
        let turn = Color::ALL[found.len() % 2];
        found.extend(Position::new(planes, turn, Castling::NONE, None));
    }
    found
}

fn all_positions(seed: u64) -> Vec<Position> {
    [positions(seed, 250), strewn(seed + 1, 100)].concat()
}

/// Weights that the chip takes, as far apart as the limits allow.
fn random_weights(random: &mut SplitMix64) -> Weights {
    let mut within = |limit: i16| (random.below(2 * limit as u64 + 1) as i16) - limit;
    let mut words = [0; Weights::WORDS];
    let (placement, structure) = words.split_at_mut(Weights::WORDS - Term::COUNT);
    placement.fill_with(|| within(500));
    for (word, term) in structure.iter_mut().zip(Term::ALL) {
        *word = match within(1) {
            0 => within(term.limit()),
            sign => sign * term.limit(),
        };
    }
    Weights::from_words(&words).expect("valid weights")
}

#[test]
fn popcount_counts_two_cycles_later() {
    let mut cosim = Cosim::new(Popcount::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(90);
    let mut counts = Vec::new();
    for round in 0..400 {
        let squares = match round % 5 {
            0 => random.next_u64(),
            1 => random.next_u64() & random.next_u64() & random.next_u64(),
            2 => random.next_u64() | random.next_u64() | random.next_u64(),
            3 => !0 >> random.below(64),
            _ => u64::from(round % 2 == 0) * u64::MAX,
        };
        counts.push(squares.count_ones() as u8);
        cosim.cycle(|uut| uut.squares.next = squares.into());
        if let Some(&expected) = counts.iter().rev().nth(1) {
            assert_eq!(cosim.uut.count.val().to_u8(), expected, "round {round}");
        }
    }
    cosim.finish();
}

#[test]
fn bytes_are_compared_by_their_counts() {
    let mut all = Cosim::combinational(Difference::default());
    let mut capped = Cosim::combinational(UpToTwo::default());
    synthesis_check(&all.uut);
    synthesis_check(&capped.uut);
    let mut random = SplitMix64::new(91);
    for round in 0..4096u32 {
        // Every byte on each side, then any.
        let [ours, theirs] = match round {
            0..256 => [round as u8, !round as u8],
            256..512 => [0, round as u8],
            512..768 => [round as u8, 0],
            _ => [random.next_u64() as u8, random.next_u64() as u8],
        };
        all.cycle(|uut| {
            uut.ours.next = u64::from(ours).into();
            uut.theirs.next = u64::from(theirs).into();
        });
        capped.cycle(|uut| {
            uut.ours.next = u64::from(ours).into();
            uut.theirs.next = u64::from(theirs).into();
        });
        let difference = i64::from(ours.count_ones()) - i64::from(theirs.count_ones());
        assert_eq!(number(all.uut.difference.val()), difference, "{ours:#x} {theirs:#x}");
        let difference = i64::from(ours.count_ones().min(2)) - i64::from(theirs.count_ones().min(2));
        assert_eq!(number(capped.uut.difference.val()), difference, "{ours:#x} {theirs:#x}");
    }
    all.finish();
    capped.finish();
}

fn number<const N: usize>(signed: Signed<N>) -> i64 {
    i64::try_from(signed.bigint()).expect("a small number")
}

/// The weights of one scale: limits, zero, and some between.
fn scale_weights(limit: i64, random: &mut SplitMix64) -> Vec<i64> {
    let mut weights = vec![-limit, -1, 0, 1, limit];
    weights.extend((0..4).map(|_| random.below(2 * limit as u64 + 1) as i64 - limit));
    weights
}

#[test]
fn products_multiply() {
    let mut cosim = Cosim::combinational(Product::default());
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(191);
    for count in -64..=64 {
        for weight in scale_weights(255, &mut random) {
            cosim.cycle(|uut| {
                uut.count.next = Signed::from(count);
                uut.weight.next = Signed::from(weight);
            });
            assert_eq!(number(cosim.uut.product.val()), count * weight, "{count} · {weight}");
        }
    }
    cosim.finish();
}

#[test]
fn sides_show_what_the_golden_model_counts() {
    const FILES: [Term; 7] = [
        Term::DoubledFile,
        Term::IsolatedFile,
        Term::RookOpenFile,
        Term::RookHalfOpenFile,
        Term::ShelterNear,
        Term::ShelterFar,
        Term::ShelterBare,
    ];
    let mut cosim = Cosim::new(Side::default(), |uut| &mut uut.clock);
    synthesis_check(&cosim.uut);
    let mut random = SplitMix64::new(92);
    for position in all_positions(93) {
        let color = pick(&mut random, &Color::ALL);
        let view = |side, piece| relative(position.pieces(side, piece), color);
        let sets = AttackSets::of(&position);
        // The side's counts but for mobility, which has a block of its own.
        let counts = Counts::of(&position, color, &sets.own, 0);
        cosim.cycle(|uut| {
            uut.pawns.next = view(color, Piece::Pawn).into();
            uut.enemy_pawns.next = view(!color, Piece::Pawn).into();
            let rooks = view(color, Piece::Rook).to_le_bytes();
            uut.rook_files.next = u64::from(rooks.iter().fold(0, |files, rank| files | rank)).into();
            uut.king.next = u64::from(position.king(color).relative_to(color).byte()).into();
        });
        let uut = &cosim.uut;
        for (term, files) in FILES.iter().zip(&uut.files) {
            let count = files.val().to_u8().count_ones() as i32;
            assert_eq!(count, counts.get(*term), "{term:?} {position}");
        }
        for (term, files) in PASSED.iter().zip(&uut.passed) {
            let count = files.val().to_u8().count_ones().min(2) as i32;
            assert_eq!(count, counts.get(*term), "{term:?} {position}");
        }
    }
    cosim.finish();
}

/// The pieces that move as `piece` does, and queens.
fn sliders(position: &Position, color: Color, piece: Piece) -> Bitboard {
    position.pieces(color, piece) | position.pieces(color, Piece::Queen)
}

#[test]
fn rooks_and_bishops_are_told_by_how_they_radiate() {
    let mut cosim = Cosim::combinational(Officers::default());
    synthesis_check(&cosim.uut);
    let mut pairs = 0;
    for position in all_positions(95) {
        let color = position.turn();
        cosim.cycle(|uut| {
            uut.straight.next = sliders(&position, color, Piece::Rook).into();
            uut.diagonal.next = sliders(&position, color, Piece::Bishop).into();
        });
        let rooks = position.pieces(color, Piece::Rook).to_le_bytes();
        let files = rooks.iter().fold(0, |files, rank| files | rank);
        assert_eq!(cosim.uut.rook_files.val().to_u8(), files, "{position}");
        let counts = Counts::of(&position, color, &AttackSets::of(&position).own, 0);
        assert_eq!(
            i32::from(cosim.uut.pair.val()),
            counts.get(Term::BishopPair),
            "{position}"
        );
        pairs += counts.get(Term::BishopPair);
    }
    assert!(pairs >= 20, "{pairs} pairs of bishops");
    cosim.finish();
}

/// Mobility and the sum, wired as in the core.
struct Evaluation {
    mobility: Cosim<Mobility>,
    weigh: Cosim<Weigh>,
}

impl Evaluation {
    fn new() -> Evaluation {
        Evaluation {
            mobility: Cosim::new(Mobility::default(), |uut| &mut uut.clock),
            weigh: Cosim::new(Weigh::default(), |uut| &mut uut.clock),
        }
    }

    fn load(&mut self, weights: &Weights) {
        // Some of the placement weights go by as well, and must not be taken for structural ones.
        let words = weights.to_words();
        let (placement, _) = words.split_at(Weights::WORDS - Term::COUNT);
        let structure = words.iter().enumerate().skip(placement.len());
        let order = structure.chain(placement.iter().enumerate().step_by(19));
        for (index, &word) in order {
            self.weigh.cycle(|uut| {
                uut.weight_write.next = true;
                uut.weight_index.next = (index as u64).into();
                uut.weight_data.next = u64::from(word as u16).into();
            });
        }
        self.weigh.uut.weight_write.next = false;
    }

    /// A position a cycle; each must have its golden value at the right time.
    fn run(&mut self, positions: &[Position], evaluator: &Evaluator) {
        let threads: Vec<Thread> = positions
            .iter()
            .map(|position| weighed_thread_on(position, evaluator))
            .collect();
        // The thread that is as many stages further on.
        let ago = |cycle: usize, stages: usize| {
            let index = cycle.checked_sub(stages);
            index.and_then(|index| threads.get(index)).copied().unwrap_or_default()
        };
        for cycle in 0..positions.len() + 9 {
            if let Some(position) = cycle.checked_sub(9).map(|index| &positions[index]) {
                let found = self.weigh.uut.value.val().to_u16() as i16;
                assert_eq!(found, evaluate(position, evaluator.weights()), "{position}");
            }
            if let Some(position) = cycle.checked_sub(4).and_then(|index| positions.get(index)) {
                self.check_mobility(position);
            }
            let (minor, major) = (self.mobility.uut.minor.val(), self.mobility.uut.major.val());
            self.weigh.cycle(|uut| {
                uut.thread_2.next = ago(cycle, 0);
                if let Some(position) = positions.get(cycle) {
                    let [own, enemy] = [position.turn(), !position.turn()];
                    uut.white_pawns.next = position.pieces(Color::White, Piece::Pawn).into();
                    uut.black_pawns.next = position.pieces(Color::Black, Piece::Pawn).into();
                    uut.own_straight.next = sliders(position, own, Piece::Rook).into();
                    uut.own_diagonal.next = sliders(position, own, Piece::Bishop).into();
                    uut.enemy_straight.next = sliders(position, enemy, Piece::Rook).into();
                    uut.enemy_diagonal.next = sliders(position, enemy, Piece::Bishop).into();
                }
                uut.minor.next = minor;
                uut.major.next = major;
                uut.thread_6.next = ago(cycle, 4);
                uut.thread_8.next = ago(cycle, 6);
                uut.thread_9.next = ago(cycle, 7);
                uut.thread_10.next = ago(cycle, 8);
            });
            // What a stage later comes out of the networks.
            let position = cycle.checked_sub(1).and_then(|index| positions.get(index));
            self.mobility.cycle(|uut| {
                if let Some(position) = position {
                    let AttackSets { own, enemy } = AttackSets::of(position);
                    uut.own_straight.next = own.straight.into();
                    uut.own_diagonal.next = own.diagonal.into();
                    uut.own_knight.next = own.knight.into();
                    uut.own_reach.next = (!position.side(position.turn()) & !enemy.pawn).into();
                    uut.enemy_straight.next = enemy.straight.into();
                    uut.enemy_diagonal.next = enemy.diagonal.into();
                    uut.enemy_knight.next = enemy.knight.into();
                    uut.enemy_reach.next = (!position.side(!position.turn()) & !own.pawn).into();
                }
            });
        }
    }

    fn check_mobility(&self, position: &Position) {
        let us = position.turn();
        let AttackSets { own, enemy } = AttackSets::of(position);
        let ours = Counts::of(position, us, &own, enemy.pawn);
        let theirs = Counts::of(position, !us, &enemy, own.pawn);
        let difference = |term| ours.get(term) - theirs.get(term);
        let uut = &self.mobility.uut;
        let found = [uut.minor.val(), uut.major.val()].map(|count| number(count) as i32);
        let expected = [difference(Term::MobilityMinor), difference(Term::MobilityMajor)];
        assert_eq!(found, expected, "{position}");
    }

    fn finish(self) {
        self.mobility.finish();
        self.weigh.finish();
    }
}

#[test]
fn mobility_and_weigh_synthesise() {
    let evaluation = Evaluation::new();
    synthesis_check(&evaluation.mobility.uut);
    synthesis_check(&evaluation.weigh.uut);
}

#[test]
fn the_value_is_golden_with_standard_weights() {
    let mut evaluation = Evaluation::new();
    evaluation.load(Weights::standard());
    evaluation.run(&all_positions(94), &Evaluator::new(Weights::standard()));
    evaluation.finish();
}

#[test]
fn the_value_is_golden_with_any_weights() {
    let mut evaluation = Evaluation::new();
    let mut random = SplitMix64::new(96);
    for seed in 97..103 {
        let weights = random_weights(&mut random);
        evaluation.load(&weights);
        let sample = [positions(seed, 30), strewn(seed, 20)].concat();
        evaluation.run(&sample, &Evaluator::new(&weights));
    }
    evaluation.finish();
}

#[test]
fn the_value_is_golden_where_middle_game_and_endgame_are_far_apart() {
    let home = |value: i16| std::array::from_fn(|square| if square < 16 { value } else { -value });
    let weights = Weights {
        placement_mg: [home(870); 6],
        placement_eg: [home(-870); 6],
        structure: [0; Term::COUNT],
    };
    assert_eq!(weights.validate(), Ok(()));
    let fen = "8/8/nbr1krbn/pppppppp/8/8/PPPPPPPP/RNB1KBNR w - - 0 1";
    let position = fen.parse::<Fen>().expect("a position").position;
    let mut evaluation = Evaluation::new();
    evaluation.load(&weights);
    evaluation.run(&[position], &Evaluator::new(&weights));
    evaluation.finish();
}
