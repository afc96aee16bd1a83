//! All positions of an ending as a graph, from tables.
//!
//! Positions that mirror each other are one node. A capture or a promotion ends the play with what
//! the tables say of the position after it. A right to take in passing is left out.

use std::collections::HashMap;
use std::sync::Mutex;

use bluebelle_knowledge::endings::{Kind, Material, ProbeError, Tables, Value as Distance, Wdl, each_position};
use bluebelle_knowledge::utility::graph::GraphNode;
use bluebelle_knowledge::vocabulary::Value;
use bluebelle_spec::{Color, Piece, Position, Square, leaf};

/// The plies after which a game is drawn.
pub const CLOCK: u32 = 100;

/// An ending's positions, each with its place among the nodes.
pub struct Graph {
    /// The nodes: the positions, then the three ends that captures and promotions lead to.
    pub nodes: Vec<GraphNode>,
    /// What each position is, in the order of the nodes.
    pub positions: Vec<Placed>,
}

/// A position of an ending.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The position.
    pub position: Position,
    /// How many mirror images it has, itself included.
    pub images: u8,
    /// What the table says for the side to move; distances are the winner's moves to mate.
    pub value: Distance,
}

/// White's value of an end.
const ENDS: [Value; 3] = [Value::Win, Value::Draw, Value::Loss];

impl Graph {
    /// The graph of a material. `progress` hears the share that is done.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn new(tables: &Tables, material: Material, progress: impl Fn(f64) + Sync) -> Result<Graph, ProbeError> {
        let found = Mutex::new((HashMap::new(), Vec::new()));
        let pawns = material.has_pawns();
        let collect = |position: &Position, _: &mut _| -> Result<(), ProbeError> {
            if position.en_passant().is_some() {
                return Ok(());
            }
            let (key, images) = key(position, pawns);
            let value = tables.probe(position, Kind::Mate)?;
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (places, positions) = &mut *found;
            let place = positions.len() as u32;
            places.entry(key).or_insert_with(|| {
                positions.push(Placed {
                    position: *position,
                    images,
                    value,
                });
                place
            });
            Ok(())
        };
        each_position(material, 1, 1, |share| progress(share / 2.0), collect)?;
        let (places, positions) = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let count = positions.len();
        let mut nodes = Vec::with_capacity(count + ENDS.len());
        for (at, placed) in positions.iter().enumerate() {
            nodes.push(node(tables, placed, &places, count as u32, pawns)?);
            if at % 4096 == 0 {
                progress(0.5 + 0.5 * at as f64 / count as f64);
            }
        }
        nodes.extend(ENDS.map(|end| GraphNode {
            mover: Color::White,
            end: Some(end),
            delay: 0,
            successors: Vec::new(),
        }));
        Ok(Graph { nodes, positions })
    }
}

fn node(
    tables: &Tables,
    placed: &Placed,
    places: &HashMap<u32, u32>,
    ends: u32,
    pawns: bool,
) -> Result<GraphNode, ProbeError> {
    let position = &placed.position;
    let mover = position.turn();
    let mut successors = Vec::new();
    for mv in leaf::legal_moves(position) {
        let after = position.after(mv);
        let leaves = mv.promotion().is_some() || after.occupied().count_ones() < position.occupied().count_ones();
        let inside = (!leaves).then(|| places.get(&key(&after, pawns).0)).flatten();
        successors.push(match inside {
            Some(&place) => place,
            None => {
                let white = match (tables.probe_wdl(&after)?, after.turn()) {
                    (Wdl::Draw, _) => 1,
                    (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => 0,
                    _ => 2,
                };
                ends + white
            }
        });
    }
    let end = successors.is_empty().then(|| match placed.value {
        Distance::Draw => Value::Draw,
        _ => Value::Loss.seen_by(mover),
    });
    let delay = match (end, placed.value) {
        (Some(_), _) => 0,
        // A draw lasts until the clock ends it.
        (None, Distance::Draw) => CLOCK,
        (None, Distance::Win(moves)) => (2 * u32::from(moves)).saturating_sub(1),
        (None, Distance::Loss(moves)) => 2 * u32::from(moves),
    };
    Ok(GraphNode {
        mover,
        end,
        delay,
        successors,
    })
}

/// A number for a position of a material and its mirror images, and how many images there are.
fn key(position: &Position, pawns: bool) -> (u32, u8) {
    let mut men = [(0_u8, 0_u8); 4];
    let mut count = 0;
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in Square::all_of(position.pieces(color, piece)) {
                if let Some(man) = men.get_mut(count) {
                    *man = ((color.index() * 6 + piece.index()) as u8, square.byte());
                    count += 1;
                }
            }
        }
    }
    let symmetries = if pawns { 2 } else { 8 };
    let mut images = [0; 8];
    for (symmetry, image) in images.iter_mut().enumerate().take(symmetries) {
        let mut mirrored = men;
        for man in &mut mirrored[..count] {
            man.1 = mirror(man.1, symmetry);
        }
        mirrored[..count].sort_unstable();
        *image = mirrored[..count]
            .iter()
            .fold(0, |number, man| number << 6 | u32::from(man.1));
    }
    let images = &mut images[..symmetries];
    images.sort_unstable();
    let distinct = 1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let turn = u32::from(position.turn() == Color::Black) << 24;
    (images[0] | turn, distinct as u8)
}

/// Bit 0 mirrors files, bit 1 ranks, and bit 2 at the diagonal afterwards.
const fn mirror(square: u8, symmetry: usize) -> u8 {
    let mut square = square;
    if symmetry & 1 != 0 {
        square ^= 7;
    }
    if symmetry & 2 != 0 {
        square ^= 56;
    }
    if symmetry & 4 != 0 {
        square = square >> 3 | (square & 7) << 3;
    }
    square
}
