//! King and rook against king, whole: what the literal formula makes of a won endgame.
//!
//! A player of merit 2 wins a quarter of the games: d tends to (M + 1)³ far from the end, so that
//! all won moves look alike. That is why the fitted model exists.
//!
//! A small retrograde solver counts the plies to mate of every position, and the theory with a
//! clock of 100 plies gives each its expected utility. Black's king stands on the ten squares
//! between a1, d1 and d4; the other positions are mirror images of these.

use std::collections::HashMap;

use bluebelle_knowledge::utility::graph::{GraphNode, utilities};
use bluebelle_knowledge::utility::{Curve, Fitted, Hasty, Michie, Opponent};
use bluebelle_knowledge::vocabulary::{Merit, Value};
use bluebelle_spec::{Color, attacks};
use bluebelle_spec::{Square, types::Bitboard};

/// White's king, White's rook, Black's king, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Krk {
    king: u8,
    rook: u8,
    lone: u8,
    mover: Color,
}

fn king_moves(from: u8) -> impl Iterator<Item = u8> {
    Square::all_of(attacks::king(Square::new(from))).map(Square::byte)
}

fn rook_attacks(from: u8, occupied: Bitboard) -> Bitboard {
    attacks::rook(Square::new(from), occupied)
}

impl Krk {
    fn bits(self) -> [Bitboard; 3] {
        [self.king, self.rook, self.lone].map(|square| 1 << square)
    }

    /// Black is in check. The rook attacks through nothing but the lone king itself.
    fn in_check(self) -> bool {
        rook_attacks(self.rook, 1 << self.king) >> self.lone & 1 != 0
    }

    fn is_legal(self) -> bool {
        let apart = self.king != self.rook && self.king != self.lone && self.rook != self.lone;
        let kings = attacks::king(Square::new(self.king)) >> self.lone & 1 == 0;
        apart && kings && !(self.mover == Color::White && self.in_check())
    }

    /// The mirror image with Black's king between a1, d1 and d4.
    fn folded(mut self) -> Krk {
        let mut change = |apply: fn(u8) -> u8| {
            for square in [&mut self.king, &mut self.rook, &mut self.lone] {
                *square = apply(*square);
            }
            self.lone
        };
        let mut lone = change(|square| square);
        if lone & 7 > 3 {
            lone = change(|square| square ^ 7);
        }
        if lone >> 3 > 3 {
            lone = change(|square| square ^ 56);
        }
        if lone >> 3 > lone & 7 {
            change(|square| square >> 3 | (square & 7) << 3);
        }
        self
    }

    /// The positions after all legal moves; `None` where the rook is taken.
    fn moves(self) -> Vec<Option<Krk>> {
        let [king, _, lone] = self.bits();
        let next = match self.mover {
            Color::White => {
                let rook_to = rook_attacks(self.rook, king | lone) & !king & !lone;
                let rook = Square::all_of(rook_to).map(|to| Krk {
                    rook: to.byte(),
                    mover: Color::Black,
                    ..self
                });
                let king = king_moves(self.king).map(|king| Krk {
                    king,
                    mover: Color::Black,
                    ..self
                });
                rook.chain(king).filter(|next| next.is_legal()).map(Some).collect()
            }
            Color::Black => {
                let step = |lone| {
                    let next = Krk {
                        lone,
                        mover: Color::White,
                        ..self
                    };
                    if lone == self.rook {
                        let protected = attacks::king(Square::new(self.king)) >> lone & 1 != 0;
                        return (!protected).then_some(None);
                    }
                    next.is_legal().then_some(Some(next))
                };
                king_moves(self.lone).filter_map(step).collect::<Vec<_>>()
            }
        };
        next.into_iter()
            .map(|next: Option<Krk>| next.map(Krk::folded))
            .collect()
    }
}

/// The plies after which a game is drawn.
const CLOCK: u32 = 100;

/// How many mirror images a position has.
fn images(krk: Krk) -> f64 {
    if krk.lone >> 3 == krk.lone & 7 { 4.0 } else { 8.0 }
}

/// All positions, with the plies to mate as their delay.
fn solve() -> (Vec<Krk>, Vec<GraphNode>) {
    let mut positions = Vec::new();
    for lone in (0..64u8).filter(|lone| lone & 7 <= 3 && lone >> 3 <= lone & 7) {
        for (king, rook) in (0..64).flat_map(|king| (0..64).map(move |rook| (king, rook))) {
            for mover in Color::ALL {
                positions.push(Krk {
                    king,
                    rook,
                    lone,
                    mover,
                });
            }
        }
    }
    positions.retain(|krk| krk.is_legal());
    let places: HashMap<Krk, u32> = positions.iter().zip(0..).map(|(&krk, at)| (krk, at)).collect();
    let mut nodes: Vec<GraphNode> = positions
        .iter()
        .map(|krk| {
            let moves = krk.moves();
            let end = match (moves.is_empty(), krk.in_check()) {
                (false, _) => None,
                (true, true) => Some(Value::Win),
                (true, false) => Some(Value::Draw),
            };
            let place = |next: Option<Krk>| next.map_or(u32::MAX, |next| places[&next]);
            let successors = moves.into_iter().map(place).collect();
            GraphNode {
                mover: krk.mover,
                end,
                delay: 0,
                successors,
            }
        })
        .collect();
    let mut known: Vec<bool> = nodes.iter().map(|node| node.end == Some(Value::Win)).collect();
    for plies in 1.. {
        let is_known = |next: &u32| known.get(*next as usize).is_some_and(|&known| known);
        let wins = |node: &GraphNode| match node.mover {
            Color::White => node.successors.iter().any(is_known),
            Color::Black => node.end.is_none() && node.successors.iter().all(is_known),
        };
        let won: Vec<usize> = (0..nodes.len()).filter(|&at| !known[at] && wins(&nodes[at])).collect();
        if won.is_empty() {
            break;
        }
        for at in won {
            known[at] = true;
            nodes[at].delay = plies;
        }
    }
    // A draw lasts until the clock ends it. Without that, r = 0 would make d infinite.
    for (node, known) in nodes.iter_mut().zip(known) {
        if !known && node.end.is_none() {
            node.delay = CLOCK;
        }
    }
    (positions, nodes)
}

#[test]
fn the_literal_formula_plays_rook_and_king_poorly() {
    let (positions, nodes) = solve();
    let white = |at: &usize| positions[*at].mover == Color::White;
    let count = |at: &usize| images(positions[*at]);
    let all: f64 = (0..positions.len()).filter(white).map(|at| count(&at)).sum();
    assert_eq!(all, 175_168.0);
    let mates = |value: Value| -> f64 {
        let ends = (0..positions.len()).filter(|&at| nodes[at].end == Some(value));
        ends.map(|at| count(&at)).sum()
    };
    assert_eq!((mates(Value::Win), mates(Value::Draw)), (216.0, 68.0));
    let longest = (0..positions.len()).filter(white).map(|at| nodes[at].delay).max();
    assert_eq!(longest, Some(31), "mate in 16");

    for (merit, expected) in [(0.0, 0.008), (1.4, 0.225), (2.0, 0.272)] {
        let player = Michie {
            merit: Merit::new(merit).expect("a merit"),
        };
        let found = utilities(&nodes, [&player as &dyn Opponent, &player], Color::White, CLOCK);
        let weighted = (0..positions.len())
            .filter(white)
            .map(|at| count(&at) * found[at].number());
        let mean = weighted.sum::<f64>() / all;
        assert!((mean - expected).abs() <= 0.005, "M = {merit}: {mean}");
    }
}

/// The numbers of `bluebelle study`: of a player of merit 2 against another, who wins with the rook
/// 87 times of 100 with haste, and 55 times without. Other hastes win less often.
#[test]
fn a_hasty_player_wins_with_rook_and_king() {
    let (positions, nodes) = solve();
    let white = |at: &usize| positions[*at].mover == Color::White;
    let all: f64 = (0..positions.len()).filter(white).map(|at| images(positions[at])).sum();
    let mean = |haste: f64| {
        let player = Hasty {
            player: Fitted {
                merit: Merit::new(2.0).expect("a merit"),
                curve: Curve {
                    at_zero: 0.3,
                    slope: -1.0,
                    sight: 3.0,
                },
            },
            haste,
        };
        let found = utilities(&nodes, [&player as &dyn Opponent, &player], Color::White, CLOCK);
        let weighed = (0..positions.len())
            .filter(white)
            .map(|at| images(positions[at]) * found[at].number());
        weighed.sum::<f64>() / all
    };
    let (hasty, idle) = (mean(0.15), mean(0.0));
    println!("{hasty} with haste, {idle} without");
    assert!(hasty >= 0.85, "{hasty}");
    assert!(idle < 0.6, "{idle}");
}
