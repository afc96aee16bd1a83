//! A game so far: the board, and the positions that a repetition could return to.

use bluebelle_spec::{Color, Fen, Move};

use crate::board::Board;
use crate::evaluation::Evaluator;

/// A board and how it came about.
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    /// The hashes of the positions before this one, back to the last capture or pawn move at least.
    hashes: Vec<u64>,
}

impl Game {
    /// A game that begins here.
    pub fn new(fen: &Fen, evaluator: &Evaluator) -> Game {
        Game {
            board: Board::new(fen, evaluator),
            hashes: Vec::new(),
        }
    }

    /// A game that begins at the beginning.
    pub fn initial(evaluator: &Evaluator) -> Game {
        Game {
            board: Board::initial(evaluator),
            hashes: Vec::new(),
        }
    }

    /// The same game for another evaluation: a board keeps sums of the weights that it was made with.
    #[must_use]
    pub fn weighed(&self, evaluator: &Evaluator) -> Game {
        Game {
            board: self.board.clone().weighed(evaluator),
            hashes: self.hashes.clone(),
        }
    }

    /// The position now.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The hashes of the positions before.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move, evaluator: &Evaluator) {
        self.hashes.push(self.board.hash());
        self.board.make(mv, evaluator);
        if self.board.halfmoves() == 0 {
            self.hashes.clear();
        }
    }

    /// How often this position has been on the board before.
    pub fn repetitions(&self) -> usize {
        self.hashes.iter().filter(|&&hash| hash == self.board.hash()).count()
    }

    /// Why the game is over, if it is.
    pub fn ending(&self) -> Option<Ending> {
        if self.board.legal_moves().is_empty() {
            return Some(match self.board.in_check() {
                true => Ending::Checkmate,
                false => Ending::Stalemate,
            });
        }
        if self.board.is_insufficient() {
            return Some(Ending::InsufficientMaterial);
        }
        if self.board.halfmoves() >= 100 {
            return Some(Ending::FiftyMoves);
        }
        (self.repetitions() >= 2).then_some(Ending::Repetition)
    }
}

impl Ending {
    /// In words, for the side whose turn it would be.
    pub fn describe(self, turn: Color) -> String {
        match self {
            Ending::Checkmate => format!("checkmate; {:?} wins", !turn),
            Ending::Stalemate => "stalemate: a draw".to_owned(),
            Ending::InsufficientMaterial => "neither side can give mate: a draw".to_owned(),
            Ending::FiftyMoves => "fifty moves without capture or pawn move: a draw".to_owned(),
            Ending::Repetition => "the third time on the board: a draw".to_owned(),
        }
    }
}

/// How a game ends by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody can give mate.
    InsufficientMaterial,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
    /// The third time on the board.
    Repetition,
}
