//! Positions from random games, the same ones for the same seed.
//!
//! Purely random games are dull. So games also start from given positions, on which pieces are scattered or removed, and a
//! share of the moves is chosen among captures, promotions, castling, checks, pawn steps that allow en passant and moves
//! that end the game.

use std::collections::HashSet;

use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Color, Piece, Position, Square};
use shakmaty::{Chess, Move, MoveList, Position as _, Role, attacks};

use crate::convert;
use crate::suite::{self, SuiteError};

/// A position in both forms.
#[derive(Clone, Debug)]
pub struct Sample {
    /// For the golden model.
    pub position: Position,
    /// For shakmaty.
    pub chess: Chess,
}

/// An endless stream of positions, each one only once.
pub struct Games {
    rng: SplitMix64,
    starts: Vec<Position>,
    current: Chess,
    plies_left: u64,
    seen: HashSet<Position>,
}

impl Games {
    /// Games from the initial position and from `starts`.
    pub fn new(seed: u64, starts: Vec<Position>) -> Games {
        Games {
            rng: SplitMix64::new(seed),
            starts,
            current: Chess::default(),
            plies_left: 0,
            seen: HashSet::new(),
        }
    }

    /// Games from the initial position and from the positions of a suite in the `data` folder.
    ///
    /// # Errors
    /// If the suite cannot be used.
    pub fn from_suite(seed: u64, name: &str) -> Result<Games, SuiteError> {
        Ok(Games::new(seed, suite::positions(name)?))
    }

    fn start_game(&mut self) {
        self.plies_left = 1 + self.rng.below(100);
        self.current = Chess::default();
        let start = match self.starts.len() as u64 {
            0 => return,
            _ if self.rng.below(16) == 0 => return,
            count => self.starts[self.rng.below(count) as usize],
        };
        let start = match self.rng.below(4) {
            0 => start,
            _ => self.scatter(&start),
        };
        let start = match self.rng.below(2) {
            0 => start,
            _ => start.mirrored(),
        };
        self.current = convert::to_shakmaty(&start).unwrap_or_default();
        self.plies_left = match self.rng.below(20) {
            0 => self.plies_left,
            _ => 1 + self.rng.below(5),
        };
    }

    /// Puts pieces on empty squares and takes others away, as long as a valid position results.
    fn scatter(&mut self, start: &Position) -> Position {
        let mut scattered = *start;
        for _ in 0..2 + self.rng.below(8) {
            let square = Square::new(self.rng.below(64) as u8);
            let mut planes = *scattered.planes();
            match scattered.at(square) {
                Some((color, piece)) => planes.toggle(color, piece, square.bit()),
                None => {
                    let color = Color::ALL[self.rng.below(2) as usize];
                    let piece = Piece::ALL[self.rng.below(5) as usize];
                    planes.toggle(color, piece, square.bit());
                }
            }
            let changed = Position::new(planes, scattered.turn(), scattered.castling(), scattered.en_passant());
            scattered = changed
                .ok()
                .filter(|position| convert::to_shakmaty(position).is_ok())
                .unwrap_or(scattered);
        }
        scattered
    }

    fn play(&mut self, moves: &MoveList) {
        let taste = self.rng.below(11);
        let after = |mv: Move| {
            let mut next = self.current.clone();
            next.play_unchecked(mv);
            next
        };
        let wanted = moves.iter().copied().filter(|&mv| match taste {
            0 => mv.is_capture(),
            1 => mv.is_promotion(),
            2 => mv.is_castle(),
            3 => after(mv).is_check(),
            4 => after(mv).checkers().count() >= 2,
            5 => allows_en_passant(&after(mv)),
            6 => after(mv).legal_moves().is_empty(),
            _ => false,
        });
        let wanted: Vec<Move> = wanted.collect();
        let choice: &[Move] = match wanted.is_empty() {
            true => moves,
            false => &wanted,
        };
        let mv = choice[self.rng.below(choice.len() as u64) as usize];
        self.current.play_unchecked(mv);
        self.plies_left -= 1;
    }
}

impl Iterator for Games {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        loop {
            let moves = self.current.legal_moves();
            if self.plies_left == 0 || moves.is_empty() {
                self.start_game();
            } else {
                self.play(&moves);
            }
            let chess = self.current.clone();
            if let Ok(position) = convert::from_shakmaty(&chess)
                && self.seen.insert(position)
            {
                return Some(Sample { position, chess });
            }
        }
    }
}

fn allows_en_passant(chess: &Chess) -> bool {
    let capturing = |skipped| attacks::pawn_attacks(!chess.turn(), skipped) & chess.our(Role::Pawn);
    chess.maybe_ep_square().is_some_and(|skipped| capturing(skipped).any())
}
